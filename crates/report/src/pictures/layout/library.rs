//! Small pictures: `dagre`, a port of the layered layout that most web pages use.

use super::{Area, Care, Layout, Point, label_size, layers};
use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel};
use interplay_answers::Picture;

const MOST_NODES: usize = 300;
/// The library leaves no room for the name of a box.
const TITLE: f64 = 13.0;

/// Whether the library will answer in time.
pub(super) fn affords(picture: &Picture, plan: &Layout, care: Care) -> bool {
    let most = match care {
        Care::Best => 1_500,
        Care::Quick => 200,
    };
    picture.nodes.len() <= MOST_NODES && plan.strands.len() <= most && pieces(picture, plan) <= most
}

pub(super) fn place(picture: &Picture, boxed: &[bool], plan: &mut Layout) {
    let (order, levels) = (layers::distances(picture), levels(picture, boxed));
    let mut graph = describe(picture, boxed, plan, &order);
    let options = LayoutOptions { nodesep: 28.0, edgesep: 14.0, ranksep: 26.0, ..LayoutOptions::default() };
    dagre::layout(&mut graph, Some(options));
    for (index, spot) in plan.nodes.iter_mut().enumerate() {
        spot.area.middle = area(&graph, &node_id(index)).middle;
    }
    for (group, drawn) in boxed.iter().enumerate() {
        plan.boxes[group] = drawn.then(|| raised(area(&graph, &group_id(group)), TITLE * levels[group] as f64));
    }
    read_ways(picture, plan, &graph, &order);
}

/// How many boxes lie in each other, the outermost counted too.
fn levels(picture: &Picture, boxed: &[bool]) -> Vec<usize> {
    let mut levels = vec![1; boxed.len()];
    for group in (0..boxed.len()).rev().filter(|group| boxed[*group]) {
        if let Some(outer) = picture.groups[group].inside {
            levels[outer] = levels[outer].max(levels[group] + 1);
        }
    }
    levels
}

fn raised(area: Area, by: f64) -> Area {
    let middle = Point { x: area.middle.x, y: area.middle.y - by / 2.0 };
    Area { middle, height: area.height + by, ..area }
}

/// Arcs that lead back are handed over turned round, so that every arc leads away from the initial states.
fn describe(picture: &Picture, boxed: &[bool], plan: &Layout, order: &[usize]) -> Graph<NodeLabel, EdgeLabel> {
    let compound = boxed.contains(&true);
    let mut graph = Graph::with_options(GraphOptions { directed: true, multigraph: true, compound });
    for (index, spot) in plan.nodes.iter().enumerate() {
        let label = NodeLabel { width: spot.area.width, height: spot.area.height, ..NodeLabel::default() };
        graph.set_node(node_id(index), Some(label));
    }
    for group in (0..boxed.len()).filter(|group| boxed[*group]) {
        graph.set_node(group_id(group), Some(NodeLabel::default()));
        if let Some(outer) = picture.groups[group].inside {
            graph.set_parent(&group_id(group), Some(&group_id(outer)));
        }
    }
    for (index, node) in picture.nodes.iter().enumerate() {
        if let Some(group) = picture.around(node.group).find(|group| boxed[*group]) {
            graph.set_parent(&node_id(index), Some(&group_id(group)));
        }
    }
    for (index, strand) in plan.strands.iter().enumerate() {
        let (width, height) = label_size(&strand.label);
        let label = EdgeLabel { width, height, labelpos: LabelPos::Center, ..EdgeLabel::default() };
        let (from, to, _) = ends(plan, order, index);
        graph.set_edge(node_id(from), node_id(to), Some(label), Some(&index.to_string()));
    }
    graph
}

fn read_ways(picture: &Picture, plan: &mut Layout, graph: &Graph<NodeLabel, EdgeLabel>, order: &[usize]) {
    for index in 0..plan.strands.len() {
        let (from, to, turned) = ends(plan, order, index);
        let name = index.to_string();
        let Some(edge) = graph.edge(&node_id(from), &node_id(to), Some(&name)) else { continue };
        let mut points: Vec<Point> = edge.points.iter().map(|point| Point { x: point.x, y: point.y }).collect();
        if turned {
            points.reverse();
        }
        let label_at = edge.x.zip(edge.y).map(|(x, y)| Point { x, y });
        let strand = &mut plan.strands[index];
        let (from, to) = (strand.bundle.from, strand.bundle.to);
        if let [first, second, .., before, last] = points.as_mut_slice() {
            *first = plan.nodes[from].area.outline(picture.nodes[from].kind, *second);
            *last = plan.nodes[to].area.outline(picture.nodes[to].kind, *before);
        } else if let [first, middle, last] = points.as_mut_slice() {
            *first = plan.nodes[from].area.outline(picture.nodes[from].kind, *middle);
            *last = plan.nodes[to].area.outline(picture.nodes[to].kind, *middle);
        }
        strand.label_at = label_at.unwrap_or(points[points.len() / 2]);
        strand.points = points;
    }
}

/// As the library sees the arc, and whether that is turned round.
fn ends(plan: &Layout, order: &[usize], strand: usize) -> (usize, usize, bool) {
    let bundle = &plan.strands[strand].bundle;
    let turned = (order[bundle.from], bundle.from) > (order[bundle.to], bundle.to);
    if turned { (bundle.to, bundle.from, true) } else { (bundle.from, bundle.to, false) }
}

/// The library cuts every arc into pieces, one or two for each rank that it crosses, and its time grows faster than
/// their number. This is how many there are if every state is as far down as the longest way to it.
fn pieces(picture: &Picture, plan: &Layout) -> usize {
    let order = layers::distances(picture);
    let mut down: Vec<(usize, usize)> = (0..plan.strands.len())
        .map(|strand| ends(plan, &order, strand))
        .filter(|(from, to, _)| from != to)
        .map(|(from, to, _)| (from, to))
        .collect();
    down.sort_by_key(|(from, _)| (order[*from], *from));
    let mut ranks = vec![0; picture.nodes.len()];
    for (from, to) in &down {
        ranks[*to] = ranks[*to].max(ranks[*from] + 1);
    }
    let across: usize = down.iter().map(|(from, to)| ranks[*to] - ranks[*from]).sum();
    across + plan.strands.len() - down.len()
}

fn area(graph: &Graph<NodeLabel, EdgeLabel>, id: &str) -> Area {
    let node = graph.node(id).expect("every state and every box was handed over");
    let middle = Point { x: node.x.unwrap_or_default(), y: node.y.unwrap_or_default() };
    Area { middle, width: node.width, height: node.height }
}

fn node_id(node: usize) -> String {
    format!("n{node}")
}

fn group_id(group: usize) -> String {
    format!("g{group}")
}
