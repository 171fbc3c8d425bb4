//! Which values a setup lets in, for the solver. What counts where is asked of `semantics` ([`Instance::declared_domain`],
//! [`Instance::restricting_domain`]), place by place of a type: here it is only told.

use super::context::{Context, Val, same};
use super::shape::Shape;
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Domain, ExprKind, Model, Type};
use interplay_semantics::{Asked, Instance};
use interplay_smt::Term;

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comes {
    /// It runs through its domain.
    Listed,
    /// A guard computes it, so that only what restricts inputs counts.
    Computed,
}

impl Comes {
    fn domain<'i>(self, instance: &'i Instance, ty: &Type, asked: Asked) -> Option<&'i Domain> {
        match self {
            Comes::Listed => instance.declared_domain(ty, asked),
            Comes::Computed => instance.restricting_domain(ty, asked),
        }
    }

    /// Some place of the type has a domain.
    fn any(self, instance: &Instance, ty: &Type, asked: Asked) -> bool {
        self.domain(instance, ty, asked).is_some()
            || parts(instance.model(), ty).into_iter().any(|ty| self.any(instance, ty, asked.inside()))
    }
}

/// A string of this type may be anything: no domain says which.
pub(crate) fn is_open_string(instance: &Instance, ty: &Type, asked: Asked) -> bool {
    if instance.declared_domain(ty, asked).is_some() {
        return false;
    }
    let inner = parts(instance.model(), ty);
    *ty == Type::String || inner.into_iter().any(|ty| is_open_string(instance, ty, asked.inside()))
}

/// The types that stand directly in a type.
fn parts<'m>(model: &'m Model, ty: &'m Type) -> Vec<&'m Type> {
    match ty {
        Type::Alias(id) => vec![&model.types.aliases[id.0].ty],
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => vec![inner],
        Type::Map(key, value) => vec![key, value],
        Type::Tuple(parts) => parts.iter().collect(),
        Type::Record(id) => model.types.records[id.0].fields.iter().map(|(_, ty)| ty).collect(),
        Type::Enum(id) => model.types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload).collect(),
        _ => Vec::new(),
    }
}

impl Context<'_> {
    /// The setup lets this value in, at every place of its type.
    pub(crate) fn admitted(&mut self, ty: &Type, val: &Val, (asked, comes): (Asked, Comes), span: Span) -> Res<Term> {
        let instance = self.instance;
        if let Some(domain) = comes.domain(instance, ty, asked) {
            return self.in_domain(domain, ty, val);
        }
        if !comes.any(instance, ty, asked) {
            return Ok(Term::bool(true));
        }
        let model = self.model();
        let inside = (asked.inside(), comes);
        let all = |context: &mut Self, types: Vec<&Type>, shapes: &[Shape], start: usize| {
            let mut found = Vec::new();
            for ((ty, shape), range) in types.into_iter().zip(shapes).zip(Shape::ranges(shapes, start)) {
                found.push(context.admitted(ty, &val.slice(range, shape), inside, span)?);
            }
            Ok(Term::and(found))
        };
        match (&val.shape, ty) {
            (_, Type::Alias(id)) => self.admitted(&model.types.aliases[id.0].ty, val, inside, span),
            (Shape::Tuple(shapes), _) => all(self, parts(model, ty), shapes, 0),
            (Shape::Option(shape), Type::Option(ty)) => {
                let part = val.slice(1..val.leaves.len(), shape);
                Ok(val.leaves[0].clone().implies(self.admitted(ty, &part, inside, span)?))
            }
            (Shape::Enum(variants), Type::Enum(id)) => {
                let (mut at, mut found) = (1, Vec::new());
                for (index, payload) in variants.iter().enumerate() {
                    let types = model.types.enums[id.0].variants[index].payload.iter().collect();
                    let here = val.leaves[0].clone().eq(Term::int(index as i64));
                    found.push(here.implies(all(self, types, payload, at)?));
                    at += payload.iter().map(Shape::count).sum::<usize>();
                }
                Ok(Term::and(found))
            }
            (Shape::FewSet(values), Type::Set(ty)) => {
                let shape = self.shape(ty, span)?;
                let mut found = Vec::new();
                for (value, there) in values.iter().zip(&val.leaves) {
                    let element = self.literal(&shape, value);
                    found.push(there.clone().implies(self.admitted(ty, &element, inside, span)?));
                }
                Ok(Term::and(found))
            }
            (Shape::FewMap(keys, shape), Type::Map(key_type, ty)) => {
                let key_shape = self.shape(key_type, span)?;
                let mut found = Vec::new();
                for (key, cell) in keys.iter().zip(val.leaves.chunks(1 + shape.count())) {
                    let key = self.literal(&key_shape, key);
                    let part = Val { leaves: cell[1..].to_vec(), shape: (**shape).clone() };
                    let both = [self.admitted(key_type, &key, inside, span)?, self.admitted(ty, &part, inside, span)?];
                    found.push(cell[0].clone().implies(Term::and(both)));
                }
                Ok(Term::and(found))
            }
            _ => unsupported(span, "not supported by the solver: domains of the elements of such a collection"),
        }
    }

    /// The value is one of the domain. Where that cannot be said, the setup goes wrong.
    fn in_domain(&mut self, domain: &Domain, ty: &Type, val: &Val) -> Res<Term> {
        let (frame, bounds) = (self.frame.clone(), self.bounds.clone());
        self.enter(domain.values.locals.len());
        let expr = &domain.values.expr;
        let found = match &expr.kind {
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (low, high) = (self.term(left)?, self.term(right)?);
                let ends = [self.belongs(ty, &Val::int(low.clone()))?, self.belongs(ty, &Val::int(high.clone()))?];
                self.require(Term::order("<=", low.clone(), high.clone()).implies(Term::and(ends)));
                val.leaves[0].clone().between(low, high)
            }
            _ => {
                let mut any = Vec::new();
                for (there, element) in self.elements(expr)? {
                    let inside = self.belongs(ty, &element)?;
                    self.require(there.clone().implies(inside));
                    any.push(Term::and([there, same(&val.leaves, &element.leaves)]));
                }
                Term::or(any)
            }
        };
        (self.frame, self.bounds) = (frame, bounds);
        Ok(found)
    }
}
