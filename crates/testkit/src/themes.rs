//! Further themes of [`crate::focused`]: values, guards, choices, drives, services, renaming.

use crate::actions::{Action, Direction};
use crate::types::Type;
use crate::{Generator, Scope};

/// What a rule of a machine has in common with the next one.
#[derive(Default)]
struct Way {
    from: Option<i64>,
    emits: Vec<String>,
}

impl Generator {
    pub(crate) fn about_values(&mut self) {
        self.head_line(30);
        let base = match self.dice.below(4) {
            0 => Type::String,
            1 => {
                // Bounded: then a domain of it concerns what is given, and nothing else.
                let bounded = Type::Range(0, 3);
                self.new_alias(bounded, false)
            }
            _ => Type::Int,
        };
        let open = matches!(base, Type::Int | Type::String);
        let drawn = match open && self.dice.percent(60) {
            true => self.new_alias(base.clone(), true),
            false => base.clone(),
        };
        if self.dice.percent(50) {
            let (name, one, other) = (self.fresh("R"), self.fresh("f"), self.fresh("f"));
            self.line(format!("record {name} {{ {one}: {}, {other}: Bool }}", self.types.show(&drawn)));
            self.types.records.push((name, vec![(one, drawn.clone()), (other, Type::Bool)]));
        }
        let kept = self.new_variable(base.clone());
        for index in 0..1 + self.dice.below(2) {
            let depth = self.dice.below(3) as u32;
            let ty = self.around(&drawn, depth);
            let param = self.fresh("p");
            let direction = match self.dice.below(6) {
                0 => Direction::Internal,
                1 if !self.reactive => Direction::Output,
                _ => Direction::Input,
            };
            let direction = if index == 0 { Direction::Input } else { direction };
            let part = self.inside(&param, &ty, &kept);
            let (_, head) = self.known_action(direction, vec![(param, ty)], true);
            let guard = match self.dice.below(4) {
                0 => format!(" requires {}", self.runs_through(&drawn, &kept)),
                1 => format!(" requires {part} != {kept}"),
                _ => String::new(),
            };
            self.line(format!("{head}{guard} {{ {kept} = {part} }}"));
        }
        for _ in 0..1 + self.dice.below(2) {
            let (name, value) = (self.fresh("holds"), self.value(&base));
            let word = *self.dice.pick(&["never", "never", "possible"]);
            self.line(format!("property {name}: {word} ({kept} == {value})"));
        }
        let (goal, value) = (self.fresh("goal"), self.value(&base));
        self.line(format!("goal {goal}: {kept} == {value}"));
        self.goals();
        let setup = self.fresh("setup");
        self.braces(&format!("setup {setup}"), "", |generator| {
            let shown = generator.types.show(&drawn);
            generator.domain(&shown, &base);
            if generator.dice.percent(40) {
                generator.small_entries();
            }
        });
    }

    /// A type with the other one in it.
    fn around(&mut self, drawn: &Type, depth: u32) -> Type {
        if depth == 0 {
            return drawn.clone();
        }
        let record = self.types.records.len();
        match self.dice.below(6) {
            0 => Type::Option(Box::new(self.around(drawn, depth - 1))),
            1 => Type::Tuple(vec![self.around(drawn, depth - 1), Type::Bool]),
            2 => Type::Tuple(vec![Type::Bool, self.around(drawn, depth - 1)]),
            3 => Type::Set(Box::new(drawn.clone())),
            4 if record > 0 => Type::Record(record - 1),
            _ => Type::Option(Box::new(self.around(drawn, depth - 1))),
        }
    }

    /// The value that stands inside, or else that of the variable.
    fn inside(&mut self, name: &str, ty: &Type, otherwise: &str) -> String {
        match ty {
            Type::Option(inner) => {
                let x = self.fresh("x");
                let inner = self.inside(&x, inner, otherwise);
                format!("(match {name} {{ none => {otherwise}, some({x}) => {inner} }})")
            }
            Type::Tuple(parts) if parts[0] == Type::Bool => self.inside(&format!("{name}.1"), &parts[1], otherwise),
            Type::Tuple(parts) => self.inside(&format!("{name}.0"), &parts[0], otherwise),
            Type::Set(_) => format!("(if {name}.is_empty then {otherwise} else min({name}))"),
            Type::Record(id) => format!("{name}.{}", self.types.records[*id].1[0].0),
            _ => name.into(),
        }
    }

