//! How a value becomes one machine word.
//!
//! A type with few values is *small*: its values are numbered from zero in the order of the language, and the number is
//! the word (a record is a mixed-radix number, a set of few elements a bit mask, a map over few keys a row of bit
//! fields). An `Int` is itself. Everything else is the handle of an interned list of words ([`crate::store`]). In all three
//! cases two values of a type are equal exactly if their words are.

use crate::{Store, Unsupported};
use interplay_model::{ObjectId, Type};
use interplay_semantics::{Instance, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Words of small kinds stay below this, so that every sum and product of the encoding fits.
const LARGEST: u128 = 1 << 62;

/// How words of a type are made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Small { card: u64, shape: Arc<Small> },
    Int,
    Handle(Arc<Handle>),
}

/// Values that are numbered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Small {
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Handle {
    String,
    Tuple(Vec<Kind>),
    Option(Kind),
    Enum(Vec<Vec<Kind>>),
    Seq(Kind),
    Set(Kind),
    Map(Kind, Kind),
}

/// What the kinds of a model depend on besides its types.
pub(crate) struct Kinds<'a> {
    pub(crate) instance: &'a Instance,
    /// All strings of the model, if it makes no new ones.
    pub(crate) strings: Option<Arc<Vec<Arc<str>>>>,
    /// How many objects of each type a row has room for.
    pub(crate) objects: Vec<u64>,
}

impl Kinds<'_> {
    pub(crate) fn of(&self, ty: &Type) -> Result<Kind, Unsupported> {
        let types = &self.instance.model().types;
        Ok(match types.strip(ty) {
            Type::Bool => small(2, Small::Bool),
            Type::Int => Kind::Int,
            Type::Range(id) => {
                let (low, high) = self.instance.range(*id).map_err(|error| Unsupported::new(error.message))?;
                let card = i128::from(high) - i128::from(low) + 1;
                if (1..LARGEST as i128).contains(&card) { small(card as u64, Small::Range { low }) } else { Kind::Int }
            }
            Type::String => match &self.strings {
                Some(strings) => small(strings.len().max(1) as u64, Small::String(strings.clone())),
                None => handle(Handle::String),
            },
            Type::Object(ObjectId(index)) => small(self.objects[*index], Small::Object(ObjectId(*index))),
            Type::Tuple(parts) => self.tuple(parts.iter())?,
            Type::Record(id) => self.tuple(types.records[id.0].fields.iter().map(|(_, ty)| ty))?,
            Type::Option(inner) => self.option(self.of(inner)?),
            Type::Enum(id) => {
                let variants = types.enums[id.0]
                    .variants
                    .iter()
                    .map(|variant| variant.payload.iter().map(|ty| self.of(ty)).collect());
                self.enumeration(variants.collect::<Result<Vec<Vec<Kind>>, Unsupported>>()?)
            }
            Type::Seq(inner) => handle(Handle::Seq(self.of(inner)?)),
            Type::Set(inner) => set_of(self.of(inner)?),
            Type::Map(key, value) => map_of(self.of(key)?, self.of(value)?),
            Type::Alias(_) => unreachable!("strip removes names"),
            Type::Unknown => return Err(Unsupported::new("a value whose type is open")),
        })
    }

    fn tuple<'t>(&self, parts: impl Iterator<Item = &'t Type>) -> Result<Kind, Unsupported> {
        let parts: Vec<Kind> = parts.map(|part| self.of(part)).collect::<Result<_, _>>()?;
        Ok(match product(&parts) {
            Some(card) => small(card, Small::Tuple(parts)),
            None => handle(Handle::Tuple(parts)),
        })
    }

    fn option(&self, inner: Kind) -> Kind {
        match inner.card().map(|card| u128::from(card) + 1) {
            Some(card) if card < LARGEST => small(card as u64, Small::Option(inner)),
            _ => handle(Handle::Option(inner)),
        }
    }

    fn enumeration(&self, variants: Vec<Vec<Kind>>) -> Kind {
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
}

fn small(card: u64, shape: Small) -> Kind {
    Kind::Small { card, shape: Arc::new(shape) }
}

fn handle(shape: Handle) -> Kind {
    Kind::Handle(Arc::new(shape))
}

