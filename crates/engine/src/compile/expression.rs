//! Expressions: each becomes one word of the kind that is wanted.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use crate::layout::Slot;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use interplay_model::{BinaryOperator, Binder, Comprehension, Expr, ExprKind, Shape, Source, Type};

impl<'a> Code<'a, '_> {
    /// The kind of an expression's own type.
    pub(super) fn natural(&self, expr: &Expr) -> Result<Kind> {
        self.kind_of(&expr.ty).map_err(|unsupported| Unsupported { span: Some(expr.span), ..unsupported })
    }

    pub(super) fn kind_of(&self, ty: &Type) -> Result<Kind> {
        self.input.kinds.of(ty)
    }

    /// A condition as zero or one.
    pub(super) fn test(&mut self, expr: &Expr) -> Result<Word> {
        let kind = self.kind_of(&Type::Bool)?;
        self.expr(expr, &kind)
    }

    /// Goes on if the condition holds, otherwise to `target`.
    pub(super) fn check(&mut self, expr: &Expr, target: Block) -> Result<()> {
        match &expr.kind {
            ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
                self.check(left, target)?;
                self.check(right, target)
            }
            ExprKind::Not(inner) => {
                let word = self.test(inner)?;
                self.when(word, target);
                Ok(())
            }
            _ => {
                let word = self.test(expr)?;
                self.unless(word, target);
                Ok(())
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, want: &Kind) -> Result<Word> {
        use ExprKind::*;
        if let Option::Some(word) = self.folded(expr, want) {
            return Ok(self.constant(word));
        }
        if self.placing && !is_constructor(expr) {
            self.placing = false;
            let word = self.expr(expr, want);
            self.placing = true;
            return word;
        }
        match &expr.kind {
            Bool(value) => Ok(self.constant(u64::from(*value))),
            Int(value) => {
                let word = self.constant(*value as u64);
                self.coerce(word, &Kind::Int, want)
            }
            String(_) | Constant(_) => self.known(expr, want),
            Local(id) => {
                let (word, kind) =
                    self.local(*id).ok_or_else(|| Unsupported::at("a name without a value here", expr.span))?;
                self.coerce(word, &kind, want)
            }
            Variable(id) => {
                let (word, kind) = self.read_variable(*id)?;
                self.coerce(word, &kind, want)
            }
            None => self.option(Option::None, want),
            Some(inner) => self.option(Option::Some(inner), want),
            Variant { variant, args, .. } => self.variant(*variant, args, want),
            Record { fields: parts, .. } | Tuple(parts) => self.tuple(parts, want),
            Seq(parts) | Set(parts) => self.collection(parts, want),
            Map(pairs) => self.map(pairs, want),
            Comprehension(comprehension) => self.comprehension(comprehension, want),
            Quantified { every, binders, condition, body } => {
                self.quantified(*every, binders, condition.as_deref(), body)
            }
            Not(inner) => {
                let word = self.test(inner)?;
                Ok(self.builder.ins().bxor_imm_s(word, 1))
            }
            Negate(inner) => {
                let word = self.expr(inner, &Kind::Int)?;
                let zero = self.constant(0);
                let word = self.checked_subtract(zero, word);
                self.coerce(word, &Kind::Int, want)
            }
            Binary { operator, left, right } => self.binary(*operator, left, right, expr, want),
            If { condition, then, otherwise } => {
                let condition = self.test(condition)?;
                self.choose(condition, |code| code.part_of(then, want), |code| code.part_of(otherwise, want))
            }
            Match { value, arms } => self.match_expr(value, arms, want),
            Is { value, pattern } => self.is_pattern(value, pattern),
            Field { of, index } => self.field(of, *index, want),
            Index { of, index } => self.index(of, index, want),
            Builtin { function, args } => self.builtin(*function, args, expr, want),
            Call { definition, args } => self.call_definition(definition.0, args, want),
            New(id) if self.writing => Ok(self.new_object(*id)),
            ObjectCount(id) => {
                let count = self.object_count(*id);
                self.coerce(count, &Kind::Int, want)
            }
            ObjectAll(id) => self.all_objects(*id, want),
            At { component, locations } => Ok(self.is_at(component.0, locations)),
            Old(inner) => {
                let base = std::mem::replace(&mut self.base, self.row);
                let word = self.expr(inner, want);
                self.base = base;
                word
            }
            New(_) | Happens { .. } | SignalValue { .. } | Silence | Temporal { .. } | Error => {
                Err(Unsupported::at("this expression", expr.span))
            }
        }
    }

    /// The word of an expression that depends on nothing, computed now.
    fn folded(&mut self, expr: &Expr, want: &Kind) -> Option<u64> {
        let value = self.constant_value(expr)?;
        want.encode(&value, self.input.store)
    }

    /// The value of an expression that depends on nothing. Literals are left alone: they are as cheap as it gets.
    pub(super) fn constant_value(&self, expr: &Expr) -> Option<interplay_semantics::Value> {
        let instance = self.input.kinds.instance;
        let leaf =
            matches!(expr.kind, ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Local(_) | ExprKind::Variable(_));
        if leaf || depends(expr, instance.model(), &mut Vec::new()) {
            return None;
        }
        instance.evaluate_with(expr, &[], &[], &self.input.initial[0], None).ok()
    }

    /// A value that is known now.
    fn known(&mut self, expr: &Expr, want: &Kind) -> Result<Word> {
        let value = match &expr.kind {
            ExprKind::String(text) => interplay_semantics::Value::String(text.clone()),
            ExprKind::Constant(id) => {
                self.input.kinds.instance.constant(*id).map_err(|error| Unsupported::at(error.message, expr.span))?
            }
            _ => return Err(Unsupported::at("this value", expr.span)),
        };
        match want.encode(&value, self.input.store) {
            Some(word) => Ok(self.constant(word)),
            None => Err(Unsupported::at("a constant that lies outside its range", expr.span)),
        }
    }

    /// The same value in another kind. Refused where the value may have no word there: only places check their ranges.
    pub(super) fn coerce(&mut self, word: Word, from: &Kind, to: &Kind) -> Result<Word> {
        let (word, fits) = self.try_coerce(word, from, to)?;
        match fits {
            None => Ok(word),
            Some(_) => Err(Unsupported::new("a value that may lie outside its range")),
        }
    }

    /// The same value in the kind of a place; one that has no word there is an error of the model.
    pub(super) fn coerce_to_place(&mut self, word: Word, from: &Kind, to: &Kind) -> Result<Word> {
        let (word, fits) = self.try_coerce(word, from, to)?;
        if let Some(fits) = fits {
            self.require(fits);
        }
        Ok(word)
    }

    /// A value that is written to a place: its parts are checked as they are made.
    pub(super) fn place_value(&mut self, expr: &Expr, want: &Kind) -> Result<Word> {
        if is_constructor(expr) {
            let outer = std::mem::replace(&mut self.placing, true);
            let word = self.expr(expr, want);
            self.placing = outer;
            return word;
        }
        let natural = self.natural(expr).unwrap_or_else(|_| want.clone());
        let word = self.expr(expr, &natural)?;
        self.coerce_to_place(word, &natural, want)
    }

    /// A part of a value that is being made.
    fn part_of(&mut self, expr: &Expr, want: &Kind) -> Result<Word> {
        if self.placing { self.place_value(expr, want) } else { self.expr(expr, want) }
    }

    /// The same value in another kind, and whether there is one (if that is not certain).
    pub(super) fn try_coerce(&mut self, word: Word, from: &Kind, to: &Kind) -> Result<(Word, Option<Word>)> {
        if from == to {
            return Ok((word, None));
        }
        let low = |kind: &Kind| match kind.small() {
            Some(Small::Range { low }) => Some(*low),
            _ => None,
        };
        match (from, to, low(from), low(to)) {
            (_, Kind::Int, Some(low), _) => Ok((self.builder.ins().iadd_imm_s(word, low), None)),
            (Kind::Int, Kind::Small { card, .. }, _, Some(low)) => Ok(self.ranged(word, low, *card)),
            (_, Kind::Small { card, .. }, Some(below), Some(low)) => {
                let moved = self.builder.ins().iadd_imm_s(word, below);
                let (moved, fits) = self.ranged(moved, low, *card);
                Ok((moved, fits.filter(|_| !from.within(to))))
            }
            _ if from.within(to) => {
                let (from, to) = (self.kind_number(from), self.kind_number(to));
                Ok((self.call_fallible("convert", &[word, from, to]), None))
            }
            _ => Err(Unsupported::new("a value with parts that may lie outside their range")),
        }
    }

    fn ranged(&mut self, word: Word, low: i64, card: u64) -> (Word, Option<Word>) {
        let moved = self.builder.ins().iadd_imm_s(word, low.wrapping_neg());
        let fits = self.is(IntCC::UnsignedLessThan, moved, card);
        (moved, Some(fits))
    }

    fn option(&mut self, inner: Option<&Expr>, want: &Kind) -> Result<Word> {
        match (want, inner) {
            (Kind::Small { shape, .. }, inner) => match (&**shape, inner) {
                (Small::Option(_), None) => Ok(self.constant(0)),
                (Small::Option(kind), Some(inner)) => {
                    let word = self.part_of(inner, kind)?;
                    Ok(self.builder.ins().iadd_imm_s(word, 1))
                }
                _ => Err(Unsupported::new("an option here")),
            },
            (Kind::Handle(shape), inner) => match (&**shape, inner) {
                (Handle::Option(_), None) => {
                    let zero = self.constant(0);
                    Ok(self.interned(&[zero]))
                }
                (Handle::Option(kind), Some(inner)) => {
                    let one = self.constant(1);
                    let word = self.part_of(inner, kind)?;
                    Ok(self.interned(&[one, word]))
                }
                _ => Err(Unsupported::new("an option here")),
            },
            _ => Err(Unsupported::new("an option here")),
        }
    }

    /// The handle of a list of words.
    pub(super) fn interned(&mut self, words: &[Word]) -> Word {
        self.call("build_begin", &[]);
        self.push_all(words);
        self.call("build_seq", &[])
    }

    fn variant(&mut self, variant: usize, args: &[Expr], want: &Kind) -> Result<Word> {
        match want {
            Kind::Small { shape, .. } => {
                let Small::Enum(variants) = &**shape else { return Err(Unsupported::new("a variant here")) };
                let (base, kinds) = variants[variant].clone();
                let word = self.mixed(args, &kinds)?;
                Ok(self.builder.ins().iadd_imm_s(word, base as i64))
            }
            Kind::Handle(shape) => {
                let Handle::Enum(variants) = &**shape else { return Err(Unsupported::new("a variant here")) };
                let mut words = vec![self.constant(variant as u64)];
                for (arg, kind) in args.iter().zip(&variants[variant]) {
                    words.push(self.part_of(arg, kind)?);
                }
                Ok(self.interned(&words))
            }
            Kind::Int => Err(Unsupported::new("a variant here")),
        }
    }

    fn tuple(&mut self, parts: &[Expr], want: &Kind) -> Result<Word> {
        match want {
            Kind::Small { shape, .. } => match &**shape {
                Small::Tuple(kinds) => self.mixed(parts, kinds),
                _ => Err(Unsupported::new("a tuple here")),
            },
            Kind::Handle(shape) => {
                let Handle::Tuple(kinds) = &**shape else { return Err(Unsupported::new("a tuple here")) };
                let words =
                    parts.iter().zip(kinds).map(|(part, kind)| self.part_of(part, kind)).collect::<Result<Vec<_>>>()?;
                Ok(self.interned(&words))
            }
            Kind::Int => Err(Unsupported::new("a tuple here")),
        }
    }

    /// A mixed-radix number, the first part the most significant.
    fn mixed(&mut self, parts: &[Expr], kinds: &[Kind]) -> Result<Word> {
        let mut number = self.constant(0);
        for (part, kind) in parts.iter().zip(kinds) {
            let word = self.part_of(part, kind)?;
            let higher = self.builder.ins().imul_imm_s(number, kind.card().unwrap_or(1) as i64);
            number = self.builder.ins().iadd(higher, word);
        }
        Ok(number)
    }

    /// One digit of a mixed-radix number.
    pub(super) fn digit(&mut self, number: Word, kinds: &[Kind], index: usize) -> Word {
        let below: u64 = kinds[index + 1..].iter().map(|kind| kind.card().unwrap_or(1)).product();
        let card = kinds[index].card().unwrap_or(1);
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

    fn field(&mut self, of: &Expr, index: usize, want: &Kind) -> Result<Word> {
        let kind = self.natural(of)?;
        let word = self.expr(of, &kind)?;
        let (part, kind) = self.part(word, &kind, index)?;
        self.coerce(part, &kind, want)
    }

    /// A field of a record or part of a tuple.
    pub(super) fn part(&mut self, word: Word, kind: &Kind, index: usize) -> Result<(Word, Kind)> {
        match kind {
            Kind::Small { shape, .. } => match &**shape {
                Small::Tuple(kinds) => Ok((self.digit(word, kinds, index), kinds[index].clone())),
                _ => Err(Unsupported::new("a field of this value")),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Tuple(kinds) => {
                    let at = self.constant(index as u64);
                    Ok((self.call("word_at", &[word, at]), kinds[index].clone()))
                }
                _ => Err(Unsupported::new("a field of this value")),
            },
            Kind::Int => Err(Unsupported::new("a field of an integer")),
        }
    }

    fn index(&mut self, of: &Expr, index: &Expr, want: &Kind) -> Result<Word> {
        if let ExprKind::Variable(id) = &of.kind
            && let Slot::Array { key, .. } = self.slot(*id)
        {
            let at = self.place_value(index, key)?;
            let (word, kind) = self.read_element(*id, at);
            return self.coerce(word, &kind, want);
        }
        let kind = self.natural(of)?;
        let word = self.expr(of, &kind)?;
        if let Kind::Handle(shape) = &kind
            && let Handle::Seq(element) = &**shape
        {
            let at = self.expr(index, &Kind::Int)?;
            let word = self.call_fallible("seq_at", &[word, at]);
            return self.coerce(word, element, want);
        }
        let (there, word, kind) = self.lookup(word, &kind, index)?;
        self.require(there);
        self.coerce(word, &kind, want)
    }

    /// Whether a map has a key, and what is there; the word means nothing if it has not.
    pub(super) fn lookup(&mut self, map: Word, kind: &Kind, key: &Expr) -> Result<(Word, Word, Kind)> {
        match kind {
            Kind::Small { shape, .. } => {
                let Small::Map { key: keys, value, stride } = &**shape else {
                    return Err(Unsupported::new("an element of this value"));
                };
                let (at, fits) = self.key(key, keys)?;
                let shift = self.builder.ins().imul_imm_s(at, i64::from(*stride));
                let field = self.builder.ins().ushr(map, shift);
                let field = self.builder.ins().band_imm_s(field, (1 << stride) - 1);
                let there = self.is(IntCC::NotEqual, field, 0);
                Ok((self.both(there, fits), self.builder.ins().iadd_imm_s(field, -1), value.clone()))
            }
            Kind::Handle(shape) => {
                let Handle::Map(keys, value) = &**shape else {
                    return Err(Unsupported::new("an element of this value"));
                };
                let (at, fits) = self.key(key, keys)?;
                let found = self.call("map_find", &[map, at]);
                let there = self.is(IntCC::NotEqual, found, 0);
                let there = self.both(there, fits);
                let zero = self.constant(0);
                let word = self.choose(there, |code| Ok(code.call("word_at", &[map, found])), |_| Ok(zero))?;
                Ok((there, word, value.clone()))
            }
            Kind::Int => Err(Unsupported::new("an element of an integer")),
        }
    }

    /// The word of a key, zero if it has none, and whether it has one (if that is not certain).
    pub(super) fn key(&mut self, key: &Expr, kind: &Kind) -> Result<(Word, Option<Word>)> {
        let natural = self.natural(key)?;
        let word = self.expr(key, &natural)?;
        let (word, fits) = self.try_coerce(word, &natural, kind)?;
        let Some(fits) = fits else { return Ok((word, None)) };
        let zero = self.constant(0);
        Ok((self.builder.ins().select(fits, word, zero), Some(fits)))
    }

    pub(super) fn both(&mut self, one: Word, other: Option<Word>) -> Word {
        match other {
            Some(other) => self.builder.ins().band(one, other),
            None => one,
        }
    }

    fn collection(&mut self, parts: &[Expr], want: &Kind) -> Result<Word> {
        match want {
            Kind::Small { shape, .. } => {
                let Small::Set(element) = &**shape else { return Err(Unsupported::new("a collection here")) };
                let mut mask = self.constant(0);
                for part in parts {
                    let bit = self.part_of(part, element)?;
                    mask = self.with_bit(mask, bit);
                }
                Ok(mask)
            }
            Kind::Handle(shape) => {
                let (Handle::Seq(element) | Handle::Set(element)) = &**shape else {
                    return Err(Unsupported::new("a collection here"));
                };
                let words = parts.iter().map(|part| self.part_of(part, element)).collect::<Result<Vec<_>>>()?;
                self.call("build_begin", &[]);
                self.push_all(&words);
                Ok(self.built(shape))
            }
            Kind::Int => Err(Unsupported::new("a collection here")),
        }
    }

    pub(super) fn with_bit(&mut self, mask: Word, bit: Word) -> Word {
        let one = self.constant(1);
        let bit = self.builder.ins().ishl(one, bit);
        self.builder.ins().bor(mask, bit)
    }

    fn push_all(&mut self, words: &[Word]) {
        for word in words {
            self.call("build_push", &[*word]);
        }
    }

    /// The collection whose words were pushed.
    fn built(&mut self, shape: &Handle) -> Word {
        match shape {
            Handle::Set(element) => {
                let order = self.kind_number(element);
                self.call("build_set", &[order])
            }
            Handle::Map(key, _) => {
                let order = self.kind_number(key);
                self.call("build_map", &[order])
            }
            _ => self.call("build_seq", &[]),
        }
    }

    fn map(&mut self, pairs: &[(Expr, Expr)], want: &Kind) -> Result<Word> {
        match want {
            Kind::Small { shape, .. } => {
                let Small::Map { key, value, stride } = &**shape else { return Err(Unsupported::new("a map here")) };
                let mut fields = self.constant(0);
                for (at, entry) in pairs {
                    let at = self.part_of(at, key)?;
                    let entry = self.part_of(entry, value)?;
                    fields = self.with_field(fields, at, entry, *stride);
                }
                Ok(fields)
            }
            Kind::Handle(shape) => {
                let Handle::Map(key, value) = &**shape else { return Err(Unsupported::new("a map here")) };
                let mut words = Vec::new();
                for (at, entry) in pairs {
                    words.extend([self.part_of(at, key)?, self.part_of(entry, value)?]);
                }
                self.call("build_begin", &[]);
                self.push_all(&words);
                Ok(self.built(shape))
            }
            Kind::Int => Err(Unsupported::new("a map here")),
        }
    }

    /// A small map with one entry written.
    pub(super) fn with_field(&mut self, fields: Word, at: Word, word: Word, stride: u32) -> Word {
        let shift = self.builder.ins().imul_imm_s(at, i64::from(stride));
        let hole = self.constant((1 << stride) - 1);
        let hole = self.builder.ins().ishl(hole, shift);
        let kept = self.builder.ins().band_not(fields, hole);
        let code = self.builder.ins().iadd_imm_s(word, 1);
        let bits = self.builder.ins().ishl(code, shift);
        self.builder.ins().bor(kept, bits)
    }

    fn comprehension(&mut self, comprehension: &Comprehension, want: &Kind) -> Result<Word> {
        let zero = self.constant(0);
        let gathered = self.variable(zero);
        if let Kind::Handle(_) = want {
            self.call("build_begin", &[]);
        }
        self.for_all(&comprehension.binders, comprehension.condition.as_ref(), |code| {
            code.gather(comprehension, want, gathered)
        })?;
        match want {
            Kind::Handle(shape) => Ok(self.built(shape)),
            _ => Ok(self.get(gathered)),
        }
    }

    /// Adds one item of a comprehension.
    fn gather(
        &mut self,
        comprehension: &Comprehension,
        want: &Kind,
        gathered: cranelift_frontend::Variable,
    ) -> Result<()> {
        let so_far = self.get(gathered);
        match (want, comprehension.shape) {
            (Kind::Small { shape, .. }, _) => {
                let word = match (&**shape, &comprehension.value) {
                    (Small::Set(element), None) => {
                        let bit = self.expr(&comprehension.item, element)?;
                        self.with_bit(so_far, bit)
                    }
                    (Small::Map { key, value, stride }, Some(entry)) => {
                        let at = self.expr(&comprehension.item, key)?;
                        let entry = self.expr(entry, value)?;
                        self.with_field(so_far, at, entry, *stride)
                    }
                    _ => return Err(Unsupported::new("a comprehension here")),
                };
                self.put(gathered, word);
            }
            (Kind::Handle(shape), Shape::Seq | Shape::Set | Shape::Map) => {
                let words = match (&**shape, &comprehension.value) {
                    (Handle::Seq(element) | Handle::Set(element), None) => {
                        vec![self.expr(&comprehension.item, element)?]
                    }
                    (Handle::Map(key, value), Some(entry)) => {
                        vec![self.expr(&comprehension.item, key)?, self.expr(entry, value)?]
                    }
                    _ => return Err(Unsupported::new("a comprehension here")),
                };
                self.push_all(&words);
            }
            (Kind::Int, _) => return Err(Unsupported::new("a comprehension here")),
        }
        Ok(())
    }

    /// Loops over all values of the binders for which the condition holds.
    pub(super) fn for_all(
        &mut self,
        binders: &[Binder],
        condition: Option<&Expr>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let Some((binder, rest)) = binders.split_first() else {
            let end = self.block();
            if let Some(condition) = condition {
                self.check(condition, end)?;
            }
            body(self)?;
            self.jump(end);
            self.at(end);
            return Ok(());
        };
        let each = match &binder.source {
            Source::In(from) => self.each(from)?,
            Source::Domain(ty) => self.each_of_type(ty)?,
        };
        let turn = self.begin(each)?;
        self.set_local(binder.local, turn.word, turn.kind.clone());
        self.for_all(rest, condition, body)?;
        self.end(turn);
        Ok(())
    }

    fn quantified(&mut self, every: bool, binders: &[Binder], condition: Option<&Expr>, body: &Expr) -> Result<Word> {
        let start = self.constant(u64::from(every));
        let answer = self.variable(start);
        let done = self.block();
        self.for_all(binders, condition, |code| {
            let word = code.test(body)?;
            let decided = if every { code.builder.ins().bxor_imm_s(word, 1) } else { word };
            let (found, go_on) = (code.block(), code.block());
            code.builder.ins().brif(decided, found, &[], go_on, &[]);
            code.at(found);
            let other = code.constant(u64::from(!every));
            code.put(answer, other);
            code.jump(done);
            code.at(go_on);
            Ok(())
        })?;
        self.jump(done);
        self.at(done);
        Ok(self.get(answer))
    }

    fn call_definition(&mut self, index: usize, args: &[Expr], want: &Kind) -> Result<Word> {
        let model = self.input.kinds.instance.model();
        let definition = &model.definitions[index];
        let mut words = Vec::new();
        for (arg, local) in args.iter().zip(&definition.locals) {
            let declared = self.kind_of(&local.ty)?;
            let kind = self.natural(arg).ok().filter(|kind| !kind.within(&declared)).unwrap_or(declared);
            words.push((self.expr(arg, &kind)?, kind));
        }
        self.with_locals(&definition.locals, |code| {
            for (index, (word, kind)) in words.into_iter().enumerate() {
                code.set_local(interplay_model::LocalId(index), word, kind);
            }
            code.expr(&definition.body, want)
        })
    }

    fn all_objects(&mut self, id: interplay_model::ObjectId, want: &Kind) -> Result<Word> {
        let count = self.object_count(id);
        let Some(Small::Set(_)) = want.small() else { return Err(Unsupported::new("all objects of a type with many")) };
        let one = self.constant(1);
        let above = self.builder.ins().ishl(one, count);
        Ok(self.builder.ins().iadd_imm_s(above, -1))
    }
}

/// Whether an expression looks at the state, the step, or anything bound outside of it.
fn depends(expr: &Expr, model: &interplay_model::Model, bound: &mut Vec<interplay_model::LocalId>) -> bool {
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
        ExprKind::Call { definition, .. } => {
            let definition = &model.definitions[definition.0];
            let mut params: Vec<_> = (0..definition.params).map(interplay_model::LocalId).collect();
            if depends(&definition.body, model, &mut params) {
                return true;
            }
        }
        _ => {}
    }
    let mut any = false;
    expr.children(&mut |child| any |= depends(child, model, bound));
    any
}

/// Expressions that make a value out of parts, so that a place can check the parts.
fn is_constructor(expr: &Expr) -> bool {
    use ExprKind::*;
    matches!(expr.kind, Some(_) | Variant { .. } | Record { .. } | Tuple(_) | Seq(_) | Set(_) | Map(_) | If { .. })
}
