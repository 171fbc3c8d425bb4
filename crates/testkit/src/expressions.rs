//! Expressions of a wanted type.
//!
//! An expression knows how loosely it binds, so parentheses stand only where the grammar needs them.

use crate::types::{Type, is_integer};
use crate::{Generator, Scope};

/// Whether the place of an expression tells its type, so that `none`, `[]` and `{}` may stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    Given,
    Absent,
}

/// From the loosest to the tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Open,
    Iff,
    Implies,
    Or,
    And,
    Prefix,
    Comparison,
    Range,
    Sum,
    Product,
    Operand,
}

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) level: Level,
}

impl Expression {
    pub(crate) fn new(text: impl Into<String>, level: Level) -> Expression {
        Expression { text: text.into(), level }
    }

    pub(crate) fn operand(text: impl Into<String>) -> Expression {
        Expression::new(text, Level::Operand)
    }

    /// In parentheses if it binds more loosely than its place.
    pub(crate) fn at(self, level: Level) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }

    /// As an element of a list.
    pub(crate) fn part(self) -> String {
        self.at(Level::Iff)
    }
}

/// `left operator right`, where both sides bind at least this tightly.
pub(crate) fn infix(
    left: Expression,
    operator: &str,
    right: Expression,
    level: Level,
    sides: [Level; 2],
) -> Expression {
    Expression::new(format!("{} {operator} {}", left.at(sides[0]), right.at(sides[1])), level)
}

