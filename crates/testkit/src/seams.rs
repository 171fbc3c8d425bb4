//! Themes of [`crate::focused`] where one meaning meets another: what a setup asks of an input that its guard protects, how a run
//! ends, what an input answers, what a formula remembers of a state that nobody saw, and setups that leave next to nothing.

use crate::actions::{Action, Direction};
use crate::types::Type;
use crate::{Generator, Scope};

impl Generator {
    /// Limits and weights of inputs that are offered only where these have a value; sometimes elsewhere, too.
    pub(crate) fn about_offers(&mut self) {
        self.head_line(30);
        for _ in 0..1 + self.dice.below(2) {
            let ty = self.holder();
            self.new_variable(ty);
        }
        let mut inputs: Vec<(Action, String)> = Vec::new();
        for _ in 0..2 + self.dice.below(2) {
            let protected = self.partial_value(&Scope::default());
            let (action, head) = self.known_action(Direction::Input, Vec::new(), true);
            let needs = match protected {
                Some((needs, part, ty)) => {
                    let asked = match self.dice.percent(85) {
                        true => format!(" requires {needs}"),
                        false => String::new(),
                    };
                    let literal = self.value(&ty);
                    inputs.push((action, format!("{part} {} {literal}", self.dice.pick(&["==", "!=", "<", ">="]))));
                    asked
                }
                None => String::new(),
            };
            self.braces(&format!("{head}{needs}"), "", |generator| generator.small_assignment(&Scope::default()));
        }
        // From anything to anything: what protects comes and goes.
        for _ in 0..2 {
            let (_, head) = self.known_action(Direction::Input, Vec::new(), true);
            let does = self.plain_assignment().unwrap_or_default();
            self.line(format!("{head} {{ {does} }}"));
        }
        self.judges();
        let setup = self.fresh("setup");
        self.braces(&format!("setup {setup}"), "", |generator| {
            for (input, says) in &inputs {
                if generator.dice.percent(75) {
                    generator.line(format!("limit {}: {says}", input.name));
                }
                if generator.dice.percent(60) {
                    let weight = format!("if {says} then 2 else {}", generator.dice.between(1, 2));
                    generator.line(format!("weight {} = {weight}", input.name));
                }
            }
            if generator.dice.percent(25) {
                generator.small_entries();
            }
        });
    }

