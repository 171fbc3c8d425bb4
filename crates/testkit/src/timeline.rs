//! What a property means on one run, as a program that follows the words of the reference and nothing else: no automata, no normal
//! form, no sharing. It is slow and says when it does not know; whoever judges runs is compared with it.
//!
//! Position 0 is the initial state, position `i` the `i`-th visible step with the state right after it; the states that internal steps
//! lead to belong to no position. A subformula that speaks of events has no position 0.

use interplay_diagnostics::Code;
use interplay_model::{BinaryOperator as Op, Binder, Closed, Expr, ExprKind, Source, TemporalOperator as Word, Type};
use interplay_semantics::{Instance, Label, State, Value};

/// A run, as far as it went.
#[derive(Clone, Debug)]
pub struct Timeline {
    pub positions: Vec<Position>,
    /// It is over: its last state rests.
    pub is_over: bool,
}

#[derive(Clone, Debug)]
pub struct Position {
    /// `None` at position 0.
    pub label: Option<Label>,
    /// Right after the step.
    pub state: State,
    /// Where internal steps led after that, before the next position.
    pub between: Vec<State>,
}

/// What is known of a formula at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    True,
    False,
    /// What comes decides.
    Open,
    Wrong(Code),
}

use Known::{False, Open, True, Wrong};

struct Judge<'j> {
    instance: &'j Instance,
    property: &'j Closed,
    run: &'j Timeline,
}

type Frame = Vec<Option<Value>>;

/// What a run says about a property; `None` where it uses something that this evaluator does not read. For `possible`: whether it happened.
///
/// What is decided first counts: a run that went wrong is not followed any more.
pub fn judged(instance: &Instance, property: &Closed, run: &Timeline) -> Option<Known> {
    let mut so_far = Timeline { positions: Vec::new(), is_over: false };
    for position in &run.positions {
        so_far.positions.push(Position { between: Vec::new(), ..position.clone() });
        for shown in 0..=position.between.len() {
            let last = so_far.positions.last_mut().expect("it was just added");
            last.between = position.between[..shown].to_vec();
            let known = judged_now(instance, property, &so_far)?;
            if matches!(known, True | False | Wrong(_)) {
                return Some(known);
            }
        }
    }
    judged_now(instance, property, run)
}

fn judged_now(instance: &Instance, property: &Closed, run: &Timeline) -> Option<Known> {
    let judge = Judge { instance, property, run };
    let frame = vec![None; property.locals.len()];
    match &property.expr.kind {
        ExprKind::Temporal { operator: Word::Possible, operand } => {
            let first = judge.first(operand);
            if first > judge.last() {
                return Some(Open);
            }
            // That it has not happened so far does not mean that it never will.
            Some(match judge.always(operand, first, &frame, true)? {
                False => True,
                Wrong(code) => Wrong(code),
                True | Open => Open,
            })
        }
        _ => judge.conjuncts(&property.expr, &frame),
    }
}

fn negated(known: Known) -> Known {
    match known {
        True => False,
        False => True,
        other => other,
    }
}

fn from(value: bool) -> Known {
    if value { True } else { False }
}

