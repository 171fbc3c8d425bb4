//! The implementation did what no state of the model allows: what, where, and what would have been right.

use crate::conversation::Line;
use crate::pairing::Pairing;
use crate::signature::signature;
use crate::table::{LabelId, Result, SetId, Table};
use crate::waits::{Delays, Lateness};
use interplay_adapter::{Trouble, TroubleKind};
use interplay_model::{RuleId, Trigger};
use interplay_semantics::{Blocked, Event, Label, ModelError, State};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// An output that must not come.
    Output,
    /// An input or an internal step of a recorded run that no possible state takes.
    Forbidden,
    /// A recorded run shows a state that is not possible.
    State,
    /// A step (of a reactive or synchronous system) with outputs that are not right.
    Reaction,
    /// An input was taken, but returned the wrong value.
    Result,
    /// An input was refused that must be taken.
    Refused(String),
    /// An output that the specification does not name, or a value of another type, and what is wrong with it.
    Foreign(String),
    /// It crashed, hung or flooded.
    Crash(Box<Trouble>),
    /// Nothing came where something has to.
    Silence,
    /// The test could not end: something is owed and never came.
    Unfinished,
    /// What must not happen together did, or something is missing in a step.
    Relation(Box<ModelError>),
    /// A property or observer is violated.
    Property(String),
}

impl FailureKind {
    /// A short word for tables and JSON.
    pub fn word(&self) -> &'static str {
        match self {
            FailureKind::Output => "output",
            FailureKind::Forbidden => "forbidden",
            FailureKind::State => "state",
            FailureKind::Reaction => "reaction",
            FailureKind::Result => "result",
            FailureKind::Refused(_) => "refusal",
            FailureKind::Foreign(_) => "foreign",
            FailureKind::Crash(trouble) => match trouble.kind {
                TroubleKind::Raised => "exception",
                TroubleKind::NoAnswer => "hang",
                TroubleKind::Flood => "flood",
                _ => "crash",
            },
            FailureKind::Silence => "silence",
            FailureKind::Unfinished => "unfinished",
            FailureKind::Relation(_) => "relation",
            FailureKind::Property(_) => "property",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// Equal for failures that are taken as the same one while they are shrunk.
    pub signature: String,
    /// The values for which a property of all values is violated, as `n = 1`; otherwise empty.
    pub values: String,
    /// The whole conversation; the last line is the one that is wrong.
    pub lines: Vec<Line>,
    /// Where the system may have been before the last line: at most [`SHOWN`] of them.
    pub possible: Vec<State>,
    pub possible_count: usize,
    /// What would have been right instead.
    pub allowed: Vec<Label>,
    /// The one of those that is most like what happened.
    pub nearest: Option<Label>,
    /// For each state shown and each rule of the action: why it did not allow this.
    pub excluded: Vec<Excluded>,
    /// The input of the line before the last has no answer: it brought the last one about.
    pub has_fatal_input: bool,
    /// The silences without which it would be none.
    pub rests_on: Option<RestsOn>,
}

/// Silences on which a failure rests, and how sure they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestsOn {
    pub silences: usize,
    /// How long nothing came, in the longest of them.
    pub waited: Duration,
    /// How long outputs took that came.
    pub delays: Delays,
    /// Whether one of them was only a late output.
    pub lateness: Lateness,
    /// One of them was not waited for with patience.
    pub hasty: bool,
}

#[derive(Clone, Debug)]
pub struct Excluded {
    /// An index of [`Failure::possible`].
    pub state: usize,
    pub rule: RuleId,
    pub blocked: Blocked,
}

/// So many states and alternatives are kept for the report.
pub const SHOWN: usize = 12;

/// What went wrong in the last turn.
pub struct Wrong {
    pub kind: FailureKind,
    pub label: Option<LabelId>,
    /// The offer that was given, if the failure is an answer to it.
    pub offer: Option<LabelId>,
}

impl Wrong {
    pub fn property(name: String, label: LabelId) -> Wrong {
        Wrong { kind: FailureKind::Property(name), label: Some(label), offer: None }
    }

    pub fn relation(error: ModelError, label: LabelId) -> Wrong {
        Wrong { kind: FailureKind::Relation(Box::new(error)), label: Some(label), offer: None }
    }
}

/// What became of an input, for a line of a chart.
pub fn crash_in_short(trouble: &Trouble) -> String {
    match trouble.kind {
        TroubleKind::Raised => format!("raises {}", trouble.message),
        TroubleKind::NoAnswer => "no answer".into(),
        TroubleKind::Flood => "flood".into(),
        _ => format!("crash: {}", trouble.cause),
    }
}

