//! Rules that stand by themselves, at locations, in `choice` and `collect` nodes, and in components.

use crate::actions::{Action, Direction};
use crate::expressions::{Hint, Level};
use crate::types::Type;
use crate::{Generator, Scope};

impl Generator {
    pub(crate) fn services(&mut self) {
        self.component();
        let several = if self.whole.is_some() { 25 } else { 12 };
        if self.dice.percent(several) {
            for _ in 0..1 + self.dice.below(2) {
                let name = self.fresh("Part");
                self.braces(&format!("component {name}"), "", |generator| {
                    if generator.whole.is_some() {
                        return generator.within_component(Generator::component);
                    }
                    if generator.dice.percent(60) {
                        generator.declare_variables(2);
                    }
                    generator.component();
                });
            }
        }
    }

    /// The rules of one component, at locations or anywhere.
    fn component(&mut self) {
        let triggers: Vec<Action> = self
            .actions
            .iter()
            .filter(|action| !(action.own || self.reactive && action.is_output()))
            .cloned()
            .collect();
        if triggers.is_empty() {
            return;
        }
        let locations: Vec<String> = match self.dice.percent(45) {
            true => (0..1 + self.dice.below(3)).map(|_| self.fresh("L")).collect(),
            false => Vec::new(),
        };
        if let Some(start) = locations.first() {
            self.line(format!("start {start}"));
        }
        let scope = Scope { locations: locations.clone(), ..Scope::default() };
        for (index, location) in locations.iter().enumerate() {
            self.location(&scope, location, index == 0, &triggers);
        }
        for _ in 0..self.dice.below(3) + usize::from(locations.is_empty()) {
            let trigger = self.dice.pick(&triggers).clone();
            self.rule(&scope, "on ", &trigger, &locations);
        }
    }

    fn location(&mut self, scope: &Scope, name: &str, first: bool, triggers: &[Action]) {
        let collectable: Vec<Action> = triggers
            .iter()
            .filter(|action| action.direction == Direction::Input && action.result.is_none() && !action.raises)
            .cloned()
            .collect();
        match self.dice.below(6) {
            0 if !collectable.is_empty() => self.collect(scope, name, &collectable),
            1 => self.braces(&format!("choice {name}"), "", |generator| {
                for _ in 0..1 + generator.dice.below(2) {
                    let trigger = generator.dice.pick(triggers).clone();
                    generator.rule(scope, "", &trigger, &scope.locations);
                }
            }),
            _ => self.braces(&format!("at {name}"), "", |generator| {
                generator.entry_and_exit(scope, first);
                for _ in 0..1 + generator.dice.below(2) {
                    let trigger = generator.dice.pick(triggers).clone();
                    generator.rule(scope, "on ", &trigger, &scope.locations);
                }
            }),
        }
    }

    /// The first entry block runs before there is any step, so it does nothing that can fail.
    fn entry_and_exit(&mut self, scope: &Scope, first: bool) {
        let scope = Scope { makes: true, ..scope.clone() };
        if self.dice.percent(25) {
            match first {
                true => {
                    if let Some(statement) = self.plain_assignment() {
                        self.line(format!("entry {{ {statement} }}"));
                    }
                }
                false => self.braces("entry", "", |generator| generator.statements(&scope, 1)),
            }
        }
        if self.dice.percent(20) {
            self.braces("exit", "", |generator| generator.statements(&scope, 1));
        }
    }

    pub(crate) fn target(&mut self, locations: &[String], chance: u32) -> String {
        match self.dice.any(locations) {
            Some(_) if self.dice.percent(5) => " -> end".into(),
            Some(place) if self.dice.percent(chance) => format!(" -> {place}"),
            _ => String::new(),
        }
    }

    /// `on a(p, _) choose x in S when c { ... } -> L`
    fn rule(&mut self, scope: &Scope, on: &str, action: &Action, locations: &[String]) {
        let mut scope = scope.clone();
        let mut args = Vec::new();
        let mut visible = Vec::new();
        for (_, ty) in &action.params {
            args.push(self.trigger_argument(&mut scope, ty, &mut visible));
        }
        let mut head = format!("{on}{}", action.name);
        if !args.is_empty() && self.dice.percent(95) {
            head += &format!("({})", args.join(", "));
        } else {
            scope.locals.retain(|local| !visible.contains(local));
            visible.clear();
        }
        if let Some(choice) = self.choice(&mut scope) {
            head += &format!(" {choice}");
        }
        let few: Vec<(String, Type)> = visible.into_iter().filter(|(_, ty)| self.types.count(ty).is_some()).collect();
        let guard = self.guard(&scope, &few);
        if !guard.is_empty() {
            head += &format!(" when {}", guard.join(" and "));
        }
        let target = self.target(locations, 60);
        if self.dice.percent(90) || action.result.is_some() {
            scope.makes = true;
            self.braces(&head, &target, |generator| generator.body(&scope, action.result.as_ref()));
        } else {
            self.line(head + &target);
        }
    }

    fn trigger_argument(&mut self, scope: &mut Scope, ty: &Type, visible: &mut Vec<(String, Type)>) -> String {
        match self.dice.below(10) {
            0 => "_".into(),
            1 => format!("={}", self.expression(scope, ty, 1, Hint::Given).part()),
            2 => self.pattern(ty, 1, &mut Vec::new()),
            _ => {
                let name = self.fresh("p");
                scope.locals.push((name.clone(), ty.clone()));
                visible.push((name.clone(), ty.clone()));
                name
            }
        }
    }

    /// `collect N (a, b) { check ... done ... }`
    fn collect(&mut self, scope: &Scope, name: &str, triggers: &[Action]) {
        let mut events: Vec<Action> = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let event = self.dice.pick(triggers).clone();
            if events.iter().all(|known| known.name != event.name) {
                events.push(event);
            }
        }
        let received = events
            .iter()
            .flat_map(|event| event.params.iter().map(|(param, ty)| (format!("{}.{param}", event.name), ty.clone())));
        let scope = Scope { makes: true, ..scope.with(received) };
        let asking = Scope { makes: false, ..scope.clone() };
        let names: Vec<String> = events.iter().map(|event| event.name.clone()).collect();
        self.braces(&format!("collect {name} ({})", names.join(", ")), "", |generator| {
            for _ in 0..generator.dice.below(3) {
                let condition = generator.condition(&asking, 2).at(Level::Iff);
                let target = generator.target(&scope.locations, 50);
                match generator.dice.percent(40) {
                    true => generator.braces(&format!("check {condition} else"), &target, |generator| {
                        generator.statements(&scope, 1);
                    }),
                    false if target.is_empty() => generator.line(format!("check {condition}")),
                    false => generator.line(format!("check {condition} else{target}")),
                }
            }
            if generator.dice.percent(30) {
                let condition = generator.condition(&asking, 1).text;
                let target = generator.target(&scope.locations, 80);
                generator
                    .braces(&format!("done when {condition}"), &target, |generator| generator.statements(&scope, 1));
            }
            let target = generator.target(&scope.locations, 80);
            generator.braces("done", &target, |generator| generator.statements(&scope, 1));
        });
    }
}
