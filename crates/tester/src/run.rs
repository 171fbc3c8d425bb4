//! One run: drive the implementation and judge what it does, step by step.
//!
//! The loop hears first: everything that is there already is judged before anything is chosen. Then the strategy decides:
//! give an input, or listen for as long as this state deserves. What came before the answer to an input happened before the
//! input and is judged so. After the last step a run that must end in an accepting state goes on with cleanup inputs
//! and listening only. Every loop has an end, every call a limit.

mod crashes;
mod deadlines;
mod finish;
mod outside;
mod reactive;
mod silence;

pub(crate) use self::crashes::Crashes;
use self::silence::Believed;
use crate::conduct::Conduct;
use crate::history::History;
use interplay_adapter::{Answer, Implementation, Output, Trouble, TroubleKind};
use interplay_judge::{
    Choices, Failure, FailureKind, Halt, Judged, LabelId, Plan, Possible, Said, SetId, Table, Turn, Waits, Watch,
    Wrong, explain, inputs_of, lines, plan,
};
use interplay_model::{Discipline, Refusals, Silence};
use interplay_semantics::{Event, Instance, Label};
use interplay_strategies::{Follow, Move, Strategy, View};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Everything that outlives one run: what is known of the model and learnt of the implementation.
pub struct Tester<'t> {
    pub table: Table,
    pub implementation: Box<dyn Implementation + 't>,
    pub waits: Waits,
    pub watch: Watch,
    pub conduct: Conduct,
    /// Inputs that led straight to a known failure, and where they were given: mostly something else is given there.
    pub avoid: FxHashSet<(SetId, LabelId)>,
    pub crashes: Crashes,
    pub history: History,
}

/// What became of one run.
pub struct Ran {
    pub turns: Vec<Turn>,
    pub end: End,
    /// Inputs, outputs and silences.
    pub steps: u64,
    /// The choices, to make them again.
    pub tosses: Vec<u32>,
}

#[derive(Debug)]
pub enum End {
    /// As long as it should be, or as the strategy wanted; in an accepting state if that was asked for.
    Finished,
    /// Nothing can be given or come any more.
    Terminal,
    /// Nothing can be given, and what may come did not.
    Stuck,
    /// The specification does not say what follows: an input met an output on its way, or was refused.
    Unspecified,
    /// What came is not right with any value of the instance, but may be with one that its domains leave out.
    Outside,
    Failed(Box<Failure>),
    /// Not in an accepting state, though the setup asks for one, and no cleanup input leads there.
    Unfinished,
    /// It failed only because of a silence that was looked at in haste, and not again when that was waited for with patience.
    Unconfirmed,
    /// An input was not answered in time, but was when it was given again with more patience.
    Unanswered,
    /// There is nothing to judge: it could not be started, or the adapter does not keep to the protocol.
    Broken(Trouble),
    /// The judge cannot go on.
    Halted(Halt),
    Interrupted,
}

impl From<Trouble> for Box<End> {
    fn from(trouble: Trouble) -> Box<End> {
        Box::new(End::Broken(trouble))
    }
}

impl From<Halt> for Box<End> {
    fn from(halt: Halt) -> Box<End> {
        Box::new(End::Halted(halt))
    }
}

/// An early end of the run is an error of everything in between.
type Flow<T> = Result<T, Box<End>>;

/// Waiting in vain counts as a part of a step, so that a run of waiting ends too.
const IDLE: usize = 10;

struct Run<'r, 't> {
    tester: &'r mut Tester<'t>,
    choices: &'r mut Choices,
    strategy: &'r mut dyn Strategy,
    interrupted: &'r AtomicBool,
    possible: Possible,
    turns: Vec<Turn>,
    /// Heard already, judged later.
    kept: VecDeque<Output>,
    /// By action.
    given: Vec<u64>,
    /// The input that was given and is not judged yet: whatever breaks, it may be the reason.
    pending: Option<LabelId>,
    steps: usize,
    idle: usize,
    /// Nothing came since the last step although it was waited for.
    waited: bool,
    /// A step outside the model happened where only properties judge: nobody knows the state until the next reset.
    lost: bool,
    /// When the last step was made, to learn how long outputs take.
    since: Instant,
    /// How long nothing has come since then, although it was waited for.
    in_vain: Duration,
    /// The last output was waited for; otherwise it was there already.
    awaited: bool,
    /// The silences on which something rests.
    believed: Vec<Believed>,
    began: Instant,
    /// When the step that is judged happened, in microseconds of the run.
    moment: u64,
}