impl Judge<'_> {
    fn last(&self) -> usize {
        self.run.positions.len() - 1
    }

    /// Each conjunct of the whole begins where it can, for each value of the variables in front.
    fn conjuncts(&self, expr: &Expr, frame: &Frame) -> Option<Known> {
        match &expr.kind {
            ExprKind::Binary { operator: Op::And, left, right } => {
                let (left, right) = (self.conjuncts(left, frame)?, self.conjuncts(right, frame)?);
                Some(match (left, right) {
                    (False | Wrong(_), _) => left,
                    (_, False | Wrong(_)) => right,
                    (Open, _) | (_, Open) => Open,
                    _ => True,
                })
            }
            ExprKind::Quantified { every: true, binders, condition, body } if is_temporal(expr) => {
                let mut all = True;
                for inner in self.choices(binders, frame)? {
                    let holds = match condition {
                        None => self.conjuncts(body, &inner)?,
                        Some(condition) => {
                            let start = self.first(expr);
                            let given = self.at(condition, start, &inner)?;
                            either(negated(given), || self.conjuncts(body, &inner))?
                        }
                    };
                    all = beside(all, holds);
                }
                // An object that is made later is one of them.
                let objects = binders.iter().any(|binder| self.is_of_objects(binder));
                Some(if all == True && objects && !self.run.is_over { Open } else { all })
            }
            _ => {
                let start = self.first(expr);
                if start > self.last() {
                    // It is judged at steps, and there is none yet.
                    return Some(if self.run.is_over { True } else { Open });
                }
                self.at(expr, start, frame)
            }
        }
    }

    /// The first position of a formula.
    fn first(&self, expr: &Expr) -> usize {
        usize::from(speaks_of_events(expr))
    }

    fn is_of_objects(&self, binder: &Binder) -> bool {
        let types = &self.instance.model().types;
        matches!(&binder.source, Source::Domain(ty) if types.has_objects(ty))
    }

    /// Of objects those that were made so far.
    fn choices(&self, binders: &[Binder], frame: &Frame) -> Option<Vec<Frame>> {
        let mut frames = vec![frame.clone()];
        for binder in binders {
            let Source::Domain(ty) = &binder.source else { return None };
            let state = &self.run.positions[self.last()].state;
            let values = self.instance.values_of(ty, state, "", self.property.expr.span).ok()?;
            let with = |frame: &Frame, value: &Value| {
                let mut frame = frame.clone();
                frame[binder.local.0] = Some(value.clone());
                frame
            };
            frames = frames.iter().flat_map(|frame| values.iter().map(move |value| with(frame, value))).collect();
        }
        Some(frames)
    }

    /// A formula at a position that exists.
    fn at(&self, expr: &Expr, position: usize, frame: &Frame) -> Option<Known> {
        let again = |expr: &Expr| self.at(expr, position, frame);
        match &expr.kind {
            ExprKind::Not(inner) => again(inner).map(negated),
            ExprKind::Binary { operator, left, right } => match operator {
                Op::And => both(again(left)?, || again(right)),
                Op::Or => either(again(left)?, || again(right)),
                Op::Implies => either(negated(again(left)?), || again(right)),
                Op::Iff => {
                    let (left, right) = (again(left)?, again(right)?);
                    Some(match (left, right) {
                        (Wrong(code), _) | (_, Wrong(code)) => Wrong(code),
                        (Open, _) | (_, Open) => Open,
                        _ => from(left == right),
                    })
                }
                Op::Since => self.since(left, right, position, frame),
                Op::Unless => self.unless(left, right, position, frame),
                Op::Until | Op::Release | Op::LeadsTo => None,
                _ => self.plain(expr, position, frame),
            },
            ExprKind::If { condition, then, otherwise } if expr.ty == Type::Bool => match again(condition)? {
                True => again(then),
                False => again(otherwise),
                Open => match (again(then)?, again(otherwise)?) {
                    (one, other) if one == other => Some(one),
                    _ => Some(Open),
                },
                wrong => Some(wrong),
            },
            ExprKind::Temporal { operator, operand } => self.temporal(*operator, operand, position, frame),
            ExprKind::Quantified { every, binders, condition, body } if is_temporal(expr) => {
                let mut all = from(*every);
                for inner in self.choices(binders, frame)? {
                    let one = || {
                        let holds = |expr: &Expr| self.at(expr, position, &inner);
                        match (condition, every) {
                            (None, _) => holds(body),
                            (Some(condition), true) => either(negated(holds(condition)?), || holds(body)),
                            (Some(condition), false) => both(holds(condition)?, || holds(body)),
                        }
                    };
                    all = if *every { both(all, one)? } else { either(all, one)? };
                }
                Some(all)
            }
            _ => self.plain(expr, position, frame),
        }
    }

    fn temporal(&self, word: Word, operand: &Expr, position: usize, frame: &Frame) -> Option<Known> {
        let first = self.first_in_memory(operand);
        match word {
            Word::Always => self.always(operand, position, frame, false),
            Word::Never => self.always(operand, position, frame, true),
            Word::Once => self.earlier(operand, first, position, frame, false),
            Word::Historically => self.earlier(operand, first, position, frame, true).map(negated),
            Word::Previously(0) => self.at(operand, position, frame),
            Word::Previously(count) => match position.checked_sub(count as usize) {
                Some(before) if before >= first => self.at(operand, before, frame),
                _ => Some(False),
            },
            Word::Next(count) => match position + count as usize {
                later if later <= self.last() => self.at(operand, later, frame),
                // Weak: excused if the run is over, whatever it asks for.
                _ => Some(Open),
            },
            Word::WithinSteps(count) => {
                let mut known = False;
                for later in position..=position + count as usize {
                    let here = || match later <= self.last() {
                        true => self.at(operand, later, frame),
                        false => Some(if self.run.is_over { False } else { Open }),
                    };
                    known = either(known, here)?;
                }
                Some(known)
            }
            Word::Possible | Word::Eventually | Word::WithinTime(_) => None,
        }
    }

    /// The first position that an operator about the past looks at: what does not speak of the state alone begins with the steps, unless
    /// the whole property speaks of no event.
    fn first_in_memory(&self, operand: &Expr) -> usize {
        let whole = speaks_of_events(&self.property.expr);
        usize::from(whole && (speaks_of_events(operand) || !speaks_of_state(operand)))
    }

    fn earlier(&self, operand: &Expr, first: usize, position: usize, frame: &Frame, not: bool) -> Option<Known> {
        let at = |position: usize| {
            let known = self.at(operand, position, frame);
            if not { known.map(negated) } else { known }
        };
        (first..=position).rev().try_fold(False, |known, before| either(known, || at(before)))
    }

    fn always(&self, operand: &Expr, position: usize, frame: &Frame, not: bool) -> Option<Known> {
        let turned = |known: Known| if not { negated(known) } else { known };
        let plain = !is_temporal(operand) && !speaks_of_events(operand) && speaks_of_state(operand);
        let mut known = True;
        for later in position..=self.last() {
            known = both(known, || self.at(operand, later, frame).map(turned))?;
            for state in self.run.positions[later].between.iter().filter(|_| plain) {
                known = both(known, || self.in_state(operand, state, None, frame).map(turned))?;
            }
        }
        // What comes may break it, unless nothing comes.
        both(known, || Some(if self.run.is_over { True } else { Open }))
    }

    fn since(&self, left: &Expr, right: &Expr, position: usize, frame: &Frame) -> Option<Known> {
        let first = self.first_in_memory(right);
        let before = || match position.checked_sub(1) {
            Some(before) if before >= first => self.since(left, right, before, frame),
            _ => Some(False),
        };
        either(self.at(right, position, frame)?, || both(before()?, || self.at(left, position, frame)))
    }

    fn unless(&self, left: &Expr, right: &Expr, position: usize, frame: &Frame) -> Option<Known> {
        if position > self.last() {
            return Some(if self.run.is_over { True } else { Open });
        }
        let later = || both(self.at(left, position, frame)?, || self.unless(left, right, position + 1, frame));
        either(self.at(right, position, frame)?, later)
    }

    fn plain(&self, expr: &Expr, position: usize, frame: &Frame) -> Option<Known> {
        let here = &self.run.positions[position];
        self.in_state(expr, &here.state, here.label.as_ref(), frame)
    }

    fn in_state(&self, expr: &Expr, state: &State, label: Option<&Label>, frame: &Frame) -> Option<Known> {
        let value = self.instance.evaluate_with(expr, &self.property.locals, frame, state, label);
        Some(match value {
            Ok(value) => from(value.as_bool()),
            Err(error) => Wrong(error.code),
        })
    }
}

