//! How a value of the language is laid out for the solver: as a list of leaves, each of a plain sort.
//!
//! Tuples, records, options, enums, and sets and maps over few keys are taken apart, so that the solver sees nothing but
//! Booleans and integers where that is possible. What has no end becomes arrays, strings and sequences. A part that is
//! not there (the inside of `none`, the value of an absent key) holds the default of its sort, so that equal values have
//! equal leaves.

use interplay_model::{Model, Type};
use interplay_semantics::{Instance, Value};
use interplay_smt::Term;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Sets and maps over at most so many keys are taken apart.
pub(crate) const MOST_KEYS: usize = 32;
/// A value with more leaves than this is not encoded.
pub(crate) const MOST_LEAVES: usize = 2000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    Bool,
    Int,
    String,
    Array(Box<Sort>, Box<Sort>),
    Seq(Box<Sort>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Leaf(Sort),
    /// One of these strings, by its number.
    Text(Arc<[Value]>),
    /// A tuple or a record.
    Tuple(Vec<Shape>),
    /// Is it there? Then the inside.
    Option(Box<Shape>),
    /// The number of the variant, then the payloads of all variants.
    Enum(Vec<Vec<Shape>>),
    /// One sequence for each leaf of the elements.
    Seq(Box<Shape>),
    /// One Boolean for each value.
    FewSet(Arc<[Value]>),
    /// For each key: is it there? Then its value.
    FewMap(Arc<[Value]>, Box<Shape>),
    Set(Sort),
    /// Which keys are there, then one array for each leaf of the values.
    Map(Sort, Box<Shape>),
}

impl Shape {
    pub(crate) const BOOL: Shape = Shape::Leaf(Sort::Bool);
    pub(crate) const INT: Shape = Shape::Leaf(Sort::Int);

    /// The layout of a type, or why it has none.
    pub(crate) fn of(instance: &Instance, strings: Option<&Arc<[Value]>>, ty: &Type) -> Result<Shape, String> {
        let types = &instance.model().types;
        let of = |ty: &Type| Shape::of(instance, strings, ty);
        let all = |types: &[Type]| types.iter().map(of).collect::<Result<Vec<Shape>, String>>();
        let shape = match types.strip(ty) {
            Type::Bool => Shape::BOOL,
            Type::Int | Type::Range(_) | Type::Object(_) => Shape::INT,
            Type::String => strings.map_or(Shape::Leaf(Sort::String), |strings| Shape::Text(strings.clone())),
            Type::Enum(id) => Shape::Enum(
                types.enums[id.0].variants.iter().map(|variant| all(&variant.payload)).collect::<Result<_, _>>()?,
            ),
            Type::Record(id) => {
                Shape::Tuple(types.records[id.0].fields.iter().map(|(_, ty)| of(ty)).collect::<Result<_, _>>()?)
            }
            Type::Tuple(parts) => Shape::Tuple(all(parts)?),
            Type::Option(inner) => Shape::Option(of(inner)?.into()),
            Type::Seq(inner) => Shape::Seq(of(inner)?.into()),
            Type::Set(inner) => match few(instance, strings, inner) {
                Some(values) => Shape::FewSet(values),
                None => Shape::Set(key_sort(instance, strings, inner)?),
            },
            Type::Map(key, value) => match few(instance, strings, key) {
                Some(keys) => Shape::FewMap(keys, of(value)?.into()),
                None => Shape::Map(key_sort(instance, strings, key)?, of(value)?.into()),
            },
            Type::Alias(_) | Type::Unknown => return Err("its type is not known".into()),
        };
        match shape.count() {
            0..=MOST_LEAVES => Ok(shape),
            many => Err(format!("it would need {many} variables")),
        }
    }

