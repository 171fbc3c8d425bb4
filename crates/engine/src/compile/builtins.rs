//! Operations on collections and options.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use cranelift_frontend::Variable;
use interplay_model::{Builtin, Expr, ExprKind, Shape};
use interplay_rows::Slot;
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small, View};

impl<'a> Code<'a, '_> {
    pub(super) fn builtin(&mut self, function: Builtin, args: &[Expr]) -> Result<Typed> {
        use Builtin::*;
        let of = &args[0];
        match function {
            Size | Count if !is_folded(of) => Ok((self.size(of)?, Kind::INT)),
            Size | Count | Sum | Min | Max => self.fold(function, of),
            IsEmpty => {
                let size = self.size(of)?;
                Ok((self.is(IntCC::Equal, size, 0), Kind::bool()))
            }
            Abs => {
                let word = self.number(of)?;
                let zero = self.constant(0);
                let negative = self.is(IntCC::SignedLessThan, word, 0);
                let size = self.choose(negative, |code| Ok(code.checked_subtract(zero, word)), |_| Ok(word))?;
                Ok((size, Kind::INT))
            }
            Contains => Ok((self.member(&args[1], of)?, Kind::bool())),
            IsSome | IsNone => {
                let (word, kind) = self.value(of)?;
                let (there, ..) = self.some_word(word, &kind)?;
                let flag = if function == IsSome { there } else { self.builder.ins().bxor_imm_s(there, 1) };
                Ok((flag, Kind::bool()))
            }
            OptionGet => {
                let (word, kind) = self.value(of)?;
                let (there, value, inner) = self.some_word(word, &kind)?;
                self.require(there);
                Ok((value, inner))
            }
            // Defaults are looked at in any case, as the reference does.
            OptionOr => {
                let (word, kind) = self.value(of)?;
                let (there, value, inner) = self.some_word(word, &kind)?;
                let default = self.value(&args[1])?;
                self.either(there, |_| Ok((value, inner)), |_| Ok(default))
            }
            MapGet => {
                let (there, value, kind) = self.find(of, &args[1])?;
                let default = self.value(&args[2])?;
                self.either(there, |_| Ok((value, kind)), |_| Ok(default))
            }
            MapFind => {
                let (there, value, kind) = self.find(of, &args[1])?;
                let kind = Kind::option(kind);
                let word = self.choose(there, |code| Ok(code.some_of(value, &kind)), |code| Ok(code.none_of(&kind)))?;
                Ok((word, kind))
            }
            Keys => self.gathered(of, Kind::set),
            Elements => match self.input.kinds.instance.model().types.strip(&of.ty) {
                interplay_model::Type::Set(_) => self.gathered(of, Kind::seq),
                _ => self.gathered(of, Kind::set),
            },
            Values => self.map_values(of),
            Only => self.only(of),
            SubsetOf => {
                let (left, right) = (self.value(of)?, self.value(&args[1])?);
                let (left, right, kind) = self.unify(left, right)?;
                if matches!(kind, Kind::Handle(_)) {
                    return Ok((self.call("subset", &[left, right]), Kind::bool()));
                }
                let beyond = self.builder.ins().band_not(left, right);
                Ok((self.is(IntCC::Equal, beyond, 0), Kind::bool()))
            }
            StartsWith => {
                let (left, right) = (self.value(of)?, self.value(&args[1])?);
                let (left, right, kind) = self.unify(left, right)?;
                let open = kind.opened();
                let (left, right) = (self.widen(left, &kind, &open)?, self.widen(right, &kind, &open)?);
                let text = matches!(kind.view(), View::Text);
                Ok((self.call(if text { "text_starts" } else { "starts_with" }, &[left, right]), Kind::bool()))
            }
            First | Last | Rest | Front | Reverse | Take | Drop => self.sequence(function, args),
        }
    }

    fn fold(&mut self, function: Builtin, of: &Expr) -> Result<Typed> {
        let zero = self.constant(0);
        let (total, any) = (self.variable(zero), self.variable(zero));
        let mut kind = Kind::INT;
        match &of.kind {
            ExprKind::Comprehension(comprehension) if is_folded(of) => {
                self.for_all(&comprehension.binders, comprehension.condition.as_ref(), &mut |code| {
                    let item = code.value(&comprehension.item)?;
                    kind = code.fold_one(function, item, total, any)?;
                    Ok(())
                })?;
            }
            _ => {
                let each = self.each(of)?;
                let turn = self.begin(each)?;
                kind = self.fold_one(function, (turn.word, turn.kind.clone()), total, any)?;
                self.end(turn);
            }
        }
        if matches!(function, Builtin::Min | Builtin::Max) {
            let any = self.get(any);
            self.require(any);
        }
        Ok((self.get(total), kind))
    }

    /// Takes one more item into a sum, a count or an extreme; gives the kind of the result.
    fn fold_one(&mut self, function: Builtin, item: Typed, total: Variable, any: Variable) -> Result<Kind> {
        let so_far = self.get(total);
        let (more, kind) = match function {
            Builtin::Min | Builtin::Max => {
                let order = if function == Builtin::Min { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
                let (word, kind) = item;
                let known = self.get(any);
                // The first item has nothing to be compared with.
                let best = self.choose(
                    known,
                    |code| {
                        let better = code.compare_in(order, word, so_far, &kind);
                        Ok(code.builder.ins().select(better, word, so_far))
                    },
                    |_| Ok(word),
                )?;
                (best, kind)
            }
            Builtin::Sum => {
                let word = self.widen(item.0, &item.1, &Kind::INT)?;
                (self.checked_add(so_far, word), Kind::INT)
            }
            _ => (self.builder.ins().iadd_imm_s(so_far, 1), Kind::INT),
        };
        self.put(total, more);
        let one = self.constant(1);
        self.put(any, one);
        Ok(kind)
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
        let (word, kind) = self.value(of)?;
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
                Handle::Seq(_) | Handle::Set(_) => Ok(self.length(word)),
                Handle::Map(..) => {
                    let words = self.length(word);
                    Ok(self.builder.ins().ushr_imm_s(words, 1))
                }
                Handle::String => Ok(self.call("text_length", &[word])),
                _ => Err(Unsupported::new("the size of this value")),
            },
            Kind::Int(..) => Err(Unsupported::new("the size of an integer")),
        }
    }

    fn find(&mut self, map: &Expr, key: &Expr) -> Result<(Word, Word, Kind)> {
        if let ExprKind::Variable(id) = &map.kind
            && let Slot::Array { key: kind, .. } = self.slot(*id)
        {
            let (at, fits) = self.fitting(key, kind)?;
            let (there, word, kind) = self.find_element(*id, at);
            return Ok((self.both(Some(there), fits).unwrap_or(there), word, kind));
        }
        let (word, kind) = self.value(map)?;
        self.lookup(word, &kind, key)
    }

    /// The elements or keys of a collection, as another one.
    fn gathered(&mut self, of: &Expr, make: impl FnOnce(Kind) -> Kind) -> Result<Typed> {
        if let ExprKind::Variable(id) = &of.kind
            && let Slot::Array { key, .. } = self.slot(*id)
            && let kind @ Kind::Small { .. } = Kind::set(key.clone())
        {
            return Ok((self.key_mask(*id), kind));
        }
        let each = self.each(of)?;
        self.gather_each(each, make)
    }

    pub(super) fn gather_each(&mut self, each: super::each::Each, make: impl FnOnce(Kind) -> Kind) -> Result<Typed> {
        let gathered = self.builder.declare_var(cranelift_codegen::ir::types::I64);
        let kind = self.prepared(
            |code| {
                let turn = code.begin(each)?;
                let kind = make(turn.kind.clone());
                code.gather_element(&kind, gathered, turn.word);
                code.end(turn);
                Ok(kind)
            },
            |code, kind| code.begin_gathering(kind, gathered),
        )?;
        Ok((self.end_gathering(&kind, gathered), kind))
    }

    fn map_values(&mut self, of: &Expr) -> Result<Typed> {
        let each = self.each_map_value(of)?;
        self.gather_each(each, Kind::seq)
    }

    fn only(&mut self, of: &Expr) -> Result<Typed> {
        let size = self.size(of)?;
        let one = self.is(IntCC::Equal, size, 1);
        self.require(one);
        let zero = self.constant(0);
        let found = self.variable(zero);
        let each = self.each(of)?;
        let turn = self.begin(each)?;
        self.put(found, turn.word);
        let kind = turn.kind.clone();
        self.end(turn);
        Ok((self.get(found), kind))
    }

    fn sequence(&mut self, function: Builtin, args: &[Expr]) -> Result<Typed> {
        let (seq, kind) = self.value(&args[0])?;
        let View::Seq(element) = kind.view() else { return Err(Unsupported::at("this operation", args[0].span)) };
        let element = element.clone();
        let length = self.length(seq);
        if matches!(function, Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front) {
            self.require(length);
        }
        let (zero, one) = (self.constant(0), self.constant(1));
        let word = match function {
            Builtin::First | Builtin::Last => {
                let at = if function == Builtin::First { zero } else { self.builder.ins().iadd_imm_s(length, -1) };
                return Ok((self.word_at(seq, at), element));
            }
            Builtin::Rest => self.call("drop_words", &[seq, one]),
            Builtin::Front => {
                let count = self.builder.ins().iadd_imm_s(length, -1);
                self.call("take", &[seq, count])
            }
            Builtin::Reverse => self.call("reverse", &[seq]),
            Builtin::Take | Builtin::Drop => {
                let count = self.number(&args[1])?;
                self.call(if function == Builtin::Take { "take" } else { "drop_words" }, &[seq, count])
            }
            _ => return Err(Unsupported::at("this operation", args[0].span)),
        };
        Ok((word, kind))
    }
}

/// A comprehension need not be made to be counted or summed.
fn is_folded(of: &Expr) -> bool {
    matches!(&of.kind, ExprKind::Comprehension(comprehension) if comprehension.shape == Shape::Seq)
}
