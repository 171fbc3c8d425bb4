//! What a library of scenarios uses of a model and what it leaves out.

use interplay_diagnostics::{Diagnostic, Span};

/// The answer of `scenario coverage`.
#[derive(Clone, Debug)]
pub struct LibraryCoverage {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// How many were played.
    pub scenarios: usize,
    /// Those that fail, which are left out.
    pub failed: Vec<String>,
    /// Those for which there was no time.
    pub unplayed: Vec<String>,
    /// Everything that a scenario could use.
    pub items: Vec<LibraryItem>,
    /// Scenarios to add were looked for.
    pub looked: bool,
    /// Not for all, because time was up.
    pub cut_short: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Something that a scenario could use.
#[derive(Clone, Debug)]
pub struct LibraryItem {
    /// What kind of thing it is.
    pub kind: LibraryKind,
    /// For a scenario that uses it.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What is missing.
    pub message: String,
    /// A scenario uses it.
    pub covered: bool,
    /// If it is not covered: how it could be.
    pub proposal: LibraryProposal,
}

/// What scenarios can cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryKind {
    /// Each of them fires.
    Rules,
    /// Of `if`, `match` and loops.
    Branches,
    /// Outcomes of the parts of guards.
    Guards,
    /// Each of them is entered.
    Locations,
    /// Of enumerations and Booleans.
    Values,
}

/// What to do about something that is missing.
#[derive(Clone, Debug)]
pub enum LibraryProposal {
    /// The lines of a scenario that uses it.
    Add {
        /// The one it runs under.
        setup: Option<String>,
        /// Of the scenario.
        lines: Vec<String>,
    },
    /// None of the states under these setups; without states, by the condition itself.
    Unreachable {
        /// All of them; 0 if the condition itself excludes it.
        states: u64,
    },
    /// The model goes wrong after these lines, before anybody could use it.
    Wrong {
        /// What is wrong.
        error: Box<Diagnostic>,
        /// The way there.
        lines: Vec<String>,
    },
    /// Not found in the time that there was, or because of what stood in the way.
    Unknown {
        /// What stood in the way, if it was not the time.
        obstacle: Option<Box<Diagnostic>>,
    },
    /// Nobody asked for a proposal.
    NotLooked,
}

impl LibraryKind {
    /// In the order in which they are told.
    pub const ALL: [LibraryKind; 5] =
        [LibraryKind::Rules, LibraryKind::Branches, LibraryKind::Guards, LibraryKind::Locations, LibraryKind::Values];

    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            LibraryKind::Rules => "rules",
            LibraryKind::Branches => "branches",
            LibraryKind::Guards => "guard outcomes",
            LibraryKind::Locations => "locations",
            LibraryKind::Values => "values",
        }
    }

    /// For programs.
    pub fn key(self) -> &'static str {
        if self == LibraryKind::Guards { "guards" } else { self.word() }
    }
}

impl LibraryItem {
    /// These lines as a scenario with its name, in specification syntax.
    pub fn scenario(&self, lines: &[String]) -> String {
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("scenario {} {{\n{lines}}}\n", self.name)
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

    /// What no scenario uses.
    pub fn missing(&self) -> impl Iterator<Item = &LibraryItem> {
        self.items.iter().filter(|item| !item.covered)
    }
}
