//! How a value becomes one machine word.
//!
//! A kind with few values is *small*: its values are numbered from zero in the order of the language, and the number is
//! the word (a record is a mixed-radix number, a set of few elements a bit mask, a map over few keys a row of bit
//! fields). Other integers are themselves. Everything else is the handle of an interned list of words ([`crate::store`]). In
//! all three cases two values of a kind are equal exactly if their words are.
//!
//! A variable has the kind of its type. A value on its way has the kind of what it is made of, which may be narrower than its
//! type (`1` is one of `1..1`) or wider (`x + 1`); kinds that meet are joined ([`Kinds::join`]), and only a place asks whether
//! the value has a word of its own kind.

use crate::{Store, Unsupported};
use interplay_model::{EnumId, ObjectId, Type};
use interplay_semantics::{Instance, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Words of small kinds stay below this, so that every sum and product of the encoding fits.
const LARGEST: u128 = 1 << 62;

/// How words of a type are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Small {
        card: u64,
        shape: Arc<Small>,
    },
    /// Integers from a lowest to a highest one, as themselves.
    Int(i64, i64),
    Handle(Arc<Handle>),
}

/// What values of a kind look like, however their words are made.
#[derive(Debug, PartialEq)]
pub enum View<'k> {
    Never,
    Bool,
    Number(i64, i64),
    Object(ObjectId),
    Text,
    Tuple(&'k [Kind]),
    Option(&'k Kind),
    Enum(Vec<&'k [Kind]>),
    Seq(&'k Kind),
    Set(&'k Kind),
    Map(&'k Kind, &'k Kind),
}

/// Values that are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Small {
    /// No value at all: the elements of `{}`.
    Never,
    Bool,
    Range {
        low: i64,
    },
    Object(ObjectId),
    /// Strings that the model can ever mention, in their order.
    String(Arc<Vec<Arc<str>>>),
    Tuple(Vec<Kind>),
    Option(Kind),
    /// For each variant the word of its first value, and the kinds of its arguments.
    Enum(Vec<(u64, Vec<Kind>)>),
    /// A bit mask.
    Set(Kind),
    /// For each key a field of `stride` bits: zero if it is absent, otherwise one more than the value.
    Map {
        key: Kind,
        value: Kind,
        stride: u32,
    },
}

/// Values that are interned lists of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handle {
    String,
    Tuple(Vec<Kind>),
    Option(Kind),
    Enum(Vec<Vec<Kind>>),
    Seq(Kind),
    Set(Kind),
    Map(Kind, Kind),
}

/// What the kinds of a model depend on besides its types.
pub struct Kinds<'a> {
    pub instance: &'a Instance,
    /// All strings of the model, if it makes no new ones.
    pub strings: Option<Arc<Vec<Arc<str>>>>,
    /// How many objects of each type a row has room for.
    pub objects: Vec<u64>,
}

impl Kinds<'_> {
    pub fn of(&self, ty: &Type) -> Result<Kind, Unsupported> {
        let types = &self.instance.model().types;
        Ok(match types.strip(ty) {
            Type::Bool => Kind::bool(),
            Type::Int => Kind::INT,
            Type::Range(id) => {
                let (low, high) = self.instance.range(*id).map_err(|error| Unsupported::new(error.message))?;
                Kind::number(low.into(), high.into())
            }
            Type::String => self.text(),
            Type::Object(ObjectId(index)) => small(self.objects[*index], Small::Object(ObjectId(*index))),
            Type::Tuple(parts) => Kind::tuple(self.all(parts.iter())?),
            Type::Record(id) => Kind::tuple(self.all(types.records[id.0].fields.iter().map(|(_, ty)| ty))?),
            Type::Option(inner) => Kind::option(self.of(inner)?),
            Type::Enum(id) => {
                let variants = types.enums[id.0].variants.iter().map(|variant| self.all(variant.payload.iter()));
                Kind::enumeration(variants.collect::<Result<Vec<Vec<Kind>>, Unsupported>>()?)
            }
            Type::Seq(inner) => Kind::seq(self.of(inner)?),
            Type::Set(inner) => Kind::set(self.of(inner)?),
            Type::Map(key, value) => Kind::map(self.of(key)?, self.of(value)?),
            Type::Alias(_) => unreachable!("strip removes names"),
            Type::Unknown => return Err(Unsupported::new("a value of unknown type")),
        })
    }

    fn all<'t>(&self, types: impl Iterator<Item = &'t Type>) -> Result<Vec<Kind>, Unsupported> {
        types.map(|ty| self.of(ty)).collect()
    }

    fn text(&self) -> Kind {
        match &self.strings {
            Some(strings) => small(strings.len() as u64, Small::String(strings.clone())),
            None => handle(Handle::String),
        }
    }

    /// An enum of which only one case is known to occur.
    pub fn variant(&self, id: EnumId, variant: usize, args: Vec<Kind>) -> Kind {
        let declared = &self.instance.model().types.enums[id.0].variants;
        let nothing = |case: usize| vec![Kind::never(); declared[case].payload.len()];
        let cases = (0..declared.len()).map(|case| if case == variant { args.clone() } else { nothing(case) });
        Kind::enumeration(cases.collect())
    }

    /// The narrowest kind of a value that is known.
    pub fn of_value(&self, value: &Value, ty: &Type) -> Result<Kind, Unsupported> {
        let types = &self.instance.model().types;
        let ty = types.strip(ty);
        Ok(match (value, ty) {
            (Value::Bool(_), _) => Kind::bool(),
            (Value::Int(number), _) => Kind::number((*number).into(), (*number).into()),
            (Value::String(_), _) => self.text(),
            (Value::Object { object, .. }, _) => self.of(&Type::Object(*object))?,
            (Value::Tuple(parts), Type::Tuple(types)) => Kind::tuple(
                parts.iter().zip(types).map(|(part, ty)| self.of_value(part, ty)).collect::<Result<_, _>>()?,
            ),
            (Value::Tuple(parts), Type::Record(id)) => {
                let fields = parts.iter().zip(&types.records[id.0].fields);
                Kind::tuple(fields.map(|(part, (_, ty))| self.of_value(part, ty)).collect::<Result<_, _>>()?)
            }
            (Value::Option(None), _) => Kind::option(Kind::never()),
            (Value::Option(Some(inner)), Type::Option(ty)) => Kind::option(self.of_value(inner, ty)?),
            (Value::Variant { variant, args }, Type::Enum(id)) => {
                let payload = args.iter().zip(&types.enums[id.0].variants[*variant].payload);
                let kinds = payload.map(|(arg, ty)| self.of_value(arg, ty)).collect::<Result<_, _>>()?;
                self.variant(*id, *variant, kinds)
            }
            (Value::Seq(items), Type::Seq(ty)) => Kind::seq(self.of_values(items.iter(), ty)?),
            (Value::Set(items), Type::Set(ty)) => Kind::set(self.of_values(items.iter(), ty)?),
            (Value::Map(pairs), Type::Map(key, ty)) => {
                Kind::map(self.of_values(pairs.keys(), key)?, self.of_values(pairs.values(), ty)?)
            }
            (Value::Seq(items), _) if items.is_empty() => Kind::seq(Kind::never()),
            (Value::Set(items), _) if items.is_empty() => Kind::set(Kind::never()),
            (Value::Map(pairs), _) if pairs.is_empty() => Kind::map(Kind::never(), Kind::never()),
            _ => return Err(Unsupported::new("a value of unknown type")),
        })
    }

    pub fn of_values<'v>(&self, values: impl Iterator<Item = &'v Value>, ty: &Type) -> Result<Kind, Unsupported> {
        let mut all = Kind::never();
        for value in values {
            all = all.join(&self.of_value(value, ty)?)?;
        }
        Ok(all)
    }
}

