//! Statements: blocks, places that are written, and procs written out where they are called.

use super::{
    Lower,
    context::Context,
    operators,
    symbols::{Symbol, Use},
};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::{
    ActionId, BinaryOperator, Direction, Discipline, Expr, ExprKind, PathStep, Pattern, Place, Role, Shared, Statement,
    StatementKind, Type, VariableId,
};
use interplay_syntax::ast::{self, AssignOperator, ExprKind as Tree, StatementKind as Stmt};

/// Blocks that are used again are written out; beyond this many statements the specification is refused.
pub(super) const EXPANSION_LIMIT: usize = 200_000;

impl<'a> Lower<'a> {
    pub(super) fn block(&mut self, context: &mut Context, block: &'a ast::Block) -> Vec<Statement> {
        let depth = context.frame.enter();
        let mut statements = Vec::new();
        for statement in &block.statements {
            self.statement(context, statement, &mut statements);
        }
        context.frame.leave(depth);
        self.leave_at_return(statements)
    }

    fn statement(&mut self, context: &mut Context, statement: &'a ast::Statement, all: &mut Vec<Statement>) {
        let span = statement.span;
        let kind = match &statement.kind {
            Stmt::Assign { place, operator, value } => self.assign(context, place, *operator, value, span),
            Stmt::Let { name, value } => {
                let value = self.infer(context, value, None);
                self.require_known(&value, &name.text);
                let local = self.bind(context, name, value.ty.clone());
                Some(StatementKind::Let { local, value })
            }
            Stmt::If { condition, then, otherwise } => {
                let condition = self.condition(context, condition);
                let then = self.block(context, then);
                let otherwise = otherwise.as_ref().map_or(Vec::new(), |block| self.block(context, block));
                Some(StatementKind::If { condition, then: then.into(), otherwise: otherwise.into() })
            }
            Stmt::Match { value, arms } => Some(self.match_statement(context, value, arms, span)),
            Stmt::For { name, from, condition, body } => {
                let from = self.infer(context, from, None);
                let member = self.member_type(&from);
                let depth = context.frame.enter();
                let local = self.bind(context, name, member);
                let condition = condition.as_ref().map(|condition| self.condition(context, condition));
                let body = self.block(context, body);
                context.frame.leave(depth);
                self.refuse_return_in_loop(&body);
                Some(StatementKind::For { local, from, condition, body: body.into() })
            }
            Stmt::Emit(event) => self.emit(context, event),
            Stmt::Return(value) => self.return_value(context, value, span),
            Stmt::Raise(name) => self.raise(context, name, span),
            Stmt::Assert(condition) => Some(StatementKind::Assert(self.condition(context, condition))),
            Stmt::Call { name, args } => return self.call_proc(context, name, args, span, all),
        };
        all.extend(kind.map(|kind| Statement { kind, span }));
    }

    fn require_known(&mut self, value: &Expr, name: &str) {
        if self.is_open(&value.ty) && value.ty != Type::Unknown {
            self.report(
                Diagnostic::new(
                    Code::T002,
                    value.span,
                    format!("the type of `{name}` cannot be inferred from this value"),
                )
                .help("give it an element, or use the value directly where its type is known"),
            );
        }
    }

    fn match_statement(
        &mut self,
        context: &mut Context,
        value: &'a ast::Expr,
        arms: &'a [(ast::Pattern, ast::Block)],
        span: Span,
    ) -> StatementKind {
        let value = self.infer(context, value, None);
        let mut lowered: Vec<(Pattern, Shared<[Statement]>)> = Vec::new();
        for (pattern, body) in arms {
            let depth = context.frame.enter();
            let pattern = self.pattern(context, pattern, &value.ty);
            let body = self.block(context, body);
            context.frame.leave(depth);
            lowered.push((pattern, body.into()));
        }
        let patterns: Vec<(&Pattern, Span)> =
            lowered.iter().zip(arms).map(|((pattern, _), (tree, _))| (pattern, tree.span)).collect();
        self.check_cases(&value, &patterns, span);
        StatementKind::Match { value, arms: lowered.into() }
    }

    fn assign(
        &mut self,
        context: &mut Context,
        place: &'a ast::Expr,
        operator: AssignOperator,
        value: &'a ast::Expr,
        span: Span,
    ) -> Option<StatementKind> {
        let Some((lowered, read)) = self.place(context, place) else {
            self.infer(context, value, None);
            return None;
        };
        let value = match operator {
            AssignOperator::Set => {
                let because = (self.model.variables[lowered.variable.0].span, "it is declared".to_string());
                self.check_expr(context, value, &lowered.ty, Some(because))
            }
            AssignOperator::Add => self.combine(context, BinaryOperator::Add, read, value, span),
            AssignOperator::Remove => self.combine(context, BinaryOperator::Subtract, read, value, span),
        };
        Some(StatementKind::Assign { place: lowered, value })
    }

