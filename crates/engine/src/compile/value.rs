//! Values on their way: made out of parts, brought from one kind to another, handed to places.
//!
//! Bringing a value to a kind that is at least as wide always works. Otherwise it may have no word there, and the code that
//! is written also says whether it has one: a place then makes an error of the model of it, a lookup finds nothing.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{BinaryOperator, Expr, ExprKind, Type};
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small, View};
use interplay_semantics::Value;
use std::collections::BTreeSet;

impl<'a> Code<'a, '_> {
    pub(super) fn kind_of(&self, ty: &Type) -> Result<Kind> {
        self.input.kinds.of(ty)
    }

    /// A value that is known now, in its narrowest kind.
    pub(super) fn known(&mut self, value: &Value, ty: &Type) -> Result<Typed> {
        let kind = self.input.kinds.of_value(value, ty)?;
        let word = kind.encode(value, self.input.store).ok_or_else(|| Unsupported::new("a value outside its kind"))?;
        Ok((self.constant(word), kind))
    }

    /// The value of an expression that depends on nothing, if it has one.
    pub(super) fn constant_value(&self, expr: &Expr) -> Option<Value> {
        let instance = self.input.kinds.instance;
        match &expr.kind {
            ExprKind::Bool(value) => return Some(Value::Bool(*value)),
            ExprKind::Int(value) => return Some(Value::Int(*value)),
            ExprKind::Local(_) | ExprKind::Variable(_) => return None,
            _ if depends(expr, instance.model()) => return None,
            _ => {}
        }
        instance.evaluate_with(expr, &[], &[], &self.input.initial[0], None).ok()
    }

    /// The same value in a kind that has a word for it.
    pub(super) fn widen(&mut self, word: Word, from: &Kind, to: &Kind) -> Result<Word> {
        match self.try_coerce(word, from, to)? {
            (word, None) => Ok(word),
            (_, Some(_)) => Err(Unsupported::new("a value that may lie outside its kind")),
        }
    }

    /// Two values in one kind.
    pub(super) fn unify(&mut self, left: Typed, right: Typed) -> Result<(Word, Word, Kind)> {
        let kind = left.1.join(&right.1)?;
        Ok((self.widen(left.0, &left.1, &kind)?, self.widen(right.0, &right.1, &kind)?, kind))
    }

    /// The value of an expression in this kind, zero if it has no word there, and whether it has one (if that is not
    /// certain).
    pub(super) fn fitting(&mut self, expr: &Expr, want: &Kind) -> Result<(Word, Option<Word>)> {
        if let Some(value) = self.constant_value(expr) {
            return Ok(match want.encode(&value, self.input.store) {
                Some(word) => (self.constant(word), None),
                None => (self.constant(0), Some(self.constant(0))),
            });
        }
        if matches!(want, Kind::Small { .. })
            && let Some(found) = self.fitting_parts(expr, want)?
        {
            return Ok(found);
        }
        let (word, kind) = self.value(expr)?;
        let (word, fits) = self.try_coerce(word, &kind, want)?;
        let Some(fits) = fits else { return Ok((word, None)) };
        let zero = self.constant(0);
        Ok((self.builder.ins().select(fits, word, zero), Some(fits)))
    }

    /// A value that is put together here, in this small kind from the start: its parts are brought to the kinds of the
    /// parts, and nothing has to be taken apart again.
    fn fitting_parts(&mut self, expr: &Expr, want: &Kind) -> Result<Option<(Word, Option<Word>)>> {
        let (parts, kinds) = match (&expr.kind, want.view()) {
            (ExprKind::Some(inner), View::Option(kind)) => (std::slice::from_ref(&**inner), std::slice::from_ref(kind)),
            (ExprKind::Variant { variant, args, .. }, View::Enum(kinds)) => (&args[..], kinds[*variant]),
            (ExprKind::Record { fields: parts, .. } | ExprKind::Tuple(parts), View::Tuple(kinds)) => {
                (&parts[..], kinds)
            }
            _ => return Ok(None),
        };
        let (mut words, mut fits) = (Vec::new(), None);
        for (part, kind) in parts.iter().zip(kinds) {
            let (word, good) = self.fitting(part, kind)?;
            words.push(word);
            fits = self.both(fits, good);
        }
        let word = match &expr.kind {
            ExprKind::Some(_) => self.some_of(words[0], want),
            ExprKind::Variant { variant, .. } => self.variant_of(*variant, &words, want)?,
            _ => self.tuple_of(&words, want)?,
        };
        Ok(Some((word, fits)))
    }

    /// The value in the kind of a place; one that has no word there is an error of the model.
    pub(super) fn require_fit(&mut self, (word, fits): (Word, Option<Word>)) -> Word {
        if let Some(fits) = fits {
            self.require(fits);
        }
        word
    }

    /// A value that is written to a place. What it is made of can be checked before it is put together, as long as every
    /// part stays a part of the whole.
    pub(super) fn place_value(&mut self, expr: &Expr, want: &Kind) -> Result<Word> {
        use ExprKind::*;
        if self.constant_value(expr).is_none() {
            match (&expr.kind, want.view()) {
                (Some(inner), View::Option(kind)) => {
                    let word = self.place_value(inner, kind)?;
                    return Ok(self.some_of(word, want));
                }
                (Variant { variant, args, .. }, View::Enum(kinds)) => {
                    let words = self.place_all(args, kinds[*variant])?;
                    return self.variant_of(*variant, &words, want);
                }
                (Record { fields: parts, .. } | Tuple(parts), View::Tuple(kinds)) => {
                    let words = self.place_all(parts, kinds)?;
                    return self.tuple_of(&words, want);
                }
                (Seq(parts), View::Seq(kind)) | (Set(parts), View::Set(kind)) => {
                    let words = parts.iter().map(|part| self.place_value(part, kind)).collect::<Result<Vec<_>>>()?;
                    return Ok(self.collection_of(&words, want));
                }
                (If { condition, then, otherwise }, _) => {
                    let condition = self.test(condition)?;
                    return self.choose(
                        condition,
                        |code| code.place_value(then, want),
                        |code| code.place_value(otherwise, want),
                    );
                }
                (Binary { operator: BinaryOperator::Add, left, right }, View::Seq(kind) | View::Set(kind)) => {
                    return self.place_sum(left, right, kind, want);
                }
                _ => {}
            }
        }
        let fitting = self.fitting(expr, want)?;
        Ok(self.require_fit(fitting))
    }

    fn place_all(&mut self, parts: &[Expr], kinds: &[Kind]) -> Result<Vec<Word>> {
        parts.iter().zip(kinds).map(|(part, kind)| self.place_value(part, kind)).collect()
    }

    fn place_sum(&mut self, left: &Expr, right: &Expr, element: &Kind, want: &Kind) -> Result<Word> {
        let first = self.place_value(left, want)?;
        match &right.kind {
            ExprKind::Seq(parts) | ExprKind::Set(parts) if parts.len() == 1 => {
                let word = self.place_value(&parts[0], element)?;
                Ok(self.with_element(first, word, want))
            }
            _ => {
                let second = self.place_value(right, want)?;
                self.combine_words(BinaryOperator::Add, first, second, want)
            }
        }
    }

    /// The same value in another kind, and whether there is one (if that is not certain).
    pub(super) fn try_coerce(&mut self, word: Word, from: &Kind, to: &Kind) -> Result<(Word, Option<Word>)> {
        if from == to {
            return Ok((word, None));
        }
        match from.card() {
            Some(0) => return Ok((self.constant(0), None)),
            Some(1) => {
                let value = from.decode(0, self.input.store);
                return Ok(match to.encode(&value, self.input.store) {
                    Some(word) => (self.constant(word), None),
                    None => (self.constant(0), Some(self.constant(0))),
                });
            }
            _ => {}
        }
        match (from.view(), to.view()) {
            (View::Number(..), View::Number(..)) => Ok(self.coerce_number(word, from, to)),
            (View::Tuple(kinds), View::Tuple(others)) => {
                let mut fits = None;
                let mut words = Vec::new();
                for (index, (kind, other)) in kinds.iter().zip(others).enumerate() {
                    let (part, _) = self.part(word, from, index)?;
                    let (part, good) = self.try_coerce(part, kind, other)?;
                    words.push(part);
                    fits = self.both(fits, good);
                }
                // Words that do not fit would make no number; they are not looked at.
                if let (Some(fits), Kind::Handle(_)) = (fits, to) {
                    let zero = self.constant(0);
                    let word = self.choose(fits, |code| code.tuple_of(&words, to), |_| Ok(zero))?;
                    return Ok((word, Some(fits)));
                }
                Ok((self.tuple_of(&words, to)?, fits))
            }
            (View::Option(_), View::Option(inner)) => {
                let (there, value, kind) = self.some_word(word, from)?;
                let (some, none) = (self.block(), self.block());
                let end = self.block();
                self.builder.append_block_param(end, cranelift_codegen::ir::types::I64);
                self.builder.append_block_param(end, cranelift_codegen::ir::types::I64);
                self.builder.ins().brif(there, some, &[], none, &[]);
                self.at(some);
                let (value, fits) = self.try_coerce(value, &kind, inner)?;
                let good = match fits {
                    Some(fits) => fits,
                    None => self.constant(1),
                };
                let value = self.some_of(value, to);
                self.builder.ins().jump(end, &[value.into(), good.into()]);
                self.at(none);
                let (nothing, good) = (self.none_of(to), self.constant(1));
                self.builder.ins().jump(end, &[nothing.into(), good.into()]);
                self.at(end);
                let params = self.builder.block_params(end);
                Ok((params[0], fits.map(|_| params[1])))
            }
            _ => Ok(self.convert(word, from, to)),
        }
    }

    fn coerce_number(&mut self, word: Word, from: &Kind, to: &Kind) -> (Word, Option<Word>) {
        let within = from.within(to);
        let number = match from.small() {
            Some(Small::Range { low }) => self.builder.ins().iadd_imm_s(word, *low),
            _ => word,
        };
        match (to, to.small()) {
            (Kind::Small { card, .. }, Some(Small::Range { low })) => {
                let moved = self.builder.ins().iadd_imm_s(number, low.wrapping_neg());
                let fits = (!within).then(|| self.is(IntCC::UnsignedLessThan, moved, *card));
                (moved, fits)
            }
            (Kind::Int(low, high), _) if !within => {
                let above = self.is(IntCC::SignedGreaterThanOrEqual, number, *low as u64);
                let below = self.is(IntCC::SignedLessThanOrEqual, number, *high as u64);
                (number, Some(self.builder.ins().band(above, below)))
            }
            _ => (number, None),
        }
    }

    /// Any other conversion: the value is taken apart and put together again.
    fn convert(&mut self, word: Word, from: &Kind, to: &Kind) -> (Word, Option<Word>) {
        let certain = from.within(to);
        let (from, to) = (self.kind_number(from), self.kind_number(to));
        // One more than the word, or zero.
        let found = self.call("convert", &[word, from, to]);
        let converted = self.builder.ins().iadd_imm_s(found, -1);
        if certain {
            return (converted, None);
        }
        (converted, Some(self.is(IntCC::NotEqual, found, 0)))
    }

    pub(super) fn both(&mut self, one: Option<Word>, other: Option<Word>) -> Option<Word> {
        match (one, other) {
            (Some(one), Some(other)) => Some(self.builder.ins().band(one, other)),
            (one, other) => one.or(other),
        }
    }

    /// The handle of a list of words.
    pub(super) fn interned(&mut self, words: &[Word]) -> Word {
        self.call("build_begin", &[]);
        self.push_all(words);
        self.call("build_seq", &[])
    }

    pub(super) fn push_all(&mut self, words: &[Word]) {
        for word in words {
            self.call("build_push", &[*word]);
        }
    }

    pub(super) fn none_of(&mut self, kind: &Kind) -> Word {
        let zero = self.constant(0);
        if matches!(kind, Kind::Handle(_)) { self.interned(&[zero]) } else { zero }
    }

    /// An option with a value of the kind inside.
    pub(super) fn some_of(&mut self, word: Word, kind: &Kind) -> Word {
        if matches!(kind, Kind::Handle(_)) {
            let one = self.constant(1);
            return self.interned(&[one, word]);
        }
        self.builder.ins().iadd_imm_s(word, 1)
    }

    pub(super) fn variant_of(&mut self, variant: usize, words: &[Word], kind: &Kind) -> Result<Word> {
        match kind.small() {
            Some(Small::Enum(variants)) => {
                let (base, kinds) = variants[variant].clone();
                let word = self.mixed(words, &kinds);
                Ok(self.builder.ins().iadd_imm_s(word, base as i64))
            }
            Some(_) => Err(Unsupported::new("a variant here")),
            None => {
                let mut all = vec![self.constant(variant as u64)];
                all.extend(words);
                Ok(self.interned(&all))
            }
        }
    }

    pub(super) fn tuple_of(&mut self, words: &[Word], kind: &Kind) -> Result<Word> {
        match kind.small() {
            Some(Small::Tuple(kinds)) => Ok(self.mixed(words, kinds)),
            Some(_) => Err(Unsupported::new("a tuple here")),
            None => Ok(self.interned(words)),
        }
    }

    /// A set or sequence of words of the kind inside.
    pub(super) fn collection_of(&mut self, words: &[Word], kind: &Kind) -> Word {
        if matches!(kind, Kind::Small { .. }) {
            let start = self.constant(0);
            return words.iter().fold(start, |mask, word| self.with_bit(mask, *word));
        }
        self.call("build_begin", &[]);
        self.push_all(words);
        self.built(kind)
    }

    /// A mixed-radix number, the first part the most significant.
    fn mixed(&mut self, words: &[Word], kinds: &[Kind]) -> Word {
        let mut number = self.constant(0);
        for (word, kind) in words.iter().zip(kinds) {
            let higher = self.builder.ins().imul_imm_s(number, kind.card().unwrap_or(1) as i64);
            number = self.builder.ins().iadd(higher, *word);
        }
        number
    }

    /// One digit of a mixed-radix number.
    pub(super) fn digit(&mut self, number: Word, kinds: &[Kind], index: usize) -> Word {
        let below: u64 = kinds[index + 1..].iter().map(|kind| kind.card().unwrap_or(1)).product::<u64>().max(1);
        let card = kinds[index].card().unwrap_or(1).max(1);
        let high = if below.is_power_of_two() {
            self.builder.ins().ushr_imm_s(number, i64::from(below.trailing_zeros()))
        } else {
            self.builder.ins().udiv_imm_s(number, below as i64)
        };
        match index {
            0 => high,
            _ if card.is_power_of_two() => self.builder.ins().band_imm_s(high, card as i64 - 1),
            _ => self.builder.ins().urem_imm_s(high, card as i64),
        }
    }

    /// A field of a record or part of a tuple.
    pub(super) fn part(&mut self, word: Word, kind: &Kind, index: usize) -> Result<Typed> {
        let View::Tuple(kinds) = kind.view() else { return Err(Unsupported::new("a field of this value")) };
        let part = match kind {
            Kind::Small { .. } => self.digit(word, kinds, index),
            _ => self.nth_word(word, index),
        };
        Ok((part, kinds[index].clone()))
    }

    /// Whether an option has a value, and the value.
    pub(super) fn some_word(&mut self, word: Word, kind: &Kind) -> Result<(Word, Word, Kind)> {
        let View::Option(inner) = kind.view() else { return Err(Unsupported::new("this is no option")) };
        if matches!(kind, Kind::Small { .. }) {
            let there = self.is(IntCC::NotEqual, word, 0);
            return Ok((there, self.builder.ins().iadd_imm_s(word, -1), inner.clone()));
        }
        let (zero, there) = (self.constant(0), self.nth_word(word, 0));
        let value = self.choose(there, |code| Ok(code.nth_word(word, 1)), |_| Ok(zero))?;
        Ok((there, value, inner.clone()))
    }

    pub(super) fn with_bit(&mut self, mask: Word, bit: Word) -> Word {
        let one = self.constant(1);
        let bit = self.builder.ins().ishl(one, bit);
        self.builder.ins().bor(mask, bit)
    }

    /// A set or sequence with one more element.
    pub(super) fn with_element(&mut self, collection: Word, word: Word, kind: &Kind) -> Word {
        match kind {
            Kind::Handle(shape) => match &**shape {
                Handle::Set(element) => {
                    let order = self.kind_number(element);
                    self.call("set_add", &[collection, word, order])
                }
                _ => self.call_fallible("append", &[collection, word]),
            },
            _ => self.with_bit(collection, word),
        }
    }

    /// The collection whose words were pushed.
    pub(super) fn built(&mut self, kind: &Kind) -> Word {
        match kind.view() {
            View::Set(element) => {
                let order = self.kind_number(element);
                self.call("build_set", &[order])
            }
            View::Map(key, _) => {
                let order = self.kind_number(key);
                self.call("build_map", &[order])
            }
            _ => self.call("build_seq", &[]),
        }
    }

    /// A small map with one entry written.
    pub(super) fn with_field(&mut self, fields: Word, at: Word, word: Word, stride: u32) -> Word {
        let kept = self.without_field(fields, at, stride);
        let shift = self.builder.ins().imul_imm_s(at, i64::from(stride));
        let code = self.builder.ins().iadd_imm_s(word, 1);
        let bits = self.builder.ins().ishl(code, shift);
        self.builder.ins().bor(kept, bits)
    }

    pub(super) fn without_field(&mut self, fields: Word, at: Word, stride: u32) -> Word {
        let shift = self.builder.ins().imul_imm_s(at, i64::from(stride));
        let hole = self.constant((1 << stride) - 1);
        let hole = self.builder.ins().ishl(hole, shift);
        self.builder.ins().band_not(fields, hole)
    }
}

