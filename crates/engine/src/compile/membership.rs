//! `x in s`: asked without making the set wherever that is possible.

use super::code::{Code, Result};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{BinaryOperator as Op, Builtin, Expr, ExprKind};
use interplay_rows::Slot;
use interplay_rows::Unsupported;
use interplay_rows::{Kind, View};

impl<'a> Code<'a, '_> {
    pub(super) fn member(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        match &right.kind {
            ExprKind::Binary { operator: Op::Range, left: low, right: high } => {
                let word = self.number(left)?;
                let (low, high) = (self.number(low)?, self.number(high)?);
                let above = self.compare(IntCC::SignedGreaterThanOrEqual, word, low);
                let below = self.compare(IntCC::SignedLessThanOrEqual, word, high);
                Ok(self.builder.ins().band(above, below))
            }
            ExprKind::Set(parts) | ExprKind::Seq(parts) => {
                let value = self.value(left)?;
                let mut any = self.constant(0);
                for part in parts {
                    let same = match self.constant_value(part) {
                        Some(constant) => self.equals_constant(&value, &constant),
                        None => {
                            let part = self.value(part)?;
                            self.same(value.clone(), part)?
                        }
                    };
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

    /// Asks only if the value has a word of this kind; otherwise it is not a member.
    fn if_fits(
        &mut self,
        value: &Expr,
        kind: &Kind,
        ask: impl FnOnce(&mut Self, Word) -> Result<Word>,
    ) -> Result<Word> {
        let (word, fits) = self.fitting(value, kind)?;
        match fits {
            None => ask(self, word),
            Some(fits) => self.choose(fits, |code| ask(code, word), |code| Ok(code.constant(0))),
        }
    }

    fn member_of_value(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        let (set, kind) = self.value(right)?;
        match kind.view() {
            View::Map(..) => Ok(self.lookup(set, &kind, left)?.0),
            View::Seq(element) | View::Set(element) => self.if_fits(left, element, |code, at| {
                if matches!(kind, Kind::Handle(_)) {
                    return Ok(code.call("contains", &[set, at]));
                }
                let bit = code.builder.ins().ushr(set, at);
                Ok(code.builder.ins().band_imm_s(bit, 1))
            }),
            _ => Err(Unsupported::at("membership in this value", right.span)),
        }
    }
}
