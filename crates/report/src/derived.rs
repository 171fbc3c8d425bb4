//! A derived test case, as plain data: what it aims at, its graph before and after selection, and a way to each verdict.

use crate::Changed;

#[derive(Clone, Debug)]
pub struct DerivedTest {
    /// The test case as a specification that `test --case` runs.
    pub case: Changed,
    /// Why it is the unfolded one.
    pub not_symbolic: Option<String>,
    pub system: String,
    pub setup: Option<String>,
    pub target: &'static str,
    pub relation: &'static str,
    /// The observers that watch.
    pub possible: Option<String>,
    pub never: Option<String>,
    /// Nodes and edges before and after selection.
    pub product: (usize, usize),
    pub selected: (usize, usize),
    /// The target can be reached, under the setup.
    pub reachable: bool,
    /// Open nodes that were kept although the target is out of reach from there.
    pub hopeless: usize,
    /// In the words of a scenario.
    pub verdicts: Vec<(String, Vec<String>)>,
    pub nodes: Vec<TestPlace>,
    pub edges: Vec<TestStep>,
}

#[derive(Clone, Debug)]
pub struct TestPlace {
    /// `Satisfy`, `ViolateFail`, `Inconclusive`, ...; nothing while the test goes on.
    pub verdict: Option<String>,
    /// The states of the specification that fit.
    pub states: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct TestStep {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub input: bool,
}