    /// A quantifier over the type, or over one around it.
    fn runs_through(&mut self, drawn: &Type, kept: &str) -> String {
        let depth = self.dice.below(2) as u32;
        let (x, ty) = (self.fresh("x"), self.around(drawn, depth));
        let (word, part) = (*self.dice.pick(&["some", "every"]), self.inside(&x, &ty, kept));
        let relation = *self.dice.pick(&["!=", "=="]);
        format!("for {word} {x}: {}: {part} {relation} {kept}", self.types.show(&ty))
    }

    pub(crate) fn about_guards(&mut self) {
        self.head_line(20);
        let ty = self.holder();
        self.new_variable(ty);
        let (flag, late) = (self.new_variable_of("false", Type::Bool), self.fresh("v"));
        self.variables.retain(|(name, _)| *name != flag);
        // Some have results and promises about them, which operations on specifications do not understand.
        let promises = self.dice.percent(40);
        // What is set together with the flag may be read where the flag is seen.
        let set = self.dice.percent(75);
        if set {
            self.line(format!("var {late}: 0..2"));
            let input = self.fresh("in");
            let value = self.dice.between(0, 2);
            self.line(format!("input {input} {{ {flag} = true {late} = {value} }}"));
        }
        let protected = |generator: &mut Generator| {
            let own = set && generator.dice.percent(60);
            let late = format!("{late} {} {}", generator.dice.pick(&["==", "!=", "<"]), generator.dice.between(0, 2));
            match generator.partial(&Scope::default()) {
                Some(found) if !own => found,
                _ if set => (flag.clone(), late),
                _ => (format!("not {flag}"), flag.clone()),
            }
        };
        for index in 0..3 + self.dice.below(3) {
            let direction = match self.dice.below(6) {
                _ if index == 0 => Direction::Input,
                0 => Direction::Internal,
                1 | 2 if !self.reactive => Direction::Output,
                _ => Direction::Input,
            };
            let (needs, says) = protected(self);
            let own = promises && self.dice.percent(50);
            let (action, head) = self.known_action(direction, Vec::new(), own);
            self.line(head);
            if own {
                self.line(format!("    requires {needs} and {says}"));
                self.promise_of_result();
                self.braces("", "", |generator| generator.small_assignment(&Scope::default()));
                continue;
            }
            let guards = [format!("{needs} and {says}"), format!("not ({needs})"), format!("{needs} and not ({says})")];
            for guard in guards.iter().take(1 + self.dice.below(4)) {
                let head = format!("on {} when {guard}", action.name);
                match self.dice.percent(70) {
                    true => self.line(head),
                    false => self.braces(&head, "", |generator| generator.small_assignment(&Scope::default())),
                }
            }
        }
        self.pattern_behind_requires();
        if promises {
            self.early_return();
        }
        self.setters();
        self.judges();
        self.setups();
    }

    /// An action with a result, which it may give before it comes to its end.
    fn early_return(&mut self) {
        let ty = self.finite_type(3);
        let (action, head) = self.known_action(Direction::Input, Vec::new(), true);
        let head = format!("{head} -> {}", self.types.show(&ty));
        if let Some(known) = self.actions.iter_mut().find(|known| known.name == action.name) {
            known.result = Some(ty.clone());
        }
        self.braces(&head, "", |generator| generator.body(&Scope::default(), Some(&ty)));
    }

