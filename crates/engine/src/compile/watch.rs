//! Telling those who watch of a step: one function that every successor passes before it is written.
//!
//! It is given the row before the step, the row after it, and the event that began the step. It judges all tests, which are the
//! letter; moves every oracle by its table; lets every observer take its rule; and writes where they are now into the
//! row after the step. What an observer cannot judge makes the step an error; a test that cannot be judged does so only if
//! an oracle asks for it.

use super::code::{Code, Result, Typed};
use super::each::Each;
use super::rule::MOST_INSTRUCTIONS;
use super::signals::actions;
use crate::runtime;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value as Word};
use interplay_model::{
    ActionId, Direction, Discipline, LocalId, ObserverId, ObserverRule, ObserverTrigger, Rule, StatementKind,
};
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use interplay_rows::{Field, Slot};
use interplay_rows::{Test, Watched, Watcher, deciding};
use interplay_temporal::{Arg, Atom};

/// The event that begins a step, as words: its action (or one of these), its result, the input signals of a synchronous
/// step, then its arguments.
const STEP: u64 = u64::MAX;
const SILENCE: u64 = u64::MAX - 1;
const RESULT: i32 = 8;
const SIGNALS: i32 = 16;
const ARGUMENTS: i32 = 24;

/// What kind of step it is: words that are zero or one.
#[derive(Clone, Copy)]
struct Occasion {
    visible: Word,
    internal: Word,
    silent: Word,
}

/// Words that an event needs at most.
pub(crate) fn event_words(model: &interplay_model::Model) -> usize {
    3 + model.actions.iter().map(|action| action.params.len()).max().unwrap_or(0)
}

