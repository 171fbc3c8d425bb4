//! What became of scenarios that were played on an implementation, as plain data, for people and as JSON.

use crate::escape;
use interplay_answers::{Enacted, EnactedVerdict, Verdict};
use interplay_diagnostics::Sources;

pub fn enacted_text(sources: &Sources, enacted: &Enacted) -> String {
    let mut text = String::new();
    for scenario in &enacted.scenarios {
        let with = match &scenario.parameters[..] {
            [] => String::new(),
            values => format!(" with {}", escape(&values.join(", "))),
        };
        let name = escape(&scenario.name);
        text += &match &scenario.verdict {
            EnactedVerdict::Passed => format!("pass  {name}\n"),
            EnactedVerdict::Failed { title, lines, expected } => {
                format!("fail  {name}{with}: {}\n{}{}", escape(title), conversation(lines), instead(expected))
            }
            EnactedVerdict::Elsewhere { span, expected, came, lines } => {
                let came = came.as_ref().map_or("no output".into(), |came| format!("`{}`", escape(came)));
                let (line, column) = sources.position(span.start_point());
                let file = escape(&sources.file(span.file).name).into_owned();
                format!(
                    "open  {name}{with}: observed {came}; the scenario expects `{}` ({file}:{line}:{column}), the specification allows both\n{}",
                    escape(expected),
                    conversation(lines)
                )
            }
            EnactedVerdict::NotOfTheModel => {
                format!(
                    "fail  {name}{with}: the specification does not allow this scenario (`scenario run` without --sut shows where)\n"
                )
            }
            EnactedVerdict::Nothing => {
                format!("fail  {name}: no values of its parameters satisfy its condition, so it was not run\n")
            }
            EnactedVerdict::Trouble(_) | EnactedVerdict::Interrupted => format!("open  {name}{with}\n"),
        };
    }
    let counts = [(Verdict::Pass, "passed"), (Verdict::Fail, "failed"), (Verdict::Inconclusive, "open")];
    let counts = counts.map(|(word, told)| (enacted.count(word), told));
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, told)| format!("{count} {told}")).collect();
    let counts = if counts.is_empty() { "no scenario was run".into() } else { counts.join(", ") };
    text += &format!("{counts}\n");
    if enacted.interrupted {
        text += "interrupted: the remaining scenarios were not run\n";
    }
    if let Some(trouble) = &enacted.trouble {
        let who = if trouble.code.is_some() { "" } else { "cannot talk to the implementation: " };
        text += &format!("{who}{}\n", escape(&trouble.message));
    }
    text + &format!("{:.3} s\n", enacted.seconds)
}

fn conversation(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {}\n", escape(line))).collect()
}

fn instead(expected: &[String]) -> String {
    match expected {
        [] => "  expected: no output\n".into(),
        expected => format!("  expected: {}\n", escape(&expected.join("\n            "))),
    }
}