    /// What an action requires protects the patterns of its rules.
    fn pattern_behind_requires(&mut self) {
        let Some((needs, part, ty)) = self.partial_value(&Scope::default()) else { return };
        let ty = if ty == Type::Int { Type::Range(0, 2) } else { ty };
        let params = vec![(self.fresh("p"), ty)];
        let (action, head) = self.known_action(Direction::Input, params, false);
        self.line(format!("{head} requires {needs}"));
        let guard = match self.dice.percent(30) {
            true => format!(" when {}", self.condition(&Scope::default(), 1).text),
            false => String::new(),
        };
        self.braces(&format!("on {}(={part}){guard}", action.name), "", |generator| {
            generator.small_assignment(&Scope::default());
        });
    }

    /// `ensures`, which may allow nothing.
    fn promise_of_result(&mut self) {
        if self.dice.percent(60) {
            let (name, ty) = self.dice.pick(&self.variables.clone()).clone();
            let relation = *self.dice.pick(&["==", "!=", "=="]);
            let other = match self.dice.percent(50) {
                true => format!("old({name})"),
                false => self.value(&ty),
            };
            self.line(format!("    ensures {name} {relation} {other}"));
        }
    }

    /// A machine with few places, several ways with the same label, and steps that nobody sees. With promises, formulas with bounds
    /// about its few events, so that one event may break several.
    pub(crate) fn about_choices(&mut self, promises: bool) {
        self.head_line(45);
        let places = self.dice.between(1, 3);
        let at = self.new_variable(Type::Range(0, places.max(2)));
        if self.dice.percent(30) {
            self.new_variable(Type::Bool);
        }
        let mut actions: Vec<Action> = Vec::new();
        for (direction, count) in [(Direction::Input, 2), (Direction::Output, 2), (Direction::Internal, 1)] {
            for _ in 0..1 + self.dice.below(count) {
                let silent = direction == Direction::Internal;
                if silent && !self.dice.percent(if promises { 20 } else { 55 }) {
                    continue;
                }
                let params = match self.dice.percent(20) && !silent {
                    true => vec![(self.fresh("p"), Type::Range(1, 2))],
                    false => Vec::new(),
                };
                let (action, head) = self.known_action(direction, params, false);
                self.line(head);
                actions.push(action);
            }
        }
        let mut last = Way::default();
        for _ in 0..3 + self.dice.below(6) {
            last = self.way(&at, places, &actions, &last);
        }
        let (formulas, observers) = (self.dice.percent(35), self.dice.percent(35));
        let features = self.whole.get_or_insert_default();
        (features.formulas, features.observers) = (formulas, observers);
        for _ in 0..if promises { 2 + self.dice.below(2) } else { self.dice.below(3) } {
            let [one, other] = [(); 2].map(|()| self.moment(&at, places, &actions));
            let (name, formula) = (self.fresh("keeps"), self.counting(&one, &other));
            self.line(format!("property {name}: {formula}"));
        }
        self.judges();
        self.setups();
    }

    /// `on a when v == 1 { emit b emit b v = 2 }`, often from the same place as the last one, or with the same outputs.
    fn way(&mut self, at: &str, places: i64, actions: &[Action], last: &Way) -> Way {
        let begins: Vec<&Action> = actions.iter().filter(|action| !(self.reactive && action.is_output())).collect();
        let Some(action) = self.dice.any(&begins).map(|action| (*action).clone()) else { return Way::default() };
        let head = self.event(&action);
        let from = match last.from {
            Some(from) if self.dice.percent(35) => from,
            _ => self.dice.between(0, places),
        };
        let to = self.dice.between(0, places);
        let emits = match self.dice.percent(40) && !last.emits.is_empty() {
            true => last.emits.clone(),
            false => self.outputs(actions),
        };
        let bound = self.dice.any(&self.bounds.clone()).cloned().filter(|_| self.dice.percent(40));
        let met = bound.unwrap_or_else(|| from.to_string());
        let said = emits.join(" ");
        match self.dice.percent(15) {
            true => {
                let x = self.fresh("x");
                let choice = format!("choose {x} in {{{from}, {to}}}");
                self.line(format!("on {head} {choice} when {at} == {met} {{ {said} {at} = {x} }}"));
            }
            false => self.line(format!("on {head} when {at} == {met} {{ {said} {at} = {to} }}")),
        }
        Way { from: Some(from), emits }
    }

