//! Places: reading `m[k]` and `s[i]`, and writing into a part of a variable.

use super::context::{Context, Val, Write, choose};
use super::shape::Shape;
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{Expr, ExprKind, Model, PathStep, Place, Type};
use interplay_semantics::Value;
use interplay_smt::Term;
use std::sync::Arc;

/// One step into a value, with its index.
#[derive(Clone, Debug)]
pub(crate) enum Inward {
    Key(Val, Type),
    Field(usize),
}

impl Context<'_> {
    pub(crate) fn index(&mut self, of: &Expr, index: &Expr, span: Span) -> Res<Val> {
        if let Some(items) = self.known_items(of) {
            let at = self.term(index)?;
            let last = Term::int(items.len() as i64 - 1);
            self.require(at.clone().between(Term::int(0), last));
            let Shape::Seq(shape) = self.shape(&of.ty, span)? else { return unsupported(span, "this is no sequence") };
            let pick = |rest: Vec<Term>, (number, item): (usize, &Value)| {
                choose(&at.clone().eq(Term::int(number as i64)), &shape.literal(item), &rest)
            };
            let leaves = items.iter().enumerate().rev().fold(shape.defaults(), pick);
            return Ok(Val { leaves, shape: *shape });
        }
        let (collection, key) = (self.value(of)?, self.value(index)?);
        self.at_index(&collection, &key, span)
    }

    /// The items of a sequence that is a constant with a value.
    pub(crate) fn known_items(&self, expr: &Expr) -> Option<Arc<[Value]>> {
        let ExprKind::Constant(id) = expr.kind else { return None };
        match self.instance.constant(id) {
            Ok(Value::Seq(items)) if self.layout.constants[id.0].is_none() => Some(items),
            _ => None,
        }
    }

    fn at_index(&mut self, collection: &Val, key: &Val, span: Span) -> Res<Val> {
        if let Shape::Seq(inner) = &collection.shape {
            let index = key.leaves[0].clone();
            self.require(inside(&collection.leaves[0], &index));
            let leaves = collection.leaves.iter().map(|leaf| Term::app("seq.nth", [leaf.clone(), index.clone()]));
            return Ok(Val { leaves: leaves.collect(), shape: (**inner).clone() });
        }
        let (there, value) = self.look_up(collection, key, span)?;
        self.require(there);
        Ok(value)
    }

    pub(crate) fn assign(&mut self, place: &Place, value: &Expr, span: Span) -> Res<()> {
        let mut path = Vec::new();
        for step in &place.path {
            path.push(match step {
                PathStep::Index(index) => Inward::Key(self.value(index)?, index.ty.clone()),
                PathStep::Field(index) => Inward::Field(*index),
            });
        }
        self.keys_lie_inside(place, &path)?;
        let layout = self.layout;
        let Some(slot) = &layout.variables[place.variable.0] else {
            return unsupported(span, "not supported by the solver: this variable");
        };
        let shape = self.shape(&place.ty, span)?;
        let outer = std::mem::replace(&mut self.writing, true);
        let value = self.expr(value, Some(&shape));
        self.writing = outer;
        let value = value?;
        self.must_lie_inside(&place.ty, &value, span)?;
        if let Some(set) = slot.set {
            // A part of what was never set cannot be written.
            if !path.is_empty() {
                self.require(self.now[set].clone());
            }
            self.now[set] = Term::bool(true);
        }
        let old = Val { leaves: self.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() };
        let new = self.written(&old, &path, value, span)?;
        for (leaf, term) in slot.range.clone().zip(new.leaves) {
            self.within_size(&term, span)?;
            self.now[leaf] = self.short(term, &layout.leaves[leaf].sort);
        }
        self.writes.push(Write { when: Term::bool(true), variable: place.variable, path });
        Ok(())
    }

    /// The value with a part of it replaced. The last key of a map is made; anything before it must be there.
    pub(super) fn written(&mut self, old: &Val, path: &[Inward], new: Val, span: Span) -> Res<Val> {
        let Some((step, rest)) = path.split_first() else { return Ok(new) };
        match (step, &old.shape) {
            (Inward::Field(index), Shape::Tuple(shapes)) => {
                let range = Shape::ranges(shapes, 0)[*index].clone();
                let inner = self.written(&old.slice(range.clone(), &shapes[*index]), rest, new, span)?;
                let mut leaves = old.leaves.clone();
                leaves.splice(range, inner.leaves);
                Ok(Val { leaves, shape: old.shape.clone() })
            }
            (Inward::Key(index, _), Shape::Seq(_)) => {
                let index = index.leaves[0].clone();
                let part = self.at_index(old, &Val::int(index.clone()), span)?;
                let inner = self.written(&part, rest, new, span)?;
                let after = Term::app("+", [index.clone(), Term::int(1)]);
                let replace = |(leaf, new): (&Term, Term)| {
                    let length = Term::app("seq.len", [leaf.clone()]);
                    let front = Term::app("seq.extract", [leaf.clone(), Term::int(0), index.clone()]);
                    let back = Term::app("seq.extract", [leaf.clone(), after.clone(), length]);
                    Term::app("seq.++", [front, Term::app("seq.unit", [new]), back])
                };
                let leaves = old.leaves.iter().zip(inner.leaves).map(replace).collect();
                Ok(Val { leaves, shape: old.shape.clone() })
            }
            (Inward::Key(key, ty), Shape::FewMap(..) | Shape::Map(..)) => {
                let inner = match rest {
                    [] => new,
                    _ => {
                        let (there, part) = self.look_up(old, key, span)?;
                        self.require(there);
                        self.written(&part, rest, new, span)?
                    }
                };
                // A key outside its range was looked at before.
                let outer = std::mem::replace(&mut self.writing, true);
                let map = self.with_key(old, key, (ty, &inner.leaves), &Term::bool(true), span);
                self.writing = outer;
                map
            }
            _ => unsupported(span, "not supported by the solver: this place"),
        }
    }

    /// The keys that are written lie in the ranges of their maps (M004).
    fn keys_lie_inside(&mut self, place: &Place, path: &[Inward]) -> Res<()> {
        let types = &self.model().types;
        let mut ty = &self.model().variables[place.variable.0].ty;
        for step in path {
            ty = match (step, types.strip(ty)) {
                (Inward::Key(key, _), Type::Map(keys, inner)) => {
                    let inside = self.belongs(keys, key)?;
                    self.require(inside);
                    inner
                }
                (Inward::Key(..), Type::Seq(inner)) => inner,
                (Inward::Field(index), Type::Tuple(parts)) => &parts[*index],
                (Inward::Field(index), Type::Record(id)) => &types.records[id.0].fields[*index].1,
                _ => return Ok(()),
            };
        }
        Ok(())
    }

    /// What stands at the end of a path, and whether it is there at all.
    pub(super) fn found_at(&mut self, of: &Val, path: &[Inward], span: Span) -> Res<(Term, Val)> {
        let Some((step, rest)) = path.split_first() else { return Ok((Term::bool(true), of.clone())) };
        let (there, part) = match (step, &of.shape) {
            (Inward::Field(index), Shape::Tuple(shapes)) => {
                (Term::bool(true), of.slice(Shape::ranges(shapes, 0)[*index].clone(), &shapes[*index]))
            }
            (Inward::Key(key, _), Shape::Seq(inner)) => {
                let at = key.leaves[0].clone();
                let item = of.leaves.iter().map(|leaf| Term::app("seq.nth", [leaf.clone(), at.clone()]));
                (inside(&of.leaves[0], &at), Val { leaves: item.collect(), shape: (**inner).clone() })
            }
            (Inward::Key(key, _), _) => self.look_up(of, key, span)?,
            _ => return unsupported(span, "not supported by the solver: this place"),
        };
        let (inner, found) = self.found_at(&part, rest, span)?;
        Ok((Term::and([there, inner]), found))
    }

    /// What is written must lie in the ranges of the place (M004).
    pub(crate) fn must_lie_inside(&mut self, ty: &Type, val: &Val, span: Span) -> Res<()> {
        match ranges_inside(self.model(), ty, &val.shape) {
            Ranges::None => Ok(()),
            Ranges::Plain => {
                let inside = self.belongs(ty, val)?;
                self.require(inside);
                Ok(())
            }
            Ranges::Hidden => unsupported(
                span,
                "not supported by the solver: ranges inside a sequence, or in a map or set with many keys",
            ),
        }
    }
}

