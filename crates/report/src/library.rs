//! What a library of scenarios uses of a model and what it leaves out, as plain data, for people and as JSON.

use crate::escape;
use crate::explored_json::{place, rounded};
use interplay_diagnostics::{Diagnostic, Sources, Span};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct LibraryCoverage {
    pub system: String,
    pub setup: Option<String>,
    /// How many were played.
    pub scenarios: usize,
    /// Those that fail, which are left out.
    pub failed: Vec<String>,
    /// Those for which there was no time.
    pub unplayed: Vec<String>,
    pub items: Vec<LibraryItem>,
    /// Scenarios to add were looked for.
    pub looked: bool,
    /// Not for all, because time was up.
    pub cut_short: bool,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct LibraryItem {
    pub kind: LibraryKind,
    /// For a scenario that uses it.
    pub name: String,
    pub span: Span,
    /// What is missing.
    pub message: String,
    pub covered: bool,
    pub proposal: LibraryProposal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryKind {
    Rules,
    Branches,
    Guards,
    Locations,
    Values,
}

#[derive(Clone, Debug)]
pub enum LibraryProposal {
    /// The lines of a scenario that uses it.
    Add {
        setup: Option<String>,
        lines: Vec<String>,
    },
    /// None of the states under these setups; without states, by the condition itself.
    Unreachable {
        states: u64,
    },
    /// The model goes wrong after these lines, before anybody could use it.
    Wrong {
        error: Box<Diagnostic>,
        lines: Vec<String>,
    },
    /// Not found in the time that there was, or because of what stood in the way.
    Unknown {
        obstacle: Option<Box<Diagnostic>>,
    },
    NotLooked,
}

impl LibraryKind {
    const ALL: [LibraryKind; 5] =
        [LibraryKind::Rules, LibraryKind::Branches, LibraryKind::Guards, LibraryKind::Locations, LibraryKind::Values];

    fn word(self) -> &'static str {
        match self {
            LibraryKind::Rules => "rules",
            LibraryKind::Branches => "branches",
            LibraryKind::Guards => "guard outcomes",
            LibraryKind::Locations => "locations",
            LibraryKind::Values => "values",
        }
    }

    fn key(self) -> &'static str {
        if self == LibraryKind::Guards { "guards" } else { self.word() }
    }
}

impl LibraryCoverage {
    /// How many of a kind are used, of how many.
    pub fn count(&self, kind: LibraryKind) -> (usize, usize) {
        let of: Vec<&LibraryItem> = self.items.iter().filter(|item| item.kind == kind).collect();
        (of.iter().filter(|item| item.covered).count(), of.len())
    }

    /// Something can be reached, and is not; or was not looked for.
    pub fn is_missing(&self) -> bool {
        self.missing().any(|item| match item.proposal {
            LibraryProposal::Add { .. } => true,
            LibraryProposal::NotLooked => !self.looked,
            _ => false,
        })
    }

    /// The model goes wrong on the way to something.
    pub fn goes_wrong(&self) -> bool {
        self.missing().any(|item| matches!(item.proposal, LibraryProposal::Wrong { .. }))
    }

    /// Nobody knows whether something can be reached.
    pub fn is_open(&self) -> bool {
        let open =
            |item: &LibraryItem| matches!(item.proposal, LibraryProposal::Unknown { .. } | LibraryProposal::NotLooked);
        self.missing().any(open)
    }

    pub fn missing(&self) -> impl Iterator<Item = &LibraryItem> {
        self.items.iter().filter(|item| !item.covered)
    }
}

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

pub fn library_json(sources: &Sources, told: &LibraryCoverage) -> Value {
    let counts: serde_json::Map<String, Value> = LibraryKind::ALL
        .iter()
        .map(|kind| {
            let (covered, of) = told.count(*kind);
            (kind.key().to_string(), json!({ "covered": covered, "of": of }))
        })
        .collect();
    let item = |item: &LibraryItem| {
        let mut one = json!({
            "kind": item.kind.key(),
            "message": item.message,
            "place": place(sources, item.span),
        });
        match &item.proposal {
            LibraryProposal::Add { setup, lines } => {
                one["answer"] = json!("reached");
                one["setup"] = json!(setup);
                one["events"] = json!(lines.len());
                one["scenario"] = json!(scenario(&item.name, lines));
            }
            LibraryProposal::Unreachable { states } => {
                one["answer"] = json!("unreachable");
                one["states"] = json!(states);
            }
            LibraryProposal::Wrong { error, lines } => {
                one["answer"] = json!("wrong");
                one["code"] = json!(error.code.name());
                one["error"] = json!(error.message);
                one["scenario"] = json!(scenario(&item.name, lines));
            }
            LibraryProposal::Unknown { obstacle } => {
                one["answer"] = json!("unknown");
                one["error"] = json!(obstacle.as_ref().map(|why| &why.message));
            }
            LibraryProposal::NotLooked => one["answer"] = Value::Null,
        }
        one
    };
    json!({
        "schema": 1,
        "system": told.system,
        "setup": told.setup,
        "scenarios": told.scenarios,
        "failed": told.failed,
        "unplayed": told.unplayed,
        "coverage": counts,
        "missing": told.missing().map(item).collect::<Vec<_>>(),
        "cut_short": told.cut_short,
        "seconds": rounded(told.seconds, 1e3),
    })
}

pub fn library_text(sources: &Sources, told: &LibraryCoverage) -> String {
    let scenarios = if told.scenarios == 1 { "1 scenario".into() } else { format!("{} scenarios", told.scenarios) };
    let mut text = format!("{scenarios} played\n");
    for name in &told.failed {
        text += &format!("left out because it fails: {}\n", escape(name));
    }
    for name in &told.unplayed {
        text += &format!("not played because time was up: {}\n", escape(name));
    }
    for kind in LibraryKind::ALL {
        let (covered, of) = told.count(kind);
        if of > 0 {
            text += &format!("  {:16}{covered:>5} of {of}\n", kind.word());
        }
    }
    if told.missing().next().is_none() {
        return text + "nothing is missing\n" + &format!("{:.3} s\n", told.seconds);
    }
    for (lines, items) in proposed(told) {
        text += "\n";
        items.iter().for_each(|item| text += &missing(sources, item));
        text += &escape(&scenario(&items[0].name, lines));
    }
    let others: Vec<&LibraryItem> =
        told.missing().filter(|item| !matches!(item.proposal, LibraryProposal::Add { .. })).collect();
    if !others.is_empty() {
        text += "\n";
    }
    for item in others {
        text += &missing(sources, item);
        text += &match &item.proposal {
            LibraryProposal::Unreachable { .. } => "    it cannot be: all states were visited\n".into(),
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
                format!("    the model goes wrong: {place}{}: {what}, {after}{lines}", error.code)
            }
            LibraryProposal::Unknown { obstacle: Some(why) } => {
                format!("    not known: {}: {}\n", why.code, escape(&why.message))
            }
            LibraryProposal::Unknown { obstacle: None } => {
                "    no scenario was found in the time that there was\n".into()
            }
            _ => String::new(),
        };
    }
    if told.cut_short {
        text += "time was up before all of them were looked for\n";
    }
    text + &format!("{:.3} s\n", told.seconds)
}

fn missing(sources: &Sources, item: &LibraryItem) -> String {
    let (line, column) = sources.position(item.span.start_point());
    format!("{}:{line}:{column}: {}\n", escape(&sources.file(item.span.file).name), escape(&item.message))
}

fn scenario(name: &str, lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("scenario {name} {{\n{lines}}}\n")
}
