//! Collections: those that can be written out element by element are; quantifiers, sums and loops run over them.

use super::context::{Context, MOST_VALUES, Val, choose, same};
use super::shape::{Shape, Sort};
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Binder, Expr, ExprKind, Shape as Kind, Source, Type};
use interplay_smt::Term;

/// Elements, each with the condition under which it is one.
pub(crate) type Elements = Vec<(Term, Val)>;

impl Context<'_> {
    /// The elements of a set or sequence, or the keys of a map, in order. Those of a set that is written out may be equal,
    /// but a condition keeps all but the first.
    pub(crate) fn elements(&mut self, expr: &Expr) -> Res<Elements> {
        match &expr.kind {
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (low, high) = (self.term(left)?, self.term(right)?);
                let (Some(low), Some(high)) = (low.as_int(), high.as_int()) else {
                    return unsupported(expr.span, "not supported by the solver: a range without constant bounds");
                };
                if high - low >= MOST_VALUES as i128 {
                    return unsupported(expr.span, "not supported by the solver: too many values");
                }
                let value = |value| (Term::bool(true), Val::int(Term::int(value as i64)));
                Ok((low..=high).map(value).collect())
            }
            ExprKind::Set(items) | ExprKind::Seq(items) => {
                let element = self.element_shape(expr);
                let mut found = Vec::new();
                for item in items {
                    found.push((Term::bool(true), self.expr(item, element.as_ref())?));
                }
                if matches!(expr.kind, ExprKind::Set(_)) {
                    found.sort_by_key(|(_, element)| element.leaves[0].as_int());
                    found = distinct(found);
                }
                Ok(found)
            }
            ExprKind::Comprehension(inner) if inner.shape != Kind::Map => {
                let element = self.element_shape(expr);
                let mut found = Vec::new();
                self.each((&inner.binders, inner.condition.as_ref()), expr.span, &mut |context, when| {
                    let item = context.under(when, |context| context.expr(&inner.item, element.as_ref()))?;
                    found.push((when.clone(), item));
                    Ok(())
                })?;
                Ok(if inner.shape == Kind::Set { distinct(found) } else { found })
            }
            _ => {
                let val = self.value(expr)?;
                match &val.shape {
                    Shape::FewSet(values) => {
                        let shape = self.key_shape(&expr.ty, expr.span)?;
                        let element = |(value, there): (_, &Term)| (there.clone(), self.literal(&shape, value));
                        Ok(values.iter().zip(&val.leaves).map(element).collect())
                    }
                    Shape::FewMap(keys, inner) => {
                        let shape = self.key_shape(&expr.ty, expr.span)?;
                        let cells = val.leaves.chunks(1 + inner.count());
                        let element = |(value, cell): (_, &[Term])| (cell[0].clone(), self.literal(&shape, value));
                        Ok(keys.iter().zip(cells).map(element).collect())
                    }
                    _ => unsupported(expr.span, "not supported by the solver: these elements"),
                }
            }
        }
    }

    /// The order of what [`Context::elements`] gives is that of the values, also where these are not known.
    pub(crate) fn must_be_in_order(&self, from: &Expr) -> Res<()> {
        let known = |item: &Expr| item.as_int().is_some();
        match &from.kind {
            ExprKind::Set(items) if items.len() > 1 && !items.iter().all(known) => {}
            ExprKind::Comprehension(inner) if inner.shape == Kind::Set => {}
            _ => return Ok(()),
        }
        unsupported(from.span, "not supported by the solver: the order of these elements")
    }

    fn element_shape(&self, expr: &Expr) -> Option<Shape> {
        match self.model().types.strip(&expr.ty) {
            Type::Seq(inner) | Type::Set(inner) => self.shape(inner, expr.span).ok(),
            _ => None,
        }
    }

    /// The shape of a key or element.
    fn key_shape(&self, ty: &Type, span: Span) -> Res<Shape> {
        match self.model().types.strip(ty) {
            Type::Set(inner) | Type::Map(inner, _) => self.shape(inner, span),
            _ => unsupported(span, "this has no elements"),
        }
    }

    /// Calls `visit` for every combination of the binders, with the condition under which it counts.
    pub(crate) fn each(
        &mut self,
        (binders, condition): (&[Binder], Option<&Expr>),
        span: Span,
        visit: &mut dyn FnMut(&mut Self, &Term) -> Res<()>,
    ) -> Res<()> {
        self.each_under(binders, condition, (&Term::bool(true), span), visit)
    }

    fn each_under(
        &mut self,
        binders: &[Binder],
        condition: Option<&Expr>,
        (outer, span): (&Term, Span),
        visit: &mut dyn FnMut(&mut Self, &Term) -> Res<()>,
    ) -> Res<()> {
        let Some((binder, rest)) = binders.split_first() else {
            let Some(condition) = condition else { return visit(self, outer) };
            let wanted = self.under(outer, |context| context.term(condition))?;
            return visit(self, &Term::and([outer.clone(), wanted]));
        };
        let elements = match &binder.source {
            Source::In(from) => self.under(outer, |context| context.elements(from))?,
            Source::Domain(ty) => {
                let values = match self.few(ty) {
                    Some(values) if self.instance.domains().is_empty() => values.to_vec(),
                    _ => self.values_of(ty, "it", span)?,
                };
                let shape = self.shape(ty, span)?;
                values.iter().map(|value| (Term::bool(true), self.literal(&shape, value))).collect()
            }
        };
        let bounds = match &binder.source {
            Source::In(from) => self.instance.element_bounds(from, &self.bounds),
            Source::Domain(ty) => self.instance.type_bounds(ty),
        };
        for (there, val) in elements {
            self.turn(span)?;
            self.bind(binder.local, val, Some(bounds));
            self.each_under(rest, condition, (&Term::and([outer.clone(), there]), span), visit)?;
        }
        Ok(())
    }

    /// The interpreter stops at the first element that decides; what would go wrong later does not count.
    pub(crate) fn quantified(&mut self, every: bool, over: (&[Binder], Option<&Expr>), body: &Expr) -> Res<Term> {
        let mut open = Term::bool(true);
        self.each(over, body.span, &mut |context, when| {
            let here = Term::and([open.clone(), when.clone()]);
            let body = context.under(&here, |context| context.term(body))?;
            let goes_on = if every { body } else { body.not() };
            open = Term::and([open.clone(), when.clone().implies(goes_on)]);
            Ok(())
        })?;
        Ok(if every { open } else { open.not() })
    }

    /// A set, map or comprehension that is written out, in the layout that is wanted.
    pub(crate) fn written_collection(&mut self, expr: &Expr, want: Option<&Shape>) -> Res<Val> {
        let shape = self.shape_for(expr, want)?;
        match (&shape, &expr.kind) {
            (Shape::FewMap(..) | Shape::Map(..), ExprKind::Map(pairs)) => {
                let mut map = Val::default(&shape);
                let inner = self.map_value_shape(&shape);
                for (key, value) in pairs {
                    let (key_val, value_val) = (self.value(key)?, self.expr(value, Some(&inner))?);
                    map = self.with_key(&map, &key_val, (&key.ty, &value_val.leaves), &Term::bool(true), expr.span)?;
                }
                Ok(map)
            }
            (Shape::FewMap(..) | Shape::Map(..), ExprKind::Comprehension(inner)) => {
                let mut map = Val::default(&shape);
                let wanted = self.map_value_shape(&shape);
                let Some(value) = &inner.value else { return unsupported(expr.span, "this is no map") };
                self.each((&inner.binders, inner.condition.as_ref()), expr.span, &mut |context, when| {
                    let key = context.under(when, |context| context.value(&inner.item))?;
                    let value = context.under(when, |context| context.expr(value, Some(&wanted)))?;
                    map = context.with_key(&map, &key, (&inner.item.ty, &value.leaves), when, expr.span)?;
                    Ok(())
                })?;
                Ok(map)
            }
            (Shape::FewSet(_) | Shape::Set(_), _) => {
                let mut set = Val::default(&shape);
                let ty = self.element_type(expr);
                for (there, element) in self.elements(expr)? {
                    set = self.with_element(&set, &element, ty.as_ref(), (&there, true), expr.span)?;
                }
                Ok(set)
            }
            (Shape::Seq(inner), ExprKind::Comprehension(written)) => {
                for binder in &written.binders {
                    if let Source::In(from) = &binder.source {
                        self.must_be_in_order(from)?;
                    }
                }
                let mut parts: Vec<Vec<Term>> = vec![Vec::new(); inner.count()];
                for (there, element) in self.elements(expr)? {
                    for ((column, leaf), sort) in parts.iter_mut().zip(&element.leaves).zip(shape.sorts()) {
                        let unit = Term::app("seq.unit", [leaf.clone()]);
                        column.push(Term::ite(there.clone(), unit, super::shape::concat(Vec::new(), &sort)));
                    }
                }
                let columns = parts.into_iter().zip(shape.sorts());
                Ok(Val { leaves: columns.map(|(column, sort)| super::shape::concat(column, &sort)).collect(), shape })
            }
            _ => unsupported(expr.span, "not supported by the solver: this collection"),
        }
    }

    fn element_type(&self, expr: &Expr) -> Option<Type> {
        match (&expr.kind, self.model().types.strip(&expr.ty)) {
            (ExprKind::Binary { operator: BinaryOperator::Range, .. }, _) => None,
            (_, Type::Set(inner)) => Some((**inner).clone()),
            _ => None,
        }
    }

    pub(crate) fn map_value_shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::FewMap(_, inner) | Shape::Map(_, inner) => (**inner).clone(),
            other => other.clone(),
        }
    }

    /// The set with (or without) an element, under a condition.
    pub(crate) fn with_element(
        &mut self,
        set: &Val,
        element: &Val,
        ty: Option<&Type>,
        (when, there): (&Term, bool),
        span: Span,
    ) -> Res<Val> {
        let leaves = match &set.shape {
            Shape::FewSet(values) => {
                let is: Vec<Term> =
                    values.iter().map(|value| same(&element.leaves, &element.shape.literal(value))).collect();
                if there {
                    self.must_be_one_of(&is, ty, values, when, span)?;
                }
                let change =
                    |(is, old): (Term, &Term)| Term::ite(Term::and([when.clone(), is]), Term::bool(there), old.clone());
                is.into_iter().zip(&set.leaves).map(change).collect()
            }
            Shape::Set(_) => {
                let old = set.leaves[0].clone();
                let stored = Term::app("store", [old.clone(), element.leaves[0].clone(), Term::bool(there)]);
                vec![Term::ite(when.clone(), stored, old)]
            }
            _ => return unsupported(span, "this is no set"),
        };
        Ok(Val { leaves, shape: set.shape.clone() })
    }

    /// The map with a key, under a condition.
    pub(crate) fn with_key(
        &mut self,
        map: &Val,
        key: &Val,
        (key_type, value): (&Type, &[Term]),
        when: &Term,
        span: Span,
    ) -> Res<Val> {
        let leaves = match &map.shape {
            Shape::FewMap(keys, inner) => {
                let is: Vec<Term> = keys.iter().map(|value| same(&key.leaves, &key.shape.literal(value))).collect();
                self.must_be_one_of(&is, Some(key_type), keys, when, span)?;
                let new = [&[Term::bool(true)], value].concat();
                let cells = is.into_iter().zip(map.leaves.chunks(1 + inner.count()));
                cells.flat_map(|(is, old)| choose(&Term::and([when.clone(), is]), &new, old)).collect()
            }
            Shape::Map(..) => {
                let new = [Term::bool(true)].into_iter().chain(value.iter().cloned());
                let store = |(old, new): (&Term, Term)| {
                    let stored = Term::app("store", [old.clone(), key.leaves[0].clone(), new]);
                    Term::ite(when.clone(), stored, old.clone())
                };
                map.leaves.iter().zip(new).map(store).collect()
            }
            _ => return unsupported(span, "this is no map"),
        };
        Ok(Val { leaves, shape: map.shape.clone() })
    }

    /// A value that none of the known ones is has no place here: an error where it is written, and otherwise more than
    /// can be told.
    fn must_be_one_of(
        &mut self,
        is: &[Term],
        ty: Option<&Type>,
        values: &[interplay_semantics::Value],
        when: &Term,
        span: Span,
    ) -> Res<()> {
        let sure = ty.and_then(|ty| self.few(ty)).is_some_and(|own| own[..] == *values);
        let one = when.clone().implies(Term::or(is.iter().cloned()));
        if sure || one.as_bool() == Some(true) {
            return Ok(());
        }
        if !self.writing {
            return unsupported(span, "not supported by the solver: a value outside the range of the others");
        }
        self.require(one);
        Ok(())
    }

    /// `x in s`, for everything that has elements.
    pub(crate) fn member(&mut self, left: &Expr, right: &Expr) -> Res<Term> {
        if let ExprKind::Binary { operator: BinaryOperator::Range, left: low, right: high } = &right.kind {
            let needle = self.term(left)?;
            return Ok(needle.between(self.term(low)?, self.term(high)?));
        }
        if let ExprKind::ObjectAll(object) = &right.kind {
            let needle = self.term(left)?;
            let count = self.now[self.layout.objects[object.0]].clone();
            let positive = Term::order("<=", Term::int(0), needle.clone());
            return Ok(Term::and([positive, Term::order("<", needle, count)]));
        }
        let written = matches!(right.kind, ExprKind::Set(_) | ExprKind::Seq(_) | ExprKind::Comprehension(_));
        if written && !is_map(self.model(), &right.ty) {
            let needle = self.value(left)?;
            let elements = self.elements(right)?;
            return Ok(Term::or(
                elements.into_iter().map(|(there, element)| Term::and([there, same(&needle.leaves, &element.leaves)])),
            ));
        }
        let needle = self.value(left)?;
        let collection = self.value(right)?;
        self.contains(&collection, &needle, right.span)
    }

    pub(crate) fn contains(&mut self, collection: &Val, needle: &Val, span: Span) -> Res<Term> {
        let is = |value| same(&needle.leaves, &needle.shape.literal(value));
        match &collection.shape {
            Shape::FewSet(values) => {
                let each = values.iter().zip(&collection.leaves);
                Ok(Term::or(each.map(|(value, there)| Term::and([is(value), there.clone()]))))
            }
            Shape::FewMap(keys, inner) => {
                let cells = keys.iter().zip(collection.leaves.chunks(1 + inner.count()));
                Ok(Term::or(cells.map(|(value, cell)| Term::and([is(value), cell[0].clone()]))))
            }
            Shape::Set(_) | Shape::Map(..) => {
                Ok(Term::app("select", [collection.leaves[0].clone(), needle.leaves[0].clone()]))
            }
            Shape::Seq(inner) if inner.count() == 1 => {
                let unit = Term::app("seq.unit", [needle.leaves[0].clone()]);
                Ok(Term::app("seq.contains", [collection.leaves[0].clone(), unit]))
            }
            _ => unsupported(span, "not supported by the solver: an element of this"),
        }
    }

    /// `+`, `-` and `&`.
    pub(crate) fn combine(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&Expr, &Expr),
        expr: &Expr,
        want: Option<&Shape>,
    ) -> Res<Val> {
        use BinaryOperator::*;
        let wanted = self.shape_for(expr, want).or_else(|_| self.shape(&left.ty, left.span)).ok();
        let first = self.expr(left, wanted.as_ref())?;
        let few = matches!(right.kind, ExprKind::Set(_));
        match (&first.shape, operator) {
            (Shape::Leaf(Sort::Int), Add | Subtract) => {
                let sides = [first.term(), self.term(right)?];
                let [one, other] = sides.clone();
                let result = if operator == Add { sum(one, other) } else { difference(one, other) };
                self.must_fit(expr, &sides, &result);
                Ok(Val::int(result))
            }
            (Shape::Leaf(Sort::String), Add) => {
                let second = self.term(right)?;
                let shape = first.shape.clone();
                Ok(Val { leaves: vec![Term::app("str.++", [first.term(), second])], shape })
            }
            (Shape::Seq(_), Add) => {
                let second = self.expr(right, Some(&first.shape))?;
                let pairs = first.leaves.iter().zip(second.leaves).zip(first.shape.sorts());
                let join = |((one, other), sort)| super::shape::concat(vec![one, other], &sort);
                let leaves = pairs.map(|((one, other), sort)| join(((one.clone(), other), sort))).collect();
                Ok(Val { leaves, shape: first.shape })
            }
            (Shape::FewSet(_) | Shape::Set(_), Add | Subtract) if few => {
                let mut set = first;
                let ty = self.element_type(right);
                for (when, element) in self.elements(right)? {
                    set = self.with_element(&set, &element, ty.as_ref(), (&when, operator == Add), expr.span)?;
                }
                Ok(set)
            }
            (Shape::FewSet(_) | Shape::Set(_), _) => {
                let second = self.expr(right, Some(&first.shape))?;
                let array = matches!(first.shape, Shape::Set(_));
                let join = |(one, other): (&Term, Term)| set_operation(operator, array, one.clone(), other);
                Ok(Val { leaves: first.leaves.iter().zip(second.leaves).map(join).collect(), shape: first.shape })
            }
            (Shape::FewMap(..) | Shape::Map(..), Subtract) => {
                let mut map = first;
                for (when, key) in self.elements(right)? {
                    map = self.without_key(&map, &key, &when);
                }
                Ok(map)
            }
            (Shape::FewMap(_, inner), Add) => {
                let second = self.expr(right, Some(&first.shape))?;
                let size = 1 + inner.count();
                let cells = first.leaves.chunks(size).zip(second.leaves.chunks(size));
                let leaves = cells.flat_map(|(old, new)| choose(&new[0], new, old)).collect();
                Ok(Val { leaves, shape: first.shape })
            }
            (Shape::Map(..), Add) if matches!(right.kind, ExprKind::Map(_)) => {
                let ExprKind::Map(pairs) = &right.kind else { return unsupported(expr.span, "this is no map") };
                let mut map = first;
                let inner = self.map_value_shape(&map.shape);
                for (key, value) in pairs {
                    let (key_val, value_val) = (self.value(key)?, self.expr(value, Some(&inner))?);
                    map = self.with_key(&map, &key_val, (&key.ty, &value_val.leaves), &Term::bool(true), expr.span)?;
                }
                Ok(map)
            }
            _ => unsupported(expr.span, "not supported by the solver: this operation"),
        }
    }

    fn without_key(&self, map: &Val, key: &Val, when: &Term) -> Val {
        let leaves = match &map.shape {
            Shape::FewMap(keys, inner) => {
                let nothing = [vec![Term::bool(false)], inner.defaults()].concat();
                let cells = keys.iter().zip(map.leaves.chunks(1 + inner.count()));
                let is = |value| Term::and([when.clone(), same(&key.leaves, &key.shape.literal(value))]);
                cells.flat_map(|(value, old)| choose(&is(value), &nothing, old)).collect()
            }
            shape => {
                let inner = self.map_value_shape(shape);
                let nothing = [Term::bool(false)].into_iter().chain(inner.defaults());
                let store = |(old, new): (&Term, Term)| {
                    let stored = Term::app("store", [old.clone(), key.leaves[0].clone(), new]);
                    Term::ite(when.clone(), stored, old.clone())
                };
                map.leaves.iter().zip(nothing).map(store).collect()
            }
        };
        Val { leaves, shape: map.shape.clone() }
    }
}

