//! Makes a failing conversation shorter, and keeps it the same failure.
//!
//! A candidate is a plan, followed by meaning ([`interplay_strategies::Follow`]); what counts is the conversation that came of it. The passes are in
//! `passes` (what is left out) and `values` (what is made smaller), the cheapest and the boldest first; each goes on where it is after a
//! success. Candidates are made one at a time from the best conversation so far, as lists of numbers, so that memory grows with
//! the length and not with its square. Where the implementation is not deterministic, `steady` says how often to try.
//!
//! Another failure that turns up on the way is handed back, never taken for this one.

mod passes;
mod steady;
mod values;
mod ways;

pub(crate) use self::steady::{Rate, tries};
use crate::crew::{Answer, Crew};
use crate::history::Past;
use crate::run::{End, Tester};
use interplay_adapter::Trouble;
use interplay_judge::{Act, Failure, LabelId, Plan, Said, Table, Turn, inputs_of, plan};
use interplay_model::Discipline;
use interplay_semantics::Label;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What shrinking may cost: it ends with whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub runs: u64,
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: u64::MAX, time: Duration::from_secs(20) }
    }
}

impl Budget {
    /// Nothing is shrunk or repeated.
    pub const NONE: Budget = Budget { runs: 0, time: Duration::ZERO };
    /// Nothing is shrunk, but repeated.
    pub const REPEAT: Budget = Budget { runs: 0, time: Duration::from_secs(20) };
}

/// The world around shrinking.
pub struct ShrinkHost<'h> {
    pub budget: Budget,
    pub interrupted: &'h AtomicBool,
    /// Steps of the best conversation so far, and runs that it took.
    pub progress: &'h dyn Fn(usize, u64),
    /// Others who try what comes next.
    pub crew: Option<&'h Crew>,
}

impl<'h> ShrinkHost<'h> {
    /// With the usual budget, telling nobody.
    pub fn quiet(interrupted: &'h AtomicBool) -> ShrinkHost<'h> {
        ShrinkHost { budget: Budget::default(), interrupted, progress: &|_, _| {}, crew: None }
    }
}

/// A failure as short as it could be made.
pub struct Shrunk {
    pub failure: Failure,
    pub turns: Vec<Turn>,
    pub plan: Plan,
    /// How often the shrunk plan failed so, of how many times it was followed in the end.
    pub failed: u64,
    pub tried: u64,
    /// Runs that all this took, without those of others.
    pub runs: u64,
    /// The budget ended before nothing shorter was left to try.
    pub cut_short: bool,
    /// Different failures that were met, each by its shortest conversation.
    pub(crate) others: Vec<Met>,
    pub trouble: Option<Trouble>,
}

/// A failure, and the conversation that showed it.
pub(crate) struct Met {
    pub(crate) failure: Failure,
    pub(crate) turns: Vec<Turn>,
    /// The runs before it in the same process.
    pub(crate) earlier: Vec<Past>,
}

/// So often a plan is followed to see how reliably it fails.
const REPEATS: u64 = 20;
/// If it fails so often in a row it is taken as deterministic.
const SURE: u64 = 5;
/// So often each candidate is tried at first.
const FEW: u64 = 3;

/// An input by its number, or listening.
type Step = Option<LabelId>;

struct Shrink<'s, 't> {
    tester: &'s mut Tester<'t>,
    host: &'s ShrinkHost<'s>,
    started: Instant,
    runs: u64,
    /// Each candidate is tried so often.
    tries: u64,
    /// How often each candidate was tried, by its hash.
    tried: FxHashMap<u64, u64>,
    /// What others are trying, by its hash.
    ahead: FxHashMap<u64, Answer>,
    /// What they look for.
    same: Arc<Failure>,
    best: Best,
    /// The last one that was seen to fail as often as it should, and how often that is.
    sure: Option<(Best, Rate)>,
    others: Vec<Met>,
    trouble: Option<Trouble>,
}

#[derive(Clone)]
struct Best {
    failure: Failure,
    turns: Vec<Turn>,
    steps: Vec<Step>,
}

pub fn shrink(tester: &mut Tester<'_>, failure: Failure, turns: Vec<Turn>, host: &ShrinkHost<'_>) -> Shrunk {
    let same = Arc::new(failure.clone());
    let best = Best::new(&mut tester.table, failure, turns);
    let mut shrink = Shrink {
        tester,
        host,
        started: Instant::now(),
        runs: 0,
        tries: 1,
        tried: FxHashMap::default(),
        ahead: FxHashMap::default(),
        same,
        best,
        sure: None,
        others: Vec::new(),
        trouble: None,
    };
    let (rate, cut_short) = shrink.go();
    let Shrink { best, runs, others, trouble, tester, .. } = shrink;
    let plan = plan(&tester.table, &best.turns);
    let Best { failure, turns, .. } = best;
    Shrunk { failure, turns, plan, failed: rate.failed, tried: rate.tried, runs, cut_short, others, trouble }
}

impl Best {
    fn new(table: &mut Table, failure: Failure, turns: Vec<Turn>) -> Best {
        let steps = steps(table, &turns);
        Best { failure, turns, steps }
    }
}

impl Shrink<'_, '_> {
    /// How often the best one fails in the end, and whether something was left to try.
    fn go(&mut self) -> (Rate, bool) {
        if self.is_late() {
            return (Rate::default(), true);
        }
        // Most of the time is for shrinking.
        let mut rate = self.rate(REPEATS, self.host.budget.time / 4);
        if self.host.budget.runs == 0 {
            return (rate, false);
        }
        if rate.failed == 0 {
            rate = self.rescue(rate);
        }
        // What seemed to fail always may turn out not to; then it is searched once more, as what it is.
        let whole = self.best.steps.clone();
        for _ in 0..2 {
            if rate.failed == 0 || self.is_over() {
                break;
            }
            self.sure = (!rate.is_always()).then(|| (self.best.clone(), rate));
            self.search(tries(rate));
            self.steady();
            let before = rate;
            // How often the short one fails is what a reader wants to know.
            rate = match self.is_late() {
                // It was seen to fail when it was found.
                true if self.best.steps != whole => Rate { failed: 1, tried: 1 },
                true => before,
                false => self.rate(REPEATS, self.host.budget.time),
            };
            if !before.is_always() || rate.is_always() {
                break;
            }
        }
        (rate, self.is_over())
    }

