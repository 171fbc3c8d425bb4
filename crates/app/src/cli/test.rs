//! `interplay test`: drive an implementation and judge what it does; `replay` shares most of it.

use super::aimed;
use super::explore::amount;
use super::mutants;
use super::outputs::{self, Outputs};
use super::shared::Shared;
use super::simulate::fresh_seed;
use super::systematic;
use crate::exit::Exit;
use crate::session::{Samples, Session, Work, refuse};
use crate::watch::{Watch, Watched};
use crate::{files, print};
use interplay_answers::{Tested, Verdict};
use interplay_report::{Background, Colour, escape, tested_cases, tested_html, tested_text};
use interplay_workbench::{ChosenSetup, Context, Refusal, Saved, TestStrategy, choose_setup, test, test_towards};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Test an implementation against a specification
///
/// The implementation speaks the adapter protocol: a command to start, an address, or `model:FILE`, another
/// specification that plays the implementation. A failure is printed at once, shrunk, repeated in a fresh process,
/// explained, stored in `.interplay` beside the specification, and tried first next time. Exit code 0: no failure; 1:
/// the implementation does not conform or violates a property; 2: a mistake in the specification or the command; 3:
/// inconclusive; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay test lock.play --sut ./adapter.py\n  \
                        interplay test chat.play --sut tcp://localhost:7000 --setup online --seed 1\n  \
                        interplay test lock.play --sut model:faulty.play --runs 1000 --json\n  \
                        interplay test lock.play --mutants\n  \
                        interplay test sender.play --case case.play --sut ./adapter.py")]
pub(crate) struct Arguments {
    /// A specification
    pub(super) file: PathBuf,
    /// The implementation: a command, tcp://HOST:PORT, http://..., or model:FILE; by default `good/run` beside the
    /// specification
    #[arg(long, value_name = "COMMAND")]
    pub(super) sut: Option<String>,
    #[command(flatten)]
    pub(super) shared: Shared,
    /// Check only this property or observer (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(super) property: Vec<String>,
    /// Assume that this property holds; skip violations that would require breaking it (repeatable)
    #[arg(long, value_name = "NAME")]
    assume: Vec<String>,
    /// Seed of all choices; by default that of the setup, or a new one, which is printed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of runs; by default as the setup says, or 100
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Steps per run; by default as the setup says, or 50
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// How to choose inputs: `portfolio` (the others in turn, more often those that discover something new), `coverage`
    /// (least used actions), `uniform` (every action equally likely), `weighted` (by the weights of the setup),
    /// `guided` (towards a violation), `swarm` (a random subset of the actions in each run), `burst` (the same action
    /// many times), `observe` (queries after changes), `mutate` (earlier runs with small changes), `goal=NAME` (towards
    /// a goal); by default `portfolio`
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Measure the test: test mutants of the specification (small mistakes) as implementations, at most N, and count
    /// how many fail
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "300", conflicts_with_all = ["sut", "systematic"])]
    mutants: Option<std::num::NonZeroUsize>,
    /// Test for this time: `30s`, `10m`, `8h`
    #[arg(long = "for", value_name = "TIME", value_parser = amount::time)]
    pub(super) time: Option<Duration>,
    /// Time to shrink and repeat a failure, and others found meanwhile: `5s`, `2m`; `0` skips both
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = amount::time)]
    shrink: Duration,
    /// Do not stop at the first failure; report one of each kind, with its count
    #[arg(long = "continue")]
    pub(super) go_on: bool,
    /// Number of implementations to test in parallel, or `all`
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount::threads)]
    pub(super) threads: usize,
    /// Do not store failures, and do not try stored ones
    #[arg(long)]
    no_store: bool,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    pub(super) outputs: Outputs,
    #[command(flatten)]
    systematic: systematic::Flags,
    #[command(flatten)]
    aimed: aimed::Flags,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn watched(&self) -> Option<Watched> {
        self.watch.of(std::slice::from_ref(&self.file), self.sut.clone().or_else(|| beside(&self.file).ok()).as_deref())
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        if self.systematic.systematic {
            return systematic::run(&self.systematic, self, session);
        }
        let context = session.open(&self.file)?;
        // Before anything is said about the implementation.
        let setup = choose_setup(&context.model, self.shared.setup.as_deref()).map_err(refuse)?;
        let strategy = self.strategy.as_deref().map(|word| strategy(&context, word)).transpose()?.unwrap_or_default();
        let sut = match (&self.sut, self.mutants) {
            (Some(sut), _) => sut.clone(),
            (None, Some(_)) => String::new(),
            (None, None) => beside(&self.file).map_err(refuse)?,
        };
        let request = test::Request {
            file: self.file.clone(),
            sut,
            setup: self.shared.setup.clone(),
            seed: self.seed(&context, &setup),
            runs: self.runs,
            steps: self.steps,
            time: self.time,
            answer_within: Some(self.systematic.answer_within),
            ..test::Request::default()
        };
        if let Some(guide) = self.aimed.guide() {
            return aimed::run(&context, &guide, &request, session);
        }
        session.failures = (!self.no_store).then(|| store_of(&self.file));
        let (stored, unreadable) = session.failures.as_deref().map_or((Vec::new(), Vec::new()), stored);
        let request = test::Request {
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
            assume: self.assume.clone(),
            strategy,
            go_on: self.go_on,
            threads: self.threads,
            stored,
            shrink: Some(self.shrink),
            ..request
        };
        if let Some(most) = self.mutants {
            return mutants::run(&context, &request, most.get(), &self.outputs, session);
        }
        let mut answer = test::run(&context, &request, session)?;
        answer.tested.remarks.extend(session.unkept());
        answer.tested.remarks.extend(unreadable);
        tell(&context, &self.file, &answer, &self.outputs, session)
    }
}

