//! Logic, order, arithmetic.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types::I64};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind};

impl<'a> Code<'a, '_> {
    pub(super) fn binary(
        &mut self,
        operator: Op,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
        want: &Kind,
    ) -> Result<Word> {
        match operator {
            Op::And => self.decide(|code, no| {
                code.check(left, no)?;
                code.check(right, no)
            }),
            Op::Or => {
                let first = self.test(left)?;
                self.choose(first, |code| Ok(code.constant(1)), |code| code.test(right))
            }
            Op::Implies => {
                let first = self.test(left)?;
                self.choose(first, |code| code.test(right), |code| Ok(code.constant(1)))
            }
            Op::Iff => {
                let (left, right) = (self.test(left)?, self.test(right)?);
                Ok(self.compare(IntCC::Equal, left, right))
            }
            Op::Equal | Op::NotEqual => {
                let kind = self.common(left, right)?;
                let (left, right) = (self.expr(left, &kind)?, self.expr(right, &kind)?);
                Ok(self.compare(if operator == Op::Equal { IntCC::Equal } else { IntCC::NotEqual }, left, right))
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => self.ordered(operator, left, right),
            Op::In => self.member(left, right),
            Op::NotIn => {
                let word = self.member(left, right)?;
                Ok(self.builder.ins().bxor_imm_s(word, 1))
            }
            Op::Add | Op::Subtract | Op::Intersect => self.combine(operator, left, right, want),
            Op::Multiply | Op::Divide | Op::Remainder => {
                let (left, right) = (self.expr(left, &Kind::Int)?, self.expr(right, &Kind::Int)?);
                let word = match operator {
                    Op::Multiply => self.checked_multiply(left, right),
                    _ => self.euclidean(operator, left, right),
                };
                self.coerce(word, &Kind::Int, want)
            }
            Op::Range => self.range(left, right, want),
            Op::Since | Op::Until | Op::Unless => Err(Unsupported::at("a temporal operator", whole.span)),
        }
    }

    /// A kind in which both sides can be compared.
    fn common(&mut self, left: &Expr, right: &Expr) -> Result<Kind> {
        let kinds = (self.natural(left), self.natural(right));
        let number = |kind: &Kind| matches!(kind, Kind::Int) || matches!(kind.small(), Some(Small::Range { .. }));
        match kinds {
            (Ok(a), Ok(b)) if a == b => Ok(a),
            (Ok(a), Ok(b)) if number(&a) || number(&b) => Ok(Kind::Int),
            (Ok(a), _) if !matches!(right.kind, ExprKind::Variable(_)) => Ok(a),
            (_, Ok(b)) => Ok(b),
            (Ok(a), _) => Ok(a),
            (Err(unsupported), Err(_)) => Err(unsupported),
        }
    }

    fn ordered(&mut self, operator: Op, left: &Expr, right: &Expr) -> Result<Word> {
        let kind = self.common(left, right)?;
        let (mut left, mut right) = (self.expr(left, &kind)?, self.expr(right, &kind)?);
        if !kind.in_order() {
            let order = self.kind_number(&kind);
            left = self.call("compare", &[left, right, order]);
            right = self.constant(0);
        }
        // Small words are far below the sign bit, so that one signed order serves all.
        let order = match operator {
            Op::Less => IntCC::SignedLessThan,
            Op::LessEqual => IntCC::SignedLessThanOrEqual,
            Op::Greater => IntCC::SignedGreaterThan,
            _ => IntCC::SignedGreaterThanOrEqual,
        };
        Ok(self.compare(order, left, right))
    }

    fn combine(&mut self, operator: Op, left: &Expr, right: &Expr, want: &Kind) -> Result<Word> {
        if matches!(want, Kind::Int) || matches!(want.small(), Some(Small::Range { .. })) {
            let (left, right) = (self.expr(left, &Kind::Int)?, self.expr(right, &Kind::Int)?);
            let word = match operator {
                Op::Add => self.checked_add(left, right),
                _ => self.checked_subtract(left, right),
            };
            return self.coerce(word, &Kind::Int, want);
        }
        match want.clone() {
            Kind::Small { shape, .. } => match &*shape {
                Small::Set(_) => {
                    let (left, right) = (self.expr(left, want)?, self.expr(right, want)?);
                    Ok(match operator {
                        Op::Add => self.builder.ins().bor(left, right),
                        Op::Subtract => self.builder.ins().band_not(left, right),
                        _ => self.builder.ins().band(left, right),
                    })
                }
                _ => Err(Unsupported::at("this operation on a small map", left.span)),
            },
            Kind::Handle(shape) => self.combine_handles(operator, left, right, &shape, want),
            Kind::Int => unreachable!("numbers were handled"),
        }
    }

    fn combine_handles(
        &mut self,
        operator: Op,
        left: &Expr,
        right: &Expr,
        shape: &Handle,
        want: &Kind,
    ) -> Result<Word> {
        let first = self.expr(left, want)?;
        match (shape, operator, &right.kind) {
            (Handle::Seq(element), Op::Add, ExprKind::Seq(parts)) if parts.len() == 1 => {
                let word = self.expr(&parts[0], element)?;
                Ok(self.call("append", &[first, word]))
            }
            (Handle::Set(element), Op::Add | Op::Subtract, ExprKind::Set(parts)) if parts.len() == 1 => {
                let word = self.expr(&parts[0], element)?;
                let order = self.kind_number(element);
                Ok(if operator == Op::Add {
                    self.call("set_add", &[first, word, order])
                } else {
                    self.call("set_remove", &[first, word])
                })
            }
            (Handle::Map(key, _), Op::Subtract, ExprKind::Set(parts)) => {
                let mut map = first;
                for part in parts {
                    let word = self.expr(part, key)?;
                    map = self.call("map_remove", &[map, word]);
                }
                Ok(map)
            }
            (Handle::Map(..), Op::Subtract, _) => {
                Err(Unsupported::at("taking a computed set of keys from a map", right.span))
            }
            _ => {
                let second = self.expr(right, want)?;
                self.combine_words(operator, first, second, shape)
            }
        }
    }

    fn combine_words(&mut self, operator: Op, first: Word, second: Word, shape: &Handle) -> Result<Word> {
        Ok(match (shape, operator) {
            (Handle::Seq(_), Op::Add) => self.call("concat", &[first, second]),
            (Handle::String, Op::Add) => self.call("text_join", &[first, second]),
            (Handle::Set(element), Op::Add) => {
                let order = self.kind_number(element);
                self.call("set_union", &[first, second, order])
            }
            (Handle::Set(_), Op::Subtract) => self.call("set_minus", &[first, second]),
            (Handle::Set(_), Op::Intersect) => self.call("set_both", &[first, second]),
            (Handle::Map(key, _), Op::Add) => {
                let order = self.kind_number(key);
                self.call("map_join", &[first, second, order])
            }
            _ => return Err(Unsupported::new("this operation")),
        })
    }

    /// `a..b` as a set.
    fn range(&mut self, left: &Expr, right: &Expr, want: &Kind) -> Result<Word> {
        let (low, high) = (self.expr(left, &Kind::Int)?, self.expr(right, &Kind::Int)?);
        let zero = self.constant(0);
        let mask = self.variable(zero);
        let element = match want {
            Kind::Small { shape, .. } => match &**shape {
                Small::Set(element) => element.clone(),
                _ => return Err(Unsupported::new("a range here")),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Set(element) => element.clone(),
                _ => return Err(Unsupported::new("a range here")),
            },
            Kind::Int => return Err(Unsupported::new("a range here")),
        };
        let interned = matches!(want, Kind::Handle(_));
        if interned {
            self.call("build_begin", &[]);
        }
        let turn = self.begin(super::each::Each::Between { low, high })?;
        let word = self.coerce(turn.word, &Kind::Int, &element)?;
        if interned {
            self.call("build_push", &[word]);
        } else {
            let so_far = self.get(mask);
            let more = self.with_bit(so_far, word);
            self.put(mask, more);
        }
        self.end(turn);
        if interned {
            let order = self.kind_number(&element);
            return Ok(self.call("build_set", &[order]));
        }
        Ok(self.get(mask))
    }

    pub(super) fn checked_add(&mut self, left: Word, right: Word) -> Word {
        let (sum, overflow) = self.builder.ins().sadd_overflow(left, right);
        self.no_overflow(overflow);
        sum
    }

    pub(super) fn checked_subtract(&mut self, left: Word, right: Word) -> Word {
        let (difference, overflow) = self.builder.ins().ssub_overflow(left, right);
        self.no_overflow(overflow);
        difference
    }

    fn checked_multiply(&mut self, left: Word, right: Word) -> Word {
        let (product, overflow) = self.builder.ins().smul_overflow(left, right);
        self.no_overflow(overflow);
        product
    }

    fn no_overflow(&mut self, overflow: Word) {
        let overflow = self.builder.ins().uextend(I64, overflow);
        let fine = self.builder.ins().bxor_imm_s(overflow, 1);
        self.require(fine);
    }

    /// Division whose remainder is never negative.
    fn euclidean(&mut self, operator: Op, left: Word, right: Word) -> Word {
        let defined = self.is(IntCC::NotEqual, right, 0);
        self.require(defined);
        // The smallest integer divided by minus one leaves 64 bits.
        let (lowest, minus) = (self.is(IntCC::Equal, left, i64::MIN as u64), self.is(IntCC::Equal, right, u64::MAX));
        let leaves = self.builder.ins().band(lowest, minus);
        let fits = self.builder.ins().bxor_imm_s(leaves, 1);
        self.require(fits);
        let quotient = self.builder.ins().sdiv(left, right);
        let remainder = self.builder.ins().srem(left, right);
        let negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, remainder, 0);
        let up = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, right, 0);
        if operator == Op::Remainder {
            let minus = self.builder.ins().ineg(right);
            let size = self.builder.ins().select(up, right, minus);
            let moved = self.builder.ins().iadd(remainder, size);
            return self.builder.ins().select(negative, moved, remainder);
        }
        let (lower, higher) = (self.builder.ins().iadd_imm_s(quotient, -1), self.builder.ins().iadd_imm_s(quotient, 1));
        let moved = self.builder.ins().select(up, lower, higher);
        self.builder.ins().select(negative, moved, quotient)
    }
}