/// So often a failure that rests on haste is repeated with patience.
const PATIENT_RUNS: u64 = 4;

impl Tester<'_> {
    pub fn run(&mut self, strategy: &mut dyn Strategy, choices: &mut Choices, interrupted: &AtomicBool) -> Ran {
        let broken = self.watch.broken();
        let ran = self.once(strategy, choices, interrupted);
        match &ran.end {
            End::Failed(failure) if failure.rests_on.is_some_and(|rests_on| rests_on.hasty) => {
                self.watch.forgive(&broken);
                self.with_patience(ran, interrupted)
            }
            _ if self.is_doubtful(&ran) => self.confirm(ran, interrupted),
            _ => ran,
        }
    }

    fn once(&mut self, strategy: &mut dyn Strategy, choices: &mut Choices, interrupted: &AtomicBool) -> Ran {
        let possible = Possible::start(&self.table);
        let given = vec![0; self.table.instance().model().actions.len()];
        let mut run = Run {
            tester: self,
            choices,
            strategy,
            interrupted,
            possible,
            turns: Vec::new(),
            kept: VecDeque::new(),
            given,
            pending: None,
            steps: 0,
            idle: 0,
            waited: false,
            lost: false,
            since: Instant::now(),
            in_vain: Duration::ZERO,
            awaited: false,
            believed: Vec::new(),
            began: Instant::now(),
            moment: 0,
        };
        run.strategy.start();
        let end = run.go().unwrap_or_else(|end| *end);
        let (turns, steps) = (std::mem::take(&mut run.turns), run.steps as u64);
        let tosses = run.choices.log().to_vec();
        self.history.ran(&turns);
        Ran { turns, end, steps, tosses }
    }

    /// Makes a run again that failed because of a silence that was looked at in haste, now with patience: only what fails then has failed.
    fn with_patience(&mut self, hasty: Ran, interrupted: &AtomicBool) -> Ran {
        let spoken: Vec<Turn> = hasty.turns.iter().copied().filter(|turn| turn.said != Said::Waited).collect();
        let acts = plan(&self.table, &spoken);
        self.waits.patient = true;
        let times = if self.waits.gives_up() { 0 } else { PATIENT_RUNS };
        let again = (0..times)
            .map(|repeat| {
                self.rehearsed(acts.clone(), |it, follow| it.once(follow, &mut Choices::new(repeat), interrupted))
            })
            .find(|ran| matches!(ran.end, End::Failed(_) | End::Broken(_) | End::Halted(_) | End::Interrupted));
        self.waits.patient = false;
        match again {
            Some(ran) => Ran { steps: hasty.steps + ran.steps, tosses: hasty.tosses, ..ran },
            None => {
                self.waits.was_hasty();
                Ran { end: End::Unconfirmed, ..hasty }
            }
        }
    }
}

impl Tester<'_> {
    /// Follows a plan that failed, or a part of one: nothing of it counts as covered.
    pub(crate) fn rehearse(&mut self, plan: Plan, seed: u64, interrupted: &AtomicBool) -> Ran {
        self.rehearsed(plan, |it, follow| it.run(follow, &mut Choices::new(seed), interrupted))
    }

    fn rehearsed(&mut self, plan: Plan, run: impl FnOnce(&mut Self, &mut Follow) -> Ran) -> Ran {
        // What is not in the plan may come in between.
        let steps = std::mem::replace(&mut self.conduct.steps, plan.len() * 2 + 10);
        let counts = std::mem::replace(&mut self.table.counts, false);
        let ran = run(self, &mut Follow::new(plan));
        (self.conduct.steps, self.table.counts) = (steps, counts);
        ran
    }

    /// Remembers the last input of a conversation that failed.
    pub(crate) fn avoid_last(&mut self, turns: &[Turn]) {
        let given = turns.iter().enumerate().rev().find_map(|(at, turn)| match turn.said {
            Said::Given(label) | Said::Broke(label) => Some((at, label)),
            _ => None,
        });
        let Some((at, label)) = given else { return };
        let before = if at == 0 { self.table.start() } else { turns[at - 1].set };
        let offer = inputs_of(self.table.label(label));
        let offer = self.table.label_id(&offer);
        self.avoid.insert((before, offer));
    }
}

