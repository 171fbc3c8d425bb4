//! Logic, order, arithmetic, and the algebra of collections.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types::I64};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind};
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small, View};
use interplay_semantics::Value;

impl<'a> Code<'a, '_> {
    pub(super) fn binary(&mut self, operator: Op, left: &Expr, right: &Expr, whole: &Expr) -> Result<Typed> {
        let flag = match operator {
            Op::And => self.decide(|code, no| {
                code.check(left, no)?;
                code.check(right, no)
            })?,
            Op::Or => {
                let first = self.test(left)?;
                self.choose(first, |code| Ok(code.constant(1)), |code| code.test(right))?
            }
            Op::Implies => {
                let first = self.test(left)?;
                self.choose(first, |code| code.test(right), |code| Ok(code.constant(1)))?
            }
            Op::Equal | Op::Iff => self.equal(left, right)?,
            Op::NotEqual => {
                let same = self.equal(left, right)?;
                self.builder.ins().bxor_imm_s(same, 1)
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => self.ordered(operator, left, right)?,
            Op::In => self.member(left, right)?,
            Op::NotIn => {
                let word = self.member(left, right)?;
                self.builder.ins().bxor_imm_s(word, 1)
            }
            Op::Add | Op::Subtract | Op::Intersect | Op::Multiply | Op::Divide | Op::Remainder => {
                return self.combine(operator, left, right);
            }
            Op::Range => return self.range(whole),
            Op::Since | Op::Until | Op::Unless | Op::Release | Op::LeadsTo => {
                return Err(Unsupported::new("a temporal operator"));
            }
        };
        Ok((flag, Kind::bool()))
    }

    fn equal(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        if let Some(constant) = self.constant_value(right) {
            let value = self.value(left)?;
            return Ok(self.equals_constant(&value, &constant));
        }
        if let Some(constant) = self.constant_value(left) {
            let value = self.value(right)?;
            return Ok(self.equals_constant(&value, &constant));
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.same(left, right)
    }

    pub(super) fn equals_constant(&mut self, (word, kind): &Typed, constant: &Value) -> Word {
        match kind.encode(constant, self.input.store) {
            Some(constant) => self.is(IntCC::Equal, *word, constant),
            None => self.constant(0),
        }
    }

    /// Whether two values are equal, whatever their kinds.
    pub(super) fn same(&mut self, left: Typed, right: Typed) -> Result<Word> {
        let (left, right, _) = self.unify(left, right)?;
        Ok(self.compare(IntCC::Equal, left, right))
    }

    fn ordered(&mut self, operator: Op, left: &Expr, right: &Expr) -> Result<Word> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (left, right, kind) = self.unify(left, right)?;
        // Small words are far below the sign bit, so that one signed order serves all.
        let order = match operator {
            Op::Less => IntCC::SignedLessThan,
            Op::LessEqual => IntCC::SignedLessThanOrEqual,
            Op::Greater => IntCC::SignedGreaterThan,
            _ => IntCC::SignedGreaterThanOrEqual,
        };
        Ok(self.compare_in(order, left, right, &kind))
    }

    /// A comparison in the order of the values of a kind.
    pub(super) fn compare_in(&mut self, order: IntCC, left: Word, right: Word, kind: &Kind) -> Word {
        if kind.in_order() {
            return self.compare(order, left, right);
        }
        let number = self.kind_number(kind);
        let found = self.call("compare", &[left, right, number]);
        self.is(order, found, 0)
    }

    fn combine(&mut self, operator: Op, left: &Expr, right: &Expr) -> Result<Typed> {
        let first = self.value(left)?;
        match (first.1.view(), operator, &right.kind) {
            (View::Number(..), ..) => {
                let second = self.value(right)?;
                self.arithmetic(operator, first, second)
            }
            (View::Set(_), Op::Subtract, ExprKind::Set(parts)) => {
                let (mut set, kind) = first;
                let View::Set(element) = kind.view() else { unreachable!("it is a set") };
                for part in parts {
                    let (word, fits) = self.fitting(part, element)?;
                    set = self.if_fitting(fits, set, |code| code.without_element(set, word, &kind))?;
                }
                Ok((set, kind))
            }
            (View::Map(..), Op::Subtract, _) => self.without_keys(first, right),
            _ => {
                let second = self.value(right)?;
                let (left, right, kind) = self.unify(first, second)?;
                if let (Some(Small::Map { .. }), Op::Add) = (kind.small(), operator) {
                    let open = kind.opened();
                    let (left, right) = (self.widen(left, &kind, &open)?, self.widen(right, &kind, &open)?);
                    let joined = self.combine_words(operator, left, right, &open)?;
                    return Ok((self.widen(joined, &open, &kind)?, kind));
                }
                Ok((self.combine_words(operator, left, right, &kind)?, kind))
            }
        }
    }

    /// Something is done only if a value has a word.
    fn if_fitting(
        &mut self,
        fits: Option<Word>,
        otherwise: Word,
        write: impl FnOnce(&mut Self) -> Word,
    ) -> Result<Word> {
        match fits {
            None => Ok(write(self)),
            Some(fits) => self.choose(fits, |code| Ok(write(code)), |_| Ok(otherwise)),
        }
    }

    fn without_element(&mut self, set: Word, word: Word, kind: &Kind) -> Word {
        if matches!(kind, Kind::Handle(_)) {
            return self.call("set_remove", &[set, word]);
        }
        let one = self.constant(1);
        let bit = self.builder.ins().ishl(one, word);
        self.builder.ins().band_not(set, bit)
    }

    /// A map without some keys.
    fn without_keys(&mut self, (map, kind): Typed, keys: &Expr) -> Result<Typed> {
        let View::Map(key, _) = kind.view() else { return Err(Unsupported::new("this operation")) };
        let rest = self.variable(map);
        let remove = |code: &mut Self, word: Word, fits: Option<Word>| -> Result<()> {
            let before = code.get(rest);
            let after = code.if_fitting(fits, before, |code| match kind.small() {
                Some(Small::Map { stride, .. }) => code.without_field(before, word, *stride),
                _ => code.call("map_remove", &[before, word]),
            })?;
            code.put(rest, after);
            Ok(())
        };
        if let ExprKind::Set(parts) = &keys.kind {
            for part in parts {
                let (word, fits) = self.fitting(part, key)?;
                remove(self, word, fits)?;
            }
        } else {
            let each = self.each(keys)?;
            let turn = self.begin(each)?;
            let (word, fits) = self.try_coerce(turn.word, &turn.kind, key)?;
            remove(self, word, fits)?;
            self.end(turn);
        }
        Ok((self.get(rest), kind.clone()))
    }

    /// `+`, `-` and `&` on two collections of one kind.
    pub(super) fn combine_words(&mut self, operator: Op, first: Word, second: Word, kind: &Kind) -> Result<Word> {
        let Kind::Handle(shape) = kind else {
            return match (kind.small(), operator) {
                (Some(Small::Set(_)), Op::Add) => Ok(self.builder.ins().bor(first, second)),
                (Some(Small::Set(_)), Op::Subtract) => Ok(self.builder.ins().band_not(first, second)),
                (Some(Small::Set(_)), Op::Intersect) => Ok(self.builder.ins().band(first, second)),
                _ => Err(Unsupported::new("this operation")),
            };
        };
        Ok(match (&**shape, operator) {
            (Handle::Seq(_), Op::Add) => self.call_fallible("concat", &[first, second]),
            (Handle::String, Op::Add) => self.call_fallible("text_join", &[first, second]),
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
    fn range(&mut self, whole: &Expr) -> Result<Typed> {
        let each = self.each(whole)?;
        self.gather_each(each, Kind::set)
    }

    /// A range of too many integers is an error of the model.
    pub(super) fn require_small_range(&mut self, low: Word, high: Word) {
        let empty = self.compare(IntCC::SignedLessThan, high, low);
        let size = self.builder.ins().isub(high, low);
        let few = self.is(IntCC::UnsignedLessThan, size, interplay_semantics::LIMIT as u64);
        let fine = self.builder.ins().bor(empty, few);
        self.require(fine);
    }

    /// Integers. Bounds of the result are known from the bounds of the operands; where they have 64 bits, nothing can overflow.
    pub(super) fn arithmetic(&mut self, operator: Op, left: Typed, right: Typed) -> Result<Typed> {
        let (View::Number(a, b), View::Number(c, d)) = (left.1.view(), right.1.view()) else {
            return Err(Unsupported::new("this operation"));
        };
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        let first = self.widen(left.0, &left.1, &Kind::INT)?;
        let second = self.widen(right.0, &right.1, &Kind::INT)?;
        let (low, high) = match operator {
            Op::Add => (a + c, b + d),
            Op::Subtract => (a - d, b - c),
            Op::Multiply => {
                let products = [a * c, a * d, b * c, b * d];
                (products.into_iter().fold(i128::MAX, i128::min), products.into_iter().fold(i128::MIN, i128::max))
            }
            Op::Remainder => (0, c.abs().max(d.abs()) - 1),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        let possible = a <= b && c <= d && low <= high;
        let certain = possible && low >= i64::MIN.into() && high <= i64::MAX.into();
        let word = match operator {
            Op::Add if certain => self.builder.ins().iadd(first, second),
            Op::Subtract if certain => self.builder.ins().isub(first, second),
            Op::Multiply if certain => self.builder.ins().imul(first, second),
            Op::Add => self.checked_add(first, second),
            Op::Subtract => self.checked_subtract(first, second),
            Op::Multiply => self.checked_multiply(first, second),
            _ => self.euclidean(operator, first, second),
        };
        if !certain {
            return Ok((word, Kind::INT));
        }
        let kind = Kind::number(low, high);
        Ok((self.try_coerce(word, &Kind::INT, &kind)?.0, kind))
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
