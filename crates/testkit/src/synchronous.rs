//! Synchronous systems: signals, relations among them, and rules on `step`.
//!
//! Signals have few values, because every set of input signals is a step. Rules read the signals as Booleans and their
//! parameters by name, also where the signal may be absent.

use crate::actions::{Action, Direction};
use crate::types::Type;
use crate::{Generator, Scope};

/// Values of a signal's parameter, at most.
const VALUES: u64 = 3;

impl Generator {
    pub(crate) fn declare_signals(&mut self) {
        for _ in 0..1 + self.dice.below(3) {
            self.signal(Direction::Input);
        }
        for _ in 0..1 + self.dice.below(3) {
            self.signal(Direction::Output);
        }
        self.relations();
    }

    fn signal(&mut self, direction: Direction) {
        let (name, kind) = match direction {
            Direction::Input => (self.fresh("in"), "input"),
            _ => (self.fresh("out"), "output"),
        };
        let mut params = Vec::new();
        if self.dice.percent(40) {
            params.push((self.fresh("p"), self.finite_type(VALUES)));
        }
        let shown = self.params(&params);
        self.line(format!("{kind} signal {name}{shown}"));
        self.actions.push(Action::signal(name, direction, params));
    }

    fn relations(&mut self) {
        let names = |direction: Direction, actions: &[Action]| -> Vec<String> {
            let alone = |action: &&Action| action.direction == direction && action.params.is_empty();
            actions.iter().filter(alone).map(|action| action.name.clone()).collect()
        };
        let (inputs, outputs) = (names(Direction::Input, &self.actions), names(Direction::Output, &self.actions));
        for alike in [&inputs, &outputs] {
            if let [first, second, ..] = &alike[..] {
                match self.dice.below(10) {
                    0..2 => self.line(format!("exclusive {first}, {second}")),
                    2 => self.line(format!("exactly one {first}, {second}")),
                    3 => self.line(format!("relation {first} implies not {second}")),
                    _ => {}
                }
            }
        }
        if let ([input, ..], [output, ..]) = (&inputs[..], &outputs[..])
            && self.dice.percent(8)
        {
            self.line(format!("relation {output} implies {input}"));
        }
    }

    /// The components, whose rules all react to the step.
    pub(crate) fn steps(&mut self) {
        self.stepping();
        if self.dice.percent(25) {
            let name = self.fresh("Part");
            self.braces(&format!("component {name}"), "", |generator| {
                if generator.whole.is_some() {
                    return generator.within_component(Generator::stepping);
                }
                if generator.dice.percent(60) {
                    generator.declare_variables(2);
                }
                generator.stepping();
            });
        }
    }

    fn stepping(&mut self) {
        let locations: Vec<String> = match self.dice.percent(40) {
            true => (0..1 + self.dice.below(3)).map(|_| self.fresh("L")).collect(),
            false => Vec::new(),
        };
        if let Some(start) = locations.first() {
            self.line(format!("start {start}"));
        }
        let scope = Scope { locations: locations.clone(), ..self.signals() };
        for location in &locations {
            self.braces(&format!("at {location}"), "", |generator| {
                for _ in 0..1 + generator.dice.below(2) {
                    generator.on_step(&scope);
                }
            });
        }
        for _ in 0..self.dice.below(2) + usize::from(locations.is_empty()) {
            self.on_step(&scope);
        }
    }

    /// The input signals of a step, and their parameters.
    fn signals(&self) -> Scope {
        let inputs = self.actions.iter().filter(|action| action.direction == Direction::Input);
        let names = inputs.flat_map(|action| {
            let params = action.params.iter().map(|(param, ty)| (format!("{}.{param}", action.name), ty.clone()));
            params.chain([(action.name.clone(), Type::Bool)])
        });
        Scope { locals: names.collect(), ..Scope::default() }
    }

    /// `on step choose x in S when c { ... } -> L`
    fn on_step(&mut self, scope: &Scope) {
        let mut scope = scope.clone();
        let mut head = String::from("on step");
        if let Some(choice) = self.choice(&mut scope) {
            head += &format!(" {choice}");
        }
        let guard = self.guard(&scope, &[]);
        if !guard.is_empty() {
            head += &format!(" when {}", guard.join(" and "));
        }
        let target = self.target(&scope.locations.clone(), 60);
        scope.makes = true;
        self.braces(&head, &target, |generator| generator.body(&scope, None));
    }
}
