//! Every code has a page, and every page tells the truth: what it says to be wrong provokes exactly its code, and the
//! correction provokes nothing.

use interplay_answers::PlayVerdict;
use interplay_diagnostics::{Code, Diagnostic};
use interplay_workbench::{Formatted, Refusal, check, choose_setup, format, open, play, unified_diff};
use std::path::Path;

/// The fenced blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(kind) => {
                open = true;
                found.push((kind, String::new()));
            }
            None if open => found.last_mut().expect("a block is open").1 += &format!("{line}\n"),
            None => {}
        }
    }
    found
}

fn problems(text: &str) -> Vec<Diagnostic> {
    check::run(&["page.play".into()], &|_: &Path| Ok(text.as_bytes().to_vec())).diagnostics
}

/// Model error when its scenarios are played under its setup, and which scenarios fail.
fn problems_of_play(text: &str) -> Vec<Result<Diagnostic, String>> {
    let Ok(context) = open(Path::new("page.play"), &|_: &Path| Ok(text.as_bytes().to_vec())) else { return Vec::new() };
    let setup = choose_setup(&context.model, None).expect("no name was given");
    match play(&context, &context.model, &setup, |_| true) {
        Err(Refusal::Specification { diagnostics, .. }) => diagnostics.into_iter().map(Ok).collect(),
        Err(refusal) => vec![Err(refusal.to_string())],
        Ok(played) => played
            .into_iter()
            .filter_map(|each| match each.verdict {
                PlayVerdict::Passed => None,
                PlayVerdict::Broken(diagnostic) => Some(Ok(diagnostic)),
                PlayVerdict::Failed { expected, .. } => Some(Err(format!("{}: {expected}", each.name))),
                PlayVerdict::Nothing => Some(Err(format!("{} plays nothing", each.name))),
            })
            .collect(),
    }
}

fn told(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|each| format!("{} {}\n", each.code, each.message)).collect()
}

#[test]
fn every_page_has_its_title_and_its_blocks() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("# {code}: {}\n", code.title())), "the title of {code}");
        let kinds: Vec<&str> = blocks(page).iter().map(|(kind, _)| *kind).collect();
        let wanted: &[&str] = match code.name().as_bytes()[0] {
            b'F' => &["text"],
            b'M' => &["play fails-run", "play"],
            _ => &["play fails", "play"],
        };
        assert_eq!(kinds, wanted, "the blocks of {code}");
    }
}

#[test]
fn every_wrong_text_provokes_exactly_its_code() {
    let mut wrong = String::new();
    for code in Code::ALL {
        for (_, text) in blocks(code.page()).iter().filter(|(kind, _)| *kind == "play fails") {
            let found = problems(text);
            if found.is_empty() || found.iter().any(|each| each.code != *code) {
                wrong += &format!("{code} provokes:\n{}", told(&found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_correction_is_clean() {
    let mut wrong = String::new();
    for code in Code::ALL {
        for (kind, text) in blocks(code.page()).iter().filter(|(kind, _)| matches!(*kind, "play" | "play fails-run")) {
            let mut found = problems(text);
            // That the values come from nowhere is foretold by `check`.
            found.retain(|each| !(*kind == "play fails-run" && *code == Code::M009 && each.code == Code::W007));
            if !found.is_empty() {
                wrong += &format!("the correction of {code} provokes:\n{}", told(&found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_wrong_model_provokes_exactly_its_code_when_it_runs() {
    let mut wrong = String::new();
    for code in Code::ALL {
        for (_, text) in blocks(code.page()).iter().filter(|(kind, _)| *kind == "play fails-run") {
            let found = problems_of_play(text);
            if !matches!(&found[..], [Ok(diagnostic)] if diagnostic.code == *code) {
                wrong += &format!("{code} provokes {found:#?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_scenario_of_a_correction_passes() {
    let mut wrong = String::new();
    for code in Code::ALL {
        for (_, text) in blocks(code.page()).iter().filter(|(kind, _)| *kind == "play") {
            let found = problems_of_play(text);
            if !found.is_empty() {
                wrong += &format!("the correction of {code} provokes {found:#?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_correction_is_written_as_the_formatter_writes_it() {
    let mut wrong = String::new();
    for code in Code::ALL {
        for (_, text) in blocks(code.page()).iter().filter(|(kind, _)| matches!(*kind, "play" | "play fails-run")) {
            if let Ok(Formatted::Changed(formatted)) = format("page.play", text) {
                wrong += &format!("{code}\n{}", unified_diff("page.play", text, &formatted));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
