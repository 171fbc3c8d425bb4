//! What comes out of a step: its result, its label, what relations and the setup say about it, and the row after it.

use super::code::{Code, Label, Result};
use crate::runtime;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{ActionId, Direction, LocalId, Rule};
use interplay_semantics::Asked;

impl Code<'_, '_> {
    pub(super) fn copy_row(&mut self, from: Word, to: Word) {
        for word in 0..self.input.layout.words {
            let old = self.load(from, 8 * word as i32);
            self.store(old, to, 8 * word as i32);
        }
    }

    /// The results of a reaction: the one that the rules agree on, or any of the type if they say nothing.
    pub(super) fn results(&mut self, action: ActionId, given: Option<Word>) -> Result<()> {
        let Some(ty) = &self.input.kinds.instance.model().actions[action.0].result else {
            return self.succeed(Some(action));
        };
        let so_far = self.label.map(|label| (label, self.get(label.event)));
        self.scoped(|code, turns| {
            // Objects that the step made are among the results.
            code.base = code.fresh;
            let word = match given {
                Some(word) => word,
                None => code.open_values(ty, Asked::ANYWHERE, turns)?.0,
            };
            code.base = code.row;
            code.note_result(word);
            if let Some((label, event)) = so_far {
                let hash = code.hash(&[word]);
                let more = code.builder.ins().iadd(event, hash);
                code.put(label.event, more);
            }
            code.succeed(Some(action))
        })?;
        if let Some((label, event)) = so_far {
            self.put(label.event, event);
        }
        Ok(())
    }

    /// The relations judge the whole step; then the filters of the setup, and the successor is written.
    pub(super) fn succeed(&mut self, action: Option<ActionId>) -> Result<()> {
        let model = self.input.kinds.instance.model();
        let direction = action.map(|action| model.actions[action.0].direction);
        if self.own {
            self.set_flag(runtime::ACTIVE);
        }
        self.relations(direction)?;
        self.base = self.fresh;
        for keep in self.input.kinds.instance.kept() {
            let holds = self.closed(keep)?;
            let skip = self.skip;
            self.unless(holds, skip);
        }
        self.base = self.row;
        let left = self.fresh;
        // Those who watch move in the row, and each result is a step from what the body left.
        if self.input.watch.follows_steps() && action.is_some_and(|action| model.actions[action.0].result.is_some()) {
            self.fresh = self.row_on_stack();
            self.copy_row(left, self.fresh);
        }
        self.tell();
        let input = direction.is_none_or(|direction| direction == Direction::Input);
        self.set_flag(if input { runtime::INPUTS } else { runtime::OTHERS });
        self.write_successor(direction == Some(Direction::Internal));
        self.fresh = left;
        Ok(())
    }

    pub(super) fn begin_label(&mut self, rule: &Rule, action: ActionId) {
        let mut words = vec![self.constant(action.0 as u64 + (1 << 32))];
        words.extend(
            (0..rule.params).filter_map(|index| self.local(LocalId(index))).map(|(word, _)| word).collect::<Vec<_>>(),
        );
        self.start_label(&words);
    }

    pub(super) fn start_label(&mut self, words: &[Word]) {
        if !self.input.labels {
            return;
        }
        let (hash, zero) = (self.hash(words), self.constant(0));
        self.label = Some(Label { event: self.variable(hash), outputs: self.variable(zero) });
    }

    pub(super) fn write_successor(&mut self, internal: bool) {
        let words = self.input.layout.words;
        let size = 8 * (words + usize::from(self.input.labels)) as i64;
        let out = self.load_frame(runtime::OUT);
        let after = self.builder.ins().iadd_imm_s(out, size);
        let end = self.load_frame(runtime::END);
        let full = self.compare(IntCC::UnsignedGreaterThan, after, end);
        let (grow, room) = (self.block(), self.block());
        self.builder.ins().brif(full, grow, &[], room, &[]);
        self.builder.set_cold_block(grow);
        self.at(grow);
        let needed = self.constant(size as u64);
        self.call("grow", &[needed]);
        self.jump(room);
        self.at(room);
        let out = self.load_frame(runtime::OUT);
        for word in 0..words {
            let new = self.load(self.fresh, 8 * word as i32);
            self.store(new, out, 8 * word as i32);
        }
        if let Some(label) = self.label {
            let (event, outputs) = (self.get(label.event), self.get(label.outputs));
            let both = self.builder.ins().iadd(event, outputs);
            // An internal action is visible by what it emits, and by nothing else.
            let hash = if internal { self.builder.ins().select(outputs, outputs, both) } else { both };
            self.store(hash, out, 8 * words as i32);
        }
        let after = self.builder.ins().iadd_imm_s(out, size);
        self.store_frame(after, runtime::OUT);
    }
}