    /// What a reaction says, some of it twice.
    fn outputs(&mut self, actions: &[Action]) -> Vec<String> {
        let outputs: Vec<&Action> = actions.iter().filter(|action| action.is_output()).collect();
        let mut said = Vec::new();
        for _ in 0..if self.reactive { self.dice.below(3) } else { 0 } {
            let Some(output) = self.dice.any(&outputs).map(|output| (*output).clone()) else { break };
            let args: Vec<String> = output.params.iter().map(|(_, ty)| self.value(ty)).collect();
            let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
            for _ in 0..if self.dice.percent(25) { 2 } else { 1 } {
                said.push(format!("emit {}{args}", output.name));
            }
        }
        said
    }

    /// One thing and another with a number of steps between them.
    fn counting(&mut self, one: &str, other: &str) -> String {
        let count = self.dice.between(1, 2);
        match self.dice.below(9) {
            0 => format!("always ({other} implies within {count} ({one}))"),
            1 => format!("always ({other} implies next {count} ({one}))"),
            2 => format!("never ({other} and previously {count} ({one}))"),
            3 | 4 => format!("never ({other} and previously ({one}))"),
            5 => format!("always ({other} implies previously {count} ({one}))"),
            6 => format!("never ({other} and once ({one}))"),
            7 => format!("always ({other} implies (({one}) unless {other}))"),
            _ => format!("always (({one}) implies within {count} {other})"),
        }
    }

    /// An event with some of its values, or with any.
    fn event(&mut self, action: &Action) -> String {
        let known = action.params.iter().all(|(_, ty)| self.types.has_literal(ty));
        if action.params.is_empty() || !known || self.dice.percent(40) {
            return action.name.clone();
        }
        let args: Vec<String> = action.params.iter().map(|(_, ty)| self.value(ty)).collect();
        format!("{}({})", action.name, args.join(", "))
    }

    /// An event, or where the machine is.
    fn moment(&mut self, at: &str, places: i64, actions: &[Action]) -> String {
        let visible: Vec<&Action> = actions.iter().filter(|action| action.direction != Direction::Internal).collect();
        match self.dice.any(&visible).map(|action| (*action).clone()) {
            Some(action) if self.dice.percent(50) => self.event(&action),
            _ => {
                let (relation, place) = (*self.dice.pick(&["==", "==", "!="]), self.dice.between(0, places));
                format!("({at} {relation} {place})")
            }
        }
    }

    pub(crate) fn about_drives(&mut self) {
        self.head_line(20);
        let alias = self.new_alias(Type::Range(0, 2), false);
        let kept = self.new_variable(alias.clone());
        let more = self.dice.percent(40).then(|| self.new_variable(Type::Range(0, 2)));
        if self.dice.percent(30) {
            let name = self.fresh("v");
            self.line(format!("var {name}: {}\ninit {name} == {name}", self.types.show(&alias)));
            self.variables.push((name, alias.clone()));
        }
        for index in 0..2 + self.dice.below(3) {
            let direction = match self.dice.below(6) {
                _ if index == 0 => Direction::Input,
                0..3 => Direction::Internal,
                3 if !self.reactive => Direction::Output,
                _ => Direction::Input,
            };
            let depth = self.dice.below(2) as u32;
            let (param, ty) = (self.fresh("p"), self.around(&alias, depth));
            let part = self.inside(&param, &ty, &kept);
            let (_, head) = self.known_action(direction, vec![(param, ty)], true);
            let guard = match self.dice.below(5) {
                0 => format!(" requires {}", self.runs_through(&alias, &kept)),
                1 => format!(" requires {part} != {kept}"),
                2 => format!(" requires {kept} == {}", self.dice.between(0, 2)),
                _ => String::new(),
            };
            let written = match &more {
                Some(more) if self.dice.percent(40) => more.clone(),
                _ => kept.clone(),
            };
            self.line(format!("{head}{guard} {{ {written} = {part} }}"));
        }
        if !self.reactive {
            let (_, head) = self.known_action(Direction::Output, vec![("p".into(), alias.clone())], true);
            let value = self.dice.between(0, 2);
            self.line(format!("{head} requires p == {kept} and {kept} != {value} {{ {kept} = 0 }}"));
        }
        self.judges();
        for extends in [false, true] {
            if extends && self.dice.percent(60) {
                continue;
            }
            let name = self.fresh("setup");
            self.braces(&format!("setup {name}"), "", |generator| {
                if generator.dice.percent(70) {
                    let shown = generator.types.show(&alias);
                    generator.domain(&shown, &alias);
                }
                if generator.dice.percent(35) {
                    let condition = format!("{kept} != {}", generator.dice.between(0, 2));
                    generator.line(format!("keep {condition}"));
                }
                if generator.dice.percent(20) {
                    let value = generator.dice.between(0, 2);
                    generator.line(format!("group {kept} == {value}"));
                }
                generator.small_entries();
            });
        }
    }

