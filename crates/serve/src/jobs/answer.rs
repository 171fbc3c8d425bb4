//! What comes of a run: the question put to the workbench, and the answer as text, as a report, and as ways to walk.

use super::{Job, Kind, Shown, Wanted};
use crate::Machine;
use crate::text::refused;
use interplay_answers::{Found, FoundKind, Verdict, Walk};
use interplay_report::{
    Background, Colour, explored_html, explored_text, sought_html, sought_text, tested_html, tested_text,
    verified_html, verified_text,
};
use interplay_workbench::{
    Context, Host, Solving, choose_setup, drawn, explore, explored_marks, scenario, test, verify,
};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// For what is found out beside a run, whose progress it is not.
struct Quiet<'j>(&'j Job);

impl Host for Quiet<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn now(&self) -> Duration {
        self.0.now()
    }

    fn stop(&self) -> &AtomicBool {
        self.0.stop()
    }
}

/// What came of a run.
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) text: String,
    pub(super) html: String,
    pub(super) ways: Vec<Shown>,
}

pub(super) fn answer(job: &Job, wanted: &Wanted) -> Result<Answer, String> {
    let mut context = interplay_workbench::open(&job.desk.file, job).map_err(|why| refused(&why))?;
    match wanted.kind {
        Kind::Explore => explored(job, wanted, &context),
        Kind::Verify => verified(job, wanted, &context),
        Kind::Test => tested(job, wanted, &context),
        Kind::Find => sought(job, wanted, &mut context),
    }
}

fn behind<'b>(job: &Job, context: &'b Context, setup: Option<&str>) -> Background<'b> {
    let mut behind = Background::new(&context.sources, job.desk.file.display().to_string());
    behind.graph = drawn(context, setup, None, &Quiet(job));
    behind
}

fn explored(job: &Job, wanted: &Wanted, context: &Context) -> Result<Answer, String> {
    let request = explore::Request {
        setup: wanted.setup.clone(),
        properties: wanted.name.clone().map(|name| vec![name]),
        threads: 1,
        memory: job.desk.machine.memory(),
        timeout: Some(Duration::from_secs_f64(wanted.seconds)),
        go_on: true,
        ..explore::Request::default()
    };
    let explored = explore::run(context, &request, job).map_err(|why| refused(&why))?.explored;
    let mut behind = behind(job, context, explored.setup.as_deref());
    behind.marks = explored_marks(context, &explored);
    Ok(Answer {
        verdict: explored.verdict(),
        text: explored_text(&context.sources, &explored, Colour::Never),
        ways: explored.findings.iter().filter_map(finding).collect(),
        html: explored_html(&explored, behind),
    })
}

fn finding(found: &Found) -> Option<Shown> {
    let title = match &found.kind {
        FoundKind::Violated(name) => format!("{name} is violated"),
        FoundKind::Satisfied(name) => format!("{name} is possible"),
        FoundKind::Error { diagnostic, .. } => diagnostic.message.clone(),
        FoundKind::Deadlock => "deadlock".into(),
    };
    let bad = !matches!(found.kind, FoundKind::Satisfied(_));
    found.trace.as_ref().map(|walk| shown(title, bad, walk))
}

fn shown(title: String, bad: bool, walk: &Walk) -> Shown {
    let steps = walk.steps.iter().map(|step| step.event.clone()).collect();
    Shown { title, bad, steps, scenario: walk.scenario.clone() }
}

