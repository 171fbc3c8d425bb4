//! Pictures to draw: the one of the paper, a large one, and a hostile one.

use interplay_answers::{ArcKind, Ending, Extent, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};

pub(crate) const HOSTILE: &str = "</script><script>alert(1)</script>";

fn node(name: &str, lines: &[&str], kind: NodeKind, ending: Ending, group: Option<usize>) -> PictureNode {
    let lines = lines.iter().map(|line| line.to_string()).collect();
    PictureNode { name: name.into(), lines, kind, ending, group }
}

fn arc(from: usize, to: usize, label: &str, kind: ArcKind) -> PictureArc {
    PictureArc { from, to, label: label.into(), kind }
}

/// Figure 1 of the paper on online testing: chat with two clients, timeouts drawn; 9 nodes and 10 arcs.
pub(crate) fn chat() -> Picture {
    use {ArcKind::*, NodeKind::*};
    let groups = ["{}", "{c0 -> {}}", "{c0 -> {}, c1 -> {}}", "{c0 entered}", "both entered"];
    let hi = ["c0 -> c1: \"hi\"", "c1 -> c0: \"hi\""];
    Picture {
        title: "Chat, setup figure1".into(),
        nodes: vec![
            node("S0", &["Client.count = 0", "members = map {}"], Active, Ending::Accepting, Some(0)),
            node("S1", &["Client.count = 1", "members = map {}"], Active, Ending::Open, Some(1)),
            node("S2", &["Client.count = 2", "members = map {}"], Active, Ending::Open, Some(2)),
            node("S3", &["Client.count = 2", "members = map {Client#0: map {}}"], Active, Ending::Open, Some(3)),
            node(
                "S4",
                &["Client.count = 2", "members = map {Client#0: map {}, Client#1: map {}}"],
                Active,
                Ending::Accepting,
                Some(4),
            ),
            node("S5", &["Client.count = 2", hi[0]], Passive, Ending::Open, None),
            node("S6", &["Client.count = 2", hi[1]], Passive, Ending::Open, None),
            node("S5'", &["Client.count = 2", hi[0]], Active, Ending::Open, None),
            node("S6'", &["Client.count = 2", hi[1]], Active, Ending::Open, None),
        ],
        arcs: vec![
            arc(0, 1, "create() -> Client#0", Input),
            arc(1, 2, "create() -> Client#1", Input),
            arc(2, 3, "enter(Client#0)", Input),
            arc(3, 4, "enter(Client#1)", Input),
            arc(4, 5, "post(Client#0, \"hi\")", Input),
            arc(4, 6, "post(Client#1, \"hi\")", Input),
            arc(5, 4, "deliver(Client#0, Client#1, \"hi\")", Output),
            arc(6, 4, "deliver(Client#1, Client#0, \"hi\")", Output),
            arc(5, 7, "", Timeout),
            arc(6, 8, "", Timeout),
        ],
        groups: groups.iter().map(|name| PictureGroup { name: name.to_string(), inside: None }).collect(),
        initial: vec![0],
        extent: Extent::Complete,
    }
}

/// A box in a box, every kind of arc and of ending.
pub(crate) fn door() -> Picture {
    use {ArcKind::*, NodeKind::*};
    let group = |name: &str, inside| PictureGroup { name: name.into(), inside };
    Picture {
        title: "A door with a bell".into(),
        nodes: vec![
            node("S0", &["open = false", "rings = 0"], Active, Ending::Accepting, Some(0)),
            node("S1", &["open = false", "rings = 1"], Passive, Ending::Open, Some(1)),
            node("S2", &["open = false", "rings = 2"], Passive, Ending::Accepting, Some(1)),
            node("S3", &["open = true", "rings = 0"], Active, Ending::Final, None),
            node("S4", &["open is unset"], Active, Ending::Stuck, None),
        ],
        arcs: vec![
            arc(0, 1, "ring()", Input),
            arc(1, 2, "ring()", Input),
            arc(1, 1, "click()", Output),
            arc(1, 3, "opens()", Output),
            arc(2, 3, "opens()", Output),
            arc(2, 4, "internal breaks()", Internal),
            arc(2, 0, "", Timeout),
        ],
        groups: vec![group("closed", None), group("somebody waits", Some(0))],
        initial: vec![0],
        extent: Extent::Partial,
    }
}

/// So many states, four times as many steps, eight variables each.
pub(crate) fn large(states: usize) -> Picture {
    let mut seed = 7_u64;
    let mut any = move |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let kinds = [ArcKind::Input, ArcKind::Output, ArcKind::Input, ArcKind::Internal];
    let mut picture = Picture { title: format!("{states} states"), initial: vec![0], ..Picture::default() };
    for index in 0..states {
        let mut lines =
            vec![format!("phase = {}", ["idle", "busy", "done"][index % 3]), format!("round = {}", index / 250)];
        lines.extend((0..6).map(|number| format!("queue{number} = [{}, {}]", any(40), any(40))));
        let kind = if index % 3 == 1 { NodeKind::Passive } else { NodeKind::Active };
        let ending = if index % 50 == 0 { Ending::Accepting } else { Ending::Open };
        picture.nodes.push(PictureNode { name: format!("S{index}"), lines, kind, ending, group: Some(index % 5) });
        if index > 0 {
            picture.arcs.push(arc(
                index - 1 - any(index.min(60)),
                index,
                &format!("send({})", any(40)),
                kinds[index % 4],
            ));
        }
        for _ in 0..3 {
            let to = if any(20) == 0 { any(states) } else { (index + any(80)).min(states - 1) };
            picture.arcs.push(arc(index, to, &format!("step{}({}, {})", any(9), any(40), any(40)), kinds[any(4)]));
        }
    }
    picture.groups = (0..5).map(|number| PictureGroup { name: format!("node {number}"), inside: None }).collect();
    picture
}

/// Every text tries to get out of its place.
pub(crate) fn hostile() -> Picture {
    let bad = format!(
        "{HOSTILE}<!--]]>\"'&amp;\u{0}\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{2028}\u{2029}\u{fffe}\u{ffff}\n\t{{{{data}}}}"
    );
    let mut picture = door();
    picture.title = bad.clone();
    for node in &mut picture.nodes {
        node.name = bad.clone();
        node.lines = vec![format!("x = {bad}"), bad.clone()];
    }
    picture.arcs.iter_mut().for_each(|arc| arc.label = bad.clone());
    picture.groups.iter_mut().for_each(|group| group.name = bad.clone());
    picture
}
