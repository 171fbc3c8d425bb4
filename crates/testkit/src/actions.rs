//! Actions: their parameters, the guards that give these their values, and their rules.
//!
//! A parameter of a type without end is fixed by a conjunct before anything else mentions it, or has a domain in the setup.

use crate::expressions::{Hint, Level};
use crate::types::Type;
use crate::{Generator, Scope};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
    Internal,
}

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) direction: Direction,
    /// An output that is never owed.
    optional: bool,
    pub(crate) params: Vec<(String, Type)>,
    pub(crate) result: Option<Type>,
    /// It may fail, by one of the names that the generator has for that.
    pub(crate) raises: bool,
    /// Its declaration has a block; otherwise `on` rules say what it does.
    pub(crate) own: bool,
    /// Conjuncts that fix the parameters whose types have no end.
    requires: Vec<String>,
}

impl Action {
    /// With nothing else, and its rules elsewhere, as in a synchronous system.
    pub(crate) fn signal(name: String, direction: Direction, params: Vec<(String, Type)>) -> Action {
        Action {
            name,
            direction,
            optional: false,
            params,
            result: None,
            raises: false,
            own: false,
            requires: Vec::new(),
        }
    }

    pub(crate) fn is_output(&self) -> bool {
        self.direction == Direction::Output
    }
}

impl Generator {
    /// Decides which actions there are, and writes those that have their rules elsewhere.
    pub(crate) fn declare_actions(&mut self) {
        for index in 0..2 + self.dice.below(1 + self.size as usize / 2) {
            let direction = match self.dice.below(10) {
                _ if index == 0 => Direction::Input,
                5 if self.has_internal() => Direction::Internal,
                0..6 => Direction::Input,
                6..9 => Direction::Output,
                _ => Direction::Internal,
            };
            self.new_action(direction);
        }
        for action in self.actions.clone().iter().filter(|action| !action.own) {
            let head = self.head(action);
            let speaks = !(action.requires.is_empty() || self.reactive && action.is_output());
            let requires = if speaks { format!(" requires {}", action.requires.join(" and ")) } else { String::new() };
            self.line(format!("{head}{requires}"));
        }
        let outputs: Vec<String> =
            self.actions.iter().filter(|action| action.is_output()).map(|action| action.name.clone()).collect();
        if self.reactive && outputs.len() >= 2 && self.dice.percent(30) {
            self.line(format!("exclusive {}, {}", outputs[0], outputs[1]));
        }
    }

    fn new_action(&mut self, direction: Direction) {
        let name = self.fresh(match direction {
            Direction::Input => "in",
            Direction::Output => "out",
            Direction::Internal => "tau",
        });
        let optional = direction == Direction::Output && !self.reactive && self.dice.percent(20);
        let mut params = Vec::new();
        for _ in 0..self.dice.below(3) {
            let ty = match self.whole.is_some() {
                true => self.small_parameter(),
                false if self.dice.percent(80) => self.finite_type(6),
                false => self.some_type(1),
            };
            params.push((self.fresh("p"), ty));
        }
        let mut result =
            (direction == Direction::Input && !self.is_plain() && self.dice.percent(10)).then(|| self.some_type(1));
        let raises = result.is_some() && self.dice.percent(40);
        if raises && self.dice.percent(40) {
            result = None;
        }
        let emitted = self.reactive && direction == Direction::Output;
        let own = !emitted && (result.is_some() || raises || self.dice.percent(60));
        let mut requires = Vec::new();
        for (index, (name, ty)) in params.iter().enumerate() {
            if self.types.count(ty).is_none_or(|count| count > 12) {
                let known = Scope { locals: fixed(&params[..index], &requires), ..Scope::default() };
                requires.push(self.fixing(&known, name, ty));
            }
        }
        self.actions.push(Action { name, direction, optional, params, result, raises, own, requires });
    }

    /// A conjunct that gives the parameter its values.
    fn fixing(&mut self, scope: &Scope, name: &str, ty: &Type) -> String {
        let depth = self.dice.below(2) as u32;
        match self.dice.below(3) {
            0 => format!("{name} == {}", self.expression(scope, ty, depth, Hint::Given).at(Level::Range)),
            1 => format!("{} == {name}", self.expression(scope, ty, depth, Hint::Absent).at(Level::Range)),
            _ => {
                let collection = if self.dice.percent(30) { Type::Seq } else { Type::Set }(ty.clone().into());
                let depth = if self.is_plain() { 0 } else { depth };
                format!("{name} in {}", self.expression(scope, &collection, depth, Hint::Absent).at(Level::Range))
            }
        }
    }

    pub(crate) fn head(&self, action: &Action) -> String {
        let direction = match action.direction {
            Direction::Input => "input",
            Direction::Output if action.optional => "may output",
            Direction::Output => "output",
            Direction::Internal => "internal",
        };
        let result = action.result.as_ref().map_or(String::new(), |ty| format!(" -> {}", self.types.show(ty)));
        let raises = if action.raises { " raises oops or alas" } else { "" };
        format!("{direction} {}{}{result}{raises}", action.name, self.params(&action.params))
    }

