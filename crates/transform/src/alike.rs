//! Whether two declarations of the same name say the same: each is told in words of the language, and the words are compared.

use super::Refused;
use super::machine::reads_state;
use super::words::Words;
use interplay_model::{
    Action, Alias, Closed, Constant, Definition, Direction, Enum, Local, Model, Owner, Record, Type, Variable,
};

/// The specifications say something else under one name.
pub(super) fn different<T>(
    (one, two): &(String, String),
    kind: &str,
    name: &str,
    own: &str,
    other: &str,
) -> Result<T, Refused> {
    let (own, other) = (own.trim(), other.trim());
    Err(Refused::plain(format!(
        "{kind} `{name}` differs: `{own}` in `{one}`, `{other}` in `{two}`\nhelp: rename one of them, or make them equal"
    )))
}

/// One name stands for the same kind of thing in both.
pub(super) fn kinds(own: &Model, other: &Model) -> Result<(), Refused> {
    let (ours, theirs) = (declared(own), declared(other));
    for (name, kind) in &theirs {
        // A variable of the one and a name of the other are told apart by renaming the variable.
        let clash = ours.iter().find(|(known, also)| known == name && also != kind && *kind != "var" && *also != "var");
        if let Some((_, also)) = clash {
            return Err(Refused::plain(format!(
                "`{name}` is declared as `{also}` in `{}` and as `{kind}` in `{}`\nhelp: rename one of the two",
                own.name, other.name
            )));
        }
    }
    Ok(())
}

/// Every name with the word that declares it.
fn declared(model: &Model) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    found.extend(model.types.aliases.iter().map(|each| (each.name.clone(), "type")));
    found.extend(model.types.enums.iter().map(|each| (each.name.clone(), "enum")));
    found.extend(model.types.records.iter().map(|each| (each.name.clone(), "record")));
    found.extend(model.types.objects.iter().map(|each| (each.name.clone(), "object")));
    found.extend(model.constants.iter().map(|each| (each.name.clone(), "const")));
    let closed = model.definitions.iter().filter(|each| !reads_state(model, each));
    found.extend(closed.map(|each| (each.name.clone(), "def")));
    found.extend(model.variables.iter().filter(|each| of_the_system(each)).map(|each| (each.name.clone(), "var")));
    let seen = |action: &Action| if action.direction == Direction::Internal { "internal" } else { "visible action" };
    found.extend(model.actions.iter().map(|each| (each.name.clone(), seen(each))));
    found
}

/// Not a variable of an observer.
pub(super) fn of_the_system(variable: &Variable) -> bool {
    !matches!(variable.owner, Owner::Observer(_))
}

pub(super) fn alias(model: &Model, of: &Alias) -> String {
    ty(model, &of.ty)
}

pub(super) fn enumeration(model: &Model, of: &Enum) -> String {
    let variant = |variant: &interplay_model::Variant| match &variant.payload[..] {
        [] => variant.name.clone(),
        payload => format!("{}({})", variant.name, types(model, payload.iter())),
    };
    of.variants.iter().map(variant).collect::<Vec<_>>().join(", ")
}

pub(super) fn record(model: &Model, of: &Record) -> String {
    of.fields.iter().map(|(name, of)| format!("{name}: {}", ty(model, of))).collect::<Vec<_>>().join(", ")
}

pub(super) fn constant(model: &Model, of: &Constant) -> String {
    format!("{}{}", ty(model, &of.ty), value(model, of.value.as_ref()))
}

pub(super) fn variable(model: &Model, of: &Variable) -> String {
    format!("{}{}", ty(model, &of.ty), value(model, of.value.as_ref()))
}

/// The names of parameters do not matter.
pub(super) fn definition(model: &Model, of: &Definition) -> String {
    let params = types(model, of.locals[..of.params].iter().map(|local| &local.ty));
    format!("({params}): {} = {}", ty(model, &of.body.ty), said(model, &of.locals, &of.body))
}

pub(super) fn action(model: &Model, of: &Action) -> String {
    format!("({})", types(model, of.params.iter().map(|param| &param.ty)))
}

/// An output is owed in both, or in neither.
pub(super) fn owed(names: &(String, String), own: &Action, other: &Action) -> Result<(), Refused> {
    let said = |action: &Action| if action.optional { "may output" } else { "output" };
    match own.direction == other.direction && own.optional != other.optional {
        true => different(names, "the declaration of", &own.name, said(own), said(other)),
        false => Ok(()),
    }
}

/// Parameters are matched by their place: a name must not stand at two.
pub(super) fn order(names: &(String, String), own: &Action, other: &Action) -> Result<(), Refused> {
    fn list(of: &Action) -> Vec<&str> {
        of.params.iter().map(|param| param.name.as_str()).collect()
    }
    let (one, two) = (list(own), list(other));
    let moved = |name: &&str| {
        two.contains(name) && one.iter().position(|own| own == name) != two.iter().position(|own| own == name)
    };
    match one.iter().any(moved) {
        true => different(names, "the order of the parameters of", &own.name, &one.join(", "), &two.join(", ")),
        false => Ok(()),
    }
}

/// An expression with places for names of locals, so that only what it says counts.
pub(super) fn said(model: &Model, locals: &[Local], expr: &interplay_model::Expr) -> String {
    let locals: Vec<String> = (0..locals.len()).map(|index| format!("_{index}")).collect();
    let variables: Vec<String> = model.variables.iter().map(|variable| variable.name.clone()).collect();
    Words { model, locals: &locals, variables: &variables, places: &[] }.expr(expr)
}

pub(super) fn closed(model: &Model, of: &Closed) -> String {
    said(model, &of.locals, &of.expr)
}

fn value(model: &Model, of: Option<&Closed>) -> String {
    of.map_or(String::new(), |of| format!(" = {}", closed(model, of)))
}

fn ty(model: &Model, of: &Type) -> String {
    Words { model, locals: &[], variables: &[], places: &[] }.ty(of)
}

fn types<'t>(model: &Model, of: impl Iterator<Item = &'t Type>) -> String {
    of.map(|of| ty(model, of)).collect::<Vec<_>>().join(", ")
}
