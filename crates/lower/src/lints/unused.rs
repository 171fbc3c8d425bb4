//! W001: a declaration that nothing uses.

use crate::{Symbol, TypeSymbol, Use};
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Span};
use interplay_model::{
    AliasId, ConstantId, DefinitionId, EnumId, ExprKind, Model, ObjectId, Owner, RecordId, VariableId,
};
use std::collections::HashSet;

pub(super) fn run(model: &Model, used: &HashSet<Use>, diagnostics: &mut Diagnostics) {
    let mut check = |unused: bool, kind: &str, name: &str, span: Span, help: &str| {
        if unused && !name.starts_with('_') {
            diagnostics.push(
                Diagnostic::new(Code::W001, span, format!("the {kind} `{name}` is never {help}"))
                    .help("remove it, or put `_` before its name to keep it"),
            );
        }
    };
    let value = |symbol| !used.contains(&Use::Value(symbol));
    for (index, constant) in model.constants.iter().enumerate() {
        check(value(Symbol::Constant(ConstantId(index))), "constant", &constant.name, constant.span, "used");
    }
    for (index, definition) in model.definitions.iter().enumerate() {
        check(value(Symbol::Definition(DefinitionId(index))), "definition", &definition.name, definition.span, "used");
    }
    let read = read(model);
    for (index, variable) in model.variables.iter().enumerate() {
        let own = matches!(variable.owner, Owner::Component(_) | Owner::Observer(_));
        check(own && !read.contains(&VariableId(index)), "variable", &variable.name, variable.span, "read");
    }
    let ty = |symbol| !used.contains(&Use::Type(symbol));
    for (index, alias) in model.types.aliases.iter().enumerate() {
        check(ty(TypeSymbol::Alias(AliasId(index))), "type", &alias.name, alias.span, "used");
    }
    for (index, declared) in model.types.enums.iter().enumerate() {
        let unused = !declared.is_outcome && ty(TypeSymbol::Enum(EnumId(index)));
        check(unused, "enum", &declared.name, declared.span, "used");
    }
    for (index, record) in model.types.records.iter().enumerate() {
        check(ty(TypeSymbol::Record(RecordId(index))), "record", &record.name, record.span, "used");
    }
    for (index, object) in model.types.objects.iter().enumerate() {
        check(ty(TypeSymbol::Object(ObjectId(index))), "object", &object.name, object.span, "used");
    }
}

/// Variables whose value something looks at.
fn read(model: &Model) -> HashSet<VariableId> {
    let mut found = HashSet::new();
    super::expressions(model, &mut |expr| {
        expr.walk(&mut |part| {
            if let ExprKind::Variable(id) = part.kind {
                found.insert(id);
            }
        });
    });
    found
}
