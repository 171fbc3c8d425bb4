//! Sequences, sets and maps, and what runs over them. Nothing here makes a collection much larger than those it reads:
//! sequences are cut, and a comprehension that builds a collection has one binder and stands outside of loops.

use crate::expressions::{Expression, Hint, Level, infix};
use crate::types::Type;
use crate::{Generator, Scope};

const SUM: [Level; 2] = [Level::Sum, Level::Product];

impl Generator {
    pub(crate) fn sequence(&mut self, scope: &Scope, inner: &Type, depth: u32, hint: Hint) -> Expression {
        let ty = Type::Seq(inner.clone().into());
        let receiver =
            |generator: &mut Generator| generator.expression(scope, &ty, depth, Hint::Absent).at(Level::Operand);
        match self.dice.below(8) {
            _ if self.whole.is_some() && self.types.has_objects(inner) => self.construction(scope, &ty, depth, hint),
            0 | 1 if self.is_careful() => self.construction(scope, &ty, depth, hint),
            0 => Expression::operand(format!("{}.rest", receiver(self))),
            1 => Expression::operand(format!("{}.front", receiver(self))),
            2 => Expression::operand(format!("{}.reverse", receiver(self))),
            3 if self.dice.percent(50) => {
                let method = *self.dice.pick(&["take", "drop"]);
                let count = self.arguments(scope, &[Type::Int], depth);
                Expression::operand(format!("{}.{method}({count})", receiver(self)))
            }
            3 => self.changed(scope, (&ty, inner), depth),
            4 => {
                let left = self.expression(scope, &ty, depth, Hint::Absent);
                let right = self.expression(scope, &ty, depth, Hint::Given);
                let joined = infix(left, "+", right, Level::Sum, SUM).at(Level::Operand);
                Expression::operand(format!("{joined}.take(4)"))
            }
            5 => self.values_of(scope, inner).unwrap_or_else(|| self.construction(scope, &ty, depth, hint)),
            6 if !scope.looping => self.comprehension(scope, inner, depth, hint, ["[", "]"]),
            _ => self.construction(scope, &ty, depth, hint),
        }
    }

    /// A sequence with other elements, in another order, or less.
    fn changed(&mut self, scope: &Scope, (ty, inner): (&Type, &Type), depth: u32) -> Expression {
        let receiver = self.expression(scope, ty, depth, Hint::Absent).at(Level::Operand);
        let (of, int) = (inner.clone(), Type::Int);
        let inside = !self.is_careful();
        let text = match self.dice.below(8) {
            0 if !self.types.has_objects(inner) => format!("{receiver}.sort"),
            1 => format!("{receiver}.distinct"),
            2 if inside => format!("{receiver}.insert({}).take(4)", self.arguments(scope, &[int, of], depth)),
            3 if inside => format!("{receiver}.update({})", self.arguments(scope, &[int, of], depth)),
            4 if inside => format!("{receiver}.remove_at({})", self.arguments(scope, &[int], depth)),
            5 => format!("{receiver}.remove_first({})", self.arguments(scope, &[of], depth)),
            _ => format!("{receiver}.slice({})", self.arguments(scope, &[int.clone(), int], depth)),
        };
        Expression::operand(text)
    }

    /// The elements of a set or the values of a map that can be named.
    fn values_of(&mut self, scope: &Scope, inner: &Type) -> Option<Expression> {
        let mut found = Vec::new();
        for (name, ty) in self.readable(scope) {
            match self.types.strip(&ty) {
                Type::Set(element) if self.types.fit(element, inner) => found.push(format!("{name}.elements")),
                Type::Map(_, value) if self.types.fit(value, inner) => found.push(format!("{name}.values")),
                _ => {}
            }
        }
        Some(Expression::operand(self.dice.any(&found)?.clone()))
    }

    pub(crate) fn set(&mut self, scope: &Scope, inner: &Type, depth: u32, hint: Hint) -> Expression {
        let ty = Type::Set(inner.clone().into());
        match self.dice.below(9) {
            0..3 => {
                let left = self.expression(scope, &ty, depth, Hint::Absent);
                let right = self.expression(scope, &ty, depth, Hint::Given);
                let operator = *self.dice.pick(&["+", "-", "&"]);
                infix(left, operator, right, Level::Sum, SUM)
            }
            3 => self.keys_of(scope, inner).unwrap_or_else(|| self.construction(scope, &ty, depth, hint)),
            4 if *self.types.strip(inner) == Type::Int => self.small_range(scope, depth),
            5 if !scope.looping => self.comprehension(scope, inner, depth, hint, ["{", "}"]),
            6 if matches!(inner, Type::Object(_)) => {
                let Type::Object(id) = inner else { unreachable!("just matched") };
                Expression::operand(format!("{}.all", self.types.objects[*id]))
            }
            _ => self.construction(scope, &ty, depth, hint),
        }
    }

    fn keys_of(&mut self, scope: &Scope, inner: &Type) -> Option<Expression> {
        let mut found = Vec::new();
        for (name, ty) in self.readable(scope) {
            match self.types.strip(&ty) {
                Type::Seq(element) if self.types.fit(element, inner) => found.push(format!("{name}.elements")),
                Type::Map(key, _) if self.types.fit(key, inner) => found.push(format!("{name}.keys")),
                _ => {}
            }
        }
        Some(Expression::operand(self.dice.any(&found)?.clone()))
    }

    /// A range that has few elements whatever its bound is.
    fn small_range(&mut self, scope: &Scope, depth: u32) -> Expression {
        let low = Expression::operand(self.dice.between(0, 2).to_string());
        let high = self.expression(scope, &Type::Int, depth, Hint::Given).at(Level::Product);
        infix(low, "..", Expression::new(format!("{high} % 5"), Level::Product), Level::Range, [Level::Sum; 2])
    }

