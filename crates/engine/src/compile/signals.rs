//! The events of a step: sets of input signals, what happens together, and the relations that judge it.
//!
//! The sets of inputs of a synchronous system do not depend on the state, or the interpreter is used: they are a table that is
//! made now, and the code of a step is one loop over it. What a step emits is kept by the runtime.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{
    ActionId, Direction, Discipline, Expr, ExprKind, LocalId, Relation, RelationTerm, Rule, Trigger,
};
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use interplay_semantics::Event;
use std::collections::BTreeMap;

/// Longer tables of input sets are left to the interpreter.
const MOST_SETS: usize = 1 << 14;
/// More choices of values for the names of a relation are left to the interpreter.
const MOST_CHOICES: usize = 256;

/// The input signals of a step: whether each is present, and the words of its parameters.
#[derive(Clone)]
pub(super) struct Signals {
    inputs: BTreeMap<ActionId, (Word, Vec<Typed>)>,
}

impl<'a> Code<'a, '_> {
    /// The steps of a synchronous system.
    pub(super) fn synchronous(&mut self) -> Result<()> {
        let instance = self.input.kinds.instance;
        let model = instance.model();
        self.refuse_state_in_inputs()?;
        let state = &self.input.initial[0];
        // Without any rule the outputs are free: every set that the relations allow is a step of its own.
        let rules: Vec<&Rule> = model.rules.iter().filter(|rule| rule.trigger == Trigger::Step).collect();
        let sets = match instance.driven_input_sets(state) {
            Ok(sets) if sets.len() > MOST_SETS => return Err(Unsupported::new("too many sets of input signals")),
            Ok(sets) => sets,
            Err(_) => {
                self.set_flag(crate::runtime::ERROR);
                return Ok(());
            }
        };
        if rules.is_empty() {
            return Err(Unsupported::new("a synchronous system without rules"));
        }
        let inputs: Vec<ActionId> = actions(model, Direction::Input);
        let mut table = Vec::new();
        for set in &sets {
            for action in &inputs {
                self.table_entry(*action, set.iter().find(|event| event.action == *action), &mut table)?;
            }
        }
        let stride = table.len().checked_div(sets.len()).unwrap_or(0);
        let (table, count) = (self.list(table), self.constant(sets.len() as u64));
        let turn = self.begin(super::each::Each::Below { bound: count, kind: Kind::INT })?;
        self.skip = turn.next;
        let bytes = self.builder.ins().imul_imm_s(turn.word, 8 * stride as i64);
        let row = self.builder.ins().iadd(table, bytes);
        self.signals = Some(self.loaded(&inputs, row)?);
        self.note_step(row);
        let first = self.constant(1 << 32);
        self.start_label(&[first, turn.word]);
        self.begin_outputs(None);
        self.react_to_step(&rules)?;
        self.signals = None;
        self.end(turn);
        Ok(())
    }

    /// Relations among inputs, limits and domains may look at the state; then the sets are not known now.
    fn refuse_state_in_inputs(&self) -> Result<()> {
        let instance = self.input.kinds.instance;
        let model = instance.model();
        let inputs = actions(model, Direction::Input);
        let relations = model.relations.iter().filter_map(|relation| match relation {
            Relation::Condition(closed) if asks_only(&closed.expr, &inputs) => Some(&closed.expr),
            _ => None,
        });
        let limits = instance.limits().iter().map(|limit| &limit.condition);
        let domains = instance.domains().iter().map(|domain| &domain.values.expr);
        let objects = inputs
            .iter()
            .flat_map(|action| &model.actions[action.0].params)
            .any(|param| !super::domain::objects_in(model, &param.ty).is_empty());
        match relations.chain(limits).chain(domains).any(Expr::may_read_state) || objects {
            true => Err(Unsupported::new("sets of input signals that depend on the state")),
            false => Ok(()),
        }
    }

    fn table_entry(&mut self, action: ActionId, event: Option<&Event>, table: &mut Vec<u64>) -> Result<()> {
        table.push(u64::from(event.is_some()));
        for (index, param) in self.input.kinds.instance.model().actions[action.0].params.iter().enumerate() {
            let kind = self.kind_of(&param.ty)?;
            let word = match event {
                Some(event) => self.words_of(std::slice::from_ref(&event.args[index]), &kind)?[0],
                None => 0,
            };
            table.push(word);
        }
        Ok(())
    }

    /// An input signal of a synchronous step: whether it is present, and its arguments.
    pub(super) fn signal(&self, action: ActionId) -> Option<(Word, Vec<Typed>)> {
        self.signals.as_ref().and_then(|signals| signals.inputs.get(&action)).cloned()
    }

    pub(super) fn loaded(&mut self, inputs: &[ActionId], row: Word) -> Result<Signals> {
        let mut offset = 0;
        let mut next = |code: &mut Self| {
            offset += 8;
            code.load(row, offset - 8)
        };
        let mut found = BTreeMap::new();
        for action in inputs {
            let present = next(self);
            let mut params = Vec::new();
            for param in &self.input.kinds.instance.model().actions[action.0].params {
                params.push((next(self), self.kind_of(&param.ty)?));
            }
            found.insert(*action, (present, params));
        }
        Ok(Signals { inputs: found })
    }

    /// An event of the step with these arguments, as far as they are looked at.
    pub(super) fn happens(&mut self, action: ActionId, args: &[Option<Expr>]) -> Result<Word> {
        if let Some((present, params)) = self.signal(action) {
            let mut all = present;
            for (arg, param) in args.iter().zip(params) {
                let Some(arg) = arg else { continue };
                let wanted = self.value(arg)?;
                let same = self.same(wanted, param)?;
                all = self.builder.ins().band(all, same);
            }
            return Ok(all);
        }
        let (mut asked, mut fit) = (Vec::new(), None);
        for (index, arg) in args.iter().enumerate() {
            let Some(arg) = arg else { continue };
            let kind = self.kind_of(&self.input.kinds.instance.model().actions[action.0].params[index].ty)?;
            let (word, fits) = self.fitting(arg, &kind)?;
            fit = self.both(fit, fits);
            asked.push((index, word));
        }
        let found = if self.watching { self.seen(action, &asked) } else { self.emitted(action, &asked) };
        Ok(self.both(Some(found), fit).unwrap_or(found))
    }

    pub(super) fn emitted(&mut self, action: ActionId, asked: &[(usize, Word)]) -> Word {
        let number = self.constant(action.0 as u64);
        self.call("emit_ask", &[number]);
        for (index, word) in asked {
            let at = self.constant(*index as u64);
            self.call("emit_ask_arg", &[at, *word]);
        }
        self.call("emit_answer", &[])
    }

    /// A parameter of a signal; if the signal is absent, that is an error.
    pub(super) fn signal_value(&mut self, action: ActionId, param: usize) -> Result<Typed> {
        let signal = self.signal(action);
        if signal.is_none() && self.watching {
            return self.seen_value(action, param);
        }
        let (present, params) = signal.ok_or_else(|| Unsupported::new("the value of a signal here"))?;
        self.require(present);
        Ok(params[param].clone())
    }

    /// The events of the step begin with its inputs, if a relation will judge them.
    pub(super) fn begin_outputs(&mut self, event: Option<(ActionId, &Rule)>) {
        let model = self.input.kinds.instance.model();
        if let Some((action, rule)) = event {
            self.note_event(action, rule);
        }
        if self.label.is_none() && model.relations.is_empty() && !self.input.watch.follows_steps() {
            return;
        }
        self.call("emit_clear", &[]);
        match event {
            // Whoever watches has the inputs elsewhere.
            _ if self.label.is_none() && model.relations.is_empty() => {}
            Some((action, rule)) if model.actions[action.0].direction == Direction::Input => {
                let args: Vec<Word> =
                    (0..rule.params).filter_map(|index| self.local(LocalId(index))).map(|(word, _)| word).collect();
                self.note(action, &args);
            }
            Some(_) => {}
            None => {
                for (action, (present, params)) in
                    self.signals.clone().map_or(BTreeMap::new(), |signals| signals.inputs)
                {
                    let next = self.block();
                    self.unless(present, next);
                    let args: Vec<Word> = params.iter().map(|(word, _)| *word).collect();
                    self.note(action, &args);
                    self.jump(next);
                    self.at(next);
                }
            }
        }
    }

    fn note(&mut self, action: ActionId, args: &[Word]) {
        let number = self.constant(action.0 as u64);
        self.call("emit_begin", &[number]);
        for word in args {
            self.call("emit_arg", &[*word]);
        }
        self.call("emit_end", &[]);
    }

    /// The whole step keeps all relations; what breaks one is an error. An internal action without outputs is not judged.
    pub(super) fn relations(&mut self, direction: Option<Direction>) -> Result<()> {
        let model = self.input.kinds.instance.model();
        if model.relations.is_empty() && model.discipline != Discipline::Synchronous
            || model.discipline == Discipline::Asynchronous
        {
            return Ok(());
        }
        let end = self.block();
        if direction == Some(Direction::Internal) {
            if model.discipline == Discipline::Synchronous {
                self.jump(end);
                self.at(end);
                return Ok(());
            }
            let count = self.call("emit_count", &[]);
            self.unless(count, end);
        }
        // A signal is present once or absent.
        if model.discipline == Discipline::Synchronous {
            for action in actions(model, Direction::Output) {
                let number = self.constant(action.0 as u64);
                let times = self.call("emit_times", &[number]);
                let fine = self.is(IntCC::UnsignedLessThanOrEqual, times, 1);
                self.require(fine);
            }
        }
        self.base = self.row;
        for relation in &model.relations {
            match relation {
                Relation::Exclusive { terms, .. } => self.exclusive(terms),
                Relation::ExactlyOne { terms, .. } => {
                    self.exclusive(terms);
                    self.none_is_missing(terms)?;
                }
                Relation::Condition(closed) => {
                    let holds = self.closed(closed)?;
                    self.require(holds);
                }
            }
        }
        self.jump(end);
        self.at(end);
        Ok(())
    }

    fn exclusive(&mut self, terms: &[RelationTerm]) {
        let list: Vec<u64> = terms
            .iter()
            .flat_map(|term| {
                let head = [term.args.len() as u64, term.action.0 as u64];
                head.into_iter().chain(term.args.iter().map(|name| *name as u64))
            })
            .collect();
        let length = self.constant(list.len() as u64);
        let list = self.list(list);
        let clash = self.call("emit_clash", &[list, length]);
        let fine = self.is(IntCC::Equal, clash, 0);
        self.require(fine);
    }

    /// For every choice of values for the names, one of the terms happens.
    fn none_is_missing(&mut self, terms: &[RelationTerm]) -> Result<()> {
        let instance = self.input.kinds.instance;
        let mut rows: Vec<BTreeMap<usize, u64>> = vec![BTreeMap::new()];
        let names: BTreeMap<usize, (ActionId, usize)> = terms
            .iter()
            .flat_map(|term| term.args.iter().enumerate().map(|(param, name)| (*name, (term.action, param))))
            .collect();
        for (name, (action, param)) in names {
            let ty = &instance.model().actions[action.0].params[param].ty;
            if instance.domains().iter().any(|domain| domain.values.expr.may_read_state())
                || !super::domain::objects_in(instance.model(), ty).is_empty()
            {
                return Err(Unsupported::new("a relation over values that depend on the state"));
            }
            let kind = self.kind_of(ty)?;
            let values = instance
                .parameter_values(action, param, &self.input.initial[0])
                .map_err(|error| Unsupported::new(error.message))?;
            let words = self.words_of(&values, &kind)?;
            let with = |row: &BTreeMap<usize, u64>, word: u64| {
                row.iter().map(|(k, v)| (*k, *v)).chain([(name, word)]).collect()
            };
            rows = rows.iter().flat_map(|row| words.iter().map(move |word| with(row, *word))).collect();
            if rows.len() > MOST_CHOICES {
                return Err(Unsupported::new("too many values of the names of a relation"));
            }
        }
        for row in rows {
            let mut any = self.constant(0);
            for term in terms {
                let asked: Vec<(usize, Word)> =
                    term.args.iter().enumerate().map(|(index, name)| (index, self.constant(row[name]))).collect();
                let found = self.emitted(term.action, &asked);
                any = self.builder.ins().bor(any, found);
            }
            self.require(any);
        }
        Ok(())
    }
}

pub(super) fn actions(model: &interplay_model::Model, direction: Direction) -> Vec<ActionId> {
    let all = model.actions.iter().enumerate().filter(|(_, action)| action.direction == direction);
    all.map(|(index, _)| ActionId(index)).collect()
}

/// Every event that the condition speaks of is one of these.
fn asks_only(condition: &Expr, actions: &[ActionId]) -> bool {
    let mut only = true;
    condition.walk(&mut |part| match &part.kind {
        ExprKind::Happens { action, .. } | ExprKind::SignalValue { action, .. } => only &= actions.contains(action),
        _ => {}
    });
    only
}