impl Kind {
    /// Any integer.
    pub const INT: Kind = Kind::Int(i64::MIN, i64::MAX);

    pub fn never() -> Kind {
        small(0, Small::Never)
    }

    pub fn bool() -> Kind {
        small(2, Small::Bool)
    }

    /// The integers between two bounds, as far as there are any of 64 bits.
    pub fn number(low: i128, high: i128) -> Kind {
        let card = high - low + 1;
        let bound = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        match (1..LARGEST as i128).contains(&card) && i64::try_from(low).is_ok() {
            true => small(card as u64, Small::Range { low: low as i64 }),
            false => Kind::Int(bound(low), bound(high)),
        }
    }

    pub fn tuple(parts: Vec<Kind>) -> Kind {
        match product(&parts) {
            Some(card) => small(card, Small::Tuple(parts)),
            None => handle(Handle::Tuple(parts)),
        }
    }

    pub fn option(inner: Kind) -> Kind {
        match inner.card().map(|card| u128::from(card) + 1) {
            Some(card) if card < LARGEST => small(card as u64, Small::Option(inner)),
            _ => handle(Handle::Option(inner)),
        }
    }

    pub(crate) fn enumeration(variants: Vec<Vec<Kind>>) -> Kind {
        let mut bases = Vec::new();
        let mut total: u128 = 0;
        for payload in &variants {
            let Some(card) = product(payload) else { return handle(Handle::Enum(variants)) };
            bases.push((total as u64, payload.clone()));
            total += u128::from(card);
            if total >= LARGEST {
                return handle(Handle::Enum(variants));
            }
        }
        small(total as u64, Small::Enum(bases))
    }

