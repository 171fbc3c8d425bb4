//! From the tree to the [`Model`], in five passes: names, types, definitions, rules, and what judges and drives them.
//!
//! A mistake is reported where it stands and replaced by [`ExprKind::Error`](interplay_model::ExprKind::Error) or
//! [`Type::Unknown`], which fit everything, so that one mistake gives one diagnostic and all mistakes are found at once.
//! Blocks with a name (`proc`, `entry`, `exit`) are lowered again wherever they are used: engines see no calls.

mod apart;
mod builtins;
mod conjunction;
mod context;
mod declare;
mod exhaustive;
mod expression;
mod judge;
mod lints;
mod names;
mod noting;
mod observer;
mod operators;
mod outcomes;
mod pattern;
mod returns;
mod rules;
mod services;
mod setups;
mod shorthand;
mod statement;
mod symbols;
mod types;
mod unify;

use context::Context;
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Point, Span};
use interplay_model::{Closed, Component, ComponentId, Definition, Discipline, Expr, ExprKind, Index, Model, Type};
use interplay_syntax::ast;
use std::collections::HashSet;
use symbols::Symbols;
pub(crate) use symbols::{Symbol, TypeSymbol, Use};

/// Checks a specification (its own file first, then the files it imports) and gives its model if there is no error.
pub fn check(files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<Model> {
    let mut lower = Lower::new(files, diagnostics, None);
    lower.run(files);
    let (model, used) = (lower.model, lower.used);
    judge(model, used, diagnostics)
}

/// Checks a specification, and tells where each name is declared and used, whether or not the text is right.
pub fn check_and_index(files: &[ast::File], diagnostics: &mut Diagnostics) -> (Option<Model>, Index) {
    let mut lower = Lower::new(files, diagnostics, Some(Index::default()));
    lower.run(files);
    let (model, used, index) = (lower.model, lower.used, lower.index);
    let mut index = index.unwrap_or_default();
    index.finish(files, &model);
    (judge(model, used, diagnostics), index)
}

/// The names that would be understood at a place where a name stands. Only the declaration around it is looked into.
pub fn offers(files: &[ast::File], at: Point) -> Vec<interplay_model::Offer> {
    let mut nobody_asked = Diagnostics::default();
    let mut lower = Lower::new(files, &mut nobody_asked, Some(Index::asking(at)));
    lower.run(files);
    let wanted = lower.index.and_then(|index| index.wanted);
    wanted.map_or(Vec::new(), |wanted| wanted.offers)
}

fn judge(model: Model, used: HashSet<Use>, diagnostics: &mut Diagnostics) -> Option<Model> {
    lints::errors(&model, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    lints::warnings(&model, &used, diagnostics);
    (!diagnostics.has_errors()).then_some(model)
}

/// The state of the lowering: the model so far, the names, and what was used of them.
pub(crate) struct Lower<'a> {
    pub(crate) model: Model,
    pub(crate) symbols: Symbols<'a>,
    pub(crate) diagnostics: &'a mut Diagnostics,
    pub(crate) used: HashSet<Use>,
    /// The file says no `system`: it can only be imported.
    is_part: bool,
    /// How many statements were written for blocks that are used again, to refuse explosions.
    pub(crate) expanded: usize,
    /// Where names are noted, if somebody wants to know.
    pub(crate) index: Option<Index>,
}

impl<'a> Lower<'a> {
    fn new(files: &[ast::File], diagnostics: &'a mut Diagnostics, index: Option<Index>) -> Lower<'a> {
        let root = files.first();
        let header = root.and_then(|file| file.header.as_ref());
        let name = header.map_or("", |header| &header.name.text).to_string();
        let span = header.map_or(Span::default(), |header| header.span);
        let main = Component { name: name.clone(), start: None, entry: Vec::new(), entry_locals: Vec::new(), span };
        let model = Model {
            name,
            doc: root.map_or(String::new(), |file| file.doc.clone()),
            discipline: header.map_or(Discipline::Asynchronous, |header| header.discipline),
            types: Default::default(),
            constants: Vec::new(),
            variables: Vec::new(),
            definitions: Vec::new(),
            actions: Vec::new(),
            relations: Vec::new(),
            components: vec![main],
            locations: Vec::new(),
            rules: Vec::new(),
            nodes: Vec::new(),
            initial: Vec::new(),
            accepting: Vec::new(),
            observers: Vec::new(),
            properties: Vec::new(),
            fairness: Vec::new(),
            scenarios: Vec::new(),
            goals: Vec::new(),
            setups: Vec::new(),
        };
        Lower {
            model,
            symbols: Symbols::default(),
            diagnostics,
            used: HashSet::new(),
            is_part: header.is_none(),
            expanded: 0,
            index,
        }
    }

    fn run(&mut self, files: &'a [ast::File]) {
        self.check_headers(files);
        let mut items: Vec<(ComponentId, &ast::Item)> = self.declare(files);
        self.resolve_types(&items);
        items.retain(|(_, item)| self.is_in_focus(item.span));
        self.lower_definitions(&items);
        self.lower_rules(&items);
        self.lower_judges(&items);
        self.lower_setups(&items);
        self.lower_places_of_goals(&items);
    }

    fn check_headers(&mut self, files: &[ast::File]) {
        for file in files.iter().skip(1) {
            if let Some(header) = &file.header {
                self.report(
                    Diagnostic::new(Code::S015, header.span, "an imported file must not have a `system`")
                        .help("move the shared declarations into a file without `system`, and import that file"),
                );
            }
        }
        let Some(root) = files.first() else { return };
        if root.header.is_none()
            && let Some(item) = root.items.first()
        {
            let start = Span { end: item.span.start, ..item.span };
            self.report(
                Diagnostic::new(Code::S015, start, "this specification has no `system NAME`")
                    .help("start the file with `system NAME`; files without it are only for import"),
            );
        }
    }

    /// Constants, variables, definitions, initial conditions, `accepting`.
    fn lower_definitions(&mut self, items: &[(ComponentId, &'a ast::Item)]) {
        for index in 0..self.symbols.definitions.len() {
            if self.is_in_focus(self.symbols.definitions[index].extent) {
                self.definition(index);
            }
        }
        for (component, item) in items {
            match &item.kind {
                ast::ItemKind::Const { name, value: Some(value), .. } => self.lower_constant(name, value),
                ast::ItemKind::Var { name, value: Some(value), .. } => self.lower_variable(name, value),
                ast::ItemKind::Var { name, from: Some(from), .. } => self.lower_first_values(*component, name, from),
                ast::ItemKind::Init { condition } => {
                    let closed = self.closed_condition(Context::state(*component), condition);
                    self.model.initial.push(closed);
                }
                ast::ItemKind::Accepting { condition } => {
                    let closed = self.closed_condition(Context::state(*component), condition);
                    self.model.accepting.push(closed);
                }
                _ => {}
            }
        }
    }

    fn lower_constant(&mut self, name: &ast::Name, value: &'a ast::Expr) {
        let Some(id) = self.symbols.constant(name) else { return };
        let ty = self.model.constants[id.0].ty.clone();
        let closed =
            self.closed_as(Context::constant(), value, &ty, &format!("`{}` is declared", name.text), name.span);
        self.model.constants[id.0].value = Some(closed);
    }

    fn lower_variable(&mut self, name: &ast::Name, value: &'a ast::Expr) {
        let Some(id) = self.symbols.variable(name) else { return };
        let ty = self.model.variables[id.0].ty.clone();
        let context = Context { state: true, ..Context::constant() };
        let closed = self.closed_as(context, value, &ty, &format!("`{}` is declared", name.text), name.span);
        self.model.variables[id.0].value = Some(closed);
    }

    /// `var x: T in S` is `var x: T` with `init x in S`.
    fn lower_first_values(&mut self, component: ComponentId, name: &ast::Name, from: &'a ast::Expr) {
        let Some(id) = self.symbols.variable(name) else { return };
        let ty = self.model.variables[id.0].ty.clone();
        let mut context = Context::state(component);
        let set = self.check_expr(&mut context, from, &Type::Set(ty.clone().into()), None);
        let variable = Expr::new(ExprKind::Variable(id), ty, name.span);
        let span = Span { end: from.span.end, ..name.span };
        let expr = operators::pair(interplay_model::BinaryOperator::In, variable, set, Type::Bool, span);
        self.model.initial.push(Closed { expr, locals: context.frame.locals });
    }

    /// Lowers a definition when it is first needed, so that its type is known to whoever uses it.
    pub(crate) fn definition(&mut self, index: usize) {
        use symbols::Progress::*;
        let declared = &mut self.symbols.definitions[index];
        match declared.progress {
            Done => return,
            Working => {
                let (name, span) = (declared.name.text.clone(), declared.name.span);
                self.report(
                    Diagnostic::new(Code::S008, span, format!("`{name}` is defined recursively"))
                        .help("definitions must not be recursive: write out the cases, or use a comprehension"),
                );
                return;
            }
            Waiting => declared.progress = Working,
        }
        let (params, ty, body) = (declared.params, declared.ty, declared.body);
        let mut context = Context::definition();
        for param in params {
            let ty = self.resolve_type(&param.ty);
            self.bind(&mut context, &param.name, ty);
        }
        let result = ty.map(|ty| self.resolve_type(ty));
        let body = match &result {
            Some(ty) => {
                let name = &self.symbols.definitions[index].name;
                let because = (name.span, format!("`{}` is declared", name.text));
                self.check_expr(&mut context, body, ty, Some(because))
            }
            None => self.infer(&mut context, body, None),
        };
        let (events, temporal) = self.speaks_of(&body);
        let definition = Definition {
            params: params.len(),
            body,
            events,
            temporal,
            locals: context.frame.locals,
            ..self.model.definitions[index].clone()
        };
        self.model.definitions[index] = definition;
        self.symbols.definitions[index].progress = Done;
    }

    /// A part that others import may speak of names that only they declare, and declare what only they use.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let may_be_elsewhere =
            matches!(diagnostic.code, Code::N001 | Code::N004 | Code::N005 | Code::N006 | Code::W001);
        if !(self.is_part && may_be_elsewhere) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn closed_condition(&mut self, mut context: Context, expr: &'a ast::Expr) -> Closed {
        let expr = self.condition(&mut context, expr);
        Closed { expr, locals: context.frame.locals }
    }

    pub(crate) fn closed_as(
        &mut self,
        mut context: Context,
        expr: &'a ast::Expr,
        ty: &Type,
        why: &str,
        at: Span,
    ) -> Closed {
        let expr = self.check_expr(&mut context, expr, ty, Some((at, why.to_string())));
        Closed { expr, locals: context.frame.locals }
    }

    /// A Boolean expression.
    pub(crate) fn condition(&mut self, context: &mut Context, expr: &'a ast::Expr) -> Expr {
        self.check_expr(context, expr, &Type::Bool, None)
    }
}