/// From left to right, as far as needed.
fn both(left: Known, right: impl FnOnce() -> Option<Known>) -> Option<Known> {
    match left {
        True => right(),
        False | Wrong(_) => Some(left),
        // The right side decides only if it is false, whatever the left one will be.
        Open => Some(match right()? {
            False => False,
            _ => Open,
        }),
    }
}

fn either(left: Known, right: impl FnOnce() -> Option<Known>) -> Option<Known> {
    both(negated(left), || right().map(negated)).map(negated)
}

/// Of several values: one that is violated counts first.
fn beside(one: Known, other: Known) -> Known {
    match (one, other) {
        (Wrong(code), _) | (_, Wrong(code)) => Wrong(code),
        (False, _) | (_, False) => False,
        (Open, _) | (_, Open) => Open,
        _ => True,
    }
}

fn is_temporal(expr: &Expr) -> bool {
    some_part(expr, &|part| {
        let word = |operator: &Op| matches!(operator, Op::Since | Op::Until | Op::Unless | Op::Release | Op::LeadsTo);
        match &part.kind {
            ExprKind::Temporal { .. } => true,
            ExprKind::Binary { operator, .. } => word(operator),
            _ => false,
        }
    })
}

fn speaks_of_events(expr: &Expr) -> bool {
    some_part(expr, &|part| {
        matches!(part.kind, ExprKind::Happens { .. } | ExprKind::SignalValue { .. } | ExprKind::Silence)
    })
}

fn speaks_of_state(expr: &Expr) -> bool {
    some_part(expr, &|part| matches!(part.kind, ExprKind::Variable(_) | ExprKind::At { .. }))
}

fn some_part(expr: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= wanted(part));
    found
}