fn inside(seq: &Term, index: &Term) -> Term {
    Term::and([
        Term::order("<=", Term::int(0), index.clone()),
        Term::order("<", index.clone(), Term::app("seq.len", [seq.clone()])),
    ])
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ranges {
    None,
    /// All of them can be seen.
    Plain,
    Hidden,
}

pub(super) fn ranges_inside(model: &Model, ty: &Type, shape: &Shape) -> Ranges {
    let inner = |parts: Vec<(&Type, &Shape)>| {
        parts.into_iter().map(|(ty, shape)| ranges_inside(model, ty, shape)).max().unwrap_or(Ranges::None)
    };
    let hidden = |types: &[&Type]| match types.iter().any(|ty| has_range(model, ty)) {
        true => Ranges::Hidden,
        false => Ranges::None,
    };
    match (model.types.strip(ty), shape) {
        (Type::Range(_), _) => Ranges::Plain,
        (Type::Tuple(types), Shape::Tuple(shapes)) => inner(types.iter().zip(shapes).collect()),
        (Type::Record(id), Shape::Tuple(shapes)) => {
            inner(model.types.records[id.0].fields.iter().map(|(_, ty)| ty).zip(shapes).collect())
        }
        (Type::Option(ty), Shape::Option(shape)) => inner(vec![(ty, shape)]),
        (Type::Enum(id), Shape::Enum(shapes)) => {
            let types = model.types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload);
            inner(types.zip(shapes.iter().flatten()).collect())
        }
        // Elements and keys were looked at where they were put in.
        (Type::Set(_), Shape::FewSet(_)) => Ranges::None,
        (Type::Map(_, ty), Shape::FewMap(_, shape)) => inner(vec![(ty, shape)]),
        (Type::Seq(ty) | Type::Set(ty), _) => hidden(&[ty]),
        (Type::Map(key, ty), _) => hidden(&[key, ty]),
        _ => Ranges::None,
    }
}

fn has_range(model: &Model, ty: &Type) -> bool {
    match model.types.strip(ty) {
        Type::Range(_) => true,
        Type::Tuple(types) => types.iter().any(|ty| has_range(model, ty)),
        Type::Record(id) => model.types.records[id.0].fields.iter().any(|(_, ty)| has_range(model, ty)),
        Type::Enum(id) => {
            let mut payloads = model.types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload);
            payloads.any(|ty| has_range(model, ty))
        }
        Type::Option(ty) | Type::Seq(ty) | Type::Set(ty) => has_range(model, ty),
        Type::Map(key, ty) => has_range(model, key) || has_range(model, ty),
        _ => false,
    }
}