    /// The place, and the expression that reads it.
    fn place(&mut self, context: &mut Context, tree: &'a ast::Expr) -> Option<(Place, Expr)> {
        match &tree.kind {
            Tree::Name(name) => self.place_root(context, name, tree.span),
            Tree::Index { of, index } => {
                let (mut place, read) = self.place(context, of)?;
                let (wanted, ty) = match self.base(&place.ty) {
                    Type::Seq(inner) => (Type::Int, inner.take()),
                    Type::Map(key, value) => (key.take(), value.take()),
                    _ => {
                        return self
                            .not_a_place(tree.span, "only elements of sequences and maps can be assigned by `[...]`");
                    }
                };
                let index = self.check_expr(context, index, &wanted, Some((of.span, "the keys are".to_string())));
                place.path.push(PathStep::Index(index.clone()));
                place.ty = ty.clone();
                Some((place, Expr::new(ExprKind::Index { of: read.into(), index: index.into() }, ty, tree.span)))
            }
            Tree::Field { of, field } => {
                let (mut place, read) = self.place(context, of)?;
                let read = self.value_field(read, field, tree.span, None);
                let ExprKind::Field { index, .. } = &read.kind else {
                    return if matches!(read.kind, ExprKind::Error) {
                        None
                    } else {
                        self.not_a_place(tree.span, "this is a computed value and cannot be assigned")
                    };
                };
                place.path.push(PathStep::Field(*index));
                place.ty = read.ty.clone();
                Some((place, read))
            }
            Tree::Error => None,
            _ => self.not_a_place(tree.span, "only a variable, or an element or field of one, can be assigned"),
        }
    }

    fn not_a_place<T>(&mut self, span: Span, message: &str) -> Option<T> {
        self.report(Diagnostic::new(Code::T007, span, message));
        None
    }

    fn place_root(&mut self, context: &Context, name: &'a str, span: Span) -> Option<(Place, Expr)> {
        self.offer_variables(context, span);
        if let Some((local, declared)) = context.frame.find_declared(name) {
            self.mention(span, declared, Role::Reads);
            let at = context.frame.locals[local.0].span;
            self.report(
                Diagnostic::new(
                    Code::T007,
                    span,
                    format!("`{name}` is not a variable of the system and cannot be assigned"),
                )
                .note(at, "it gets its value here"),
            );
            return None;
        }
        if let Some(id) = context.remembered(name) {
            self.mention_symbol(span, Symbol::Variable(id), Role::Writes);
            return Some(self.whole_variable(id, span));
        }
        match self.symbols.value(name) {
            Some(Symbol::Variable(_)) if context.observer.is_some() => {
                self.not_a_place(span, &format!("an observer cannot assign `{name}`: it only watches the system"))
            }
            Some(symbol @ Symbol::Variable(id)) => {
                self.mention_symbol(span, symbol, Role::Writes);
                Some(self.whole_variable(id, span))
            }
            Some(_) => self.not_a_place(span, &format!("`{name}` is not a variable and cannot be assigned")),
            None => {
                let variables = self.model.variables.iter().map(|variable| variable.name.as_str());
                let help = did_you_mean(name, variables).unwrap_or_else(|| {
                    format!("declare it: `var {name}: TYPE = ...`, or write `let {name} = ...` for a local value")
                });
                self.report(Diagnostic::new(Code::N001, span, format!("unknown variable `{name}`")).help(help));
                None
            }
        }
    }

    fn whole_variable(&self, id: VariableId, span: Span) -> (Place, Expr) {
        let ty = self.model.variables[id.0].ty.clone();
        let read = Expr::new(ExprKind::Variable(id), ty.clone(), span);
        (Place { variable: id, path: Vec::new(), ty }, read)
    }

    fn emit(&mut self, context: &mut Context, event: &'a ast::EventTerm) -> Option<StatementKind> {
        if self.model.discipline == Discipline::Asynchronous {
            self.report(
                Diagnostic::new(
                    Code::S009,
                    event.span,
                    "`emit` is not allowed in an asynchronous system: an output is a separate step",
                )
                .help("write `system NAME reactive` if outputs answer an input in the same step"),
            );
            return None;
        }
        self.offer_actions(event.name.span, |direction| direction == Direction::Output);
        let id = self.action(&event.name, Role::Emits)?;
        if self.model.actions[id.0].direction != Direction::Output {
            self.report(Diagnostic::new(
                Code::N008,
                event.name.span,
                format!("`{}` is not an output", event.name.text),
            ));
            return None;
        }
        if context.observer.is_some() {
            self.not_here(event.span, "an observer cannot emit: it only watches the system");
            return None;
        }
        let wanted: Vec<(Type, Span)> =
            self.model.actions[id.0].params.iter().map(|param| (param.ty.clone(), param.span)).collect();
        let args = self.arguments(context, &event.name.text, &wanted, &event.args, event.span)?;
        Some(StatementKind::Emit { action: id, args: args.into() })
    }