    /// Inputs in any order, checks between them, and promises about the order.
    pub(crate) fn about_collects(&mut self) {
        self.line("system Generated");
        let values = self.dice.percent(60);
        if values {
            self.line("enum E { good, bad }");
            self.types.enums.push(("E".into(), vec![("good".into(), Vec::new()), ("bad".into(), Vec::new())]));
        }
        let mut slots: Vec<Action> = Vec::new();
        for _ in 0..3 + self.dice.below(2) {
            let params = match values && self.dice.percent(60) {
                true => vec![("p".into(), Type::Enum(0))],
                false => Vec::new(),
            };
            let (action, head) = self.known_action(Direction::Input, params, false);
            self.line(head);
            slots.push(action);
        }
        let (before, head) = self.known_action(Direction::Input, Vec::new(), false);
        self.line(head);
        let first = self.dice.percent(50);
        if first {
            self.line("start Before");
            self.line(format!("choice Before {{ {} -> Node }}", before.name));
        } else {
            self.line("start Node");
        }
        let names: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
        self.braces(&format!("collect Node ({})", names.join(", ")), "", |generator| {
            for _ in 0..generator.dice.below(3) {
                let Some(condition) = generator.check_of(&slots) else { continue };
                let target = *generator.dice.pick(&["", " else -> end", " else -> After"]);
                generator.line(format!("check {condition}{target}"));
            }
            let target = *generator.dice.pick(&["end", "After"]);
            generator.line(format!("done -> {target}"));
        });
        let target = *self.dice.pick(&["end", "Node"]);
        self.line(format!("choice After {{ {} -> {target} }}", before.name));
        // About few of the inputs: the order of the others is nobody's business, as far as nobody counts them.
        let mut last: Option<String> = None;
        for _ in 0..2 + self.dice.below(3) {
            let few: Vec<Action> = (0..2).map(|_| self.dice.pick(&self.actions.clone()).clone()).collect();
            let [one, other] = [0, 1].map(|at| self.event(&few[at]));
            // Two about the same event may break together.
            let other = last.take().filter(|_| self.dice.percent(50)).unwrap_or(other);
            last = Some(other.clone());
            let (name, formula) = (self.fresh("keeps"), self.counting(&one, &other));
            self.line(format!("property {name}: {formula}"));
        }
        let setup = self.fresh("setup");
        let overwrites = *self.dice.pick(&["overwrites none", "overwrites none", "overwrites 1"]);
        self.line(format!("setup {setup} {{ {overwrites} }}"));
    }

    fn check_of(&mut self, slots: &[Action]) -> Option<String> {
        let told: Vec<&Action> = slots.iter().filter(|slot| !slot.params.is_empty()).collect();
        let mut one = || {
            let slot = self.dice.any(&told)?;
            Some(format!("{}.p == {}", slot.name, self.dice.pick(&["good", "bad"])))
        };
        let (left, right) = (one()?, one()?);
        Some(match self.dice.below(3) {
            0 if left != right => format!("{left} or {right}"),
            _ => left,
        })
    }

