//! From a property as the model has it to a formula in normal form: definitions are written out, quantifiers become
//! variables of instances or are written out. What promises something without a bound is noted.

use crate::atom::{Arg, Atom, Slots};
use crate::formula::{Formula, Node, NodeId};
use crate::refusal::Refusal;
use crate::rewrite::Meaning;
use crate::speaks::{is_temporal, reads};
use crate::written::{Writing, Written};
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator as Op, Binder, Closed, Expr, ExprKind, LocalId, Model, Source, TemporalOperator as Word, Type,
};
use interplay_semantics::{Instance, State, Value};
use rustc_hash::FxHashMap;

/// More steps are not counted.
pub const MOST_STEPS: u32 = 1_000;
/// More values are not written out one by one.
const MOST_VALUES: usize = 1_000;
/// A formula of more parts is refused.
const MOST_NODES: usize = 100_000;

/// What a property wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Every run keeps it.
    Never,
    /// Some run shows it.
    Possible,
}

/// A conjunct of a property, which has an engine of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub id: NodeId,
    /// It speaks of events, and so is judged from the first step on; otherwise from the initial state on.
    pub late: bool,
}

/// A property, understood. For [`Aim::Possible`] the formula says that it never happens, so that breaking it is the
/// wanted run.
#[derive(Clone, Debug)]
pub struct Reading {
    pub aim: Aim,
    pub formula: Formula,
    pub root: NodeId,
    /// Variables of `for every` in front.
    pub slots: Slots,
    /// `a` of every `always (a implies b)`.
    pub triggers: Vec<NodeId>,
    pub(crate) written: Written,
    /// The first word that promises something without a bound. Only its automaton tells whether it is a safety property all the same.
    pub unbounded: Option<Refusal>,
}

pub fn read(instance: &Instance, property: &Closed) -> Result<Reading, Refusal> {
    let mut reader = Reader {
        instance,
        formula: Formula::default(),
        slots: Slots { locals: property.locals.clone(), variables: Vec::new() },
        implications: FxHashMap::default(),
        written_out: 0,
        writing: Writing::default(),
        unbounded: None,
    };
    let (aim, inner) = match &property.expr.kind {
        ExprKind::Temporal { operator: Word::Possible, operand } => (Aim::Possible, &**operand),
        _ => (Aim::Never, &property.expr),
    };
    let body = if aim == Aim::Never { reader.prefix(inner, Vec::new()) } else { inner.clone() };
    let positive = aim == Aim::Never;
    let lowered = reader.lower(&body, &Meaning::default(), Sign { kept: positive, broken: !positive })?;
    let root = match aim {
        Aim::Never => lowered,
        Aim::Possible => {
            let not = reader.formula.not(lowered, inner.span);
            reader.formula.always(not, inner.span)
        }
    };
    reader.formula.tell_between(root);
    let triggers = reader.triggers(root);
    let written = reader.writing.finish().expect("something was lowered");
    let unbounded = reader.unbounded;
    Ok(Reading { aim, formula: reader.formula, root, slots: reader.slots, triggers, written, unbounded })
}

impl Reading {
    /// Has a bound in time.
    pub fn is_timed(&self) -> bool {
        self.formula.closure(self.root).iter().any(|id| matches!(self.formula.node(*id), Node::Soon(..)))
    }

    /// The formula as a conjunction: each promise for later by itself, because counters side by side multiply; whatever
    /// only remembers the past together, because memories are shared. What asks the same of the future from both sides stays together,
    /// so that no two parts wait for opposite things. Each conjunct of the whole begins where it can.
    pub fn parts(&mut self) -> Vec<Part> {
        let (mut open, mut later, mut remembered) = (vec![(self.root, None)], Vec::new(), [None; 2]);
        while let Some((id, always)) = open.pop() {
            let span = self.formula.span(id);
            match (self.formula.node(id), always) {
                (Node::And(left, right), _) if !self.formula.share_future(left, right) => {
                    open.extend([(right, always), (left, always)]);
                }
                (Node::Always(inner), _) => {
                    let late = always.unwrap_or_else(|| self.formula.speaks_of_events(id));
                    open.push((inner, Some(late)));
                }
                (_, Some(late)) if !self.formula.has_future(id) => {
                    let all: &mut Option<NodeId> = &mut remembered[usize::from(late)];
                    *all = Some(match *all {
                        None => id,
                        Some(before) => self.formula.and(before, id, span),
                    });
                }
                (_, Some(late)) => later.push(Part { id: self.formula.add(Node::Always(id), span), late }),
                (_, None) => later.push(Part { id, late: self.formula.speaks_of_events(id) }),
            }
        }
        let mut parts = Vec::new();
        for (late, body) in [(false, remembered[0]), (true, remembered[1])] {
            let Some(body) = body else { continue };
            let span = self.formula.span(body);
            parts.push(Part { id: self.formula.add(Node::Always(body), span), late });
        }
        parts.extend(later);
        parts
    }
}