impl Arguments {
    fn seed(&self, context: &Context, setup: &ChosenSetup) -> u64 {
        let of_setup = setup.id(&context.model).and_then(|id| context.model.setups[id.0].seed);
        self.seed.or(of_setup).unwrap_or_else(fresh_seed)
    }
}

/// Says the answer, writes the files that were asked for, and gives the exit code.
pub(super) fn tell(
    context: &Context,
    file: &Path,
    answer: &test::Answer,
    outputs: &Outputs,
    session: &Session,
) -> anyhow::Result<Exit> {
    let tested = &answer.tested;
    let told = session.say(
        || tested.document(&context.sources),
        || headline(file, answer) + &tested_text(&context.sources, tested, Colour::Always),
    );
    let written = write(outputs, context, file, answer, &session.samples);
    Ok(exit(tested).after(told).after(written))
}

/// The files that were asked for.
fn write(
    outputs: &Outputs,
    context: &Context,
    file: &Path,
    answer: &test::Answer,
    samples: &Samples,
) -> anyhow::Result<()> {
    let tested = &answer.tested;
    let html = || {
        let mut behind = Background::new(&context.sources, file.display().to_string());
        if !tested.replay {
            behind.marks = answer.marks.clone();
            behind.graph = outputs::graph(context, tested.setup.as_deref(), Some(&answer.visited));
        }
        let names = ["steps", "sets of possible states"];
        behind.plots.extend(samples.second_over_first("Coverage by steps", names));
        behind.plots.extend(samples.over_time("Over time", names));
        tested_html(tested, behind)
    };
    outputs.write(&context.sources, || tested_cases(tested), html)
}

fn headline(file: &Path, answer: &test::Answer) -> String {
    let tested = &answer.tested;
    let setup = print::using(answer.remark.as_deref(), tested.setup.as_deref());
    print::headline(file, &tested.system, &format!(" against {}{setup}", escape(&tested.implementation)))
}

fn exit(tested: &Tested) -> Exit {
    match (tested.verdict(), &tested.trouble, &tested.problem) {
        (Verdict::Pass, ..) => Exit::Met,
        (Verdict::Fail, ..) => Exit::Violated,
        (_, Some(trouble), _) => Exit::of_breakdown(trouble.code),
        (_, _, Some(problem)) => Exit::of(problem.code),
        _ => Exit::Unknown,
    }
}

/// A strategy by its name.
fn strategy(context: &Context, word: &str) -> Result<TestStrategy, Refusal> {
    Ok(match word {
        "portfolio" => TestStrategy::Portfolio,
        "coverage" => TestStrategy::Coverage,
        "uniform" => TestStrategy::Uniform,
        "weighted" => TestStrategy::Weighted,
        "guided" => TestStrategy::Guided,
        "swarm" => TestStrategy::Swarm,
        "burst" => TestStrategy::Burst,
        "observe" => TestStrategy::Observe,
        "mutate" => TestStrategy::Mutate,
        _ => match word.strip_prefix("goal=") {
            Some(goal) => test_towards(&context.model, goal)?,
            None => {
                let known = "portfolio, coverage, uniform, weighted, guided, swarm, burst, observe, mutate, goal=NAME";
                return Err(Refusal::request(
                    format!("unknown strategy `{word}`"),
                    format!("the strategies are: {known}"),
                ));
            }
        },
    })
}

/// The implementation that lies beside the specification.
fn beside(file: &Path) -> Result<String, String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let run = folder.join("good").join("run");
    if run.is_file() {
        // A command without a slash would be looked for elsewhere.
        let run = if run.is_absolute() || run.components().count() > 2 { run } else { Path::new(".").join(run) };
        return Ok(run.display().to_string());
    }
    let others: Vec<String> =
        files::programs(folder, "run").iter().take(5).map(|path| path.display().to_string()).collect();
    let others = if others.is_empty() { String::new() } else { format!(", for example {}", others.join(", ")) };
    Err(format!(
        "no implementation: {} does not exist\nhelp: name one with --sut: a command, an address, or model:FILE{others}",
        run.display()
    ))
}

/// Failures of a specification are kept beside it.
pub(super) fn store_of(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap_or_default();
    file.parent().unwrap_or(Path::new("")).join(".interplay").join(name)
}

/// The failures that were kept, and what to say about files that are none.
pub(super) fn stored(folder: &Path) -> (Vec<Saved>, Vec<String>) {
    let (mut saved, mut remarks) = (Vec::new(), Vec::new());
    for path in files::list(folder, "json") {
        let text = files::read(&path).map_err(|error| error.to_string());
        let text = text.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text".into()));
        match text.and_then(|text| Saved::parse(&text)) {
            Ok(one) => saved.push(one),
            Err(why) => remarks.push(format!("{} is left out: {why}", path.display())),
        }
    }
    (saved, remarks)
}
