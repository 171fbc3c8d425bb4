//! Where an expression is encoded: the leaves of the state now and before, the locals, the events of the step, and the
//! conditions under which everything said so far has a value.

use super::layout::Layout;
use super::place::Inward;
use super::rules::Param;
use super::shape::{Shape, Sort, few};
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{ActionId, Expr, LocalId, Model, RangeId, Type, VariableId};
use interplay_semantics::{Bounds, Instance, Overflow, State, Value};
use interplay_smt::{Term, quoted};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A term larger than this is not handed to the solver.
const MOST_SIZE: u64 = 400_000;

/// A term larger than this gets a name, where names can be given: it will be used more than once.
const NAMED_FROM: u64 = 40;

/// At most so many values are written out.
pub(crate) const MOST_VALUES: usize = 200;
/// At most so many combinations of bound values, in all of a rule.
const MOST_TURNS: usize = 20_000;

/// The leaves of a value, and how they are put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Val {
    pub leaves: Vec<Term>,
    pub shape: Shape,
}

impl Val {
    pub(crate) fn bool(term: Term) -> Val {
        Val { leaves: vec![term], shape: Shape::BOOL }
    }

    pub(crate) fn int(term: Term) -> Val {
        Val { leaves: vec![term], shape: Shape::INT }
    }

    /// The only leaf.
    pub(crate) fn term(self) -> Term {
        self.leaves.into_iter().next().unwrap_or_else(|| Term::bool(true))
    }

    pub(crate) fn default(shape: &Shape) -> Val {
        Val { leaves: shape.defaults(), shape: shape.clone() }
    }

    pub(crate) fn slice(&self, range: std::ops::Range<usize>, shape: &Shape) -> Val {
        Val { leaves: self.leaves[range].to_vec(), shape: shape.clone() }
    }
}

/// Both have the same shape.
pub(crate) fn same(left: &[Term], right: &[Term]) -> Term {
    Term::and(left.iter().zip(right).map(|(left, right)| left.clone().eq(right.clone())))
}

/// The interpreter knows integers of 64 bits.
pub(crate) fn is_sixty_four(term: Term) -> Term {
    term.between(Term::int(i64::MIN), Term::int(i64::MAX))
}

pub(crate) fn choose(condition: &Term, then: &[Term], otherwise: &[Term]) -> Vec<Term> {
    let pairs = then.iter().zip(otherwise);
    pairs.map(|(then, otherwise)| Term::ite(condition.clone(), then.clone(), otherwise.clone())).collect()
}

/// Names for large terms, so that what is used often is written once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Without one no names are given.
    prefix: Option<String>,
    pub(crate) given: Vec<(Param, Term)>,
}

impl Names {
    pub(crate) fn new(prefix: impl Into<String>) -> Names {
        Names { prefix: Some(prefix.into()), given: Vec::new() }
    }

    /// The term itself if it is small, otherwise its name.
    pub(crate) fn short(&mut self, term: Term, sort: &Sort) -> Term {
        let Some(prefix) = self.prefix.as_ref().filter(|_| term.size() >= NAMED_FROM) else { return term };
        if let Some((param, _)) = self.given.iter().find(|(_, known)| *known == term) {
            return Term::atom(&param.name);
        }
        // The sort is part of the name: steps that share a name share its declaration.
        let name = quoted(&format!("{prefix} {} {sort}", self.given.len()));
        self.given.push((Param { name: name.clone(), sort: sort.clone() }, term));
        Term::atom(name)
    }

    pub(crate) fn short_bool(&mut self, term: Term) -> Term {
        self.short(term, &Sort::Bool)
    }
}

/// Something that takes part in a step, under a condition.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub(crate) when: Term,
    pub(crate) action: ActionId,
    pub(crate) args: Vec<Val>,
    pub(crate) result: Option<Val>,
}

/// Something that a statement wrote, under a condition.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) when: Term,
    pub(crate) variable: VariableId,
    pub(crate) path: Vec<Inward>,
}

pub(crate) struct Context<'m> {
    pub(crate) instance: &'m Instance,
    pub(crate) layout: &'m Layout,
    pub(crate) now: Vec<Term>,
    pub(crate) before: Vec<Term>,
    pub(crate) frame: Vec<Option<Val>>,
    /// Between which integers the locals lie, by the text.
    pub(crate) bounds: Vec<Option<Bounds>>,
    /// The events of the step, for what speaks of them.
    pub(crate) events: Vec<Occurrence>,
    /// The step is silence.
    pub(crate) silent: bool,
    /// All of these hold where everything so far has a value.
    pub(crate) defined: Vec<Term>,
    /// What the statements so far emit.
    pub(crate) emitted: Vec<Occurrence>,
    /// What they wrote.
    pub(crate) writes: Vec<Write>,
    /// The slot of `result`, and under which condition it was returned with which value.
    pub(crate) returned: Option<(Term, Val)>,
    /// An out-of-range element of a finite set is an error here, not a riddle.
    pub(crate) writing: bool,
    /// Whether [`Context::belongs`] looks at the 64 bits of integers, too.
    sixty_four: bool,
    /// Where large terms get names: only in blocks, because a guard may be asked with other values.
    pub(crate) names: Option<Names>,
    /// Combinations of bound values so far.
    turns: usize,
}

