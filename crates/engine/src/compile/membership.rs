//! `x in s`: asked without making the set wherever that is possible.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use crate::layout::Slot;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{BinaryOperator as Op, Builtin, Expr, ExprKind};

impl<'a> Code<'a, '_> {
    pub(super) fn member(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        match &right.kind {
            ExprKind::Binary { operator: Op::Range, left: low, right: high } => {
                let word = self.expr(left, &Kind::Int)?;
                let (low, high) = (self.expr(low, &Kind::Int)?, self.expr(high, &Kind::Int)?);
                let above = self.compare(IntCC::SignedGreaterThanOrEqual, word, low);
                let below = self.compare(IntCC::SignedLessThanOrEqual, word, high);
                Ok(self.builder.ins().band(above, below))
            }
            ExprKind::Set(parts) | ExprKind::Seq(parts) => {
                let kind = self.natural(left)?;
                let word = self.expr(left, &kind)?;
                let mut any = self.constant(0);
                for part in parts {
                    let same = self.equals(word, &kind, part)?;
                    any = self.builder.ins().bor(any, same);
                }
                Ok(any)
            }
            ExprKind::Builtin { function: Builtin::Keys, args } => self.member(left, &args[0]),
            ExprKind::Variable(id) => match self.slot(*id) {
                Slot::Array { key, .. } => {
                    let id = *id;
                    self.if_fits(left, key, |code, at| Ok(code.find_element(id, at).0))
                }
                Slot::Bits { element, .. } => {
                    let id = *id;
                    self.if_fits(left, element, |code, at| Ok(code.read_bit(id, at)))
                }
                Slot::Scalar(_) => self.member_of_value(left, right),
            },
            _ => self.member_of_value(left, right),
        }
    }

    /// Whether a word equals an expression that may have another kind.
    fn equals(&mut self, word: Word, kind: &Kind, other: &Expr) -> Result<Word> {
        let natural = self.natural(other)?;
        let other = self.expr(other, &natural)?;
        let (other, fits) = self.try_coerce(other, &natural, kind)?;
        let same = self.compare(IntCC::Equal, word, other);
        Ok(match fits {
            Some(fits) => self.builder.ins().band(same, fits),
            None => same,
        })
    }

    /// Asks only if the value has a word of this kind; otherwise it is not a member.
    fn if_fits(
        &mut self,
        value: &Expr,
        kind: &Kind,
        ask: impl FnOnce(&mut Self, Word) -> Result<Word>,
    ) -> Result<Word> {
        let natural = self.natural(value)?;
        let word = self.expr(value, &natural)?;
        let (word, fits) = self.try_coerce(word, &natural, kind)?;
        match fits {
            None => ask(self, word),
            Some(fits) => self.choose(fits, |code| ask(code, word), |code| Ok(code.constant(0))),
        }
    }

    fn member_of_value(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        let kind = self.natural(right)?;
        let set = self.expr(right, &kind)?;
        match &kind {
            Kind::Small { shape, .. } => match &**shape {
                Small::Set(element) => self.if_fits(left, element, |code, at| {
                    let bit = code.builder.ins().ushr(set, at);
                    Ok(code.builder.ins().band_imm_s(bit, 1))
                }),
                Small::Map { .. } => Ok(self.lookup(set, &kind, left)?.0),
                _ => Err(Unsupported::at("membership in this value", right.span)),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Seq(element) | Handle::Set(element) => {
                    self.if_fits(left, element, |code, word| Ok(code.call("contains", &[set, word])))
                }
                Handle::Map(..) => Ok(self.lookup(set, &kind, left)?.0),
                _ => Err(Unsupported::at("membership in this value", right.span)),
            },
            Kind::Int => Err(Unsupported::at("membership in an integer", right.span)),
        }
    }
}
