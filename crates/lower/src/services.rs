//! `collect` nodes: one rule per event, whose body is the node's decision written out.

use super::{
    Lower,
    context::Context,
    symbols::{Symbol, Use},
};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::*;
use interplay_syntax::ast::{self, CollectItem, ItemKind};

impl<'a> Lower<'a> {
    /// Gives every node a variable per event for what it has received.
    pub(super) fn declare_nodes(&mut self) {
        for index in 0..self.symbols.collects.len() {
            let item = self.symbols.collects[index];
            let ItemKind::Collect { name, events, .. } = &item.kind else { continue };
            let location = self
                .symbols
                .blocks
                .iter()
                .position(|blocks| blocks.node == Some(NodeId(index)))
                .map_or(LocationId(0), LocationId);
            let mut collected: Vec<CollectEvent> = Vec::new();
            for event in events {
                let Some(action) = self.action(event, interplay_model::Role::Handles) else { continue };
                if collected.iter().any(|known| known.action == action) {
                    self.declared_twice(event, name.span);
                    continue;
                }
                let params = self.model.actions[action.0].params.iter().map(|param| param.ty.clone()).collect();
                let variable = ast::Name { text: format!("{}.{}", name.text, event.text), span: event.span };
                let received = self.new_variable(&variable, "", Owner::Node(NodeId(index)));
                let ty = Type::Option(Type::Tuple(params).into());
                let none = Expr::new(ExprKind::None, ty.clone(), event.span);
                self.model.variables[received.0].ty = ty;
                self.model.variables[received.0].value = Some(Closed { expr: none, locals: Vec::new() });
                collected.push(CollectEvent { action, received });
            }
            let (checks, done, rules) = (Vec::new(), Vec::new(), Vec::new());
            self.model.nodes.push(CollectNode { location, events: collected, checks, done, rules, span: name.span });
        }
    }

    /// `amt.dollars` inside the node.
    pub(super) fn received(
        &mut self,
        node: NodeId,
        action: ActionId,
        param: usize,
        ty: Type,
        at: Span,
        span: Span,
    ) -> Expr {
        let Some(event) = self.model.nodes[node.0].events.iter().find(|event| event.action == action) else {
            let name = self.model.actions[action.0].name.clone();
            self.report(
                Diagnostic::new(Code::S011, at, format!("this node does not wait for `{name}`"))
                    .note(self.model.nodes[node.0].span, "it waits for the events listed here"),
            );
            return Expr::error(span);
        };
        let tuple = self.received_tuple(event.received, at);
        Expr::new(ExprKind::Field { of: tuple.into(), index: param }, ty, span)
    }

    fn received_tuple(&self, variable: VariableId, span: Span) -> Expr {
        let option = self.variable_expr(variable, span);
        let Type::Option(inner) = option.ty.clone() else { return Expr::error(span) };
        Expr::new(ExprKind::Builtin { function: Builtin::OptionGet, args: [option].into() }, inner.take(), span)
    }

    fn variable_expr(&self, variable: VariableId, span: Span) -> Expr {
        Expr::new(ExprKind::Variable(variable), self.model.variables[variable.0].ty.clone(), span)
    }

    /// All of these events have been received.
    fn have_received(&self, variables: &[VariableId], span: Span) -> Option<Expr> {
        let is_some = |variable: &VariableId| {
            let args = vec![self.variable_expr(*variable, span)];
            Expr::new(ExprKind::Builtin { function: Builtin::IsSome, args: args.into() }, Type::Bool, span)
        };
        variables
            .iter()
            .map(is_some)
            .reduce(|left, right| super::operators::pair(BinaryOperator::And, left, right, Type::Bool, span))
    }

    pub(super) fn forget_received(&self, node: NodeId, span: Span) -> Vec<Statement> {
        let forget = |event: &CollectEvent| {
            let ty = self.model.variables[event.received.0].ty.clone();
            let value = Expr::new(ExprKind::None, ty.clone(), span);
            Statement {
                kind: StatementKind::Assign { place: Place { variable: event.received, path: Vec::new(), ty }, value },
                span,
            }
        };
        self.model.nodes[node.0].events.iter().map(forget).collect()
    }

    pub(super) fn collect_rules(&mut self, node: NodeId) {
        let item = self.symbols.collects[node.0];
        let ItemKind::Collect { body, .. } = &item.kind else { return };
        if !self.is_in_focus(item.span) {
            return;
        }
        let location = self.model.nodes[node.0].location;
        let component = self.model.locations[location.0].component;
        self.describe_node(node, component, body);
        for event in self.model.nodes[node.0].events.clone() {
            let from = Some(vec![location]);
            if !self.collectable(event.action, item.span) {
                continue;
            }
            let mut context =
                Context { node: Some(node), ..self.rule_context(component, Some(event.action), from.clone()) };
            let span = item.span;
            let mut statements = vec![self.remember(&event, span)];
            statements.extend(self.decision(&mut context, node, body, 0));
            let mut guard = Vec::new();
            self.requires_of(&mut context, event.action, &mut guard);
            let rule = self.push_rule(
                component,
                Trigger::Action(event.action),
                from,
                context,
                Vec::new(),
                guard,
                statements,
                Vec::new(),
                Origin::Collect(node),
                span,
            );
            self.model.nodes[node.0].rules.push(rule);
        }
    }

