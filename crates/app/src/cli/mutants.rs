//! `interplay test --mutants`: how many small mistakes of the specification does its own test find?

use super::outputs::Outputs;
use crate::exit::Exit;
use crate::print;
use crate::session::Session;
use interplay_report::{Background, mutated_cases, mutated_html, mutated_text};
use interplay_workbench::{Context, test};

/// Exit code 0: all that a test could find were found; 1: some were not; 3: it ended early.
pub(super) fn run(
    context: &Context,
    request: &test::Request,
    most: usize,
    outputs: &Outputs,
    session: &Session,
) -> anyhow::Result<Exit> {
    let mutated = test::mutants::run(context, &test::mutants::Request { test: request.clone(), most }, session)?;
    let told = session.say(
        || mutated.document(&context.sources),
        || {
            let setup = print::using_of(context, request.setup.as_deref());
            let headline = print::headline(&request.file, &mutated.system, &format!(" against its mutants{setup}"));
            headline + &mutated_text(&context.sources, &mutated)
        },
    );
    let behind = || Background::new(&context.sources, request.file.display().to_string());
    let written = outputs.write(&context.sources, || mutated_cases(&mutated), || mutated_html(&mutated, behind()));
    Ok(Exit::of_verdict(mutated.verdict()).after(told).after(written))
}
