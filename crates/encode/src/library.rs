//! Operations of the library on sequences and strings, as far as solvers know words for them. A sequence of pairs is two sequences,
//! so what looks for an element needs elements of one part.

use super::context::{Context, Val};
use super::shape::{Shape, Sort};
use super::{Res, unsupported};
use interplay_smt::Term;
use interplay_diagnostics::Span;
use interplay_model::{Builtin, Expr, Type};

/// The words of a theory.
#[derive(Clone, Copy)]
struct Words {
    length: &'static str,
    extract: &'static str,
    index_of: &'static str,
    suffix: &'static str,
    join: &'static str,
}

const TEXT: Words =
    Words { length: "str.len", extract: "str.substr", index_of: "str.indexof", suffix: "str.suffixof", join: "str.++" };
const SEQUENCE: Words = Words {
    length: "seq.len",
    extract: "seq.extract",
    index_of: "seq.indexof",
    suffix: "seq.suffixof",
    join: "seq.++",
};

impl Words {
    fn length(self, of: &Term) -> Term {
        Term::app(self.length, [of.clone()])
    }

    /// What lies between two positions that lie inside.
    fn between(self, of: &Term, from: Term, to: Term) -> Term {
        let count = Term::app("-", [to, from.clone()]);
        Term::app(self.extract, [of.clone(), from, count])
    }
}

impl Context<'_> {
    pub(super) fn is_text(&self, expr: &Expr) -> bool {
        *self.model().types.strip(&expr.ty) == Type::String
    }

    pub(super) fn library(&mut self, function: Builtin, receiver: &Expr, rest: &[Expr], whole: &Expr) -> Res<Val> {
        let of = self.value(receiver)?;
        let words = match &of.shape {
            Shape::Leaf(Sort::String) => TEXT,
            Shape::Seq(_) => SEQUENCE,
            _ => return unsupported(whole.span, "not supported by the solver: this operation"),
        };
        match function {
            Builtin::EndsWith => {
                let end = self.expr(&rest[0], Some(&of.shape))?;
                let pairs = end.leaves.into_iter().zip(of.leaves);
                Ok(Val::bool(Term::and(pairs.map(|(end, all)| Term::app(words.suffix, [end, all])))))
            }
            Builtin::IndexOf => {
                let at = self.index_of(words, &of, &rest[0], whole.span)?;
                let found = Term::order(">=", at.clone(), Term::int(0));
                let inside = Term::ite(found.clone(), at, Term::int(0));
                Ok(Val { leaves: vec![found, inside], shape: Shape::Option(Shape::INT.into()) })
            }
            Builtin::RemoveFirst => {
                let at = self.index_of(words, &of, &rest[0], whole.span)?;
                let absent = Term::order("<", at.clone(), Term::int(0));
                let left = self.spliced(words, &of, (&at, 1), None);
                Ok(Val { leaves: vec![Term::ite(absent, of.leaves[0].clone(), left[0].clone())], shape: of.shape })
            }
            Builtin::Slice => {
                let (from, to) = (self.term(&rest[0])?, self.term(&rest[1])?);
                let slice = |leaf: &Term| {
                    let from = clamp(from.clone(), Term::int(0), words.length(leaf));
                    let to = clamp(to.clone(), from.clone(), words.length(leaf));
                    words.between(leaf, from, to)
                };
                Ok(Val { leaves: of.leaves.iter().map(slice).collect(), shape: of.shape })
            }
            _ => self.changed_at(function, words, of, rest, whole.span),
        }
    }

    /// `insert`, `update` and `remove_at`
    fn changed_at(&mut self, function: Builtin, words: Words, of: Val, rest: &[Expr], span: Span) -> Res<Val> {
        let Shape::Seq(inner) = &of.shape else { return unsupported(span, "this is no sequence") };
        let at = self.term(&rest[0])?;
        let end = if function == Builtin::Insert { "<=" } else { "<" };
        self.require(Term::order(">=", at.clone(), Term::int(0)));
        self.require(Term::order(end, at.clone(), words.length(&of.leaves[0])));
        let new = rest.get(1).map(|new| self.expr(new, Some(inner))).transpose()?;
        let gone = if function == Builtin::Insert { 0 } else { 1 };
        let leaves = self.spliced(words, &of, (&at, gone), new.as_ref());
        Ok(Val { leaves, shape: of.shape })
    }

    /// So many elements at a position replaced by another, or by none.
    fn spliced(&self, words: Words, of: &Val, (at, gone): (&Term, i64), new: Option<&Val>) -> Vec<Term> {
        let leaf = |(index, leaf): (usize, &Term)| {
            let after = Term::app("+", [at.clone(), Term::int(gone)]);
            let before = words.between(leaf, Term::int(0), at.clone());
            let after = words.between(leaf, after, words.length(leaf));
            let new = new.map(|new| Term::app("seq.unit", [new.leaves[index].clone()]));
            Term::app(words.join, [Some(before), new, Some(after)].into_iter().flatten())
        };
        of.leaves.iter().enumerate().map(leaf).collect()
    }

    /// Where it is first; -1 if it is not there.
    fn index_of(&mut self, words: Words, of: &Val, needle: &Expr, span: Span) -> Res<Term> {
        let part = match &of.shape {
            Shape::Seq(inner) => {
                let needle = self.expr(needle, Some(inner))?;
                if needle.leaves.len() != 1 {
                    return unsupported(span, "not supported by the solver: looking for an element of several parts");
                }
                Term::app("seq.unit", [needle.term()])
            }
            _ => self.value(needle)?.term(),
        };
        Ok(Term::app(words.index_of, [of.leaves[0].clone(), part, Term::int(0)]))
    }
}

fn clamp(at: Term, low: Term, high: Term) -> Term {
    let above = Term::ite(Term::order(">", at.clone(), high.clone()), high, at.clone());
    Term::ite(Term::order("<", at, low.clone()), low, above)
}