fn set_of(element: Kind) -> Kind {
    match element.card() {
        Some(card) if card <= 61 => small(1 << card, Small::Set(element)),
        _ => handle(Handle::Set(element)),
    }
}

fn map_of(key: Kind, value: Kind) -> Kind {
    if let (Some(keys), Some(values)) = (key.card(), value.card()) {
        let stride = bits(values + 1);
        if u128::from(keys) * u128::from(stride) <= 61 {
            return small(1 << (keys * u64::from(stride)), Small::Map { key, value, stride });
        }
    }
    handle(Handle::Map(key, value))
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
    pub(crate) fn card(&self) -> Option<u64> {
        match self {
            Kind::Small { card, .. } => Some(*card),
            _ => None,
        }
    }

    pub(crate) fn small(&self) -> Option<&Small> {
        match self {
            Kind::Small { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The word of a value; `None` if a small kind has no room for it.
    pub(crate) fn encode(&self, value: &Value, store: &Store) -> Option<u64> {
        match self {
            Kind::Int => match value {
                Value::Int(value) => Some(*value as u64),
                _ => None,
            },
            Kind::Small { card, shape } => shape.encode(value, store).filter(|word| word < card),
            Kind::Handle(shape) => shape.encode(value, store),
        }
    }

    pub(crate) fn decode(&self, word: u64, store: &Store) -> Value {
        match self {
            Kind::Int => Value::Int(word as i64),
            Kind::Small { shape, .. } => shape.decode(word, store),
            Kind::Handle(shape) => shape.decode(word, store),
        }
    }

    /// The order of the language on two words.
    pub(crate) fn compare(&self, left: u64, right: u64, store: &Store) -> std::cmp::Ordering {
        match self {
            Kind::Int => (left as i64).cmp(&(right as i64)),
            Kind::Small { shape, .. } if shape.in_order() => left.cmp(&right),
            _ => self.decode(left, store).cmp(&self.decode(right, store)),
        }
    }

    /// Whether every value of this kind has a word of the other.
    pub(crate) fn within(&self, other: &Kind) -> bool {
        let bounds = |kind: &Kind| match kind {
            Kind::Int => Some((i128::from(i64::MIN), i128::from(i64::MAX))),
            Kind::Small { card, shape } => match **shape {
                Small::Range { low } => Some((i128::from(low), i128::from(low) + i128::from(*card) - 1)),
                _ => None,
            },
            Kind::Handle(_) => None,
        };
        if let (Some(inner), Some(outer)) = (bounds(self), bounds(other)) {
            return outer.0 <= inner.0 && inner.1 <= outer.1;
        }
        let all = |left: &[Kind], right: &[Kind]| {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.within(b))
        };
        self == other
            || match (self.parts(), other.parts()) {
                (Some((a, left)), Some((b, right))) => a == b && all(&left, &right),
                _ => false,
            }
    }

    /// What a structured value is made of, however its words are made.
    fn parts(&self) -> Option<(&'static str, Vec<Kind>)> {
        match self {
            Kind::Int => None,
            Kind::Small { shape, .. } => match &**shape {
                Small::Tuple(parts) => Some(("tuple", parts.clone())),
                Small::Option(inner) => Some(("option", vec![inner.clone()])),
                Small::Set(element) => Some(("set", vec![element.clone()])),
                Small::Map { key, value, .. } => Some(("map", vec![key.clone(), value.clone()])),
                _ => None,
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Tuple(parts) => Some(("tuple", parts.clone())),
                Handle::Option(inner) => Some(("option", vec![inner.clone()])),
                Handle::Seq(element) => Some(("seq", vec![element.clone()])),
                Handle::Set(element) => Some(("set", vec![element.clone()])),
                Handle::Map(key, value) => Some(("map", vec![key.clone(), value.clone()])),
                _ => None,
            },
        }
    }

    /// Whether the words of this kind are in the order of the values.
    pub(crate) fn in_order(&self) -> bool {
        match self {
            Kind::Int => true,
            Kind::Small { shape, .. } => shape.in_order(),
            Kind::Handle(_) => false,
        }
    }
}

impl Small {
    fn in_order(&self) -> bool {
        match self {
            Small::Bool | Small::Range { .. } | Small::Object(_) | Small::String(_) => true,
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
