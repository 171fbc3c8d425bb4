//! A test that aims at a verdict: guided by a derived test case, or by the specification itself.

use super::{Request as Testing, breakdown, connect, error_of};
use crate::{Context, Host, Progress, Refusal, open};
use interplay_adapter::{Lasting, Target as Address, TroubleKind};
use interplay_answers::Breakdown;
pub use interplay_answers::Targeted as Answer;
use interplay_model::{Action, ActionId, ComponentId, Conformance, Direction, Model, Polarity, Silence};
use interplay_semantics::{Event, Instance, Label, ModelError, State, show_event};
use interplay_tester::{CaseEnd, CaseLimits, CaseLine, CaseRan, Choices, Connect, Guide, crash_title, run_case};
use interplay_transform::{
    Derivation, INCONCLUSIVE, Machine, NoTest, Relation, SILENCE, Target, TestVerdict, Tracker, place_verdict,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// What guides the test.
#[derive(Clone, Debug)]
pub enum TestGuide {
    /// A file that `test-case` wrote.
    Case(PathBuf),
    /// The specification, and the observers by name; otherwise the first of each kind.
    Target {
        /// Which verdict to make for.
        target: Target,
        /// To be reached.
        possible: Option<String>,
        /// To be kept.
        never: Option<String>,
    },
}

/// When nobody says how many, or how long.
const RUNS: u64 = 20;
const STEPS: u64 = 60;
const SILENCE_AFTER: Duration = Duration::from_millis(500);
/// After a hang an answer is waited for so many times as long.
const LONGER: u32 = 4;

/// What to aim at, and how to drive.
#[derive(Clone, Debug)]
pub struct Request {
    /// What leads to the verdict.
    pub guide: TestGuide,
    /// The implementation, and how to drive it.
    pub test: Testing,
}

/// Runs until the verdict is reached or the runs are used up.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { guide, test: request } = request;
    let model = &context.model;
    let (tested, setup) = context.under(request.setup.as_deref(), None)?;
    crate::driven::leaves_a_step(&tested)?;
    let address = Address::parse(&request.sut)?;
    let connect = connect::connector(&tested, &address, request, host)?;
    match guide {
        TestGuide::Case(path) => {
            let case = open(path, host).map_err(|refusal| {
                let help = "`interplay test-case FILE --target T --out CASE.play` writes one";
                Refusal::request(format!("{} is not a test case{}", path.display(), refusal.first()), help)
            })?;
            fits(model, &case.model)
                .map_err(|why| format!("{} does not fit this specification: {why}", path.display()))?;
            let played = case.instance(&setup)?;
            let mut guide = CaseGuide::new(model, &played);
            let target = aim(&case.model.doc);
            let named = format!("the test case {}", path.display());
            Ok(conduct(&tested, &mut guide, named, target, request, host, &*connect))
        }
        TestGuide::Target { target, possible, never } => {
            let asked = tested.setup().map_or(Conformance::default(), |setup| setup.conformance);
            let derivation = Derivation {
                possible: crate::derive::observer(model, possible.as_deref(), Polarity::Possible)?,
                never: crate::derive::observer(model, never.as_deref(), Polarity::Never)?,
                target: *target,
                relation: if asked == Conformance::Ioco { Relation::Ioco } else { Relation::Uioco },
            };
            let tracker = Tracker::new(&tested, derivation).map_err(|why| match why {
                NoTest::Model(error) => context.broken(*error),
                NoTest::Refused(why) => why.into(),
            })?;
            let target = Some(crate::derive::target_word(*target).to_string());
            let named = "the states that fit".to_string();
            Ok(conduct(&tested, &mut OnTheFly(tracker), named, target, request, host, &*connect))
        }
    }
}

/// Everything that can be seen is the same in both.
fn fits(specification: &Model, case: &Model) -> Result<(), String> {
    let own = |model: &Model, index: usize| {
        let action = model.actions.get(index)?;
        let types: Vec<String> = action.params.iter().map(|param| model.types.show(&param.ty)).collect();
        Some((action.name.clone(), action.direction, types))
    };
    for action in specification.actions.iter().filter(|action| action.direction != Direction::Internal) {
        let here = specification.action_named(&action.name).and_then(|id| own(specification, id.0));
        let there = case.action_named(&action.name).and_then(|id| own(case, id.0));
        if here != there {
            return Err(format!("`{}` differs", action.name));
        }
    }
    match silence(case) {
        Some(_) => Ok(()),
        None => Err(format!("it lacks the output `{SILENCE}`")),
    }
}

fn silence(case: &Model) -> Option<ActionId> {
    case.action_named(SILENCE)
}

/// What the first line of a case says that it aims at.
fn aim(doc: &str) -> Option<String> {
    let (_, rest) = doc.split_once("aims at ")?;
    rest.split(',').next().map(str::to_string)
}

