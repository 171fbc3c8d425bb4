//! How it is told which lines of a log match patterns.

use crate::escape;
use interplay_answers::Patterned;
use interplay_diagnostics::amount;

pub fn patterned_text(patterned: &Patterned) -> String {
    let mut text = format!("{}\n", amount(patterned.lines, "line"));
    for each in &patterned.patterns {
        let first = each.first.as_ref().map_or(String::new(), |(line, told)| format!(", first in line {line}: {told}"));
        text += &match each.count {
            0 => format!("warning: the pattern `{}` never matched\n", escape(&each.name)),
            number => format!("  {:16} {}{}\n", escape(&each.name), amount(number, "time"), escape(&first)),
        };
    }
    for (number, what, shown) in [
        (patterned.broken, "not readable", &patterned.problems),
        (patterned.unmatched, "without a pattern", &patterned.shown),
    ] {
        if number == 0 {
            continue;
        }
        text += &format!("\n{} {what}:\n", amount(number, "line"));
        for (line, said) in shown {
            text += &format!("  line {line}: {}\n", escape(said));
        }
        let more = number.saturating_sub(shown.len() as u64);
        text += &if more > 0 { format!("  and {more} more\n") } else { String::new() };
    }
    for proposal in &patterned.proposals {
        let like = escape(&proposal.example).into_owned();
        text += &format!("\n# {} like: {like}\n{}", amount(proposal.count, "line"), escape_lines(&proposal.text));
    }
    text
}

fn escape_lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", escape(line))).collect()
}
