//! Setups: constants, domains, limits, and the states to keep.

use crate::actions::{Action, Direction};
use crate::types::Type;
use crate::{Generator, Scope};

impl Generator {
    pub(crate) fn setups(&mut self) {
        if self.whole.is_some() {
            return self.small_setups();
        }
        if self.dice.percent(40) {
            let name = self.fresh("setup");
            self.braces(&format!("setup {name}"), "", Generator::entries);
        }
    }

    fn entries(&mut self) {
        let inputs: Vec<Action> =
            self.actions.iter().filter(|action| action.direction == Direction::Input).cloned().collect();
        self.constant_entries();
        self.domain_entries(&inputs);
        if self.dice.percent(40) {
            let input = self.dice.pick(&inputs).clone();
            let scope = Scope { locals: input.params, ..Scope::default() };
            let condition = self.condition(&scope, 2).text;
            self.line(format!("limit {}: {condition}", input.name));
        }
        if self.dice.percent(40) {
            let condition = self.condition(&Scope::default(), 2).text;
            self.line(format!("keep {condition}"));
        }
        if self.dice.percent(10) && inputs.len() > 1 {
            self.line(format!("without {}", inputs[0].name));
        }
        if self.dice.percent(20) {
            self.line("overwrites none");
        }
        if self.dice.percent(20) {
            self.line("run 10 tests of 5 steps");
        }
    }

    pub(crate) fn constant_entries(&mut self) {
        for (name, ty) in self.constants.clone() {
            if self.dice.percent(30) {
                let value = match self.bounds.contains(&name) {
                    true => self.dice.between(2, 5).to_string(),
                    false => self.value(&ty),
                };
                self.line(format!("const {name} = {value}"));
            }
        }
    }

    fn domain_entries(&mut self, inputs: &[Action]) {
        for (name, ty) in self.types.aliases.clone() {
            if self.dice.percent(25) && self.types.has_literal(&ty) {
                self.domain(&name, &ty);
            }
        }
        for (name, ty) in [("Int", Type::Int), ("String", Type::String)] {
            if self.dice.percent(20) {
                self.domain(name, &ty);
            }
        }
        let params: Vec<(String, Type)> = inputs
            .iter()
            .flat_map(|input| input.params.iter().map(|(param, ty)| (format!("{}.{param}", input.name), ty.clone())))
            .collect();
        if let Some((name, ty)) = self.dice.any(&params).cloned()
            && self.dice.percent(50)
            && self.types.has_literal(&ty)
        {
            self.domain(&name, &ty);
        }
    }

    pub(crate) fn domain(&mut self, name: &str, ty: &Type) {
        let values: Vec<String> = (0..1 + self.dice.below(3)).map(|_| self.value(ty)).collect();
        let setup = self.text.rfind("\nsetup ").unwrap_or(0);
        if self.text[setup..].contains(&format!("domain {name} =")) {
            return;
        }
        self.line(format!("domain {name} = {{{}}}", values.join(", ")));
    }
}
