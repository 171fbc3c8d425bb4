//! Expressions: each becomes one word of the kind that its parts give it.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use interplay_model::{BinaryOperator, Binder, Comprehension, Expr, ExprKind, LocalId, ObjectId, Shape, Source};
use interplay_rows::Slot;
use interplay_rows::Unsupported;
use interplay_rows::{Kind, Small, View};

impl<'a> Code<'a, '_> {
    /// A condition as zero or one.
    pub(super) fn test(&mut self, expr: &Expr) -> Result<Word> {
        Ok(self.value(expr)?.0)
    }

    /// An integer as itself.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Word> {
        let (word, kind) = self.value(expr)?;
        self.widen(word, &kind, &Kind::INT)
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

    pub(super) fn value(&mut self, expr: &Expr) -> Result<Typed> {
        let value = self
            .value_of(expr)
            .map_err(|unsupported| Unsupported { span: unsupported.span.or(Some(expr.span)), ..unsupported })?;
        // A value that cannot be (an element of `{}`) is never looked at, so it may have any kind.
        match self.kind_of(&expr.ty) {
            Ok(kind) if value.1.card() == Some(0) => Ok((self.constant(0), kind)),
            _ => Ok(value),
        }
    }

    fn value_of(&mut self, expr: &Expr) -> Result<Typed> {
        use ExprKind::*;
        if let Option::Some(value) = self.constant_value(expr) {
            return self.known(&value, &expr.ty);
        }
        match &expr.kind {
            Local(id) => self.local(*id).ok_or_else(|| Unsupported::at("a name without a value here", expr.span)),
            Variable(id) => self.read_variable(*id),
            Some(inner) => {
                let (word, kind) = self.value(inner)?;
                let kind = Kind::option(kind);
                Ok((self.some_of(word, &kind), kind))
            }
            Variant { enumeration, variant, args } => {
                let (words, kinds) = self.values(args)?;
                let kind = self.input.kinds.variant(*enumeration, *variant, kinds);
                Ok((self.variant_of(*variant, &words, &kind)?, kind))
            }
            Record { fields: parts, .. } | Tuple(parts) => {
                let (words, kinds) = self.values(parts)?;
                let kind = Kind::tuple(kinds);
                Ok((self.tuple_of(&words, &kind)?, kind))
            }
            Seq(parts) | Set(parts) => {
                let (words, element) = self.alike(parts.iter())?;
                let kind = if matches!(expr.kind, Seq(_)) { Kind::seq(element) } else { Kind::set(element) };
                Ok((self.collection_of(&words, &kind), kind))
            }
            Map(pairs) => self.map(pairs),
            Comprehension(comprehension) => self.comprehension(comprehension),
            Quantified { every, binders, condition, body } => {
                Ok((self.quantified(*every, binders, condition.as_deref(), body)?, Kind::bool()))
            }
            Not(inner) => {
                let word = self.test(inner)?;
                Ok((self.builder.ins().bxor_imm_s(word, 1), Kind::bool()))
            }
            Negate(inner) => {
                let zero = (self.constant(0), Kind::number(0, 0));
                let inner = self.value(inner)?;
                self.arithmetic(BinaryOperator::Subtract, zero, inner)
            }
            Binary { operator, left, right } => self.binary(*operator, left, right, expr),
            If { condition, then, otherwise } => {
                let condition = self.test(condition)?;
                self.either(condition, |code| code.value(then), |code| code.value(otherwise))
            }
            Match { value, arms } => self.match_expr(value, arms),
            Is { value, pattern } => Ok((self.is_pattern(value, pattern)?, Kind::bool())),
            Field { of, index } => {
                let (word, kind) = self.value(of)?;
                self.part(word, &kind, *index)
            }
            Index { of, index } => self.index(of, index),
            Builtin { function, args } => self.builtin(*function, args),
            Call { definition, args } => self.call_definition(definition.0, args),
            New(id) if self.writing => {
                let kind = self.kind_of(&interplay_model::Type::Object(*id))?;
                Ok((self.new_object(*id), kind))
            }
            ObjectCount(id) => Ok((self.object_count(*id), Kind::number(0, self.input.kinds.objects[id.0].into()))),
            ObjectAll(id) => self.all_objects(*id),
            At { component, locations } => Ok((self.is_at(component.0, locations), Kind::bool())),
            Old(inner) => {
                let base = std::mem::replace(&mut self.base, self.row);
                let value = self.value(inner);
                self.base = base;
                value
            }
            Happens { action, args } => Ok((self.happens(*action, args)?, Kind::bool())),
            SignalValue { action, param } => self.signal_value(*action, *param),
            // What depends on nothing but has no value is an error whenever it is asked for.
            None | Bool(_) | Int(_) | String(_) | Constant(_) => Err(Unsupported::at("this constant", expr.span)),
            New(_) | Silence | Temporal { .. } | Error => Err(Unsupported::at("this expression", expr.span)),
        }
    }

    fn values(&mut self, parts: &[Expr]) -> Result<(Vec<Word>, Vec<Kind>)> {
        Ok(parts.iter().map(|part| self.value(part)).collect::<Result<Vec<_>>>()?.into_iter().unzip())
    }

    /// Several values in one kind.
    fn alike<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>) -> Result<(Vec<Word>, Kind)> {
        let values = parts.map(|part| self.value(part)).collect::<Result<Vec<_>>>()?;
        let mut all = Kind::never();
        for (_, kind) in &values {
            all = all.join(kind)?;
        }
        let words = values.iter().map(|(word, kind)| self.widen(*word, kind, &all)).collect::<Result<_>>()?;
        Ok((words, all))
    }

    fn index(&mut self, of: &Expr, index: &Expr) -> Result<Typed> {
        if let ExprKind::Variable(id) = &of.kind
            && let Slot::Array { key, .. } = self.slot(*id)
        {
            let fitting = self.fitting(index, key)?;
            let at = self.require_fit(fitting);
            return Ok(self.read_element(*id, at));
        }
        let (word, kind) = self.value(of)?;
        if let View::Seq(element) = kind.view() {
            let at = self.number(index)?;
            return Ok((self.element_at(word, at), element.clone()));
        }
        let (there, word, kind) = self.lookup(word, &kind, index)?;
        self.require(there);
        Ok((word, kind))
    }

    /// Whether a map has a key, and what is there; the word means nothing if it has not.
    pub(super) fn lookup(&mut self, map: Word, kind: &Kind, key: &Expr) -> Result<(Word, Word, Kind)> {
        let View::Map(keys, value) = kind.view() else { return Err(Unsupported::new("an element of this value")) };
        let (at, fits) = self.fitting(key, keys)?;
        if let Some(Small::Map { stride, .. }) = kind.small() {
            let field = self.field_at(map, at, *stride);
            let there = self.is(IntCC::NotEqual, field, 0);
            let there = self.both(Some(there), fits).unwrap_or(there);
            return Ok((there, self.builder.ins().iadd_imm_s(field, -1), value.clone()));
        }
        let found = self.call("map_find", &[map, at]);
        let there = self.is(IntCC::NotEqual, found, 0);
        let there = self.both(Some(there), fits).unwrap_or(there);
        let zero = self.constant(0);
        let word = self.choose(there, |code| Ok(code.word_at(map, found)), |_| Ok(zero))?;
        Ok((there, word, value.clone()))
    }

    pub(super) fn field_at(&mut self, map: Word, at: Word, stride: u32) -> Word {
        let shift = self.builder.ins().imul_imm_s(at, i64::from(stride));
        let field = self.builder.ins().ushr(map, shift);
        self.builder.ins().band_imm_s(field, (1 << stride) - 1)
    }

    fn map(&mut self, pairs: &[(Expr, Expr)]) -> Result<Typed> {
        // Keys and values in turn: objects are made in the order of the text.
        let mut entries = Vec::new();
        let (mut key, mut value) = (Kind::never(), Kind::never());
        for (at, entry) in pairs {
            let (at, entry) = (self.value(at)?, self.value(entry)?);
            (key, value) = (key.join(&at.1)?, value.join(&entry.1)?);
            entries.push((at, entry));
        }
        let mut words = Vec::new();
        for (at, entry) in entries {
            words.push((self.widen(at.0, &at.1, &key)?, self.widen(entry.0, &entry.1, &value)?));
        }
        let kind = Kind::map(key, value);
        if let Some(Small::Map { stride, .. }) = kind.small() {
            let mut fields = self.constant(0);
            for (at, word) in words {
                fields = self.with_field(fields, at, word, *stride);
            }
            return Ok((fields, kind));
        }
        self.call("build_begin", &[]);
        words.into_iter().for_each(|(at, word)| self.push_all(&[at, word]));
        Ok((self.built(&kind), kind))
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Result<Typed> {
        let gathered = self.builder.declare_var(cranelift_codegen::ir::types::I64);
        let mut kind = Kind::never();
        self.prepared(
            |code| {
                code.for_all(&comprehension.binders, comprehension.condition.as_ref(), &mut |code| {
                    kind = code.gather(comprehension, gathered)?;
                    Ok(())
                })?;
                Ok(kind.clone())
            },
            |code, kind| code.begin_gathering(kind, gathered),
        )?;
        Ok((self.end_gathering(&kind, gathered), kind))
    }

    /// A collection is built up: in a mask or fields, or in the list of the runtime.
    pub(super) fn begin_gathering(&mut self, kind: &Kind, gathered: cranelift_frontend::Variable) {
        let zero = self.constant(0);
        self.put(gathered, zero);
        if matches!(kind, Kind::Handle(_)) {
            self.call("build_begin", &[]);
        }
    }

    pub(super) fn end_gathering(&mut self, kind: &Kind, gathered: cranelift_frontend::Variable) -> Word {
        if matches!(kind, Kind::Handle(_)) { self.built(kind) } else { self.get(gathered) }
    }

    /// Adds an element to the set or sequence that is being built.
    pub(super) fn gather_element(&mut self, kind: &Kind, gathered: cranelift_frontend::Variable, word: Word) {
        if matches!(kind, Kind::Handle(_)) {
            self.call("build_push", &[word]);
            return;
        }
        let so_far = self.get(gathered);
        let more = self.with_bit(so_far, word);
        self.put(gathered, more);
    }

    /// Adds one item of a comprehension; gives the kind of the whole.
    fn gather(&mut self, comprehension: &Comprehension, gathered: cranelift_frontend::Variable) -> Result<Kind> {
        let (item, key) = self.value(&comprehension.item)?;
        let Some(entry) = &comprehension.value else {
            let kind = if comprehension.shape == Shape::Seq { Kind::seq(key) } else { Kind::set(key) };
            self.gather_element(&kind, gathered, item);
            return Ok(kind);
        };
        let (word, value) = self.value(entry)?;
        let kind = Kind::map(key, value);
        match kind.small() {
            Some(Small::Map { stride, .. }) => {
                let so_far = self.get(gathered);
                let more = self.with_field(so_far, item, word, *stride);
                self.put(gathered, more);
            }
            _ => self.push_all(&[item, word]),
        }
        Ok(kind)
    }

    /// Loops over all values of the binders for which the condition holds.
    pub(super) fn for_all(
        &mut self,
        binders: &[Binder],
        condition: Option<&Expr>,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
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
        self.turns(each, &mut |code, word, kind, next| {
            if let Source::Domain(ty) = &binder.source {
                code.unless_made(word, kind, ty, next);
            }
            code.set_local(binder.local, word, kind.clone());
            code.for_all(rest, condition, body)
        })
    }

    fn quantified(&mut self, every: bool, binders: &[Binder], condition: Option<&Expr>, body: &Expr) -> Result<Word> {
        let start = self.constant(u64::from(every));
        let answer = self.variable(start);
        let done = self.block();
        self.for_all(binders, condition, &mut |code| {
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

    fn call_definition(&mut self, index: usize, args: &[Expr]) -> Result<Typed> {
        let definition = &self.input.kinds.instance.model().definitions[index];
        // Definitions are written out where they are called.
        if self.instructions() > super::rule::MOST_INSTRUCTIONS {
            return Err(Unsupported::new("definitions that call others too often"));
        }
        let values = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>>>()?;
        self.with_locals(&definition.locals, |code| {
            for (index, (word, kind)) in values.into_iter().enumerate() {
                code.set_local(LocalId(index), word, kind);
            }
            code.value(&definition.body)
        })
    }

    fn all_objects(&mut self, id: ObjectId) -> Result<Typed> {
        let count = self.object_count(id);
        let element = self.kind_of(&interplay_model::Type::Object(id))?;
        let kind = Kind::set(element.clone());
        if matches!(kind, Kind::Small { .. }) {
            let one = self.constant(1);
            let above = self.builder.ins().ishl(one, count);
            return Ok((self.builder.ins().iadd_imm_s(above, -1), kind));
        }
        self.call("build_begin", &[]);
        let turn = self.begin(super::each::Each::Below { bound: count, kind: element })?;
        self.call("build_push", &[turn.word]);
        self.end(turn);
        Ok((self.built(&kind), kind))
    }
}