    pub fn seq(element: Kind) -> Kind {
        handle(Handle::Seq(element))
    }

    pub fn set(element: Kind) -> Kind {
        match element.card() {
            Some(card) if card <= 61 => small(1 << card, Small::Set(element)),
            _ => handle(Handle::Set(element)),
        }
    }

    pub fn map(key: Kind, value: Kind) -> Kind {
        if let (Some(keys), Some(values)) = (key.card(), value.card()) {
            let stride = bits(values + 1);
            if u128::from(keys) * u128::from(stride) <= 61 {
                return small(1 << (keys * u64::from(stride)), Small::Map { key, value, stride });
            }
        }
        handle(Handle::Map(key, value))
    }

    /// The same values as interned lists: what the runtime works on.
    pub fn opened(&self) -> Kind {
        match self.view() {
            View::Set(element) => handle(Handle::Set(element.clone())),
            View::Map(key, value) => handle(Handle::Map(key.clone(), value.clone())),
            View::Text => handle(Handle::String),
            _ => self.clone(),
        }
    }
}

fn small(card: u64, shape: Small) -> Kind {
    Kind::Small { card, shape: Arc::new(shape) }
}

fn handle(shape: Handle) -> Kind {
    Kind::Handle(Arc::new(shape))
}

/// How many bits hold the numbers below `card`.
pub(crate) fn bits(card: u64) -> u32 {
    if card <= 1 { 0 } else { 64 - (card - 1).leading_zeros() }
}

fn product(parts: &[Kind]) -> Option<u64> {
    let mut total: u128 = 1;
    for part in parts {
        total = total.checked_mul(u128::from(part.card()?)).filter(|total| *total < LARGEST)?;
    }
    Some(total as u64)
}

impl Kind {
    /// How many words there are, if the kind is small.
    pub fn card(&self) -> Option<u64> {
        match self {
            Kind::Small { card, .. } => Some(*card),
            _ => None,
        }
    }

