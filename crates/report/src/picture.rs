//! A state graph to be drawn, as plain data: what [`graph_svg`](crate::graph_svg) and [`graph_page`](crate::graph_page)
//! are told. Whoever explored fills it in; nothing here knows how states are found.
//!
//! All text is data and may be hostile: it is escaped where it is written.

use std::collections::HashMap;

/// Indices point into its own lists; an index that points nowhere is a bug of the caller and panics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    pub title: String,
    /// In the order in which they were met, so that the first ones are the nearest.
    pub nodes: Vec<PictureNode>,
    pub arcs: Vec<PictureArc>,
    /// An outer group stands before those inside it.
    pub groups: Vec<PictureGroup>,
    pub initial: Vec<usize>,
    /// Whether all states and steps are here.
    pub extent: Extent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureNode {
    /// Short, as `S3`.
    pub name: String,
    /// The state, one variable per line: `open = false`.
    pub lines: Vec<String>,
    pub kind: NodeKind,
    pub ending: Ending,
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureArc {
    pub from: usize,
    pub to: usize,
    /// Empty for a timeout.
    pub label: String,
    pub kind: ArcKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArcKind {
    Input,
    Output,
    Internal,
    Timeout,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureGroup {
    pub name: String,
    /// The group that it lies in, which stands earlier in the list.
    pub inside: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Complete,
    /// A limit was reached: there are more states.
    Partial,
}

impl ArcKind {
    pub(crate) const ALL: [ArcKind; 4] = [ArcKind::Input, ArcKind::Output, ArcKind::Internal, ArcKind::Timeout];

    pub(crate) fn word(self) -> &'static str {
        match self {
            ArcKind::Input => "input",
            ArcKind::Output => "output",
            ArcKind::Internal => "internal",
            ArcKind::Timeout => "timeout",
        }
    }
}

impl PictureArc {
    /// As it is drawn: what the system does by itself has a question mark, as in the paper.
    pub(crate) fn shown(&self) -> String {
        match self.kind {
            ArcKind::Output => format!("?{}", one_line(&self.label)),
            _ => one_line(&self.label),
        }
    }

    /// The name of the action, without its arguments.
    pub(crate) fn action(&self) -> String {
        let name = self.label.split('(').next().unwrap_or_default().trim();
        if name.is_empty() { format!("({})", self.kind.word()) } else { one_line(name) }
    }
}

impl Picture {
    pub(crate) fn group_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.groups.len()];
        for node in &self.nodes {
            for group in self.around(node.group) {
                sizes[group] += 1;
            }
        }
        sizes
    }

    /// The group and those around it, from the inside out.
    pub(crate) fn around(&self, group: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(group, |group| self.groups[*group].inside)
    }

    /// The first so many states and what happens among them.
    pub(crate) fn beginning(&self, most: usize) -> Picture {
        let mut first = self.clone();
        first.nodes.truncate(most);
        first.arcs.retain(|arc| arc.from < most && arc.to < most);
        first.initial.retain(|node| *node < most);
        first
    }
}

/// Arcs with the same ends and of the same kind, drawn as one line.
pub(crate) struct Bundle {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: ArcKind,
    /// The arcs in it.
    pub(crate) arcs: Vec<usize>,
}

pub(crate) fn bundles(picture: &Picture) -> Vec<Bundle> {
    let mut known = HashMap::new();
    let mut bundles: Vec<Bundle> = Vec::new();
    for (index, arc) in picture.arcs.iter().enumerate() {
        let number = *known.entry((arc.from, arc.to, arc.kind)).or_insert(bundles.len());
        match bundles.get_mut(number) {
            Some(bundle) => bundle.arcs.push(index),
            None => bundles.push(Bundle { from: arc.from, to: arc.to, kind: arc.kind, arcs: vec![index] }),
        }
    }
    bundles
}

/// Harmless and on one line.
pub(crate) fn one_line(text: &str) -> String {
    crate::escape(text).replace('\n', "\\n").replace('\t', " ")
}

/// At most so many characters, the last of them a sign that there were more.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}
