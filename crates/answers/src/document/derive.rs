//! What `derive --json` prints and `derive --out` writes.

use super::version::Version;
use crate::{DerivedTest, TestPlace, TestStep};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole test case: what it aims at, its graph, and a way to each verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeriveDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    /// What it aims at.
    #[schemars(extend("enum" = ["satisfy", "violate", "fail", "violate-fail"]))]
    target: &'static str,
    #[schemars(extend("enum" = ["ioco", "uioco"]))]
    relation: &'static str,
    /// The observer of what shall be possible.
    possible: Option<&'a str>,
    /// The observer of what shall never happen.
    never: Option<&'a str>,
    before_selection: Size,
    after_selection: Size,
    /// The target can be reached, under the setup.
    reachable: bool,
    /// Places that were kept although the target is out of reach from there.
    hopeless: usize,
    case: Case<'a>,
    /// For each verdict a way there, in the words of a scenario.
    verdicts: BTreeMap<&'a str, &'a [String]>,
    test: Graph<'a>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Size {
    nodes: usize,
    edges: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Case<'a> {
    symbolic: bool,
    /// Why it is not symbolic.
    because: Option<&'a str>,
    places: usize,
    steps: usize,
    /// The test case as a specification.
    specification: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Graph<'a> {
    start: usize,
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Node<'a> {
    /// None while the test goes on.
    verdict: Option<&'a str>,
    /// The states of the specification that fit.
    states: &'a [String],
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Edge<'a> {
    from: usize,
    to: usize,
    label: &'a str,
    kind: EdgeKind,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EdgeKind {
    Input,
    Output,
}

impl DerivedTest {
    /// For programs.
    pub fn document(&self) -> DeriveDocument<'_> {
        let size = |(nodes, edges): (usize, usize)| Size { nodes, edges };
        DeriveDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            target: self.target,
            relation: self.relation,
            possible: self.possible.as_deref(),
            never: self.never.as_deref(),
            before_selection: size(self.product),
            after_selection: size(self.selected),
            reachable: self.reachable,
            hopeless: self.hopeless,
            case: Case {
                symbolic: self.not_symbolic.is_none(),
                because: self.not_symbolic.as_deref(),
                places: self.case.places,
                steps: self.case.steps,
                specification: &self.case.text,
            },
            verdicts: self.verdicts.iter().map(|(name, way)| (name.as_str(), way.as_slice())).collect(),
            test: Graph {
                start: 0,
                nodes: self.nodes.iter().map(node).collect(),
                edges: self.edges.iter().map(edge).collect(),
            },
        }
    }
}

fn node(place: &TestPlace) -> Node<'_> {
    Node { verdict: place.verdict.as_deref(), states: &place.states }
}

fn edge(step: &TestStep) -> Edge<'_> {
    let kind = if step.input { EdgeKind::Input } else { EdgeKind::Output };
    Edge { from: step.from, to: step.to, label: &step.label, kind }
}