    pub fn small(&self) -> Option<&Small> {
        match self {
            Kind::Small { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The word of a value; `None` if a small kind has no room for it.
    pub fn encode(&self, value: &Value, store: &Store) -> Option<u64> {
        match self {
            Kind::Int(low, high) => match value {
                Value::Int(value) => (low <= value && value <= high).then_some(*value as u64),
                _ => None,
            },
            Kind::Small { card, shape } => shape.encode(value, store).filter(|word| word < card),
            Kind::Handle(shape) => shape.encode(value, store),
        }
    }

    pub fn decode(&self, word: u64, store: &Store) -> Value {
        match self {
            Kind::Int(..) => Value::Int(word as i64),
            Kind::Small { shape, .. } => shape.decode(word, store),
            Kind::Handle(shape) => shape.decode(word, store),
        }
    }

    /// The order of the language on two words.
    pub fn compare(&self, left: u64, right: u64, store: &Store) -> std::cmp::Ordering {
        match self {
            Kind::Int(..) => (left as i64).cmp(&(right as i64)),
            Kind::Small { shape, .. } if shape.in_order() => left.cmp(&right),
            _ => self.decode(left, store).cmp(&self.decode(right, store)),
        }
    }

    /// Whether every value of this kind has a word of the other.
    pub fn within(&self, other: &Kind) -> bool {
        let all = |left: &[Kind], right: &[Kind]| {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.within(b))
        };
        match (self.view(), other.view()) {
            _ if self.card() == Some(0) => true,
            (View::Number(low, high), View::Number(lowest, highest)) => low > high || lowest <= low && high <= highest,
            (View::Tuple(left), View::Tuple(right)) => all(left, right),
            (View::Option(left), View::Option(right))
            | (View::Seq(left), View::Seq(right))
            | (View::Set(left), View::Set(right)) => left.within(right),
            (View::Map(key, value), View::Map(keys, values)) => key.within(keys) && value.within(values),
            (View::Enum(left), View::Enum(right)) => {
                // A case that cannot occur is within anything.
                let case = |(left, right): (&&[Kind], &&[Kind])| {
                    left.iter().any(|kind| kind.card() == Some(0)) || all(left, right)
                };
                left.len() == right.len() && left.iter().zip(&right).all(case)
            }
            (left, right) => left == right,
        }
    }

    /// A kind with a word for every value of both.
    pub fn join(&self, other: &Kind) -> Result<Kind, Unsupported> {
        if self.within(other) {
            return Ok(other.clone());
        }
        if other.within(self) {
            return Ok(self.clone());
        }
        let all = |left: &[Kind], right: &[Kind]| left.iter().zip(right).map(|(a, b)| a.join(b)).collect();
        Ok(match (self.view(), other.view()) {
            (View::Number(low, high), View::Number(lowest, highest)) => {
                Kind::number(low.min(lowest).into(), high.max(highest).into())
            }
            (View::Tuple(left), View::Tuple(right)) => Kind::tuple(all(left, right)?),
            (View::Option(left), View::Option(right)) => Kind::option(left.join(right)?),
            (View::Seq(left), View::Seq(right)) => Kind::seq(left.join(right)?),
            (View::Set(left), View::Set(right)) => Kind::set(left.join(right)?),
            (View::Map(key, value), View::Map(keys, values)) => Kind::map(key.join(keys)?, value.join(values)?),
            (View::Enum(left), View::Enum(right)) => {
                let cases = left.iter().zip(&right).map(|(left, right)| all(left, right));
                Kind::enumeration(cases.collect::<Result<_, _>>()?)
            }
            _ => return Err(Unsupported::new("values of different types at one place")),
        })
    }

    pub fn view(&self) -> View<'_> {
        match self {
            Kind::Int(low, high) => View::Number(*low, *high),
            Kind::Small { card, shape } => match &**shape {
                Small::Never => View::Never,
                Small::Bool => View::Bool,
                Small::Range { low } => View::Number(*low, (i128::from(*low) + i128::from(*card) - 1) as i64),
                Small::Object(id) => View::Object(*id),
                Small::String(_) => View::Text,
                Small::Tuple(parts) => View::Tuple(parts),
                Small::Option(inner) => View::Option(inner),
                Small::Enum(variants) => View::Enum(variants.iter().map(|(_, payload)| &payload[..]).collect()),
                Small::Set(element) => View::Set(element),
                Small::Map { key, value, .. } => View::Map(key, value),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::String => View::Text,
                Handle::Tuple(parts) => View::Tuple(parts),
                Handle::Option(inner) => View::Option(inner),
                Handle::Enum(variants) => View::Enum(variants.iter().map(|payload| &payload[..]).collect()),
                Handle::Seq(element) => View::Seq(element),
                Handle::Set(element) => View::Set(element),
                Handle::Map(key, value) => View::Map(key, value),
            },
        }
    }

    /// Whether the words of this kind are in the order of the values.
    pub fn in_order(&self) -> bool {
        match self {
            Kind::Int(..) => true,
            Kind::Small { shape, .. } => shape.in_order(),
            Kind::Handle(_) => false,
        }
    }
}

impl Small {
    fn in_order(&self) -> bool {
        match self {
            Small::Never | Small::Bool | Small::Range { .. } | Small::Object(_) | Small::String(_) => true,
            Small::Tuple(parts) => parts.iter().all(Kind::in_order),
            Small::Option(inner) => inner.in_order(),
            Small::Enum(variants) => variants.iter().flat_map(|(_, payload)| payload).all(Kind::in_order),
            Small::Set(_) | Small::Map { .. } => false,
        }
    }

