//! How it is told what the rules say about a log.

use crate::escape;
use interplay_answers::{LogJudges, LogRefusal, LogRules, Verdict};
use interplay_diagnostics::amount;

pub(crate) fn judges_text(judges: &LogJudges) -> String {
    let (word, said) = match judges {
        LogJudges::NoRules => return String::new(),
        LogJudges::Declined(why) => return format!("note: not judged by the rules: {}\n", escape(why)),
        LogJudges::Judged(rules) => (judges.verdict(), sentence(rules)),
    };
    let word = match word {
        Some(Verdict::Fail) => "fail",
        Some(Verdict::Pass) => "pass",
        _ => "open",
    };
    format!("{word}  rules: {}\n", escape(&said))
}

/// `4 steps, all allowed`
fn sentence(rules: &LogRules) -> String {
    let mut said = vec![match (rules.refusals, rules.judged) {
        (0, 1) => "1 step, allowed".into(),
        (0, judged) => format!("{}, all allowed", amount(judged, "step")),
        (1, judged) => format!("1 of {} is not allowed", amount(judged, "step")),
        (refusals, judged) => format!("{refusals} of {} are not allowed", amount(judged, "step")),
    }];
    if rules.skipped > 0 {
        said.push(format!("{} not judged", amount(rules.skipped, "step")));
    }
    if let Some(because) = &rules.because {
        said.push(because.clone());
    }
    said.join("; ")
}

pub(crate) fn refusal_text(refusal: &LogRefusal) -> String {
    let mut text = format!("{}\n\n", escape(&refusal.title()));
    for (number, label) in &refusal.steps {
        let mark = if *number == refusal.step { "  <-- not allowed" } else { "" };
        text += &format!("  {number:6}  {}{mark}\n", escape(label));
    }
    text.push('\n');
    for reason in &refusal.reasons {
        let place = reason.place.as_ref().map_or(String::new(), |place| format!(" ({})", escape(place)));
        text += &format!("  {}{place}\n", escape(&reason.text));
        for (part, value) in &reason.values {
            text += &format!("      {} = {}\n", escape(part), escape(value));
        }
    }
    let shown = refusal.states.len();
    text += &match refusal.state_count {
        1 => "  the state before it:\n".into(),
        count if count > shown => format!("  {count} states were possible before it; {shown} of them:\n"),
        count => format!("  {count} states were possible before it:\n"),
    };
    for (index, state) in refusal.states.iter().enumerate() {
        let number = if shown > 1 { format!("  {}. ", index + 1) } else { "     ".into() };
        for (row, line) in state.variables.iter().enumerate() {
            text += &format!("  {}{}\n", if row == 0 { &number } else { "     " }, escape(line));
        }
        let allowed: Vec<_> = state.allowed.iter().map(|label| escape(label)).collect();
        let allowed = if allowed.is_empty() { "nothing".into() } else { allowed.join(" or ") };
        text += &format!("       would allow: {allowed}\n");
    }
    text + "\n"
}
