//! Types: which there are, which fit, and new ones by chance.
//!
//! A range fits wherever an `Int` is wanted. The other way round too, because the language checks ranges only when it
//! writes; but people rarely rely on that, so most specifications do it only in what they write to a place. Every range
//! contains 1 and 2, so these two literals may stand anywhere; a literal outside the range of its place would be an error
//! of the text, not of the model.

use crate::Generator;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Bool,
    Int,
    Range(i64, i64),
    /// A range whose upper bound is a constant.
    Bounded(i64, String),
    String,
    Alias(usize),
    Enum(usize),
    Record(usize),
    Object(usize),
    Tuple(Vec<Type>),
    Option(Box<Type>),
    Seq(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
}

/// The declared types, in the order of their declaration.
#[derive(Default)]
pub(crate) struct Types {
    pub(crate) aliases: Vec<(String, Type)>,
    pub(crate) enums: Vec<(String, Vec<(String, Vec<Type>)>)>,
    pub(crate) records: Vec<(String, Vec<(String, Type)>)>,
    pub(crate) objects: Vec<String>,
    /// Any integer stands for one of a range, not only where it is written.
    pub(crate) mixing: bool,
    /// Names of types without end, to which every setup gives a few values.
    pub(crate) open: Vec<usize>,
}

pub(crate) fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Range(..) | Type::Bounded(..))
}