    /// How many leaves.
    pub(crate) fn count(&self) -> usize {
        let all = |shapes: &[Shape]| shapes.iter().map(Shape::count).sum::<usize>();
        match self {
            Shape::Leaf(_) | Shape::Text(_) | Shape::Set(_) => 1,
            Shape::Tuple(parts) => all(parts),
            Shape::Option(inner) | Shape::Map(_, inner) => 1 + inner.count(),
            Shape::Enum(variants) => 1 + variants.iter().map(|payload| all(payload)).sum::<usize>(),
            Shape::Seq(inner) => inner.count(),
            Shape::FewSet(values) => values.len(),
            Shape::FewMap(keys, inner) => keys.len() * (1 + inner.count()),
        }
    }

    pub(crate) fn sorts(&self) -> Vec<Sort> {
        let all = |shapes: &[Shape]| shapes.iter().flat_map(Shape::sorts).collect::<Vec<_>>();
        match self {
            Shape::Leaf(sort) => vec![sort.clone()],
            Shape::Text(_) => vec![Sort::Int],
            Shape::Tuple(parts) => all(parts),
            Shape::Option(inner) => [vec![Sort::Bool], inner.sorts()].concat(),
            Shape::Enum(variants) => {
                let payloads = variants.iter().flat_map(|payload| all(payload));
                [Sort::Int].into_iter().chain(payloads).collect()
            }
            Shape::Seq(inner) => inner.sorts().into_iter().map(|sort| Sort::Seq(sort.into())).collect(),
            Shape::FewSet(values) => vec![Sort::Bool; values.len()],
            Shape::FewMap(keys, inner) => {
                keys.iter().flat_map(|_| [vec![Sort::Bool], inner.sorts()].concat()).collect()
            }
            Shape::Set(key) => vec![Sort::array(key, &Sort::Bool)],
            Shape::Map(key, inner) => {
                let values = inner.sorts().into_iter().map(|sort| Sort::array(key, &sort));
                [Sort::array(key, &Sort::Bool)].into_iter().chain(values).collect()
            }
        }
    }

    /// What stands for nothing.
    pub fn defaults(&self) -> Vec<Term> {
        self.sorts().iter().map(Sort::default).collect()
    }

    /// Where the parts of a tuple begin and end.
    pub(crate) fn ranges(parts: &[Shape], start: usize) -> Vec<std::ops::Range<usize>> {
        let mut at = start;
        let range = |part: &Shape| {
            at += part.count();
            at - part.count()..at
        };
        parts.iter().map(range).collect()
    }

    /// The leaves of a value that is known.
    pub fn literal(&self, value: &Value) -> Vec<Term> {
        match (self, value) {
            (Shape::Leaf(_), value) => vec![scalar(value)],
            (Shape::Text(known), value) => {
                // One that nobody mentions is none of them.
                vec![Term::int(known.iter().position(|each| each == value).map_or(-1, |at| at as i64))]
            }
            (Shape::Tuple(shapes), Value::Tuple(parts)) => each(shapes, parts),
            (Shape::Option(inner), Value::Option(value)) => {
                let inside = value.as_ref().map_or_else(|| inner.defaults(), |value| inner.literal(value));
                [vec![Term::bool(value.is_some())], inside].concat()
            }
            (Shape::Enum(variants), Value::Variant { variant, args }) => {
                let payload = |(index, shapes): (usize, &Vec<Shape>)| match index == *variant {
                    true => each(shapes, args),
                    false => shapes.iter().flat_map(Shape::defaults).collect(),
                };
                let payloads = variants.iter().enumerate().flat_map(payload);
                [Term::int(*variant as i64)].into_iter().chain(payloads).collect()
            }
            (Shape::Seq(inner), Value::Seq(items)) => {
                let rows: Vec<Vec<Term>> = items.iter().map(|item| inner.literal(item)).collect();
                let column = |(index, sort): (usize, Sort)| {
                    let units = rows.iter().map(|row| Term::app("seq.unit", [row[index].clone()])).collect();
                    concat(units, &Sort::Seq(sort.into()))
                };
                inner.sorts().into_iter().enumerate().map(column).collect()
            }
            (Shape::FewSet(values), Value::Set(items)) => {
                values.iter().map(|value| Term::bool(items.contains(value))).collect()
            }
            (Shape::FewMap(keys, inner), Value::Map(pairs)) => {
                let cell = |key: &Value| match pairs.get(key) {
                    Some(value) => [vec![Term::bool(true)], inner.literal(value)].concat(),
                    None => [vec![Term::bool(false)], inner.defaults()].concat(),
                };
                keys.iter().flat_map(cell).collect()
            }
            (Shape::Set(_), Value::Set(items)) => {
                let empty = self.defaults().remove(0);
                let store = |set, item| Term::app("store", [set, scalar(item), Term::bool(true)]);
                vec![items.iter().fold(empty, store)]
            }
            (Shape::Map(_, inner), Value::Map(pairs)) => {
                let mut arrays = self.defaults();
                for (key, value) in pairs.iter() {
                    let values = [vec![Term::bool(true)], inner.literal(value)].concat();
                    for (array, value) in arrays.iter_mut().zip(values) {
                        *array = Term::app("store", [array.clone(), scalar(key), value]);
                    }
                }
                arrays
            }
            (shape, value) => panic!("the types say that {value:?} has the shape {shape:?}"),
        }
    }