    pub(crate) fn about_renames(&mut self) {
        self.head_line(30);
        let objects = self.dice.percent(60);
        let (ty, all) = match objects {
            true => {
                let name = self.fresh("Thing");
                self.line(format!("object {name}"));
                self.types.objects.push(name.clone());
                let input = self.fresh("in");
                self.line(format!("input {input} requires {name}.count < 2 {{ let made = new {name} }}"));
                (Type::Object(0), format!("{name}.all"))
            }
            false => {
                self.declare_enum_of(2);
                let all: Vec<String> = self.types.enums[0].1.iter().map(|(name, _)| name.clone()).collect();
                (Type::Enum(0), format!("{{{}}}", all.join(", ")))
            }
        };
        let mut chosen = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            chosen.push(self.new_variable_of("none", Type::Option(Box::new(ty.clone()))));
        }
        let some = self.new_variable_of("{}", Type::Set(Box::new(ty.clone())));
        let (_, head) = self.known_action(Direction::Input, vec![("p".into(), ty.clone())], true);
        self.line(format!("{head} {{ {some} += {{p}} }}"));
        for _ in 0..1 + self.dice.below(3) {
            let (place, from) = (self.dice.pick(&chosen).clone(), self.dice.pick(&[&all, &some]).to_string());
            let (_, head) = self.known_action(Direction::Input, Vec::new(), true);
            let guard = *self.dice.pick(&["", "is_none", "is_some"]);
            let guard = if guard.is_empty() { String::new() } else { format!(" requires {place}.{guard}") };
            let (relation, x) = (*self.dice.pick(&["in", "not in"]), self.fresh("x"));
            let body = match self.dice.below(6) {
                0 => format!("{place} = some({x})"),
                1 => format!("if {place}.is_none {{ {place} = some({x}) }}"),
                2 => format!("if {x} {relation} {some} {{ {place} = some({x}) }}"),
                3 => format!("{some} += {{{x}}}"),
                4 => format!("if {some}.size < 1 {{ {some} += {{{x}}} }}"),
                _ => format!("if {place} == some({x}) {{ {some} = {{{x}}} }}"),
            };
            self.line(format!("{head}{guard} {{ for {x} in {from} {{ {body} }} }}"));
        }
        for _ in 0..1 + self.dice.below(2) {
            let (name, one, other) =
                (self.fresh("holds"), self.dice.pick(&chosen).clone(), self.dice.pick(&chosen).clone());
            let said = match self.dice.below(4) {
                0 => format!("{one} != {other} or {one}.is_none"),
                1 => format!("{one} == {other}"),
                2 => format!("{some}.size < 2 or {one}.is_some"),
                _ => format!("for every x in {some}: {one} != some(x)"),
            };
            let word = *self.dice.pick(&["always", "possible"]);
            self.line(format!("property {name}: {word} ({said})"));
        }
        let observers = self.dice.percent(20);
        let features = self.whole.get_or_insert_default();
        (features.formulas, features.observers) = (false, observers);
        self.judges();
        let setup = self.fresh("setup");
        self.braces(&format!("setup {setup}"), "", |generator| {
            if !objects {
                generator.line(format!("interchangeable {}", generator.types.enums[0].0));
            }
            generator.line("conformance ioco");
        });
    }

    pub(crate) fn new_variable_of(&mut self, value: &str, ty: Type) -> String {
        let name = self.fresh("v");
        self.line(format!("var {name}: {} = {value}", self.types.show(&ty)));
        self.variables.push((name.clone(), ty));
        name
    }

    fn declare_enum_of(&mut self, count: usize) {
        let name = self.fresh("E");
        let variants: Vec<(String, Vec<Type>)> = (0..count).map(|_| (self.fresh("e"), Vec::new())).collect();
        let shown: Vec<&str> = variants.iter().map(|(name, _)| name.as_str()).collect();
        self.line(format!("enum {name} {{ {} }}", shown.join(", ")));
        self.types.enums.push((name, variants));
    }
}
