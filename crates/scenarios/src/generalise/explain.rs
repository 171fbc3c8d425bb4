//! Why does a term have the value it has here? A condition that is true in one state is taken apart, along the way by which its
//! value comes about, into small conditions that suffice: in every state and for all values that satisfy them, the
//! condition is true. `peer.find(x) == some(y)` after `peer[u] = v`, for instance, is true because `x == u` and `y == v`.

use super::term::{Frame, Meaning, binary, is_closed, negated, replaced, term};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Pattern, Type};
use interplay_semantics::{Instance, State, Value};

pub(super) struct Explainer<'e> {
    pub(super) instance: &'e Instance,
    pub(super) state: &'e State,
    pub(super) frame: &'e mut Frame,
    /// The reasons so far.
    pub(super) reasons: Vec<Expr>,
}

impl Explainer<'_> {
    /// Adds why the term has this truth value, which it has.
    pub(super) fn explain(&mut self, expr: &Expr, truth: bool) {
        use BinaryOperator::*;
        match &expr.kind {
            ExprKind::Bool(_) => {}
            ExprKind::Not(inner) => self.explain(inner, !truth),
            ExprKind::Binary { operator: And, left, right } => self.both_or_one(left, right, truth, true),
            ExprKind::Binary { operator: Or, left, right } => self.both_or_one(left, right, truth, false),
            ExprKind::Binary { operator: Implies, left, right } => {
                let left = negated((**left).clone());
                self.both_or_one(&left, right, truth, false);
            }
            ExprKind::Binary { operator: Iff, left, right } => match (self.holds(left), self.holds(right)) {
                (Some(one), Some(other)) => {
                    self.explain(left, one);
                    self.explain(right, other);
                }
                _ => self.keep(expr, truth),
            },
            ExprKind::Binary { operator: operator @ (Equal | NotEqual), left, right } => {
                let (left, right) = (self.reduce(left), self.reduce(right));
                self.equality(&left, &right, (*operator == Equal) == truth);
            }
            ExprKind::Binary { operator: operator @ (In | NotIn), left, right } => {
                let left = self.reduce(left);
                self.member(&left, right, (*operator == In) == truth);
            }
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.reduce(left), self.reduce(right));
                self.keep(&binary(*operator, left, right, expr.ty.clone()), truth);
            }
            ExprKind::Builtin { function: Builtin::Contains, args } if matches!(args[0].ty, Type::Set(_)) => {
                let needle = self.reduce(&args[1]);
                self.member(&needle, &args[0], truth);
            }
            ExprKind::Builtin { function: function @ (Builtin::IsSome | Builtin::IsNone), args } => {
                let option = self.reduce(&args[0]);
                self.presence(&option, (*function == Builtin::IsSome) == truth);
            }
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Call { .. } => match self.unfolded(expr) {
                Some(chosen) => self.explain(&chosen, truth),
                None => self.keep(expr, truth),
            },
            ExprKind::Builtin { .. } | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let reduced = self.reduce(expr);
                self.keep(&reduced, truth);
            }
            _ => self.keep(expr, truth),
        }
    }

    /// A conjunction is true because of both sides and false because of one; a disjunction the other way round.
    fn both_or_one(&mut self, left: &Expr, right: &Expr, truth: bool, conjunction: bool) {
        if truth == conjunction {
            self.explain(left, truth);
            self.explain(right, truth);
        } else if self.holds(left) == Some(truth) {
            self.explain(left, truth);
        } else {
            // The right side is looked at only because of what the left one is.
            if self.holds(left).is_some() {
                self.explain_definedness(left);
            }
            self.explain(right, truth);
        }
    }

    /// The left side of `or` is false and does not matter, except that it must have a value.
    fn explain_definedness(&mut self, expr: &Expr) {
        let mut partial = false;
        expr.walk(&mut |part| {
            partial |= matches!(part.kind, ExprKind::Index { .. } | ExprKind::Call { .. })
                || matches!(part.kind, ExprKind::Builtin { function: Builtin::OptionGet, .. });
        });
        if partial && let Some(truth) = self.holds(expr) {
            self.explain(expr, truth);
        }
    }

    /// A simpler term that has the same value wherever the reasons hold.
    pub(super) fn reduce(&mut self, expr: &Expr) -> Expr {
        match &expr.kind {
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Call { .. } => match self.unfolded(expr) {
                Some(chosen) => self.reduce(&chosen),
                None => self.inlined(expr),
            },
            ExprKind::Builtin { function: function @ (Builtin::MapFind | Builtin::MapGet), args } => {
                let key = self.reduce(&args[1]);
                match (self.find(&args[0], &key), function) {
                    (Found::Value(value), Builtin::MapGet) => value,
                    (Found::Value(value), _) => term(ExprKind::Some(value.into()), expr.ty.clone()),
                    (Found::Absent, Builtin::MapGet) => self.reduce(&args[2]),
                    (Found::Absent, _) => term(ExprKind::None, expr.ty.clone()),
                    (Found::In(map), _) => {
                        let default = args.get(2).map(|default| self.reduce(default));
                        let args = [map, key].into_iter().chain(default).collect();
                        term(ExprKind::Builtin { function: *function, args }, expr.ty.clone())
                    }
                }
            }
            ExprKind::Index { of, index } if matches!(self.instance.model().types.strip(&of.ty), Type::Map(..)) => {
                let key = self.reduce(index);
                match self.find(of, &key) {
                    Found::Value(value) => value,
                    Found::Absent => self.inlined(expr),
                    Found::In(map) => term(ExprKind::Index { of: map.into(), index: key.into() }, expr.ty.clone()),
                }
            }
            ExprKind::Builtin { function: function @ (Builtin::OptionGet | Builtin::OptionOr), args } => {
                let option = self.reduce(&args[0]);
                match (option.kind, function) {
                    (ExprKind::Some(inner), _) => inner.take(),
                    (ExprKind::None, Builtin::OptionOr) => self.reduce(&args[1]),
                    (kind, _) => {
                        let option = term(kind, option.ty);
                        let default = args.get(1).map(|default| self.reduce(default));
                        let args = [option].into_iter().chain(default).collect();
                        term(ExprKind::Builtin { function: *function, args }, expr.ty.clone())
                    }
                }
            }
            ExprKind::Field { of, index } => {
                let of = self.reduce(of);
                match of.kind {
                    ExprKind::Tuple(parts) | ExprKind::Record { fields: parts, .. } => parts[*index].clone(),
                    kind => {
                        let of = term(kind, of.ty).into();
                        term(ExprKind::Field { of, index: *index }, expr.ty.clone())
                    }
                }
            }
            ExprKind::Comprehension(_) | ExprKind::Quantified { .. } | ExprKind::Is { .. } => self.inlined(expr),
            ExprKind::Binary {
                operator: BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies, ..
            } => match self.holds(expr) {
                Some(truth) => {
                    self.explain(expr, truth);
                    term(ExprKind::Bool(truth), Type::Bool)
                }
                None => self.inlined(expr),
            },
            _ => {
                let mut reduced = expr.clone();
                reduced.children_mut(&mut |child| *child = self.reduce(child));
                self.folded(reduced)
            }
        }
    }

    /// Definitions written out, everywhere inside.
    pub(super) fn inlined(&mut self, expr: &Expr) -> Expr {
        let instance = self.instance;
        let frame = &mut *self.frame;
        let mut expr = expr.clone();
        loop {
            let mut found = false;
            expr = replaced(&expr, &mut |part| match &part.kind {
                ExprKind::Call { definition, args } => {
                    found = true;
                    let definition = &instance.model().definitions[definition.0];
                    let mut meaning: Meaning =
                        (0..definition.params).map(interplay_model::LocalId).zip(args.iter().cloned()).collect();
                    Some(frame.bring(&definition.body, &mut meaning, &definition.locals))
                }
                _ => None,
            });
            if !found {
                return expr;
            }
        }
    }

    /// What is chosen by `if` or `match`, or what a definition says.
    fn unfolded(&mut self, expr: &Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                let truth = self.holds(condition)?;
                self.explain(condition, truth);
                Some(if truth { (**then).clone() } else { (**otherwise).clone() })
            }
            ExprKind::Call { definition, args } => {
                let args: Vec<Expr> = args.iter().map(|arg| self.reduce(arg)).collect();
                let definition = &self.instance.model().definitions[definition.0];
                let mut meaning: Meaning = (0..definition.params).map(interplay_model::LocalId).zip(args).collect();
                Some(self.frame.bring(&definition.body, &mut meaning, &definition.locals))
            }
            ExprKind::Match { value, arms } => {
                let value = self.reduce(value);
                let (arm, meaning) = self.choose(&value, arms.iter().map(|(pattern, _)| pattern))?;
                let body = replaced(&arms[arm].1, &mut |part| match &part.kind {
                    ExprKind::Local(id) => meaning.get(id).cloned(),
                    _ => None,
                });
                Some(body)
            }
            _ => None,
        }
    }

    /// Which pattern fits a reduced value, and what its names are; why it does, and those before do not, is added.
    pub(super) fn choose<'p>(
        &mut self,
        value: &Expr,
        patterns: impl Iterator<Item = &'p Pattern>,
    ) -> Option<(usize, Meaning)> {
        let known = self.value(value)?;
        for (index, pattern) in patterns.enumerate() {
            let mut meaning = Meaning::new();
            if fits(pattern, &known) {
                self.fit(value, pattern, &mut meaning)?;
                return Some((index, meaning));
            }
            self.unfit(value, &known, pattern)?;
        }
        None
    }

    /// Adds why the pattern fits.
    fn fit(&mut self, value: &Expr, pattern: &Pattern, meaning: &mut Meaning) -> Option<()> {
        match (pattern, &value.kind) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Bind(local), _) => _ = meaning.insert(*local, value.clone()),
            (Pattern::None, _) => self.presence(value, false),
            (Pattern::Some(inner), ExprKind::Some(content)) => self.fit(content, inner, meaning)?,
            (Pattern::Some(inner), _) => {
                self.presence(value, true);
                let Type::Option(ty) = self.instance.model().types.strip(&value.ty).clone() else { return None };
                let function = Builtin::OptionGet;
                let content = term(ExprKind::Builtin { function, args: [value.clone()].into() }, ty.take());
                self.fit(&content, inner, meaning)?;
            }
            (Pattern::Tuple(parts), ExprKind::Tuple(values)) => {
                for (part, value) in parts.iter().zip(values) {
                    self.fit(value, part, meaning)?;
                }
            }
            (Pattern::Variant { args, .. }, ExprKind::Variant { args: values, .. }) => {
                for (part, value) in args.iter().zip(values) {
                    self.fit(value, part, meaning)?;
                }
            }
            (Pattern::Bool(truth), _) => self.explain(value, *truth),
            (pattern, _) => {
                let plain = plain(pattern, &value.ty)?;
                self.equality(value, &plain, true);
            }
        }
        Some(())
    }

    /// Adds why the pattern does not fit; only where that is one comparison.
    fn unfit(&mut self, value: &Expr, known: &Value, pattern: &Pattern) -> Option<()> {
        match (pattern, &value.kind, known) {
            (Pattern::None, ..) => self.presence(value, true),
            (Pattern::Some(_), _, Value::Option(None)) => self.presence(value, false),
            (Pattern::Some(inner), ExprKind::Some(content), Value::Option(Some(known))) => {
                self.unfit(content, known, inner)?;
            }
            (Pattern::Bool(truth), ..) => self.explain(value, !truth),
            (Pattern::Variant { variant, .. }, ExprKind::Variant { variant: other, .. }, _) if variant != other => {}
            (pattern, ..) => {
                let plain = plain(pattern, &value.ty)?;
                self.equality(value, &plain, false);
            }
        }
        Some(())
    }

    fn presence(&mut self, option: &Expr, there: bool) {
        match &option.kind {
            ExprKind::Some(_) | ExprKind::None => {}
            ExprKind::Builtin { function: Builtin::MapFind, args } => {
                self.member(&args[1].clone(), &args[0].clone(), there)
            }
            _ => {
                let function = if there { Builtin::IsSome } else { Builtin::IsNone };
                let question = term(ExprKind::Builtin { function, args: [option.clone()].into() }, Type::Bool);
                self.keep(&question, true);
            }
        }
    }

    /// Two reduced terms are equal, or are not.
    fn equality(&mut self, left: &Expr, right: &Expr, equal: bool) {
        if left.kind == right.kind {
            return;
        }
        match (&left.kind, &right.kind) {
            (ExprKind::Some(one), ExprKind::Some(other)) => self.equality(&one.clone(), &other.clone(), equal),
            (ExprKind::Some(_), ExprKind::None) | (ExprKind::None, ExprKind::Some(_)) => {}
            (_, ExprKind::None) => self.presence(left, !equal),
            (ExprKind::None, _) => self.presence(right, !equal),
            (ExprKind::Variant { variant: one, .. }, ExprKind::Variant { variant: other, .. }) if one != other => {}
            (ExprKind::Variant { args: ones, .. }, ExprKind::Variant { args: others, .. })
            | (ExprKind::Tuple(ones), ExprKind::Tuple(others))
            | (ExprKind::Record { fields: ones, .. }, ExprKind::Record { fields: others, .. }) => {
                let pairs: Vec<(Expr, Expr)> = ones.iter().cloned().zip(others.iter().cloned()).collect();
                for (one, other) in pairs {
                    let differ = self.value(&one) != self.value(&other);
                    if equal || differ {
                        self.equality(&one, &other, !differ);
                    }
                    if differ {
                        return;
                    }
                }
            }
            (ExprKind::Bool(truth), _) => self.explain(right, *truth == equal),
            (_, ExprKind::Bool(truth)) => self.explain(left, *truth == equal),
            _ => {
                let operator = if equal { BinaryOperator::Equal } else { BinaryOperator::NotEqual };
                self.keep(&binary(operator, left.clone(), right.clone(), Type::Bool), true);
            }
        }
    }

    /// A reduced element is in a set, sequence or map, or is not.
    fn member(&mut self, needle: &Expr, collection: &Expr, inside: bool) {
        use BinaryOperator::*;
        let is_in = |explainer: &Self, collection: &Expr| {
            let (collection, needle) = (explainer.value(collection)?, explainer.value(needle)?);
            Some(contains(&collection, &needle))
        };
        match &collection.kind {
            ExprKind::Set(items) | ExprKind::Seq(items) => self.one_of(needle, items.iter(), inside),
            ExprKind::Map(pairs) => self.one_of(needle, pairs.iter().map(|(key, _)| key), inside),
            ExprKind::Binary { operator: Add, left, right } => match inside {
                true if is_in(self, right) == Some(true) => self.member(needle, right, true),
                true => self.member(needle, left, true),
                false => {
                    self.member(needle, left, false);
                    self.member(needle, right, false);
                }
            },
            ExprKind::Binary { operator: Subtract, left, right } => match inside {
                true => {
                    self.member(needle, left, true);
                    self.member(needle, right, false);
                }
                false if is_in(self, right) == Some(true) => self.member(needle, right, true),
                false => self.member(needle, left, false),
            },
            ExprKind::Binary { operator: Intersect, left, right } => match inside {
                true => {
                    self.member(needle, left, true);
                    self.member(needle, right, true);
                }
                false if is_in(self, left) == Some(false) => self.member(needle, left, false),
                false => self.member(needle, right, false),
            },
            _ => {
                let reduced = self.reduce(collection);
                if reduced.kind != collection.kind {
                    return self.member(needle, &reduced, inside);
                }
                let operator = if inside { In } else { NotIn };
                self.keep(&binary(operator, needle.clone(), reduced, Type::Bool), true);
            }
        }
    }

    fn one_of<'i>(&mut self, needle: &Expr, items: impl Iterator<Item = &'i Expr>, inside: bool) {
        let known = self.value(needle);
        for item in items {
            let same = known.is_some() && self.value(item) == known;
            if !inside || same {
                let item = self.reduce(item);
                self.equality(needle, &item, same);
            }
            if same {
                return;
            }
        }
    }

    /// Where a map has its value for a reduced key.
    fn find(&mut self, map: &Expr, key: &Expr) -> Found {
        use BinaryOperator::*;
        match &map.kind {
            ExprKind::Map(pairs) => {
                // The last one wins.
                for (other, value) in pairs.iter().rev() {
                    let same = self.value(key).is_some() && self.value(other) == self.value(key);
                    let other = self.reduce(other);
                    self.equality(key, &other, same);
                    if same {
                        return Found::Value(self.reduce(value));
                    }
                }
                Found::Absent
            }
            ExprKind::Binary { operator: Add, left, right } => match self.find(right, key) {
                Found::Value(value) => Found::Value(value),
                Found::Absent => self.find(left, key),
                Found::In(inner) => match self.is_member(key, right) {
                    Some(true) => {
                        self.member(key, &inner, true);
                        Found::In(inner)
                    }
                    Some(false) => {
                        self.member(key, &inner, false);
                        self.find(left, key)
                    }
                    None => Found::In(self.inlined(map)),
                },
            },
            ExprKind::Binary { operator: Subtract, left, right } => match self.is_member(key, right) {
                Some(true) => {
                    self.member(key, right, true);
                    Found::Absent
                }
                Some(false) => {
                    self.member(key, right, false);
                    self.find(left, key)
                }
                None => Found::In(self.inlined(map)),
            },
            _ => {
                let reduced = self.reduce(map);
                if reduced.kind == map.kind { Found::In(reduced) } else { self.find(&reduced, key) }
            }
        }
    }

    fn is_member(&self, needle: &Expr, collection: &Expr) -> Option<bool> {
        Some(contains(&self.value(collection)?, &self.value(needle)?))
    }

    /// What is true without further reason is not kept.
    fn keep(&mut self, expr: &Expr, truth: bool) {
        let expr = self.inlined(expr);
        let expr = if truth { expr } else { negated(expr) };
        let expr = expr.without_places();
        let trivial = is_closed(&expr) && self.holds(&expr) == Some(true);
        if !trivial && !self.reasons.contains(&expr) {
            self.reasons.push(expr);
        }
    }

    /// A term without slots and state is its value.
    fn folded(&self, expr: Expr) -> Expr {
        let calculates = matches!(expr.kind, ExprKind::Binary { .. } | ExprKind::Builtin { .. } | ExprKind::Not(_));
        if !calculates || !is_closed(&expr) {
            return expr;
        }
        let value = self.value(&expr);
        let written = value.and_then(|value| super::term::literal(self.instance.model(), &expr.ty, &value));
        written.unwrap_or(expr)
    }

    pub(super) fn value(&self, expr: &Expr) -> Option<Value> {
        self.frame.value(self.instance, self.state, expr)
    }

    pub(super) fn holds(&self, expr: &Expr) -> Option<bool> {
        match self.value(expr)? {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }
}