    /// The value that the solver's leaves stand for; `None` if it is no value of ours (too large, or without end).
    pub fn decode(&self, model: &Model, ty: &Type, leaves: &[Term]) -> Option<Value> {
        let ty = model.types.strip(ty);
        match (self, ty) {
            (Shape::Leaf(sort), ty) => unscalar(sort, ty, leaves.first()?),
            (Shape::Text(known), _) => known.get(usize::try_from(leaves.first()?.as_int()?).ok()?).cloned(),
            (Shape::Tuple(shapes), Type::Tuple(types)) => {
                decode_parts(model, shapes, &types.iter().collect::<Vec<_>>(), leaves, 0).map(Value::tuple)
            }
            (Shape::Tuple(shapes), Type::Record(id)) => {
                let types: Vec<&Type> = model.types.records[id.0].fields.iter().map(|(_, ty)| ty).collect();
                decode_parts(model, shapes, &types, leaves, 0).map(Value::tuple)
            }
            (Shape::Option(inner), Type::Option(ty)) => match leaves.first()?.as_bool()? {
                true => inner.decode(model, ty, &leaves[1..]).map(Value::some),
                false => Some(Value::none()),
            },
            (Shape::Enum(variants), Type::Enum(id)) => {
                let variant = usize::try_from(leaves.first()?.as_int()?).ok()?;
                let before: usize = variants.get(..variant)?.iter().flatten().map(Shape::count).sum();
                let types: Vec<&Type> = model.types.enums[id.0].variants.get(variant)?.payload.iter().collect();
                let args = decode_parts(model, variants.get(variant)?, &types, leaves, 1 + before)?;
                Some(Value::Variant { variant, args: args.into() })
            }
            (Shape::Seq(inner), Type::Seq(ty)) => {
                let columns = leaves.iter().map(sequence).collect::<Option<Vec<_>>>()?;
                let length = columns.first()?.len();
                let row = |index: usize| -> Option<Vec<Term>> {
                    columns.iter().map(|column| column.get(index).cloned()).collect()
                };
                let items = (0..length).map(|index| inner.decode(model, ty, &row(index)?));
                items.collect::<Option<Vec<_>>>().map(Value::seq)
            }
            (Shape::FewSet(values), _) => {
                let kept = values.iter().zip(leaves).filter(|(_, leaf)| leaf.as_bool() == Some(true));
                Some(Value::set(kept.map(|(value, _)| value.clone())))
            }
            (Shape::FewMap(keys, inner), Type::Map(_, ty)) => {
                let cells = keys.iter().zip(leaves.chunks(1 + inner.count()));
                let present = cells.filter(|(_, cell)| cell[0].as_bool() == Some(true));
                let pairs = present.map(|(key, cell)| Some((key.clone(), inner.decode(model, ty, &cell[1..])?)));
                pairs.collect::<Option<Vec<_>>>().map(Value::map)
            }
            (Shape::Set(sort), Type::Set(ty)) => {
                let (default, stores) = array(leaves.first()?)?;
                if default.as_bool()? {
                    return None;
                }
                let kept = stores.iter().filter(|(_, there)| there.as_bool() == Some(true));
                kept.map(|(key, _)| unscalar(sort, ty, key)).collect::<Option<Vec<_>>>().map(Value::set)
            }
            (Shape::Map(sort, inner), Type::Map(key_type, ty)) => {
                let arrays = leaves.iter().map(array).collect::<Option<Vec<_>>>()?;
                let ((default, stores), values) = arrays.split_first()?;
                if default.as_bool()? {
                    return None;
                }
                let mut pairs = Vec::new();
                for (key, _) in stores.iter().filter(|(_, there)| there.as_bool() == Some(true)) {
                    let row: Vec<Term> = values.iter().map(|(default, stores)| cell(default, stores, key)).collect();
                    pairs.push((unscalar(sort, key_type, key)?, inner.decode(model, ty, &row)?));
                }
                Some(Value::map(pairs))
            }
            _ => None,
        }
    }
}