impl Generator {
    pub(crate) fn expression(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> Expression {
        if depth == 0 || self.dice.percent(20) {
            return self.leaf(scope, ty, hint);
        }
        match self.dice.below(10) {
            0 => self.conditional(scope, ty, depth - 1, hint),
            1 => self.match_expression(scope, ty, depth - 1, hint),
            2 => self.call(scope, ty, depth - 1).unwrap_or_else(|| self.built(scope, ty, depth - 1, hint)),
            3 => self.projection(scope, ty, depth - 1).unwrap_or_else(|| self.built(scope, ty, depth - 1, hint)),
            _ => self.built(scope, ty, depth - 1, hint),
        }
    }

    /// A condition, often with several parts.
    pub(crate) fn condition(&mut self, scope: &Scope, depth: u32) -> Expression {
        self.expression(scope, &Type::Bool, depth, Hint::Given)
    }

    /// A name, a field of one, or a literal.
    pub(crate) fn leaf(&mut self, scope: &Scope, ty: &Type, hint: Hint) -> Expression {
        let names = self.names_of(scope, ty);
        match self.dice.any(&names) {
            Some(name) if self.dice.percent(75) => Expression::operand(name.clone()),
            _ => self.literal(scope, ty, hint),
        }
    }

    /// Everything that can be read here, with its type: locals, variables, constants, and their fields.
    pub(crate) fn readable(&self, scope: &Scope) -> Vec<(String, Type)> {
        let mut found: Vec<(String, Type)> =
            scope.locals.iter().chain(&self.variables).chain(&self.constants).cloned().collect();
        let mut next = 0;
        while next < found.len() {
            let (name, ty) = found[next].clone();
            found.extend(self.types.fields(&ty).into_iter().map(|(field, ty)| (format!("{name}.{field}"), ty)));
            next += 1;
        }
        found
    }

    pub(crate) fn names_of(&self, scope: &Scope, ty: &Type) -> Vec<String> {
        let readable = self.readable(scope).into_iter();
        readable.filter(|(_, known)| self.types.fit(known, ty)).map(|(name, _)| name).collect()
    }

    /// The smallest expression of the type that needs no name.
    fn literal(&mut self, scope: &Scope, ty: &Type, hint: Hint) -> Expression {
        match self.types.strip(ty).clone() {
            Type::Bool => Expression::operand(self.dice.percent(50).to_string()),
            Type::Int => self.number(),
            Type::Range(..) | Type::Bounded(..) if self.types.mixing => self.number(),
            Type::Range(..) | Type::Bounded(..) => Expression::operand(*self.dice.pick(&["1", "2"])),
            Type::String => Expression::operand(self.string()),
            Type::Object(id) => self.object(scope, id),
            Type::Option(_) if hint == Hint::Given && self.dice.percent(60) => Expression::operand("none"),
            Type::Seq(_) if hint == Hint::Given && self.dice.percent(40) => Expression::operand("[]"),
            Type::Set(_) | Type::Map(..) if hint == Hint::Given && self.dice.percent(40) => Expression::operand("{}"),
            other => self.construction(scope, &other, 0, hint),
        }
    }

    /// 1 and 2 lie in every range; other numbers are sums, which are checked only when the model runs.
    fn number(&mut self) -> Expression {
        let side = if self.is_careful() { 2 + self.dice.below(38) } else { self.dice.below(40) };
        match side {
            0 => Expression::new("9_223_372_036_854_775_807 - 1", Level::Sum),
            1 => Expression::new("-9_223_372_036_854_775_807 - 1", Level::Sum),
            2..6 => Expression::new(format!("{} + 1", self.dice.below(9)), Level::Sum),
            6..9 => Expression::new("0 - 1", Level::Sum),
            9..14 => Expression::new("1 - 1", Level::Sum),
            14..28 => Expression::operand("1"),
            _ => Expression::operand("2"),
        }
    }

    fn object(&mut self, scope: &Scope, id: usize) -> Expression {
        let name = self.types.objects[id].clone();
        match self.dice.below(3) {
            _ if self.whole.is_some() => Expression::operand(format!("{name}.all.only")),
            _ if scope.makes && self.dice.percent(70) => Expression::operand(format!("new {name}")),
            0 => Expression::operand(format!("min({name}.all)")),
            1 => Expression::operand(format!("max({name}.all)")),
            _ => Expression::operand(format!("{name}.all.only")),
        }
    }

    fn conditional(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> Expression {
        let condition = self.condition(scope, depth).part();
        let [then, otherwise] = [(); 2].map(|()| self.expression(scope, ty, depth, hint).part());
        Expression::new(format!("if {condition} then {then} else {otherwise}"), Level::Open)
    }

    /// A definition of the type with arguments.
    fn call(&mut self, scope: &Scope, ty: &Type, depth: u32) -> Option<Expression> {
        let fitting: Vec<_> =
            self.definitions.iter().filter(|definition| self.types.fit(&definition.ty, ty)).cloned().collect();
        let definition = self.dice.any(&fitting)?.clone();
        let args = self.arguments(scope, &definition.params, depth);
        Some(Expression::operand(if args.is_empty() {
            definition.name
        } else {
            format!("{}({args})", definition.name)
        }))
    }

    /// Expressions of these types, between commas.
    pub(crate) fn arguments(&mut self, scope: &Scope, types: &[Type], depth: u32) -> String {
        let args = types.iter().map(|ty| self.expression(scope, ty, depth, Hint::Given).part());
        args.collect::<Vec<_>>().join(", ")
    }

    /// An element of something that can be named and holds such values; it may not be there.
    fn projection(&mut self, scope: &Scope, ty: &Type, depth: u32) -> Option<Expression> {
        let holds = |holder: &Type| match self.types.strip(holder) {
            Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) | Type::Map(_, inner) => {
                self.types.fit(inner, ty)
            }
            _ => false,
        };
        let holders: Vec<(String, Type)> =
            self.readable(scope).into_iter().filter(|(_, holder)| holds(holder)).collect();
        let (name, holder) = self.dice.any(&holders)?.clone();
        if self.is_careful() || self.whole.is_some() && self.types.has_objects(ty) {
            return self.safe_projection(scope, (name, &holder), depth);
        }
        let text = match self.types.strip(&holder).clone() {
            Type::Option(_) if self.dice.percent(20) => format!("{name}.get"),
            Type::Option(inner) => format!("{name}.or({})", self.arguments(scope, &[*inner], depth)),
            Type::Seq(_) => match self.dice.below(4) {
                0 => format!("{name}.first"),
                1 => format!("{name}.last"),
                _ => format!("{name}[{}]", self.arguments(scope, &[Type::Int], depth)),
            },
            Type::Set(_) => format!("{}({name})", self.dice.pick(&["min", "max"])),
            Type::Map(key, _) if self.dice.percent(25) => format!("{name}[{}]", self.arguments(scope, &[*key], depth)),
            Type::Map(key, value) => format!("{name}.get({})", self.arguments(scope, &[*key, *value], depth)),
            _ => return None,
        };
        Some(Expression::operand(text))
    }

    /// An operation whose result has the type.
    fn built(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> Expression {
        match self.types.strip(ty).clone() {
            Type::Bool => self.boolean(scope, depth),
            Type::Int => self.integer(scope, depth),
            Type::Range(..) | Type::Bounded(..) if self.types.mixing => self.integer(scope, depth),
            Type::Range(..) | Type::Bounded(..) => self.leaf(scope, ty, hint),
            Type::String if self.whole.is_none() && self.dice.percent(10) => {
                let left = self.leaf(scope, ty, hint);
                match self.dice.below(5) {
                    0 => Expression::operand(format!("{}.upper", left.at(Level::Operand))),
                    1 => Expression::operand(format!("{}.slice(0, 2)", left.at(Level::Operand))),
                    2 => Expression::operand(format!("{}.replace({}, \"\")", left.at(Level::Operand), self.string())),
                    _ => infix(left, "+", Expression::operand(self.string()), Level::Sum, [Level::Sum, Level::Product]),
                }
            }
            Type::String | Type::Object(_) => self.leaf(scope, ty, hint),
            Type::Option(inner) if self.dice.percent(40) => {
                self.find(scope, &inner, depth).unwrap_or_else(|| self.construction(scope, ty, depth, hint))
            }
            Type::Seq(inner) => self.sequence(scope, &inner, depth, hint),
            Type::Set(inner) => self.set(scope, &inner, depth, hint),
            Type::Map(key, value) => self.map(scope, (&key, &value), depth, hint),
            other => self.construction(scope, &other, depth, hint),
        }
    }

    /// A value put together from its parts.
    pub(crate) fn construction(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> Expression {
        match self.types.strip(ty).clone() {
            Type::Enum(id) => {
                let (enumeration, variants) = self.types.enums[id].clone();
                let (name, payload) = self.dice.pick(&variants).clone();
                let name = if self.dice.percent(20) { format!("{enumeration}.{name}") } else { name };
                let args = self.arguments(scope, &payload, depth);
                Expression::operand(if payload.is_empty() { name } else { format!("{name}({args})") })
            }
            Type::Record(id) => {
                let (name, fields) = self.types.records[id].clone();
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, ty)| format!("{field}: {}", self.expression(scope, ty, depth, Hint::Given).part()))
                    .collect();
                Expression::operand(format!("{name}({})", fields.join(", ")))
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.expression(scope, part, depth, hint).part()).collect();
                Expression::operand(format!("({})", parts.join(", ")))
            }
            Type::Option(inner) => {
                let inner = self.expression(scope, &inner, depth, hint).part();
                Expression::operand(format!("some({inner})"))
            }
            Type::Seq(inner) => Expression::operand(format!("[{}]", self.elements(scope, &inner, depth, hint))),
            Type::Set(inner) => Expression::operand(format!("{{{}}}", self.elements(scope, &inner, depth, hint))),
            Type::Map(key, value) => {
                let pairs: Vec<String> = (0..1 + self.dice.below(2))
                    .map(|_| {
                        let [key, value] = [&key, &value].map(|ty| self.expression(scope, ty, depth, hint).part());
                        format!("{key}: {value}")
                    })
                    .collect();
                Expression::operand(format!("{{ {} }}", pairs.join(", ")))
            }
            other => self.leaf(scope, &other, hint),
        }
    }

