//! What may be renamed: one class for each kind of object, and one for each type declared `interchangeable`.

use interplay_model::{DomainTarget, ObjectId, Type};
use interplay_semantics::{Instance, ModelError, State, Value};

/// Values that may change places.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) ty: Type,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    /// Those that were made so far.
    Objects(ObjectId),
    Fixed(Vec<Value>),
    /// The type has no list of values.
    Unknown,
}

/// The elements of a class in one state, in order.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) values: Vec<Value>,
}

impl Elements {
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }
}

impl Class {
    pub(super) fn elements(&self, state: &State) -> Elements {
        let values = match &self.values {
            Values::Objects(object) => state.all(*object).collect(),
            Values::Fixed(values) => values.clone(),
            Values::Unknown => Vec::new(),
        };
        Elements { values }
    }

    /// The values of a type whose list is fixed.
    pub(super) fn fixed(&self) -> &[Value] {
        match &self.values {
            Values::Fixed(values) => values,
            _ => &[],
        }
    }

    /// The elements, if they are the same in every state.
    pub(super) fn listed(&self) -> Option<Elements> {
        match &self.values {
            Values::Fixed(values) => Some(Elements { values: values.clone() }),
            _ => None,
        }
    }

    pub(super) fn ok_or_refusal(self) -> Result<Class, String> {
        match self.values {
            Values::Unknown => {
                Err(format!("`{}` has no list of values: write `domain {} = {{ ... }}`", self.name, self.name))
            }
            _ => Ok(self),
        }
    }
}

pub(super) fn classes(instance: &Instance) -> Result<Vec<Class>, ModelError> {
    let types = &instance.model().types;
    let mut classes = Vec::new();
    for (index, object) in types.objects.iter().enumerate() {
        let id = ObjectId(index);
        classes.push(Class { name: object.name.clone(), ty: Type::Object(id), values: Values::Objects(id) });
    }
    for target in instance.interchangeable() {
        let (name, ty) = match target {
            DomainTarget::Alias(id) => (types.aliases[id.0].name.clone(), Type::Alias(*id)),
            DomainTarget::Enum(id) => (types.enums[id.0].name.clone(), Type::Enum(*id)),
            // Objects are there already; the others have more structure than a name.
            DomainTarget::Object(_) => continue,
            DomainTarget::Int => ("Int".into(), Type::Int),
            DomainTarget::String => ("String".into(), Type::String),
            DomainTarget::Record(id) => (types.records[id.0].name.clone(), Type::Record(*id)),
            DomainTarget::Parameter(..) => continue,
        };
        let values = values(instance, *target, &ty)?;
        classes.push(Class { name, ty, values });
    }
    Ok(classes)
}

fn values(instance: &Instance, target: DomainTarget, ty: &Type) -> Result<Values, ModelError> {
    if let Some(domain) = instance.domains().iter().rev().find(|domain| domain.target == target) {
        let blank = State::blank(instance.model());
        let mut values = instance.evaluate(&domain.values, &blank)?.elements().unwrap_or_default();
        values.sort();
        return Ok(Values::Fixed(values));
    }
    let Type::Enum(id) = ty else { return Ok(Values::Unknown) };
    let variants = &instance.model().types.enums[id.0].variants;
    let plain = variants.iter().all(|variant| variant.payload.is_empty());
    Ok(if plain { Values::Fixed((0..variants.len()).map(Value::variant).collect()) } else { Values::Unknown })
}