    /// The actions that are rules by themselves.
    pub(crate) fn own_rules(&mut self) {
        for action in self.actions.clone().iter().filter(|action| action.own) {
            let mut scope = Scope { locals: action.params.clone(), ..Scope::default() };
            let head = self.head(action);
            self.line(head);
            self.indent += 1;
            let mut guard = action.requires.clone();
            guard.extend(self.guard(&scope, &action.params));
            if !guard.is_empty() {
                self.line(format!("requires {}", guard.join(" and ")));
            }
            if let Some(choice) = self.choice(&mut scope) {
                self.line(choice);
            }
            if self.dice.percent(if self.is_focused() { 20 } else { 4 }) {
                let condition = self.condition(&scope, 1).text;
                self.line(format!("ensures {condition}"));
            }
            let mut returned = action.result.as_ref();
            if let Some(ty) =
                returned.filter(|ty| !action.raises && self.types.count(ty).is_some_and(|count| count <= 6))
                && self.dice.percent(50)
            {
                // Several results are right, and the block knows which one it is.
                let promise = self.fixing(&scope, "result", ty);
                self.line(format!("ensures {promise}"));
                scope.locals.push(("result".into(), ty.clone()));
                returned = None;
            }
            self.indent -= 1;
            scope.makes = true;
            self.braces("", "", |generator| {
                if action.raises {
                    generator.raising(&scope);
                }
                generator.body(&scope, returned);
            });
        }
    }

    /// The ways in which an action fails: before it has done anything, or after.
    fn raising(&mut self, scope: &Scope) {
        let condition = self.condition(scope, 1).text;
        self.line(format!("if {condition} {{ raise oops }}"));
        if self.dice.percent(40) {
            let (condition, done) = (self.condition(scope, 1).text, self.plain_assignment().unwrap_or_default());
            self.line(format!("if {condition} {{ {done} raise alas }}"));
        }
    }

    /// Inputs that set a variable to anything they are given, or to one value: without them many systems would not leave
    /// the states around their start.
    pub(crate) fn setters(&mut self) {
        for _ in 0..self.dice.below(3) {
            let (variable, ty) = self.dice.pick(&self.variables.clone()).clone();
            let (name, param) = (self.fresh("in"), self.fresh("p"));
            let params = match self.types.count(&ty) {
                Some(0..=8) => vec![(param.clone(), ty)],
                _ => Vec::new(),
            };
            let statement = match params.is_empty() {
                false => Some(format!("{variable} = {param}")),
                true => self.plain_assignment(),
            };
            let Some(statement) = statement else { continue };
            let direction = Direction::Input;
            let action = Action { own: true, ..Action::signal(name, direction, params) };
            self.line(format!("{} {{ {statement} }}", self.head(&action)));
            self.actions.push(action);
        }
    }

    /// The block of a rule; if the action returns something, so does the block.
    pub(crate) fn body(&mut self, scope: &Scope, result: Option<&Type>) {
        if let Some(ty) = result.filter(|_| self.is_focused() && self.dice.percent(50)) {
            let (condition, value) = (self.condition(scope, 1).text, self.expression(scope, ty, 1, Hint::Given).text);
            self.line(format!("if {condition} {{ return {value} }}"));
        }
        self.statements(scope, 2);
        let Some(ty) = result else { return };
        let value = self.expression(scope, ty, 1, Hint::Given).text;
        if self.dice.percent(20) {
            let (condition, other) = (self.condition(scope, 1).text, self.expression(scope, ty, 1, Hint::Given).text);
            self.line(format!("if {condition} {{ return {value} }} else {{ return {other} }}"));
        } else {
            self.line(format!("return {value}"));
        }
    }

    /// Further conjuncts: some fix a parameter, others test whatever they like.
    pub(crate) fn guard(&mut self, scope: &Scope, params: &[(String, Type)]) -> Vec<String> {
        let mut conjuncts = Vec::new();
        for (index, (name, ty)) in params.iter().enumerate() {
            if self.dice.percent(20) {
                let others =
                    params.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, param)| param.0.clone());
                let hidden: Vec<String> = if self.dice.percent(70) { others.collect() } else { Vec::new() };
                let visible = |(local, _): &&(String, Type)| local != name && !hidden.contains(local);
                let locals = scope.locals.iter().filter(visible).cloned().collect();
                conjuncts.push(self.fixing(&Scope { locals, ..scope.clone() }, name, ty));
            }
        }
        for chance in [40, 25] {
            if self.dice.percent(chance) {
                let depth = self.depth();
                conjuncts.push(self.condition(scope, depth).at(Level::Prefix));
            }
        }
        if conjuncts.len() > 1 && self.dice.percent(30) {
            conjuncts.rotate_left(1);
        }
        conjuncts
    }

    /// `choose x in S where c`
    pub(crate) fn choice(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.dice.percent(15) {
            return None;
        }
        let (from, ty) = self.collection(scope, 1);
        let name = self.fresh("x");
        scope.locals.push((name.clone(), ty));
        let condition = match self.dice.percent(40) {
            true => format!(" where {}", self.condition(scope, 1).part()),
            false => String::new(),
        };
        Some(format!("choose {name} in {}{condition}", from.part()))
    }
}

/// The parameters that have a value already: those of small types, and those that were fixed.
fn fixed(params: &[(String, Type)], requires: &[String]) -> Vec<(String, Type)> {
    if requires.is_empty() { Vec::new() } else { params.to_vec() }
}