impl<'a> Code<'a, '_> {
    fn tells(&self) -> bool {
        self.input.watch.follows_steps()
    }

    pub(super) fn hears_silence(&self) -> bool {
        self.input.watch.hears_silence(self.input.kinds.instance.model())
    }

    /// A step begins with this event.
    pub(super) fn note_event(&mut self, action: ActionId, rule: &Rule) {
        if !self.tells() {
            return;
        }
        let (event, number) = (self.load_frame(runtime::EVENT), self.constant(action.0 as u64));
        self.store(number, event, 0);
        for index in 0..rule.params {
            if let Some((word, _)) = self.local(LocalId(index)) {
                self.store(word, event, ARGUMENTS + 8 * index as i32);
            }
        }
        self.no_signals(event);
    }

    /// All input signals are absent.
    fn no_signals(&mut self, event: Word) {
        let model = self.input.kinds.instance.model();
        if model.discipline == Discipline::Synchronous {
            let words = |action: &ActionId| 1 + model.actions[action.0].params.len();
            let size = actions(model, Direction::Input).iter().map(words).sum();
            let none = self.list(vec![0; size]);
            self.store(none, event, SIGNALS);
        }
    }

    /// The step of a synchronous system begins, with these input signals.
    pub(super) fn note_step(&mut self, signals: Word) {
        if self.tells() {
            let (event, step) = (self.load_frame(runtime::EVENT), self.constant(STEP));
            self.store(step, event, 0);
            self.store(signals, event, SIGNALS);
        }
    }

    pub(super) fn note_result(&mut self, word: Word) {
        if self.tells() {
            let event = self.load_frame(runtime::EVENT);
            self.store(word, event, RESULT);
        }
    }

    /// Tells those who watch of the step at hand; an error of theirs gives it up.
    pub(super) fn tell(&mut self) {
        if !self.tells() {
            return;
        }
        self.store_frame(self.fresh, runtime::FRESH);
        let signature = match self.told {
            Some(known) => known,
            None => {
                let own = self.builder.func.signature.clone();
                *self.told.insert(self.builder.import_signature(own))
            }
        };
        let watch = self.load_frame(runtime::WATCH);
        self.builder.ins().call_indirect(signature, watch, &[self.row, self.frame]);
        let told = self.load_frame(runtime::TOLD);
        let skip = self.skip;
        self.unless(told, skip);
    }

    /// Nothing happens, and somebody notices it.
    pub(super) fn silence(&mut self) {
        if !self.hears_silence() {
            return;
        }
        let end = self.block();
        (self.skip, self.base) = (end, self.row);
        let active = self.load_frame(runtime::ACTIVE);
        self.when(active, end);
        let (event, silence) = (self.load_frame(runtime::EVENT), self.constant(SILENCE));
        self.store(silence, event, 0);
        self.no_signals(event);
        self.call("emit_clear", &[]);
        self.copy_row(self.row, self.fresh);
        self.tell();
        let same = self.same_rows(self.row, self.fresh);
        self.when(same, end);
        self.start_label(&[silence]);
        self.write_successor(false);
        self.jump(end);
        self.at(end);
    }

    fn same_rows(&mut self, left: Word, right: Word) -> Word {
        let mut differ = self.constant(0);
        for word in 0..self.input.layout.words {
            let (one, other) = (self.load(left, 8 * word as i32), self.load(right, 8 * word as i32));
            let more = self.builder.ins().bxor(one, other);
            differ = self.builder.ins().bor(differ, more);
        }
        self.is(IntCC::Equal, differ, 0)
    }

    /// Goes on where a formula is violated.
    pub(super) fn unless_broken(&mut self, watched: &Watched, target: Block) {
        match watched.walkers.first() {
            Some(walker) => {
                let state = self.read_field(walker.field);
                self.when(state, target);
            }
            None => {
                let never = self.constant(0);
                self.unless(never, target);
            }
        }
    }

    /// Goes on where an observer has found what it looks for.
    pub(super) fn unless_decided(&mut self, id: ObserverId, location: Field, target: Block) {
        let decided = deciding(self.input.kinds.instance.model(), id);
        let here = self.read_field(location);
        let there = self.among(here, &decided);
        self.unless(there, target);
    }

    fn among(&mut self, word: Word, numbers: &[u64]) -> Word {
        let mut any = self.constant(0);
        for number in numbers {
            let same = self.is(IntCC::Equal, word, *number);
            any = self.builder.ins().bor(any, same);
        }
        any
    }

    /// The function itself.
    pub(super) fn watch(&mut self) -> Result<()> {
        let give_up = self.block();
        self.skip = give_up;
        self.fresh = self.load_frame(runtime::FRESH);
        self.base = self.fresh;
        self.watching = true;
        let zero = self.constant(0);
        self.store_frame(zero, runtime::TOLD);
        let model = self.input.kinds.instance.model();
        if model.discipline == Discipline::Synchronous {
            let event = self.load_frame(runtime::EVENT);
            let table = self.load(event, SIGNALS);
            self.signals = Some(self.loaded(&actions(model, Direction::Input), table)?);
        }
        if model.discipline == Discipline::Asynchronous && self.emits() {
            return Err(Unsupported::new("an asynchronous system that emits"));
        }
        if self.hears_silence() && self.input.kinds.instance.may_diverge() {
            return Err(Unsupported::new("silence beside internal steps that may go on for ever"));
        }
        let occasion = self.occasion();
        self.letter(occasion)?;
        for watcher in &self.input.watch.watchers {
            match watcher {
                Watcher::Always(_) => {}
                Watcher::Formula(watched) => self.walkers(watched, occasion),
                Watcher::Observer { id, location } => self.observer(*id, *location, occasion)?,
            }
            if self.instructions() > MOST_INSTRUCTIONS {
                return Err(Unsupported::new("too many properties over several steps"));
            }
        }
        self.set_flag(runtime::TOLD);
        self.jump(give_up);
        self.at(give_up);
        Ok(())
    }

    /// Some rule emits outputs.
    fn emits(&self) -> bool {
        let mut found = false;
        for statement in self.input.kinds.instance.model().rules.iter().flat_map(|rule| &rule.body) {
            statement.walk(&mut |inner| found |= matches!(inner.kind, StatementKind::Emit { .. }));
        }
        found
    }

    /// An internal action is visible by what it emits.
    fn occasion(&mut self) -> Occasion {
        let event = self.load_frame(runtime::EVENT);
        let action = self.load(event, 0);
        let silent = self.is(IntCC::Equal, action, SILENCE);
        let model = self.input.kinds.instance.model();
        let inside: Vec<u64> = actions(model, Direction::Internal).iter().map(|action| action.0 as u64).collect();
        let mut internal = self.among(action, &inside);
        if !inside.is_empty() && self.emits() {
            let count = self.call("emit_count", &[]);
            let nothing = self.is(IntCC::Equal, count, 0);
            internal = self.builder.ins().band(internal, nothing);
        }
        let hidden = self.builder.ins().bor(silent, internal);
        let visible = self.builder.ins().bxor_imm_s(hidden, 1);
        Occasion { visible, internal, silent }
    }

    /// Judges all tests.
    fn letter(&mut self, occasion: Occasion) -> Result<()> {
        let letter = self.load_frame(runtime::LETTER);
        let give_up = self.skip;
        for (number, test) in self.input.watch.tests.iter().enumerate() {
            // A condition without a value does not hold; that it has none is a test of its own.
            let fails = matches!(test.atom, Atom::Fails { .. });
            let (end, wrong) = (self.block(), self.constant(u64::from(fails)));
            let answer = self.variable(wrong);
            (self.skip, self.quiet) = (end, true);
            let holds = self.test_of(test, occasion)?;
            self.put(answer, holds);
            self.jump(end);
            self.at(end);
            let answer = self.get(answer);
            self.builder.ins().istore8(MemFlagsData::trusted(), answer, letter, number as i32);
        }
        (self.skip, self.quiet) = (give_up, false);
        Ok(())
    }

    fn test_of(&mut self, test: &Test, occasion: Occasion) -> Result<Word> {
        match &test.atom {
            Atom::Silence => Ok(occasion.silent),
            Atom::Between => Ok(occasion.internal),
            Atom::Event { action, args } => {
                let mut asked = Vec::new();
                for (index, arg) in args.iter().enumerate() {
                    let Arg::Is(value) = arg else { continue };
                    let kind = self.kind_of(&self.input.kinds.instance.model().actions[action.0].params[index].ty)?;
                    match kind.encode(value, self.input.store) {
                        Some(word) => asked.push((index, self.constant(word))),
                        None => return Ok(self.constant(0)),
                    }
                }
                Ok(self.seen(*action, &asked))
            }
            Atom::Condition { expr, .. } | Atom::Fails { expr, .. } => {
                let values: Vec<(LocalId, &interplay_semantics::Value)> =
                    test.slots.variables.iter().copied().zip(test.values.iter().flatten()).collect();
                self.with_locals(&test.slots.locals, |code| {
                    for (local, value) in values {
                        let (word, kind) = code.known(value, &test.slots.locals[local.0].ty)?;
                        code.set_local(local, word, kind);
                    }
                    let holds = code.test(expr)?;
                    Ok(if matches!(test.atom, Atom::Fails { .. }) { code.constant(0) } else { holds })
                })
            }
        }
    }

    /// Whether an event of the step has these arguments. Nobody asks for internal actions.
    pub(super) fn seen(&mut self, action: ActionId, asked: &[(usize, Word)]) -> Word {
        let model = self.input.kinds.instance.model();
        if let Some((present, params)) = self.signal(action) {
            return asked.iter().fold(present, |all, (index, word)| {
                let same = self.compare(IntCC::Equal, params[*index].0, *word);
                self.builder.ins().band(all, same)
            });
        }
        if model.actions[action.0].direction == Direction::Output && model.discipline != Discipline::Asynchronous {
            return match asked {
                [] => {
                    let number = self.constant(action.0 as u64);
                    let times = self.call("emit_times", &[number]);
                    self.is(IntCC::NotEqual, times, 0)
                }
                _ => self.emitted(action, asked),
            };
        }
        let event = self.load_frame(runtime::EVENT);
        let begun = self.load(event, 0);
        let mut all = self.is(IntCC::Equal, begun, action.0 as u64);
        for (index, word) in asked {
            let given = self.load(event, ARGUMENTS + 8 * *index as i32);
            let same = self.compare(IntCC::Equal, given, *word);
            all = self.builder.ins().band(all, same);
        }
        all
    }

    /// An argument of an event of the step; if there is no such event, that is an error.
    pub(super) fn seen_value(&mut self, action: ActionId, param: usize) -> Result<Typed> {
        let model = self.input.kinds.instance.model();
        let kind = self.kind_of(&model.actions[action.0].params[param].ty)?;
        let output = model.actions[action.0].direction == Direction::Output;
        match model.discipline {
            Discipline::Reactive if output => Err(Unsupported::new("the value of one of several outputs")),
            Discipline::Synchronous if output => {
                let (number, index) = (self.constant(action.0 as u64), self.constant(param as u64));
                Ok((self.call_fallible("emit_value", &[number, index]), kind))
            }
            _ => {
                let there = self.seen(action, &[]);
                self.require(there);
                let event = self.load_frame(runtime::EVENT);
                Ok((self.load(event, ARGUMENTS + 8 * param as i32), kind))
            }
        }
    }

    /// All oracles of a formula take the step. If one is violated, all forget where they were.
    fn walkers(&mut self, watched: &Watched, occasion: Occasion) {
        let end = self.block();
        let mut concerned = occasion.visible;
        for (concerns, kind) in [(watched.sees_inside, occasion.internal), (watched.hears_silence, occasion.silent)] {
            if concerns {
                concerned = self.builder.ins().bor(concerned, kind);
            }
        }
        self.unless(concerned, end);
        if let Some(walker) = watched.walkers.first() {
            let state = self.read_field(walker.field);
            self.unless(state, end);
        }
        let mut broken = self.constant(0);
        // The parts of one choice of values that are broken now.
        let mut parts: Vec<Word> = Vec::new();
        for walker in &watched.walkers {
            if walker.right.is_none() && parts.len() == watched.parts {
                parts.clear();
            }
            let state = self.read_field(walker.field);
            let length = self.constant(walker.table.len() as u64);
            let table = self.list(walker.table.to_vec());
            let next = self.call("walk", &[table, length, state]);
            let bad = self.is(IntCC::Equal, next, 0);
            match walker.right {
                None => {
                    parts.push(bad);
                    broken = self.builder.ins().bor(broken, bad);
                }
                Some(part) => {
                    // Parts are looked at from left to right.
                    let mut fine = self.builder.ins().bxor_imm_s(bad, 1);
                    for before in &parts[..part] {
                        fine = self.builder.ins().bor(fine, *before);
                    }
                    self.require(fine);
                }
            }
            self.write_field(walker.field, next);
        }
        if watched.walkers.len() > 1 {
            self.unless(broken, end);
            let zero = self.constant(0);
            watched.walkers.iter().for_each(|walker| self.write_field(walker.field, zero));
        }
        self.jump(end);
        self.at(end);
    }

    /// An observer takes the rules that the step concerns, all of which must lead to the same place.
    fn observer(&mut self, id: ObserverId, location: Field, occasion: Occasion) -> Result<()> {
        let (after, model) = (self.fresh, self.input.kinds.instance.model());
        let observer = &model.observers[id.0];
        let (result, candidate, zero) = (self.row_on_stack(), self.row_on_stack(), self.constant(0));
        let moved = self.variable(zero);
        for rule in &observer.rules {
            if observer.locations[rule.from].verdict.is_some() {
                continue;
            }
            let next = self.block();
            let here = self.read_field(location);
            let from = self.is(IntCC::Equal, here, rule.from as u64);
            self.unless(from, next);
            self.occasions(rule, occasion, next, &mut |code| {
                let no = code.block();
                for condition in &rule.guard {
                    code.check(condition, no)?;
                }
                code.copy_row(after, candidate);
                (code.fresh, code.base, code.writing) = (candidate, candidate, true);
                let done = code.statements(&rule.body, 0);
                code.writing = false;
                done?;
                let target = code.constant(rule.target as u64);
                code.write_field(location, target);
                (code.fresh, code.base) = (after, after);
                code.agree(moved, result, candidate);
                code.jump(no);
                code.at(no);
                Ok(())
            })?;
            self.jump(next);
            self.at(next);
        }
        let (end, moved) = (self.block(), self.get(moved));
        self.unless(moved, end);
        self.copy_row(result, after);
        let decided = |index: &usize| observer.locations[*index].verdict.is_some();
        let decided: Vec<u64> = (0..observer.locations.len()).filter(decided).map(|index| index as u64).collect();
        let here = self.read_field(location);
        let over = self.among(here, &decided);
        self.unless(over, end);
        observer.variables.iter().for_each(|variable| self.forget(*variable));
        self.jump(end);
        self.at(end);
        Ok(())
    }

    /// The first way to go is kept; another one must be the same.
    fn agree(&mut self, moved: cranelift_frontend::Variable, result: Word, candidate: Word) {
        let (first, again, end) = (self.block(), self.block(), self.block());
        let before = self.get(moved);
        self.builder.ins().brif(before, again, &[], first, &[]);
        self.at(first);
        self.copy_row(candidate, result);
        let one = self.constant(1);
        self.put(moved, one);
        self.jump(end);
        self.at(again);
        let same = self.same_rows(candidate, result);
        self.require(same);
        self.jump(end);
        self.at(end);
    }

    /// Writes `body` for every event of the step that the rule waits for; goes to `none` if there is none.
    fn occasions(
        &mut self,
        rule: &ObserverRule,
        occasion: Occasion,
        none: Block,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let model = self.input.kinds.instance.model();
        let action = match rule.trigger {
            ObserverTrigger::Action(action) => action,
            ObserverTrigger::Silence => {
                self.unless(occasion.silent, none);
                return self.with_locals(&rule.locals, body);
            }
            ObserverTrigger::Step if model.discipline != Discipline::Synchronous => {
                self.jump(none);
                let nowhere = self.block();
                self.at(nowhere);
                return Ok(());
            }
            ObserverTrigger::Any | ObserverTrigger::Step => {
                self.unless(occasion.visible, none);
                return self.with_locals(&rule.locals, body);
            }
        };
        let declared = &model.actions[action.0];
        let kinds: Vec<Kind> = declared.params.iter().map(|param| self.kind_of(&param.ty)).collect::<Result<_>>()?;
        if let Some((present, params)) = self.signal(action) {
            self.unless(present, none);
            return self.given(rule, params, body);
        }
        let number = self.constant(action.0 as u64);
        if declared.direction == Direction::Output && model.discipline != Discipline::Asynchronous {
            let bound = self.call("emit_times", &[number]);
            let turn = self.begin(Each::Below { bound, kind: Kind::INT })?;
            let args = kinds.into_iter().enumerate().map(|(index, kind)| {
                let at = self.constant(index as u64);
                (self.call("emit_nth", &[number, turn.word, at]), kind)
            });
            let args: Vec<Typed> = args.collect();
            self.given(rule, args, body)?;
            self.end(turn);
            return Ok(());
        }
        let there = self.seen(action, &[]);
        self.unless(there, none);
        let event = self.load_frame(runtime::EVENT);
        let mut args = Vec::new();
        for (index, kind) in kinds.into_iter().enumerate() {
            args.push((self.load(event, ARGUMENTS + 8 * index as i32), kind));
        }
        if let Some(ty) = &declared.result {
            let kind = self.kind_of(ty)?;
            args.push((self.load(event, RESULT), kind));
        }
        self.given(rule, args, body)
    }

    fn given(
        &mut self,
        rule: &ObserverRule,
        args: Vec<Typed>,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.with_locals(&rule.locals, |code| {
            for (index, (word, kind)) in args.into_iter().enumerate() {
                code.set_local(LocalId(index), word, kind);
            }
            body(code)
        })
    }

    /// All bits of a variable are zero.
    fn forget(&mut self, variable: interplay_model::VariableId) {
        let fields: Vec<Field> = match self.slot(variable) {
            Slot::Scalar(scalar) => vec![scalar.field],
            Slot::Array { keys, .. } => (0..*keys).map(|key| self.slot(variable).element_field(key)).collect(),
            Slot::Bits { count, word, shift, .. } if *count <= 64 => {
                vec![Field { word: *word, shift: *shift, width: *count as u32 }]
            }
            Slot::Bits { count, word, .. } => (0..count.div_ceil(64) as usize)
                .map(|index| Field { word: word + index, shift: 0, width: 64 })
                .collect(),
        };
        let zero = self.constant(0);
        fields.into_iter().for_each(|field| self.write_field(field, zero));
    }
}