impl Types {
    pub(crate) fn show(&self, ty: &Type) -> String {
        let list = |types: &[Type]| types.iter().map(|ty| self.show(ty)).collect::<Vec<_>>().join(", ");
        match ty {
            Type::Bool => "Bool".into(),
            Type::Int => "Int".into(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Bounded(low, name) => format!("{low}..{name}"),
            Type::String => "String".into(),
            Type::Alias(id) => self.aliases[*id].0.clone(),
            Type::Enum(id) => self.enums[*id].0.clone(),
            Type::Record(id) => self.records[*id].0.clone(),
            Type::Object(id) => self.objects[*id].clone(),
            Type::Tuple(parts) => format!("({})", list(parts)),
            Type::Option(inner) => format!("Option<{}>", self.show(inner)),
            Type::Seq(inner) => format!("Seq<{}>", self.show(inner)),
            Type::Set(inner) => format!("Set<{}>", self.show(inner)),
            Type::Map(key, value) => format!("Map<{}, {}>", self.show(key), self.show(value)),
        }
    }

    /// Whether something of one type can stand where the other is wanted.
    pub(crate) fn fit(&self, known: &Type, wanted: &Type) -> bool {
        match (self.strip(known), self.strip(wanted)) {
            (known, Type::Int) if is_integer(known) => true,
            (known, wanted) if is_integer(known) && is_integer(wanted) => self.mixing || known == wanted,
            (Type::Tuple(known), Type::Tuple(wanted)) => {
                known.len() == wanted.len() && known.iter().zip(wanted).all(|(known, wanted)| self.fit(known, wanted))
            }
            (Type::Option(known), Type::Option(wanted))
            | (Type::Seq(known), Type::Seq(wanted))
            | (Type::Set(known), Type::Set(wanted)) => self.fit(known, wanted),
            (Type::Map(key, value), Type::Map(other_key, other_value)) => {
                self.fit(key, other_key) && self.fit(value, other_value)
            }
            (known, wanted) => known == wanted,
        }
    }

    /// The type itself, with names for it removed at the top.
    pub(crate) fn strip<'a>(&'a self, mut ty: &'a Type) -> &'a Type {
        while let Type::Alias(id) = ty {
            ty = &self.aliases[*id].1;
        }
        ty
    }

    /// Fields of records and parts of tuples, with what is written after the dot.
    pub(crate) fn fields(&self, ty: &Type) -> Vec<(String, Type)> {
        match self.strip(ty) {
            Type::Record(id) => self.records[*id].1.clone(),
            Type::Tuple(parts) => {
                parts.iter().enumerate().map(|(index, part)| (index.to_string(), part.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// How many values there are, if they are few; objects are counted as two.
    pub(crate) fn count(&self, ty: &Type) -> Option<u64> {
        let product = |types: &[Type]| {
            types.iter().try_fold(1u64, |total, ty| total.checked_mul(self.count(ty)?).filter(|total| *total < 1000))
        };
        if matches!(ty, Type::Alias(id) if self.open.contains(id)) {
            return Some(2);
        }
        match self.strip(ty) {
            Type::Bool => Some(2),
            Type::Range(low, high) => Some((high - low + 1) as u64),
            // Some setup may set the constant to anything up to this.
            Type::Bounded(low, _) => Some((7 - low) as u64),
            Type::Object(_) => Some(2),
            Type::Enum(id) => {
                self.enums[*id].1.iter().try_fold(0, |total, (_, payload)| Some(total + product(payload)?))
            }
            Type::Record(id) => {
                let fields: Vec<Type> = self.records[*id].1.iter().map(|(_, ty)| ty.clone()).collect();
                product(&fields)
            }
            Type::Tuple(parts) => product(parts),
            Type::Option(inner) => Some(self.count(inner)? + 1),
            Type::Set(inner) => self.count(inner).filter(|count| *count < 7).map(|count| 1 << count),
            Type::Alias(_) | Type::Int | Type::String | Type::Seq(_) | Type::Map(..) => None,
        }
    }

    /// Whether it is made of objects, which have no order.
    pub(crate) fn has_objects(&self, ty: &Type) -> bool {
        match self.strip(ty) {
            Type::Object(_) => true,
            Type::Tuple(parts) => parts.iter().any(|part| self.has_objects(part)),
            Type::Record(id) => self.records[*id].1.iter().any(|(_, ty)| self.has_objects(ty)),
            Type::Enum(id) => {
                self.enums[*id].1.iter().any(|(_, payload)| payload.iter().any(|ty| self.has_objects(ty)))
            }
            Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => self.has_objects(inner),
            Type::Map(key, value) => self.has_objects(key) || self.has_objects(value),
            _ => false,
        }
    }

    /// Whether a value can be written down: every value of an object type is made during a run.
    pub(crate) fn has_literal(&self, ty: &Type) -> bool {
        match self.strip(ty) {
            Type::Object(_) => false,
            Type::Tuple(parts) => parts.iter().all(|part| self.has_literal(part)),
            Type::Record(id) => self.records[*id].1.iter().all(|(_, ty)| self.has_literal(ty)),
            Type::Enum(id) => {
                self.enums[*id].1.iter().any(|(_, payload)| payload.iter().all(|ty| self.has_literal(ty)))
            }
            _ => true,
        }
    }
}

impl Generator {
    /// Declares some types of each kind and writes their declarations.
    pub(crate) fn declare_types(&mut self) {
        let count = |generator: &mut Generator| generator.dice.below(generator.size as usize / 3 + 2);
        for _ in 0..count(self) {
            let ty = if self.dice.percent(60) { self.range() } else { self.simple_type() };
            let name = self.fresh("T");
            self.line(format!("type {name} = {}", self.types.show(&ty)));
            self.types.aliases.push((name, ty));
        }
        if self.dice.percent(15) {
            let name = self.fresh("Thing");
            self.line(format!("object {name}"));
            self.types.objects.push(name);
        }
        for _ in 0..count(self) {
            self.declare_enum();
        }
        for _ in 0..count(self) {
            self.declare_record();
        }
    }

    pub(crate) fn declare_enum(&mut self) {
        let name = self.fresh("E");
        let mut variants = Vec::new();
        for _ in 0..2 + self.dice.below(3) {
            let payload = if !self.is_plain() && self.dice.percent(30) { 1 + self.dice.below(2) } else { 0 };
            let payload = (0..payload).map(|_| self.some_type(0)).collect();
            variants.push((self.fresh("e"), payload));
        }
        let show = |(name, payload): &(String, Vec<Type>)| match &payload[..] {
            [] => name.clone(),
            types => format!("{name}({})", types.iter().map(|ty| self.types.show(ty)).collect::<Vec<_>>().join(", ")),
        };
        let shown = variants.iter().map(show).collect::<Vec<_>>().join(", ");
        self.line(format!("enum {name} {{ {shown} }}"));
        self.types.enums.push((name, variants));
    }

    pub(crate) fn declare_record(&mut self) {
        let name = self.fresh("R");
        let fields: Vec<(String, Type)> =
            (0..1 + self.dice.below(3)).map(|_| (self.fresh("f"), self.some_type(1))).collect();
        let shown: Vec<String> = fields.iter().map(|(field, ty)| format!("{field}: {}", self.types.show(ty))).collect();
        self.line(format!("record {name} {{ {} }}", shown.join(", ")));
        self.types.records.push((name, fields));
    }

    /// Any type, nested this deep at most.
    pub(crate) fn some_type(&mut self, depth: u32) -> Type {
        if depth == 0 || self.dice.percent(45) || self.is_plain() {
            return self.simple_type();
        }
        let inner = Box::new(self.some_type(depth - 1));
        match self.dice.below(6) {
            0 => Type::Tuple(vec![*inner, self.some_type(depth - 1)]),
            1 => Type::Option(inner),
            2 => Type::Seq(inner),
            3 => Type::Set(inner),
            _ => Type::Map(Box::new(self.simple_type()), inner),
        }
    }

    /// A type that is not built of others on the spot.
    pub(crate) fn simple_type(&mut self) -> Type {
        let declared = [
            (0..self.types.aliases.len()).map(Type::Alias).collect::<Vec<_>>(),
            (0..self.types.enums.len()).map(Type::Enum).collect(),
            (0..self.types.records.len()).map(Type::Record).collect(),
            (0..self.types.objects.len()).map(Type::Object).collect(),
        ]
        .concat();
        if let (true, Some(ty)) = (self.dice.percent(45), self.dice.any(&declared)) {
            return ty.clone();
        }
        if self.whole.is_some() {
            return self.small_type();
        }
        match self.dice.below(12) {
            0..3 => Type::Bool,
            3..6 => Type::Int,
            6 => Type::String,
            _ => self.range(),
        }
    }

    pub(crate) fn range(&mut self) -> Type {
        if self.whole.is_some() {
            let bounds = self.bounds.clone();
            return match self.dice.any(&bounds) {
                Some(bound) if self.dice.percent(40) => Type::Bounded(self.dice.between(0, 1), bound.clone()),
                _ => Type::Range(self.dice.between(0, 1), self.dice.between(2, 3)),
            };
        }
        let low = self.dice.between(-2, 1);
        let bounds: Vec<String> = self.bounds.clone();
        match self.dice.any(&bounds) {
            Some(bound) if self.dice.percent(25) => Type::Bounded(low, bound.clone()),
            _ if self.dice.percent(3) => Type::Range(low, 100),
            _ => Type::Range(low, self.dice.between(2, 5)),
        }
    }

    /// A type with at most this many values.
    pub(crate) fn finite_type(&mut self, most: u64) -> Type {
        for _ in 0..6 {
            let ty = self.some_type(1);
            if self.types.count(&ty).is_some_and(|count| count <= most) {
                return ty;
            }
        }
        Type::Bool
    }
}
