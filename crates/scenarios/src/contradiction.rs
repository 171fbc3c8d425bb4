//! A goal that no state can satisfy, whatever the system does: two of its conjuncts say opposite things of the same term.
//!
//! Only what is certain is called a contradiction; a solver may know more.

use crate::Wanted;
use interplay_model::{BinaryOperator, Expr, ExprKind};

/// The conjuncts that cannot hold together, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub core: Vec<usize>,
}

impl Contradiction {
    pub fn in_goal(wanted: &Wanted) -> Option<Contradiction> {
        let facts: Vec<Option<Fact>> =
            wanted.conditions.iter().map(|condition| Fact::of(&condition.clone().without_places())).collect();
        for (first, left) in facts.iter().enumerate() {
            if let Some(Fact { term: Term::Constant, value: Known::Is(ExprKind::Bool(true)) }) = left {
                return Some(Contradiction { core: vec![first] });
            }
            for (second, right) in facts.iter().enumerate().skip(first + 1) {
                if let (Some(left), Some(right)) = (left, right)
                    && left.contradicts(right)
                {
                    return Some(Contradiction { core: vec![first, second] });
                }
            }
        }
        None
    }
}

/// What a conjunct says: this term has, or has not, this value.
struct Fact {
    term: Term,
    value: Known,
}

#[derive(PartialEq)]
enum Term {
    Of(Box<Expr>),
    /// The conjunct is false by itself.
    Constant,
}

enum Known {
    Is(ExprKind),
    IsNot(ExprKind),
}

impl Fact {
    fn of(condition: &Expr) -> Option<Fact> {
        let truth = |value| ExprKind::Bool(value);
        match &condition.kind {
            ExprKind::Bool(false) => Some(Fact { term: Term::Constant, value: Known::Is(truth(true)) }),
            ExprKind::Not(inner) => {
                let Fact { term, value } = Fact::of(inner)?;
                let value = match value {
                    Known::Is(value) => Known::IsNot(value),
                    Known::IsNot(value) => Known::Is(value),
                };
                (term != Term::Constant).then_some(Fact { term, value })
            }
            ExprKind::Binary { operator: BinaryOperator::Equal, left, right } => {
                let (term, value) = sides(left, right)?;
                Some(Fact { term: Term::Of(term.clone().into()), value: Known::Is(value.kind.clone()) })
            }
            ExprKind::Binary { operator: BinaryOperator::NotEqual, left, right } => {
                let (term, value) = sides(left, right)?;
                Some(Fact { term: Term::Of(term.clone().into()), value: Known::IsNot(value.kind.clone()) })
            }
            ExprKind::Binary { operator: BinaryOperator::NotIn, left, right } => {
                let inside =
                    ExprKind::Binary { operator: BinaryOperator::In, left: left.clone(), right: right.clone() };
                let inside = Expr::new(inside, condition.ty.clone(), condition.span);
                Some(Fact { term: Term::Of(inside.into()), value: Known::Is(truth(false)) })
            }
            _ => Some(Fact { term: Term::Of(condition.clone().into()), value: Known::Is(truth(true)) }),
        }
    }

    fn contradicts(&self, other: &Fact) -> bool {
        self.term == other.term
            && match (&self.value, &other.value) {
                (Known::Is(left), Known::Is(right)) => left != right,
                (Known::Is(left), Known::IsNot(right)) | (Known::IsNot(right), Known::Is(left)) => left == right,
                (Known::IsNot(ExprKind::Bool(left)), Known::IsNot(ExprKind::Bool(right))) => left != right,
                (Known::IsNot(_), Known::IsNot(_)) => false,
            }
    }
}

/// A term and a literal value.
fn sides<'e>(left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    match (is_literal(left), is_literal(right)) {
        (false, true) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}

/// Literals that are equal exactly if they are written alike.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::None => true,
        ExprKind::Variant { args, .. } => args.is_empty(),
        _ => false,
    }
}
