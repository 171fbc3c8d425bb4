//! Observers: automata that watch.

use super::{
    Lower,
    conjunction::conjuncts,
    context::{Context, Events},
};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::*;
use interplay_syntax::ast::{self, Item, ItemKind, LocationItem};

impl<'a> Lower<'a> {
    pub(super) fn observer(&mut self, name: &'a ast::Name, doc: &str, polarity: Polarity, items: &'a [Item]) {
        let id = ObserverId(self.model.observers.len());
        let memory = self.observer_variables(id, items);
        let mut locations = observer_locations(items);
        for (verdict, word) in [(ObserverVerdict::Bad, "bad"), (ObserverVerdict::Good, "good")] {
            locations.push(ObserverLocation { name: word.into(), verdict: Some(verdict), span: name.span });
        }
        let start = self.observer_start(name, items, &locations);
        let variables = memory.iter().map(|(_, id)| *id).collect();
        self.model.observers.push(Observer {
            name: name.text.clone(),
            doc: doc.to_string(),
            polarity,
            variables,
            locations: locations.clone(),
            start,
            rules: Vec::new(),
            span: name.span,
        });
        for item in items {
            let ItemKind::At { locations: names, body } = &item.kind else { continue };
            for place in names {
                let from = self.observer_location(place, &locations).unwrap_or(0);
                for part in body {
                    match part {
                        LocationItem::Rule(rule) => self.observer_rule(id, from, rule, &memory, &locations),
                        LocationItem::Entry(block) | LocationItem::Exit(block) => {
                            self.not_here(block.span, "locations of an observer cannot have entry or exit blocks");
                        }
                    }
                }
            }
        }
    }

    fn observer_variables(&mut self, id: ObserverId, items: &'a [Item]) -> Vec<(String, VariableId)> {
        let mut memory: Vec<(String, VariableId)> = Vec::new();
        for item in items {
            let ItemKind::Var { name, ty, value } = &item.kind else { continue };
            let ty = self.resolve_type(ty);
            let variable = self.new_variable(name, &item.doc, Owner::Observer(id));
            self.model.variables[variable.0].ty = ty.clone();
            if let Some(value) = value {
                let closed =
                    self.closed_as(Context::constant(), value, &ty, &format!("`{}` is declared", name.text), name.span);
                self.model.variables[variable.0].value = Some(closed);
            }
            memory.push((name.text.clone(), variable));
        }
        memory
    }

    fn observer_start(&mut self, name: &ast::Name, items: &'a [Item], locations: &[ObserverLocation]) -> usize {
        let start = items.iter().find_map(|item| match &item.kind {
            ItemKind::Start { location } => Some(location),
            _ => None,
        });
        match start {
            Some(location) => self.observer_location(location, locations).unwrap_or(0),
            None => {
                self.report(
                    Diagnostic::new(Code::S013, name.span, format!("the observer `{}` has no `start`", name.text))
                        .help("add `start PLACE` inside it"),
                );
                0
            }
        }
    }

    fn observer_location(&mut self, name: &ast::Name, locations: &[ObserverLocation]) -> Option<usize> {
        self.offer_names(
            name.span,
            DeclarationKind::Location,
            locations.iter().map(|each| (each.name.as_str(), each.span)),
        );
        let found = locations.iter().position(|location| location.name == name.text);
        match found.map(|found| &locations[found]) {
            Some(location) if location.verdict.is_none() => self.mention(name.span, location.span, Role::Reads),
            Some(_) => self.mention_built_in(name.span),
            None => {}
        }
        if found.is_none() && !name.text.is_empty() {
            let help = did_you_mean(&name.text, locations.iter().map(|location| location.name.as_str()));
            self.report(
                Diagnostic::new(Code::N006, name.span, format!("the observer has no location `{}`", name.text))
                    .maybe_help(help),
            );
        }
        found
    }

    fn observer_rule(
        &mut self,
        id: ObserverId,
        from: usize,
        tree: &'a ast::Rule,
        memory: &[(String, VariableId)],
        locations: &[ObserverLocation],
    ) {
        let mut guard = Vec::new();
        let watching = Context {
            events: Events::All,
            observer: Some(id),
            memory: memory.to_vec(),
            ..Context::state(ComponentId(0))
        };
        let Some((trigger, mut context)) = self.observer_trigger(watching, tree, &mut guard) else { return };
        if let Some(choose) = tree.chooses.first() {
            self.not_here(choose.name.span, "`choose` is not allowed in an observer");
        }
        if let Some(condition) = &tree.condition {
            let condition = self.condition(&mut context, condition);
            conjuncts(&self.model.types, condition, &mut guard);
        }
        let body = tree.body.as_ref().map_or(Vec::new(), |block| self.block(&mut context, block));
        let target = tree.target.as_ref().and_then(|name| self.observer_location(name, locations)).unwrap_or(from);
        let rule = ObserverRule { from, trigger, locals: context.frame.locals, guard, body, target, span: tree.span };
        self.model.observers[id.0].rules.push(rule);
    }

    fn observer_trigger(
        &mut self,
        watching: Context,
        tree: &'a ast::Rule,
        guard: &mut Vec<Expr>,
    ) -> Option<(ObserverTrigger, Context)> {
        match &tree.trigger {
            ast::Trigger::Step(span) => {
                if self.model.discipline != Discipline::Synchronous {
                    self.report(
                        Diagnostic::new(Code::S009, *span, "`on step` is allowed only in a synchronous system")
                            .help("use `on any`, or name the action"),
                    );
                }
                Some((ObserverTrigger::Step, watching))
            }
            ast::Trigger::Silence(_) => Some((ObserverTrigger::Silence, watching)),
            ast::Trigger::Any(_) => Some((ObserverTrigger::Any, watching)),
            ast::Trigger::Action { name, args, result } => {
                self.offer_actions(name.span, |direction| direction != Direction::Internal);
                let id = self.action(name, Role::Handles)?;
                if self.model.actions[id.0].direction == Direction::Internal {
                    return self.invisible(name.span);
                }
                let slots = self.rule_context(ComponentId(0), Some(id), None);
                let mut context = Context { frame: slots.frame, result: slots.result, ..watching };
                self.trigger_patterns(&mut context, id, args.as_deref(), tree.span, guard);
                if let Some(name) = result {
                    self.name_result(&mut context, id, name);
                }
                Some((ObserverTrigger::Action(id), context))
            }
        }
    }

    fn invisible<T>(&mut self, span: Span) -> Option<T> {
        self.not_here(span, "an observer cannot observe internal actions");
        None
    }
}

/// All locations of an observer, described or only named as targets of `at`.
fn observer_locations(items: &[Item]) -> Vec<ObserverLocation> {
    let mut locations: Vec<ObserverLocation> = Vec::new();
    for item in items {
        let ItemKind::At { locations: names, .. } = &item.kind else { continue };
        for name in names {
            if !locations.iter().any(|known| known.name == name.text) {
                locations.push(ObserverLocation { name: name.text.clone(), verdict: None, span: name.span });
            }
        }
    }
    locations
}
