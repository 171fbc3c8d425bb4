//! `interplay test --mutants`: how many small mistakes of the specification does its own test find?

use super::outputs::Outputs;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{Background, Verdict, mutated_cases, mutated_html, mutated_json, mutated_text};
use interplay_workbench::{Context, Refusal, Saved, TestHost, TestProgress, Testing};
use std::time::Instant;

/// Exit code 0: all that a test could find were found; 1: some were not; 3: it ended early.
pub(super) fn run(
    context: &Context,
    request: &Testing,
    most: usize,
    json: bool,
    outputs: &Outputs,
) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let interrupted = interrupt::watched();
    let bar = print::progress();
    let progress = |TestProgress { runs, of, failures, .. }: TestProgress| {
        bar.set_message(format!("mutant {runs} of {of}, {failures} found"));
        bar.tick();
    };
    let (now, save) = (|| started.elapsed(), |_: &Saved| None);
    let host = TestHost {
        now: &now,
        interrupted: &interrupted,
        progress: &progress,
        found: &|_| {},
        save: &save,
        read: &files::read,
    };
    let found = interplay_workbench::mutants(context, request, most, &host);
    bar.finish_and_clear();
    let mutated = match found {
        Ok(mutated) => mutated,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], json),
    };
    let behind = || Background::new(&context.sources, request.file.display().to_string());
    let told = match json {
        true => print::json(&mutated_json(&context.sources, &mutated)),
        false => {
            let file = request.file.display().to_string();
            let setup = print::using(&context.model, request.setup.as_deref());
            let headline = print::headline(&file, &mutated.system, &format!(" against its mutants{setup}"));
            print::answer(&(headline + &mutated_text(&context.sources, &mutated)))
        }
    };
    let written = outputs.write(&context.sources, || mutated_cases(&mutated), || mutated_html(&mutated, behind()));
    let exit = match mutated.verdict() {
        Verdict::Pass => Exit::Met,
        Verdict::Fail => Exit::Violated,
        Verdict::Inconclusive => Exit::Unknown,
    };
    Ok(exit.after(told.map_err(Into::into)).after(written))
}
