//! `interplay test --systematic`: all behaviours of a service up to a depth, without a test being written.

use super::explore::amount;
use super::outputs::put;
use super::test;
use crate::exit::Exit;
use crate::print;
use crate::session::Session;
use interplay_answers::{Blame, Systematic, Verdict};
use interplay_report::{
    Background, escape, systematic_cases, systematic_html, systematic_svg, systematic_table_html,
    systematic_table_text, systematic_text,
};
use interplay_workbench::{Context, Driver, Merge, SutKind, SystematicSut, parse_sut, systematic};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What only a systematic test needs.
#[derive(clap::Args)]
#[command(next_help_heading = "Systematic testing")]
pub(crate) struct Flags {
    /// Run all behaviours of a service up to a depth; of the specification alone without --sut
    #[arg(long)]
    pub(crate) systematic: bool,
    /// Which orders of inputs to try: `simple` all; `planned` only those that a property can distinguish; `published`
    /// the algorithm of the literature, which misses some
    #[arg(long, value_name = "NAME", default_value = "planned", requires = "systematic")]
    driver: Driver,
    /// Which ways through a node the planned driver merges: those to the same `node`, those that also agree on the
    /// `data` that decides it, or on all data (`full`)
    #[arg(long, value_name = "LEVEL", default_value = "data", requires = "systematic")]
    merge: Merge,
    /// Events per run; by default as the setup says, or 10
    #[arg(long, value_name = "N", requires = "systematic")]
    depth: Option<u64>,
    /// Check all properties and observers
    #[arg(long, requires = "systematic", conflicts_with = "property")]
    all_properties: bool,
    /// Whether to violate each check without a target `once`, to see that it works; by default `once` for an
    /// implementation and `never` for a specification alone
    #[arg(long, value_name = "WHEN", value_parser = ["once", "never"], requires = "systematic")]
    violations: Option<String>,
    /// Correct N inputs per visit of a node; by default as the setup says, or none, but one for an implementation if no
    /// setup is named
    #[arg(long, value_name = "N", requires = "systematic")]
    overwrite: Option<u32>,
    /// Do not search a known state again; the implementation must give snapshots. If no new state is left at the depth,
    /// the answer holds for runs of any length
    #[arg(long, requires = "systematic")]
    match_states: bool,
    /// Stop after N runs
    #[arg(long, value_name = "N", requires = "systematic")]
    max_paths: Option<u64>,
    /// Repeat one run, with the choices that were reported
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', requires = "systematic")]
    tosses: Option<Vec<u32>>,
    /// Trust the inputs that the implementation offers instead of comparing them with the specification, and check only
    /// properties of its events. If it offers none, try every input; a refusal ends the run. Simple driver only
    #[arg(long, requires_all = ["systematic", "sut"])]
    black_box: bool,
    /// Time limit for an answer; a hang is confirmed in a fresh process
    #[arg(long, value_name = "TIME", value_parser = amount::time, default_value = "5s")]
    pub(crate) answer_within: Duration,
    /// Print runs and seconds of all three drivers for every depth, for the specification alone
    #[arg(long, requires = "systematic", conflicts_with = "sut")]
    table: bool,
    /// Draw the table
    #[arg(long, value_name = "FILE.svg", requires = "table")]
    plot: Option<PathBuf>,
}

/// How long a driver may need for one row of the table.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(flags: &Flags, common: &test::Arguments, session: &Session) -> anyhow::Result<Exit> {
    let context = session.open(&common.file)?;
    let request = request(flags, common, &context, session)?;
    if flags.table {
        return table(flags, common, &context, request, session);
    }
    let done = systematic::run(&context, &request, session)?;
    let told = session.say(|| done.document(), || text(common, &done));
    let written = common.outputs.write(
        &context.sources,
        || systematic_cases(&done),
        || systematic_html(&done, Background::new(&context.sources, common.file.display().to_string())),
    );
    Ok(exit(&done).after(told).after(written))
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

fn text(common: &test::Arguments, done: &Systematic) -> String {
    let setup = print::using(None, done.setup.as_deref());
    let sut = done.sut.as_ref().map_or(String::new(), |sut| format!(" against {}", escape(sut)));
    print::headline(&common.file, &done.system, &format!("{sut}{setup}")) + &systematic_text(done)
}

fn table(
    flags: &Flags,
    common: &test::Arguments,
    context: &Context,
    systematic: systematic::Request,
    session: &Session,
) -> anyhow::Result<Exit> {
    let patience = common.time.unwrap_or(PATIENCE);
    let table = systematic::table::run(context, &systematic::table::Request { systematic, patience }, session)?;
    let told = session.say(|| table.document(), || systematic_table_text(&table));
    let plot = put(flags.plot.as_deref(), || systematic_svg(&table));
    let page = put(common.outputs.html.as_deref(), || {
        let behind = Background::new(&context.sources, common.file.display().to_string());
        systematic_table_html(&context.model.name, &table, behind)
    });
    Ok(Exit::Met.after(told).after(plot).after(page))
}

fn request(
    flags: &Flags,
    common: &test::Arguments,
    context: &Context,
    session: &Session,
) -> anyhow::Result<systematic::Request> {
    let sut = match &common.sut {
        Some(text) => {
            let kind = sut(text, context, session)?;
            Some(SystematicSut { name: text.clone(), kind, black_box: flags.black_box })
        }
        None => None,
    };
    Ok(systematic::Request {
        file: common.file.clone(),
        setup: common.shared.setup.clone(),
        properties: common.property.clone(),
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
        timeout: common.time,
        replay: flags.tosses.clone(),
        sut,
        answer_within: flags.answer_within,
    })
}

fn sut(text: &str, context: &Context, session: &Session) -> anyhow::Result<SutKind> {
    let load = |file: &Path| {
        let mistakes = |_| format!("`{0}` has mistakes: `interplay check {0}` shows them", file.display());
        Ok(session.open(file).map_err(mistakes)?.model)
    };
    Ok(parse_sut(text, &context.model, session, load)?)
}
