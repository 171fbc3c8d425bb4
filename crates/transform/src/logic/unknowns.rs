//! Conditions without some of their unknowns: whether there is a value, and which.

use super::super::hazards::may_fail;
use super::super::update::replace;
use super::{Case, Claim, Kind, all, any, cases, claim_of, conjuncts, is_int, never, one, simple, truth};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Expr, ExprKind, LocalId, Model, Type};
use interplay_prove::linear::{Sum, binary, int, known};

/// Values of a small type, one case each.
const MOST_VALUES: i128 = 40;

/// For some value of the unknown the condition holds, told without it; `None` if that cannot be told.
pub(crate) fn without(model: &Model, condition: &Expr, unknown: LocalId, ty: &Type) -> Option<Expr> {
    if !mentions(condition, unknown) {
        return Some(condition.clone());
    }
    if may_fail(model, condition) {
        return in_order(model, condition, unknown, ty);
    }
    eliminated(model, condition, unknown, ty)
}

/// In any order, because nothing in it goes wrong, or everything that may is about the unknown.
fn eliminated(model: &Model, condition: &Expr, unknown: LocalId, ty: &Type) -> Option<Expr> {
    let own = Expr::new(ExprKind::Local(unknown), ty.clone(), Span::default());
    let cases = cases(model, condition, true)?;
    let mut left = Vec::new();
    for case in cases {
        left.push(case_without(model, case, unknown, &own)?);
    }
    Some(simple(model, &any(left)))
}

/// Conjunct by conjunct: what does not speak of the unknown stays where it is; in front of what may go wrong stands that
/// there is a value for everything that was said before.
fn in_order(model: &Model, condition: &Expr, unknown: LocalId, ty: &Type) -> Option<Expr> {
    let parts = conjuncts(condition.clone());
    if let Some(replaced) = fixed(model, &parts, unknown, ty) {
        return Some(all(replaced.0));
    }
    let (mut said, mut about): (Vec<Expr>, Vec<Expr>) = Default::default();
    for part in parts {
        if mentions(&part, unknown) {
            about.push(part);
            continue;
        }
        if !about.is_empty() && may_fail(model, &part) {
            said.push(eliminated(model, &all(about.clone()), unknown, ty)?);
        }
        said.push(part);
    }
    said.push(eliminated(model, &all(about), unknown, ty)?);
    Some(all(said))
}

/// A conjunct says what the unknown is equal to: the conjuncts with this value in its place, and the value. It is not evaluated
/// before its turn if that may go wrong.
pub(crate) fn fixed(model: &Model, parts: &[Expr], unknown: LocalId, ty: &Type) -> Option<(Vec<Expr>, Expr)> {
    let first = parts.iter().position(|part| mentions(part, unknown))?;
    let (at, value) = parts.iter().enumerate().find_map(|(at, part)| {
        let value = equal_to(part, unknown)?;
        (at == first || !may_fail(model, &value)).then_some((at, value))
    })?;
    let mut said = parts[..first].to_vec();
    said.extend(belongs(model, ty, &value));
    let rest = parts.iter().enumerate().skip(first).filter(|(index, _)| *index != at);
    said.extend(rest.map(|(_, part)| put(part, unknown, &value)));
    Some((said, value))
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= part.kind == ExprKind::Local(local));
    found
}

pub(crate) fn put(expr: &Expr, local: LocalId, value: &Expr) -> Expr {
    replace(expr, &|part| (part.kind == ExprKind::Local(local)).then(|| value.clone()))
}

/// `unknown == e`, where `e` does not mention it.
pub(crate) fn equal_to(part: &Expr, unknown: LocalId) -> Option<Expr> {
    let ExprKind::Binary { operator: BinaryOperator::Equal, left, right } = &part.kind else { return None };
    let sides = [(left, right), (right, left)];
    let found =
        sides.into_iter().find(|(own, other)| own.kind == ExprKind::Local(unknown) && !mentions(other, unknown));
    found.map(|(_, other)| (**other).clone())
}

/// The value is one of the type: only ranges say something.
fn belongs(model: &Model, ty: &Type, value: &Expr) -> Vec<Expr> {
    let Type::Range(id) = model.types.strip(ty) else { return Vec::new() };
    if model.types.strip(&value.ty) == model.types.strip(ty) {
        return Vec::new();
    }
    let range = &model.types.ranges[id.0];
    vec![
        binary(BinaryOperator::GreaterEqual, value.clone(), range.low.clone(), Type::Bool),
        binary(BinaryOperator::LessEqual, value.clone(), range.high.clone(), Type::Bool),
    ]
}

fn case_without(model: &Model, case: Case, unknown: LocalId, own: &Expr) -> Option<Expr> {
    let said = |case: &Case| all(case.iter().map(|claim| claim.said.clone()));
    if !mentions(&said(&case), unknown) {
        return Some(said(&case));
    }
    if let Some(value) = case.iter().find_map(|claim| value_of(claim, unknown, own)) {
        let rest = put(&said(&case), unknown, &value);
        return Some(all(belongs(model, &own.ty, &value).into_iter().chain([rest])));
    }
    if let Some(values) = small(model, &own.ty) {
        let each = values.iter().map(|value| put(&said(&case), unknown, value));
        return Some(any(each.collect::<Vec<_>>()));
    }
    between(model, case, unknown, own)
}

/// The value that a claim gives to the unknown.
fn value_of(claim: &Claim, unknown: LocalId, own: &Expr) -> Option<Expr> {
    match &claim.kind {
        Kind::Zero(sum) => {
            let factor = sum.factor(own);
            let rest = sum.without(own);
            let free = rest.parts.iter().all(|(part, _)| !mentions(part, unknown));
            let solved = (factor.abs() == 1 && free).then(|| rest.times(-factor))?;
            equal_to(&claim.said, unknown).or_else(|| solved?.expr())
        }
        Kind::Plain(expr, true) => equal_to(expr, unknown),
        _ => None,
    }
}

