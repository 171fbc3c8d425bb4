//! Patterns: the condition under which a value looks so; names are bound to its parts.

use super::context::{Context, Val};
use super::shape::Shape;
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::Pattern;
use interplay_semantics::Value;
use interplay_smt::Term;

impl Context<'_> {
    pub(crate) fn pattern(&mut self, pattern: &Pattern, val: &Val, span: Span) -> Res<Term> {
        let first = || val.leaves[0].clone();
        match (pattern, &val.shape) {
            (Pattern::Wildcard, _) => Ok(Term::bool(true)),
            (Pattern::Bind(local), _) => {
                self.bind(*local, val.clone(), None);
                Ok(Term::bool(true))
            }
            (Pattern::Bool(value), _) => Ok(first().eq(Term::bool(*value))),
            (Pattern::Int(value), _) => Ok(first().eq(Term::int(*value))),
            (Pattern::String(text), _) => Ok(first().eq(val.shape.literal(&Value::String(text.clone())).remove(0))),
            (Pattern::None, Shape::Option(_)) => Ok(first().not()),
            (Pattern::Some(inner), Shape::Option(shape)) => {
                let inside = self.pattern(inner, &val.slice(1..val.leaves.len(), shape), span)?;
                Ok(Term::and([first(), inside]))
            }
            (Pattern::Variant { variant, args }, Shape::Enum(variants)) => {
                let before: usize = variants[..*variant].iter().flatten().map(Shape::count).sum();
                let inside = self.patterns(args, &variants[*variant], val, 1 + before, span)?;
                Ok(Term::and([first().eq(Term::int(*variant as i64)), inside]))
            }
            (Pattern::Tuple(parts), Shape::Tuple(shapes)) => self.patterns(parts, shapes, val, 0, span),
            _ => unsupported(span, "not supported by the solver: this pattern"),
        }
    }

    fn patterns(&mut self, patterns: &[Pattern], shapes: &[Shape], val: &Val, start: usize, span: Span) -> Res<Term> {
        let mut all = Vec::new();
        for ((pattern, shape), range) in patterns.iter().zip(shapes).zip(Shape::ranges(shapes, start)) {
            all.push(self.pattern(pattern, &val.slice(range, shape), span)?);
        }
        Ok(Term::and(all))
    }
}
