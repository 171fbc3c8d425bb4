//! Conditions as cases, each a list of plain claims: whether they can hold, in fewer words, and without some of their unknowns.
//!
//! A condition is only taken apart if every operation in it always has a value; otherwise the order of its parts matters and it
//! stays as it is written. Reads of unset variables and sums that need more than 64 bits are no obstacle to deciding whether
//! a condition can be true, but other words for it are only used if they evaluate nothing that the old ones did not.

mod unknowns;

use super::hazards::{as_safe, is_partial, loses_nothing, may_fail};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Expr, ExprKind, Model, Type};
use interplay_prove::linear::{Sum, binary, impossible};
pub(crate) use unknowns::{equal_to, fixed, pick, put, small, without};

/// More cases are not looked at one by one.
const MOST_CASES: usize = 40;
const MOST_PARTS: usize = 600;
/// So few are made as few as possible.
const FEW: usize = 6;

/// A claim without `and`, `or`, `not`; as a sum where it speaks of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    kind: Kind,
    /// In the words in which it was written, or nearly.
    said: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    AtMostZero(Sum),
    Zero(Sum),
    NotZero(Sum),
    /// The expression is true, or is not.
    Plain(Expr, bool),
}

type Case = Vec<Claim>;

pub(crate) fn truth(value: bool) -> Expr {
    Expr::new(ExprKind::Bool(value), Type::Bool, Span::default())
}

pub(crate) fn not(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Bool(value) => truth(!value),
        ExprKind::Not(inner) => inner.take(),
        _ => Expr::new(ExprKind::Not(expr.into()), Type::Bool, Span::default()),
    }
}

pub(crate) fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
    junction(BinaryOperator::And, parts)
}

pub(crate) fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
    junction(BinaryOperator::Or, parts)
}

fn junction(operator: BinaryOperator, parts: impl IntoIterator<Item = Expr>) -> Expr {
    let neutral = operator == BinaryOperator::And;
    let mut whole: Option<Expr> = None;
    for part in parts {
        match part.kind {
            ExprKind::Bool(value) if value == neutral => continue,
            ExprKind::Bool(_) => return part,
            _ => {}
        }
        whole = Some(match whole {
            None => part,
            Some(before) => binary(operator, before, part, Type::Bool),
        });
    }
    whole.unwrap_or_else(|| truth(neutral))
}

/// The parts of a conjunction, in order.
pub(crate) fn conjuncts(expr: Expr) -> Vec<Expr> {
    match expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            let mut parts = conjuncts(left.take());
            parts.extend(conjuncts(right.take()));
            parts
        }
        ExprKind::Bool(true) => Vec::new(),
        _ => vec![expr],
    }
}

/// Too large to be taken apart.
fn is_large(expr: &Expr) -> bool {
    let mut parts = 0;
    expr.walk(&mut |_| parts += 1);
    parts > MOST_PARTS
}

fn is_int(model: &Model, expr: &Expr) -> bool {
    matches!(model.types.strip(&expr.ty), Type::Int | Type::Range(_))
}

fn is_bool(model: &Model, expr: &Expr) -> bool {
    matches!(model.types.strip(&expr.ty), Type::Bool)
}

/// It cannot hold, in any state; `false` if that is not known.
pub(crate) fn never(model: &Model, condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Bool(value) => !value,
        _ => cases(model, condition, true).is_some_and(|cases| cases.is_empty()),
    }
}

/// Whenever the first holds, the second does.
pub(crate) fn implies(model: &Model, first: &Expr, second: &Expr) -> bool {
    never(model, &all([first.clone(), not(second.clone())]))
}

/// The same in fewer words; `false` itself if it cannot hold.
pub(crate) fn simple(model: &Model, condition: &Expr) -> Expr {
    let Some(cases) = cases(model, condition, true) else { return pushed(condition, true) };
    let short = said(fewest(model, cases));
    let same = || as_safe(model, &short, condition) && loses_nothing(model, &short, condition);
    if short == *condition || same() { short } else { ordered(model, condition) }
}

/// In the order in which it is written, without what follows from what stands before.
fn ordered(model: &Model, condition: &Expr) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for part in conjuncts(pushed(condition, true)) {
        let before = all(kept.iter().cloned());
        if never(model, &all([before.clone(), part.clone()])) {
            let may_go_wrong = kept.iter().chain([&part]).any(|part| may_fail(model, part));
            return if may_go_wrong { all([before, part]) } else { truth(false) };
        }
        if may_fail(model, &part) || !implies(model, &before, &part) {
            kept.push(part);
        }
    }
    all(kept)
}

