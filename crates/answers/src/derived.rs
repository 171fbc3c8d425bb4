//! A derived test case, as plain data: what it aims at, its graph before and after selection, and a way to each verdict.

use crate::Changed;

/// The answer of `derive`.
#[derive(Clone, Debug)]
pub struct DerivedTest {
    /// The test case as a specification that `test --case` runs.
    pub case: Changed,
    /// Why it is the unfolded one.
    pub not_symbolic: Option<String>,
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// The verdict it aims at, as a word of the command line.
    pub target: &'static str,
    /// The conformance relation, likewise.
    pub relation: &'static str,
    /// The observers that watch.
    pub possible: Option<String>,
    /// The observer of what shall never happen.
    pub never: Option<String>,
    /// Nodes and edges before and after selection.
    pub product: (usize, usize),
    /// After selection.
    pub selected: (usize, usize),
    /// The target can be reached, under the setup.
    pub reachable: bool,
    /// Open nodes that were kept although the target is out of reach from there.
    pub hopeless: usize,
    /// In the words of a scenario.
    pub verdicts: Vec<(String, Vec<String>)>,
    /// The first is where it starts.
    pub nodes: Vec<TestPlace>,
    /// Between the nodes.
    pub edges: Vec<TestStep>,
}

/// A node of the test case.
#[derive(Clone, Debug)]
pub struct TestPlace {
    /// `Satisfy`, `ViolateFail`, `Inconclusive`, ...; nothing while the test goes on.
    pub verdict: Option<String>,
    /// The states of the specification that fit.
    pub states: Vec<String>,
}

/// An edge of the test case.
#[derive(Clone, Debug)]
pub struct TestStep {
    /// A node.
    pub from: usize,
    /// A node.
    pub to: usize,
    /// The event, in specification syntax.
    pub label: String,
    /// The tester gives it; otherwise the implementation does.
    pub input: bool,
}