/// All values of a small type.
pub(crate) fn small(model: &Model, ty: &Type) -> Option<Vec<Expr>> {
    let typed = |kind| Expr::new(kind, ty.clone(), Span::default());
    match model.types.strip(ty) {
        Type::Bool => Some(vec![truth(false), truth(true)]),
        Type::Range(id) => {
            let range = &model.types.ranges[id.0];
            let (low, high) = (i128::from(range.low.as_int()?), i128::from(range.high.as_int()?));
            (high - low < MOST_VALUES).then(|| (low..=high).filter_map(int).collect())
        }
        Type::Enum(id) => {
            let variants = &model.types.enums[id.0].variants;
            let plain = variants.iter().all(|variant| variant.payload.is_empty());
            let value = |variant| typed(ExprKind::Variant { enumeration: *id, variant, args: [].into() });
            plain.then(|| (0..variants.len()).map(value).collect())
        }
        _ => None,
    }
}

/// An integer that is only compared: there is one if every lower bound is at most every upper one.
fn between(model: &Model, case: Case, unknown: LocalId, own: &Expr) -> Option<Expr> {
    if !is_int(model, own) {
        return None;
    }
    let (with, free): (Case, Case) = case.into_iter().partition(|claim| mentions(&claim.said, unknown));
    let mut bounds = known(model, own);
    for (at, claim) in with.iter().enumerate() {
        let (Kind::AtMostZero(sum) | Kind::NotZero(sum)) = &claim.kind else { return None };
        let alone = sum.without(own).parts.iter().all(|(part, _)| !mentions(part, unknown));
        if sum.factor(own).abs() != 1 || !alone {
            return None;
        }
        if let Kind::NotZero(sum) = &claim.kind {
            // Below the hole, or above it.
            let side = |sum: Sum| {
                let mut side = [&free[..], &with[..]].concat();
                side[free.len() + at] = claim_of(Kind::AtMostZero(sum.plus(&one(), 1)?))?;
                between(model, side, unknown, own)
            };
            return Some(any([side(sum.clone())?, side(sum.times(-1)?)?]));
        }
        bounds.push(sum.clone());
    }
    let (upper, lower): (Vec<&Sum>, Vec<&Sum>) = bounds.iter().partition(|sum| sum.factor(own) > 0);
    let mut said: Vec<Expr> = free.iter().map(|claim| claim.said.clone()).collect();
    for upper in &upper {
        for lower in &lower {
            said.push(upper.plus(lower, 1)?.compared(BinaryOperator::LessEqual)?);
        }
    }
    Some(all(said))
}

/// Values for the unknowns, in order, for which a condition without state holds; `toss(n)` is a number below `n`. `None` if
/// there are none, or none that can be found so.
pub(crate) fn pick(
    model: &Model,
    condition: &Expr,
    unknowns: &[Type],
    toss: &mut dyn FnMut(usize) -> usize,
) -> Option<Vec<Expr>> {
    let mut condition = condition.clone();
    let mut values = Vec::new();
    for (index, ty) in unknowns.iter().enumerate() {
        let mut alone = condition.clone();
        for later in (index + 1..unknowns.len()).rev() {
            alone = without(model, &alone, LocalId(later), &unknowns[later])?;
        }
        let fits = |value: &Expr| !never(model, &put(&alone, LocalId(index), value));
        let candidates = candidates(model, &alone, LocalId(index), ty, toss)?;
        let value = candidates.into_iter().find(fits)?;
        condition = put(&condition, LocalId(index), &value);
        values.push(value);
    }
    (!never(model, &condition)).then_some(values)
}

/// How far from a bound, or from zero, values are looked for.
const WINDOW: i128 = 20;

/// Some values to try, in random order.
fn candidates(
    model: &Model,
    condition: &Expr,
    unknown: LocalId,
    ty: &Type,
    toss: &mut dyn FnMut(usize) -> usize,
) -> Option<Vec<Expr>> {
    let mut values = match small(model, ty) {
        Some(values) => values,
        None => {
            let own = Expr::new(ExprKind::Local(unknown), ty.clone(), Span::default());
            let cases = cases(model, condition, true)?;
            let case = cases.get(toss(cases.len().max(1)))?;
            if let Some(value) = case.iter().find_map(|claim| value_of(claim, unknown, &own)) {
                return Some(vec![value]);
            }
            if !is_int(model, &own) {
                return None;
            }
            let (mut low, mut high) = (None, None);
            let of_case = case.iter().filter_map(|claim| match &claim.kind {
                Kind::AtMostZero(sum) => Some(sum.clone()),
                _ => None,
            });
            for sum in known(model, &own).into_iter().chain(of_case) {
                match sum.factor(&own) {
                    0 => {}
                    factor if factor > 0 => {
                        high = Some(high.map_or(i128::MAX, |high: i128| high).min((-sum.number).div_euclid(factor)))
                    }
                    factor => {
                        low = Some(low.map_or(i128::MIN, |low: i128| low).max(-(-sum.number).div_euclid(-factor)))
                    }
                }
            }
            let (low, high) = match (low, high) {
                (Some(low), Some(high)) => (low, high.min(low + WINDOW)),
                (Some(low), None) => (low, low + WINDOW),
                (None, Some(high)) => (high - WINDOW, high),
                (None, None) => (-WINDOW, WINDOW),
            };
            (low..=high).filter_map(int).collect()
        }
    };
    for index in (1..values.len()).rev() {
        values.swap(index, toss(index + 1));
    }
    Some(values)
}
