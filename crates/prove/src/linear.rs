//! Sums of integers with factors, and whether inequalities between them can hold together (Fourier and Motzkin, over the
//! integers as far as whole factors allow). "Cannot" is always right; where it is not seen, "can" is the answer.

use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Model, Type};

/// More inequalities than this are not combined.
const MOST: usize = 300;

/// A sum of parts that are no sums themselves, each with a factor, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub parts: Vec<(Expr, i128)>,
    pub number: i128,
}

impl Sum {
    /// Of an integer; parts are without places, so that equal ones are found.
    pub fn of(expr: &Expr) -> Option<Sum> {
        let number = |number: i128| Sum { parts: Vec::new(), number };
        match &expr.kind {
            ExprKind::Int(value) => Some(number(i128::from(*value))),
            ExprKind::Negate(inner) => Sum::of(inner)?.times(-1),
            ExprKind::Binary { operator: BinaryOperator::Add, left, right } => Sum::of(left)?.plus(&Sum::of(right)?, 1),
            ExprKind::Binary { operator: BinaryOperator::Subtract, left, right } => {
                Sum::of(left)?.plus(&Sum::of(right)?, -1)
            }
            ExprKind::Binary { operator: BinaryOperator::Multiply, left, right } => {
                let (left, right) = (Sum::of(left)?, Sum::of(right)?);
                match (left.parts.is_empty(), right.parts.is_empty()) {
                    (true, _) => right.times(left.number),
                    (_, true) => left.times(right.number),
                    _ => Some(Sum { parts: vec![(expr.clone().without_places(), 1)], number: 0 }),
                }
            }
            _ => Some(Sum { parts: vec![(expr.clone().without_places(), 1)], number: 0 }),
        }
    }

