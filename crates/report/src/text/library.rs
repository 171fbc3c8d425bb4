//! What a library of scenarios uses of a model and what it leaves out, as plain data, for people and as JSON.

use crate::escape;
use interplay_answers::{LibraryCoverage, LibraryItem, LibraryKind, LibraryProposal};
use interplay_diagnostics::{Sources, amount};

/// Those that one scenario serves stand together.
fn proposed(told: &LibraryCoverage) -> Vec<(&[String], Vec<&LibraryItem>)> {
    let mut groups: Vec<(&[String], Vec<&LibraryItem>)> = Vec::new();
    for item in told.missing() {
        if let LibraryProposal::Add { lines, .. } = &item.proposal {
            match groups.iter_mut().find(|(known, _)| known == lines) {
                Some((_, items)) => items.push(item),
                None => groups.push((lines, vec![item])),
            }
        }
    }
    groups
}

pub fn library_text(sources: &Sources, told: &LibraryCoverage) -> String {
    let mut text = format!("{} played\n", amount(told.scenarios, "scenario"));
    for name in &told.failed {
        text += &format!("not counted, because it fails: {}\n", escape(name));
    }
    for name in &told.unplayed {
        text += &format!("not played, because the time limit was reached: {}\n", escape(name));
    }
    for kind in LibraryKind::ALL {
        let (covered, of) = told.count(kind);
        if of > 0 {
            text += &format!("  {:16}{covered:>5} of {of}\n", kind.word());
        }
    }
    if told.missing().next().is_none() {
        return text + "everything is covered\n" + &format!("{:.3} s\n", told.seconds);
    }
    for (lines, items) in proposed(told) {
        text += "\n";
        items.iter().for_each(|item| text += &missing(sources, item));
        text += &escape(&items[0].scenario(lines));
    }
    let others: Vec<&LibraryItem> =
        told.missing().filter(|item| !matches!(item.proposal, LibraryProposal::Add { .. })).collect();
    if !others.is_empty() {
        text += "\n";
    }
    for item in others {
        text += &missing(sources, item);
        text += &match &item.proposal {
            LibraryProposal::Unreachable { .. } => "    unreachable: all states were visited\n".into(),
            LibraryProposal::Wrong { error, lines } => {
                let place = match error.span {
                    Some(span) => {
                        let (line, column) = sources.position(span.start_point());
                        format!("{}:{line}:{column}: ", escape(&sources.file(span.file).name))
                    }
                    None => String::new(),
                };
                let lines: String = lines.iter().map(|line| format!("      {}\n", escape(line))).collect();
                let after = if lines.is_empty() { "at the start\n" } else { "after\n" };
                let what = escape(&error.message);
                format!("    model error: {place}{}: {what}, {after}{lines}", error.code)
            }
            LibraryProposal::Unknown { obstacle: Some(why) } => {
                format!("    unknown: {}: {}\n", why.code, escape(&why.message))
            }
            LibraryProposal::Unknown { obstacle: None } => {
                "    unknown: no scenario was found within the limits\n".into()
            }
            _ => String::new(),
        };
    }
    if told.cut_short {
        text += "time limit reached: scenarios were not searched for everything uncovered\n";
    }
    text + &format!("{:.3} s\n", told.seconds)
}

fn missing(sources: &Sources, item: &LibraryItem) -> String {
    let (line, column) = sources.position(item.span.start_point());
    format!("{}:{line}:{column}: {}\n", escape(&sources.file(item.span.file).name), escape(&item.message))
}