/// Without claims and cases that the others make needless.
fn fewest(model: &Model, mut cases: Vec<Case>) -> Vec<Case> {
    if !(2..=FEW).contains(&cases.len()) {
        return cases;
    }
    let whole = said(cases.clone());
    let inside = |case: &Case, of: &Expr| implies(model, &said(vec![case.clone()]), of);
    for case in &mut cases {
        let mut at = 0;
        while at < case.len() {
            let mut larger = case.clone();
            larger.remove(at);
            if inside(&larger, &whole) {
                *case = larger;
            } else {
                at += 1;
            }
        }
    }
    let mut index = 0;
    while index < cases.len() && cases.len() > 1 {
        let mut others = cases.clone();
        others.remove(index);
        if inside(&cases[index], &said(others.clone())) {
            cases = others;
        } else {
            index += 1;
        }
    }
    cases
}

/// `not` moved inwards, so that it stands before single claims only; the order of the parts stays.
fn pushed(expr: &Expr, positive: bool) -> Expr {
    use BinaryOperator::*;
    let two = |operator, left: &Expr, right: &Expr, positives: [bool; 2]| {
        let parts = [pushed(left, positives[0]), pushed(right, positives[1])];
        if operator == And { all(parts) } else { any(parts) }
    };
    match &expr.kind {
        ExprKind::Bool(value) => truth(*value == positive),
        ExprKind::Not(inner) => pushed(inner, !positive),
        ExprKind::Binary { operator: And, left, right } => {
            two(if positive { And } else { Or }, left, right, [positive; 2])
        }
        ExprKind::Binary { operator: Or, left, right } => {
            two(if positive { Or } else { And }, left, right, [positive; 2])
        }
        ExprKind::Binary { operator: Implies, left, right } => {
            two(if positive { Or } else { And }, left, right, [!positive, positive])
        }
        ExprKind::Binary { operator, left, right } if !positive => match opposite(*operator) {
            Some(operator) => binary(operator, (**left).clone(), (**right).clone(), Type::Bool),
            None => not(expr.clone()),
        },
        _ if positive => expr.clone(),
        _ => not(expr.clone()),
    }
}

fn opposite(operator: BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator::*;
    Some(match operator {
        Equal => NotEqual,
        NotEqual => Equal,
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        GreaterEqual => Less,
        In => NotIn,
        NotIn => In,
        _ => return None,
    })
}

/// The possible cases; `None` if they are too many or the order of the parts matters.
fn cases(model: &Model, condition: &Expr, positive: bool) -> Option<Vec<Case>> {
    if is_partial(model, condition) || is_large(condition) {
        return None;
    }
    let found = split(model, condition, positive)?;
    let mut cases: Vec<Case> = Vec::new();
    for case in found {
        let Some(case) = shortened(model, case) else { continue };
        let weaker = |own: &Case| own.iter().all(|claim| case.contains(claim));
        if !cases.iter().any(weaker) {
            cases.retain(|own| !case.iter().all(|claim| own.contains(claim)));
            cases.push(case);
        }
    }
    Some(merged(model, cases))
}