    fn elements(&mut self, scope: &Scope, ty: &Type, depth: u32, hint: Hint) -> String {
        let count = 1 + self.dice.below(2);
        (0..count).map(|_| self.expression(scope, ty, depth, hint).part()).collect::<Vec<_>>().join(", ")
    }

    fn integer(&mut self, scope: &Scope, depth: u32) -> Expression {
        let int = |generator: &mut Generator| generator.expression(scope, &Type::Int, depth, Hint::Given);
        match self.dice.below(14) {
            divides @ (7 | 8) if self.is_careful() => {
                let operator = if divides == 7 { "/" } else { "%" };
                infix(int(self), operator, Expression::operand("2"), Level::Product, [Level::Product, Level::Operand])
            }
            0..4 => infix(int(self), "+", int(self), Level::Sum, [Level::Sum, Level::Product]),
            4..6 => infix(int(self), "-", int(self), Level::Sum, [Level::Sum, Level::Product]),
            6 => infix(int(self), "*", int(self), Level::Product, [Level::Product, Level::Operand]),
            7 => infix(int(self), "/", int(self), Level::Product, [Level::Product, Level::Operand]),
            8 => infix(int(self), "%", int(self), Level::Product, [Level::Product, Level::Operand]),
            9 if self.dice.percent(50) => {
                let function = *self.dice.pick(&["min", "max"]);
                Expression::operand(format!("{function}({}, {})", int(self).part(), int(self).part()))
            }
            9 if self.dice.percent(20) && !self.is_plain() && self.whole.is_none() => {
                Expression::operand(format!("pow({}, 2)", int(self).part()))
            }
            9 => Expression::operand(format!("abs({})", int(self).part())),
            // A literal with a sign would be a literal, which may lie outside a range.
            10 => match int(self).at(Level::Operand) {
                text if text.starts_with(|first: char| first.is_ascii_digit()) => {
                    Expression::new(format!("0 - {text}"), Level::Sum)
                }
                text => Expression::new(format!("-{text}"), Level::Product),
            },
            11 if !self.is_plain() => self.aggregate(scope, depth),
            _ => self.size_of(scope).unwrap_or_else(|| int(self)),
        }
    }

