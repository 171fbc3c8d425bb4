//! What judges: observers, properties, goals, scenarios.

use super::{
    Lower,
    conjunction::conjuncts,
    context::{Context, Events},
};
use interplay_diagnostics::{Code, Diagnostic, did_you_mean};
use interplay_model::*;
use interplay_syntax::ast::{self, ExprKind as Tree, Item, ItemKind};

impl<'a> Lower<'a> {
    pub(super) fn lower_judges(&mut self, items: &[(ComponentId, &'a Item)]) {
        for (component, item) in items {
            match &item.kind {
                ItemKind::Observer { name, polarity, items } => {
                    self.declare_judge("property", name);
                    self.observer(name, &item.doc, *polarity, items);
                }
                ItemKind::Property { name, formula } => {
                    self.declare_judge("property", name);
                    let formula = self.closed_condition(Context::formula(), formula);
                    self.model.properties.push(Property {
                        name: name.text.clone(),
                        doc: item.doc.clone(),
                        formula,
                        span: item.span,
                    });
                }
                ItemKind::Goal { name, params, condition, after, under: _ } => {
                    self.declare_judge("goal", name);
                    self.goal(*component, item, (name, params), condition, after);
                }
                ItemKind::Scenario(scenario) => {
                    self.declare_judge("scenario", &scenario.name);
                    self.scenario(*component, item, scenario);
                }
                _ => {}
            }
        }
    }

    fn goal(
        &mut self,
        component: ComponentId,
        item: &'a Item,
        (name, params): (&'a ast::Name, &'a [ast::Param]),
        condition: &'a ast::Expr,
        after: &'a [ast::Expr],
    ) {
        let mut context = Context::state(component);
        self.bind_params(&mut context, params);
        let mut conditions = Vec::new();
        let condition = self.condition(&mut context, condition);
        conjuncts(&self.model.types, condition, &mut conditions);
        let mut context = Context { events: Events::All, ..context };
        let after = after.iter().map(|condition| self.condition(&mut context, condition)).collect();
        let (name, doc, locals) = (name.text.clone(), item.doc.clone(), context.frame.locals);
        let (params, under, span) = (params.len(), Vec::new(), item.span);
        self.model.goals.push(Goal { name, doc, params, locals, under, conditions, after, span });
    }

    /// The setups that goals name, when all setups are known.
    pub(super) fn lower_places_of_goals(&mut self, items: &[(ComponentId, &'a Item)]) {
        let goals = items.iter().filter_map(|(_, item)| match &item.kind {
            ItemKind::Goal { under, .. } => Some(under),
            _ => None,
        });
        for (goal, under) in goals.enumerate() {
            for name in under {
                self.note_setup(name);
                match self.model.setup_named(&name.text) {
                    Some(setup) => self.model.goals[goal].under.push(setup),
                    None => {
                        let help = did_you_mean(&name.text, self.model.setups.iter().map(|setup| setup.name.as_str()));
                        let message = format!("unknown setup `{}`", name.text);
                        self.report(Diagnostic::new(Code::N001, name.span, message).maybe_help(help));
                    }
                }
            }
        }
    }

    pub(super) fn bind_params(&mut self, context: &mut Context, params: &'a [ast::Param]) {
        for param in params {
            let ty = self.resolve_type(&param.ty);
            self.bind(context, &param.name, ty);
        }
    }

    fn scenario(&mut self, component: ComponentId, item: &'a Item, tree: &'a ast::Scenario) {
        let mut context = Context::state(component);
        self.bind_params(&mut context, &tree.params);
        let condition = tree.condition.as_ref().map(|condition| self.condition(&mut context, condition));
        let mut lines = Vec::new();
        for line in &tree.lines {
            if let Some(kind) = self.scenario_line(&mut context, line) {
                lines.push(ScenarioLine { kind, span: line.span });
            }
        }
        let (name, doc, locals) = (tree.name.text.clone(), item.doc.clone(), context.frame.locals);
        self.model.scenarios.push(Scenario {
            name,
            doc,
            params: tree.params.len(),
            condition,
            locals,
            lines,
            span: item.span,
        });
    }

    fn scenario_line(&mut self, context: &mut Context, line: &'a ast::ScenarioLine) -> Option<ScenarioLineKind> {
        use ast::ScenarioLineKind as Line;
        Some(match &line.kind {
            Line::Expect(condition) => ScenarioLineKind::Expect(self.condition(context, condition)),
            Line::Silence => ScenarioLineKind::Silence,
            Line::Wait(time) => ScenarioLineKind::Wait(*time),
            Line::Step { inputs, outputs } => {
                // A reactive system, too, may react to nothing that is seen: what an internal action began.
                if !(inputs.is_empty() && self.model.discipline == Discipline::Reactive) {
                    self.fits_step(line, Discipline::Synchronous, "`step` is allowed only in a synchronous system")?;
                }
                let inputs =
                    inputs.iter().filter_map(|event| self.event_term(context, event, Some(Direction::Input))).collect();
                ScenarioLineKind::Step { inputs, outputs: self.outputs(context, outputs.as_ref()) }
            }
            Line::Event { event, result, outputs } => {
                if self.model.discipline == Discipline::Synchronous {
                    self.report(
                        Diagnostic::new(
                            Code::S009,
                            line.span,
                            "a scenario of a synchronous system consists of `step` lines",
                        )
                        .help(format!("write `step {} / outputs`", event.name.text)),
                    );
                    return None;
                }
                if outputs.is_some() {
                    self.fits_step(
                        line,
                        Discipline::Reactive,
                        "outputs after `/` are allowed only in a reactive system: write them as separate lines",
                    )?;
                }
                let reactive = self.model.discipline == Discipline::Reactive;
                let event = self.event_term(context, event, reactive.then_some(Direction::Input))?;
                let result = match result {
                    Some(result) => Some(self.scenario_result(context, event.action, result)?),
                    None => None,
                };
                ScenarioLineKind::Event { event, result, outputs: self.outputs(context, outputs.as_ref()) }
            }
        })
    }

    fn fits_step(&mut self, line: &ast::ScenarioLine, wanted: Discipline, message: &str) -> Option<()> {
        if self.model.discipline == wanted {
            return Some(());
        }
        self.report(Diagnostic::new(Code::S009, line.span, message));
        None
    }

    fn outputs(&mut self, context: &mut Context, outputs: Option<&'a ast::Outputs>) -> Option<Outputs> {
        let outputs = outputs?;
        let events = outputs
            .events
            .iter()
            .filter_map(|event| self.event_term(context, event, Some(Direction::Output)))
            .collect();
        Some(Outputs { events, more: outputs.more })
    }

    fn event_term(
        &mut self,
        context: &mut Context,
        tree: &'a ast::EventTerm,
        wanted: Option<Direction>,
    ) -> Option<EventTerm> {
        if let Some(wanted) = wanted {
            self.offer_actions(tree.name.span, |direction| direction == wanted);
        }
        let action = self.action(&tree.name, Role::Reads)?;
        let direction = self.model.actions[action.0].direction;
        if let Some(wanted) = wanted
            && direction != wanted
            && direction != Direction::Internal
        {
            let word = if wanted == Direction::Input { "an input" } else { "an output" };
            self.report(Diagnostic::new(Code::N008, tree.name.span, format!("`{}` is not {word}", tree.name.text)));
            return None;
        }
        let args = self.event_arguments(context, action, &tree.args, tree.span)?;
        Some(EventTerm { action, args, span: tree.span })
    }

    /// A name that is not known yet stands for what comes back; anything else must be equal to it.
    fn scenario_result(
        &mut self,
        context: &mut Context,
        action: ActionId,
        tree: &'a ast::Expr,
    ) -> Option<ScenarioResult> {
        if let Some(outcome) = self.outcome_expression(action, tree) {
            return Some(ScenarioResult::Equal(outcome));
        }
        let Some(ty) = self.returned_type(action) else {
            let name = self.model.actions[action.0].name.clone();
            self.report(Diagnostic::new(Code::S010, tree.span, format!("`{name}` returns nothing")));
            return None;
        };
        if let Tree::Name(name) = &tree.kind
            && context.frame.find(name).is_none()
            && self.symbols.value(name).is_none()
            && !self.symbols.variants.contains_key(name.as_str())
        {
            let name = ast::Name { text: name.clone(), span: tree.span };
            let whole = self.model.actions[action.0].result.clone().unwrap_or(ty);
            return Some(ScenarioResult::Bind(self.bind(context, &name, whole)));
        }
        let at = self.model.actions[action.0].span;
        let value = self.check_expr(context, tree, &ty, Some((at, "the action returns".to_string())));
        self.returning(action, Some(value), tree.span).map(ScenarioResult::Equal)
    }
}
