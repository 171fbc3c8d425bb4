//! Rules: blocks of actions, `on`, and the moves between locations.

use super::{
    Lower,
    conjunction::conjuncts,
    context::{Context, Events},
    returns::always_returns,
    statement::equal,
    symbols::Symbol,
};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::*;
use interplay_syntax::ast::{self, Item, ItemKind, LocationItem, PatternKind};

impl<'a> Lower<'a> {
    pub(super) fn lower_rules(&mut self, items: &[(ComponentId, &'a Item)]) {
        self.lower_starts(items);
        self.declare_nodes();
        let written = self.rules_written(items);
        for (component, item) in items {
            match &item.kind {
                ItemKind::Actions { actions, .. } => {
                    actions.iter().for_each(|action| self.action_rule(*component, action, &written));
                }
                ItemKind::On(rule) => self.on(*component, None, rule, Origin::On),
                ItemKind::At { locations, body } => {
                    let from: Vec<LocationId> =
                        locations.iter().filter_map(|name| self.find_location(*component, name)).collect();
                    self.location_rules(*component, &from, body, Origin::On);
                }
                ItemKind::Choice { name, body } => {
                    let from: Vec<LocationId> = self.find_location(*component, name).into_iter().collect();
                    self.location_rules(*component, &from, body, Origin::Choice);
                }
                ItemKind::Relation(relation) => self.relation(relation, item.span),
                _ => {}
            }
        }
        for node in 0..self.model.nodes.len() {
            self.collect_rules(NodeId(node));
        }
        self.lower_entries();
        self.note_blocks_of_locations();
        self.check_procs();
    }

    fn lower_starts(&mut self, items: &[(ComponentId, &'a Item)]) {
        for (component, item) in items {
            let ItemKind::Start { location } = &item.kind else { continue };
            let Some(id) = self.find_location(*component, location) else { continue };
            if let Some(first) = self.model.components[component.0].start.replace(id) {
                let span = self.model.locations[first.0].span;
                self.declared_twice(&ast::Name { text: format!("start {}", location.text), span: location.span }, span);
            }
        }
        for (index, component) in self.model.components.clone().iter().enumerate() {
            let first = self.model.locations.iter().find(|location| location.component.0 == index && !location.end);
            if let (None, Some(first)) = (component.start, first) {
                self.report(
                    Diagnostic::new(Code::S013, first.span, "the system has locations but no `start`")
                        .help(format!("add `start {}`", first.name)),
                );
            }
        }
    }

    /// Which actions have a rule outside their own declaration.
    fn rules_written(&self, items: &[(ComponentId, &'a Item)]) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        let trigger = |rule: &'a ast::Rule| match &rule.trigger {
            ast::Trigger::Action { name, .. } => Some(name.text.as_str()),
            _ => None,
        };
        for (_, item) in items {
            match &item.kind {
                ItemKind::On(rule) => names.extend(trigger(rule)),
                ItemKind::At { body, .. } | ItemKind::Choice { body, .. } => {
                    names.extend(body.iter().filter_map(|part| match part {
                        LocationItem::Rule(rule) => trigger(rule),
                        _ => None,
                    }));
                }
                ItemKind::Collect { events, .. } => names.extend(events.iter().map(|event| event.text.as_str())),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The declaration of an action is a rule if it has a block, or if nothing else says what the action does.
    fn action_rule(&mut self, component: ComponentId, tree: &'a ast::Action, written: &[&str]) {
        let Some(Symbol::Action(id)) = self.symbols.value(&tree.name.text) else { return };
        let elsewhere = written.binary_search(&tree.name.text.as_str()).is_ok();
        let speaks = !tree.requires.is_empty() || !tree.ensures.is_empty() || !tree.chooses.is_empty();
        if let (Some(body), true) = (&tree.body, elsewhere) {
            self.report(
                Diagnostic::new(Code::S011, body.span, format!("`{}` has a block and also `on` rules", tree.name.text))
                    .help("move the block into an `on` rule"),
            );
        }
        if tree.body.is_none() && (elsewhere || !speaks) {
            self.check_clauses_alone(component, id, tree, elsewhere);
            return;
        }
        if !self.fits_discipline(id, tree.name.span) {
            return;
        }
        let mut context = self.rule_context(component, Some(id), None);
        self.show_params(&mut context, id);
        let mut guard = Vec::new();
        self.requires(&mut context, id, &mut guard);
        let chosen = self.chooses(&mut context, &tree.chooses, &mut guard);
        let body = tree.body.as_ref().map_or(Vec::new(), |block| self.block(&mut context, block));
        let body = self.return_at_the_end(id, body, tree.span);
        let mut after = Context { old: true, new: false, ..context };
        let mut ensures = Vec::new();
        for condition in &tree.ensures {
            let condition = self.condition(&mut after, condition);
            conjuncts(&self.model.types, condition, &mut ensures);
        }
        self.require_result(id, &body, !ensures.is_empty(), tree.span);
        self.push_rule(
            component,
            Trigger::Action(id),
            None,
            after,
            chosen,
            guard,
            body,
            ensures,
            Origin::Action,
            tree.span,
        );
    }

    /// `requires` of an action without a rule of its own is checked with the rules; without any rule, here.
    fn check_clauses_alone(&mut self, component: ComponentId, id: ActionId, tree: &'a ast::Action, elsewhere: bool) {
        if !elsewhere {
            let mut context = self.rule_context(component, Some(id), None);
            self.show_params(&mut context, id);
            self.requires(&mut context, id, &mut Vec::new());
        }
        if let Some(clause) =
            tree.ensures.first().or(tree.chooses.first().map(|choose| &choose.from)).filter(|_| elsewhere)
        {
            self.not_here(
                clause.span,
                "`ensures` and `choose` belong to a rule, but this action has its rules elsewhere",
            );
        }
    }

    /// What may have rules in which discipline.
    fn fits_discipline(&mut self, id: ActionId, span: Span) -> bool {
        let (direction, name) = (self.model.actions[id.0].direction, self.model.actions[id.0].name.clone());
        let problem = match (self.model.discipline, direction) {
            (Discipline::Reactive, Direction::Output) => {
                format!("in a reactive system write `emit {name}` in the rule of an input")
            }
            (Discipline::Synchronous, Direction::Input) => {
                format!("in a synchronous system write a rule `on step when {name}`")
            }
            (Discipline::Synchronous, Direction::Output) => {
                format!("in a synchronous system write `emit {name}` in a rule `on step`")
            }
            (Discipline::Synchronous, Direction::Internal) => {
                format!("a synchronous system has no internal actions: move `{name}` into a rule `on step`")
            }
            _ => return true,
        };
        self.report(Diagnostic::new(Code::S009, span, problem));
        false
    }

    /// A context whose first locals are the action's parameters, then its result; none of them has a name yet.
    pub(super) fn rule_context(
        &mut self,
        component: ComponentId,
        action: Option<ActionId>,
        from: Option<Vec<LocationId>>,
    ) -> Context {
        let mut context = Context { new: true, action, from, ..Context::state(component) };
        if action.is_none() {
            context.events = Events::Inputs;
        }
        let Some(id) = action else { return context };
        let action = self.model.actions[id.0].clone();
        for param in action.params {
            context.frame.slot(Local { name: param.name, ty: param.ty, span: param.span });
        }
        context.result =
            action.result.map(|ty| context.frame.slot(Local { name: "result".into(), ty, span: action.span }));
        context
    }

    pub(super) fn show_params(&mut self, context: &mut Context, id: ActionId) {
        for (index, param) in self.symbols.actions[id.0].params.iter().enumerate() {
            self.show(context, &param.name, LocalId(index));
        }
    }

    /// The action's `requires`, which speak of the parameters by their declared names.
    fn requires(&mut self, context: &mut Context, id: ActionId, guard: &mut Vec<Expr>) {
        let new = std::mem::replace(&mut context.new, false);
        for condition in &self.symbols.actions[id.0].requires {
            let condition = self.condition(context, condition);
            conjuncts(&self.model.types, condition, guard);
        }
        context.new = new;
    }

    /// `choose k in S where c` is a local that the guard fixes.
    fn chooses(&mut self, context: &mut Context, chooses: &'a [ast::Choose], guard: &mut Vec<Expr>) -> Vec<LocalId> {
        let mut chosen = Vec::new();
        for choose in chooses {
            let from = self.infer(context, &choose.from, None);
            let ty = self.member_type(&from);
            let local = self.bind(context, &choose.name, ty.clone());
            let span = choose.name.span.to(from.span);
            let left = Expr::new(ExprKind::Local(local), ty, choose.name.span);
            guard.push(super::operators::pair(BinaryOperator::In, left, from, Type::Bool, span));
            if let Some(condition) = &choose.condition {
                let condition = self.condition(context, condition);
                conjuncts(&self.model.types, condition, guard);
            }
            chosen.push(local);
        }
        chosen
    }

    fn location_rules(
        &mut self,
        component: ComponentId,
        from: &[LocationId],
        body: &'a [LocationItem],
        origin: Origin,
    ) {
        for part in body {
            if let LocationItem::Rule(rule) = part {
                self.on(component, Some(from.to_vec()), rule, origin);
            }
        }
    }

    fn on(&mut self, component: ComponentId, from: Option<Vec<LocationId>>, tree: &'a ast::Rule, origin: Origin) {
        let (trigger, mut context, mut guard) = match &tree.trigger {
            ast::Trigger::Step(span) => {
                if self.model.discipline != Discipline::Synchronous {
                    self.report(
                        Diagnostic::new(Code::S009, *span, "rules `on step` are allowed only in a synchronous system")
                            .help("name the action: `on press(...)`"),
                    );
                    return;
                }
                (Trigger::Step, self.rule_context(component, None, from.clone()), Vec::new())
            }
            ast::Trigger::Action { name, args, result } => {
                let Some(id) = self.action(name, Role::Handles) else {
                    return self.note_rule_of_nothing(component, tree);
                };
                if !self.fits_discipline(id, name.span) {
                    return self.note_rule_of_nothing(component, tree);
                }
                let mut context = self.rule_context(component, Some(id), from.clone());
                let mut guard = Vec::new();
                // What an action requires protects the patterns of its rules, and not the other way round.
                self.named_requires(&mut context, id, &mut guard);
                self.trigger_patterns(&mut context, id, args.as_deref(), tree.span, &mut guard);
                if let Some(name) = result {
                    if self.outcome(id).is_some() {
                        self.refuse_condition_on_outcome(name.span);
                    }
                    self.name_result(&mut context, id, name);
                }
                (Trigger::Action(id), context, guard)
            }
            ast::Trigger::Silence(span) | ast::Trigger::Any(span) => {
                self.not_here(*span, "`silence` and `any` are allowed only in observers");
                return;
            }
        };
        let chosen = self.chooses(&mut context, &tree.chooses, &mut guard);
        if let Some(condition) = &tree.condition {
            let condition = self.condition(&mut context, condition);
            conjuncts(&self.model.types, condition, &mut guard);
        }
        let mut body = tree.body.as_ref().map_or(Vec::new(), |block| self.block(&mut context, block));
        if let Trigger::Action(id) = trigger {
            body = self.return_at_the_end(id, body, tree.span);
        }
        if let Some(target) = &tree.target {
            self.goto(&mut context, target, &mut body);
        }
        let ensures = judge_result_later(&context, &mut guard);
        if let Trigger::Action(id) = trigger {
            self.require_result(id, &body, !ensures.is_empty(), tree.span);
        }
        self.push_rule(component, trigger, from, context, chosen, guard, body, ensures, origin, tree.span);
    }

    /// A rule whose action is not known (yet) is looked at for the index alone.
    fn note_rule_of_nothing(&mut self, component: ComponentId, tree: &'a ast::Rule) {
        self.for_the_index(|lower| {
            let mut context = lower.rule_context(component, None, None);
            if let ast::Trigger::Action { args: Some(args), .. } = &tree.trigger {
                for arg in args {
                    lower.pattern(&mut context, arg, &Type::Unknown);
                }
            }
            lower.chooses(&mut context, &tree.chooses, &mut Vec::new());
            if let Some(condition) = &tree.condition {
                lower.condition(&mut context, condition);
            }
            if let Some(body) = &tree.body {
                lower.block(&mut context, body);
            }
            if let Some(target) = &tree.target {
                lower.find_location(component, target);
            }
        });
    }

    /// `on dial(u, "911", _, =e)`: names become visible, everything else is a condition.
    pub(super) fn trigger_patterns(
        &mut self,
        context: &mut Context,
        id: ActionId,
        args: Option<&'a [ast::Pattern]>,
        span: Span,
        guard: &mut Vec<Expr>,
    ) {
        let Some(args) = args else { return };
        let params = self.model.actions[id.0].params.clone();
        let name = self.model.actions[id.0].name.clone();
        if !self.count_arguments(&name, params.len(), args.len(), span) {
            self.for_the_index(|lower| {
                for arg in args {
                    lower.pattern(context, arg, &Type::Unknown);
                }
            });
            return;
        }
        for (index, (arg, param)) in args.iter().zip(&params).enumerate() {
            let left = Expr::new(ExprKind::Local(LocalId(index)), param.ty.clone(), arg.span);
            match &arg.kind {
                PatternKind::Wildcard | PatternKind::Error => {}
                PatternKind::Equal(value) => {
                    let value = self.check_expr(
                        context,
                        value,
                        &param.ty,
                        Some((param.span, format!("`{}` is declared", param.name))),
                    );
                    guard.push(equal(left, value));
                }
                PatternKind::Name(text) if !self.is_variant(&param.ty, text) => {
                    let name = ast::Name { text: text.clone(), span: arg.span };
                    self.show(context, &name, LocalId(index));
                }
                _ => {
                    let depth = context.frame.enter();
                    let pattern = self.pattern(context, arg, &param.ty);
                    context.frame.leave(depth);
                    guard.push(pattern_condition(left, pattern, arg.span));
                }
            }
        }
    }

    fn is_variant(&self, ty: &Type, name: &str) -> bool {
        matches!(self.base(ty), Type::Enum(id) if self.model.types.enums[id.0].variants.iter().any(|variant| variant.name == name))
    }

    /// `requires` sees the declared names, not those of the pattern.
    fn named_requires(&mut self, context: &mut Context, id: ActionId, guard: &mut Vec<Expr>) {
        let outer = context.frame.hide();
        for (index, param) in self.symbols.actions[id.0].params.iter().enumerate() {
            context.frame.show(&param.name, LocalId(index));
        }
        self.requires(context, id, guard);
        context.frame.restore(outer);
    }

    pub(super) fn name_result(&mut self, context: &mut Context, id: ActionId, name: &'a ast::Name) {
        match context.result {
            Some(local) => self.show(context, name, local),
            None => {
                let action = self.model.actions[id.0].name.clone();
                self.report(
                    Diagnostic::new(Code::S010, name.span, format!("`{action}` returns nothing"))
                        .help("declare the result: `input name(...) -> TYPE`"),
                );
            }
        }
    }

    /// An input that returns a value must say which.
    fn require_result(&mut self, id: ActionId, body: &[Statement], ensured: bool, span: Span) {
        let action = &self.model.actions[id.0];
        if action.result.is_none() || ensured || always_returns(body) {
            return;
        }
        let name = action.name.clone();
        self.report(
            Diagnostic::new(Code::S010, span, format!("`{name}` must return a value on every path through this rule"))
                .help("end with `return e`, or restrict `result` by `ensures`"),
        );
    }

    /// `-> Place`: exit blocks of where the rule applies, the move, the entry block of the target.
    pub(super) fn goto(&mut self, context: &mut Context, target: &'a ast::Name, body: &mut Vec<Statement>) {
        let Some(id) = self.find_location(context.component, target) else { return };
        self.move_to(context, id, target.span, body);
    }

    pub(super) fn move_to(&mut self, context: &mut Context, target: LocationId, span: Span, body: &mut Vec<Statement>) {
        self.leave(context, span, body);
        body.push(Statement { kind: StatementKind::Goto(target), span });
        for block in self.symbols.blocks[target.0].entry.clone() {
            let lowered = self.block(context, block);
            self.expanded += lowered.len();
            body.extend(lowered);
        }
    }

    /// The exit block of the location that is left; of several, the one where the component is.
    fn leave(&mut self, context: &mut Context, span: Span, body: &mut Vec<Statement>) {
        let component = context.component;
        let all = || {
            self.model
                .locations
                .iter()
                .enumerate()
                .filter(|(_, location)| location.component == component)
                .map(|(id, _)| LocationId(id))
                .collect()
        };
        let from: Vec<LocationId> = context.from.clone().unwrap_or_else(all);
        let leaving: Vec<(LocationId, Vec<Statement>)> = from
            .iter()
            .map(|id| (*id, self.exit_statements(context, *id, span)))
            .filter(|(_, block)| !block.is_empty())
            .collect();
        if from.len() == 1 {
            return body.extend(leaving.into_iter().flat_map(|(_, block)| block));
        }
        for (id, then) in leaving {
            let condition = Expr::new(ExprKind::At { component, locations: [id].into() }, Type::Bool, span);
            body.push(Statement {
                kind: StatementKind::If { condition, then: then.into(), otherwise: [].into() },
                span,
            });
        }
    }

    fn exit_statements(&mut self, context: &mut Context, id: LocationId, span: Span) -> Vec<Statement> {
        let mut statements = Vec::new();
        for block in self.symbols.blocks[id.0].exit.clone() {
            statements.extend(self.block(context, block));
        }
        if let Some(node) = self.symbols.blocks[id.0].node {
            statements.extend(self.forget_received(node, span));
        }
        statements
    }

    fn lower_entries(&mut self) {
        for index in 0..self.model.components.len() {
            let Some(start) = self.model.components[index].start else { continue };
            let mut context = Context { new: true, ..Context::state(ComponentId(index)) };
            let blocks = self.symbols.blocks[start.0].entry.clone();
            let entry = blocks.into_iter().flat_map(|block| self.block(&mut context, block)).collect();
            self.model.components[index].entry = entry;
            self.model.components[index].entry_locals = context.frame.locals;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a rule, gathered by each of its few makers")]
    pub(super) fn push_rule(
        &mut self,
        component: ComponentId,
        trigger: Trigger,
        from: Option<Vec<LocationId>>,
        context: Context,
        chosen: Vec<LocalId>,
        guard: Vec<Expr>,
        body: Vec<Statement>,
        ensures: Vec<Expr>,
        origin: Origin,
        span: Span,
    ) -> RuleId {
        let params = match trigger {
            Trigger::Action(id) => self.model.actions[id.0].params.len(),
            Trigger::Step => 0,
        };
        let (locals, result) = (context.frame.locals, context.result);
        self.model.rules.push(Rule {
            component,
            trigger,
            from,
            locals,
            params,
            chosen,
            result,
            guard,
            body,
            ensures,
            origin,
            span,
        });
        RuleId(self.model.rules.len() - 1)
    }

    fn relation(&mut self, tree: &'a ast::Relation, span: Span) {
        let relation = match tree {
            ast::Relation::Exclusive(terms) => Relation::Exclusive { terms: self.relation_terms(terms), span },
            ast::Relation::ExactlyOne(terms) => Relation::ExactlyOne { terms: self.relation_terms(terms), span },
            ast::Relation::Condition(condition) => {
                let context = Context { events: Events::All, state: false, ..Context::constant() };
                Relation::Condition(self.closed_condition(context, condition))
            }
        };
        if self.model.discipline == Discipline::Asynchronous {
            self.report(
                Diagnostic::new(
                    Code::S009,
                    span,
                    "relations between signals are not allowed in an asynchronous system: a step has one event",
                )
                .help("write `system NAME reactive` or `system NAME synchronous`"),
            );
        }
        self.model.relations.push(relation);
    }

    fn relation_terms(&mut self, terms: &'a [ast::RelationTerm]) -> Vec<RelationTerm> {
        let mut names: Vec<&str> = Vec::new();
        let mut lowered = Vec::new();
        for term in terms {
            let Some(action) = self.action(&term.action, Role::Reads) else { continue };
            let wanted = self.model.actions[action.0].params.len();
            if !term.args.is_empty()
                && !self.count_arguments(&term.action.text, wanted, term.args.len(), term.action.span)
            {
                continue;
            }
            let mut args = Vec::new();
            for name in &term.args {
                let number = names.iter().position(|known| *known == name.text).unwrap_or(names.len());
                if number == names.len() {
                    names.push(&name.text);
                }
                args.push(number);
            }
            lowered.push(RelationTerm { action, args });
        }
        lowered
    }
}

/// A simple pattern is an equality, which also yields the value of the parameter.
fn pattern_condition(left: Expr, pattern: Pattern, span: Span) -> Expr {
    let ty = left.ty.clone();
    let literal = match &pattern {
        Pattern::Bool(value) => Some(ExprKind::Bool(*value)),
        Pattern::Int(value) => Some(ExprKind::Int(*value)),
        Pattern::String(value) => Some(ExprKind::String(value.clone())),
        Pattern::None => Some(ExprKind::None),
        _ => None,
    };
    match literal {
        Some(kind) => equal(left, Expr::new(kind, ty, span)),
        None => Expr::new(ExprKind::Is { value: left.into(), pattern: pattern.into() }, Type::Bool, span),
    }
}

/// `on get(k) -> r when r == store[k]`: what speaks of the result is judged when the result is known, in the state before.
fn judge_result_later(context: &Context, guard: &mut Vec<Expr>) -> Vec<Expr> {
    let Some(result) = context.result else { return Vec::new() };
    let mentions = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |part| found |= part.kind == ExprKind::Local(result));
        found
    };
    let (later, now): (Vec<Expr>, Vec<Expr>) = guard.drain(..).partition(mentions);
    *guard = now;
    later.into_iter().map(|condition| in_the_state_before(condition, result)).collect()
}

fn in_the_state_before(condition: Expr, result: LocalId) -> Expr {
    let old = |expr: Expr| {
        let (ty, span) = (expr.ty.clone(), expr.span);
        Expr::new(ExprKind::Old(expr.into()), ty, span)
    };
    match condition.kind {
        ExprKind::Binary { operator: operator @ (BinaryOperator::Equal | BinaryOperator::In), left, right }
            if left.kind == ExprKind::Local(result) =>
        {
            super::operators::pair(operator, left.take(), old(right.take()), Type::Bool, condition.span)
        }
        _ => old(condition),
    }
}