    fn encode(&self, value: &Value, store: &Store) -> Option<u64> {
        Some(match (self, value) {
            (Small::Bool, Value::Bool(value)) => u64::from(*value),
            (Small::Range { low }, Value::Int(value)) => u64::try_from(i128::from(*value) - i128::from(*low)).ok()?,
            (Small::Object(_), Value::Object { index, .. }) => u64::from(*index),
            (Small::String(table), Value::String(text)) => table.binary_search(text).ok()? as u64,
            (Small::Tuple(kinds), Value::Tuple(parts)) => mixed(kinds, parts, store)?,
            (Small::Option(_), Value::Option(None)) => 0,
            (Small::Option(kind), Value::Option(Some(inner))) => 1 + kind.encode(inner, store)?,
            (Small::Enum(variants), Value::Variant { variant, args }) => {
                let (base, kinds) = variants.get(*variant)?;
                base + mixed(kinds, args, store)?
            }
            (Small::Set(kind), Value::Set(elements)) => {
                elements.iter().try_fold(0, |mask, element| Some(mask | 1 << kind.encode(element, store)?))?
            }
            (Small::Map { key, value: kind, stride }, Value::Map(entries)) => {
                entries.iter().try_fold(0, |fields, (at, value)| {
                    let field = 1 + kind.encode(value, store)?;
                    Some(fields | field << (key.encode(at, store)? as u32 * stride))
                })?
            }
            _ => return None,
        })
    }

