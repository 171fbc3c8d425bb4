//! A conversation as a sequence chart for the terminal: the tester on the left, the implementation on the right.

use crate::escape;
use interplay_answers::{ChartKind, ChartLine};

/// Wider texts are not padded.
const WIDEST: usize = 90;
/// Of longer conversations the middle is left out.
const LONGEST: usize = 100;
const FIRST: usize = 20;
const LAST: usize = 40;

/// One line of text for each thing that was said; with `wrong`, the last one is marked.
pub(crate) fn chart(lines: &[ChartLine], wrong: bool) -> String {
    let texts: Vec<String> = lines.iter().map(|line| escape(&line.text).into_owned()).collect();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).clamp(16, WIDEST);
    let mut shown = format!("    tester{:width$}implementation\n", "", width = widest);
    let left_out = if lines.len() > LONGEST { FIRST..lines.len() - LAST } else { 0..0 };
    for (index, (line, text)) in lines.iter().zip(&texts).enumerate() {
        if left_out.contains(&index) {
            let more = format!("      (lines {} to {}: see --html or --json)\n", FIRST + 1, left_out.end);
            shown += if index == FIRST { &more } else { "" };
            continue;
        }
        let pad = "─".repeat(widest.saturating_sub(text.chars().count()));
        let space = " ".repeat(pad.chars().count());
        let body = match line.kind {
            ChartKind::Input => format!("│─ {text} ─{pad}─>│"),
            ChartKind::Output => format!("│<─{pad}─ {text} ─│"),
            ChartKind::Nothing => format!("│  {text}  {space}  │"),
        };
        let mark = if wrong && index + 1 == lines.len() { "  <-- wrong" } else { "" };
        shown += &format!("      {body}{mark}\n");
    }
    shown
}
