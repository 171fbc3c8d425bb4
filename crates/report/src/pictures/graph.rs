//! What all drawings of a state graph share: arcs that are drawn as one line, and texts as they are drawn. All text is
//! data and may be hostile: it is escaped where it is written.

use interplay_answers::{ArcKind, Picture, PictureArc};
use std::collections::HashMap;

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

/// As it is drawn: what the system does by itself has a question mark, as in the paper.
pub(crate) fn shown(arc: &PictureArc) -> String {
    match arc.kind {
        ArcKind::Output => format!("?{}", one_line(&arc.label)),
        _ => one_line(&arc.label),
    }
}

/// The name of the action, without its arguments.
pub(crate) fn action(arc: &PictureArc) -> String {
    let name = arc.label.split('(').next().unwrap_or_default().trim();
    if name.is_empty() { format!("({})", arc.kind.word()) } else { one_line(name) }
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