impl Sort {
    pub(crate) fn array(key: &Sort, value: &Sort) -> Sort {
        Sort::Array(Box::new(key.clone()), Box::new(value.clone()))
    }

    /// A sequence or a string, or something with one in it.
    pub fn has_sequence(&self) -> bool {
        match self {
            Sort::Bool | Sort::Int => false,
            Sort::String | Sort::Seq(_) => true,
            Sort::Array(key, value) => key.has_sequence() || value.has_sequence(),
        }
    }

    fn default(&self) -> Term {
        match self {
            Sort::Bool => Term::bool(false),
            Sort::Int => Term::int(0),
            Sort::String => Term::atom("\"\""),
            Sort::Array(_, value) => Term::list([
                Term::list([Term::atom("as"), Term::atom("const"), Term::atom(self.to_string())]),
                value.default(),
            ]),
            Sort::Seq(_) => Term::list([Term::atom("as"), Term::atom("seq.empty"), Term::atom(self.to_string())]),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::String => f.write_str("String"),
            Sort::Array(key, value) => write!(f, "(Array {key} {value})"),
            Sort::Seq(item) => write!(f, "(Seq {item})"),
        }
    }
}

/// The parts of a concatenation as one sequence.
pub(crate) fn concat(parts: Vec<Term>, sort: &Sort) -> Term {
    match parts.len() {
        0 => sort.default(),
        1 => parts.into_iter().next().unwrap_or_else(|| sort.default()),
        _ => Term::app("seq.++", parts),
    }
}