/// How a subformula takes part: must it hold, must its opposite hold, or both?
#[derive(Clone, Copy)]
struct Sign {
    kept: bool,
    broken: bool,
}

impl Sign {
    fn flipped(self) -> Sign {
        Sign { kept: self.broken, broken: self.kept }
    }

    const BOTH: Sign = Sign { kept: true, broken: true };
}

struct Reader<'i> {
    instance: &'i Instance,
    formula: Formula,
    slots: Slots,
    /// The left side of every implication.
    implications: FxHashMap<NodeId, NodeId>,
    /// How many calls of definitions were replaced by what they say.
    written_out: usize,
    writing: Writing,
    unbounded: Option<Refusal>,
}

impl Reader<'_> {
    fn model(&self) -> &Model {
        self.instance.model()
    }

    /// Takes `for every x: T` in front of the formula (also behind `always`) as variables of instances.
    fn prefix(&mut self, expr: &Expr, mut always: Vec<Span>) -> Expr {
        match &expr.kind {
            ExprKind::Temporal { operator: Word::Always, operand } => {
                always.push(expr.span);
                self.prefix(operand, always)
            }
            ExprKind::Quantified { every: true, binders, condition, body } if self.becomes_instances(expr, binders) => {
                self.slots.variables.extend(binders.iter().map(|binder| binder.local));
                let body = match condition {
                    None => (**body).clone(),
                    Some(condition) => {
                        let (left, right) = (condition.clone(), body.clone());
                        let kind = ExprKind::Binary { operator: Op::Implies, left, right };
                        Expr::new(kind, Type::Bool, expr.span)
                    }
                };
                self.prefix(&body, always)
            }
            _ => always.into_iter().rev().fold(expr.clone(), |inner, span| {
                Expr::new(ExprKind::Temporal { operator: Word::Always, operand: inner.into() }, Type::Bool, span)
            }),
        }
    }

    /// A quantifier over a type that speaks of time, or of events only: each value is watched by itself.
    fn becomes_instances(&self, expr: &Expr, binders: &[Binder]) -> bool {
        let known = reads(self.model(), expr, &[]);
        let worth = is_temporal(self.model(), expr) || known.events && !known.state;
        worth && binders.iter().all(|binder| matches!(binder.source, Source::Domain(_)))
    }

    /// A promise without a bound stands here.
    fn promised(&mut self, span: Span, what: &'static str, instead: &str) {
        self.unbounded.get_or_insert(Refusal::Unbounded { span, what, instead: instead.into() });
    }

    fn lower(&mut self, expr: &Expr, meaning: &Meaning, sign: Sign) -> Result<NodeId, Refusal> {
        if let ExprKind::Local(id) = &expr.kind
            && let Ok(stands_for) = meaning.local(*id)
        {
            return self.lower(&stands_for.clone(), &Meaning::default(), sign);
        }
        let begun = self.writing.begin();
        let mut id = self.taken_apart(expr, meaning, sign)?;
        if !self.formula.speaks_of_events(id) && self.speaks_of_events(expr, meaning) {
            id = self.formula.present(id, false, expr.span);
        }
        // The copies of a quantified body have one text.
        let with_parts = !matches!(expr.kind, ExprKind::Quantified { .. });
        self.writing.end(begun, id, expr.span, with_parts);
        Ok(id)
    }

    fn taken_apart(&mut self, expr: &Expr, meaning: &Meaning, sign: Sign) -> Result<NodeId, Refusal> {
        if self.formula.len() > MOST_NODES || self.written_out > MOST_NODES {
            return Err(Refusal::Nodes { span: expr.span, most: MOST_NODES });
        }
        if self.must_stay_whole(expr, meaning) {
            return self.leaf(expr, meaning);
        }
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => Ok(self.formula.constant(*value, span)),
            ExprKind::Not(inner) => {
                let inner = self.lower(inner, meaning, sign.flipped())?;
                Ok(self.formula.not(inner, span))
            }
            ExprKind::Binary { operator, left, right } => match self.connective(expr, *operator) {
                Some(operator) => self.binary(operator, (left, right), meaning, sign, span),
                None => self.leaf(expr, meaning),
            },
            ExprKind::If { condition, then, otherwise } if expr.ty == Type::Bool => {
                let condition = self.lower(condition, meaning, Sign::BOTH)?;
                let (then, otherwise) = (self.lower(then, meaning, sign)?, self.lower(otherwise, meaning, sign)?);
                let yes = self.formula.implies(condition, then, span);
                let no = self.formula.or(condition, otherwise, span);
                Ok(self.formula.and(yes, no, span))
            }
            ExprKind::Temporal { operator, operand } => self.temporal(*operator, operand, meaning, sign, span),
            ExprKind::Quantified { every, binders, condition, body } if is_temporal(self.model(), expr) => {
                self.quantified(*every, (binders, condition.as_deref(), body), meaning, sign, span)
            }
            ExprKind::Call { definition, args } => {
                let declared = &self.model().definitions[definition.0];
                if !declared.events && !declared.temporal {
                    return self.leaf(expr, meaning);
                }
                let (body, locals) = (declared.body.clone(), declared.locals.clone());
                let params = args.iter().map(|arg| meaning.apply(arg)).collect();
                let offset = self.slots.locals.len();
                self.slots.locals.extend(locals);
                let inner = Meaning { params, offset, chosen: Vec::new() };
                self.written_out += 1;
                self.lower(&body, &inner, sign)
            }
            ExprKind::Silence => Ok(self.formula.atom(Atom::Silence, span)),
            _ => self.leaf(expr, meaning),
        }
    }

    /// A condition on quantified variables alone is evaluated once for all, from left to right, where a part may go wrong.
    fn must_stay_whole(&self, expr: &Expr, meaning: &Meaning) -> bool {
        if self.slots.variables.is_empty() {
            return false;
        }
        let whole = meaning.apply(expr);
        let reads = reads(self.model(), &whole, &self.slots.variables);
        let about_values = reads.slots && !reads.state && !reads.events && !is_temporal(self.model(), &whole);
        about_values && !self.instance.may_fail(&whole, &[]).is_empty()
    }

    /// As it is written.
    fn speaks_of_events(&self, expr: &Expr, meaning: &Meaning) -> bool {
        reads(self.model(), &meaning.apply(expr), &self.slots.variables).events
    }

    /// An operand, of which something of the initial state is remembered if it speaks of the state alone.
    fn remembered(&mut self, id: NodeId, operand: &Expr, meaning: &Meaning, span: Span) -> NodeId {
        let reads = reads(self.model(), &meaning.apply(operand), &self.slots.variables);
        match reads.events || reads.state {
            true => self.formula.present(id, !reads.events, span),
            false => id,
        }
    }

    /// The operators that take formulas apart; equality of conditions that speak of time is one of them.
    fn connective(&self, expr: &Expr, operator: Op) -> Option<Op> {
        match operator {
            Op::And | Op::Or | Op::Implies | Op::Iff => Some(operator),
            Op::Since | Op::Until | Op::Unless | Op::Release | Op::LeadsTo => Some(operator),
            Op::Equal if is_temporal(self.model(), expr) => Some(Op::Iff),
            _ => None,
        }
    }

    fn binary(
        &mut self,
        operator: Op,
        (left, right): (&Expr, &Expr),
        meaning: &Meaning,
        sign: Sign,
        span: Span,
    ) -> Result<NodeId, Refusal> {
        match operator {
            Op::Until if sign.kept => {
                let instead = "write `a unless b` if `b` need not come, or bound it: `(a unless b) and within 10 b`";
                self.promised(span, "`until` promises that its right side will hold at some time", instead);
            }
            Op::LeadsTo if sign.kept => {
                let instead = "bound it: `always (a implies within 10 b)`";
                self.promised(span, "`leads to` promises that its right side will hold at some time", instead);
            }
            Op::Unless | Op::Release if sign.broken => {
                let what = "the opposite of `unless` or `release` promises that something will hold at some time";
                let instead = "bound it: `not within 10 ...`, or turn it around: `(not b) unless (not a and not b)`";
                self.promised(span, what, instead);
            }
            _ => {}
        }
        let signs = match operator {
            Op::Implies | Op::LeadsTo => (sign.flipped(), sign),
            Op::Iff => (Sign::BOTH, Sign::BOTH),
            // The opposite of `until` is an `unless` of the opposites.
            _ => (sign, sign),
        };
        let left = self.lower(left, meaning, signs.0)?;
        let written = right;
        let mut right = self.lower(right, meaning, signs.1)?;
        if operator == Op::Since {
            right = self.remembered(right, written, meaning, span);
        }
        let formula = &mut self.formula;
        Ok(match operator {
            Op::And => formula.and(left, right, span),
            Op::Or => formula.or(left, right, span),
            Op::Implies => {
                let whole = formula.implies(left, right, span);
                self.implications.entry(whole).or_insert(left);
                whole
            }
            Op::Iff => {
                let (there, back) = (formula.implies(left, right, span), formula.implies(right, left, span));
                formula.and(there, back, span)
            }
            Op::Since => formula.add(Node::Since(left, right), span),
            Op::Unless => formula.add(Node::Unless(left, right), span),
            Op::Until => {
                let (not_left, not_right) = (formula.not(left, span), formula.not(right, span));
                let neither = formula.and(not_left, not_right, span);
                let opposite = formula.add(Node::Unless(not_right, neither), span);
                formula.not(opposite, span)
            }
            Op::Release => {
                let both = formula.and(left, right, span);
                formula.add(Node::Unless(right, both), span)
            }
            Op::LeadsTo => {
                let later = formula.eventually(right, span);
                let whole = formula.implies(left, later, span);
                self.implications.entry(whole).or_insert(left);
                self.formula.always(whole, span)
            }
            other => unreachable!("{other:?} is not a connective"),
        })
    }

    fn temporal(
        &mut self,
        word: Word,
        operand: &Expr,
        meaning: &Meaning,
        sign: Sign,
        span: Span,
    ) -> Result<NodeId, Refusal> {
        if matches!(word, Word::Always | Word::Never) && sign.broken {
            let (what, instead) = match word {
                Word::Always => {
                    ("`not always e` promises that `e` fails at some time", "bound it: `within 10 (not e)`")
                }
                _ => ("`not never e` promises that `e` holds at some time", "bound it: `within 10 e`"),
            };
            self.promised(span, what, instead);
        }
        if word == Word::Eventually && sign.kept {
            let what = "`eventually e` promises that `e` holds at some time";
            self.promised(span, what, "bound it: `within 10 e`");
        }
        let steps = |steps: u32| match steps {
            0..=MOST_STEPS => Ok(steps),
            _ => Err(Refusal::Steps { span, most: MOST_STEPS }),
        };
        let inner_sign = if word == Word::Never { sign.flipped() } else { sign };
        if word == Word::Possible {
            return Err(Refusal::Possible { span });
        }
        let inner = self.lower(operand, meaning, inner_sign)?;
        let remembered = match word {
            Word::Historically => {
                let not = self.formula.not(inner, span);
                self.remembered(not, operand, meaning, span)
            }
            Word::Once | Word::Previously(_) => self.remembered(inner, operand, meaning, span),
            _ => inner,
        };
        let formula = &mut self.formula;
        Ok(match word {
            Word::Always => formula.always(inner, span),
            Word::Never => {
                let not = formula.not(inner, span);
                formula.always(not, span)
            }
            Word::Eventually => formula.eventually(inner, span),
            Word::Possible => unreachable!("refused before"),
            Word::Once => {
                let anything = formula.constant(true, span);
                formula.add(Node::Since(anything, remembered), span)
            }
            Word::Historically => {
                let anything = formula.constant(true, span);
                let broken = formula.add(Node::Since(anything, remembered), span);
                formula.not(broken, span)
            }
            Word::Previously(count) => match steps(count)? {
                0 => inner,
                count => (0..count).fold(remembered, |id, _| formula.add(Node::Previous(id), span)),
            },
            Word::Next(count) => (0..steps(count)?).fold(inner, |id, _| formula.add(Node::Next(id), span)),
            Word::WithinSteps(count) => {
                let count = steps(count)?;
                formula.add(Node::Within(count, inner), span)
            }
            Word::WithinTime(bound) => formula.add(Node::Soon(bound, inner), span),
        })
    }

    /// Writes a quantifier out, value by value.
    fn quantified(
        &mut self,
        every: bool,
        (binders, condition, body): (&[Binder], Option<&Expr>, &Expr),
        meaning: &Meaning,
        sign: Sign,
        span: Span,
    ) -> Result<NodeId, Refusal> {
        let Some((binder, rest)) = binders.split_first() else {
            let body = self.lower(body, meaning, sign)?;
            return Ok(match condition {
                None => body,
                Some(condition) => {
                    let condition = self.lower(condition, meaning, Sign::BOTH)?;
                    match every {
                        true => self.formula.implies(condition, body, span),
                        false => self.formula.and(condition, body, span),
                    }
                }
            });
        };
        let (values, ty) = self.values(binder, meaning, span)?;
        let mut whole = self.formula.constant(every, span);
        for value in values {
            let Some(chosen) = written(self.model(), &ty, &value, span) else {
                let why = "its values cannot be listed".into();
                return Err(Refusal::Quantifier { span, why });
            };
            let mut inner = meaning.clone();
            inner.chosen.push((LocalId(binder.local.0 + meaning.offset), chosen));
            let one = self.quantified(every, (rest, condition, body), &inner, sign, span)?;
            whole = match every {
                true => self.formula.and(whole, one, span),
                false => self.formula.or(whole, one, span),
            };
        }
        Ok(whole)
    }

    fn values(&self, binder: &Binder, meaning: &Meaning, span: Span) -> Result<(Vec<Value>, Type), Refusal> {
        let model = self.model();
        let blank = State::blank(model);
        let (values, ty) = match &binder.source {
            Source::Domain(ty) => {
                if model.types.has_objects(ty) {
                    let why = "its objects are known only during a run".into();
                    return Err(Refusal::Quantifier { span, why });
                }
                let name = &self.slots.locals[binder.local.0 + meaning.offset].name;
                (self.instance.values_of(ty, &blank, name, span)?, ty.clone())
            }
            Source::In(from) => {
                let from = meaning.apply(from);
                let known = reads(model, &from, &self.slots.variables);
                if known.state || known.events || known.slots {
                    let why = "the set of its values changes from step to step".into();
                    return Err(Refusal::Quantifier { span, why });
                }
                let set = self.instance.evaluate_with(&from, &self.slots.locals, &[], &blank, None)?;
                let ty = self.slots.locals[binder.local.0 + meaning.offset].ty.clone();
                (set.elements().unwrap_or_default(), ty)
            }
        };
        if values.len() > MOST_VALUES {
            let why = format!("there are more than {MOST_VALUES} values");
            return Err(Refusal::Quantifier { span, why });
        }
        Ok((values, ty))
    }

    /// An event, or a condition that is not taken apart.
    fn leaf(&mut self, expr: &Expr, meaning: &Meaning) -> Result<NodeId, Refusal> {
        let span = expr.span;
        let expr = meaning.apply(expr);
        if is_temporal(self.model(), &expr) {
            let why = "it has temporal operators inside a computed value".into();
            return Err(Refusal::Quantifier { span, why });
        }
        if let ExprKind::Happens { action, args } = &expr.kind
            && let Some(args) = self.pattern(args)?
        {
            return Ok(self.formula.atom(Atom::Event { action: *action, args }, span));
        }
        let reads = reads(self.model(), &expr, &self.slots.variables);
        if !reads.state && !reads.events && !reads.slots {
            let blank = State::blank(self.model());
            // What goes wrong does so when somebody asks.
            if let Ok(value) = self.instance.evaluate_with(&expr, &self.slots.locals, &[], &blank, None) {
                return Ok(self.formula.constant(value.as_bool(), span));
            }
        }
        let mut reads = reads;
        // What goes wrong does so when somebody asks, as it does for a condition on the state.
        reads.state |= !reads.events && !self.instance.may_fail(&expr, &[]).is_empty();
        let mut expr = expr;
        expr.span = span;
        Ok(self.formula.atom(Atom::Condition { expr, reads }, span))
    }

    /// Arguments that are constant or quantified variables.
    fn pattern(&self, args: &[Option<Expr>]) -> Result<Option<Vec<Arg>>, Refusal> {
        let mut patterns = Vec::new();
        for arg in args {
            let Some(arg) = arg else {
                patterns.push(Arg::Any);
                continue;
            };
            let known = reads(self.model(), arg, &self.slots.variables);
            let slot = match arg.kind {
                ExprKind::Local(id) => self.slots.variables.iter().position(|variable| *variable == id),
                _ => None,
            };
            patterns.push(match slot {
                Some(slot) => Arg::Slot(slot),
                None if known.state || known.events || known.slots => return Ok(None),
                None => {
                    let blank = State::blank(self.model());
                    Arg::Is(self.instance.evaluate_with(arg, &self.slots.locals, &[], &blank, None)?)
                }
            });
        }
        Ok(Some(patterns))
    }

    /// A condition on quantified variables alone.
    fn is_about_values(&self, id: NodeId) -> bool {
        let atoms = self.formula.atoms_of(id).into_iter().map(|atom| &self.formula.atoms[atom as usize]);
        atoms.into_iter().all(|atom| matches!(atom, Atom::Condition { reads, .. } if !reads.state && !reads.events))
    }

    /// What has to come before `always (a implies b)` says anything.
    fn triggers(&self, root: NodeId) -> Vec<NodeId> {
        let (mut open, mut found) = (vec![root], Vec::new());
        while let Some(id) = open.pop() {
            match (self.implications.get(&id), self.formula.node(id)) {
                // `for every n where n > 3: always (a implies b)` waits for `a`.
                (Some(left), Node::Or(_, right)) if self.is_about_values(*left) => open.push(right),
                (Some(left), _) => found.push(*left),
                (None, Node::Always(inner) | Node::Throughout(inner)) => open.push(inner),
                (None, Node::And(left, right)) => open.extend([right, left]),
                _ => {}
            }
        }
        found.retain(|id| !matches!(self.formula.node(*id), Node::Constant(_)));
        found
    }
}

