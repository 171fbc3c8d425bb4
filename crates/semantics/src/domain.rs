//! All values of a type, under the domains of the setup. A type without end and without a domain is M009, and the message
//! says which line of a setup would help.

use crate::membership::check_range;
use crate::{Instance, LIMIT, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, Domain, DomainTarget, Model, Type};
use std::collections::BTreeSet;
use std::slice::from_ref;

/// Who needs the values, for the setup's domains and for the message.
pub(crate) struct Wanted<'w> {
    pub(crate) ty: &'w Type,
    /// A parameter of an action may have a domain of its own.
    pub(crate) parameter: Option<(ActionId, usize)>,
    pub(crate) name: &'w str,
    pub(crate) span: Span,
}

/// Why a type has no list of values.
enum Trouble {
    Unbounded(Type),
    TooMany,
    Error(ModelError),
}

impl From<ModelError> for Trouble {
    fn from(error: ModelError) -> Trouble {
        Trouble::Error(error)
    }
}

type Values = std::result::Result<Vec<Value>, Trouble>;

impl Instance {
    /// All values of a type under the setup's domains, in this state; `name` and `span` say who asks.
    pub fn values_of(&self, ty: &Type, state: &State, name: &str, span: Span) -> Result<Vec<Value>> {
        self.domain(&Wanted { ty, parameter: None, name, span }, state)
    }

    /// All values of a parameter of an action under the setup's domains, in this state.
    pub fn parameter_values(&self, action: ActionId, index: usize, state: &State) -> Result<Vec<Value>> {
        let param = &self.model().actions[action.0].params[index];
        let parameter = Some((action, index));
        self.domain(&Wanted { ty: &param.ty, parameter, name: &param.name, span: param.span }, state)
    }

    /// All values, without duplicates and in order (those of an explicit domain in their order).
    pub(crate) fn domain(&self, wanted: &Wanted, state: &State) -> Result<Vec<Value>> {
        let found =
            match wanted.parameter.and_then(|(action, index)| self.declared(DomainTarget::Parameter(action, index))) {
                Some(domain) => self.listed(domain, wanted.ty, state),
                None => self.values(wanted.ty, state),
            };
        found.map_err(|trouble| self.no_end(wanted, trouble))
    }

    /// The values that the setup gives to this parameter or to its named type, if it says anything about them.
    pub(crate) fn explicit_domain(&self, wanted: &Wanted, state: &State) -> Result<Option<Vec<Value>>> {
        let own = wanted.parameter.and_then(|(action, index)| self.declared(DomainTarget::Parameter(action, index)));
        let named = || named_target(wanted.ty).and_then(|target| self.declared(target));
        let Some(domain) = own.or_else(named) else { return Ok(None) };
        self.listed(domain, wanted.ty, state).map(Some).map_err(|trouble| self.no_end(wanted, trouble))
    }

    /// What the setup says; a later entry (of the setup that extends another) wins.
    fn declared(&self, target: DomainTarget) -> Option<&Domain> {
        self.setup().and_then(|setup| setup.domains.iter().rev().find(|domain| domain.target == target))
    }

    fn listed(&self, domain: &Domain, ty: &Type, state: &State) -> Values {
        let values = self.evaluate(&domain.values, state)?.elements().expect("a domain is a collection");
        for value in &values {
            check_range(self, ty, value, "the domain", domain.span)?;
        }
        let mut seen = BTreeSet::new();
        Ok(values.into_iter().filter(|value| seen.insert(value.clone())).collect())
    }