    /// It does not happen again as it was. It may be rare, or its beginning may be a matter of time: then a shorter way to where it
    /// failed shows it.
    fn rescue(&mut self, rate: Rate) -> Rate {
        self.tries = FEW;
        let time = self.host.budget.time / 2;
        if self.direct() {
            return self.rate(REPEATS, time);
        }
        rate.and(self.rate(steady::MOST_TRIES, time))
    }

    fn is_over(&self) -> bool {
        self.runs >= self.host.budget.runs || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.trouble.is_some() || self.started.elapsed() >= self.host.budget.time || self.is_interrupted()
    }

    fn is_interrupted(&self) -> bool {
        self.host.interrupted.load(Ordering::Relaxed)
    }

    /// Follows the best plan so often, as long as there is time, and once at least.
    fn rate(&mut self, repeats: u64, time: Duration) -> Rate {
        let mut rate = Rate::default();
        while rate.tried < repeats && (rate.tried == 0 || !self.is_late() && self.started.elapsed() < time) {
            let followed = self.follow(&self.best.steps.clone());
            if self.trouble.is_some() || self.is_interrupted() {
                break;
            }
            rate.tried += 1;
            rate.failed += u64::from(followed.is_some());
            if rate.failed == SURE && rate.tried == SURE {
                break;
            }
        }
        rate
    }

    /// Where it always fails, one try of each candidate is enough. Elsewhere most of what is shorter shows itself in a few
    /// tries; what fails seldom shows itself in enough of them; and what was missed even so, in twice as many.
    fn search(&mut self, enough: u64) {
        let most = (2 * enough).min(steady::MOST_TRIES);
        let levels = if enough == 1 { vec![1] } else { vec![FEW.min(enough), enough, most] };
        let mut level = 0;
        while level < levels.len() && !self.is_over() {
            self.tries = levels[level];
            let smaller = self.direct() | self.cut()
                || levels[level] >= enough && (self.smaller() || self.elsewhere() || self.exchanged());
            level = if smaller { 0 } else { level + 1 };
        }
    }

    /// Follows a candidate; whether it is the best one now.
    fn attempt(&mut self, candidate: &[Step]) -> bool {
        if candidate == self.best.steps {
            return false;
        }
        let candidate = self.foreseen(candidate);
        let before = self.tried.get(&hash(&candidate)).copied().unwrap_or(0);
        self.tried.insert(hash(&candidate), before.max(self.tries));
        if before < self.tries && self.is_ruled_out(&candidate) {
            return false;
        }
        for _ in before..self.tries {
            if self.is_over() {
                return false;
            }
            let Some((failure, turns)) = self.follow(&candidate) else { continue };
            if measure(&self.tester.table, &turns) < measure(&self.tester.table, &self.best.turns) {
                self.best = Best::new(&mut self.tester.table, failure, turns);
                self.ahead.clear();
                (self.host.progress)(self.best.turns.len(), self.runs);
                self.steady_if_halved();
                return true;
            }
        }
        false
    }

    /// These come next if nothing before them succeeds, so others may try them now.
    fn ahead(&mut self, candidates: impl IntoIterator<Item = Vec<Step>>) {
        let Some(crew) = self.host.crew else { return };
        for candidate in candidates.into_iter().take(crew.others) {
            let candidate = self.foreseen(&candidate);
            let key = hash(&candidate);
            let known = self.tried.get(&key).is_some_and(|tried| *tried >= self.tries) || self.ahead.contains_key(&key);
            if !known && candidate != self.best.steps {
                let answer = crew.ask(self.plan(&candidate), &self.same, self.tries);
                self.ahead.insert(key, answer);
            }
        }
    }

