//! Operations on collections and options.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use crate::layout::Slot;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{Builtin, Expr, ExprKind};

impl<'a> Code<'a, '_> {
    pub(super) fn builtin(&mut self, function: Builtin, args: &[Expr], whole: &Expr, want: &Kind) -> Result<Word> {
        use Builtin::*;
        let of = &args[0];
        match function {
            Size | Count | Sum | Min | Max if self.is_folded(function, of) => self.fold(function, of, want),
            Size | Count => {
                let size = self.size(of)?;
                self.coerce(size, &Kind::Int, want)
            }
            IsEmpty => {
                let size = self.size(of)?;
                Ok(self.is(IntCC::Equal, size, 0))
            }
            Sum | Min | Max => self.fold(function, of, want),
            Abs => {
                let word = self.expr(of, &Kind::Int)?;
                let zero = self.constant(0);
                let negative = self.is(IntCC::SignedLessThan, word, 0);
                let size = self.choose(negative, |code| Ok(code.checked_subtract(zero, word)), |_| Ok(word))?;
                self.coerce(size, &Kind::Int, want)
            }
            Contains => self.member(&args[1], of),
            IsSome | IsNone => {
                let there = self.is_some(of)?;
                Ok(if function == IsSome { there } else { self.builder.ins().bxor_imm_s(there, 1) })
            }
            OptionGet | OptionOr => self.unwrap(args, want),
            MapGet => self.map_get(of, &args[1], &args[2], want),
            MapFind => self.map_find(of, &args[1], want),
            Keys => self.keys(of, want),
            Only => self.only(of, want),
            SubsetOf => self.subset_of(of, &args[1]),
            First | Last | Rest | Front | Reverse | StartsWith | Take | Drop => self.sequence(function, args, want),
            Elements => self.elements(of, want),
            Values => {
                let kind = self.natural(of)?;
                let Kind::Handle(shape) = &kind else {
                    return Err(Unsupported::at("the values of a small map", whole.span));
                };
                let Handle::Map(_, value) = &**shape else {
                    return Err(Unsupported::at("the values of this", whole.span));
                };
                let map = self.expr(of, &kind)?;
                let values = self.call("map_values", &[map]);
                self.coerce(values, &Kind::Handle(Handle::Seq(value.clone()).into()), want)
            }
        }
    }

    /// A comprehension need not be made to be counted or summed.
    fn is_folded(&self, function: Builtin, of: &Expr) -> bool {
        matches!(&of.kind, ExprKind::Comprehension(comprehension) if comprehension.shape == interplay_model::Shape::Seq)
            || matches!(function, Builtin::Sum | Builtin::Min | Builtin::Max)
    }

    fn fold(&mut self, function: Builtin, of: &Expr, want: &Kind) -> Result<Word> {
        let zero = self.constant(0);
        let (total, any) = (self.variable(zero), self.variable(zero));
        let kind = match function {
            Builtin::Min | Builtin::Max => want.clone(),
            _ => Kind::Int,
        };
        if !kind.in_order() {
            return Err(Unsupported::at("the order of these values", of.span));
        }
        match &of.kind {
            ExprKind::Comprehension(comprehension)
                if comprehension.value.is_none() && comprehension.shape == interplay_model::Shape::Seq =>
            {
                self.for_all(&comprehension.binders, comprehension.condition.as_ref(), |code| {
                    let word = if function == Builtin::Count || function == Builtin::Size {
                        code.constant(1)
                    } else {
                        code.expr(&comprehension.item, &kind)?
                    };
                    code.fold_one(function, word, total, any);
                    Ok(())
                })?;
            }
            _ => {
                let each = self.each(of)?;
                let turn = self.begin(each)?;
                let word = self.coerce(turn.word, &turn.kind, &kind)?;
                self.fold_one(function, word, total, any);
                self.end(turn);
            }
        }
        if matches!(function, Builtin::Min | Builtin::Max) {
            let any = self.get(any);
            self.require(any);
        }
        let total = self.get(total);
        self.coerce(total, &kind, want)
    }

    fn fold_one(
        &mut self,
        function: Builtin,
        word: Word,
        total: cranelift_frontend::Variable,
        any: cranelift_frontend::Variable,
    ) {
        let so_far = self.get(total);
        let more = match function {
            Builtin::Min | Builtin::Max => {
                let order = if function == Builtin::Min { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
                let better = self.builder.ins().icmp(order, word, so_far);
                let best = self.builder.ins().select(better, word, so_far);
                let known = self.get(any);
                self.builder.ins().select(known, best, word)
            }
            _ => self.checked_add(so_far, word),
        };
        self.put(total, more);
        let one = self.constant(1);
        self.put(any, one);
    }

    fn size(&mut self, of: &Expr) -> Result<Word> {
        if let ExprKind::Variable(id) = &of.kind {
            match self.slot(*id) {
                Slot::Array { .. } => {
                    let mask = self.key_mask(*id);
                    return Ok(self.builder.ins().popcnt(mask));
                }
                Slot::Bits { .. } => {
                    let mut total = self.constant(0);
                    for word in self.bit_words(*id) {
                        let count = self.builder.ins().popcnt(word);
                        total = self.builder.ins().iadd(total, count);
                    }
                    return Ok(total);
                }
                Slot::Scalar(_) => {}
            }
        }
        if let ExprKind::Builtin { function: Builtin::Keys, args } = &of.kind {
            return self.size(&args[0]);
        }
        let kind = self.natural(of)?;
        let word = self.expr(of, &kind)?;
        self.size_of_word(word, &kind)
    }

    fn size_of_word(&mut self, word: Word, kind: &Kind) -> Result<Word> {
        match kind {
            Kind::Small { shape, .. } => match &**shape {
                Small::Set(_) => Ok(self.builder.ins().popcnt(word)),
                Small::Map { key, stride, .. } => {
                    let mask = self.small_map_keys(word, key, *stride);
                    Ok(self.builder.ins().popcnt(mask))
                }
                Small::String(table) => {
                    let lengths = table.iter().map(|text| text.chars().count() as u64).collect();
                    let list = self.list(lengths);
                    let bytes = self.builder.ins().ishl_imm_s(word, 3);
                    let address = self.builder.ins().iadd(list, bytes);
                    Ok(self.load(address, 0))
                }
                _ => Err(Unsupported::new("the size of this value")),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Seq(_) | Handle::Set(_) => Ok(self.call("length", &[word])),
                Handle::Map(..) => {
                    let words = self.call("length", &[word]);
                    Ok(self.builder.ins().ushr_imm_s(words, 1))
                }
                Handle::String => Ok(self.call("text_length", &[word])),
                _ => Err(Unsupported::new("the size of this value")),
            },
            Kind::Int => Err(Unsupported::new("the size of an integer")),
        }
    }

    fn is_some(&mut self, of: &Expr) -> Result<Word> {
        let kind = self.natural(of)?;
        let word = self.expr(of, &kind)?;
        Ok(self.some_word(word, &kind)?.0)
    }

    /// Whether an option has a value, and the value.
    pub(super) fn some_word(&mut self, word: Word, kind: &Kind) -> Result<(Word, Word, Kind)> {
        match kind {
            Kind::Small { shape, .. } => {
                let Small::Option(inner) = &**shape else { return Err(Unsupported::new("this is no option")) };
                let there = self.is(IntCC::NotEqual, word, 0);
                Ok((there, self.builder.ins().iadd_imm_s(word, -1), inner.clone()))
            }
            Kind::Handle(shape) => {
                let Handle::Option(inner) = &**shape else { return Err(Unsupported::new("this is no option")) };
                let (zero, one) = (self.constant(0), self.constant(1));
                let there = self.call("word_at", &[word, zero]);
                let value = self.choose(there, |code| Ok(code.call("word_at", &[word, one])), |_| Ok(zero))?;
                Ok((there, value, inner.clone()))
            }
            Kind::Int => Err(Unsupported::new("this is no option")),
        }
    }

    fn unwrap(&mut self, args: &[Expr], want: &Kind) -> Result<Word> {
        let kind = self.natural(&args[0])?;
        let word = self.expr(&args[0], &kind)?;
        let (there, value, inner) = self.some_word(word, &kind)?;
        match args.get(1) {
            None => {
                self.require(there);
                self.coerce(value, &inner, want)
            }
            Some(default) => {
                // The default is looked at in any case, as the reference does.
                let default = self.expr(default, want)?;
                self.choose(there, |code| code.coerce(value, &inner, want), |_| Ok(default))
            }
        }
    }

    fn map_get(&mut self, map: &Expr, key: &Expr, default: &Expr, want: &Kind) -> Result<Word> {
        let (there, value, kind) = self.find(map, key)?;
        let default = self.expr(default, want)?;
        self.choose(there, |code| code.coerce(value, &kind, want), |_| Ok(default))
    }

    fn find(&mut self, map: &Expr, key: &Expr) -> Result<(Word, Word, Kind)> {
        if let ExprKind::Variable(id) = &map.kind
            && let Slot::Array { key: kind, .. } = self.slot(*id)
        {
            let (at, fits) = self.key(key, kind)?;
            let (there, word, kind) = self.find_element(*id, at);
            return Ok((self.both(there, fits), word, kind));
        }
        let kind = self.natural(map)?;
        let word = self.expr(map, &kind)?;
        self.lookup(word, &kind, key)
    }

    fn map_find(&mut self, map: &Expr, key: &Expr, want: &Kind) -> Result<Word> {
        let (there, value, kind) = self.find(map, key)?;
        let inner = match want {
            Kind::Small { shape, .. } => match &**shape {
                Small::Option(inner) => inner.clone(),
                _ => return Err(Unsupported::at("an option here", map.span)),
            },
            _ => return Err(Unsupported::at("an option of a large value", map.span)),
        };
        self.choose(
            there,
            |code| {
                let value = code.coerce(value, &kind, &inner)?;
                Ok(code.builder.ins().iadd_imm_s(value, 1))
            },
            |code| Ok(code.constant(0)),
        )
    }

    fn keys(&mut self, of: &Expr, want: &Kind) -> Result<Word> {
        if let ExprKind::Variable(id) = &of.kind
            && let Slot::Array { key, .. } = self.slot(*id)
            && let Some(Small::Set(element)) = want.small()
            && element == key
        {
            return Ok(self.key_mask(*id));
        }
        self.elements(of, want)
    }

    fn only(&mut self, of: &Expr, want: &Kind) -> Result<Word> {
        let size = self.size(of)?;
        let one = self.is(IntCC::Equal, size, 1);
        self.require(one);
        let zero = self.constant(0);
        let found = self.variable(zero);
        let each = self.each(of)?;
        let turn = self.begin(each)?;
        let word = self.coerce(turn.word, &turn.kind, want)?;
        self.put(found, word);
        self.end(turn);
        Ok(self.get(found))
    }

    fn subset_of(&mut self, left: &Expr, right: &Expr) -> Result<Word> {
        let kind = self.natural(left)?;
        let (left, right) = (self.expr(left, &kind)?, self.expr(right, &kind)?);
        match &kind {
            Kind::Small { .. } => {
                let beyond = self.builder.ins().band_not(left, right);
                Ok(self.is(IntCC::Equal, beyond, 0))
            }
            _ => Ok(self.call("subset", &[left, right])),
        }
    }

    fn sequence(&mut self, function: Builtin, args: &[Expr], want: &Kind) -> Result<Word> {
        let kind = self.natural(&args[0])?;
        let Kind::Handle(shape) = &kind else { return Err(Unsupported::at("this operation", args[0].span)) };
        let Handle::Seq(element) = &**shape else { return Err(Unsupported::at("this operation", args[0].span)) };
        let seq = self.expr(&args[0], &kind)?;
        let length = self.call("length", &[seq]);
        if matches!(function, Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front) {
            self.require(length);
        }
        let (zero, one) = (self.constant(0), self.constant(1));
        let word = match function {
            Builtin::First | Builtin::Last => {
                let at = if function == Builtin::First { zero } else { self.builder.ins().iadd_imm_s(length, -1) };
                let word = self.call("word_at", &[seq, at]);
                return self.coerce(word, element, want);
            }
            Builtin::Rest => self.call("drop_words", &[seq, one]),
            Builtin::Front => {
                let count = self.builder.ins().iadd_imm_s(length, -1);
                self.call("take", &[seq, count])
            }
            Builtin::Reverse => self.call("reverse", &[seq]),
            Builtin::StartsWith => {
                let prefix = self.expr(&args[1], &kind)?;
                return Ok(self.call("starts_with", &[seq, prefix]));
            }
            Builtin::Take | Builtin::Drop => {
                let count = self.expr(&args[1], &Kind::Int)?;
                self.call(if function == Builtin::Take { "take" } else { "drop_words" }, &[seq, count])
            }
            _ => return Err(Unsupported::at("this operation", args[0].span)),
        };
        self.coerce(word, &kind, want)
    }

    /// A sequence as a set, or a set as a sequence.
    fn elements(&mut self, of: &Expr, want: &Kind) -> Result<Word> {
        let each = self.each(of)?;
        let zero = self.constant(0);
        let gathered = self.variable(zero);
        if let Kind::Handle(_) = want {
            self.call("build_begin", &[]);
        }
        let turn = self.begin(each)?;
        match want {
            Kind::Handle(shape) => {
                let (Handle::Seq(element) | Handle::Set(element)) = &**shape else {
                    return Err(Unsupported::at("the elements of this", of.span));
                };
                let word = self.coerce(turn.word, &turn.kind, element)?;
                self.call("build_push", &[word]);
            }
            _ => {
                let Some(Small::Set(element)) = want.small() else {
                    return Err(Unsupported::at("the elements of this", of.span));
                };
                let word = self.coerce(turn.word, &turn.kind, element)?;
                let so_far = self.get(gathered);
                let more = self.with_bit(so_far, word);
                self.put(gathered, more);
            }
        }
        self.end(turn);
        match want {
            Kind::Handle(shape) => match &**shape {
                Handle::Set(element) => {
                    let order = self.kind_number(element);
                    Ok(self.call("build_set", &[order]))
                }
                _ => Ok(self.call("build_seq", &[])),
            },
            _ => Ok(self.get(gathered)),
        }
    }
}
