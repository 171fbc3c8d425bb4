//! Statements: what a rule does to the copy of the row.

use super::code::{Code, Result};
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{
    BinaryOperator as Op, Discipline, Expr, ExprKind, PathStep, Place, Statement, StatementKind, VariableId,
};
use interplay_rows::Slot;
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small};
use std::collections::BTreeSet;

impl<'a> Code<'a, '_> {
    pub(super) fn statements(&mut self, statements: &[Statement], component: usize) -> Result<()> {
        statements.iter().try_for_each(|statement| {
            self.statement(statement, component)
                .map_err(|unsupported| Unsupported { span: unsupported.span.or(Some(statement.span)), ..unsupported })
        })
    }

    fn statement(&mut self, statement: &Statement, component: usize) -> Result<()> {
        match &statement.kind {
            StatementKind::Assign { place, value } => self.assign(place, value),
            StatementKind::Let { local, value } => {
                let (word, kind) = self.value(value)?;
                self.set_local(*local, word, kind);
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                let (no, end) = (self.block(), self.block());
                self.check(condition, no)?;
                self.statements(then, component)?;
                self.jump(end);
                self.at(no);
                self.statements(otherwise, component)?;
                self.jump(end);
                self.at(end);
                Ok(())
            }
            StatementKind::Match { value, arms } => {
                let (word, kind) = self.value(value)?;
                let end = self.block();
                for (pattern, body) in arms {
                    let next = self.block();
                    self.matches(word, &kind, pattern, next)?;
                    self.statements(body, component)?;
                    self.jump(end);
                    self.at(next);
                }
                self.jump(end);
                self.at(end);
                Ok(())
            }
            StatementKind::For { local, from, condition, body } => {
                let each = self.each(from)?;
                let turn = self.begin(each)?;
                self.set_local(*local, turn.word, turn.kind.clone());
                if let Some(condition) = condition {
                    self.check(condition, turn.next)?;
                }
                self.statements(body, component)?;
                self.end(turn);
                Ok(())
            }
            StatementKind::Emit { action, args } => self.emit(action.0, args),
            StatementKind::Return(value) => {
                let answer = self.answer.clone().ok_or_else(|| Unsupported::new("a result here"))?;
                let word = self.place_value(value, &answer.kind)?;
                self.put(answer.word, word);
                let one = self.constant(1);
                self.put(answer.returned, one);
                Ok(())
            }
            StatementKind::Assert(condition) => {
                let word = self.test(condition)?;
                self.require(word);
                Ok(())
            }
            StatementKind::Goto(location) => {
                let Some(field) = self.input.layout.locations[component] else {
                    return Err(Unsupported::new("a component without a start"));
                };
                let word = self.constant(location.0 as u64);
                self.write_field(field, word);
                Ok(())
            }
        }
    }

    /// Outputs do not change the state, but their arguments may be wrong, and they belong to the label.
    fn emit(&mut self, action: usize, args: &[Expr]) -> Result<()> {
        let model = self.input.kinds.instance.model();
        let mut words = Vec::new();
        for (arg, param) in args.iter().zip(&model.actions[action].params) {
            let kind = self.kind_of(&param.ty)?;
            words.push(self.place_value(arg, &kind)?);
        }
        if self.label.is_none() && model.relations.is_empty() && !self.input.watch.follows_steps() {
            return Ok(());
        }
        let number = self.constant(action as u64);
        self.call("emit_begin", &[number]);
        for word in &words {
            self.call("emit_arg", &[*word]);
        }
        // A signal is present or absent; the outputs of a reaction are a bag.
        let fresh = match model.discipline {
            Discipline::Synchronous => self.call("emit_end", &[]),
            Discipline::Asynchronous | Discipline::Reactive => self.call("emit_output", &[]),
        };
        if let Some(label) = self.label {
            let number = self.constant(action as u64 + 1);
            let hash = self.hash(&[&[number], &words[..]].concat());
            let counted = self.builder.ins().imul(hash, fresh);
            let so_far = self.get(label.outputs);
            let more = self.builder.ins().iadd(so_far, counted);
            self.put(label.outputs, more);
        }
        Ok(())
    }

    /// A hash of some words.
    pub(super) fn hash(&mut self, words: &[Word]) -> Word {
        let mut hash = self.constant(0x9E37_79B9_7F4A_7C15);
        for word in words {
            let mixed = self.builder.ins().bxor(hash, *word);
            let factor = self.constant(0xD6E8_FEB8_6659_FD93);
            let product = self.builder.ins().imul(mixed, factor);
            let high = self.builder.ins().ushr_imm_s(product, 32);
            hash = self.builder.ins().bxor(product, high);
        }
        hash
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Result<()> {
        let id = place.variable;
        if self.written.is_some() {
            self.note_place(place)?;
        }
        match (self.slot(id), &place.path[..]) {
            (Slot::Scalar(scalar), []) => {
                let kind = scalar.kind.clone();
                let word = self.place_value(value, &kind)?;
                self.write_scalar(id, word);
            }
            (Slot::Scalar(scalar), path) => {
                let kind = scalar.kind.clone();
                let (old, _) = self.read_variable(id)?;
                let word = self.updated(old, &kind, path, value)?;
                self.write_scalar(id, word);
            }
            (Slot::Bits { element, .. }, []) => {
                if let Some((add, parts)) = in_place(id, value) {
                    let words = self.in_place_words(parts, element, add)?;
                    return words.into_iter().try_for_each(|(word, fits)| {
                        self.if_it_fits(fits, |code| code.write_bit(id, word, u64::from(add)))
                    });
                }
                let kind = self.kind_of(&place.ty)?;
                let word = self.place_value(value, &kind)?;
                self.scatter_bits(id, word, &kind)?;
            }
            (Slot::Array { key, .. }, []) => {
                if let Some((false, parts)) = in_place(id, value) {
                    let words = self.in_place_words(parts, key, false)?;
                    return words
                        .into_iter()
                        .try_for_each(|(word, fits)| self.if_it_fits(fits, |code| code.remove_element(id, word)));
                }
                let kind = self.kind_of(&place.ty)?;
                let word = self.place_value(value, &kind)?;
                self.scatter_array(id, word, &kind)?;
            }
            (Slot::Array { key, element, .. }, [PathStep::Index(index), rest @ ..]) => {
                let (key, kind) = (key.clone(), element.kind.clone());
                let at = self.place_value(index, &key)?;
                let word = match rest {
                    [] => self.place_value(value, &kind)?,
                    _ => {
                        let (old, _) = self.read_element(id, at);
                        self.updated(old, &kind, rest, value)?
                    }
                };
                self.write_element(id, at, word);
            }
            _ => return Err(Unsupported::new("this assignment")),
        }
        Ok(())
    }

    /// What is added must lie in the place; what is taken away need not.
    fn in_place_words(&mut self, parts: &[Expr], kind: &Kind, add: bool) -> Result<Vec<(Word, Option<Word>)>> {
        let one = |part: &Expr| match add {
            true => Ok((self.place_value(part, kind)?, None)),
            false => self.fitting(part, kind),
        };
        parts.iter().map(one).collect()
    }

    fn if_it_fits(&mut self, fits: Option<Word>, write: impl FnOnce(&mut Self)) -> Result<()> {
        let Some(fits) = fits else {
            write(self);
            return Ok(());
        };
        let end = self.block();
        self.unless(fits, end);
        write(self);
        self.jump(end);
        self.at(end);
        Ok(())
    }

    /// Several components react at once: a variable written as a whole is one place, and so is an entry of a map that lies
    /// open. Places inside other values cannot be told apart in a row, which matters if somebody else writes there too.
    fn note_place(&mut self, place: &Place) -> Result<()> {
        match (&place.path[..], self.slot(place.variable)) {
            ([], _) => self.note_whole(place.variable),
            ([_], Slot::Array { .. }) => {}
            _ if self.writers(place.variable) < 2 => self.note_whole(place.variable),
            _ => return Err(Unsupported::new("a place inside a value, written by one of several components")),
        }
        Ok(())
    }

    /// How many components write to a variable.
    fn writers(&self, id: VariableId) -> usize {
        let mut components = BTreeSet::new();
        for rule in &self.input.kinds.instance.model().rules {
            let mut note = |statement: &Statement| {
                if let StatementKind::Assign { place, .. } = &statement.kind
                    && place.variable == id
                {
                    components.insert(rule.component.0);
                }
            };
            rule.body.iter().for_each(|statement| statement.walk(&mut note));
        }
        components.len()
    }

    /// The value `word` with the place below `path` written anew.
    fn updated(&mut self, word: Word, kind: &Kind, path: &[PathStep], value: &Expr) -> Result<Word> {
        let Some((step, rest)) = path.split_first() else { return self.place_value(value, kind) };
        match (step, kind) {
            (PathStep::Field(index), Kind::Small { shape, .. }) => {
                let Small::Tuple(kinds) = &**shape else { return Err(Unsupported::new("a field of this value")) };
                let old = self.digit(word, kinds, *index);
                let new = self.updated(old, &kinds[*index], rest, value)?;
                let weight: u64 = kinds[index + 1..].iter().map(|kind| kind.card().unwrap_or(1)).product();
                let difference = self.builder.ins().isub(new, old);
                let difference = self.builder.ins().imul_imm_s(difference, weight as i64);
                Ok(self.builder.ins().iadd(word, difference))
            }
            (PathStep::Field(index), Kind::Handle(shape)) => {
                let Handle::Tuple(kinds) = &**shape else { return Err(Unsupported::new("a field of this value")) };
                let at = self.constant(*index as u64);
                let old = self.nth_word(word, *index);
                let new = self.updated(old, &kinds[*index], rest, value)?;
                Ok(self.call_fallible("with_at", &[word, at, new]))
            }
            (PathStep::Index(index), Kind::Handle(shape)) => match &**shape {
                Handle::Seq(element) => {
                    let at = self.number(index)?;
                    let old = self.element_at(word, at);
                    let new = self.updated(old, element, rest, value)?;
                    Ok(self.call_fallible("with_at", &[word, at, new]))
                }
                Handle::Map(key, kind) => {
                    let at = self.place_value(index, key)?;
                    let new = if rest.is_empty() {
                        self.place_value(value, kind)?
                    } else {
                        let found = self.call("map_find", &[word, at]);
                        self.require(found);
                        let old = self.word_at(word, found);
                        self.updated(old, kind, rest, value)?
                    };
                    let order = self.kind_number(key);
                    Ok(self.call("map_put", &[word, at, new, order]))
                }
                _ => Err(Unsupported::new("an element of this value")),
            },
            (PathStep::Index(index), Kind::Small { shape, .. }) => {
                let Small::Map { key, value: kind, stride } = &**shape else {
                    return Err(Unsupported::new("an element of this value"));
                };
                let at = self.place_value(index, key)?;
                let new = if rest.is_empty() {
                    self.place_value(value, kind)?
                } else {
                    let field = self.field_at(word, at, *stride);
                    self.require(field);
                    let old = self.builder.ins().iadd_imm_s(field, -1);
                    self.updated(old, kind, rest, value)?
                };
                Ok(self.with_field(word, at, new, *stride))
            }
            _ => Err(Unsupported::new("this place")),
        }
    }
}

/// `s = s + {a, b}` (true) or `s = s - {a, b}` (false): done on the bits themselves.
fn in_place(id: VariableId, value: &Expr) -> Option<(bool, &[Expr])> {
    let ExprKind::Binary { operator: operator @ (Op::Add | Op::Subtract), left, right } = &value.kind else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(same), ExprKind::Set(parts)) if *same == id => Some((*operator == Op::Add, parts)),
        _ => None,
    }
}
