//! A state graph to be drawn, as plain data: the states of a model and the steps between them.
//!
//! All text is data and may be hostile: it is escaped where it is written.

/// Indices point into its own lists; an index that points nowhere is a bug of the caller and panics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Over the picture.
    pub title: String,
    /// In the order in which they were met, so that the first ones are the nearest.
    pub nodes: Vec<PictureNode>,
    /// Steps between the nodes.
    pub arcs: Vec<PictureArc>,
    /// An outer group stands before those inside it.
    pub groups: Vec<PictureGroup>,
    /// Indices of nodes.
    pub initial: Vec<usize>,
    /// Whether all states and steps are here.
    pub extent: Extent,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureNode {
    /// Short, as `S3`.
    pub name: String,
    /// The state, one variable per line: `open = false`.
    pub lines: Vec<String>,
    /// Its shape.
    pub kind: NodeKind,
    /// Whether a run may end here.
    pub ending: Ending,
    /// The innermost one.
    pub group: Option<usize>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Only the environment can act: drawn as an oval.
    Active,
    /// The system may act by itself: drawn as a diamond.
    Passive,
}

/// Whether a run may end in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It goes on from here, and must.
    Open,
    /// It goes on, but may end here.
    Accepting,
    /// It ends here, as it may.
    Final,
    /// It ends here, but must not.
    Stuck,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureArc {
    /// Index of a node.
    pub from: usize,
    /// Index of a node.
    pub to: usize,
    /// Empty for a timeout.
    pub label: String,
    /// How it is drawn.
    pub kind: ArcKind,
}

/// The kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArcKind {
    /// The environment gives it.
    Input,
    /// The system gives it.
    Output,
    /// Nobody outside sees it.
    Internal,
    /// Waiting in vain.
    Timeout,
}

/// States that are drawn in one box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureGroup {
    /// Over the box.
    pub name: String,
    /// The group that it lies in, which stands earlier in the list.
    pub inside: Option<usize>,
}

/// How much of the graph is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All states and steps.
    #[default]
    Complete,
    /// A limit was reached: there are more states.
    Partial,
}

impl ArcKind {
    /// In the order of the legend.
    pub const ALL: [ArcKind; 4] = [ArcKind::Input, ArcKind::Output, ArcKind::Internal, ArcKind::Timeout];

    /// As people and programs read it.
    pub fn word(self) -> &'static str {
        match self {
            ArcKind::Input => "input",
            ArcKind::Output => "output",
            ArcKind::Internal => "internal",
            ArcKind::Timeout => "timeout",
        }
    }
}

impl Picture {
    /// States in each group, with those of the groups inside it.
    pub fn group_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.groups.len()];
        for node in &self.nodes {
            for group in self.around(node.group) {
                sizes[group] += 1;
            }
        }
        sizes
    }

    /// The group and those around it, from the inside out.
    pub fn around(&self, group: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(group, |group| self.groups[*group].inside)
    }

    /// The first so many states and what happens among them.
    pub fn beginning(&self, most: usize) -> Picture {
        let mut first = self.clone();
        first.nodes.truncate(most);
        first.arcs.retain(|arc| arc.from < most && arc.to < most);
        first.initial.retain(|node| *node < most);
        first
    }
}

/// The states of the model, and which of them were visited.
pub struct Drawn {
    /// All of it, or its beginning.
    pub picture: Picture,
    /// For each state; empty if nobody asked.
    pub visited: Vec<bool>,
}

/// More arcs than this make the file too large, and no picture that anybody can read.
const MOST_ARCS: usize = 12_000;

impl Drawn {
    /// Of a graph with very many steps only the first states.
    pub fn new(picture: Picture, visited: Vec<bool>) -> Drawn {
        let mut ends: Vec<usize> = picture.arcs.iter().map(|arc| arc.from.max(arc.to)).collect();
        if ends.len() <= MOST_ARCS {
            return Drawn { picture, visited };
        }
        ends.sort_unstable();
        let most = ends[MOST_ARCS].max(1);
        let picture = Picture { extent: crate::Extent::Partial, ..picture.beginning(most) };
        Drawn { picture, visited: visited.into_iter().take(most).collect() }
    }
}