/// Runs the test until it has a verdict that ends it.
fn conduct(
    tested: &Instance,
    guide: &mut dyn Guide,
    named: String,
    target: Option<String>,
    request: &Testing,
    host: &dyn Host,
    connect: &Connect<'_>,
) -> Answer {
    let started = host.now();
    let silence = match tested.setup().map(|setup| setup.silence) {
        Some(Silence::Judged(time)) => Duration::from_micros(time),
        _ => SILENCE_AFTER,
    };
    let limits = CaseLimits {
        steps: usize::try_from(request.steps.unwrap_or(STEPS)).unwrap_or(usize::MAX),
        silence,
        answer: request.answer_within.unwrap_or(Duration::from_secs(5)),
        reset: Duration::from_secs(10),
    };
    let mut told = Answer {
        system: tested.model().name.clone(),
        implementation: request.sut.clone(),
        setup: tested.setup().map(|setup| setup.name.clone()),
        guide: named,
        target,
        verdict: INCONCLUSIVE.into(),
        meaning: Vec::new(),
        conversation: Vec::new(),
        runs: 0,
        verdicts: BTreeMap::new(),
        seed: request.seed,
        trouble: None,
        remarks: Vec::new(),
        seconds: 0.0,
    };
    match Lasting::start(|| connect(0)) {
        Ok(mut implementation) => {
            let mut best: Option<(u32, String, CaseRan)> = None;
            for run in 0..request.runs.unwrap_or(RUNS) {
                let late = request.time.is_some_and(|most| host.now() - started >= most);
                if late || host.is_stopped() {
                    told.remarks.push(if late { "the time limit was reached".into() } else { "interrupted".into() });
                    break;
                }
                let mut play = |limits: &CaseLimits| {
                    let mut choices = Choices::of_run(request.seed, run);
                    run_case(guide, &mut implementation, &mut choices, limits, host.stop())
                };
                let mut ran = play(&limits);
                // A hang is believed if it happens again, in a fresh process that is waited for longer.
                if ran.end.is_a_hang() {
                    ran = play(&CaseLimits { answer: limits.answer * LONGER, ..limits });
                }
                told.runs += 1;
                let name = match name(&ran.end) {
                    Ok(name) => name,
                    Err(why) => {
                        told.trouble = Some(why);
                        told.conversation = lines(tested.model(), &ran);
                        break;
                    }
                };
                *told.verdicts.entry(name.clone()).or_default() += 1;
                host.tell(Progress::Cases { runs: told.runs, of: request.runs.unwrap_or(RUNS) });
                let weight = weight(&name);
                let ends = weight >= 3 || (weight == 2 && told.target.as_deref() == Some("satisfy"));
                if best.as_ref().is_none_or(|(own, ..)| weight > *own) {
                    best = Some((weight, name, ran));
                }
                if ends {
                    break;
                }
            }
            if let Some((_, name, ran)) = best {
                told.meaning = meaning(&name, &ran.end);
                told.verdict = name;
                if told.trouble.is_none() {
                    told.conversation = lines(tested.model(), &ran);
                }
            }
        }
        Err(trouble) => told.trouble = Some(breakdown(trouble)),
    }
    told.seconds = (host.now() - started).as_secs_f64();
    told
}

/// What is wrong weighs most, then what was wanted.
fn weight(name: &str) -> u32 {
    match place_verdict(name) {
        Some(TestVerdict { fail: true, .. } | TestVerdict { violate: true, .. }) => 3,
        Some(_) => 2,
        None if name == "Pass" => 1,
        None => 0,
    }
}

fn name(end: &CaseEnd) -> Result<String, Breakdown> {
    match end {
        CaseEnd::Verdict(name) => Ok(name.clone()),
        CaseEnd::Finished => Ok("Pass".into()),
        CaseEnd::Crashed(_) => Ok("Fail".into()),
        CaseEnd::Refused(_) | CaseEnd::Crossed | CaseEnd::Interrupted => Ok(INCONCLUSIVE.into()),
        CaseEnd::Broken(trouble) => Err(breakdown(trouble.clone())),
        CaseEnd::Model(error) => Err(error_of(error)),
    }
}

fn meaning(name: &str, end: &CaseEnd) -> Vec<String> {
    if let CaseEnd::Crashed(trouble) = end {
        return vec![match trouble.kind {
            TroubleKind::Foreign => {
                format!("output outside the specification: {}", trouble.message)
            }
            _ => crash_title(trouble, None),
        }];
    }
    if let Some(verdict) = place_verdict(name) {
        return verdict.meaning().into_iter().map(str::to_string).collect();
    }
    let why = match end {
        CaseEnd::Finished => "the run ended without a verdict",
        CaseEnd::Refused(reason) => return vec![format!("an enabled input was refused: {reason}")],
        CaseEnd::Crossed => "an input crossed an output, and the specification does not say what follows",
        CaseEnd::Interrupted => "the run was interrupted",
        _ => "the target is out of reach in this run",
    };
    vec!["implementation: no deviation from the specification".into(), why.into()]
}

