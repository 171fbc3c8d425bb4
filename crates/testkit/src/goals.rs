//! Goals, and formulas with every operator.

use crate::types::Type;
use crate::{Generator, Scope};

impl Generator {
    pub(crate) fn goals(&mut self) {
        for chance in [70, 30] {
            if self.dice.percent(chance) {
                self.goal();
            }
        }
    }

    fn goal(&mut self) {
        let name = self.fresh("goal");
        let mut params: Vec<(String, Type)> = Vec::new();
        if self.dice.percent(25) {
            let ty = self.finite_type(4);
            params.push((self.fresh("x"), ty));
        }
        let scope = Scope { locals: params.clone(), ..Scope::default() };
        let depth = self.depth();
        let mut text = format!("goal {name}{}: {}", self.params(&params), self.condition(&scope, depth).part());
        if self.dice.percent(25) {
            text += &format!(" after {}", self.condition(&scope, 1).part());
        }
        self.line(text);
    }

    /// One or two formulas over several steps.
    pub(crate) fn formulas(&mut self) {
        for chance in [100, 40] {
            if self.dice.percent(chance) {
                let (name, formula) = (self.fresh("keeps"), self.formula());
                self.line(format!("property {name}: {formula}"));
            }
        }
    }

    fn formula(&mut self) -> String {
        match self.dice.below(8) {
            0 => {
                let (past, next) = (self.past(1), self.past(1));
                format!("always (({past}) implies next {} ({next}))", self.dice.between(1, 2))
            }
            1 => {
                let (past, other) = (self.past(1), self.past(1));
                format!("always (({past}) implies previously {} ({other}))", self.dice.between(1, 2))
            }
            2 => {
                let (one, other) = (self.past(1), self.past(1));
                format!("not (({one}) until ({other}))")
            }
            3 => self.for_every_where().unwrap_or_else(|| self.promise()),
            _ => self.promise(),
        }
    }

    fn for_every_where(&mut self) -> Option<String> {
        let ty = self.finite_type(4);
        let x = self.fresh("x");
        let scope = Scope { locals: vec![(x.clone(), ty.clone())], ..Scope::default() };
        let [one, other] = [(); 2].map(|()| self.condition(&scope, 1).text);
        let shown = self.types.show(&ty);
        Some(match self.dice.below(3) {
            0 => format!("for every {x}: {shown} where {}: always ({other})", self.condition(&scope, 1).part()),
            1 => format!("for every {x}: {shown}: always (({one}) implies next ({other}))"),
            _ => format!("for every {x}: {shown}: always (({one}) implies once ({other}))"),
        })
    }
}