/// The title of a crash; `input` is the text of the input that brought it about, if there was one.
pub fn crash_title(trouble: &Trouble, input: Option<&str>) -> String {
    let who = input.map_or("the implementation".into(), |input| format!("`{input}`"));
    let what = match (trouble.kind, input) {
        (TroubleKind::Raised, _) => return format!("{who} raises {}", trouble.message),
        (TroubleKind::NoAnswer, _) => "hangs",
        (TroubleKind::Flood, _) => "floods its output",
        (_, Some(_)) => "crashes the implementation",
        (_, None) => "crashes by itself",
    };
    format!("{who} {what}: {}", trouble.message)
}

/// Explains a failure. `set` is where the system may have been before it.
pub fn explain(table: &mut Table, set: SetId, wrong: Wrong, lines: Vec<Line>) -> Result<Failure> {
    let members = table.members(set).clone();
    let states: Vec<State> = members.iter().map(|each| each.state.clone()).take(SHOWN).collect();
    let allowed = match (&wrong.kind, wrong.offer) {
        (FailureKind::Property(_) | FailureKind::Relation(_), _) => Vec::new(),
        (FailureKind::Crash(_), None) | (FailureKind::State, _) => Vec::new(),
        // Whatever could have happened instead.
        (FailureKind::Forbidden, _) => [table.heard(set)?.to_vec(), table.offers(set)?.to_vec()].concat(),
        (_, Some(offer)) => table.reactions(set, offer)?,
        _ => table.heard(set)?.to_vec(),
    };
    let seen = wrong.label.map(|label| table.label(label).clone());
    let allowed: Vec<Label> = allowed.into_iter().map(|label| table.label(label).clone()).collect();
    let nearest = seen.as_ref().and_then(|seen| nearest(seen, &allowed));
    let excluded = match (&wrong.kind, seen.as_ref().and_then(|label| label.events().next())) {
        (FailureKind::Output | FailureKind::Forbidden, Some(event)) => excluded(table, &states, event),
        _ => Vec::new(),
    };
    let signature = signature(table, &wrong, seen.as_ref(), &allowed, &excluded);
    let has_fatal_input = matches!(wrong.kind, FailureKind::Crash(_)) && wrong.offer.is_some();
    Ok(Failure {
        kind: wrong.kind,
        signature,
        values: String::new(),
        lines,
        possible: states,
        possible_count: members.len(),
        allowed: allowed.into_iter().take(SHOWN).collect(),
        nearest,
        excluded,
        has_fatal_input,
        rests_on: None,
    })
}

/// The allowed step with the fewest differences.
fn nearest(seen: &Label, allowed: &[Label]) -> Option<Label> {
    let close = |label: &&Label| {
        let pairs = seen.events().zip(label.events());
        let differences: usize = pairs.map(|(one, other)| distance(one, other)).sum();
        differences + 10 * seen.events().count().abs_diff(label.events().count())
    };
    allowed.iter().min_by_key(close).cloned()
}

fn distance(one: &Event, other: &Event) -> usize {
    if one.action != other.action {
        return 10;
    }
    let args = one.args.iter().zip(&other.args).filter(|(one, other)| one != other).count();
    args + usize::from(one.result != other.result)
}

fn excluded(table: &Table, states: &[State], event: &Event) -> Vec<Excluded> {
    let instance = table.instance();
    let mut excluded = Vec::new();
    for (index, state) in states.iter().enumerate() {
        for (rule, _) in instance.model().rules_for(Trigger::Action(event.action)) {
            if let Some(blocked) = instance.blocked(state, rule, event) {
                excluded.push(Excluded { state: index, rule, blocked });
            }
        }
    }
    excluded
}

impl Failure {
    /// How the implementation crashed, if it did.
    pub fn crash(&self) -> Option<&Trouble> {
        match &self.kind {
            FailureKind::Crash(trouble) => Some(trouble),
            _ => None,
        }
    }

    /// An input had no answer in time.
    pub fn is_a_hang(&self) -> bool {
        self.crash().is_some_and(|trouble| trouble.kind == TroubleKind::NoAnswer)
    }

    /// The process ended while an input was pending, and nobody knows whether that is the reason.
    pub fn is_an_end_with_an_input(&self) -> bool {
        self.has_fatal_input && self.crash().is_some_and(|trouble| trouble.kind == TroubleKind::Died)
    }

    /// The process that showed it is gone.
    pub fn ends_the_process(&self) -> bool {
        self.crash().is_some_and(|trouble| trouble.kind.ends_the_conversation())
    }

    /// What it is, in words. Failures with the same id are one; those of a property are told apart by its values.
    pub fn id(&self) -> String {
        if self.values.is_empty() { self.signature.clone() } else { format!("{} for {}", self.signature, self.values) }
    }

    /// Another pairing of objects would have made the last line right: the implementation mixed up identities.
    pub fn is_mixed_up(&self) -> bool {
        let Some(Line::Given(seen) | Line::Heard(seen)) = self.lines.last() else { return false };
        let shape = |label: &Label| -> Vec<Option<Event>> { label.events().map(Pairing::shape).collect() };
        self.allowed.iter().any(|label| label != seen && shape(label) == shape(seen))
    }
}
