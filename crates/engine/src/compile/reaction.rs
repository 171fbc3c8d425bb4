//! Several components react to one action in one step, each reading the state before it.
//!
//! The first component with an enabled rule leads: its guard yields the values of the parameters. Then every later component
//! takes one of its enabled rules, or stands still if it has none. Each body works on its own copy of the row and notes the
//! bits it writes; the copies are joined, and bits that two of them write differently are a conflict.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::Kind;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{ActionId, Direction, ExprKind, LocalId, Rule};

/// More combinations of rules are left to the interpreter.
const MOST_COMBINATIONS: usize = 256;

/// What the components so far have written.
struct Joint {
    values: Word,
    written: Word,
}

impl<'a> Code<'a, '_> {
    pub(super) fn reaction(&mut self, rules: &[&Rule], action: ActionId) -> Result<()> {
        self.refuse_shared(rules, action)?;
        let mut components: Vec<Vec<&Rule>> = Vec::new();
        for rule in rules {
            match components.iter_mut().find(|known| known[0].component == rule.component) {
                Some(known) => known.push(rule),
                None => components.push(vec![rule]),
            }
        }
        if components.iter().map(|rules| rules.len() + 1).product::<usize>() > MOST_COMBINATIONS {
            return Err(Unsupported::new("so many rules of several components for one action"));
        }
        for leading in 0..components.len() {
            let (earlier, rest) = components.split_at(leading);
            for rule in &rest[0] {
                self.lead(rule, action, earlier, &rest[1..])?;
            }
        }
        Ok(())
    }

    /// What components share besides places: results and new objects.
    fn refuse_shared(&self, rules: &[&Rule], action: ActionId) -> Result<()> {
        let declared = &self.input.kinds.instance.model().actions[action.0];
        let mut makes = false;
        for statement in rules.iter().flat_map(|rule| &rule.body) {
            statement.expressions(&mut |expr| expr.walk(&mut |part| makes |= matches!(part.kind, ExprKind::New(_))));
        }
        if makes || declared.result.is_some() || rules.iter().any(|rule| !rule.chosen.is_empty()) {
            return Err(Unsupported::at("results, choices or new objects of several components", declared.span));
        }
        Ok(())
    }

    /// One rule of the leading component: as a rule alone, but with the others joining in.
    fn lead(&mut self, rule: &Rule, action: ActionId, earlier: &[Vec<&Rule>], later: &[Vec<&Rule>]) -> Result<()> {
        let instance = self.input.kinds.instance;
        let direction = instance.model().actions[action.0].direction;
        if direction == Direction::Input && instance.setup().is_some_and(|setup| setup.without.contains(&action)) {
            return Ok(());
        }
        let done = self.block();
        self.skip = done;
        self.base = self.row;
        let mut turns = Vec::new();
        self.with_locals(&rule.locals, |code| {
            code.location(rule)?;
            code.no_correction(rule, direction);
            code.bind(rule, action, &mut turns)?;
            code.limits(rule, action)?;
            let params: Vec<(Word, Kind)> = (0..rule.params).filter_map(|index| code.local(LocalId(index))).collect();
            for component in earlier {
                code.refuse_if_enabled(component, &params)?;
            }
            code.begin_label(rule, action);
            code.begin_outputs();
            let none = code.nothing_written();
            let joint = code.act(rule, &none)?;
            code.join(later, &params, &joint, action)?;
            let skip = code.skip;
            code.jump(skip);
            Ok(())
        })?;
        while let Some(turn) = turns.pop() {
            self.close(turn);
        }
        self.at(done);
        self.base = self.row;
        Ok(())
    }

    /// A component before the leading one has an enabled rule: then it leads, and this reaction is found there.
    fn refuse_if_enabled(&mut self, rules: &[&Rule], params: &[(Word, Kind)]) -> Result<()> {
        let give_up = self.skip;
        for rule in rules {
            let next = self.block();
            self.skip = next;
            self.with_locals(&rule.locals, |code| {
                code.enabled(rule, params)?;
                code.jump(give_up);
                Ok(())
            })?;
            self.at(next);
        }
        self.skip = give_up;
        Ok(())
    }

    /// Goes on if the rule is enabled for these values of the parameters, otherwise to `skip`.
    fn enabled(&mut self, rule: &Rule, params: &[(Word, Kind)]) -> Result<()> {
        self.base = self.row;
        for (index, (word, kind)) in params.iter().enumerate() {
            self.set_local(LocalId(index), *word, kind.clone());
        }
        self.location(rule)?;
        let skip = self.skip;
        rule.guard.iter().try_for_each(|condition| self.check(condition, skip))
    }

    fn nothing_written(&mut self) -> Joint {
        let joint = Joint { values: self.row_on_stack(), written: self.row_on_stack() };
        self.copy_row(self.row, joint.values);
        self.clear_row(joint.written);
        joint
    }

    fn clear_row(&mut self, row: Word) {
        let zero = self.constant(0);
        (0..self.input.layout.words).for_each(|word| self.store(zero, row, 8 * word as i32));
    }

    /// Runs one body and joins what it wrote with what was written before.
    fn act(&mut self, rule: &Rule, before: &Joint) -> Result<Joint> {
        let written = self.row_on_stack();
        self.clear_row(written);
        self.written = Some(written);
        let done = self.body(rule);
        self.written = None;
        done?;
        let joint = Joint { values: self.row_on_stack(), written: self.row_on_stack() };
        for word in 0..self.input.layout.words {
            self.join_word(8 * word as i32, written, before, &joint);
        }
        Ok(joint)
    }

    fn join_word(&mut self, offset: i32, written: Word, before: &Joint, joint: &Joint) {
        let (mine, theirs) = (self.load(written, offset), self.load(before.written, offset));
        let (new, old) = (self.load(self.fresh, offset), self.load(before.values, offset));
        let both = self.builder.ins().band(mine, theirs);
        let differ = self.builder.ins().bxor(new, old);
        let clash = self.builder.ins().band(both, differ);
        let fine = self.is(IntCC::Equal, clash, 0);
        self.require(fine);
        let kept = self.builder.ins().band_not(old, mine);
        let taken = self.builder.ins().band(new, mine);
        let values = self.builder.ins().bor(kept, taken);
        let all = self.builder.ins().bor(mine, theirs);
        self.store(values, joint.values, offset);
        self.store(all, joint.written, offset);
    }

    /// The remaining components: each takes every enabled rule in turn, or stands still if there is none.
    fn join(
        &mut self,
        components: &[Vec<&Rule>],
        params: &[(Word, Kind)],
        before: &Joint,
        action: ActionId,
    ) -> Result<()> {
        let Some((rules, rest)) = components.split_first() else {
            self.copy_row(before.values, self.fresh);
            return self.succeed(action);
        };
        let outer = self.skip;
        let zero = self.constant(0);
        let moved = self.variable(zero);
        let hash = self.label.map(|label| self.get(label));
        let outputs = self.call("emit_count", &[]);
        for rule in rules {
            let next = self.block();
            self.skip = next;
            self.with_locals(&rule.locals, |code| {
                code.enabled(rule, params)?;
                let one = code.constant(1);
                code.put(moved, one);
                let joint = code.act(rule, before)?;
                code.join(rest, params, &joint, action)?;
                code.jump(next);
                Ok(())
            })?;
            self.at(next);
            self.call("emit_keep", &[outputs]);
            if let (Some(label), Some(hash)) = (self.label, hash) {
                self.put(label, hash);
            }
        }
        let (still, done) = (self.block(), self.block());
        let moved = self.get(moved);
        self.builder.ins().brif(moved, done, &[], still, &[]);
        self.at(still);
        self.skip = done;
        self.join(rest, params, before, action)?;
        self.jump(done);
        self.at(done);
        self.skip = outer;
        Ok(())
    }
}