/// A value as an expression.
fn written(model: &Model, ty: &Type, value: &Value, span: Span) -> Option<Expr> {
    let stripped = model.types.strip(ty);
    let kind = match (value, stripped) {
        (Value::Bool(value), _) => ExprKind::Bool(*value),
        (Value::Int(value), _) => ExprKind::Int(*value),
        (Value::String(text), _) => ExprKind::String(text.clone()),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let payload = &model.types.enums[id.0].variants[*variant].payload;
            let args = payload.iter().zip(args.iter()).map(|(ty, value)| written(model, ty, value, span));
            ExprKind::Variant { enumeration: *id, variant: *variant, args: args.collect::<Option<_>>()? }
        }
        (Value::Tuple(parts), Type::Tuple(types)) => {
            let parts = types.iter().zip(parts.iter()).map(|(ty, value)| written(model, ty, value, span));
            ExprKind::Tuple(parts.collect::<Option<_>>()?)
        }
        (Value::Tuple(parts), Type::Record(id)) => {
            let types = model.types.records[id.0].fields.iter().map(|(_, ty)| ty);
            let fields = types.zip(parts.iter()).map(|(ty, value)| written(model, ty, value, span));
            ExprKind::Record { record: *id, fields: fields.collect::<Option<_>>()? }
        }
        (Value::Option(None), _) => ExprKind::None,
        (Value::Option(Some(inner)), Type::Option(ty)) => ExprKind::Some(written(model, ty, inner, span)?.into()),
        _ => return None,
    };
    Some(Expr::new(kind, ty.clone(), span))
}
