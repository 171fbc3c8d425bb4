//! Those who watch: formulas over several steps, and observers with a memory.

use crate::actions::{Action, Direction};
use crate::expressions::Expression;
use crate::{Generator, Scope};

impl Generator {
    pub(crate) fn watchers(&mut self) {
        for _ in 0..1 + self.dice.below(3) {
            let name = self.fresh("keeps");
            let formula = self.promise();
            self.line(format!("property {name}: {formula}"));
        }
        for _ in 0..self.dice.below(3) {
            self.observer();
        }
    }

    pub(crate) fn promise(&mut self) -> String {
        let past = self.past(2);
        match self.dice.below(9) {
            0 => format!("never ({past})"),
            1 => format!("possible ({past})"),
            2 => self.for_every().unwrap_or_else(|| format!("always ({past})")),
            3 => format!("({past}) unless ({})", self.past(1)),
            4 => format!("always (({past}) implies next ({}))", self.past(1)),
            5 => format!("always (({past}) implies within {} ({}))", self.dice.between(1, 3), self.past(1)),
            6 => format!("always (({past}) implies ({}) unless ({}))", self.past(1), self.past(1)),
            _ => format!("always (({past}) implies ({}))", self.past(2)),
        }
    }

    /// The actions that somebody outside can see.
    fn visible(&self) -> Vec<Action> {
        self.actions.iter().filter(|action| action.direction != Direction::Internal).cloned().collect()
    }

    /// Each value of a parameter by itself.
    fn for_every(&mut self) -> Option<String> {
        let finite = |action: &Action| {
            action.params.iter().any(|(_, ty)| self.types.count(ty).is_some_and(|count| (1..8).contains(&count)))
        };
        let fitting: Vec<Action> = self.visible().into_iter().filter(finite).collect();
        let action = self.dice.any(&fitting)?.clone();
        let place = action
            .params
            .iter()
            .position(|(_, ty)| self.types.count(ty).is_some_and(|count| (1..8).contains(&count)))?;
        let (name, shown) = (self.fresh("x"), self.types.show(&action.params[place].1));
        let args: Vec<&str> =
            (0..action.params.len()).map(|index| if index == place { name.as_str() } else { "_" }).collect();
        let event = format!("{}({})", action.name, args.join(", "));
        let other = self.past(1);
        Some(match self.dice.below(3) {
            0 => format!("for every {name}: {shown}: always ({event} implies not previously once {event})"),
            1 => format!("for every {name}: {shown}: always ({event} implies ({other}))"),
            _ => format!("for every {name}: {shown}: always (({other}) implies once {event})"),
        })
    }

    /// A condition on what has been.
    pub(crate) fn past(&mut self, depth: u32) -> String {
        if depth == 0 || self.dice.percent(25) {
            return self.happening();
        }
        let one = self.past(depth - 1);
        match self.dice.below(7) {
            0 => format!("not ({one})"),
            1 => format!("({one}) and ({})", self.past(depth - 1)),
            2 => format!("({one}) or ({})", self.past(depth - 1)),
            3 => format!("previously ({one})"),
            4 => format!("once ({one})"),
            5 => format!("historically ({one})"),
            _ => format!("({one}) since ({})", self.past(depth - 1)),
        }
    }

    /// An event, a condition on the state, or silence.
    pub(crate) fn happening(&mut self) -> String {
        match self.dice.below(10) {
            0 => "silence".into(),
            1..4 => {
                let Expression { text, .. } = self.condition(&Scope::default(), 1);
                format!("({text})")
            }
            _ => {
                let action = self.dice.pick(&self.visible()).clone();
                if action.params.is_empty() || self.dice.percent(50) {
                    return action.name;
                }
                let arg = |generator: &mut Generator, ty| {
                    let open = generator.dice.percent(60) || !generator.types.has_literal(ty);
                    if open { "_".into() } else { generator.value(ty) }
                };
                let args: Vec<String> = action.params.iter().map(|(_, ty)| arg(self, ty)).collect();
                format!("{}({})", action.name, args.join(", "))
            }
        }
    }

    pub(crate) fn observer(&mut self) {
        let (name, memory) = (self.fresh("watches"), self.fresh("m"));
        let never = self.dice.percent(60);
        let places: Vec<String> = (0..2).map(|_| self.fresh("At")).collect();
        let kind = if never { "never" } else { "possible" };
        self.braces(&format!("observer {name} {kind}"), "", |generator| {
            generator.line(format!("var {memory}: 0..3 = 0"));
            generator.line(format!("start {}", places[0]));
            for place in &places {
                generator.braces(&format!("at {place}"), "", |generator| {
                    let rules = 1 + generator.dice.below(3);
                    for index in 0..rules {
                        // Rules that are visibly not apart are a mistake; others may turn out to be one.
                        let apart = (rules > 1).then_some(index);
                        generator.observer_rule(&memory, &places, apart, if never { "bad" } else { "good" });
                    }
                });
            }
        });
    }

    fn observer_rule(&mut self, memory: &str, places: &[String], apart: Option<usize>, verdict: &str) {
        let action = self.dice.pick(&self.visible()).clone();
        let params: Vec<(String, crate::types::Type)> =
            action.params.iter().map(|(_, ty)| (self.fresh("q"), ty.clone())).collect();
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let (trigger, scope) = match self.dice.below(10) {
            0 => ("silence".into(), Scope::default()),
            1 => ("any".into(), Scope::default()),
            _ if names.is_empty() => (action.name.clone(), Scope::default()),
            _ => (format!("{}({})", action.name, names.join(", ")), Scope { locals: params, ..Scope::default() }),
        };
        let guard = match (self.dice.below(3), apart) {
            (0, None) => String::new(),
            (0 | 1, _) => format!(" when {memory} < {}", apart.unwrap_or(0) + 1),
            _ => format!(" when {memory} <= {} and ({})", apart.unwrap_or(0) + 1, self.condition(&scope, 1).text),
        };
        let body = match self.dice.below(3) {
            0 => String::new(),
            // It may leave its range, which is an error.
            1 => format!(" {{ {memory} += 1 }}"),
            _ => format!(" {{ {memory} = {} }}", self.dice.between(0, 3)),
        };
        let target = match self.dice.below(3) {
            0 => format!(" -> {verdict}"),
            1 => format!(" -> {}", self.dice.pick(places)),
            _ => String::new(),
        };
        self.line(format!("on {trigger}{guard}{body}{target}"));
    }
}