    fn decode(&self, word: u64, store: &Store) -> Value {
        match self {
            Small::Never => unreachable!("there is no such value"),
            Small::Bool => Value::Bool(word != 0),
            Small::Range { low } => Value::Int(low.wrapping_add(word as i64)),
            Small::Object(object) => Value::Object { object: *object, index: word as u32 },
            Small::String(table) => Value::String(table[word as usize].clone()),
            Small::Tuple(kinds) => Value::Tuple(unmixed(kinds, word, store).into()),
            Small::Option(kind) => Value::Option((word > 0).then(|| kind.decode(word - 1, store).into())),
            Small::Enum(variants) => {
                let variant = variants.iter().rposition(|(base, _)| *base <= word).unwrap_or(0);
                let (base, kinds) = &variants[variant];
                Value::Variant { variant, args: unmixed(kinds, word - base, store).into() }
            }
            Small::Set(kind) => Value::Set(Arc::new(
                (0..64).filter(|bit| word >> bit & 1 == 1).map(|bit| kind.decode(bit, store)).collect(),
            )),
            Small::Map { key, value, stride } => {
                let entry = |at: u64| {
                    let field = word >> (at as u32 * stride) & ((1 << stride) - 1);
                    (field > 0).then(|| (key.decode(at, store), value.decode(field - 1, store)))
                };
                let keys = key.card().unwrap_or(0);
                Value::Map(Arc::new((0..keys).filter_map(entry).collect::<BTreeMap<_, _>>()))
            }
        }
    }
}

fn mixed(kinds: &[Kind], parts: &[Value], store: &Store) -> Option<u64> {
    kinds.iter().zip(parts).try_fold(0, |word, (kind, part)| Some(word * kind.card()? + kind.encode(part, store)?))
}

fn unmixed(kinds: &[Kind], mut word: u64, store: &Store) -> Vec<Value> {
    let mut parts = Vec::new();
    for kind in kinds.iter().rev() {
        let card = kind.card().unwrap_or(1);
        parts.push(kind.decode(word % card, store));
        word /= card;
    }
    parts.reverse();
    parts
}

impl Handle {
    fn encode(&self, value: &Value, store: &Store) -> Option<u64> {
        let words: Vec<u64> = match (self, value) {
            (Handle::String, Value::String(text)) => return Some(store.intern_text(text)),
            (Handle::Tuple(kinds), Value::Tuple(parts)) => encode_all(kinds, parts, store)?,
            (Handle::Option(_), Value::Option(None)) => vec![0],
            (Handle::Option(kind), Value::Option(Some(inner))) => vec![1, kind.encode(inner, store)?],
            (Handle::Enum(variants), Value::Variant { variant, args }) => {
                let rest = encode_all(variants.get(*variant)?, args, store)?;
                std::iter::once(*variant as u64).chain(rest).collect()
            }
            (Handle::Seq(kind), Value::Seq(parts)) => {
                parts.iter().map(|part| kind.encode(part, store)).collect::<Option<_>>()?
            }
            (Handle::Set(kind), Value::Set(parts)) => {
                parts.iter().map(|part| kind.encode(part, store)).collect::<Option<_>>()?
            }
            (Handle::Map(key, kind), Value::Map(entries)) => {
                let mut words = Vec::new();
                for (at, value) in entries.iter() {
                    words.extend([key.encode(at, store)?, kind.encode(value, store)?]);
                }
                words
            }
            _ => return None,
        };
        Some(store.intern(&words))
    }

    fn decode(&self, word: u64, store: &Store) -> Value {
        let words = store.words(word);
        match self {
            Handle::String => Value::String(store.text(word).into()),
            Handle::Tuple(kinds) => Value::Tuple(decode_all(kinds, words, store).into()),
            Handle::Option(kind) => Value::Option((words[0] == 1).then(|| kind.decode(words[1], store).into())),
            Handle::Enum(variants) => {
                let variant = words[0] as usize;
                Value::Variant { variant, args: decode_all(&variants[variant], &words[1..], store).into() }
            }
            Handle::Seq(kind) => {
                Value::Seq(words.iter().map(|word| kind.decode(*word, store)).collect::<Vec<_>>().into())
            }
            Handle::Set(kind) => Value::Set(Arc::new(words.iter().map(|word| kind.decode(*word, store)).collect())),
            Handle::Map(key, kind) => {
                let entries =
                    words.chunks_exact(2).map(|pair| (key.decode(pair[0], store), kind.decode(pair[1], store)));
                Value::Map(Arc::new(entries.collect()))
            }
        }
    }
}

fn encode_all(kinds: &[Kind], parts: &[Value], store: &Store) -> Option<Vec<u64>> {
    kinds.iter().zip(parts).map(|(kind, part)| kind.encode(part, store)).collect()
}

fn decode_all(kinds: &[Kind], words: &[u64], store: &Store) -> Vec<Value> {
    kinds.iter().zip(words).map(|(kind, word)| kind.decode(*word, store)).collect()
}
