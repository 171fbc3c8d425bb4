//! `interplay test`: drive an implementation and judge what it does; `replay` shares most of it.

use super::aimed;
use super::explore::amount;
use super::mutants;
use super::outputs::{self, Outputs, Samples};
use super::simulate::{fresh_seed, refuse, wrong};
use super::systematic;
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{
    Background, Colour, Tested, Verdict, escape, tested_cases, tested_html, tested_json, tested_text,
};
use interplay_workbench::{
    Context, Refusal, Saved, TestAnswer, TestHost, TestProgress, TestShrinking, TestStrategy, Testing, choose_setup,
    open, test_towards,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Drive an implementation and judge it by a specification
///
/// The implementation speaks the adapter protocol: a command that is started, an address, or `model:FILE`, another specification
/// that is played. What fails is told at once, shrunk, repeated in a fresh process, explained, kept in `.interplay` beside the specification, and tried first next
/// time. Exit code 0: nothing wrong was seen; 1: it does not keep to the specification or breaks a property; 2: a mistake
/// in the text or the command; 3: no verdict was reached; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay test lock.play --sut ./adapter.py\n  \
                        interplay test chat.play --sut tcp://localhost:7000 --setup online --seed 1\n  \
                        interplay test lock.play --sut model:faulty.play --runs 1000 --json\n  \
                        interplay test lock.play --mutants\n  \
                        interplay test sender.play --case case.play --sut ./adapter.py")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The implementation: a command, tcp://HOST:PORT, http://..., or model:FILE; without it `good/run` beside the specification
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
    /// The setup to test under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Watch this property or observer, and no other that is not named; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// A property that was tested before: what needs it broken is not looked for; may be repeated
    #[arg(long, value_name = "NAME")]
    assume: Vec<String>,
    /// The seed of all choices; without it that of the setup, or a new one, which is printed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many runs; without it what the setup says, or 100
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Steps of each run; without it what the setup says, or 50
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Who chooses the inputs: `portfolio` (several of the others by turns, more often those that find something new), `coverage`
    /// (what was done least), `uniform` (every action equally likely), `weighted` (by the weights of the setup), `guided`
    /// (towards a violation of a property), `swarm` (in each run a random part of the actions), `burst` (the same action many
    /// times), `observe` (questions after changes), `mutate` (earlier runs, changed a little), `goal=NAME` (towards a goal);
    /// without it `portfolio`
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Play small mistakes of the specification itself as implementations, at most N of them: how many does the test find?
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "300", conflicts_with_all = ["sut", "systematic"])]
    mutants: Option<std::num::NonZeroUsize>,
    /// Go on for this time: `30s`, `10m`, `8h`
    #[arg(long = "for", value_name = "TIME", value_parser = amount::time)]
    time: Option<Duration>,
    /// The time to shrink and repeat a failure, and others that are met on the way: `5s`, `2m`; `0` declines both
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = amount::time)]
    shrink: Duration,
    /// Do not stop at the first failure: one of each kind, counted
    #[arg(long = "continue")]
    go_on: bool,
    /// How many implementations at the same time, or `all`
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount::threads)]
    threads: usize,
    /// Keep no failures beside the specification, and try none
    #[arg(long)]
    no_store: bool,
    /// Print one JSON document at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    systematic: systematic::Flags,
    #[command(flatten)]
    aimed: aimed::Flags,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    if arguments.systematic.systematic {
        return systematic::run(&arguments.systematic, &arguments.common());
    }
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let strategy =
        match arguments.strategy.as_deref().map_or(Ok(TestStrategy::default()), |word| strategy(&context, word)) {
            Ok(strategy) => strategy,
            Err(problem) => return refuse(&problem),
        };
    let sut = match (&arguments.sut, arguments.mutants) {
        (Some(sut), _) => sut.clone(),
        (None, Some(_)) => String::new(),
        (None, None) => match beside(&arguments.file) {
            Ok(sut) => sut,
            Err(problem) => return refuse(&problem),
        },
    };
    if let Some(guide) = arguments.aimed.guide() {
        let (file, json, seed) = (arguments.file.clone(), arguments.json, seed(&context, &arguments));
        let answer_within = Some(arguments.systematic.answer_within);
        let Arguments { setup, runs, steps, time, .. } = arguments;
        let request = Testing { file, sut, setup, seed, runs, steps, time, answer_within, ..Testing::default() };
        return aimed::run(&context, &guide, &request, json);
    }
    let folder = (!arguments.no_store).then(|| store_of(&arguments.file));
    let (stored, unreadable) = folder.as_deref().map_or((Vec::new(), Vec::new()), stored);
    let request = Testing {
        file: arguments.file.clone(),
        sut,
        setup: arguments.setup.clone(),
        properties: (!arguments.property.is_empty()).then(|| arguments.property.clone()),
        assume: arguments.assume.clone(),
        seed: seed(&context, &arguments),
        runs: arguments.runs,
        steps: arguments.steps,
        strategy,
        time: arguments.time,
        go_on: arguments.go_on,
        threads: arguments.threads,
        answer_within: Some(arguments.systematic.answer_within),
        stored,
        replay: false,
        shrink: Some(arguments.shrink),
        moved: None,
    };
    if let Some(most) = arguments.mutants {
        return mutants::run(&context, &request, most.get(), arguments.json, &arguments.outputs);
    }
    let samples = Samples::new();
    let mut answer = match conduct(&context, &request, folder.as_deref(), &samples, arguments.json)? {
        Ok(answer) => answer,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    answer.tested.remarks.extend(unreadable);
    let told = tell(&context, &arguments.file, &answer, arguments.json);
    let written = write(&arguments.outputs, &context, &arguments.file, &answer, &samples);
    Ok(exit(&answer.tested).after(told).after(written))
}