    fn collectable(&mut self, action: ActionId, span: Span) -> bool {
        let action = &self.model.actions[action.0];
        let fine = action.direction == Direction::Input
            && action.result.is_none()
            && self.model.discipline != Discipline::Synchronous;
        if !fine {
            let message =
                format!("`{}` cannot be collected: a `collect` waits for inputs without a result", action.name);
            self.report(Diagnostic::new(Code::S009, span, message));
        }
        fine
    }

    /// `requires` of the event with its declared parameter names.
    fn requires_of(&mut self, context: &mut Context, action: ActionId, guard: &mut Vec<Expr>) {
        let node = context.node.take();
        self.show_params(context, action);
        for condition in &self.symbols.actions[action.0].requires {
            let condition = self.condition(context, condition);
            super::conjunction::conjuncts(&self.model.types, condition, guard);
        }
        context.node = node;
    }

    /// `Login.name = some((user))`
    fn remember(&self, event: &CollectEvent, span: Span) -> Statement {
        let params = &self.model.actions[event.action.0].params;
        let parts = params
            .iter()
            .enumerate()
            .map(|(index, param)| Expr::new(ExprKind::Local(LocalId(index)), param.ty.clone(), span))
            .collect();
        let ty = self.model.variables[event.received.0].ty.clone();
        let Type::Option(inner) = &ty else { unreachable!("received variables are options") };
        let tuple = Expr::new(ExprKind::Tuple(parts), (**inner).clone(), span);
        let value = Expr::new(ExprKind::Some(tuple.into()), ty.clone(), span);
        Statement {
            kind: StatementKind::Assign { place: Place { variable: event.received, path: Vec::new(), ty }, value },
            span,
        }
    }

    /// The checks in order, each under the condition that its events are there; then `done`.
    fn decision(
        &mut self,
        context: &mut Context,
        node: NodeId,
        body: &'a [CollectItem],
        number: usize,
    ) -> Vec<Statement> {
        let mut checks = body.iter().filter_map(|part| match part {
            CollectItem::Check { condition, body, target, span } => Some((condition, body, target, *span)),
            _ => None,
        });
        let Some((condition, block, target, span)) = checks.nth(number) else {
            return self.done(context, node, body);
        };
        let condition = self.condition(context, condition);
        let violated = Expr::new(ExprKind::Not(condition.into()), Type::Bool, span);
        let events: Vec<VariableId> = self.model.nodes[node.0].checks.get(number).map_or(Vec::new(), |check| {
            check.signature.iter().map(|index| self.model.nodes[node.0].events[*index].received).collect()
        });
        let condition = match self.have_received(&events, span) {
            Some(received) => super::operators::pair(BinaryOperator::And, received, violated, Type::Bool, span),
            None => violated,
        };
        let mut then = block.as_ref().map_or(Vec::new(), |block| self.block(context, block));
        if let Some(target) = target {
            self.goto(context, target, &mut then);
        }
        let otherwise = self.decision(context, node, body, number + 1);
        vec![Statement { kind: StatementKind::If { condition, then: then.into(), otherwise: otherwise.into() }, span }]
    }

    fn done(&mut self, context: &mut Context, node: NodeId, body: &'a [CollectItem]) -> Vec<Statement> {
        let span = self.model.nodes[node.0].span;
        let all: Vec<VariableId> = self.model.nodes[node.0].events.iter().map(|event| event.received).collect();
        let mut chain: Vec<Statement> = Vec::new();
        for part in body.iter().rev() {
            let CollectItem::Done { condition, body, target, span } = part else { continue };
            let mut then = body.as_ref().map_or(Vec::new(), |block| self.block(context, block));
            if let Some(target) = target {
                self.goto(context, target, &mut then);
            }
            chain = match condition {
                Some(condition) => {
                    let condition = self.condition(context, condition);
                    vec![Statement {
                        kind: StatementKind::If { condition, then: then.into(), otherwise: chain.into() },
                        span: *span,
                    }]
                }
                None => then,
            };
        }
        match self.have_received(&all, span) {
            Some(condition) => {
                vec![Statement {
                    kind: StatementKind::If { condition, then: chain.into(), otherwise: [].into() },
                    span,
                }]
            }
            None => chain,
        }
    }

    /// Keeps the node as written, for the engines that reason about it.
    fn describe_node(&mut self, node: NodeId, component: ComponentId, body: &'a [CollectItem]) {
        for part in body {
            match part {
                CollectItem::Check { condition, target, span, .. } => {
                    let context = Context { node: Some(node), ..Context::state(component) };
                    let condition = self.closed_condition(context, condition);
                    let signature = self.signature(node, &condition.expr);
                    let target = target.as_ref().and_then(|name| self.find_location(component, name));
                    self.model.nodes[node.0].checks.push(Check { condition, signature, target, span: *span });
                }
                CollectItem::Done { condition, target, span, .. } => {
                    let context = Context { node: Some(node), ..Context::state(component) };
                    let condition = condition.as_ref().map(|condition| self.closed_condition(context, condition));
                    let target = target.as_ref().and_then(|name| self.find_location(component, name));
                    self.model.nodes[node.0].done.push(Done { condition, target, span: *span });
                }
                _ => {}
            }
        }
        for event in self.model.nodes[node.0].events.clone() {
            self.used.insert(Use::Value(Symbol::Action(event.action)));
        }
    }

    fn signature(&self, node: NodeId, condition: &Expr) -> Vec<usize> {
        let events = &self.model.nodes[node.0].events;
        let mut found = Vec::new();
        condition.walk(&mut |part| {
            if let ExprKind::Variable(id) = part.kind
                && let Some(index) = events.iter().position(|event| event.received == id)
            {
                found.push(index);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}