    /// Runs that come to an end: nothing is left to do, a bound is pending, and whether the end is meant may have no value.
    pub(crate) fn about_ends(&mut self) {
        self.head_line(25);
        let ty = self.holder();
        self.new_variable(ty);
        let far = self.dice.percent(40);
        let count = match far {
            true => self.fresh("v"),
            false => self.new_variable(Type::Range(0, 2)),
        };
        let stop = self.fresh("v");
        self.line(format!("var {stop}: Bool = false"));
        if far {
            self.line(format!("var {count}: Int = 0"));
        }
        let mut inputs: Vec<Action> = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let params = match self.dice.percent(25) {
                true => vec![(self.fresh("p"), Type::Range(1, 2))],
                false => Vec::new(),
            };
            let (action, head) = self.known_action(Direction::Input, params, true);
            let (grows, more) = match far {
                true => (format!("{count} += 1"), String::new()),
                false => (format!("{count} += 1"), format!(" and {count} < 2")),
            };
            let other = self.plain_assignment().unwrap_or_default();
            let does = if self.dice.percent(60) { grows } else { other };
            self.line(format!("{head} requires not {stop}{more} {{ {does} }}"));
            inputs.push(action);
        }
        let (halt, head) = self.known_action(Direction::Input, Vec::new(), true);
        self.line(format!("{head} requires not {stop} {{ {stop} = true }}"));
        inputs.push(halt);
        let mut outputs: Vec<Action> = Vec::new();
        if !self.reactive {
            for _ in 0..1 + self.dice.below(2) {
                let (action, head) = self.known_action(Direction::Output, Vec::new(), true);
                let place = self.dice.between(0, 2);
                let guard = match self.dice.below(4) {
                    0 => "false".into(),
                    1 => format!("{stop} and {count} == {place}"),
                    2 => format!("{count} == {place} and not {stop}"),
                    _ => format!("{stop} and {count} > {place}"),
                };
                let does = if far { String::new() } else { format!("{count} = {}", self.dice.between(0, 2)) };
                let body = if self.dice.percent(50) { does } else { format!("{stop} = true {does}") };
                let twice = if far { " and false" } else { "" };
                self.line(format!("{head} requires {guard}{twice} {{ {body} }}"));
                outputs.push(action);
            }
        }
        if self.dice.percent(60)
            && let Some((needs, says)) = self.partial(&Scope::default())
        {
            let accepts = match self.dice.below(4) {
                0 => format!("{needs} and {says}"),
                1 => format!("{stop} implies {says}"),
                _ => says,
            };
            self.line(format!("accepting {accepts}"));
        }
        for _ in 0..1 + self.dice.below(2) {
            let (name, bound) = (self.fresh("keeps"), self.dice.between(1, 2));
            let one = self.dice.pick(&inputs).name.clone();
            let other = match self.dice.any(&outputs).cloned() {
                Some(output) if self.dice.percent(60) => output.name,
                _ => format!("({count} {} {})", self.dice.pick(&["==", ">", "<"]), self.dice.between(0, 2)),
            };
            let formula = match self.dice.below(4) {
                0 => format!("always ({one} implies within {bound} ({other} or {stop}))"),
                1 => format!("always ({one} implies within {bound} ({one}))"),
                _ => format!("always ({one} implies within {bound} {other})"),
            };
            self.line(format!("property {name}: {formula}"));
        }
        if self.dice.percent(40) {
            let name = self.fresh("holds");
            self.line(format!("property {name}: always ({count} >= 0)"));
        }
        self.goals();
        self.setups();
    }

    /// What comes back from an input, and those who listen to it.
    pub(crate) fn about_answers(&mut self) {
        self.head_line(25);
        let ty = self.holder();
        self.new_variable(ty);
        let mut asked: Vec<(Action, Type)> = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let params = match self.dice.percent(60) {
                true => vec![(self.fresh("p"), Type::Range(0, 2))],
                false => Vec::new(),
            };
            let result = if self.dice.percent(70) { Type::Range(0, 2) } else { Type::Bool };
            let (action, head) = self.known_action(Direction::Input, params.clone(), true);
            if let Some(known) = self.actions.iter_mut().find(|known| known.name == action.name) {
                known.result = Some(result.clone());
            }
            let head = format!("{head} -> {}", self.types.show(&result));
            let scope = Scope { locals: params, ..Scope::default() };
            match self.dice.percent(30) {
                // Any of several results is right.
                true => {
                    let value = self.value(&result);
                    let relation = *self.dice.pick(&["!=", "==", "!="]);
                    self.line(format!("{head} ensures result {relation} {value} {{ }}"));
                }
                false => self.braces(&head, "", |generator| generator.body(&scope, Some(&result))),
            }
            asked.push((action, result));
        }
        if !self.reactive {
            let (_, head) = self.known_action(Direction::Output, Vec::new(), true);
            let guard = self.condition(&Scope::default(), 1).text;
            self.braces(&format!("{head} requires {guard}"), "", |generator| {
                generator.small_assignment(&Scope::default());
            });
        }
        self.setters();
        for never in [true, false] {
            if self.dice.percent(if never { 80 } else { 50 }) {
                self.listener(&asked, never);
            }
        }
        self.judges();
        self.setups();
    }

    /// An observer that reads results.
    fn listener(&mut self, asked: &[(Action, Type)], never: bool) {
        let (name, kind, verdict) =
            if never { (self.fresh("hears"), "never", "bad") } else { (self.fresh("hears"), "possible", "good") };
        let memory = self.fresh("m");
        let places = [self.fresh("At"), self.fresh("At")];
        self.braces(&format!("observer {name} {kind}"), "", |generator| {
            generator.line(format!("var {memory}: 0..2 = 0"));
            generator.line(format!("start {}", places[0]));
            for (index, place) in places.iter().enumerate() {
                let (action, result) = generator.dice.pick(asked).clone();
                let params: Vec<String> = action.params.iter().map(|_| generator.fresh("q")).collect();
                let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
                let (r, value) = (generator.fresh("r"), generator.value(&result));
                let relation = *generator.dice.pick(&["==", "!="]);
                let kept = match result == Type::Bool {
                    true => String::new(),
                    false => format!(" {{ {memory} = {r} }}"),
                };
                let target = match (index, generator.dice.percent(50)) {
                    (0, true) => places[1].clone(),
                    _ => verdict.to_string(),
                };
                generator.line(format!(
                    "at {place} {{ on {}{params} -> {r} when {r} {relation} {value}{kept} -> {target} }}",
                    action.name
                ));
            }
        });
    }

    /// Nobody sees which way a step went; a formula about the state before needs each way with what it remembers.
    pub(crate) fn about_memories(&mut self) {
        self.line("system Generated");
        let places = self.dice.between(2, 3);
        let at = self.new_variable_of("0", Type::Range(0, places));
        let said = self.fresh("v");
        self.line(format!("var {said}: Bool = false"));
        for _ in 0..1 + self.dice.below(2) {
            let (_, head) = self.known_action(Direction::Input, Vec::new(), true);
            let (from, x) = (if self.dice.percent(80) { 0 } else { 1 }, self.fresh("x"));
            let one = self.dice.between(1, places);
            let other = if one == 1 { places } else { self.dice.between(0, one - 1) };
            self.line(format!("{head} requires {at} == {from} choose {x} in {{{one}, {other}}} {{ {at} = {x} }}"));
        }
        for _ in 0..2 + self.dice.below(2) {
            let (_, head) = self.known_action(Direction::Output, Vec::new(), true);
            let from = self.dice.between(1, places);
            let again = self.dice.percent(65);
            let guard = if again { format!(" and not {said}") } else { String::new() };
            let to = if self.dice.percent(65) { from } else { self.dice.between(0, places) };
            let flag = if again { format!("{said} = true ") } else { format!("{said} = false ") };
            let to = if to == from { String::new() } else { format!("{at} = {to} ") };
            self.line(format!("{head} requires {at} == {from}{guard} {{ {flag}{to}}}"));
        }
        for _ in 0..1 + self.dice.below(2) {
            let name = self.fresh("keeps");
            let (here, before) = (self.dice.between(1, places), self.dice.between(0, places));
            let steps = if self.dice.percent(75) { String::new() } else { "2 ".into() };
            let formula = match self.dice.below(5) {
                0 => format!("never ({at} == {here} and previously {steps}({at} == {before}))"),
                1 => format!("always ({at} == {here} implies once ({at} == {before}))"),
                2 => format!("always ({at} == {here} implies previously {steps}({at} != {before}))"),
                _ => format!("always ({at} == {here} implies previously {steps}({at} != {here}))"),
            };
            self.line(format!("property {name}: {formula}"));
        }
        if self.dice.percent(30) {
            self.judges();
        }
        self.setups();
    }

    /// Setups, and systems, that leave next to nothing: no input, no value, no state, no start.
    pub(crate) fn about_nothing(&mut self) {
        self.head_line(25);
        let alias = self.new_alias(Type::Range(0, 2), false);
        let kept = self.new_variable(alias.clone());
        let mut inputs: Vec<Action> = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let (action, head) = self.known_action(Direction::Input, vec![("p".into(), alias.clone())], true);
            let guard = if self.dice.percent(20) { " requires false" } else { "" };
            self.line(format!("{head}{guard} {{ {kept} = p }}"));
            inputs.push(action);
        }
        if !self.reactive && self.dice.percent(50) {
            let (_, head) = self.known_action(Direction::Output, Vec::new(), true);
            let place = self.dice.between(1, 2);
            self.line(format!("{head} requires {kept} == {place} {{ {kept} = 0 }}"));
        }
        if self.dice.percent(15) {
            let (name, one, other) = (self.fresh("v"), self.dice.between(0, 2), self.dice.between(0, 2));
            self.line(format!("var {name}: 0..2\ninit {name} == {one} and {name} == {other}"));
        }
        self.judges();
        let setup = self.fresh("setup");
        self.braces(&format!("setup {setup}"), "", |generator| {
            for input in &inputs {
                match generator.dice.below(4) {
                    0 => generator.line(format!("without {}", input.name)),
                    1 => generator.line(format!("limit {}: {kept} > 2", input.name)),
                    2 => generator.line(format!("limit {}: p > 2", input.name)),
                    _ => {}
                }
            }
            if generator.dice.percent(25) {
                let shown = generator.types.show(&alias);
                generator.line(format!("domain {shown} = 1..0"));
            }
            if generator.dice.percent(30) {
                let place = generator.dice.between(0, 2);
                generator.line(format!("keep {kept} == {place}"));
            }
        });
    }
}