    /// An action by its name.
    pub(super) fn action(&mut self, name: &'a ast::Name, role: Role) -> Option<ActionId> {
        self.offer_actions(name.span, |_| true);
        match self.symbols.value(&name.text) {
            Some(symbol @ Symbol::Action(id)) => {
                self.used.insert(Use::Value(symbol));
                self.mention_symbol(name.span, symbol, role);
                Some(id)
            }
            _ if name.text.is_empty() => None,
            _ => {
                let actions = self.model.actions.iter().map(|action| action.name.as_str());
                let help = did_you_mean(&name.text, actions).unwrap_or_else(|| {
                    format!("declare it: `input {}(...)` or `output {}(...)`", name.text, name.text)
                });
                self.report(
                    Diagnostic::new(Code::N005, name.span, format!("unknown action `{}`", name.text)).help(help),
                );
                None
            }
        }
    }

    fn return_value(&mut self, context: &mut Context, value: &'a ast::Expr, span: Span) -> Option<StatementKind> {
        let Some((id, Some(ty))) = context.action.map(|id| (id, self.returned_type(id))) else {
            self.report(
                Diagnostic::new(
                    Code::S010,
                    span,
                    "`return` is allowed only in a rule of an input that returns a value",
                )
                .help("declare the result: `input name(...) -> TYPE`"),
            );
            self.infer(context, value, None);
            return None;
        };
        let action = &self.model.actions[id.0];
        let why = (action.span, format!("`{}` returns", action.name));
        let value = self.check_expr(context, value, &ty, Some(why));
        self.returning(id, Some(value), span).map(StatementKind::Return)
    }

    /// Writes the proc's statements out, with its parameters as `let`.
    fn call_proc(
        &mut self,
        context: &mut Context,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        span: Span,
        all: &mut Vec<Statement>,
    ) {
        self.offer_procs(name.span);
        let Some(symbol @ Symbol::Proc(index)) = self.symbols.value(&name.text) else {
            return self.not_a_proc(context, name, args);
        };
        self.used.insert(Use::Value(symbol));
        self.mention_symbol(name.span, symbol, Role::Reads);
        let (params, body, at) = {
            let proc = &self.symbols.procs[index];
            (proc.params, proc.body, proc.name.span)
        };
        if context.procs.contains(&index) || self.expanded > EXPANSION_LIMIT {
            self.report(
                Diagnostic::new(
                    Code::S008,
                    span,
                    format!("the proc `{}` is recursive, or calls are nested too deeply", name.text),
                )
                .note(at, "declared here")
                .help("use a `for` over a finite collection"),
            );
            return;
        }
        let wanted: Vec<(Type, Span)> =
            params.iter().map(|param| (self.resolve_type(&param.ty), param.name.span)).collect();
        let Some(args) = self.arguments(context, &name.text, &wanted, args, span) else { return };
        let outer = context.frame.hide();
        for ((param, (ty, _)), value) in params.iter().zip(wanted).zip(args) {
            let local = self.bind(context, &param.name, ty);
            all.push(Statement { kind: StatementKind::Let { local, value }, span });
        }
        context.procs.push(index);
        let action = context.action.take();
        let lowered = self.block(context, body);
        context.action = action;
        context.procs.pop();
        context.frame.restore(outer);
        self.expanded += lowered.len() + 1;
        all.extend(lowered);
    }

    fn not_a_proc(&mut self, context: &mut Context, name: &ast::Name, args: &'a [ast::Expr]) {
        self.for_the_index(|lower| args.iter().for_each(|arg| drop(lower.infer(context, arg, None))));
        if name.text.is_empty() {
            return;
        }
        let procs = self.symbols.procs.iter().map(|proc| proc.name.text.as_str());
        let help = match self.symbols.value(&name.text) {
            Some(Symbol::Action(_)) => Some(format!("write `emit {}(...)` to send an output", name.text)),
            _ => did_you_mean(&name.text, procs),
        };
        self.report(Diagnostic::new(Code::N001, name.span, format!("unknown proc `{}`", name.text)).maybe_help(help));
    }

    /// A proc that nobody calls is checked too.
    pub(super) fn check_procs(&mut self) {
        for index in 0..self.symbols.procs.len() {
            if !self.is_in_focus(self.symbols.procs[index].extent) {
                continue;
            }
            let (params, body, component) = {
                let proc = &self.symbols.procs[index];
                (proc.params, proc.body, proc.component)
            };
            let mut context = Context { new: true, procs: vec![index], ..Context::state(component) };
            if self.model.discipline == Discipline::Synchronous {
                context.events = super::context::Events::Inputs;
            }
            for param in params {
                let ty = self.resolve_type(&param.ty);
                self.bind(&mut context, &param.name, ty);
            }
            self.block(&mut context, body);
        }
        self.warn_unused_procs();
    }

    fn warn_unused_procs(&mut self) {
        for index in 0..self.symbols.procs.len() {
            let name = self.symbols.procs[index].name;
            if !self.used.contains(&Use::Value(Symbol::Proc(index))) && !name.text.starts_with('_') {
                self.report(
                    Diagnostic::new(Code::W001, name.span, format!("the proc `{}` is never called", name.text))
                        .help("remove it, or put `_` before its name to keep it"),
                );
            }
        }
    }
}

/// `left == right`, for guards that patterns stand for.
pub(super) fn equal(left: Expr, right: Expr) -> Expr {
    let span = right.span;
    operators::pair(BinaryOperator::Equal, left, right, Type::Bool, span)
}
