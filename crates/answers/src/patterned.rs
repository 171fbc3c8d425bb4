//! What `patterns check` answers: which lines match, which do not, and patterns to start from for the rest.

/// Patterns that were tried on a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patterned {
    /// Lines that were read.
    pub lines: u64,
    /// In the order of the file.
    pub patterns: Vec<PatternUse>,
    /// Records that no pattern fits.
    pub unmatched: u64,
    /// The first of them, with their lines.
    pub shown: Vec<(u64, String)>,
    /// Lines that are not of the format.
    pub broken: u64,
    /// The first of them, with what is wrong.
    pub problems: Vec<(u64, String)>,
    /// For lines that no pattern fits.
    pub proposals: Vec<PatternProposal>,
}

/// One pattern, and how often it matched.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternUse {
    /// As the pattern file calls it.
    pub name: String,
    /// How many lines it fits.
    pub count: u64,
    /// The line, and what it tells as JSON.
    pub first: Option<(u64, String)>,
}

/// A `[[line]]` for lines of one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternProposal {
    /// How many lines have this shape.
    pub count: u64,
    /// The first of them.
    pub example: String,
    /// The pattern, as it would stand in the file.
    pub text: String,
}

impl Patterned {
    /// Every line matches, and every pattern does.
    pub fn is_complete(&self) -> bool {
        self.lines > 0 && self.unmatched == 0 && self.broken == 0 && self.patterns.iter().all(|each| each.count > 0)
    }
}