fn split(model: &Model, expr: &Expr, positive: bool) -> Option<Vec<Case>> {
    use BinaryOperator::*;
    let both = |left: Vec<Case>, right: Vec<Case>| -> Option<Vec<Case>> {
        if left.len() * right.len() > MOST_CASES * 4 {
            return None;
        }
        let mut all = Vec::new();
        for left in &left {
            for right in &right {
                let mut case = left.clone();
                case.extend(right.iter().filter(|claim| !left.contains(claim)).cloned());
                if !contradicts(model, &case) {
                    all.push(case);
                }
            }
        }
        (all.len() <= MOST_CASES).then_some(all)
    };
    let either = |mut left: Vec<Case>, right: Vec<Case>| -> Option<Vec<Case>> {
        left.extend(right);
        (left.len() <= MOST_CASES).then_some(left)
    };
    let part = |expr: &Expr, positive: bool| split(model, expr, positive);
    match &expr.kind {
        ExprKind::Bool(value) => Some(if *value == positive { vec![Vec::new()] } else { Vec::new() }),
        ExprKind::Not(inner) => part(inner, !positive),
        ExprKind::Binary { operator: And, left, right } if positive => both(part(left, true)?, part(right, true)?),
        ExprKind::Binary { operator: And, left, right } => either(part(left, false)?, part(right, false)?),
        ExprKind::Binary { operator: Or, left, right } if positive => either(part(left, true)?, part(right, true)?),
        ExprKind::Binary { operator: Or, left, right } => both(part(left, false)?, part(right, false)?),
        ExprKind::Binary { operator: Implies, left, right } => {
            part(&any([not((**left).clone()), (**right).clone()]), positive)
        }
        ExprKind::Binary { operator: Iff, left, right } => same_truth(model, left, right, positive),
        ExprKind::Binary { operator: operator @ (Equal | NotEqual), left, right } if is_bool(model, left) => {
            same_truth(model, left, right, positive == (*operator == Equal))
        }
        ExprKind::If { condition, then, otherwise } => either(
            both(part(condition, true)?, part(then, positive)?)?,
            both(part(condition, false)?, part(otherwise, positive)?)?,
        ),
        ExprKind::Binary { operator: operator @ (In | NotIn), left, right } => {
            let positive = positive == (*operator == In);
            match &right.kind {
                ExprKind::Binary { operator: Range, left: low, right: high } => {
                    let within = [
                        binary(GreaterEqual, (**left).clone(), (**low).clone(), Type::Bool),
                        binary(LessEqual, (**left).clone(), (**high).clone(), Type::Bool),
                    ];
                    part(&all(within), positive)
                }
                ExprKind::Set(items) if items.len() <= 16 => {
                    let equal = |item: &Expr| binary(Equal, (**left).clone(), item.clone(), Type::Bool);
                    part(&any(items.iter().map(equal)), positive)
                }
                _ => {
                    let plain = binary(In, (**left).clone(), (**right).clone(), Type::Bool);
                    Some(vec![vec![plainly(plain, positive)]])
                }
            }
        }
        ExprKind::Binary { operator, left, right } if is_int(model, left) && opposite(*operator).is_some() => {
            let operator = if positive { *operator } else { opposite(*operator)? };
            let said = binary(operator, (**left).clone(), (**right).clone(), Type::Bool);
            Some(vec![vec![compare(operator, &Sum::of(left)?.plus(&Sum::of(right)?, -1)?, said)?]])
        }
        ExprKind::Binary { operator: operator @ (Equal | NotEqual), left, right } => {
            let (left, right) = if is_value(left) { (right, left) } else { (left, right) };
            let equal = binary(Equal, (**left).clone(), (**right).clone(), Type::Bool);
            Some(vec![vec![plainly(equal, positive == (*operator == Equal))]])
        }
        _ => Some(vec![vec![plainly(expr.clone(), positive)]]),
    }
}

fn same_truth(model: &Model, left: &Expr, right: &Expr, same: bool) -> Option<Vec<Case>> {
    let right = |positive: bool| if positive == same { right.clone() } else { not(right.clone()) };
    let either = any([all([left.clone(), right(true)]), all([not(left.clone()), right(false)])]);
    split(model, &either, true)
}

fn is_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::None => true,
        ExprKind::Variant { args, .. } => args.iter().all(is_value),
        _ => false,
    }
}

fn plainly(expr: Expr, positive: bool) -> Claim {
    let expr = expr.without_places();
    let said = pushed(&expr, positive);
    Claim { kind: Kind::Plain(expr, positive), said }
}

fn compare(operator: BinaryOperator, sum: &Sum, said: Expr) -> Option<Claim> {
    let kind = match operator {
        BinaryOperator::Equal => Kind::Zero(sum.clone()),
        BinaryOperator::NotEqual => Kind::NotZero(sum.clone()),
        BinaryOperator::LessEqual => Kind::AtMostZero(sum.clone()),
        BinaryOperator::Less => Kind::AtMostZero(sum.plus(&one(), 1)?),
        BinaryOperator::GreaterEqual => Kind::AtMostZero(sum.times(-1)?),
        BinaryOperator::Greater => Kind::AtMostZero(sum.times(-1)?.plus(&one(), 1)?),
        _ => return None,
    };
    Some(Claim { kind, said: said.without_places() })
}