pub(crate) fn sum(left: Term, right: Term) -> Term {
    match (left.as_int(), right.as_int()) {
        (Some(0), _) => right,
        (_, Some(0)) => left,
        (Some(one), Some(other)) => {
            i64::try_from(one + other).map_or_else(|_| Term::app("+", [left.clone(), right.clone()]), Term::int)
        }
        _ => Term::app("+", [left, right]),
    }
}

fn difference(left: Term, right: Term) -> Term {
    match (left.as_int(), right.as_int()) {
        (_, Some(0)) => left,
        (Some(one), Some(other)) => {
            i64::try_from(one - other).map_or_else(|_| Term::app("-", [left.clone(), right.clone()]), Term::int)
        }
        _ => Term::app("-", [left, right]),
    }
}

fn set_operation(operator: BinaryOperator, array: bool, left: Term, right: Term) -> Term {
    use BinaryOperator::*;
    if !array {
        return match operator {
            Add => Term::or([left, right]),
            Subtract => Term::and([left, right.not()]),
            _ => Term::and([left, right]),
        };
    }
    let map = |word: &str| Term::list([Term::atom("_"), Term::atom("map"), Term::atom(word)]);
    match operator {
        Add => Term::list([map("or"), left, right]),
        Subtract => Term::list([map("and"), left, Term::list([map("not"), right])]),
        _ => Term::list([map("and"), left, right]),
    }
}

/// All but the first of equal elements are switched off.
fn distinct(found: Elements) -> Elements {
    let mut kept: Elements = Vec::new();
    for (there, element) in found {
        let before =
            kept.iter().map(|(when, other)| Term::and([when.clone(), same(&other.leaves, &element.leaves)]).not());
        let first = Term::and(before.collect::<Vec<_>>());
        kept.push((Term::and([there, first]), element));
    }
    kept
}

fn is_map(model: &interplay_model::Model, ty: &Type) -> bool {
    matches!(model.types.strip(ty), Type::Map(..))
}
