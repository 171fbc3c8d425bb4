//! Where the values of a parameter come from. Comparisons of sums bound integers: what they say about later parameters is
//! brought into bounds of the earlier ones (Fourier and Motzkin), so that the first value leaves room for the second.

use crate::linear::Sum;
use interplay_model::{BinaryOperator, Expr, ExprKind, LocalId, Model, Rule, Type};
use interplay_semantics::{Instance, State, Value};

/// Types with at most so many values are tried value by value.
pub(super) const FEW: usize = 64;
/// More comparisons than this are not combined.
const MOST: usize = 60;
/// More ways than this to satisfy a guard are not looked at one by one.
const MOST_WAYS: usize = 16;

pub(super) enum Source {
    /// Few values, tried one after the other.
    Few(Vec<Value>),
    /// An integer that keeps all these sums at most zero, each with the factor of the integer in it, which is not zero.
    Between { sums: Vec<(i128, Sum)>, range: Option<(i64, i64)> },
    /// It is this.
    Is(Expr),
    /// Only the solver knows.
    Unknown,
}

impl Source {
    /// One value: another one for another number.
    pub(super) fn value(&self, evaluate: &dyn Fn(&Expr) -> Option<Value>, number: usize) -> Option<Value> {
        match self {
            Source::Few(values) => values.get(number % values.len().max(1)).cloned(),
            Source::Is(expr) => evaluate(expr),
            Source::Between { sums, range } => {
                let (mut low, mut high) =
                    range.map_or((None, None), |(low, high)| (Some(low.into()), Some(high.into())));
                for (factor, rest) in sums {
                    let mut sum = rest.number;
                    for (part, times) in &rest.parts {
                        sum = sum.checked_add(i128::from(evaluate(part)?.as_int()).checked_mul(*times)?)?;
                    }
                    // factor * value + sum <= 0
                    if *factor > 0 {
                        let bound = (-sum).div_euclid(*factor);
                        high = Some(high.map_or(bound, |high: i128| high.min(bound)));
                    } else {
                        let bound = -(-sum).div_euclid(-factor);
                        low = Some(low.map_or(bound, |low: i128| low.max(bound)));
                    }
                }
                let number = number as i128;
                let value = match (low, high) {
                    (Some(low), Some(high)) if low > high => return None,
                    (Some(low), Some(high)) => low + number % (high - low + 1),
                    (Some(low), None) => low + number,
                    (None, Some(high)) => high - number,
                    (None, None) => number,
                };
                i64::try_from(value).ok().map(Value::Int)
            }
            Source::Unknown => None,
        }
    }
}

/// For each way to satisfy the guard, by parameter of the rule.
pub(super) fn ways(instance: &Instance, rule: &Rule) -> Vec<Vec<Source>> {
    let ways = rule.guard.iter().fold(vec![Vec::new()], |ways, conjunct| both(ways, &alternatives(conjunct)));
    ways.iter().map(|conjuncts| sources(instance, rule, conjuncts)).collect()
}

fn sources(instance: &Instance, rule: &Rule, conjuncts: &[&Expr]) -> Vec<Source> {
    let model = instance.model();
    let mut sums: Vec<Sum> = conjuncts.iter().flat_map(|conjunct| at_most_zero(model, conjunct)).collect();
    let mut sources: Vec<Source> = Vec::new();
    // From the last one: what is then left of the sums speaks of earlier ones only.
    for param in (0..rule.params).rev().map(LocalId) {
        let local = &rule.locals[param.0];
        let own = Expr::new(ExprKind::Local(param), local.ty.clone(), local.span).without_places();
        let (with, mut without): (Vec<Sum>, Vec<Sum>) = sums.into_iter().partition(|sum| sum.factor(&own) != 0);
        for upper in with.iter().filter(|sum| sum.factor(&own) > 0) {
            for lower in with.iter().filter(|sum| sum.factor(&own) < 0) {
                let (high, low) = (upper.factor(&own), -lower.factor(&own));
                without.extend(upper.times(low).and_then(|sum| sum.plus(lower, high)));
            }
        }
        without.retain(|sum| !sum.parts.is_empty() && !sum.parts.iter().any(|(part, _)| speaks_of(part, param)));
        without.truncate(MOST);
        sums = without;
        let known = with.into_iter().map(|sum| (sum.factor(&own), sum.without(&own)));
        let known = known.filter(|(_, rest)| !rest.parts.iter().any(|(part, _)| speaks_of(part, param))).collect();
        sources.push(source(instance, rule, (param, &local.ty), conjuncts, known));
    }
    sources.reverse();
    sources
}