fn one() -> Sum {
    Sum { parts: Vec::new(), number: 1 }
}

/// The opposite claim, as kinds of which one holds.
fn denied(claim: &Claim) -> Option<Vec<Kind>> {
    Some(match &claim.kind {
        Kind::AtMostZero(sum) => vec![Kind::AtMostZero(sum.times(-1)?.plus(&one(), 1)?)],
        Kind::Zero(sum) => vec![Kind::NotZero(sum.clone())],
        Kind::NotZero(sum) => vec![Kind::Zero(sum.clone())],
        Kind::Plain(expr, positive) => vec![Kind::Plain(expr.clone(), !positive)],
    })
}

fn contradicts(model: &Model, case: &[Claim]) -> bool {
    contradictory(model, &case.iter().map(|claim| claim.kind.clone()).collect::<Vec<_>>())
}

fn contradictory(model: &Model, kinds: &[Kind]) -> bool {
    let mut plain: Vec<(&Expr, bool)> = Vec::new();
    let (mut at_most, mut zero, mut not_zero) = (Vec::new(), Vec::new(), Vec::new());
    for kind in kinds {
        match kind {
            Kind::AtMostZero(sum) => at_most.push(sum.clone()),
            Kind::Zero(sum) => zero.push(sum.clone()),
            Kind::NotZero(sum) => not_zero.push(sum.clone()),
            Kind::Plain(expr, positive) => {
                if plain.iter().any(|(own, is)| *own == expr && is != positive) || clash(&plain, expr, *positive) {
                    return true;
                }
                plain.push((expr, *positive));
            }
        }
    }
    different(model, &at_most, &zero, &not_zero)
}

/// One thing is equal to two values.
fn clash(plain: &[(&Expr, bool)], expr: &Expr, positive: bool) -> bool {
    let equal = |expr: &Expr| match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::Equal, left, right } if is_value(right) => {
            Some(((**left).clone(), (**right).clone()))
        }
        _ => None,
    };
    let Some((left, right)) = equal(expr).filter(|_| positive) else { return false };
    let other = |(own, is): &(&Expr, bool)| *is && equal(own).is_some_and(|(of, value)| of == left && value != right);
    plain.iter().any(other)
}

/// Each sum that is not zero is below or above it; a few are tried both ways.
fn different(model: &Model, at_most: &[Sum], zero: &[Sum], not_zero: &[Sum]) -> bool {
    let Some((first, rest)) = not_zero.split_first().filter(|_| not_zero.len() <= 5) else {
        return impossible(model, at_most, zero);
    };
    if first.parts.is_empty() {
        return first.number == 0 || different(model, at_most, zero, rest);
    }
    let sides = [Some(first.clone()), first.times(-1)];
    sides.into_iter().all(|side| {
        let Some(side) = side.and_then(|side| side.plus(&one(), 1)) else { return false };
        different(model, &[at_most, &[side]].concat(), zero, rest)
    })
}

/// Without claims that follow from the others; bounds that meet or exclude their end are told as what they mean.
fn shortened(model: &Model, mut case: Case) -> Option<Case> {
    if contradicts(model, &case) {
        return None;
    }
    while let Some(changed) = tightened(&case) {
        case = changed;
    }
    let mut index = 0;
    while index < case.len() {
        let mut others: Vec<Kind> = case.iter().map(|claim| claim.kind.clone()).collect();
        let own = case[index].clone();
        others.remove(index);
        let follows = denied(&own).is_some_and(|denied| {
            denied.into_iter().all(|kind| contradictory(model, &[&others[..], &[kind]].concat()))
        });
        if follows {
            case.remove(index);
        } else {
            index += 1;
        }
    }
    Some(case)
}

/// `a <= b` and `a != b` is `a < b`; `a <= b` and `a >= b` is `a == b`.
fn tightened(case: &Case) -> Option<Case> {
    let opposite_of = |sum: &Sum, other: &Sum| sum.plus(other, 1).is_some_and(|sum| sum == Sum::default());
    let same = |sum: &Sum, other: &Sum| sum.plus(other, -1).is_some_and(|sum| sum == Sum::default());
    for (index, claim) in case.iter().enumerate() {
        let Kind::AtMostZero(sum) = &claim.kind else { continue };
        for (at, other) in case.iter().enumerate() {
            let kind = match &other.kind {
                Kind::NotZero(other) if same(sum, other) || opposite_of(sum, other) => {
                    Kind::AtMostZero(sum.plus(&one(), 1)?)
                }
                Kind::AtMostZero(other) if at != index && opposite_of(sum, other) => Kind::Zero(sum.clone()),
                _ => continue,
            };
            let new = claim_of(kind)?;
            let mut changed = case.clone();
            changed[index.min(at)] = new;
            changed.remove(index.max(at));
            return Some(changed);
        }
    }
    None
}