    pub fn plus(&self, other: &Sum, times: i128) -> Option<Sum> {
        let mut sum = self.clone();
        sum.number = sum.number.checked_add(other.number.checked_mul(times)?)?;
        for (part, factor) in &other.parts {
            let factor = factor.checked_mul(times)?;
            match sum.parts.iter_mut().find(|(own, _)| own == part) {
                Some((_, own)) => *own = own.checked_add(factor)?,
                None => sum.parts.push((part.clone(), factor)),
            }
        }
        sum.parts.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    pub fn times(&self, factor: i128) -> Option<Sum> {
        Sum::default().plus(self, factor)
    }

    pub fn factor(&self, part: &Expr) -> i128 {
        self.parts.iter().find(|(own, _)| own == part).map_or(0, |(_, factor)| *factor)
    }

    pub fn without(&self, part: &Expr) -> Sum {
        let parts = self.parts.iter().filter(|(own, _)| own != part).cloned().collect();
        Sum { parts, number: self.number }
    }

    /// The sum itself, in the words of the language.
    pub fn expr(&self) -> Option<Expr> {
        let mut parts = self.parts.clone();
        parts.sort_by_key(|(_, factor)| *factor < 0);
        let mut sum: Option<Expr> = None;
        if parts.first().is_none_or(|(_, factor)| *factor < 0) {
            sum = Some(int(self.number)?);
        }
        let written = sum.is_some();
        if written && self.number == 0 && parts.is_empty() {
            return sum;
        }
        for (part, factor) in &parts {
            let size = factor.unsigned_abs();
            let part = match size {
                1 => part.clone(),
                _ => binary(BinaryOperator::Multiply, int(i128::try_from(size).ok()?)?, part.clone(), Type::Int),
            };
            sum = Some(match sum {
                None => part,
                Some(sum) if *factor < 0 => binary(BinaryOperator::Subtract, sum, part, Type::Int),
                Some(sum) => binary(BinaryOperator::Add, sum, part, Type::Int),
            });
        }
        let sum = sum?;
        Some(match self.number {
            _ if written => sum,
            0 => sum,
            number if number > 0 => binary(BinaryOperator::Add, sum, int(number)?, Type::Int),
            number => binary(BinaryOperator::Subtract, sum, int(number.checked_neg()?)?, Type::Int),
        })
    }

    /// `self OPERATOR 0` with everything on the side where it is positive.
    pub fn compared(&self, operator: BinaryOperator) -> Option<Expr> {
        // As people write it: the part that comes first stands on the left.
        let turned = self.parts.first().is_some_and(|(_, factor)| *factor < 0);
        let (sum, operator) = if turned { (self.times(-1)?, flipped(operator)) } else { (self.clone(), operator) };
        let side = |sign: i128| {
            let parts = sum
                .parts
                .iter()
                .filter(|(_, factor)| factor * sign > 0)
                .map(|(part, factor)| (part.clone(), factor * sign));
            let number = if sum.number * sign > 0 { sum.number * sign } else { 0 };
            Sum { parts: parts.collect(), number }
        };
        let (mut left, mut right, mut operator) = (side(1), side(-1), operator);
        // `a + 1 <= b` is `a < b`.
        match (operator, left.number, right.number) {
            (BinaryOperator::LessEqual, 1.., _) => {
                (operator, left.number) = (BinaryOperator::Less, left.number - 1);
            }
            (BinaryOperator::GreaterEqual, _, 1..) => {
                (operator, right.number) = (BinaryOperator::Greater, right.number - 1);
            }
            _ => {}
        }
        if right.parts.is_empty() && left.number > 0 {
            // A number alone stands on the right.
            (left.number, right.number) = (0, right.number - left.number);
        }
        Some(binary(operator, left.expr()?, right.expr()?, Type::Bool))
    }
}

fn flipped(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

pub fn int(value: i128) -> Option<Expr> {
    let value = i64::try_from(value).ok()?;
    Some(Expr::new(ExprKind::Int(value), Type::Int, Span::default()))
}

pub fn binary(operator: BinaryOperator, left: Expr, right: Expr, ty: Type) -> Expr {
    Expr::new(ExprKind::Binary { operator, left: left.into(), right: right.into() }, ty, Span::default())
}

/// What the types say of a part: the bounds of a range, and that no size is negative; as sums that are at most zero.
pub fn known(model: &Model, part: &Expr) -> Vec<Sum> {
    let own = Sum { parts: vec![(part.clone(), 1)], number: 0 };
    let mut known = Vec::new();
    if let Type::Range(id) = model.types.strip(&part.ty) {
        let range = &model.types.ranges[id.0];
        let [low, high] = [&range.low, &range.high].map(Sum::of);
        known.extend(low.and_then(|low| low.plus(&own, -1)));
        known.extend(high.and_then(|high| own.plus(&high, -1)));
    }
    if matches!(part.kind, ExprKind::Builtin { function: Builtin::Size, .. }) {
        known.extend(own.times(-1));
    }
    known
}

/// These sums cannot all be at most zero while those are all zero.
pub fn impossible(model: &Model, at_most: &[Sum], zero: &[Sum]) -> bool {
    let mut parts: Vec<Expr> = Vec::new();
    for (part, _) in at_most.iter().chain(zero).flat_map(|sum| &sum.parts) {
        if !parts.contains(part) {
            parts.push(part.clone());
        }
    }
    let mut left: Vec<Sum> = at_most.to_vec();
    left.extend(parts.iter().flat_map(|part| known(model, part)));
    let mut zero = zero.to_vec();
    while let Some(sum) = zero.pop() {
        if sum.parts.is_empty() {
            if sum.number != 0 {
                return true;
            }
            continue;
        }
        let divisor = sum.parts.iter().fold(0, |divisor, (_, factor)| gcd(divisor, factor.abs()));
        if sum.number % divisor != 0 {
            return true;
        }
        let unit =
            sum.parts.iter().find(|(_, factor)| factor.abs() == divisor).map(|(part, factor)| (part.clone(), *factor));
        let Some((part, factor)) = unit else {
            left.extend([Some(sum.clone()), sum.times(-1)].into_iter().flatten());
            continue;
        };
        // part = -rest / factor, which divides everything.
        let rest = sum.without(&part);
        let put = |own: &Sum| -> Option<Sum> {
            let own_factor = own.factor(&part);
            if own_factor == 0 {
                return Some(own.clone());
            }
            own.without(&part).times(factor.abs())?.plus(&rest, -own_factor * factor.signum())
        };
        left = left.iter().filter_map(put).collect();
        zero = zero.iter().filter_map(put).collect();
    }
    apart(left).into_iter().any(contradict)
}

/// Sums that have no part in common do not contradict each other: they are looked at apart.
fn apart(sums: Vec<Sum>) -> Vec<Vec<Sum>> {
    let mut groups: Vec<Vec<Sum>> = Vec::new();
    for sum in sums {
        let touches =
            |group: &Vec<Sum>| group.iter().any(|own| own.parts.iter().any(|(part, _)| sum.factor(part) != 0));
        let (near, far): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        groups = far;
        groups.push(near.into_iter().flatten().chain([sum]).collect());
    }
    groups
}

fn contradict(mut left: Vec<Sum>) -> bool {
    loop {
        for sum in &mut left {
            tighten(sum);
        }
        if left.iter().any(|sum| sum.parts.is_empty() && sum.number > 0) {
            return true;
        }
        left.retain(|sum| !sum.parts.is_empty());
        left = strongest(left);
        let Some(part) = cheapest(&left) else { return false };
        let (with, mut without): (Vec<Sum>, Vec<Sum>) = left.into_iter().partition(|sum| sum.factor(&part) != 0);
        for upper in with.iter().filter(|sum| sum.factor(&part) > 0) {
            for lower in with.iter().filter(|sum| sum.factor(&part) < 0) {
                let (high, low) = (upper.factor(&part), -lower.factor(&part));
                let both = upper.times(low).and_then(|sum| sum.plus(lower, high));
                without.extend(both);
            }
        }
        if without.len() > MOST {
            return false;
        }
        left = without;
    }
}

/// Of sums with the same parts the strongest.
fn strongest(sums: Vec<Sum>) -> Vec<Sum> {
    let mut kept: Vec<Sum> = Vec::new();
    for sum in sums {
        let same = |own: &Sum| {
            own.parts.len() == sum.parts.len() && sum.parts.iter().all(|(part, factor)| own.factor(part) == *factor)
        };
        match kept.iter_mut().find(|own| same(own)) {
            Some(own) => own.number = own.number.max(sum.number),
            None => kept.push(sum),
        }
    }
    kept
}

/// The part that is cheapest to remove.
fn cheapest(sums: &[Sum]) -> Option<Expr> {
    let mut parts: Vec<&Expr> = Vec::new();
    for (part, _) in sums.iter().flat_map(|sum| &sum.parts) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let cost = |part: &&Expr| {
        let count = |sign: i128| sums.iter().filter(|sum| sum.factor(part) * sign > 0).count();
        count(1) * count(-1)
    };
    parts.into_iter().min_by_key(cost).cloned()
}

/// Divides by what divides all factors; the number is rounded to the safe side for integers.
fn tighten(sum: &mut Sum) {
    let divisor = sum.parts.iter().fold(0, |divisor, (_, factor)| gcd(divisor, factor.abs()));
    if divisor > 1 {
        for (_, factor) in &mut sum.parts {
            *factor /= divisor;
        }
        sum.number = -((-sum.number).div_euclid(divisor));
    }
}

fn gcd(left: i128, right: i128) -> i128 {
    if right == 0 { left } else { gcd(right, left % right) }
}
