//! A conversation as a sequence chart for the terminal: the tester on the left, the implementation on the right.

use crate::{ChartKind, ChartLine, escape};

/// Wider texts are not padded.
const WIDEST: usize = 90;

/// One line of text for each thing that was said; with `wrong`, the last one is marked.
pub(crate) fn chart(lines: &[ChartLine], wrong: bool) -> String {
    let texts: Vec<String> = lines.iter().map(|line| escape(&line.text).into_owned()).collect();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).clamp(16, WIDEST);
    let mut shown = format!("    tester{:width$}implementation\n", "", width = widest);
    for (index, (line, text)) in lines.iter().zip(&texts).enumerate() {
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
