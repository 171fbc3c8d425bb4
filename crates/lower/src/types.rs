//! The second pass: what the declared types are, and the types of everything declared.

use super::{
    Lower,
    context::Context,
    symbols::{TypeSymbol, Use},
};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::*;
use interplay_syntax::ast::{self, Item, ItemKind, TypeKind};

const BUILT_IN: [&str; 7] = ["Bool", "Int", "String", "Option", "Seq", "Set", "Map"];

impl<'a> Lower<'a> {
    pub(super) fn resolve_types(&mut self, items: &[(ComponentId, &'a Item)]) {
        for (_, item) in items {
            self.resolve_declared_type(item);
        }
        self.refuse_circles();
        for (_, item) in items {
            self.resolve_signature(item);
        }
    }

    fn resolve_declared_type(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Type { name, ty } => {
                let ty = self.resolve_type(ty);
                if let Some((TypeSymbol::Alias(id), _)) = self.declared_type(name) {
                    self.model.types.aliases[id.0].ty = ty;
                }
            }
            ItemKind::Enum { name, variants } => {
                let payloads: Vec<Vec<Type>> = variants
                    .iter()
                    .map(|variant| variant.payload.iter().map(|ty| self.resolve_type(ty)).collect())
                    .collect();
                if let Some((TypeSymbol::Enum(id), _)) = self.declared_type(name) {
                    for (variant, payload) in self.model.types.enums[id.0].variants.iter_mut().zip(payloads) {
                        variant.payload = payload;
                    }
                }
            }
            ItemKind::Record { name, fields } => {
                let resolved: Vec<_> =
                    fields.iter().map(|field| (field.name.text.clone(), self.resolve_type(&field.ty))).collect();
                for (index, field) in fields.iter().enumerate() {
                    if let Some(first) = fields[..index].iter().find(|other| other.name.text == field.name.text) {
                        self.declared_twice(&field.name, first.name.span);
                    }
                }
                if let Some((TypeSymbol::Record(id), _)) = self.declared_type(name) {
                    self.model.types.records[id.0].fields = resolved;
                }
            }
            _ => {}
        }
    }

    fn declared_type(&self, name: &ast::Name) -> Option<(TypeSymbol, Span)> {
        self.symbols.types.get(name.text.as_str()).copied().filter(|(_, span)| *span == name.span)
    }

    fn resolve_signature(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Const { name, ty, .. } => {
                let ty = self.resolve_type(ty);
                if let Some(id) = self.symbols.constant(name) {
                    self.model.constants[id.0].ty = ty;
                }
            }
            ItemKind::Var { name, ty, .. } => {
                let ty = self.resolve_type(ty);
                if let Some(id) = self.symbols.variable(name) {
                    self.model.variables[id.0].ty = ty;
                }
            }
            ItemKind::Actions { actions, .. } => actions.iter().for_each(|action| self.resolve_action(action)),
            _ => {}
        }
    }

    fn resolve_action(&mut self, action: &'a ast::Action) {
        let params = action
            .params
            .iter()
            .map(|param| Param {
                name: param.name.text.clone(),
                ty: self.resolve_type(&param.ty),
                span: param.name.span,
            })
            .collect();
        let result = action.result.as_ref().map(|ty| self.resolve_type(ty));
        for (index, param) in action.params.iter().enumerate() {
            if let Some(first) = action.params[..index].iter().find(|other| other.name.text == param.name.text) {
                self.declared_twice(&param.name, first.name.span);
            }
        }
        let Some(id) = self.symbols.actions.iter().position(|declared| std::ptr::eq(*declared, action)) else { return };
        let outcome = self.model.actions[id].result.take();
        let result = self.outcome_of(outcome, result);
        let declared = &mut self.model.actions[id];
        declared.params = params;
        declared.result = result;
        if declared.result.is_some() && declared.direction != Direction::Input {
            self.report(
                Diagnostic::new(Code::S010, action.name.span, "only an input can return a value or raise an exception")
                    .help("make the result a parameter of the output"),
            );
        }
    }

    pub(super) fn resolve_type(&mut self, ty: &'a ast::Type) -> Type {
        self.note_built_in(ty);
        match &ty.kind {
            TypeKind::Bool => Type::Bool,
            TypeKind::Int => Type::Int,
            TypeKind::String => Type::String,
            TypeKind::Named(name) => self.resolve_named_type(name, ty),
            TypeKind::Range(low, high) => self.resolve_range(low, high, ty),
            TypeKind::Tuple(parts) => Type::Tuple(parts.iter().map(|part| self.resolve_type(part)).collect()),
            TypeKind::Option(inner) => Type::Option(self.resolve_type(inner).into()),
            TypeKind::Seq(inner) => Type::Seq(self.resolve_type(inner).into()),
            TypeKind::Set(inner) => Type::Set(self.resolve_type(inner).into()),
            TypeKind::Map(key, value) => Type::Map(self.resolve_type(key).into(), self.resolve_type(value).into()),
            TypeKind::Error => Type::Unknown,
        }
    }