impl Run<'_, '_> {
    fn go(&mut self) -> Flow<End> {
        loop {
            self.begin()?;
            let end = self.drive()?;
            self.drain()?;
            if self.strategy.waits_for_rest() {
                self.come_to_rest()?;
            }
            let more = self.steps < self.tester.conduct.steps && self.idle < IDLE * self.tester.conduct.steps;
            let again = end.is_none() && more;
            let end = self.finish(end.unwrap_or(End::Finished))?;
            self.hear_what_is_owed()?;
            self.outlast_deadlines()?;
            self.end_at_rest()?;
            self.close()?;
            if !again {
                return Ok(end);
            }
        }
    }

    /// After a silence that was observed at rest the run is complete: what had a bound and did not come is not kept. Where silence is
    /// judged, a run that ended without one is listened to if that decides.
    fn end_at_rest(&mut self) -> Flow<()> {
        let silent = matches!(self.turns.last(), Some(Turn { said: Said::Silence, .. }));
        let listens = self.discipline() != Discipline::Synchronous && self.tester.waits.silence() != Silence::Unjudged;
        let set = self.possible.set();
        if self.lost || !(silent || listens) || !self.tester.watch.ends_badly() || !self.tester.table.rests(set)? {
            return Ok(());
        }
        if !(silent && self.is_certain()) {
            if let Some(output) = self.next(self.tester.waits.owed(set))? {
                return self.hear(&output);
            }
            self.believe(set);
        }
        match self.tester.watch.end() {
            Some(name) => {
                let wrong = Wrong { kind: FailureKind::Property(name), label: None, offer: None };
                self.fail(self.possible.set(), wrong, Said::Over)
            }
            None => Ok(()),
        }
    }

    fn begin(&mut self) -> Flow<()> {
        if !self.turns.is_empty() {
            self.tester.history.ran(&self.turns);
        }
        self.reset()?;
        self.tester.table.begin();
        let violated = self.tester.watch.begin(&self.tester.table)?;
        self.strategy.begin();
        self.possible = Possible::start(&self.tester.table);
        self.turns.clear();
        self.kept.clear();
        self.given.fill(0);
        self.waited = false;
        self.lost = false;
        self.began = Instant::now();
        self.stepped();
        self.believed.clear();
        match violated {
            Some(name) => {
                let wrong = Wrong { kind: FailureKind::Property(name), label: None, offer: None };
                self.fail(self.possible.set(), wrong, Said::Over)
            }
            None => Ok(()),
        }
    }