    fn size_of(&mut self, scope: &Scope) -> Option<Expression> {
        let mut sizes: Vec<String> = self.types.objects.iter().map(|name| format!("{name}.count")).collect();
        for (name, ty) in self.readable(scope) {
            match self.types.strip(&ty) {
                Type::Seq(_) | Type::String => sizes.push(format!("{name}.length")),
                Type::Set(_) | Type::Map(..) => sizes.push(format!("{name}.size")),
                _ => {}
            }
        }
        Some(Expression::operand(self.dice.any(&sizes)?.clone()))
    }

    fn boolean(&mut self, scope: &Scope, depth: u32) -> Expression {
        let both = |generator: &mut Generator| [(); 2].map(|()| generator.condition(scope, depth));
        match self.dice.below(20) {
            0 => Expression::new(format!("not {}", self.condition(scope, depth).at(Level::Prefix)), Level::Prefix),
            1..3 => {
                let [left, right] = both(self);
                infix(left, "and", right, Level::And, [Level::And, Level::Prefix])
            }
            3..5 => {
                let [left, right] = both(self);
                infix(left, "or", right, Level::Or, [Level::Or, Level::And])
            }
            5 => {
                let [left, right] = both(self);
                infix(left, "implies", right, Level::Implies, [Level::Or, Level::Implies])
            }
            6 => {
                let [left, right] = both(self);
                infix(left, "iff", right, Level::Iff, [Level::Implies, Level::Implies])
            }
            7..10 if self.is_focused() => match self.protected(scope) {
                Some(text) => Expression::new(format!("({text})"), Level::Operand),
                None => self.comparison(scope, depth),
            },
            7..12 => self.comparison(scope, depth),
            12..17 if self.is_plain() => self.comparison(scope, depth),
            12..14 => self.membership(scope, depth),
            14 => self.question(scope, depth),
            15 | 16 => self.quantified(scope, depth),
            17 if !scope.locations.is_empty() => {
                let place = self.dice.pick(&scope.locations).clone();
                Expression::operand(format!("(at {place})"))
            }
            _ => self.property_of(scope, depth).unwrap_or_else(|| self.comparison(scope, depth)),
        }
    }

