//! `interplay test --systematic`: all behaviours of a service up to a depth, without a test being written.

use super::explore::amount;
use super::outputs::{Outputs, put};
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{
    Background, Blame, Systematic, Verdict, escape, systematic_cases, systematic_html, systematic_json, systematic_svg,
    systematic_table_html, systematic_table_json, systematic_table_text, systematic_text,
};
use interplay_workbench::{
    Context, Driver, Merge, Refusal, SutKind, SystematicHost, SystematicRequest, SystematicSut, TableRequest, open,
    parse_sut,
};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What only a systematic test needs.
#[derive(clap::Args)]
#[command(next_help_heading = "Systematic testing")]
pub(crate) struct Flags {
    /// Make all runs of a service up to a depth; of the specification alone if there is no --sut
    #[arg(long)]
    pub(crate) systematic: bool,
    /// Which orders of inputs to try: `simple` all of them; `planned` only those that a property could tell apart;
    /// `published` as the literature has it, which loses some
    #[arg(long, value_name = "NAME", default_value = "planned", requires = "systematic")]
    driver: Driver,
    /// Which ways through a node the planned driver takes as one: those to the same `node`, with the same `data` as far as it decides
    /// that, or with the same data in `full`
    #[arg(long, value_name = "LEVEL", default_value = "data", requires = "systematic")]
    merge: Merge,
    /// Events per run; without it what the setup says, or 10
    #[arg(long, value_name = "N", requires = "systematic")]
    depth: Option<u64>,
    /// Judge all properties and observers
    #[arg(long, requires = "systematic", conflicts_with = "property")]
    all_properties: bool,
    /// Whether to cause each violation that leads nowhere `once`, so that its check is seen at work; without it `once` for an
    /// implementation and `never` for a specification alone
    #[arg(long, value_name = "WHEN", value_parser = ["once", "never"], requires = "systematic")]
    violations: Option<String>,
    /// Correct so many inputs per visit of a node; without it what the setup says, or none, but one for an implementation if no setup
    /// is named
    #[arg(long, value_name = "N", requires = "systematic")]
    overwrite: Option<u32>,
    /// Do not search a state again that was seen; the implementation must give snapshots. If no state is left at the depth, the answer
    /// holds for runs of any length
    #[arg(long, requires = "systematic")]
    match_states: bool,
    /// Stop after so many runs
    #[arg(long, value_name = "N", requires = "systematic")]
    max_paths: Option<u64>,
    /// Make one run only: the choices of an earlier one, as it was reported
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', requires = "systematic")]
    tosses: Option<Vec<u32>>,
    /// Believe what the implementation says it would take, instead of comparing it with the specification: its events are judged by
    /// the properties. If it does not say, every input is tried, and a refusal ends the run. Simple driver only
    #[arg(long, requires_all = ["systematic", "sut"])]
    black_box: bool,
    /// How long an answer of the implementation may take; after that it hangs, if it does so again in a fresh process
    #[arg(long, value_name = "TIME", value_parser = amount::time, default_value = "5s")]
    pub(crate) answer_within: Duration,
    /// Print the runs and seconds of all three drivers for every depth, of the specification alone
    #[arg(long, requires = "systematic", conflicts_with = "sut")]
    table: bool,
    /// Draw that table
    #[arg(long, value_name = "FILE.svg", requires = "table")]
    plot: Option<PathBuf>,
}

/// What it shares with other tests.
pub(crate) struct Common {
    pub(crate) file: PathBuf,
    pub(crate) sut: Option<String>,
    pub(crate) setup: Option<String>,
    pub(crate) properties: Vec<String>,
    pub(crate) threads: usize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) go_on: bool,
    pub(crate) json: bool,
    pub(crate) outputs: Outputs,
}

/// More runs than this are announced.
const MANY: f64 = 1e6;
/// How long a driver may need for one row of the table.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(flags: &Flags, common: &Common) -> anyhow::Result<Exit> {
    let context = match open(&common.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, common.json),
    };
    let request = match request(flags, common) {
        Ok(request) => request,
        Err(problem) => return refuse(&problem),
    };
    if flags.table {
        return table(flags, common, &context, request);
    }
    match with_host(|host| interplay_workbench::systematic(&context, &request, host)) {
        Ok(done) => {
            let told = tell(common, &done);
            let written = common.outputs.write(
                &context.sources,
                || systematic_cases(&done),
                || systematic_html(&done, Background::new(&context.sources, common.file.display().to_string())),
            );
            Ok(exit(&done).after(told).after(written))
        }
        Err(refusal) => refused(refusal, &context, common),
    }
}

