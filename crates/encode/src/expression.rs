//! Expressions. The wanted shape is passed down, because `none`, `[]` and `{}` do not know their own.

use super::context::{Context, Val, choose, same};
use super::shape::{Shape, Sort, concat};
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, BinaryOperator, ConstantId, DefinitionId, Expr, ExprKind, LocalId, Pattern, Type, VariableId,
};
use interplay_smt::Term;
use std::mem::replace;

impl Context<'_> {
    /// A value of whatever shape its type has.
    pub(crate) fn value(&mut self, expr: &Expr) -> Res<Val> {
        self.expr(expr, None)
    }

    /// A Boolean, an integer or a string.
    pub(crate) fn term(&mut self, expr: &Expr) -> Res<Term> {
        Ok(self.expr(expr, None)?.term())
    }

    pub(crate) fn expr(&mut self, expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let val = self.any(expr, want)?;
        for leaf in &val.leaves {
            self.within_size(leaf, expr.span)?;
        }
        match want {
            Some(want) => self.fit(val, want, expr.span),
            None => Ok(val),
        }
    }

    fn any(&mut self, expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        use ExprKind::*;
        match &expr.kind {
            Bool(value) => Ok(Val::bool(Term::bool(*value))),
            Int(value) => Ok(Val::int(Term::int(*value))),
            String(text) => {
                let shape = self.shape(&Type::String, expr.span)?;
                Ok(self.literal(&shape, &interplay_semantics::Value::String(text.clone())))
            }
            Local(id) => self.local(*id, expr.span),
            Variable(id) => Ok(self.variable(*id)),
            Constant(id) => self.constant(*id, expr.span),
            None => Ok(Val::default(&self.shape_for(expr, want)?)),
            Some(inner) => {
                let wanted = match want {
                    Option::Some(Shape::Option(inner)) => Option::Some(&**inner),
                    _ => Option::None,
                };
                let inner = self.expr(inner, wanted)?;
                let leaves = [vec![Term::bool(true)], inner.leaves].concat();
                Ok(Val { leaves, shape: Shape::Option(inner.shape.into()) })
            }
            Variant { variant, args, .. } => self.variant(*variant, args, expr, want),
            Record { fields: parts, .. } | Tuple(parts) => self.tuple(parts, expr, want),
            Seq(items) => self.sequence(items, expr, want),
            Set(_) | Map(_) | Comprehension(_) => self.written_collection(expr, want),
            Quantified { every, binders, condition, body } => {
                self.quantified(*every, (binders, condition.as_deref()), body).map(Val::bool)
            }
            Not(inner) => Ok(Val::bool(self.term(inner)?.not())),
            Negate(inner) => {
                let term = self.term(inner)?;
                let result = negate(term.clone());
                self.must_fit(expr, &[term], &result);
                Ok(Val::int(result))
            }
            Binary { operator, left, right } => self.binary(*operator, (left, right), expr, want),
            If { condition, then, otherwise } => {
                let condition = self.term(condition)?;
                let shape = self.shape_for(expr, want).or_else(|_| self.shape(&then.ty, then.span)).ok();
                let then = self.under(&condition, |inner| inner.expr(then, shape.as_ref()))?;
                let otherwise =
                    self.under(&condition.clone().not(), |inner| inner.expr(otherwise, Option::Some(&then.shape)))?;
                Ok(Val { leaves: choose(&condition, &then.leaves, &otherwise.leaves), shape: then.shape })
            }
            Match { value, arms } => self.matching(value, arms, expr, want),
            Is { value, pattern } => {
                let value = self.value(value)?;
                self.pattern(pattern, &value, expr.span).map(Val::bool)
            }
            Field { of, index } => {
                let of = self.value(of)?;
                let Shape::Tuple(parts) = &of.shape else { return unsupported(expr.span, "this has no fields") };
                Ok(of.slice(Shape::ranges(parts, 0)[*index].clone(), &parts[*index]))
            }
            Index { of, index } => self.index(of, index, expr.span),
            Builtin { function, args } => self.builtin(*function, args, expr, want),
            Call { definition, args } => self.call(*definition, args, want),
            New(object) => {
                let leaf = self.layout.objects[object.0];
                let made = self.now[leaf].clone();
                self.now[leaf] = Term::app("+", [made.clone(), Term::int(1)]);
                Ok(Val::int(made))
            }
            ObjectCount(object) => Ok(Val::int(self.now[self.layout.objects[object.0]].clone())),
            ObjectAll(_) => unsupported(expr.span, "not supported by the solver: a set of all objects"),
            At { component, locations } => {
                let Option::Some(leaf) = self.layout.places[component.0] else {
                    return Ok(Val::bool(Term::bool(false)));
                };
                let here = self.now[leaf].clone();
                let any = locations.iter().map(|location| here.clone().eq(super::layout::place_number(*location)));
                Ok(Val::bool(Term::or(any)))
            }
            Old(inner) => {
                let now = std::mem::replace(&mut self.now, self.before.clone());
                let result = self.expr(inner, want);
                self.now = now;
                result
            }
            Happens { action, args } => self.happens(*action, args).map(Val::bool),
            SignalValue { action, param } => self.signal_value(*action, *param, expr.span),
            Silence => Ok(Val::bool(Term::bool(self.silent))),
            Temporal { .. } => unsupported(expr.span, "not supported by the solver: this temporal operator here"),
            Error => unsupported(expr.span, "this was reported as wrong"),
        }
    }

    pub(crate) fn shape_for(&self, expr: &Expr, want: Option<&Shape>) -> Res<Shape> {
        want.cloned().map_or_else(|| self.shape(&expr.ty, expr.span), Ok)
    }

    fn constant(&self, id: ConstantId, span: Span) -> Res<Val> {
        match (self.instance.constant(id), &self.layout.constants[id.0]) {
            (_, Some(slot)) => Ok(Val { leaves: self.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() }),
            (Ok(value), None) => {
                let shape = self.shape(&self.model().constants[id.0].ty, span)?;
                Ok(self.literal(&shape, &value))
            }
            (Err(error), None) => unsupported(span, error.message),
        }
    }

    fn local(&self, id: LocalId, span: Span) -> Res<Val> {
        let val = self.frame.get(id.0).and_then(Clone::clone);
        val.map_or_else(|| unsupported(span, "not supported by the solver: this name here"), Ok)
    }

    pub(crate) fn variable(&mut self, id: VariableId) -> Val {
        let layout = self.layout;
        if let Some(val) = &layout.fixed[id.0] {
            return val.clone();
        }
        let slot = layout.variables[id.0].as_ref().expect("only an observer's own variables are asked for");
        if let Some(set) = slot.set {
            self.require(self.now[set].clone());
        }
        Val { leaves: self.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() }
    }

    /// The same value in another layout: what was taken apart becomes an array.
    fn fit(&self, val: Val, want: &Shape, span: Span) -> Res<Val> {
        if val.shape == *want {
            return Ok(val);
        }
        let leaves = match (&val.shape, want) {
            (Shape::FewSet(values), Shape::Set(key)) => {
                let stored =
                    values.iter().zip(&val.leaves).fold(want.defaults()[0].clone(), |array, (value, there)| {
                        let key = Shape::Leaf(key.clone()).literal(value).remove(0);
                        Term::app("store", [array, key, there.clone()])
                    });
                vec![stored]
            }
            (Shape::FewMap(keys, inner), Shape::Map(key, other)) if inner == other => {
                let mut arrays = want.defaults();
                for (value, cell) in keys.iter().zip(val.leaves.chunks(1 + inner.count())) {
                    let key = Shape::Leaf(key.clone()).literal(value).remove(0);
                    for (array, part) in arrays.iter_mut().zip(cell) {
                        *array = Term::app("store", [array.clone(), key.clone(), part.clone()]);
                    }
                }
                arrays
            }
            _ => {
                return unsupported(
                    span,
                    "not supported by the solver: values of different types; give both the same type",
                );
            }
        };
        Ok(Val { leaves, shape: want.clone() })
    }

    fn variant(&mut self, variant: usize, args: &[Expr], expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let shape = self.shape_for(expr, want)?;
        let Shape::Enum(variants) = &shape else { return unsupported(expr.span, "this is no enum") };
        let mut leaves = vec![Term::int(variant as i64)];
        for (index, payload) in variants.iter().enumerate() {
            for (position, part) in payload.iter().enumerate() {
                leaves.extend(match index == variant {
                    true => self.expr(&args[position], Some(part))?.leaves,
                    false => part.defaults(),
                });
            }
        }
        Ok(Val { leaves, shape })
    }

    fn tuple(&mut self, parts: &[Expr], expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let shape = self.shape_for(expr, want).ok();
        let wanted = match &shape {
            Some(Shape::Tuple(shapes)) => shapes.iter().map(Some).collect(),
            _ => vec![None; parts.len()],
        };
        let mut vals = Vec::new();
        for (part, want) in parts.iter().zip(wanted) {
            vals.push(self.expr(part, want)?);
        }
        let shape = Shape::Tuple(vals.iter().map(|val| val.shape.clone()).collect());
        Ok(Val { leaves: vals.into_iter().flat_map(|val| val.leaves).collect(), shape })
    }

    fn sequence(&mut self, items: &[Expr], expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let shape = self.shape_for(expr, want)?;
        let Shape::Seq(inner) = &shape else { return unsupported(expr.span, "this is no sequence") };
        let mut rows = Vec::new();
        for item in items {
            rows.push(self.expr(item, Some(inner))?.leaves);
        }
        let column = |(index, sort): (usize, Sort)| {
            concat(rows.iter().map(|row| Term::app("seq.unit", [row[index].clone()])).collect(), &sort)
        };
        let leaves = shape.sorts().into_iter().enumerate().map(column).collect();
        Ok(Val { leaves, shape })
    }

    fn matching(&mut self, value: &Expr, arms: &[(Pattern, Expr)], expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let value = self.value(value)?;
        let mut shape = self.shape_for(expr, want).ok();
        let mut before = Vec::new();
        let mut found: Vec<(Term, Val)> = Vec::new();
        for (pattern, body) in arms {
            let fits = self.pattern(pattern, &value, expr.span)?;
            let here = Term::and(before.iter().cloned().chain([fits.clone()]));
            let val = self.under(&here, |inner| inner.expr(body, shape.as_ref()))?;
            shape.get_or_insert_with(|| val.shape.clone());
            before.push(fits.clone().not());
            found.push((fits, val));
        }
        // The arms cover all cases, so the last one needs no question.
        let Some((_, last)) = found.pop() else { return unsupported(expr.span, "this has no arms") };
        let merge = |rest: Val, (fits, val): (Term, Val)| Val {
            leaves: choose(&fits, &val.leaves, &rest.leaves),
            shape: rest.shape,
        };
        Ok(found.into_iter().rev().fold(last, merge))
    }

    fn call(&mut self, id: DefinitionId, args: &[Expr], want: Option<&Shape>) -> Res<Val> {
        let definition = &self.model().definitions[id.0];
        let mut frame = vec![None; definition.locals.len()];
        let mut bounds = vec![None; definition.locals.len()];
        for (index, arg) in args.iter().enumerate() {
            let shape = self.shape(&definition.locals[index].ty, arg.span)?;
            let val = self.expr(arg, Some(&shape))?;
            frame[index] = Some(self.shortened(val));
            bounds[index] = Some(self.bounds_of(arg));
        }
        let outer = (replace(&mut self.frame, frame), replace(&mut self.bounds, bounds));
        let result = self.expr(&definition.body, want);
        (self.frame, self.bounds) = outer;
        result
    }

    /// The event is part of the step.
    fn happens(&mut self, action: ActionId, args: &[Option<Expr>]) -> Res<Term> {
        let declared = &self.model().actions[action.0];
        let mut wanted = Vec::new();
        for (arg, param) in args.iter().zip(&declared.params) {
            let shape = self.shape(&param.ty, param.span)?;
            wanted.push(arg.as_ref().map(|arg| self.expr(arg, Some(&shape))).transpose()?);
        }
        let fits = |given: &[Val]| {
            let pairs = wanted.iter().zip(given).filter_map(|(want, have)| Some((want.as_ref()?, have)));
            Term::and(pairs.map(|(want, have)| same(&want.leaves, &have.leaves)))
        };
        let found = self.events.iter().filter(|event| event.action == action);
        Ok(Term::or(found.map(|event| Term::and([event.when.clone(), fits(&event.args)]))))
    }

    /// The parameter of a signal that must be there.
    fn signal_value(&mut self, action: ActionId, param: usize, span: Span) -> Res<Val> {
        let declared = &self.model().actions[action.0].params[param];
        let mut value = Val::default(&self.shape(&declared.ty, span)?);
        let found: Vec<_> = self.events.iter().filter(|event| event.action == action).cloned().collect();
        self.require(Term::or(found.iter().map(|event| event.when.clone())));
        for event in found.iter().rev() {
            value.leaves = choose(&event.when, &event.args[param].leaves, &value.leaves);
        }
        Ok(value)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&Expr, &Expr),
        expr: &Expr,
        want: Option<&Shape>,
    ) -> Res<Val> {
        use BinaryOperator::*;
        match operator {
            And | Or | Implies => {
                let first = self.term(left)?;
                let needed = if operator == Or { first.clone().not() } else { first.clone() };
                let second = self.under(&needed, |inner| inner.term(right))?;
                Ok(Val::bool(match operator {
                    And => Term::and([first, second]),
                    Or => Term::or([first, second]),
                    _ => first.implies(second),
                }))
            }
            Iff => Ok(Val::bool(self.term(left)?.eq(self.term(right)?))),
            Equal | NotEqual => {
                let (left, right) = self.pair(left, right)?;
                let equal = same(&left.leaves, &right.leaves);
                Ok(Val::bool(if operator == Equal { equal } else { equal.not() }))
            }
            Less | LessEqual | Greater | GreaterEqual => {
                let (left, right) = self.pair(left, right)?;
                let term = match operator {
                    Less => self.less(&left, &right, false, expr.span)?,
                    LessEqual => self.less(&left, &right, true, expr.span)?,
                    Greater => self.less(&right, &left, false, expr.span)?,
                    _ => self.less(&right, &left, true, expr.span)?,
                };
                Ok(Val::bool(term))
            }
            In => self.member(left, right).map(Val::bool),
            NotIn => Ok(Val::bool(self.member(left, right)?.not())),
            Range => self.written_collection(expr, want),
            Since | Until | Unless | Release | LeadsTo => {
                unsupported(expr.span, "not supported by the solver: this temporal operator here")
            }
            Divide | Remainder => {
                let sides = [self.term(left)?, self.term(right)?];
                self.require(sides[1].clone().eq(Term::int(0)).not());
                // Both are Euclidean, as in the language; the rest of a division is asked for with its quotient.
                let quotient = Term::app("div", sides.clone());
                self.must_fit(expr, &sides, &quotient);
                Ok(Val::int(if operator == Divide { quotient } else { Term::app("mod", sides) }))
            }
            Multiply => {
                let sides = [self.term(left)?, self.term(right)?];
                let product = Term::app("*", sides.clone());
                self.must_fit(expr, &sides, &product);
                Ok(Val::int(product))
            }
            Add | Subtract | Intersect => self.combine(operator, (left, right), expr, want),
        }
    }

    /// Both sides in the same layout.
    fn pair(&mut self, left: &Expr, right: &Expr) -> Res<(Val, Val)> {
        let [one, other] = [left, right].map(|side| self.shape(&side.ty, side.span).ok());
        let shape = match (one, other) {
            (Some(one), Some(other)) if one == other => Some(one),
            (Some(Shape::FewSet(_) | Shape::FewMap(..)), Some(other)) => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        };
        let left = self.expr(left, shape.as_ref())?;
        let right = self.expr(right, Some(&left.shape))?;
        Ok((left, right))
    }

    /// The order of the language; `or_equal` for `<=`.
    fn less(&self, left: &Val, right: &Val, or_equal: bool, span: Span) -> Res<Term> {
        let [one, other] = [&left.leaves, &right.leaves].map(|leaves| leaves[0].clone());
        match &left.shape {
            // Strings have numbers in their order.
            Shape::Leaf(Sort::Int) | Shape::Text(_) => Ok(Term::order(if or_equal { "<=" } else { "<" }, one, other)),
            Shape::Leaf(Sort::String) => Ok(Term::app(if or_equal { "str.<=" } else { "str.<" }, [one, other])),
            Shape::Leaf(Sort::Bool) if or_equal => Ok(one.implies(other)),
            Shape::Leaf(Sort::Bool) => Ok(Term::and([one.not(), other])),
            Shape::Enum(variants) if variants.iter().all(Vec::is_empty) => {
                Ok(Term::order(if or_equal { "<=" } else { "<" }, one, other))
            }
            Shape::Tuple(shapes) => {
                let mut term = Term::bool(or_equal);
                for (shape, range) in shapes.iter().zip(Shape::ranges(shapes, 0)).rev() {
                    let (a, b) = (left.slice(range.clone(), shape), right.slice(range, shape));
                    let smaller = self.less(&a, &b, false, span)?;
                    term = Term::or([smaller, Term::and([same(&a.leaves, &b.leaves), term])]);
                }
                Ok(term)
            }
            Shape::Option(inner) => {
                let (a, b) = (left.slice(1..left.leaves.len(), inner), right.slice(1..right.leaves.len(), inner));
                let inside = self.less(&a, &b, or_equal, span)?;
                Ok(Term::ite(
                    other,
                    Term::or([one.clone().not(), inside]),
                    Term::and([one.not(), Term::bool(or_equal)]),
                ))
            }
            _ => unsupported(span, "not supported by the solver: the order of such values"),
        }
    }
}

pub(crate) fn negate(term: Term) -> Term {
    match term.as_int().and_then(|value| i64::try_from(-value).ok()) {
        Some(value) => Term::int(value),
        None => Term::app("-", [term]),
    }
}
