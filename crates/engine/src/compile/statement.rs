//! Statements: what a rule does to the copy of the row.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use crate::layout::Slot;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, PathStep, Place, Relation, Statement, StatementKind};

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
                let kind = self.natural(value)?;
                let word = self.expr(value, &kind)?;
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
                let kind = self.natural(value)?;
                let word = self.expr(value, &kind)?;
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
                let result = self.result.clone().ok_or_else(|| Unsupported::new("a result here"))?;
                let kind = self.kind_of(&result)?;
                let word = self.expr(value, &kind)?;
                self.hash_label(&[word]);
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
        let mut words = vec![self.constant(action as u64 + 1)];
        for (arg, param) in args.iter().zip(&model.actions[action].params) {
            let kind = self.kind_of(&param.ty)?;
            words.push(self.expr(arg, &kind)?);
        }
        self.hash_label(&words);
        self.note_exclusive(action, &words[1..]);
        Ok(())
    }

    /// Tells the runtime what was emitted, as far as an `exclusive` relation speaks of it.
    fn note_exclusive(&mut self, action: usize, args: &[Word]) {
        let relations = &self.input.kinds.instance.model().relations;
        for (number, relation) in relations.iter().enumerate() {
            let Relation::Exclusive { terms, .. } = relation else { continue };
            for (index, term) in terms.iter().enumerate().filter(|(_, term)| term.action.0 == action) {
                let (number, index) = (self.constant(number as u64), self.constant(index as u64));
                self.call("emit_begin", &[number, index]);
                for (name, word) in term.args.iter().zip(args) {
                    let name = self.constant(*name as u64);
                    self.call("emit_arg", &[name, *word]);
                }
            }
        }
    }

    /// Mixes words into the hash of the label, if there is one. Emissions commute: their hashes are added.
    pub(super) fn hash_label(&mut self, words: &[Word]) {
        let Some(label) = self.label else { return };
        let mut hash = self.constant(0x9E37_79B9_7F4A_7C15);
        for word in words {
            let mixed = self.builder.ins().bxor(hash, *word);
            let factor = self.constant(0xD6E8_FEB8_6659_FD93);
            let product = self.builder.ins().imul(mixed, factor);
            let high = self.builder.ins().ushr_imm_s(product, 32);
            hash = self.builder.ins().bxor(product, high);
        }
        let so_far = self.get(label);
        let more = self.builder.ins().iadd(so_far, hash);
        self.put(label, more);
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
                    let element = element.clone();
                    let words =
                        parts.iter().map(|part| self.place_value(part, &element)).collect::<Result<Vec<_>>>()?;
                    words.iter().for_each(|word| self.write_bit(id, *word, u64::from(add)));
                    return Ok(());
                }
                let kind = self.kind_of(&place.ty)?;
                let word = self.place_value(value, &kind)?;
                self.scatter_bits(id, word, &kind)?;
            }
            (Slot::Array { key, .. }, []) => {
                if let Some((false, parts)) = in_place(id, value) {
                    let key = key.clone();
                    let words = parts.iter().map(|part| self.place_value(part, &key)).collect::<Result<Vec<_>>>()?;
                    words.iter().for_each(|word| self.remove_element(id, *word));
                    return Ok(());
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

    /// Several components react at once: a variable written as a whole is one place, and so is an entry of a map that lies
    /// open. Places inside other values cannot be told apart in a row.
    fn note_place(&mut self, place: &Place) -> Result<()> {
        match (&place.path[..], self.slot(place.variable)) {
            ([], _) => self.note_whole(place.variable),
            ([_], Slot::Array { .. }) => {}
            _ => return Err(Unsupported::new("a place inside a value, written by one of several components")),
        }
        Ok(())
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
                let old = self.call("word_at", &[word, at]);
                let new = self.updated(old, &kinds[*index], rest, value)?;
                Ok(self.call_fallible("with_at", &[word, at, new]))
            }
            (PathStep::Index(index), Kind::Handle(shape)) => match &**shape {
                Handle::Seq(element) => {
                    let at = self.expr(index, &Kind::Int)?;
                    let old = self.call_fallible("seq_at", &[word, at]);
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
                        let old = self.call("word_at", &[word, found]);
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
                    let (there, old, kind) =
                        self.lookup(word, &Kind::Small { card: 0, shape: shape.clone() }, index)?;
                    self.require(there);
                    self.updated(old, &kind, rest, value)?
                };
                Ok(self.with_field(word, at, new, *stride))
            }
            _ => Err(Unsupported::new("this place")),
        }
    }
}

/// `s = s + {a, b}` (true) or `s = s - {a, b}` (false): done on the bits themselves.
fn in_place(id: interplay_model::VariableId, value: &Expr) -> Option<(bool, &[Expr])> {
    let ExprKind::Binary { operator: operator @ (Op::Add | Op::Subtract), left, right } = &value.kind else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(same), ExprKind::Set(parts)) if *same == id => Some((*operator == Op::Add, parts)),
        _ => None,
    }
}
