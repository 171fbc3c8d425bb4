//! What `bind check` answers: each input as it was given, the wire, and what the rules of the binding did.

/// A binding that was tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriedBinding {
    /// As the user named it.
    pub binding: String,
    /// Each input of the specification, in its order.
    pub inputs: Vec<TriedInput>,
    /// Each `[[read]]`, in the order of the file.
    pub rules: Vec<TriedRule>,
    /// What was read and fits more than one rule, which are named by their lines; the first decided.
    pub ambiguous: Vec<(String, Vec<u64>)>,
    /// Why it could not go on.
    pub problem: Option<String>,
    /// The last lines of the wire before that.
    pub wire: Vec<String>,
}

/// One input, given once.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedInput {
    /// As the specification calls it.
    pub name: String,
    /// As it was given, in the syntax of the specification.
    pub event: Option<String>,
    /// What came of it, or why it was not given.
    pub answer: String,
    /// What went over the wire for it.
    pub wire: Vec<String>,
}

/// One rule, and how often it decided.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedRule {
    /// Where it stands in the file.
    pub line: u64,
    /// How much of what was read it decided about.
    pub count: u64,
}

impl TriedBinding {
    /// Every input was given, every rule fitted, and nothing fitted two.
    pub fn is_complete(&self) -> bool {
        self.problem.is_none()
            && self.ambiguous.is_empty()
            && self.inputs.iter().all(|input| input.event.is_some())
            && self.rules.iter().all(|rule| rule.count > 0)
    }
}