fn verified(job: &Job, wanted: &Wanted, context: &Context) -> Result<Answer, String> {
    let questions = match wanted.name {
        Some(_) => 2,
        None => context.model.properties.len() + context.model.observers.len() + 1,
    };
    let request = verify::Request {
        setup: wanted.setup.clone(),
        properties: wanted.name.clone().map(|name| vec![name]),
        budget: Duration::from_secs_f64(wanted.seconds / questions as f64),
        solving: vec![Solving::Bounded, Solving::Induction, Solving::Horn],
        exploring: true,
    };
    let verified = verify::run(context, &request, job).map_err(|why| refused(&why))?;
    let ways = verified.properties.iter().filter_map(|each| match &each.evidence {
        interplay_answers::Evidence::Trace { walk, .. } => {
            Some(shown(format!("{}: {}", each.name, each.answer.word()), each.verdict == Verdict::Fail, walk))
        }
        _ => None,
    });
    Ok(Answer {
        verdict: verified.verdict(),
        text: verified_text(&context.sources, &verified, Colour::Never),
        ways: ways.collect(),
        html: verified_html(&verified, behind(job, context, verified.setup.as_deref())),
    })
}

fn tested(job: &Job, wanted: &Wanted, context: &Context) -> Result<Answer, String> {
    let machine: &dyn Machine = &*job.desk.machine;
    let setup = choose_setup(&context.model, wanted.setup.as_deref())?;
    let of_setup = setup.id(&context.model).and_then(|id| context.model.setups[id.0].seed);
    let sut = wanted.sut.clone().filter(|sut| !sut.trim().is_empty());
    let sut = sut.ok_or("name an implementation: a command, tcp://HOST:PORT, or model:FILE")?;
    let (stored, unreadable) = machine.kept(&job.desk.file);
    let request = test::Request {
        file: job.desk.file.clone(),
        sut,
        setup: wanted.setup.clone(),
        properties: wanted.name.clone().map(|name| vec![name]),
        seed: of_setup.unwrap_or_else(|| machine.seed()),
        time: Some(Duration::from_secs_f64(wanted.seconds)),
        threads: 1,
        stored,
        ..test::Request::default()
    };
    let mut answer = test::run(context, &request, job).map_err(|why| refused(&why))?;
    answer.tested.remarks.extend(unreadable);
    let tested = &answer.tested;
    let ways = tested.failures.iter().map(|failure| Shown {
        title: failure.title.clone(),
        bad: true,
        steps: failure.chart.iter().map(|line| line.text.clone()).collect(),
        scenario: failure.scenario.clone(),
    });
    let mut behind = Background::new(&context.sources, job.desk.file.display().to_string());
    behind.marks = answer.marks.clone();
    behind.graph = drawn(context, tested.setup.as_deref(), Some(&answer.visited), &Quiet(job));
    Ok(Answer {
        verdict: tested.verdict(),
        text: tested_text(&context.sources, tested, Colour::Never),
        ways: ways.collect(),
        html: tested_html(tested, behind),
    })
}

/// Of memory, where the machine does not say what it has.
const MEMORY: u64 = 2 << 30;

fn sought(job: &Job, wanted: &Wanted, context: &mut Context) -> Result<Answer, String> {
    let questions = if wanted.name.is_some() { 1 } else { context.model.goals.len().max(1) };
    let request = scenario::Request {
        goals: wanted.name.clone().into_iter().collect(),
        setup: wanted.setup.clone(),
        timeout: Duration::from_secs_f64(wanted.seconds / questions as f64),
        memory: job.desk.machine.memory().unwrap_or(MEMORY),
        methods: Vec::new(),
        library: None,
    };
    let sought = scenario::run(context, &request, job).map_err(|why| refused(&why))?;
    let ways = sought.goals.iter().filter_map(|goal| match &goal.answer {
        interplay_answers::SoughtAnswer::Reached { way, .. } => {
            Some(shown(format!("{}: reached", goal.name), false, way))
        }
        interplay_answers::SoughtAnswer::Wrong { way: Some(way), .. } => {
            Some(shown(format!("{}: goes wrong", goal.name), true, way))
        }
        _ => None,
    });
    Ok(Answer {
        verdict: sought.verdict(),
        text: sought_text(&context.sources, &sought, true),
        ways: ways.collect(),
        html: sought_html(&sought, Background::new(&context.sources, job.desk.file.display().to_string())),
    })
}
