//! What may go wrong when an expression is evaluated, by its text alone: which parts of it may have no value, and which
//! code the error would have. An expression without any has a value in every state. Whether one of them ever goes wrong is for
//! those who look at states.
//!
//! A constant without a value is no mishap here: who leaves it open means all its values. Neither is a collection that
//! outgrows the interpreter (M013). Operations on specifications have no instance and ask of the text with all values of its
//! constants.

use crate::bounds::{Bounds, Call, Reader};
use crate::mentions::mentioned_variables;
use crate::{Instance, LIMIT};
use interplay_diagnostics::{Code, Span};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Model, Owner, Source, Type, VariableId};
use std::collections::BTreeSet;

/// A part of an expression that may have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mishap {
    /// Which error it would be.
    pub code: Code,
    /// Where in the text.
    pub span: Span,
}

/// Where the result of an operation may leave 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overflow {
    /// The value may be too small.
    pub below: bool,
    /// The value may be too large.
    pub above: bool,
}

impl Instance {
    /// Everything in it that may go wrong, in the order of the text; also in the definitions that it calls. `locals` says what is
    /// known about its locals, as for [`Instance::integer_bounds`].
    pub fn may_fail(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Vec<Mishap> {
        Search::new(Reader::with(self, locals)).of(expr)
    }

    /// The result of this very operation (not of its parts) may need more than 64 bits.
    pub fn may_overflow(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Overflow {
        overflow(&mut Reader::with(self, locals), expr)
    }

    /// The variable may be without a value in some state: none is declared, and no `init` condition speaks of it.
    pub fn may_be_unset(&self, id: VariableId) -> bool {
        may_be_unset(self.model(), id)
    }
}

/// Everything in it that may go wrong in some instance, in the order of the text; also in the definitions that it calls.
pub fn may_fail(model: &Model, expr: &Expr) -> Vec<Mishap> {
    Search::new(Reader::without(model)).of(expr)
}

/// The same if integers without bounds stay small: who counts in `Int` does not mean to get beyond 64 bits.
pub fn may_fail_soon(model: &Model, expr: &Expr) -> Vec<Mishap> {
    Search::new(Reader::modest(model)).of(expr)
}

/// What may go wrong in this very operation, but in none of its parts, in some instance.
pub fn may_fail_here(model: &Model, expr: &Expr) -> Vec<Mishap> {
    Search::new(Reader::without(model)).alone(expr)
}

/// The same if integers without bounds stay small.
pub fn may_fail_here_soon(model: &Model, expr: &Expr) -> Vec<Mishap> {
    Search::new(Reader::modest(model)).alone(expr)
}

/// The parts that are evaluated for its value. Whether something lies in a range is asked of the range's ends, so that its values
/// are not listed.
pub fn operands(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    use BinaryOperator::{In, NotIn, Range};
    match &expr.kind {
        ExprKind::Binary { operator: In | NotIn, left, right }
            if matches!(right.kind, ExprKind::Binary { operator: Range, .. }) =>
        {
            visit(left);
            right.children(visit);
        }
        _ => expr.children(visit),
    }
}

/// The variable may be without a value in some state: none is declared, and no `init` condition speaks of it. One that the model
/// does not know was added by an operation, with a value.
pub fn may_be_unset(model: &Model, id: VariableId) -> bool {
    let Some(variable) = model.variables.get(id.0) else { return false };
    let begun = || model.initial.iter().any(|condition| mentioned_variables(model, &condition.expr).contains(&id));
    variable.value.is_none() && (matches!(variable.owner, Owner::Observer(_)) || !begun())
}

fn overflow(reader: &mut Reader, expr: &Expr) -> Overflow {
    let outside = |(low, high): Bounds| Overflow { below: low < i64::MIN.into(), above: high > i64::MAX.into() };
    match &expr.kind {
        // However large the parts are, there may be many.
        ExprKind::Builtin { function: Builtin::Sum, args } => match args.first() {
            Some(from) => {
                let (low, high) = reader.elements(from);
                outside((low * LIMIT as i128, high * LIMIT as i128))
            }
            None => Overflow::default(),
        },
        ExprKind::Builtin { function: Builtin::Pow, .. } => reader.result(expr).map_or_else(Overflow::default, outside),
        // The rest of a division is smaller than the divisor; only the quotient of the least integer and -1 is too large.
        ExprKind::Binary { operator: BinaryOperator::Divide | BinaryOperator::Remainder, left, right } => {
            let (left, right) = (reader.of(left), reader.of(right));
            Overflow { below: false, above: left.0 <= i64::MIN.into() && right.0 <= -1 && right.1 >= -1 }
        }
        _ => reader.result(expr).map_or(Overflow::default(), outside),
    }
}

struct Search<'i> {
    reader: Reader<'i>,
    found: Vec<Mishap>,
    /// Calls whose bodies were looked at: what goes wrong there is told once.
    entered: BTreeSet<Call>,
}

impl<'i> Search<'i> {
    fn new(reader: Reader<'i>) -> Search<'i> {
        Search { reader, found: Vec::new(), entered: BTreeSet::new() }
    }

    fn of(mut self, expr: &Expr) -> Vec<Mishap> {
        self.look(expr);
        self.found
    }

    fn alone(mut self, expr: &Expr) -> Vec<Mishap> {
        self.here(expr);
        self.found
    }

    fn look(&mut self, expr: &Expr) {
        let before = self.reader.locals.clone();
        match &expr.kind {
            ExprKind::Comprehension(inner) => self.reader.bind(&inner.binders),
            ExprKind::Quantified { binders, .. } => self.reader.bind(binders),
            _ => {}
        }
        operands(expr, &mut |part| self.look(part));
        self.here(expr);
        self.reader.locals = before;
    }

    fn here(&mut self, expr: &Expr) {
        let model = self.reader.model;
        let mut found = |code| self.found.push(Mishap { code, span: expr.span });
        match &expr.kind {
            ExprKind::Variable(id) if may_be_unset(model, *id) => found(Code::M001),
            ExprKind::SignalValue { .. } => found(Code::M001),
            ExprKind::Index { of, .. } => match model.types.strip(&of.ty) {
                Type::Map(..) => found(Code::M001),
                _ => found(Code::M005),
            },
            ExprKind::Builtin { function, .. } if function.takes_position() => found(Code::M005),
            ExprKind::Builtin { function: Builtin::Subsets | Builtin::Maps, .. } => found(Code::M009),
            ExprKind::Builtin { function: Builtin::Pow, args } if self.reader.of(&args[1]).0 >= 0 => {}
            ExprKind::Builtin { function, .. } if function.is_partial() => found(Code::M008),
            ExprKind::Binary { operator: BinaryOperator::Divide | BinaryOperator::Remainder, right, .. } => {
                let (low, high) = self.reader.of(right);
                if low <= 0 && high >= 0 {
                    self.found.push(Mishap { code: Code::M003, span: expr.span });
                }
            }
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (low, high) = (self.reader.of(left).0, self.reader.of(right).1);
                if high - low >= LIMIT as i128 {
                    self.found.push(Mishap { code: Code::M009, span: expr.span });
                }
            }
            ExprKind::Comprehension(inner) => self.domains(inner.binders.iter().map(|binder| &binder.source), expr),
            ExprKind::Quantified { binders, .. } => {
                self.domains(binders.iter().map(|binder| &binder.source), expr);
            }
            ExprKind::Call { definition, args } => {
                let locals: Vec<Option<Bounds>> = args.iter().map(|arg| Some(self.reader.of(arg))).collect();
                if self.entered.insert((*definition, locals.clone())) {
                    let inner = self.reader.inside(locals);
                    let outer = std::mem::replace(&mut self.reader, inner);
                    self.look(&model.definitions[definition.0].body);
                    self.reader = outer;
                }
            }
            _ => {}
        }
        if overflow(&mut self.reader, expr) != Overflow::default() {
            self.found.push(Mishap { code: Code::M002, span: expr.span });
        }
    }

    /// What a binder runs through may have no list of values.
    fn domains<'s>(&mut self, sources: impl Iterator<Item = &'s Source>, expr: &Expr) {
        for source in sources {
            if let Source::Domain(ty) = source
                && !self.reader.is_listed(ty, expr.span)
            {
                self.found.push(Mishap { code: Code::M009, span: expr.span });
            }
        }
    }
}
