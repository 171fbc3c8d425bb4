//! What an adapter must know of a specification: the actions that are seen from outside, with their types in words.

use interplay_model::{Action, Direction, Discipline, Model, Type};

pub(super) struct Outline {
    /// What the system is called.
    pub(super) system: String,
    /// All inputs of a step come together, and so do all outputs.
    pub(super) synchronous: bool,
    pub(super) inputs: Vec<Seen>,
    pub(super) outputs: Vec<Seen>,
    /// Enums, records and objects of the actions, one line each: what stands for them in JSON.
    pub(super) values: Vec<String>,
}

/// An action as the implementation sees it.
pub(super) struct Seen {
    pub(super) name: String,
    /// Names and types.
    pub(super) params: Vec<(String, Kind, String)>,
    pub(super) result: Option<(Kind, String)>,
    pub(super) doc: String,
}

/// What a value is in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Integer,
    Text,
    List,
    Fields,
    Other,
}

impl Seen {
    /// `post(sender, text)`
    pub(super) fn signature(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|(name, ..)| name.as_str()).collect();
        if names.is_empty() { self.name.clone() } else { format!("{}({})", self.name, names.join(", ")) }
    }

    /// `post(sender: Client, text: Message) -> Bool`, as the specification says it.
    pub(super) fn typed(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|(name, _, ty)| format!("{name}: {ty}")).collect();
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let result = self.result.as_ref().map_or(String::new(), |(_, ty)| format!(" -> {ty}"));
        format!("{}{params}{result}", self.name)
    }
}

impl Outline {
    pub(super) fn of(model: &Model) -> Outline {
        let seen = |direction: Direction| -> Vec<Seen> {
            model.actions.iter().filter(|each| each.direction == direction).map(|each| seen(model, each)).collect()
        };
        Outline {
            system: model.name.clone(),
            synchronous: model.discipline == Discipline::Synchronous,
            inputs: seen(Direction::Input),
            outputs: seen(Direction::Output),
            values: values(model),
        }
    }

    /// An input, or a parameter of one, whose name cannot be that of a method. Outputs are only spoken of in strings.
    pub(super) fn unspeakable(&self) -> Option<&str> {
        let good = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
        };
        let bad = |seen: &&Seen| !good(&seen.name) || seen.params.iter().any(|(name, ..)| !good(name));
        self.inputs.iter().find(bad).map(|seen| seen.name.as_str())
    }
}

fn seen(model: &Model, action: &Action) -> Seen {
    let told = |ty: &Type| (kind(model, ty), shown(model, ty));
    let params = action.params.iter().map(|param| {
        let (kind, text) = told(&param.ty);
        (param.name.clone(), kind, text)
    });
    Seen {
        name: action.name.clone(),
        params: params.collect(),
        result: action.result.as_ref().map(told),
        doc: action.doc.clone(),
    }
}

fn kind(model: &Model, ty: &Type) -> Kind {
    match model.types.strip(ty) {
        Type::Bool => Kind::Boolean,
        Type::Int | Type::Range(_) => Kind::Integer,
        Type::String => Kind::Text,
        Type::Tuple(_) | Type::Seq(_) | Type::Set(_) => Kind::List,
        Type::Record(_) => Kind::Fields,
        Type::Enum(id) if model.types.enums[id.0].variants.iter().all(|case| case.payload.is_empty()) => Kind::Text,
        Type::Enum(_) | Type::Object(_) | Type::Option(_) | Type::Map(..) | Type::Alias(_) | Type::Unknown => {
            Kind::Other
        }
    }
}

/// As the specification says it, ranges by their bounds.
fn shown(model: &Model, ty: &Type) -> String {
    model.types.show(ty).replace("a range of Int (declared as `", "").replace("`)", "")
}

fn values(model: &Model) -> Vec<String> {
    let types = &model.types;
    let enums = types.enums.iter().map(|each| {
        let case = |case: &interplay_model::Variant| match case.payload.is_empty() {
            true => format!("\"{}\"", case.name),
            false => format!("{{\"{}\": [...]}}", case.name),
        };
        format!("{} is {}", each.name, each.variants.iter().map(case).collect::<Vec<_>>().join(", "))
    });
    let records = types.records.iter().map(|each| {
        let field = |(name, ty): &(String, Type)| format!("\"{name}\": {}", shown(model, ty));
        format!("{} is {{{}}}", each.name, each.fields.iter().map(field).collect::<Vec<_>>().join(", "))
    });
    let objects = types.objects.iter().map(|each| format!("{} is any string or number that names one", each.name));
    enums.chain(records).chain(objects).collect()
}