fn lines(model: &Model, ran: &CaseRan) -> Vec<String> {
    let line = |line: &CaseLine| match line {
        CaseLine::Given(event) | CaseLine::Heard(event) => show_event(model, event),
        CaseLine::Silence => "silence".into(),
    };
    ran.lines.iter().map(line).collect()
}

/// A derived test case: its own places say what an observation means.
struct CaseGuide<'g> {
    case: &'g Instance,
    machine: Option<Machine>,
    silence: Option<ActionId>,
    /// The actions of the specification, and what they are called by here.
    actions: Vec<(ActionId, ActionId)>,
    states: BTreeSet<State>,
}

impl<'g> CaseGuide<'g> {
    fn new(specification: &Model, case: &'g Instance) -> CaseGuide<'g> {
        let (machine, silence) = (Machine::new(case.model()).ok(), silence(case.model()));
        let own = |(index, action): (usize, &Action)| Some((ActionId(index), case.model().action_named(&action.name)?));
        let actions = specification.actions.iter().enumerate().filter_map(own).collect();
        CaseGuide { case, machine, silence, actions, states: BTreeSet::new() }
    }

    fn after(&self, label: &Label) -> Result<BTreeSet<State>, ModelError> {
        let here = |event: &Event| {
            let action = self.actions.iter().find(|(there, _)| *there == event.action).map(|(_, here)| *here);
            Event { action: action.unwrap_or(event.action), ..event.clone() }
        };
        let label = match (label, self.silence) {
            (Label::Step { inputs, outputs }, _) => Label::step(inputs.iter().map(here), outputs.iter().map(here)),
            (Label::Silence, Some(action)) => Label::output(Event::new(action, Vec::new())),
            _ => label.clone(),
        };
        self.case.after(&self.states, &label)
    }

    /// The name of the place if it is an end; what the case does not know is a failure.
    fn verdict_at(&self, states: &BTreeSet<State>) -> Option<String> {
        let Some(state) = states.first() else { return Some("Fail".into()) };
        let location = state.location(ComponentId(0))?;
        let name = &self.case.model().locations[location.0].name;
        (place_verdict(name).is_some() || name == INCONCLUSIVE).then(|| name.clone())
    }
}

impl Guide for CaseGuide<'_> {
    fn begin(&mut self) -> Result<(), ModelError> {
        self.states = self.case.initial()?.into_iter().collect();
        Ok(())
    }

    fn verdict(&self) -> Option<String> {
        self.verdict_at(&self.states)
    }

    fn inputs(&mut self, toss: &mut dyn FnMut(usize) -> usize) -> Result<Vec<Event>, ModelError> {
        let mut found = BTreeSet::new();
        for state in &self.states {
            match (self.case.enabled_inputs(state), &self.machine) {
                (Ok(inputs), _) => found.extend(inputs),
                // Without a finite domain the guard is solved.
                (Err(_), Some(machine)) => found.extend(interplay_transform::inputs(machine, self.case, state, toss)),
                (Err(error), None) => return Err(error),
            }
        }
        let there = |event: Event| {
            let action = self.actions.iter().find(|(_, here)| *here == event.action).map(|(there, _)| *there)?;
            Some(Event { action, ..event })
        };
        Ok(found.into_iter().filter_map(there).collect())
    }

    fn takes(&self, input: &Event) -> Result<bool, ModelError> {
        Ok(!self.after(&Label::input(input.clone()))?.is_empty())
    }

    fn expects(&self) -> Result<bool, ModelError> {
        let Some(machine) = &self.machine else { return Ok(true) };
        Ok(self.states.iter().any(|state| interplay_transform::expects(machine, self.case, state)))
    }

    fn foresee(&self, label: &Label) -> Result<Option<String>, ModelError> {
        Ok(self.verdict_at(&self.after(label)?))
    }

    fn see(&mut self, label: &Label) -> Result<(), ModelError> {
        self.states = self.after(label)?;
        Ok(())
    }
}

struct OnTheFly<'g>(Tracker<'g>);

impl Guide for OnTheFly<'_> {
    fn begin(&mut self) -> Result<(), ModelError> {
        self.0.begin()
    }

    fn verdict(&self) -> Option<String> {
        self.0.verdict()
    }

    fn inputs(&mut self, toss: &mut dyn FnMut(usize) -> usize) -> Result<Vec<Event>, ModelError> {
        self.0.inputs(toss)
    }

    fn takes(&self, input: &Event) -> Result<bool, ModelError> {
        self.0.takes(input)
    }

    fn expects(&self) -> Result<bool, ModelError> {
        self.0.expects()
    }

    fn foresee(&self, label: &Label) -> Result<Option<String>, ModelError> {
        self.0.foresee(label)
    }

    fn see(&mut self, label: &Label) -> Result<(), ModelError> {
        self.0.see(label)
    }
}