    /// Only the word counts, not what stands between its angle brackets.
    fn note_built_in(&mut self, ty: &ast::Type) {
        let word = match &ty.kind {
            TypeKind::Int | TypeKind::Seq(_) | TypeKind::Set(_) | TypeKind::Map(..) => 3,
            TypeKind::Bool => 4,
            TypeKind::String | TypeKind::Option(_) => 6,
            _ => return,
        };
        self.mention_built_in(Span { end: ty.span.start + word, ..ty.span });
    }

    fn resolve_named_type(&mut self, name: &str, ty: &ast::Type) -> Type {
        self.offer_types(ty.span, &BUILT_IN, |_| true);
        let Some((symbol, _)) = self.symbols.types.get(name).copied() else {
            let known = self.symbols.types.keys().copied().chain(BUILT_IN);
            let help = did_you_mean(name, known)
                .unwrap_or_else(|| format!("declare it: `type {name} = ...` or `enum {name} {{ ... }}`"));
            self.report(Diagnostic::new(Code::N004, ty.span, format!("unknown type `{name}`")).help(help));
            return Type::Unknown;
        };
        self.used.insert(Use::Type(symbol));
        self.mention_type(ty.span, symbol);
        symbol.ty()
    }

    fn resolve_range(&mut self, low: &'a ast::Expr, high: &'a ast::Expr, ty: &ast::Type) -> Type {
        let mut context = Context::constant();
        let low = self.check_expr(&mut context, low, &Type::Int, None);
        let high = self.check_expr(&mut context, high, &Type::Int, None);
        if let (Some(from), Some(to)) = (low.as_int(), high.as_int())
            && from > to
        {
            self.report(
                Diagnostic::new(Code::T008, ty.span, format!("the range {from}..{to} is empty"))
                    .help("write the smaller bound first; both bounds belong to the range"),
            );
        }
        self.model.types.ranges.push(Range { low, high, span: ty.span });
        Type::Range(RangeId(self.model.types.ranges.len() - 1))
    }

    /// A type that contains itself would have no values of finite size.
    fn refuse_circles(&mut self) {
        let symbols: Vec<_> = self.symbols.types.values().copied().collect();
        for (symbol, span) in symbols {
            if self.reaches(symbol, symbol, &mut Vec::new()) {
                self.report(
                    Diagnostic::new(
                        Code::S008,
                        span,
                        format!("the type `{}` contains itself", self.show_type(&symbol.ty())),
                    )
                    .help("use an `object` for each part, and a map from objects to their contents"),
                );
                self.cut(symbol);
            }
        }
    }

    fn reaches(&self, from: TypeSymbol, goal: TypeSymbol, seen: &mut Vec<TypeSymbol>) -> bool {
        self.parts(from).into_iter().any(|part| {
            part == goal
                || (!seen.contains(&part) && {
                    seen.push(part);
                    self.reaches(part, goal, seen)
                })
        })
    }

    fn parts(&self, symbol: TypeSymbol) -> Vec<TypeSymbol> {
        let mut found = Vec::new();
        let types = &self.model.types;
        match symbol {
            TypeSymbol::Alias(id) => mentioned(&types.aliases[id.0].ty, &mut found),
            TypeSymbol::Enum(id) => {
                types.enums[id.0]
                    .variants
                    .iter()
                    .flat_map(|variant| &variant.payload)
                    .for_each(|ty| mentioned(ty, &mut found));
            }
            TypeSymbol::Record(id) => types.records[id.0].fields.iter().for_each(|(_, ty)| mentioned(ty, &mut found)),
            TypeSymbol::Object(_) => {}
        }
        found
    }

    fn cut(&mut self, symbol: TypeSymbol) {
        let types = &mut self.model.types;
        match symbol {
            TypeSymbol::Alias(id) => types.aliases[id.0].ty = Type::Unknown,
            TypeSymbol::Enum(id) => {
                types.enums[id.0].variants.iter_mut().for_each(|variant| variant.payload.fill(Type::Unknown))
            }
            TypeSymbol::Record(id) => types.records[id.0].fields.iter_mut().for_each(|(_, ty)| *ty = Type::Unknown),
            TypeSymbol::Object(_) => {}
        }
    }
}

impl TypeSymbol {
    pub(super) fn ty(self) -> Type {
        match self {
            TypeSymbol::Alias(id) => Type::Alias(id),
            TypeSymbol::Enum(id) => Type::Enum(id),
            TypeSymbol::Record(id) => Type::Record(id),
            TypeSymbol::Object(id) => Type::Object(id),
        }
    }
}

fn mentioned(ty: &Type, found: &mut Vec<TypeSymbol>) {
    match ty {
        Type::Alias(id) => found.push(TypeSymbol::Alias(*id)),
        Type::Enum(id) => found.push(TypeSymbol::Enum(*id)),
        Type::Record(id) => found.push(TypeSymbol::Record(*id)),
        Type::Tuple(parts) => parts.iter().for_each(|part| mentioned(part, found)),
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => mentioned(inner, found),
        Type::Map(key, value) => {
            mentioned(key, found);
            mentioned(value, found);
        }
        _ => {}
    }
}