impl Arguments {
    /// What a systematic test needs of these.
    fn common(&self) -> systematic::Common {
        systematic::Common {
            file: self.file.clone(),
            sut: self.sut.clone(),
            setup: self.setup.clone(),
            properties: self.property.clone(),
            threads: self.threads,
            timeout: self.time,
            go_on: self.go_on,
            json: self.json,
            outputs: self.outputs.clone(),
        }
    }
}

/// The files that were asked for.
pub(super) fn write(
    outputs: &Outputs,
    context: &Context,
    file: &Path,
    answer: &TestAnswer,
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
        behind.plots.extend(samples.second_over_first("What was met, by steps", names));
        behind.plots.extend(samples.over_time("Over time", names));
        tested_html(tested, behind)
    };
    outputs.write(&context.sources, || tested_cases(tested), html)
}

fn seed(context: &Context, arguments: &Arguments) -> u64 {
    let chosen = choose_setup(&context.model, arguments.setup.as_deref()).unwrap_or_default();
    let of_setup = chosen.id(&context.model).and_then(|id| context.model.setups[id.0].seed);
    arguments.seed.or(of_setup).unwrap_or_else(fresh_seed)
}

/// Runs the test with a clock, Ctrl-C, a line of progress, and a place to keep failures. A failure is told when it is found, unless
/// nothing but one document may be printed.
pub(super) fn conduct(
    context: &Context,
    request: &Testing,
    folder: Option<&Path>,
    samples: &Samples,
    json: bool,
) -> anyhow::Result<Result<TestAnswer, Refusal>> {
    let started = Instant::now();
    let interrupted = interrupt::watched();
    let bar = print::progress();
    let progress = |progress: TestProgress| {
        let TestProgress { runs, of, steps, sets, failures, shrinking } = progress;
        samples.note(steps as f64, sets as f64);
        let of = if of == u64::MAX { String::new() } else { format!(" of {of}") };
        let doing = shrinking.map_or(String::new(), |TestShrinking { from, to, runs, left }| {
            format!("; shrinking: {from} -> {to} steps in {runs} runs, {} s left", left.as_secs())
        });
        bar.set_message(format!("run {runs}{of}, {steps} steps, {failures} failures{doing}"));
        bar.tick();
    };
    let found = |what: &str| {
        // Who cannot be told now is told in the end.
        let _ = bar.suspend(|| print::news(&format!("{}\n", escape(what))));
    };
    let unkept = Mutex::new(BTreeSet::new());
    let save = |saved: &Saved| {
        let path = folder?.join(saved.name());
        // A failure that cannot be kept is told all the same.
        match files::keep(&path, &saved.text()) {
            Ok(()) => Some(path.display().to_string()),
            Err(error) => {
                let problem = format!("a failure could not be kept as {}: {error}", path.display());
                unkept.lock().unwrap_or_else(PoisonError::into_inner).insert(problem);
                None
            }
        }
    };
    let now = || started.elapsed();
    let host = TestHost {
        now: &now,
        interrupted: &interrupted,
        progress: &progress,
        found: if json || request.replay { &|_| {} } else { &found },
        save: &save,
        read: &files::read,
    };
    let mut answer = interplay_workbench::test(context, request, &host);
    bar.finish_and_clear();
    if let Ok(answer) = &mut answer {
        answer.tested.remarks.extend(unkept.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    Ok(answer)
}

pub(super) fn tell(context: &Context, file: &Path, answer: &TestAnswer, json: bool) -> anyhow::Result<()> {
    let tested = &answer.tested;
    Ok(match json {
        true => print::json(&tested_json(&context.sources, tested)),
        false => print::answer(&(headline(file, answer) + &tested_text(&context.sources, tested, Colour::Always))),
    }?)
}

fn headline(file: &Path, answer: &TestAnswer) -> String {
    let tested = &answer.tested;
    let setup = match (&answer.remark, &tested.setup) {
        (Some(remark), _) => format!(", {}", escape(remark)),
        (None, Some(name)) => format!(", using setup `{}`", escape(name)),
        (None, None) => String::new(),
    };
    let (file, sut) = (file.display().to_string(), escape(&tested.implementation).into_owned());
    print::headline(&file, &tested.system, &format!(" against {sut}{setup}"))
}

pub(super) fn exit(tested: &Tested) -> Exit {
    match (tested.verdict(), &tested.trouble, &tested.problem) {
        (Verdict::Pass, ..) => Exit::Met,
        (Verdict::Fail, ..) => Exit::Violated,
        (_, Some(_), _) => Exit::NoPartner,
        (_, _, Some(problem)) => Exit::of(problem.code),
        _ => Exit::Unknown,
    }
}

/// A strategy by its name.
fn strategy(context: &Context, word: &str) -> Result<TestStrategy, String> {
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
                return Err(format!("there is no strategy `{word}`\nhelp: there are: {known}"));
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
    let others = if others.is_empty() { String::new() } else { format!("; there are: {}", others.join(", ")) };
    Err(format!(
        "which implementation? There is no {}\nhelp: name it with --sut: a command, an address, or model:FILE{others}",
        run.display()
    ))
}

/// Failures of a specification are kept beside it.
fn store_of(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap_or_default();
    file.parent().unwrap_or(Path::new("")).join(".interplay").join(name)
}

/// The failures that were kept, and what to say about files that are none.
fn stored(folder: &Path) -> (Vec<Saved>, Vec<String>) {
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