    fn values(&self, ty: &Type, state: &State) -> Values {
        if let Some(domain) = target(ty).and_then(|target| self.declared(target)) {
            return self.listed(domain, ty, state);
        }
        let types = &self.model().types;
        match ty {
            Type::Bool => Ok(vec![false.into(), true.into()]),
            Type::Alias(id) => self.values(&types.aliases[id.0].ty, state),
            Type::Range(id) => {
                let (low, high) = self.range(*id)?;
                limited(i128::from(high) - i128::from(low) + 1)?;
                Ok((low..=high).map(Value::Int).collect())
            }
            Type::Enum(id) => {
                let mut all = Vec::new();
                for (variant, declared) in types.enums[id.0].variants.iter().enumerate() {
                    let payloads = self.product(&declared.payload, state)?;
                    all.extend(payloads.into_iter().map(|args| Value::Variant { variant, args: args.into() }));
                }
                limited(all.len() as i128).map(|()| all)
            }
            Type::Record(id) => {
                let fields: Vec<Type> = types.records[id.0].fields.iter().map(|(_, ty)| ty.clone()).collect();
                Ok(self.product(&fields, state)?.into_iter().map(Value::tuple).collect())
            }
            Type::Tuple(parts) => Ok(self.product(parts, state)?.into_iter().map(Value::tuple).collect()),
            Type::Object(id) => Ok(state.all(*id).collect()),
            Type::Option(inner) => {
                Ok([Value::none()].into_iter().chain(self.values(inner, state)?.into_iter().map(Value::some)).collect())
            }
            Type::Set(inner) => subsets(self.values(inner, state)?),
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) | Type::Unknown => {
                Err(Trouble::Unbounded(ty.clone()))
            }
        }
    }

    /// All combinations, the first type changing slowest.
    fn product(&self, types: &[Type], state: &State) -> std::result::Result<Vec<Vec<Value>>, Trouble> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.values(ty, state)?;
            limited(rows.len() as i128 * values.len() as i128)?;
            let extend = |row: &Vec<Value>| values.iter().map(|value| [&row[..], from_ref(value)].concat()).collect();
            rows = rows.iter().flat_map(|row| -> Vec<Vec<Value>> { extend(row) }).collect();
        }
        Ok(rows)
    }

    fn no_end(&self, wanted: &Wanted, trouble: Trouble) -> ModelError {
        let message = match trouble {
            Trouble::Error(error) => return error,
            Trouble::Unbounded(ty) => {
                format!("`{}` may be any {}, which has no finite domain", wanted.name, self.model().types.show(&ty))
            }
            Trouble::TooMany => format!("`{}` has more than {LIMIT} values", wanted.name),
        };
        let target = domain_name(self.model(), wanted);
        ModelError::new(Code::M009, wanted.span, message).help(format!(
            "write `domain {target} = {{ ... }}` in a setup, or a guard that fixes it: `{} in ...`",
            wanted.name
        ))
    }
}

fn limited(count: i128) -> std::result::Result<(), Trouble> {
    if count > LIMIT as i128 { Err(Trouble::TooMany) } else { Ok(()) }
}

fn subsets(items: Vec<Value>) -> Values {
    let count = u32::try_from(items.len()).ok().and_then(|size| 2usize.checked_pow(size)).ok_or(Trouble::TooMany)?;
    limited(count as i128)?;
    let chosen = |mask: usize| items.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1);
    Ok((0..count).map(|mask| Value::set(chosen(mask).map(|(_, item)| item.clone()))).collect())
}

fn target(ty: &Type) -> Option<DomainTarget> {
    match ty {
        Type::Int => Some(DomainTarget::Int),
        Type::String => Some(DomainTarget::String),
        other => named_target(other),
    }
}

fn named_target(ty: &Type) -> Option<DomainTarget> {
    match ty {
        Type::Alias(id) => Some(DomainTarget::Alias(*id)),
        Type::Enum(id) => Some(DomainTarget::Enum(*id)),
        Type::Record(id) => Some(DomainTarget::Record(*id)),
        Type::Object(id) => Some(DomainTarget::Object(*id)),
        _ => None,
    }
}

/// What to write after `domain`: the parameter, the named type, or the plain type.
fn domain_name(model: &Model, wanted: &Wanted) -> String {
    match (wanted.parameter, wanted.ty) {
        (_, Type::Alias(_)) => model.types.show(wanted.ty),
        (Some((action, index)), _) => {
            let action = &model.actions[action.0];
            format!("{}.{}", crate::show_name(&action.name), crate::show_name(&action.params[index].name))
        }
        (None, ty) => model.types.show(ty),
    }
}