impl<'m> Context<'m> {
    pub(crate) fn new(instance: &'m Instance, layout: &'m Layout, state: Vec<Term>, locals: usize) -> Context<'m> {
        Context {
            instance,
            layout,
            before: state.clone(),
            now: state,
            frame: vec![None; locals],
            bounds: vec![None; locals],
            events: Vec::new(),
            silent: false,
            defined: Vec::new(),
            emitted: Vec::new(),
            writes: Vec::new(),
            returned: None,
            writing: false,
            sixty_four: false,
            names: None,
            turns: 0,
        }
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.instance.model()
    }

    pub(crate) fn shape(&self, ty: &Type, span: Span) -> Res<Shape> {
        Shape::of(self.instance, self.layout.strings.as_ref(), ty)
            .or_else(|why| unsupported(span, format!("not supported by the solver: {why}")))
    }

    /// All values of a type, if they are few.
    pub(crate) fn few(&self, ty: &Type) -> Option<Arc<[Value]>> {
        few(self.instance, self.layout.strings.as_ref(), ty)
    }

    /// A name for it if it is large and names can be given.
    pub(crate) fn short(&mut self, term: Term, sort: &Sort) -> Term {
        match &mut self.names {
            Some(names) => names.short(term, sort),
            None => term,
        }
    }

    /// The same for every leaf of a value.
    pub(crate) fn shortened(&mut self, val: Val) -> Val {
        let sorts = val.shape.sorts();
        let leaves = val.leaves.into_iter().zip(&sorts).map(|(leaf, sort)| self.short(leaf, sort)).collect();
        Val { leaves, shape: val.shape }
    }

    /// From here on it is assumed that this holds; otherwise the model goes wrong.
    pub(crate) fn require(&mut self, condition: Term) {
        if condition.as_bool() != Some(true) {
            self.defined.push(condition);
        }
    }

    /// What is encoded inside matters only under the condition.
    pub(crate) fn under<T>(&mut self, condition: &Term, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let outer = std::mem::take(&mut self.defined);
        let result = inside(self);
        let inner = std::mem::replace(&mut self.defined, outer);
        self.require(condition.clone().implies(Term::and(inner)));
        result
    }

    /// Encodes something with its own list of requirements.
    pub(crate) fn separately<T>(&mut self, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<(T, Term)> {
        let outer = std::mem::take(&mut self.defined);
        let result = inside(self);
        let inner = std::mem::replace(&mut self.defined, outer);
        Ok((result?, Term::and(inner)))
    }

    /// Something else is encoded with locals of its own.
    pub(crate) fn enter(&mut self, locals: usize) {
        self.frame = vec![None; locals];
        self.bounds = vec![None; locals];
    }

    /// A local has a value, of which the text says this.
    pub(crate) fn bind(&mut self, local: LocalId, val: Val, bounds: Option<Bounds>) {
        self.frame[local.0] = Some(val);
        if self.bounds.len() <= local.0 {
            self.bounds.resize(local.0 + 1, None);
        }
        self.bounds[local.0] = bounds;
    }

    /// What the text says about an integer.
    pub(crate) fn bounds_of(&self, expr: &Expr) -> Bounds {
        self.instance.integer_bounds(expr, &self.bounds)
    }

    /// The result of an operation on integers of 64 bits is one, too; otherwise the model goes wrong. Nothing is asked where the
    /// text says enough.
    pub(crate) fn must_fit(&mut self, expr: &Expr, operands: &[Term], result: &Term) {
        let may = self.instance.may_overflow(expr, &self.bounds);
        if may == Overflow::default() {
            return;
        }
        self.layout.overflows.store(true, Ordering::Relaxed);
        if !self.layout.endless {
            let known = Term::and(operands.iter().cloned().map(is_sixty_four));
            let low = Term::order("<=", Term::int(i64::MIN), result.clone());
            let high = Term::order("<=", result.clone(), Term::int(i64::MAX));
            let sides = [may.below.then_some(low), may.above.then_some(high)];
            self.require(known.implies(Term::and(sides.into_iter().flatten())));
        }
    }

    /// One more combination of bound values.
    pub(crate) fn turn(&mut self, span: Span) -> Res<()> {
        self.turns += 1;
        match self.turns {
            0..=MOST_TURNS => Ok(()),
            _ => unsupported(span, "not supported by the solver: too many combinations"),
        }
    }

    pub(crate) fn within_size(&self, term: &Term, span: Span) -> Res<()> {
        match term.size() {
            0..=MOST_SIZE => Ok(()),
            size => unsupported(span, format!("too large for the solver ({size} parts)")),
        }
    }

    pub(crate) fn literal(&self, shape: &Shape, value: &Value) -> Val {
        Val { leaves: shape.literal(value), shape: shape.clone() }
    }

    /// The lowest and the highest value, in terms of the constants.
    pub(crate) fn range(&mut self, id: RangeId) -> Res<(Term, Term)> {
        if let Ok((low, high)) = self.instance.range(id) {
            return Ok((Term::int(low), Term::int(high)));
        }
        let range = &self.model().types.ranges[id.0];
        Ok((self.term(&range.low)?, self.term(&range.high)?))
    }

    /// All values of a type under the setup's domains, in order.
    pub(crate) fn values_of(&self, ty: &Type, name: &str, span: Span) -> Res<Vec<Value>> {
        if let Type::Object(_) = self.model().types.strip(ty) {
            return unsupported(span, "not supported by the solver: an unknown number of objects");
        }
        match self.instance.values_of(ty, &State::blank(self.model()), name, span) {
            Ok(values) if values.len() <= MOST_VALUES => Ok(values),
            Ok(_) => unsupported(span, "not supported by the solver: too many values"),
            Err(error) => unsupported(span, format!("the solver needs a finite domain: {}", error.message)),
        }
    }

    /// What is true of every value of the type, with the 64 bits of its integers: for what comes from outside.
    pub(crate) fn is_a_value(&mut self, ty: &Type, val: &Val) -> Res<Term> {
        let outer = std::mem::replace(&mut self.sixty_four, !self.layout.endless);
        let belongs = self.belongs(ty, val);
        self.sixty_four = outer;
        belongs
    }

    /// What is true of every value of the type: ranges, cases, and defaults where nothing is. Objects are those that exist.
    /// Elements of sequences and of large sets and maps are not looked at.
    pub(crate) fn belongs(&mut self, ty: &Type, val: &Val) -> Res<Term> {
        let model = self.model();
        let absent = |part: &Val| same(&part.leaves, &part.shape.defaults());
        match (&val.shape, model.types.strip(ty)) {
            (_, Type::Range(id)) => {
                let (low, high) = self.range(*id)?;
                Ok(val.leaves[0].clone().between(low, high))
            }
            (_, Type::Object(id)) => {
                let count = self.now[self.layout.objects[id.0]].clone();
                Ok(Term::and([
                    Term::order("<=", Term::int(0), val.leaves[0].clone()),
                    Term::order("<", val.leaves[0].clone(), count),
                ]))
            }
            (_, Type::Int) if self.sixty_four => Ok(is_sixty_four(val.leaves[0].clone())),
            (Shape::Text(known), _) => {
                Ok(val.leaves[0].clone().between(Term::int(0), Term::int(known.len() as i64 - 1)))
            }
            (Shape::Tuple(shapes), Type::Tuple(types)) => {
                self.belong(&types.iter().collect::<Vec<_>>(), shapes, val, 0)
            }
            (Shape::Tuple(shapes), Type::Record(id)) => {
                let types: Vec<&Type> = model.types.records[id.0].fields.iter().map(|(_, ty)| ty).collect();
                self.belong(&types, shapes, val, 0)
            }
            (Shape::Option(inner), Type::Option(ty)) => {
                let part = val.slice(1..val.leaves.len(), inner);
                let inside = self.belongs(ty, &part)?;
                Ok(Term::ite(val.leaves[0].clone(), inside, absent(&part)))
            }
            (Shape::Enum(variants), Type::Enum(id)) => {
                let tag = val.leaves[0].clone();
                let mut all = vec![tag.clone().between(Term::int(0), Term::int(variants.len() as i64 - 1))];
                let mut at = 1;
                for (index, payload) in variants.iter().enumerate() {
                    let shape = Shape::Tuple(payload.clone());
                    let part = val.slice(at..at + shape.count(), &shape);
                    at += shape.count();
                    let types: Vec<&Type> = model.types.enums[id.0].variants[index].payload.iter().collect();
                    let inside = self.belong(&types, payload, &part, 0)?;
                    all.push(Term::ite(tag.clone().eq(Term::int(index as i64)), inside, absent(&part)));
                }
                Ok(Term::and(all))
            }
            (Shape::FewMap(_, inner), Type::Map(_, ty)) => {
                let mut all = Vec::new();
                for cell in val.leaves.chunks(1 + inner.count()) {
                    let part = Val { leaves: cell[1..].to_vec(), shape: (**inner).clone() };
                    let inside = self.belongs(ty, &part)?;
                    all.push(Term::ite(cell[0].clone(), inside, absent(&part)));
                }
                Ok(Term::and(all))
            }
            _ => Ok(Term::bool(true)),
        }
    }

    fn belong(&mut self, types: &[&Type], shapes: &[Shape], val: &Val, start: usize) -> Res<Term> {
        let mut all = Vec::new();
        for ((ty, shape), range) in types.iter().zip(shapes).zip(Shape::ranges(shapes, start)) {
            all.push(self.belongs(ty, &val.slice(range, shape))?);
        }
        Ok(Term::and(all))
    }
}