/// Whether an expression looks at the state, the step, or anything bound outside of it.
pub(super) fn depends(expr: &Expr, model: &interplay_model::Model) -> bool {
    depends_within(expr, model, &[], &mut BTreeSet::new())
}

/// The same inside the parameters of a definition; each definition is looked at once.
fn depends_within(
    expr: &Expr,
    model: &interplay_model::Model,
    bound: &[interplay_model::LocalId],
    entered: &mut BTreeSet<interplay_model::DefinitionId>,
) -> bool {
    match &expr.kind {
        // Binders and patterns would need their scope to be followed; such expressions are computed when the code runs.
        ExprKind::Comprehension(_) | ExprKind::Quantified { .. } | ExprKind::Match { .. } | ExprKind::Is { .. } => {
            return true;
        }
        ExprKind::Local(local) => return !bound.contains(local),
        ExprKind::Variable(_)
        | ExprKind::New(_)
        | ExprKind::ObjectCount(_)
        | ExprKind::ObjectAll(_)
        | ExprKind::At { .. }
        | ExprKind::Old(_)
        | ExprKind::Happens { .. }
        | ExprKind::SignalValue { .. }
        | ExprKind::Silence
        | ExprKind::Temporal { .. }
        | ExprKind::Error => return true,
        ExprKind::Call { definition, .. } if entered.insert(*definition) => {
            let definition = &model.definitions[definition.0];
            let params: Vec<_> = (0..definition.params).map(interplay_model::LocalId).collect();
            if depends_within(&definition.body, model, &params, entered) {
                return true;
            }
        }
        _ => {}
    }
    let mut any = false;
    expr.children(&mut |child| any = any || depends_within(child, model, bound, entered));
    any
}