fn source(
    instance: &Instance,
    rule: &Rule,
    (param, ty): (LocalId, &Type),
    conjuncts: &[&Expr],
    sums: Vec<(i128, Sum)>,
) -> Source {
    let model = instance.model();
    match model.types.strip(ty) {
        Type::Int => return Source::Between { sums, range: None },
        Type::Range(id) => {
            return instance.range(*id).map_or(Source::Unknown, |range| Source::Between { sums, range: Some(range) });
        }
        _ => {}
    }
    let given = conjuncts.iter().find_map(|conjunct| {
        let ExprKind::Binary { operator: BinaryOperator::Equal, left, right } = &conjunct.kind else { return None };
        let is = |side: &Expr| side.kind == ExprKind::Local(param);
        // What comes before it is known when it is chosen.
        match () {
            () if is(left) && !speaks_of(right, param) => Some(&**right),
            () if is(right) && !speaks_of(left, param) => Some(&**left),
            () => None,
        }
    });
    match (given, model.types.strip(ty)) {
        (Some(given), _) => Source::Is(given.clone()),
        (_, Type::Object(_) | Type::String) => Source::Unknown,
        _ => match instance.values_of(ty, &State::blank(model), "it", rule.span) {
            Ok(values) if !values.is_empty() && values.len() <= FEW => Source::Few(values),
            _ => Source::Unknown,
        },
    }
}

/// Of this parameter or a later one.
fn speaks_of(expr: &Expr, param: LocalId) -> bool {
    let mut any = false;
    expr.walk(&mut |part| any |= matches!(part.kind, ExprKind::Local(local) if local >= param));
    any
}

/// What a comparison of integers says, as sums that are at most zero.
fn at_most_zero(model: &Model, conjunct: &Expr) -> Vec<Sum> {
    let ExprKind::Binary { operator, left, right } = &conjunct.kind else { return Vec::new() };
    if ![left, right].iter().all(|side| matches!(model.types.strip(&side.ty), Type::Int | Type::Range(_))) {
        return Vec::new();
    }
    let Some((left, right)) = Sum::of(left).zip(Sum::of(right)) else { return Vec::new() };
    let at_most = |one: &Sum, other: &Sum, less: i128| {
        let sum = one.plus(other, -1)?;
        Some(Sum { number: sum.number.checked_add(less)?, ..sum })
    };
    let both = match operator {
        BinaryOperator::LessEqual => [at_most(&left, &right, 0), None],
        BinaryOperator::Less => [at_most(&left, &right, 1), None],
        BinaryOperator::GreaterEqual => [at_most(&right, &left, 0), None],
        BinaryOperator::Greater => [at_most(&right, &left, 1), None],
        BinaryOperator::Equal => [at_most(&left, &right, 0), at_most(&right, &left, 0)],
        _ => [None, None],
    };
    both.into_iter().flatten().collect()
}

/// A condition as several, one of which must hold, each of them of parts that all must hold.
fn alternatives(expr: &Expr) -> Vec<Vec<&Expr>> {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            both(alternatives(left), &alternatives(right))
        }
        ExprKind::Binary { operator: BinaryOperator::Or, left, right } => {
            let ways = [alternatives(left), alternatives(right)].concat();
            if ways.len() > MOST_WAYS { vec![vec![expr]] } else { ways }
        }
        _ => vec![vec![expr]],
    }
}

/// One of the ones together with one of the others. Of too many the others are left out: what is chosen is judged all the same.
fn both<'e>(ones: Vec<Vec<&'e Expr>>, others: &[Vec<&'e Expr>]) -> Vec<Vec<&'e Expr>> {
    if ones.len() * others.len() > MOST_WAYS {
        return ones;
    }
    ones.iter().flat_map(|one| others.iter().map(move |other| [&one[..], other].concat())).collect()
}
