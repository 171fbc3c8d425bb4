//! `interplay test --case` and `--target`: a test that aims at a verdict.

use super::test_case::Aim;
use crate::exit::Exit;
use crate::print;
use crate::session::Session;
use interplay_answers::Targeted;
use interplay_report::{escape, targeted_text};
use interplay_workbench::{Context, TestGuide, test};
use std::path::PathBuf;

#[derive(clap::Args)]
#[group(id = "aimed")]
pub(crate) struct Flags {
    /// Run a test case that `interplay test-case --out` wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["systematic", "mutants", "target"])]
    case: Option<PathBuf>,
    /// Aim at this verdict without a test case, by tracking the set of possible states
    #[arg(long, value_enum, conflicts_with_all = ["systematic", "mutants"])]
    target: Option<Aim>,
    /// The `possible` observer for --target; by default the first one
    #[arg(long, value_name = "NAME", requires = "target")]
    possible: Option<String>,
    /// The `never` observer for --target; by default the first one
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

pub(super) fn run(
    context: &Context,
    guide: &TestGuide,
    request: &test::Request,
    session: &Session,
) -> anyhow::Result<Exit> {
    let told =
        test::target::run(context, &test::target::Request { guide: guide.clone(), test: request.clone() }, session)?;
    session.say(
        || told.document(),
        || {
            let setup = print::using_of(context, request.setup.as_deref());
            let against = format!(" against {}{setup}", escape(&told.implementation));
            print::headline(&request.file, &told.system, &against) + &targeted_text(&told)
        },
    )?;
    Ok(exit(&told))
}

fn exit(told: &Targeted) -> Exit {
    let wanted = told.target.as_deref() != Some("satisfy");
    match (told.verdict.as_str(), &told.trouble) {
        (verdict, _) if verdict.contains("Fail") || verdict.contains("Violate") => Exit::Violated,
        (_, Some(trouble)) => Exit::of_breakdown(trouble.code),
        ("Satisfy", _) => Exit::Met,
        ("Pass", _) if wanted => Exit::Met,
        _ => Exit::Unknown,
    }
}
