//! Patterns, and the cases of a `match` that cover everything.

use crate::expressions::{Expression, Hint};
use crate::types::Type;
use crate::{Generator, Scope};

/// A pattern and the names that it binds.
type Case = (String, Vec<(String, Type)>);

impl Generator {
    /// A pattern that a value of the type may match or not.
    pub(crate) fn pattern(&mut self, ty: &Type, depth: u32, names: &mut Vec<(String, Type)>) -> String {
        if depth == 0 || self.dice.percent(30) {
            return self.anything(ty, names);
        }
        match self.types.strip(ty).clone() {
            Type::Bool => self.dice.percent(50).to_string(),
            Type::Int | Type::Range(..) | Type::Bounded(..) => self.dice.between(-1, 4).to_string(),
            Type::String => self.string(),
            Type::Enum(id) => {
                let variants = self.types.enums[id].1.clone();
                let (name, payload) = self.dice.pick(&variants).clone();
                self.variant_pattern(name, &payload, depth - 1, names)
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.pattern(part, depth - 1, names)).collect();
                format!("({})", parts.join(", "))
            }
            Type::Option(inner) if self.dice.percent(60) => format!("some({})", self.pattern(&inner, depth - 1, names)),
            Type::Option(_) => "none".into(),
            _ => self.anything(ty, names),
        }
    }

    fn variant_pattern(
        &mut self,
        name: String,
        payload: &[Type],
        depth: u32,
        names: &mut Vec<(String, Type)>,
    ) -> String {
        let parts: Vec<String> = payload.iter().map(|ty| self.pattern(ty, depth, names)).collect();
        if parts.is_empty() { name } else { format!("{name}({})", parts.join(", ")) }
    }

    /// `_` or a name.
    fn anything(&mut self, ty: &Type, names: &mut Vec<(String, Type)>) -> String {
        if self.dice.percent(40) {
            return "_".into();
        }
        let name = self.fresh("x");
        names.push((name.clone(), ty.clone()));
        name
    }

    /// Patterns that together match every value of the type.
    pub(crate) fn cases(&mut self, ty: &Type) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        let mut add = |generator: &mut Generator,
                       write: &dyn Fn(&mut Generator, &mut Vec<(String, Type)>) -> String| {
            let mut names = Vec::new();
            let pattern = write(generator, &mut names);
            cases.push((pattern, names));
        };
        match self.types.strip(ty).clone() {
            Type::Bool => {
                add(self, &|_, _| "true".into());
                add(self, &|_, _| "false".into());
            }
            Type::Option(inner) => {
                add(self, &|_, _| "none".into());
                add(self, &|generator, names| format!("some({})", generator.anything(&inner, names)));
            }
            Type::Enum(id) if self.dice.percent(70) => {
                for (name, payload) in self.types.enums[id].1.clone() {
                    add(self, &|generator, names| generator.variant_pattern(name.clone(), &payload, 0, names));
                }
            }
            _ => {
                add(self, &|generator, names| generator.pattern(ty, 2, names));
                add(self, &|generator, names| generator.anything(ty, names));
            }
        }
        cases
    }

    pub(crate) fn match_expression(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> Expression {
        let of = self.present_type(scope);
        let value = self.expression(scope, &of, depth, Hint::Absent).part();
        let mut arms = Vec::new();
        for (pattern, names) in self.cases(&of) {
            let body = self.expression(&scope.with(names), ty, depth, hint).part();
            arms.push(format!("{pattern} => {body}"));
        }
        Expression::operand(format!("match {value} {{ {} }}", arms.join(", ")))
    }
}
