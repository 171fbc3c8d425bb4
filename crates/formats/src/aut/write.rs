//! Aldebaran: one line per arc, for the tools that compare and minimise labelled transition systems.
//!
//! It has one initial state, number 0; if there are several, a new one leads to them by internal steps.

use interplay_explore::{ArcKind, Graph};

/// `des (0, transitions, states)`, then `(from, "label", to)`; what is internal is called `i`, a timeout `timeout`. An input is marked by `?`, an
/// output by `!`, so that nothing is taken for something else.
pub fn write(graph: &Graph) -> String {
    let starts: Vec<usize> = (0..graph.nodes.len()).filter(|index| graph.nodes[*index].initial).collect();
    let several = starts.len() > 1;
    let shift = usize::from(several);
    let mut lines = Vec::new();
    if several {
        lines.extend(starts.iter().map(|start| format!("(0, i, {})", start + shift)));
    }
    for arc in &graph.arcs {
        let label = match arc.kind {
            ArcKind::Internal => "i".into(),
            ArcKind::Timeout => "\"timeout\"".into(),
            ArcKind::Input => quoted(&format!("?{}", arc.label)),
            ArcKind::Output => quoted(&format!("!{}", arc.label)),
        };
        lines.push(format!("({}, {label}, {})", arc.from + shift, arc.to + shift));
    }
    let head = format!("des (0, {}, {})", lines.len(), graph.nodes.len() + shift);
    std::iter::once(head).chain(lines).map(|line| line + "\n").collect()
}

/// The format has no escapes, so quotation marks inside become single ones.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace('\n', " "))
}