    /// Somebody else tried it, and it does not fail.
    fn is_ruled_out(&mut self, candidate: &[Step]) -> bool {
        let Some((crew, asked)) = self.host.crew.zip(self.ahead.remove(&hash(candidate))) else { return false };
        crew.answered(asked) == Some(false)
    }

    /// Without the inputs that are surely left out, because the model does not take them where they would be given: so that two
    /// candidates that come to the same are run once. Only as far as nothing can come in between.
    fn foreseen(&mut self, candidate: &[Step]) -> Vec<Step> {
        let table = &mut self.tester.table;
        if self.tries > 1 || table.instance().model().discipline != Discipline::Asynchronous {
            return candidate.to_vec();
        }
        let same = candidate.iter().zip(&self.best.steps).take_while(|(one, other)| one == other).count();
        let mut set = if same == 0 { table.start() } else { self.best.turns[same - 1].set };
        let mut kept = candidate[..same].to_vec();
        for (at, step) in candidate.iter().enumerate().skip(same) {
            let certain = matches!(table.may_come(set), Ok(false));
            match step.filter(|_| certain).map(|label| (label, table.accepts(set, label))) {
                Some((_, Ok(false))) => {}
                Some((label, Ok(true))) if !returns(table, label) => {
                    let Some(next) = table.after(set, label).ok().and_then(|edge| table.edge(edge).target) else {
                        return candidate.to_vec();
                    };
                    kept.push(*step);
                    set = next;
                }
                _ => {
                    kept.extend(&candidate[at..]);
                    break;
                }
            }
        }
        kept
    }

    /// The failure if it is the same one. What ends the process counts only if it does so in a new one: otherwise the candidates before this one
    /// may have worn it out.
    fn follow(&mut self, steps: &[Step]) -> Option<(Failure, Vec<Turn>)> {
        let found = self.once(steps)?;
        let is_worn = !self.tester.history.before_last().is_empty();
        if is_worn && found.0.ends_the_process() && !self.is_late() { self.once(steps) } else { Some(found) }
    }

    /// One run.
    fn once(&mut self, steps: &[Step]) -> Option<(Failure, Vec<Turn>)> {
        self.runs += 1;
        (self.host.progress)(self.best.turns.len(), self.runs);
        let ran = self.tester.rehearse(self.plan(steps), self.runs, self.host.interrupted);
        match ran.end {
            End::Failed(failure) if failure.signature == self.best.failure.signature => Some((*failure, ran.turns)),
            End::Failed(failure) => {
                self.meet(*failure, ran.turns);
                None
            }
            End::Broken(trouble) => {
                self.trouble = Some(trouble);
                None
            }
            _ => None,
        }
    }

    fn plan(&self, steps: &[Step]) -> Plan {
        let table = &self.tester.table;
        let act = |step: &Step| step.map_or(Act::Listen, |label| Act::Give(table.label(label).clone()));
        steps.iter().map(act).collect()
    }

    /// A failure of another kind; the shortest conversation of each is kept.
    fn meet(&mut self, failure: Failure, turns: Vec<Turn>) {
        let known = self.others.iter().position(|other| other.failure.signature == failure.signature);
        if known.is_some_and(|at| self.others[at].turns.len() <= turns.len()) {
            return;
        }
        let met = Met { failure, turns, earlier: self.tester.history.before_last() };
        match known {
            Some(at) => self.others[at] = met,
            None => self.others.push(met),
        }
    }
}

/// An answer comes back, which the model may leave open.
fn returns(table: &Table, label: LabelId) -> bool {
    let actions = &table.instance().model().actions;
    table.label(label).events().any(|event| actions[event.action.0].result.is_some())
}

/// What to do to say the same again, in numbers of the table.
fn steps(table: &mut Table, turns: &[Turn]) -> Vec<Step> {
    let mut step = |turn: &Turn| match turn.said {
        Said::Given(label) | Said::Refused(label) | Said::Broke(label) => {
            let inputs = inputs_of(table.label(label));
            Some(table.label_id(&inputs))
        }
        Said::Heard(_) | Said::Silence | Said::Waited | Said::Over => None,
    };
    turns.iter().filter(|turn| turn.said != Said::Over).map(&mut step).collect()
}

/// Smaller is better: steps, then waiting in vain, then signals, then data.
fn measure(table: &Table, turns: &[Turn]) -> (usize, usize, usize, u128) {
    let waited = turns.iter().filter(|turn| matches!(turn.said, Said::Waited | Said::Over)).count();
    let given = turns.iter().filter_map(|turn| match turn.said {
        Said::Given(label) | Said::Refused(label) | Said::Broke(label) => Some(table.label(label)),
        _ => None,
    });
    let (mut signals, mut data) = (0, 0u128);
    for label in given {
        let Label::Step { inputs, .. } = label else { continue };
        signals += inputs.len();
        data = inputs.iter().flat_map(|event| &event.args).fold(data, |sum, value| sum + values::weight(value));
    }
    (turns.len() - waited, turns.len(), signals, data)
}

fn hash(steps: &[Step]) -> u64 {
    let mut hasher = FxHasher::default();
    steps.hash(&mut hasher);
    hasher.finish()
}