enum Found {
    Value(Expr),
    Absent,
    /// Whatever this map says, which cannot be taken apart.
    In(Expr),
}

fn contains(collection: &Value, needle: &Value) -> bool {
    match collection {
        Value::Map(pairs) => pairs.contains_key(needle),
        Value::Set(items) => items.contains(needle),
        Value::Seq(items) => items.contains(needle),
        _ => false,
    }
}

fn fits(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Wildcard | Pattern::Bind(_), _) => true,
        (Pattern::Bool(one), Value::Bool(other)) => one == other,
        (Pattern::Int(one), Value::Int(other)) => one == other,
        (Pattern::String(one), Value::String(other)) => one == other,
        (Pattern::None, Value::Option(inner)) => inner.is_none(),
        (Pattern::Some(inner), Value::Option(Some(value))) => fits(inner, value),
        (Pattern::Variant { variant, args }, Value::Variant { variant: other, args: values }) => {
            variant == other && args.iter().zip(values.iter()).all(|(part, value)| fits(part, value))
        }
        (Pattern::Tuple(parts), Value::Tuple(values)) => {
            parts.iter().zip(values.iter()).all(|(part, value)| fits(part, value))
        }
        _ => false,
    }
}

/// A pattern that is a plain value.
fn plain(pattern: &Pattern, ty: &Type) -> Option<Expr> {
    let kind = match (pattern, ty) {
        (Pattern::Int(value), _) => ExprKind::Int(*value),
        (Pattern::String(text), _) => ExprKind::String(text.clone()),
        (Pattern::Variant { variant, args }, Type::Enum(id)) if args.is_empty() => {
            ExprKind::Variant { enumeration: *id, variant: *variant, args: [].into() }
        }
        _ => return None,
    };
    Some(term(kind, ty.clone()))
}