fn exit(done: &Systematic) -> Exit {
    let model = done.findings.iter().filter_map(|finding| finding.code).map(Exit::of);
    let blamed = model.max_by_key(|exit| *exit == Exit::Violated);
    match done.verdict() {
        _ if blamed.is_some() => blamed.unwrap_or(Exit::Violated),
        _ if done.blames(Blame::Specification) => Exit::Wrong,
        _ if done.blames(Blame::Harness) => Exit::NoPartner,
        Verdict::Pass => Exit::Met,
        Verdict::Fail => Exit::Violated,
        Verdict::Inconclusive => Exit::Unknown,
    }
}

fn refused(refusal: Refusal, context: &Context, common: &Common) -> anyhow::Result<Exit> {
    match refusal {
        Refusal::Request(problem) => refuse(&problem),
        Refusal::Specification(diagnostic) => wrong(&context.sources, &[*diagnostic], common.json),
    }
}

fn tell(common: &Common, done: &Systematic) -> anyhow::Result<()> {
    if common.json {
        return Ok(print::json(&systematic_json(done))?);
    }
    let file = common.file.display().to_string();
    let setup = done.setup.as_ref().map_or(String::new(), |setup| format!(", using setup `{}`", escape(setup)));
    let sut = done.sut.as_ref().map_or(String::new(), |sut| format!(" against {}", escape(sut)));
    let headline = print::headline(&file, &done.system, &format!("{sut}{setup}"));
    Ok(print::answer(&(headline + &systematic_text(done)))?)
}

fn table(flags: &Flags, common: &Common, context: &Context, systematic: SystematicRequest) -> anyhow::Result<Exit> {
    let patience = common.timeout.unwrap_or(PATIENCE);
    let request = TableRequest { systematic, patience };
    let table = match with_host(|host| interplay_workbench::systematic_table(context, &request, host)) {
        Ok(table) => table,
        Err(refusal) => return refused(refusal, context, common),
    };
    let told = match common.json {
        true => print::json(&systematic_table_json(&table)),
        false => print::answer(&systematic_table_text(&table)),
    };
    let plot = put(flags.plot.as_deref(), || systematic_svg(&table));
    let page = put(common.outputs.html.as_deref(), || {
        let behind = Background::new(&context.sources, common.file.display().to_string());
        systematic_table_html(&context.model.name, &table, behind)
    });
    Ok(Exit::Met.after(told.map_err(Into::into)).after(plot).after(page))
}

fn request(flags: &Flags, common: &Common) -> Result<SystematicRequest, String> {
    let sut = match &common.sut {
        Some(text) => Some(SystematicSut { name: text.clone(), kind: sut(text)?, black_box: flags.black_box }),
        None => None,
    };
    Ok(SystematicRequest {
        file: common.file.clone(),
        setup: common.setup.clone(),
        properties: common.properties.clone(),
        all_properties: flags.all_properties,
        driver: if flags.black_box { Driver::Simple } else { flags.driver },
        merge: flags.merge,
        violations_once: match flags.violations.as_deref() {
            Some(when) => when == "once",
            None => common.sut.is_some(),
        },
        overwrite: flags.overwrite,
        depth: flags.depth,
        go_on: common.go_on,
        threads: common.threads,
        match_states: flags.match_states,
        paths: flags.max_paths,
        timeout: common.timeout,
        replay: flags.tosses.clone(),
        sut,
        answer_within: flags.answer_within,
    })
}

fn sut(text: &str) -> Result<SutKind, String> {
    parse_sut(text, |file| {
        let context = open(file, &files::read)
            .map_err(|_| format!("`{0}` has mistakes: `interplay check {0}` shows them", file.display()))?;
        Ok(context.model)
    })
}

/// The clock, Ctrl-C and a line of progress on terminals.
fn with_host<T>(run: impl FnOnce(&SystematicHost<'_>) -> T) -> T {
    let (started, interrupted) = (Instant::now(), interrupt::watched());
    let bar = print::progress();
    let now = || started.elapsed();
    let expected = |runs: f64| {
        if runs > MANY {
            let text = format!(
                "about {runs:.1e} runs are to be made; --for, --max-paths or a smaller --depth ends them earlier\n"
            );
            let _ = print::aside(&text);
        }
    };
    let progress = |runs: u64| {
        bar.set_message(format!("{runs} runs"));
        bar.tick();
    };
    let answer =
        run(&SystematicHost { now: &now, interrupted: &interrupted, expected: &expected, progress: &progress });
    bar.finish_and_clear();
    answer
}
