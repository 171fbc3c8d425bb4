//! What may go wrong when an expression is evaluated, by its text alone: which parts of it may have no value, and which
//! code the error would have. An expression without any has a value in every state. Whether one of them ever goes wrong is for
//! those who look at states.
//!
//! A constant without a value is no mishap here: who leaves it open means all its values. Neither is a collection that
//! outgrows the interpreter (M013).

use crate::bounds::{Bounds, Reader};
use crate::mentions::mentioned_variables;
use crate::{Instance, LIMIT};
use interplay_diagnostics::{Code, Span};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Owner, Source, Type, VariableId};

/// A part of an expression that may have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mishap {
    pub code: Code,
    pub span: Span,
}

/// Where the result of an operation may leave 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overflow {
    pub below: bool,
    pub above: bool,
}

impl Instance {
    /// Everything in it that may go wrong, in the order of the text; also in the definitions that it calls. `locals` says what is
    /// known about its locals, as for [`Instance::integer_bounds`].
    pub fn may_fail(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Vec<Mishap> {
        let mut search = Search { reader: Reader { instance: self, locals: locals.to_vec() }, found: Vec::new() };
        search.look(expr);
        search.found
    }

    /// The result of this very operation (not of its parts) may need more than 64 bits.
    pub fn may_overflow(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Overflow {
        overflow(&mut Reader { instance: self, locals: locals.to_vec() }, expr)
    }

    /// The variable may be without a value in some state: none is declared, and no `init` condition speaks of it.
    pub fn may_be_unset(&self, id: VariableId) -> bool {
        let model = self.model();
        let variable = &model.variables[id.0];
        let begun = || model.initial.iter().any(|condition| mentioned_variables(model, &condition.expr).contains(&id));
        variable.value.is_none() && (matches!(variable.owner, Owner::Observer(_)) || !begun())
    }
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
}

impl Search<'_> {
    fn look(&mut self, expr: &Expr) {
        let before = self.reader.locals.clone();
        match &expr.kind {
            ExprKind::Comprehension(inner) => self.reader.bind(&inner.binders),
            ExprKind::Quantified { binders, .. } => self.reader.bind(binders),
            _ => {}
        }
        expr.children(&mut |child| self.look(child));
        self.here(expr);
        self.reader.locals = before;
    }

    fn here(&mut self, expr: &Expr) {
        let instance = self.reader.instance;
        let mut found = |code| self.found.push(Mishap { code, span: expr.span });
        match &expr.kind {
            ExprKind::Variable(id) if instance.may_be_unset(*id) => found(Code::M001),
            ExprKind::SignalValue { .. } => found(Code::M001),
            ExprKind::Index { of, .. } => match instance.model().types.strip(&of.ty) {
                Type::Map(..) => found(Code::M001),
                _ => found(Code::M005),
            },
            ExprKind::Builtin { function, .. } if is_partial(*function) => found(Code::M008),
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
                let locals = args.iter().map(|arg| Some(self.reader.of(arg))).collect();
                let inner = Reader { instance, locals };
                let mut search = Search { reader: inner, found: Vec::new() };
                search.look(&instance.model().definitions[definition.0].body);
                self.found.extend(search.found);
            }
            _ => {}
        }
        if overflow(&mut self.reader, expr) != Overflow::default() {
            self.found.push(Mishap { code: Code::M002, span: expr.span });
        }
    }

    /// A type without end has no list of values.
    fn domains<'s>(&mut self, sources: impl Iterator<Item = &'s Source>, expr: &Expr) {
        for source in sources {
            if let Source::Domain(ty) = source
                && !has_end(self.reader.instance, ty)
            {
                self.found.push(Mishap { code: Code::M009, span: expr.span });
            }
        }
    }
}

/// What a collection may lack.
fn is_partial(function: Builtin) -> bool {
    use Builtin::*;
    matches!(function, First | Last | Rest | Front | Only | OptionGet | Min | Max)
}

/// The type has finitely many values, whatever a setup says.
fn has_end(instance: &Instance, ty: &Type) -> bool {
    let types = &instance.model().types;
    match types.strip(ty) {
        Type::Bool | Type::Object(_) => true,
        Type::Range(id) => instance.range(*id).is_ok_and(|(low, high)| high.saturating_sub(low) < LIMIT as i64),
        Type::Enum(id) => {
            let mut payloads = types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload);
            payloads.all(|ty| has_end(instance, ty))
        }
        Type::Record(id) => types.records[id.0].fields.iter().all(|(_, ty)| has_end(instance, ty)),
        Type::Tuple(parts) => parts.iter().all(|ty| has_end(instance, ty)),
        Type::Option(inner) => has_end(instance, inner),
        _ => false,
    }
}