    /// Until the steps are used up or nothing is left to do; `None` if the strategy wants to begin again.
    fn drive(&mut self) -> Flow<Option<End>> {
        while self.steps < self.tester.conduct.steps && self.idle < IDLE * self.tester.conduct.steps {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(Box::new(End::Interrupted));
            }
            self.drain()?;
            let set = self.possible.set();
            let offers = self.tester.table.top_up(set, self.choices)?;
            let may_come = self.tester.table.may_come(set)?;
            // A synchronous system says nothing by itself, and its silence is no observation.
            let hears = self.discipline() != Discipline::Synchronous;
            let listens = hears && (may_come || self.silence_says()?);
            let only = offers.is_empty();
            let worth = self.strategy.insists() || self.is_worth_listening(only)?;
            let may_listen = listens && !self.waited && worth;
            if only && !may_listen {
                return Ok(Some(if may_come { End::Stuck } else { End::Terminal }));
            }
            let may_stop = self.may_stop()?;
            let (table, watch, given) = (&mut self.tester.table, &mut self.tester.watch, &self.given);
            let view = View { table, watch, set, offers: &offers, may_listen, may_come, given, may_stop };
            let chosen = self.strategy.choose(view, self.choices);
            let offers = self.tester.table.offers(set)?;
            let chosen = self.weighed(chosen, &offers, may_listen, may_stop);
            match chosen {
                Move::Stop => return Ok(Some(End::Finished)),
                Move::Restart => {
                    self.idle += 1;
                    return Ok(None);
                }
                Move::Give(offer) => {
                    let offer = self.avoiding(offer, &offers);
                    self.give(offer, offers[offer])?;
                }
                Move::Listen => {
                    let wait = self.listening(only)?;
                    self.listen(wait)?;
                }
                Move::Await => {
                    let wait = if listens { self.listening(only)? } else { Duration::ZERO };
                    self.listen(self.tester.waits.patient(set, wait))?;
                }
                Move::Rest => self.listen(self.tester.waits.rest())?,
            }
        }
        Ok(Some(End::Finished))
    }

    /// What weighs nothing is never given, whoever chose it.
    fn weighed(&mut self, chosen: Move, offers: &[LabelId], may_listen: bool, may_stop: bool) -> Move {
        let (table, watch, given) = (&mut self.tester.table, &mut self.tester.watch, &self.given);
        if self.strategy.insists() || table.instance().weights().is_empty() {
            return chosen;
        }
        let set = self.possible.set();
        let mut view = View { table, watch, set, offers, may_listen, may_come: false, given, may_stop };
        match chosen {
            Move::Give(offer) if !view.is_open(offer) => view.anything(self.choices),
            other => other,
        }
    }

    /// Mostly another offer, if this one leads to a known failure.
    fn avoiding(&mut self, offer: usize, offers: &[LabelId]) -> usize {
        let set = self.possible.set();
        let known = |offer: &LabelId| self.tester.avoid.contains(&(set, *offer));
        if self.strategy.insists() || self.tester.avoid.is_empty() || !known(&offers[offer]) {
            return offer;
        }
        let others: Vec<usize> = (0..offers.len()).filter(|other| !known(&offers[*other])).collect();
        if others.is_empty() || self.choices.once_in(IDLE) { offer } else { others[self.choices.below(others.len())] }
    }

    /// Judges what is there already.
    fn drain(&mut self) -> Flow<()> {
        if self.discipline() == Discipline::Synchronous {
            return Ok(());
        }
        while let Some(output) = self.next(Duration::ZERO)? {
            self.hear(&output)?;
            // A flood must not keep a run alive for ever.
            if self.steps >= self.tester.conduct.steps * IDLE {
                return Err(Box::new(End::Finished));
            }
        }
        Ok(())
    }

    fn next(&mut self, limit: Duration) -> Flow<Option<Output>> {
        self.awaited = false;
        if let Some(output) = self.kept.pop_front() {
            return Ok(Some(output));
        }
        let began = Instant::now();
        let observed = self.tester.implementation.observe(limit).or_else(|trouble| self.struck(trouble))?;
        self.awaited = !limit.is_zero();
        if observed.is_none() && self.awaited {
            let took = began.elapsed();
            self.in_vain += took;
            self.tester.waits.waited.spent += took;
        }
        Ok(observed)
    }

    /// What comes from now on is waited for from now on.
    fn stepped(&mut self) {
        (self.since, self.in_vain) = (Instant::now(), Duration::ZERO);
    }

    /// How long an output took.
    fn learn(&mut self, output: &Output) {
        let (set, kind, took) = (self.possible.set(), output.event.action, self.since.elapsed());
        match self.awaited {
            true => self.tester.waits.learn(set, kind, took),
            false => self.tester.waits.learn_at_most(set, kind, took),
        }
        self.stepped();
    }

    /// Waits for something to come.
    fn listen(&mut self, wait: Duration) -> Flow<()> {
        match self.next(wait)? {
            Some(output) => self.hear(&output),
            None => self.nothing_came(wait),
        }
    }

    /// Listens until nothing comes any more.
    fn come_to_rest(&mut self) -> Flow<()> {
        if self.discipline() == Discipline::Synchronous {
            return Ok(());
        }
        loop {
            let rest = self.tester.waits.rest();
            let Some(output) = self.next(rest)? else { return self.nothing_came(rest) };
            self.hear(&output)?;
            if self.steps >= self.tester.conduct.steps * IDLE {
                return Err(Box::new(End::Finished));
            }
        }
    }

    /// Judges one output; in a reactive system together with those that belong to it.
    fn hear(&mut self, output: &Output) -> Flow<()> {
        let event = &output.event;
        // The way here does not count.
        self.moment =
            output.time.map_or_else(|| self.clock(), |time| micros(time.saturating_duration_since(self.began)));
        self.learn(output);
        self.strategy.heard();
        if self.discipline() == Discipline::Reactive {
            return self.hear_together(event);
        }
        let before = self.possible.set();
        match self.possible.hear(&mut self.tester.table, event)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Heard(label)),
            Judged::Wrong { label } => {
                let wrong = Wrong { kind: FailureKind::Output, label: Some(label), offer: None };
                self.wrong(before, wrong, label, Said::Heard(label))
            }
        }
    }

    /// A right step; the relations and the properties are asked.
    fn fits(&mut self, before: SetId, label: LabelId, said: Said) -> Flow<()> {
        let set = self.possible.set();
        self.steps += 1;
        self.waited = said == Said::Silence;
        if let Some(wrong) = self.beside_the_rules(before, label, Some(set))? {
            return self.fail(before, wrong, said);
        }
        self.turns.push(Turn { said, set });
        Ok(())
    }

    /// A step that the model does not allow. If it breaks a relation or a property too, that is the better reason; if only these
    /// judge, the run goes on, and nobody knows any more in which state.
    fn wrong(&mut self, before: SetId, wrong: Wrong, label: LabelId, said: Said) -> Flow<()> {
        if let Some(better) = self.beside_the_rules(before, label, None)? {
            return self.fail(before, better, said);
        }
        if self.tester.conduct.judged {
            return self.fail(before, wrong, said);
        }
        self.lost = true;
        self.steps += 1;
        self.waited = said == Said::Silence;
        self.turns.push(Turn { said, set: before });
        Ok(())
    }

    /// What is wrong with a step whatever the rules say: a relation that it breaks, or a property.
    fn beside_the_rules(&mut self, before: SetId, label: LabelId, set: Option<SetId>) -> Flow<Option<Wrong>> {
        let broken = self.tester.table.broken_relation(before, label);
        if let Some(error) = broken.filter(|error| !self.lost || !self.tester.table.reads_state(error)) {
            return Ok(Some(Wrong::relation(error, label)));
        }
        // Where the rules do not judge, nobody else refuses values that are not of their types.
        if !self.tester.conduct.judged
            && let Err(problem) = in_range(self.tester.table.instance(), self.tester.table.label(label))
        {
            return Ok(Some(Wrong { kind: FailureKind::Foreign(problem), label: Some(label), offer: None }));
        }
        if self.tester.watch.is_empty() {
            return Ok(None);
        }
        let set = set.filter(|_| !self.lost);
        let violated = self.tester.watch.step(&mut self.tester.table, label, set, Some(self.moment))?;
        Ok(violated.map(|name| Wrong::property(name, label)))
    }

    fn give(&mut self, offer: usize, label: LabelId) -> Flow<()> {
        self.tester.table.give(self.possible.set(), offer);
        self.pending = Some(label);
        let given = match self.discipline() {
            Discipline::Synchronous => self.give_step(label),
            _ => self.give_one(label),
        };
        self.pending = None;
        given
    }

    fn give_one(&mut self, label: LabelId) -> Flow<()> {
        let Some(mut said) = self.possible.spoken(&self.tester.table, label) else {
            // The implementation never mentioned an object that the model made; it cannot be asked about it.
            self.idle += 1;
            return Ok(());
        };
        let Some(said) = said.pop() else { return Ok(()) };
        self.given[said.action.0] += 1;
        let sent = self.clock();
        self.moment = sent;
        let answer = match self.tester.implementation.input(&said, self.tester.answer_limit()) {
            Ok(answer) => answer,
            Err(trouble) => return self.broke(trouble),
        };
        self.stepped();
        self.tester.answered(Duration::from_micros(self.clock() - sent));
        if self.hear_what_came_before()? && !self.tester.table.accepts(self.possible.set(), label)? {
            return Err(Box::new(End::Unspecified));
        }
        self.moment = self.moment.max(sent);
        match answer {
            Answer::Accepted(result) => self.taken(label, Event { result, ..said }),
            Answer::Refused(reason) => self.refused(label, &[said], reason),
        }
    }

    /// Outputs that were on their way when the input was given. Whether there were any.
    fn hear_what_came_before(&mut self) -> Flow<bool> {
        let mut any = false;
        while let Some(output) = self.next(Duration::ZERO)? {
            if !output.before_answer {
                self.kept.push_front(output);
                break;
            }
            self.hear(&output)?;
            any = true;
        }
        Ok(any)
    }

    fn taken(&mut self, offer: LabelId, said: Event) -> Flow<()> {
        if self.discipline() == Discipline::Reactive {
            return self.taken_together(offer, said);
        }
        let before = self.possible.set();
        match self.possible.give(&mut self.tester.table, offer, &said)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Given(label)),
            Judged::Wrong { label } => {
                let wrong = Wrong { kind: FailureKind::Result, label: Some(label), offer: Some(offer) };
                self.wrong(before, wrong, label, Said::Given(label))
            }
        }
    }

    /// A refusal is an observation: those states remain that do not take these inputs. If there are none it is wrong. Where only the
    /// properties judge, or where the setup says that it means nothing, it did not happen.
    fn refused(&mut self, offer: LabelId, said: &[Event], reason: String) -> Flow<()> {
        self.steps += 1;
        let before = self.possible.set();
        let means_something = self.tester.conduct.judged && self.tester.conduct.refusals != Refusals::Ignore;
        if means_something && !self.possible.refuse(&mut self.tester.table, said)? {
            if self.tester.conduct.refusals == Refusals::Unspecified {
                return Err(Box::new(End::Unspecified));
            }
            let wrong = Wrong { kind: FailureKind::Refused(reason), label: Some(offer), offer: Some(offer) };
            return self.fail(before, wrong, Said::Refused(offer));
        }
        let set = self.possible.set();
        if means_something {
            self.tester.watch.refused(&mut self.tester.table, offer, set)?;
        }
        self.turns.push(Turn { said: Said::Refused(offer), set });
        Ok(())
    }

    /// One step of a synchronous system.
    fn give_step(&mut self, offer: LabelId) -> Flow<()> {
        let Some(inputs) = self.possible.spoken(&self.tester.table, offer) else {
            self.idle += 1;
            return Ok(());
        };
        for event in &inputs {
            self.given[event.action.0] += 1;
        }
        self.moment = self.clock();
        match self.tester.implementation.step(&inputs, self.tester.answer_limit()) {
            Ok(outputs) => self.see(offer, &Label::step(inputs, outputs)),
            Err(trouble) if trouble.kind == TroubleKind::Refused => self.refused(offer, &inputs, trouble.message),
            Err(trouble) => self.struck(trouble),
        }
    }

    /// Judges a whole step that began with an offer.
    fn see(&mut self, offer: LabelId, said: &Label) -> Flow<()> {
        let before = self.possible.set();
        match self.possible.see(&mut self.tester.table, said)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Given(label)),
            Judged::Wrong { label } => {
                let wrong = Wrong { kind: FailureKind::Reaction, label: Some(label), offer: Some(offer) };
                self.wrong(before, wrong, label, Said::Given(label))
            }
        }
    }

    fn fail(&mut self, before: SetId, wrong: Wrong, said: Said) -> Flow<()> {
        let by_the_rules = !matches!(wrong.kind, FailureKind::Relation(_) | FailureKind::Property(_));
        if by_the_rules && self.tester.table.is_partial() && self.may_be_explained(&wrong) {
            return Err(Box::new(End::Outside));
        }
        self.turns.push(Turn { said, set: before });
        let rests_on = self.rests_on(&wrong)?;
        let lines = lines(&self.tester.table, &self.turns);
        let mut failure = Failure { rests_on, ..explain(&mut self.tester.table, before, wrong, lines)? };
        if matches!(failure.kind, FailureKind::Property(_)) {
            failure.values = self.tester.watch.blamed().into();
        }
        Err(Box::new(End::Failed(Box::new(failure))))
    }

    /// Microseconds since the run began.
    fn clock(&self) -> u64 {
        micros(self.began.elapsed())
    }

    fn discipline(&self) -> Discipline {
        self.tester.table.instance().model().discipline
    }
}

/// What is wrong with the values of a step by their types.
fn in_range(instance: &Instance, label: &Label) -> Result<(), String> {
    for event in label.events() {
        let action = &instance.model().actions[event.action.0];
        for (param, value) in action.params.iter().zip(&event.args) {
            let wrong = |problem| format!("the argument `{}` of `{}`: {problem}", param.name, action.name);
            instance.inside(&param.ty, value).map_err(wrong)?;
        }
        if let (Some(ty), Some(value)) = (&action.result, &event.result) {
            instance.inside(ty, value).map_err(|problem| format!("the result of `{}`: {problem}", action.name))?;
        }
    }
    Ok(())
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}
