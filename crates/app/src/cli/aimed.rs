//! `interplay test --case` and `--target`: a test that aims at a verdict.

use super::derive::Aim;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{Targeted, escape, targeted_json, targeted_text};
use interplay_workbench::{Context, Refusal, TestGuide, TestHost, TestProgress, Testing, test_target};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
#[group(id = "aimed")]
pub(crate) struct Flags {
    /// Run a test case that `interplay derive --out` wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["systematic", "mutants", "target"])]
    case: Option<PathBuf>,
    /// Aim at this verdict without deriving a test case: the states that fit are kept as a set
    #[arg(long, value_enum, conflicts_with_all = ["systematic", "mutants"])]
    target: Option<Aim>,
    /// The observer of what shall be possible, for --target; without it the first one
    #[arg(long, value_name = "NAME", requires = "target")]
    possible: Option<String>,
    /// The observer of what shall never happen, for --target; without it the first one
    #[arg(long, value_name = "NAME", requires = "target")]
    never: Option<String>,
}

impl Flags {
    pub(super) fn guide(&self) -> Option<TestGuide> {
        let target = self.target.map(|target| TestGuide::Target {
            target: target.target(),
            possible: self.possible.clone(),
            never: self.never.clone(),
        });
        self.case.clone().map(TestGuide::Case).or(target)
    }
}

pub(super) fn run(context: &Context, guide: &TestGuide, request: &Testing, json: bool) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let interrupted = interrupt::watched();
    let bar = print::progress();
    let progress = |progress: TestProgress| {
        bar.set_message(format!("run {} of {}", progress.runs, progress.of));
        bar.tick();
    };
    let now = || started.elapsed();
    let (save, read) = (|_: &_| None, files::read);
    let host = TestHost {
        now: &now,
        interrupted: &interrupted,
        progress: &progress,
        found: &|_| {},
        save: &save,
        read: &read,
    };
    let answer = test_target(context, guide, request, &host);
    bar.finish_and_clear();
    let told = match answer {
        Ok(told) => told,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], json),
    };
    match json {
        true => print::json(&targeted_json(&told))?,
        false => {
            let setup = print::using(&context.model, request.setup.as_deref());
            let (file, sut) = (request.file.display().to_string(), escape(&told.implementation).into_owned());
            let headline = print::headline(&file, &told.system, &format!(" against {sut}{setup}"));
            print::answer(&(headline + &targeted_text(&told)))?;
        }
    }
    Ok(exit(&told))
}

fn exit(told: &Targeted) -> Exit {
    let wanted = told.target.as_deref() != Some("satisfy");
    match told.verdict.as_str() {
        verdict if verdict.contains("Fail") || verdict.contains("Violate") => Exit::Violated,
        _ if told.trouble.is_some() => Exit::NoPartner,
        "Satisfy" => Exit::Met,
        "Pass" if wanted => Exit::Met,
        _ => Exit::Unknown,
    }
}
