//! What a parameter of an input may be given, as a description instead of a list: whoever draws values needs no time for those that
//! it does not draw. [`Instance::given_extent`] and [`Instance::given_values`] say the same, by the same domains of the setup.

use crate::domain::Wanted;
use crate::setup::Asked;
use crate::{Instance, Result, State, Value};
use interplay_model::{ActionId, BinaryOperator, Domain, ExprKind, Type};

/// All values of a type under the domains of a setup.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Exactly these, in this order.
    Listed(Vec<Value>),
    /// Integers from the first to the last.
    Between(i64, i64),
    /// Any text.
    Text,
    /// One of several cases, each with the extents of its values.
    Cases(Vec<Vec<Extent>>),
    /// A tuple or a record.
    Parts(Vec<Extent>),
    /// Or none.
    Option(Box<Extent>),
    /// Of any length.
    Seq(Box<Extent>),
    /// Any subset.
    Set(Box<Extent>),
    /// Keys and values.
    Map(Box<Extent>, Box<Extent>),
}

impl Instance {
    /// What a parameter of an input may be given in this state.
    pub fn given_extent(&self, action: ActionId, index: usize, state: &State) -> Result<Extent> {
        let param = &self.model().actions[action.0].params[index];
        self.extent(&param.ty, state, self.asked_for(action, index))
    }

    fn extent(&self, ty: &Type, state: &State, asked: Asked) -> Result<Extent> {
        if let Some(domain) = self.declared_domain(ty, asked) {
            if let Some((low, high)) = self.ends(domain, ty, state)? {
                return Ok(Extent::Between(low, high));
            }
            let wanted = Wanted { ty, asked, name: "domain", span: domain.span };
            return Ok(Extent::Listed(self.domain(&wanted, state)?));
        }
        let inside = |ty: &Type| self.extent(ty, state, asked.inside());
        let all = |types: &mut dyn Iterator<Item = &Type>| types.map(inside).collect::<Result<Vec<Extent>>>();
        let types = &self.model().types;
        Ok(match ty {
            Type::Bool => Extent::Listed(vec![false.into(), true.into()]),
            Type::Int | Type::Unknown => Extent::Between(i64::MIN, i64::MAX),
            Type::String => Extent::Text,
            Type::Alias(id) => inside(&types.aliases[id.0].ty)?,
            Type::Range(id) => {
                let (low, high) = self.range(*id)?;
                Extent::Between(low, high)
            }
            Type::Object(id) => Extent::Listed(state.all(*id).collect()),
            Type::Enum(id) => {
                let cases = types.enums[id.0].variants.iter().map(|case| all(&mut case.payload.iter()));
                Extent::Cases(cases.collect::<Result<_>>()?)
            }
            Type::Record(id) => Extent::Parts(all(&mut types.records[id.0].fields.iter().map(|(_, ty)| ty))?),
            Type::Tuple(parts) => Extent::Parts(all(&mut parts.iter())?),
            Type::Option(inner) => Extent::Option(inside(inner)?.into()),
            Type::Seq(inner) => Extent::Seq(inside(inner)?.into()),
            Type::Set(inner) => Extent::Set(inside(inner)?.into()),
            Type::Map(key, value) => Extent::Map(inside(key)?.into(), inside(value)?.into()),
        })
    }

    /// A domain that is written as a range needs no list: its ends, if both lie in the type.
    pub(crate) fn ends(&self, domain: &Domain, ty: &Type, state: &State) -> Result<Option<(i64, i64)>> {
        let ExprKind::Binary { operator: BinaryOperator::Range, left, right } = &domain.values.expr.kind else {
            return Ok(None);
        };
        let end = |side| Ok(self.evaluate_with(side, &domain.values.locals, &[], state, None)?.as_int());
        let (low, high) = (end(left)?, end(right)?);
        let (least, most) = self.type_bounds(ty);
        Ok((low <= high && least <= low.into() && i128::from(high) <= most).then_some((low, high)))
    }
}

impl Extent {
    /// How many values there are, as far as that matters: very many is the largest number.
    pub fn count(&self) -> u64 {
        let product = |parts: &[Extent]| parts.iter().map(Extent::count).fold(1, u64::saturating_mul);
        match self {
            Extent::Listed(values) => values.len() as u64,
            Extent::Between(low, high) => u64::try_from(i128::from(*high) - i128::from(*low) + 1).unwrap_or(u64::MAX),
            Extent::Text | Extent::Seq(_) | Extent::Map(..) => u64::MAX,
            Extent::Cases(cases) => cases.iter().map(|case| product(case)).fold(0, u64::saturating_add),
            Extent::Parts(parts) => product(parts),
            Extent::Option(inner) => inner.count().saturating_add(1),
            Extent::Set(inner) => {
                u32::try_from(inner.count()).ok().and_then(|size| 2u64.checked_pow(size)).unwrap_or(u64::MAX)
            }
        }
    }

    /// Whether a value is one of these.
    pub fn contains(&self, value: &Value) -> bool {
        let each = |extents: &[Extent], values: &[Value]| {
            extents.len() == values.len() && extents.iter().zip(values).all(|(extent, value)| extent.contains(value))
        };
        match (self, value) {
            (Extent::Listed(values), value) => values.contains(value),
            (Extent::Between(low, high), Value::Int(value)) => low <= value && value <= high,
            (Extent::Text, Value::String(_)) => true,
            (Extent::Cases(cases), Value::Variant { variant, args }) => {
                cases.get(*variant).is_some_and(|case| each(case, args))
            }
            (Extent::Parts(parts), Value::Tuple(values)) => each(parts, values),
            (Extent::Option(inner), Value::Option(value)) => value.as_ref().is_none_or(|value| inner.contains(value)),
            (Extent::Seq(inner), Value::Seq(items)) => items.iter().all(|item| inner.contains(item)),
            (Extent::Set(inner), Value::Set(items)) => items.iter().all(|item| inner.contains(item)),
            (Extent::Map(keys, values), Value::Map(pairs)) => {
                pairs.iter().all(|(key, value)| keys.contains(key) && values.contains(value))
            }
            _ => false,
        }
    }
}