    /// A type worth comparing: one that something here has.
    pub(crate) fn present_type(&mut self, scope: &Scope) -> Type {
        let readable = self.readable(scope);
        self.dice.any(&readable).map_or(Type::Int, |(_, ty)| ty.clone())
    }

    fn comparison(&mut self, scope: &Scope, depth: u32) -> Expression {
        let ty = match self.present_type(scope) {
            ty if is_integer(self.types.strip(&ty)) => Type::Int,
            ty => ty,
        };
        let left = self.expression(scope, &ty, depth, Hint::Absent);
        let right = self.expression(scope, &ty, depth, Hint::Given);
        let unordered = self.whole.is_some() && self.types.has_objects(&ty)
            || self.is_plain() && !is_integer(self.types.strip(&ty));
        let operators = if unordered { &["==", "!="][..] } else { &["==", "!=", "==", "!=", "<", "<=", ">", ">="] };
        let operator = *self.dice.pick(operators);
        infix(left, operator, right, Level::Comparison, [Level::Range, Level::Range])
    }

    fn membership(&mut self, scope: &Scope, depth: u32) -> Expression {
        let operator = *self.dice.pick(&["in", "in", "not in"]);
        if self.dice.percent(25) {
            let [value, low, high] = [(); 3].map(|()| self.expression(scope, &Type::Int, depth, Hint::Given));
            let range = infix(low, "..", high, Level::Range, [Level::Sum, Level::Sum]);
            return infix(value, operator, range, Level::Comparison, [Level::Range, Level::Range]);
        }
        let (from, element) = self.collection(scope, depth);
        let value = self.expression(scope, &element, depth, Hint::Given);
        infix(value, operator, from, Level::Comparison, [Level::Range, Level::Range])
    }

    /// `e is pattern`
    fn question(&mut self, scope: &Scope, depth: u32) -> Expression {
        let ty = self.present_type(scope);
        let value = self.expression(scope, &ty, depth, Hint::Absent).at(Level::Range);
        let pattern = self.pattern(&ty, 2, &mut Vec::new());
        Expression::new(format!("{value} is {pattern}"), Level::Comparison)
    }

    /// `s.is_empty` and other questions to something that can be named.
    fn property_of(&mut self, scope: &Scope, depth: u32) -> Option<Expression> {
        let askable = |ty: &Type| {
            matches!(self.types.strip(ty), Type::Option(_) | Type::Seq(_) | Type::Set(_) | Type::Map(..) | Type::String)
        };
        let holders: Vec<(String, Type)> = self.readable(scope).into_iter().filter(|(_, ty)| askable(ty)).collect();
        let (name, ty) = self.dice.any(&holders)?.clone();
        let text = match self.types.strip(&ty).clone() {
            Type::Option(_) => format!("{name}.{}", self.dice.pick(&["is_some", "is_none"])),
            Type::Seq(inner) => match self.dice.below(5) {
                0 => format!("{name}.is_empty"),
                2 => format!("{name}.ends_with({})", self.arguments(scope, &[ty], depth)),
                3 => format!("({name}.count({}) > 1)", self.arguments(scope, &[*inner], depth)),
                4 => format!("({name}.index_of({}) == some(1))", self.arguments(scope, &[*inner], depth)),
                1 => format!("{name}.contains({})", self.arguments(scope, &[*inner], depth)),
                _ => format!("{name}.starts_with({})", self.arguments(scope, &[ty], depth)),
            },
            Type::Set(inner) => match self.dice.below(3) {
                0 => format!("{name}.is_empty"),
                1 => format!("{name}.contains({})", self.arguments(scope, &[*inner], depth)),
                _ => format!("{name}.subset_of({})", self.arguments(scope, &[ty], depth)),
            },
            _ => format!("{name}.is_empty"),
        };
        Some(Expression::operand(text))
    }
}