/// A claim that nobody wrote so.
fn claim_of(kind: Kind) -> Option<Claim> {
    let said = match &kind {
        Kind::AtMostZero(sum) => sum.compared(BinaryOperator::LessEqual)?,
        Kind::Zero(sum) => sum.compared(BinaryOperator::Equal)?,
        Kind::NotZero(sum) => sum.compared(BinaryOperator::NotEqual)?,
        Kind::Plain(expr, positive) => pushed(expr, *positive),
    };
    Some(Claim { kind, said })
}

/// Two cases that differ in one claim and its opposite are one.
fn merged(model: &Model, mut cases: Vec<Case>) -> Vec<Case> {
    'again: loop {
        for left in 0..cases.len() {
            for right in left + 1..cases.len() {
                if let Some(case) = union(model, &cases[left], &cases[right]) {
                    cases.remove(right);
                    cases[left] = case;
                    continue 'again;
                }
            }
        }
        return cases;
    }
}

/// One case that is exactly one of the two, if there is.
fn union(model: &Model, left: &Case, right: &Case) -> Option<Case> {
    let apart = |one: &Case, other: &Case| -> Vec<Claim> {
        one.iter().filter(|claim| !other.contains(claim)).cloned().collect()
    };
    let (own, others) = (apart(left, right), apart(right, left));
    let common: Case = left.iter().filter(|claim| right.contains(claim)).cloned().collect();
    let ([one], [other]) = (&own[..], &others[..]) else { return None };
    let kinds = |case: &Case| case.iter().map(|claim| claim.kind.clone()).collect::<Vec<_>>();
    let with = |extra: Vec<Kind>| [kinds(&common), extra].concat();
    // Where neither holds nothing is left.
    let (no_one, no_other) = (denied(one)?, denied(other)?);
    let gap = no_one
        .iter()
        .all(|first| no_other.iter().all(|second| contradictory(model, &with(vec![first.clone(), second.clone()]))));
    if gap {
        return Some(common);
    }
    // Below or above: different.
    if let (Kind::AtMostZero(below), Kind::AtMostZero(above)) = (&one.kind, &other.kind) {
        let two = below.plus(above, 1)?;
        if two.parts.is_empty() && two.number == 2 {
            let mut case = common;
            case.push(claim_of(Kind::NotZero(below.plus(&one_less(), 1)?))?);
            return Some(case);
        }
    }
    None
}

fn one_less() -> Sum {
    Sum { parts: Vec::new(), number: -1 }
}

/// What all cases claim stands in front.
fn said(cases: Vec<Case>) -> Expr {
    let Some(first) = cases.first() else { return truth(false) };
    let common: Case = first.iter().filter(|claim| cases.iter().all(|case| case.contains(claim))).cloned().collect();
    let rest = cases
        .iter()
        .map(|case| all(case.iter().filter(|claim| !common.contains(claim)).map(|claim| claim.said.clone())));
    let rest = any(rest);
    all(common.iter().map(|claim| claim.said.clone()).chain([rest]))
}

/// The claims of a condition that has one case.
pub(crate) fn opposites(model: &Model, condition: &Expr) -> Vec<Expr> {
    match cases(model, condition, true).as_deref() {
        Some([case]) => case.iter().map(|claim| claim.said.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Everything that one of the cases claims, bounds one by one.
pub(crate) fn bounds(model: &Model, condition: &Expr) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for claim in cases(model, condition, true).unwrap_or_default().into_iter().flatten() {
        let sides = match &claim.kind {
            Kind::Zero(sum) => [Some(sum.clone()), sum.times(-1)].map(|side| claim_of(Kind::AtMostZero(side?))),
            _ => [Some(claim), None],
        };
        for said in sides.into_iter().flatten().map(|claim| claim.said) {
            if !found.contains(&said) {
                found.push(said);
            }
        }
    }
    found
}