    pub(crate) fn map(&mut self, scope: &Scope, (key, value): (&Type, &Type), depth: u32, hint: Hint) -> Expression {
        let ty = Type::Map(key.clone().into(), value.clone().into());
        match self.dice.below(9) {
            0 => {
                let left = self.expression(scope, &ty, depth, Hint::Absent);
                let right = self.expression(scope, &ty, depth, Hint::Given);
                infix(left, "+", right, Level::Sum, SUM)
            }
            1 => {
                let left = self.expression(scope, &ty, depth, Hint::Absent);
                let keys = Type::Set(key.clone().into());
                let right = match self.dice.percent(60) {
                    true => self.construction(scope, &keys, depth, Hint::Given),
                    false => self.expression(scope, &keys, depth, Hint::Given),
                };
                infix(left, "-", right, Level::Sum, SUM)
            }
            2 if !scope.looping => {
                let (scope, binder) = self.binder(scope, depth);
                let [key, value] = [key, value].map(|ty| self.expression(&scope, ty, depth, hint).part());
                let condition = self.filter(&scope, depth);
                Expression::operand(format!("{{ {key}: {value} for {binder}{condition} }}"))
            }
            _ => self.construction(scope, &ty, depth, hint),
        }
    }

    /// `m.find(k)` for a map that can be named.
    pub(crate) fn find(&mut self, scope: &Scope, inner: &Type, depth: u32) -> Option<Expression> {
        let is_map = |ty: &Type| matches!(self.types.strip(ty), Type::Map(_, value) if self.types.fit(value, inner));
        let maps: Vec<(String, Type)> = self.readable(scope).into_iter().filter(|(_, ty)| is_map(ty)).collect();
        let (name, ty) = self.dice.any(&maps)?.clone();
        let Type::Map(key, _) = self.types.strip(&ty).clone() else { unreachable!("just filtered") };
        Some(Expression::operand(format!("{name}.find({})", self.arguments(scope, &[*key], depth))))
    }

    /// Something to run over, with the type of its elements.
    pub(crate) fn collection(&mut self, scope: &Scope, depth: u32) -> (Expression, Type) {
        if self.is_plain() {
            return (Expression::operand(*self.dice.pick(&["{1, 2}", "{0, 1}", "{2}"])), Type::Int);
        }
        let mut known = Vec::new();
        for (name, ty) in self.readable(scope) {
            match self.types.strip(&ty) {
                Type::Seq(inner) | Type::Set(inner) | Type::Map(inner, _) => known.push((name, (**inner).clone())),
                _ => {}
            }
        }
        match self.dice.any(&known) {
            Some((name, ty)) if self.dice.percent(70) => (Expression::operand(name.clone()), ty.clone()),
            _ if self.dice.percent(50) => (self.small_range(scope, depth), Type::Int),
            _ => {
                let inner = self.present_type(scope);
                let ty = if self.dice.percent(30) { Type::Seq } else { Type::Set }(inner.clone().into());
                (self.expression(scope, &ty, depth, Hint::Absent), inner)
            }
        }
    }

    /// `x in S` or `x: T`, and the scope in which `x` is known.
    fn binder(&mut self, scope: &Scope, depth: u32) -> (Scope, String) {
        let name = self.fresh("x");
        if self.dice.percent(25) {
            let ty = self.finite_type(12);
            let binder = format!("{name}: {}", self.types.show(&ty));
            return (scope.with([(name, ty)]), binder);
        }
        let (from, ty) = self.collection(scope, depth);
        let binder = format!("{name} in {}", from.part());
        (scope.with([(name, ty)]), binder)
    }

    /// One binder, now and then two.
    fn binders(&mut self, scope: &Scope, depth: u32) -> (Scope, String) {
        let (scope, first) = self.binder(scope, depth);
        if !self.dice.percent(15) {
            return (scope, first);
        }
        let (scope, second) = self.binder(&scope, 0);
        (scope, format!("{first}, {second}"))
    }

    fn filter(&mut self, scope: &Scope, depth: u32) -> String {
        if self.dice.percent(35) { format!(" where {}", self.condition(scope, depth).part()) } else { String::new() }
    }

    fn comprehension(
        &mut self,
        scope: &Scope,
        inner: &Type,
        depth: u32,
        hint: Hint,
        [open, close]: [&str; 2],
    ) -> Expression {
        let (scope, binder) = self.binder(scope, depth);
        let item = self.expression(&scope, inner, depth, hint).part();
        let condition = self.filter(&scope, depth);
        Expression::operand(format!("{open} {item} for {binder}{condition} {close}"))
    }

    pub(crate) fn quantified(&mut self, scope: &Scope, depth: u32) -> Expression {
        let word = *self.dice.pick(&["every", "some"]);
        let (scope, binders) = self.binders(scope, depth);
        let condition = self.filter(&scope, depth);
        let body = self.condition(&scope, depth).text;
        Expression::new(format!("for {word} {binders}{condition}: {body}"), Level::Open)
    }

    /// `sum(...)`, `count(...)`, `min(...)`, `max(...)` as an integer.
    pub(crate) fn aggregate(&mut self, scope: &Scope, depth: u32) -> Expression {
        let functions = if self.is_careful() { &["sum", "count"][..] } else { &["sum", "count", "min", "max"] };
        let function = *self.dice.pick(functions);
        let (scope, binders) = self.binders(scope, depth);
        let item = self.expression(&scope, &Type::Int, depth, Hint::Absent).part();
        let condition = self.filter(&scope, depth);
        Expression::operand(format!("{function}({item} for {binders}{condition})"))
    }
}
