//! What is known about one property beside where its monitor is.
//!
//! A property may [need](Need) to know more of a step than its events. Where the log does not show that, the step is missed, and nobody
//! knows any more where the property is in the run; so it starts anew as in the middle of one as soon as it can be judged again. The
//! price: only what is certain whatever it missed is a violation, and it is told as not wholly judged.

use interplay_answers::{LogProperty, LogVerdict};
use interplay_temporal::{Aim, Class, Monitor, MonitorState, Step, Triggers, Verdict};

#[derive(Clone)]
pub(super) struct Told {
    pub(super) violations: u64,
    /// What should be possible was seen.
    pub(super) satisfied: bool,
    needs: Vec<Need>,
    /// The log did not show this, at least once.
    pub(super) missed: Option<Need>,
    /// It missed a step, so where it is in the run is not known.
    pub(super) lost: bool,
    /// It looks at the initial state or back at it, which a log shows only with its `reset`.
    needs_the_first_state: bool,
    /// So many steps of this run came before those that it judges by.
    pub(super) since: u64,
    /// Something without a bound is owed since the step of this run, in this line.
    pub(super) owed: Option<(u64, u64)>,
    /// Its monitor has not taken a step yet.
    pub(super) is_fresh: bool,
    /// The last line with a step for it.
    pub(super) line: u64,
    pub(super) is_hopeless: bool,
    /// It is hopeless, and that was not told yet in this run.
    pub(super) is_doomed: bool,
    pub(super) triggers: Triggers,
}

/// What a property has to know beside events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// What an observer remembers begins where the run does.
    Beginning,
    State,
    /// Where components are, which objects there are: a log shows variables and nothing else.
    Inside,
    Time,
    /// In which order things happened, where `--reorder` says that the log does not.
    Order,
    /// What `--unlogged` says that the log does not show.
    Unlogged,
}

impl Need {
    const ALL: [Need; 6] = [Need::Beginning, Need::State, Need::Inside, Need::Time, Need::Order, Need::Unlogged];
    /// Of these a log shows nothing, ever.
    const NEVER: [Need; 3] = [Need::Inside, Need::Order, Need::Unlogged];

    fn is_met(self, step: Step<'_>) -> bool {
        match self {
            Need::Beginning => true,
            Need::State => step.state.is_some(),
            Need::Inside | Need::Order | Need::Unlogged => false,
            Need::Time => step.time.is_some(),
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Need::Beginning => "beginning",
            Need::State => "state",
            Need::Inside => "inside",
            Need::Time => "time",
            Need::Order => "order",
            Need::Unlogged => "unlogged",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Need> {
        Need::ALL.into_iter().find(|need| need.word() == word)
    }

    /// Why a property was not judged, or not from the beginning.
    fn reason(self, never: bool) -> String {
        let when = if never { "does not show" } else { "does not show from the beginning" };
        match self {
            Need::Beginning => "it is an observer, and its location in the middle of a run is unknown".into(),
            Need::State => format!("it needs the state of the system, which the log {when}"),
            Need::Inside => "it needs locations or objects, which a log does not show".into(),
            Need::Time => format!("it needs time, which the log {when}"),
            Need::Order => "the order of the events is unknown (--reorder)".into(),
            Need::Unlogged => "it depends on events that the log does not show (--unlogged)".into(),
        }
    }
}

impl Told {
    pub(super) fn new(monitor: &Monitor, hidden: Option<Need>) -> Told {
        let needs = [
            (monitor.reading().is_none(), Need::Beginning),
            (monitor.reads_state(), Need::State),
            (monitor.looks_behind_variables(), Need::Inside),
            (monitor.is_timed(), Need::Time),
        ];
        Told {
            violations: 0,
            satisfied: false,
            needs: needs.into_iter().filter_map(|(needed, need)| needed.then_some(need)).chain(hidden).collect(),
            missed: None,
            lost: false,
            needs_the_first_state: monitor.takes_first(),
            since: 0,
            owed: None,
            is_fresh: true,
            line: 0,
            is_hopeless: monitor.is_hopeless(),
            is_doomed: monitor.is_hopeless(),
            triggers: Triggers::new(monitor),
        }
    }

    pub(super) fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// A run begins; its initial state is known if the log shows it.
    pub(super) fn begin(&mut self, first_state_is_known: bool) {
        self.triggers.begin();
        let lost = self.needs_the_first_state && !first_state_is_known;
        (self.since, self.lost, self.is_doomed) = (0, lost, self.is_hopeless);
        self.is_fresh = true;
        self.owed = None;
        if let Some(need) = Need::NEVER.into_iter().find(|need| self.needs(*need)) {
            self.miss(need);
        }
    }

    /// A run goes on of which nobody saw the beginning.
    pub(super) fn begin_in_the_middle(&mut self) {
        self.begin(false);
        if self.needs(Need::Beginning) {
            self.miss(Need::Beginning);
        }
    }

    /// Whether the log shows what is needed to judge this step; otherwise it is missed.
    pub(super) fn can_judge(&mut self, step: Step<'_>) -> bool {
        let missing = self.needs.iter().find(|need| !need.is_met(step)).copied();
        missing.into_iter().for_each(|need| self.miss(need));
        missing.is_none() && !(self.lost && self.needs(Need::Beginning))
    }

    pub(super) fn miss(&mut self, need: Need) {
        (self.missed, self.lost) = (Some(need), true);
    }

    /// What was seen once stays seen in later runs.
    pub(super) fn see(&mut self, monitor: &Monitor, state: &MonitorState) {
        self.satisfied |= monitor.aim == Aim::Possible && state.verdict == Verdict::Satisfied;
    }

    /// Something is owed now, after this step, or nothing is.
    pub(super) fn owe(&mut self, monitor: &Monitor, state: &MonitorState, step: u64) {
        let owes = monitor.class() != Class::Safety && state.verdict == Verdict::Open && monitor.owes(state);
        self.owed = owes.then(|| self.owed.unwrap_or((step, self.line)));
    }

    /// With what is owed, if something is.
    pub(super) fn property(&self, monitor: &Monitor, state: &MonitorState, owed: Option<String>) -> LogProperty {
        let verdict = match (state.verdict, self.missed) {
            _ if self.violations > 0 => LogVerdict::Violated,
            _ if self.satisfied => LogVerdict::Satisfied,
            (_, Some(need)) => LogVerdict::NotJudged(need.reason(self.lost)),
            (Verdict::Satisfied, None) => LogVerdict::Satisfied,
            _ if monitor.aim == Aim::Possible => LogVerdict::Unseen,
            _ => owed.map_or(LogVerdict::Open, LogVerdict::Owed),
        };
        let quantified = monitor.reading().is_some_and(|reading| !reading.slots.variables.is_empty());
        LogProperty {
            name: monitor.name.clone(),
            verdict,
            violations: self.violations,
            vacuous: self.triggers.never_came(),
            instances: quantified.then(|| monitor.instances(state)),
        }
    }
}
