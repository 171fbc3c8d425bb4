//! All values of a type, under the domains of the setup. A type without end and without a domain is M009, and the message
//! says which line of a setup would help.

use crate::membership::{check_range, parts};
use crate::setup::Asked;
use crate::{Instance, LIMIT, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, Domain, Model, Type};
use std::collections::BTreeSet;
use std::slice::from_ref;

/// Who needs the values, for the setup's domains and for the message.
pub(crate) struct Wanted<'w> {
    pub(crate) ty: &'w Type,
    pub(crate) asked: Asked,
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
    /// All values of a type in this state; `name` and `span` say who asks. Domains of types without bounds count, wherever they
    /// stand; those that only drive do not.
    pub fn values_of(&self, ty: &Type, state: &State, name: &str, span: Span) -> Result<Vec<Value>> {
        self.domain(&Wanted { ty, asked: Asked::ANYWHERE, name, span }, state)
    }

    /// All values of a parameter of an action: those that the setup gives, for an input; those that there are, for any other.
    pub fn given_values(&self, action: ActionId, index: usize, state: &State) -> Result<Vec<Value>> {
        self.values_asked(action, index, self.asked_for(action, index), state)
    }

    /// All values of a parameter of an action, whatever the setup drives.
    pub fn parameter_values(&self, action: ActionId, index: usize, state: &State) -> Result<Vec<Value>> {
        self.values_asked(action, index, Asked::judged(action, index), state)
    }

    fn values_asked(&self, action: ActionId, index: usize, asked: Asked, state: &State) -> Result<Vec<Value>> {
        let param = &self.model().actions[action.0].params[index];
        self.domain(&Wanted { ty: &param.ty, asked, name: &param.name, span: param.span }, state)
    }

    /// All values, without duplicates and in order (those of an explicit domain in their order).
    pub(crate) fn domain(&self, wanted: &Wanted, state: &State) -> Result<Vec<Value>> {
        self.values(wanted.ty, state, wanted.asked).map_err(|trouble| self.no_end(wanted, trouble))
    }

    /// The setup gives this value of a parameter of an input: it lies in the domain of the parameter or, wherever a named type stands in
    /// its type, in the domain of that type.
    pub(crate) fn admits(&self, action: ActionId, index: usize, value: &Value, state: &State) -> Result<bool> {
        let param = &self.model().actions[action.0].params[index];
        let asked = self.asked_for(action, index);
        let wanted = Wanted { ty: &param.ty, asked, name: &param.name, span: param.span };
        self.admits_part(&param.ty, value, state, asked).map_err(|trouble| self.no_end(&wanted, trouble))
    }

    fn admits_part(&self, ty: &Type, value: &Value, state: &State, asked: Asked) -> std::result::Result<bool, Trouble> {
        if let Some(domain) = self.restricting_domain(ty, asked) {
            if let (Some((low, high)), Value::Int(value)) = (self.ends(domain, ty, state)?, value) {
                return Ok(low <= *value && *value <= high);
            }
            return Ok(self.listed(domain, ty, state)?.contains(value));
        }
        if let Type::Alias(id) = ty {
            return self.admits_part(&self.model().types.aliases[id.0].ty, value, state, asked.inside());
        }
        for (ty, part) in parts(self.model(), ty, value) {
            if !self.admits_part(ty, part, state, asked.inside())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn listed(&self, domain: &Domain, ty: &Type, state: &State) -> Values {
        let values = self.evaluate(&domain.values, state)?.elements().expect("a domain is a collection");
        for value in &values {
            check_range(self, ty, value, "the domain", domain.span)?;
        }
        let mut seen = BTreeSet::new();
        Ok(values.into_iter().filter(|value| seen.insert(value.clone())).collect())
    }

    fn values(&self, ty: &Type, state: &State, asked: Asked) -> Values {
        if let Some(domain) = self.declared_domain(ty, asked) {
            return self.listed(domain, ty, state);
        }
        let inside = asked.inside();
        let types = &self.model().types;
        match ty {
            Type::Bool => Ok(vec![false.into(), true.into()]),
            Type::Alias(id) => self.values(&types.aliases[id.0].ty, state, inside),
            Type::Range(id) => {
                let (low, high) = self.range(*id)?;
                limited(i128::from(high) - i128::from(low) + 1)?;
                Ok((low..=high).map(Value::Int).collect())
            }
            Type::Enum(id) => {
                let mut all = Vec::new();
                for (variant, declared) in types.enums[id.0].variants.iter().enumerate() {
                    let payloads = self.product(&declared.payload, state, inside)?;
                    all.extend(payloads.into_iter().map(|args| Value::Variant { variant, args: args.into() }));
                }
                limited(all.len() as i128).map(|()| all)
            }
            Type::Record(id) => {
                let fields: Vec<Type> = types.records[id.0].fields.iter().map(|(_, ty)| ty.clone()).collect();
                Ok(self.product(&fields, state, inside)?.into_iter().map(Value::tuple).collect())
            }
            Type::Tuple(parts) => Ok(self.product(parts, state, inside)?.into_iter().map(Value::tuple).collect()),
            Type::Object(id) => Ok(state.all(*id).collect()),
            Type::Option(inner) => Ok([Value::none()]
                .into_iter()
                .chain(self.values(inner, state, inside)?.into_iter().map(Value::some))
                .collect()),
            Type::Set(inner) => subsets(self.values(inner, state, inside)?),
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) | Type::Unknown => {
                Err(Trouble::Unbounded(ty.clone()))
            }
        }
    }

    /// All combinations, the first type changing slowest.
    fn product(&self, types: &[Type], state: &State, asked: Asked) -> std::result::Result<Vec<Vec<Value>>, Trouble> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.values(ty, state, asked)?;
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
                format!("`{}` has no finite domain: it may be any {}", wanted.name, self.model().types.show(&ty))
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

/// What to write after `domain`: the parameter, the named type, or the plain type.
fn domain_name(model: &Model, wanted: &Wanted) -> String {
    match (wanted.asked.parameter, wanted.ty) {
        (_, Type::Alias(_)) => model.types.show(wanted.ty),
        (Some((action, index)), _) => {
            let action = &model.actions[action.0];
            format!("{}.{}", crate::show_name(&action.name), crate::show_name(&action.params[index].name))
        }
        (None, ty) => model.types.show(ty),
    }
}