/// All values of a type with few of them. Domains of a setup do not count: a value may lie outside.
pub(crate) fn few(instance: &Instance, strings: Option<&Arc<[Value]>>, ty: &Type) -> Option<Arc<[Value]>> {
    let types = &instance.model().types;
    let product = |parts: Vec<&Type>| {
        let mut rows = vec![Vec::new()];
        for part in parts {
            let values = few(instance, strings, part)?;
            if rows.len() * values.len() > MOST_KEYS {
                return None;
            }
            rows = rows
                .iter()
                .flat_map(|row: &Vec<Value>| {
                    values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        Some(rows)
    };
    let values: Vec<Value> = match types.strip(ty) {
        Type::Bool => vec![false.into(), true.into()],
        Type::String => strings?.to_vec(),
        Type::Range(id) => {
            let (low, high) = instance.range(*id).ok()?;
            let count = usize::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
            if count > MOST_KEYS {
                return None;
            }
            (low..=high).map(Value::Int).collect()
        }
        Type::Enum(id) => {
            let mut all = Vec::new();
            for (variant, declared) in types.enums[id.0].variants.iter().enumerate() {
                let rows = product(declared.payload.iter().collect())?;
                all.extend(rows.into_iter().map(|args| Value::Variant { variant, args: args.into() }));
            }
            all
        }
        Type::Record(id) => product(types.records[id.0].fields.iter().map(|(_, ty)| ty).collect())?
            .into_iter()
            .map(Value::tuple)
            .collect(),
        Type::Tuple(parts) => product(parts.iter().collect())?.into_iter().map(Value::tuple).collect(),
        Type::Option(inner) => {
            [Value::none()].into_iter().chain(few(instance, strings, inner)?.iter().cloned().map(Value::some)).collect()
        }
        _ => return None,
    };
    (values.len() <= MOST_KEYS).then(|| values.into())
}

fn key_sort(instance: &Instance, strings: Option<&Arc<[Value]>>, ty: &Type) -> Result<Sort, String> {
    match Shape::of(instance, strings, ty)? {
        Shape::Leaf(sort) => Ok(sort),
        _ => Err("its keys or elements are composite, and too many".into()),
    }
}

fn each(shapes: &[Shape], values: &[Value]) -> Vec<Term> {
    shapes.iter().zip(values).flat_map(|(shape, value)| shape.literal(value)).collect()
}

fn scalar(value: &Value) -> Term {
    match value {
        Value::Bool(value) => Term::bool(*value),
        Value::Int(value) => Term::int(*value),
        Value::String(text) => Term::atom(string(text)),
        Value::Object { index, .. } => Term::int(i64::from(*index)),
        other => panic!("the types say that this has no parts: {other:?}"),
    }
}

/// A string as the solver reads it: everything unusual by its number.
fn string(text: &str) -> String {
    let mut shown = String::from('"');
    for each in text.chars() {
        match each {
            '"' => shown += "\"\"",
            '\\' => shown += "\\u{5c}",
            ' '..='~' => shown.push(each),
            other => shown += &format!("\\u{{{:x}}}", u32::from(other)),
        }
    }
    shown + "\""
}

fn unstring(atom: &str) -> Option<String> {
    let inner = atom.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\"");
    let mut text = String::new();
    let mut rest = inner.as_str();
    while let Some(at) = rest.find("\\u{") {
        text += &rest[..at];
        let (number, after) = rest[at + 3..].split_once('}')?;
        text.push(char::from_u32(u32::from_str_radix(number, 16).ok()?)?);
        rest = after;
    }
    Some(text + rest)
}

fn unscalar(sort: &Sort, ty: &Type, term: &Term) -> Option<Value> {
    match (sort, ty) {
        (Sort::Bool, _) => term.as_bool().map(Value::Bool),
        (Sort::Int, Type::Object(object)) => {
            Some(Value::Object { object: *object, index: u32::try_from(term.as_int()?).ok()? })
        }
        (Sort::Int, _) => i64::try_from(term.as_int()?).ok().map(Value::Int),
        (Sort::String, _) => unstring(term.as_atom()?).map(|text| Value::string(&text)),
        _ => None,
    }
}

fn decode_parts(model: &Model, shapes: &[Shape], types: &[&Type], leaves: &[Term], start: usize) -> Option<Vec<Value>> {
    let parts = shapes.iter().zip(types).zip(Shape::ranges(shapes, start));
    parts.map(|((shape, ty), range)| shape.decode(model, ty, leaves.get(range)?)).collect()
}

/// The items of a sequence that the solver wrote.
fn sequence(term: &Term) -> Option<Vec<Term>> {
    match term.call() {
        Some(("seq.unit", [item])) => Some(vec![item.clone()]),
        Some(("seq.++", parts)) => {
            Some(parts.iter().map(sequence).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        Some(("as", [word, _])) if word.as_atom() == Some("seq.empty") => Some(Vec::new()),
        _ => None,
    }
}

type Stores = BTreeMap<Term, Term>;

/// The default of an array that the solver wrote, and what was stored.
fn array(term: &Term) -> Option<(Term, Stores)> {
    let mut stored = Vec::new();
    let mut rest = term;
    while let Some(("store", [inner, key, value])) = rest.call() {
        stored.push((key.clone(), value.clone()));
        rest = inner;
    }
    let [head, default] = rest.items() else { return None };
    if head.call().map(|(word, _)| word) != Some("as") {
        return None;
    }
    Some((default.clone(), stored.into_iter().rev().collect()))
}

fn cell(default: &Term, stores: &Stores, key: &Term) -> Term {
    stores.get(key).unwrap_or(default).clone()
}
