//! Pictures of any size: breadth-first layers, neighbours above each other, boxes inside boxes. Linear time.
//!
//! Every group is arranged by itself and then takes its place among its neighbours like one large state, so that boxes
//! never overlap. Arcs are curves from state to state and may run behind others: that is the price.

use super::{Area, Layout, Point, Strand};
use interplay_answers::{NodeKind, Picture};
use std::collections::{HashMap, HashSet, VecDeque};

const MARGIN: f64 = 24.0;
const BESIDE: f64 = 26.0;
const BELOW: f64 = 66.0;
/// Between the rows of one layer that is too wide for one row.
const ROW: f64 = 30.0;
const TITLE: f64 = 24.0;
const SWEEPS: usize = 8;
/// A little towards the middle, or parts that nothing holds together would drift away.
const PULL: f64 = 0.85;

pub(super) fn place(picture: &Picture, boxed: &[bool], plan: &mut Layout) {
    let scopes = scopes(picture, boxed, plan);
    let mut inner: Vec<Option<Arranged>> = boxed.iter().map(|_| None).collect();
    for group in (0..boxed.len()).rev().filter(|group| boxed[*group]) {
        inner[group] = Some(arrange(&scopes[group + 1], plan, &inner));
    }
    let outer = arrange(&scopes[0], plan, &inner);
    let mut waiting = vec![(&outer, Point::default())];
    while let Some((arranged, corner)) = waiting.pop() {
        for (item, at) in &arranged.places {
            let middle = Point { x: corner.x + at.x, y: corner.y + at.y };
            match item {
                Item::Node(node) => plan.nodes[*node].area.middle = middle,
                Item::Group(group) => {
                    let inside = inner[*group].as_ref().expect("inner groups were arranged first");
                    let area = Area { middle, width: inside.outer_width(), height: inside.outer_height() };
                    plan.boxes[*group] = Some(area);
                    waiting.push((inside, Point { x: area.left() + MARGIN, y: area.top() + TITLE }));
                }
            }
        }
    }
    draw_ways(picture, plan);
}

/// How far each state is from the initial ones; states that cannot be reached start anew.
pub(super) fn distances(picture: &Picture) -> Vec<usize> {
    let arcs: Vec<(usize, usize)> = picture.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
    breadth_first(picture.nodes.len(), &arcs, &picture.initial)
}

fn breadth_first(count: usize, arcs: &[(usize, usize)], starts: &[usize]) -> Vec<usize> {
    let mut next = vec![Vec::new(); count];
    for (from, to) in arcs {
        next[*from].push(*to);
    }
    let mut distance = vec![None; count];
    reach(&next, starts, &mut distance);
    for item in 0..count {
        reach(&next, &[item], &mut distance);
    }
    distance.into_iter().map(Option::unwrap_or_default).collect()
}

/// Starts that have a distance already are passed over.
fn reach(next: &[Vec<usize>], starts: &[usize], distance: &mut [Option<usize>]) {
    let mut queue: VecDeque<(usize, usize)> = starts.iter().map(|start| (*start, 0)).collect();
    while let Some((item, far)) = queue.pop_front() {
        if distance[item].is_none() {
            distance[item] = Some(far);
            queue.extend(next[item].iter().map(|to| (*to, far + 1)));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Node(usize),
    Group(usize),
}

/// What lies directly inside one box, or in none.
#[derive(Default)]
struct Scope {
    items: Vec<Item>,
    arcs: Vec<(usize, usize)>,
    /// Where one comes in from outside.
    starts: Vec<usize>,
}

/// The outermost scope first, then one for each group.
fn scopes(picture: &Picture, boxed: &[bool], plan: &Layout) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = (0..=boxed.len()).map(|_| Scope::default()).collect();
    let mut numbers: HashMap<Item, usize> = HashMap::new();
    let around = |group: Option<usize>| picture.around(group).filter(|group| boxed[*group]);
    let mut put = |item: Item, group: Option<usize>| {
        let scope = &mut scopes[group.map_or(0, |group| group + 1)];
        numbers.insert(item, scope.items.len());
        scope.items.push(item);
    };
    for (group, _) in boxed.iter().enumerate().filter(|(_, drawn)| **drawn) {
        put(Item::Group(group), picture.groups[group].inside);
    }
    for (index, node) in picture.nodes.iter().enumerate() {
        put(Item::Node(index), around(node.group).next());
    }
    // From the inside out: the item, and the scope that it lies in.
    let chain = |node: usize| {
        let groups: Vec<usize> = around(picture.nodes[node].group).collect();
        let items = std::iter::once(Item::Node(node)).chain(groups.clone().into_iter().map(Item::Group));
        let lies_in = groups.into_iter().map(|group| group + 1).chain([0]);
        items.zip(lies_in).map(|(item, scope)| (scope, numbers[&item])).collect::<Vec<_>>()
    };
    for node in &picture.initial {
        for (scope, item) in chain(*node) {
            scopes[scope].starts.push(item);
        }
    }
    for strand in &plan.strands {
        let (mut from, mut to) = (chain(strand.bundle.from), chain(strand.bundle.to));
        while from.len() > 1 && to.len() > 1 && from.last() == to.last() {
            from.pop();
            to.pop();
        }
        if let (Some((scope, a)), Some((_, b))) = (from.pop(), to.pop())
            && a != b
        {
            scopes[scope].arcs.push((a, b));
        }
        for (scope, item) in to {
            scopes[scope].starts.push(item);
        }
    }
    scopes
}

struct Arranged {
    /// The middles, from the corner.
    places: Vec<(Item, Point)>,
    width: f64,
    height: f64,
}

impl Arranged {
    fn outer_width(&self) -> f64 {
        self.width + 2.0 * MARGIN
    }

    fn outer_height(&self) -> f64 {
        self.height + TITLE + MARGIN / 2.0
    }
}

fn arrange(scope: &Scope, plan: &Layout, inner: &[Option<Arranged>]) -> Arranged {
    let sizes: Vec<(f64, f64)> = scope.items.iter().map(|item| item_size(*item, plan, inner)).collect();
    let distance = breadth_first(scope.items.len(), &scope.arcs, &scope.starts);
    let mut beside = vec![Vec::new(); scope.items.len()];
    for (from, to) in &scope.arcs {
        beside[*from].push(*to);
        beside[*to].push(*from);
    }
    let rows = rows(ordered(&distance, &beside), &sizes);
    let x = across(&rows, &sizes, &beside);
    let mut arranged = Arranged { places: Vec::new(), width: 0.0, height: 0.0 };
    for (index, row) in rows.iter().enumerate() {
        let tall = row.items.iter().map(|item| sizes[*item].1).fold(0.0, f64::max);
        arranged.height += if index == 0 { 0.0 } else { row.gap };
        for item in &row.items {
            let at = Point { x: x[*item], y: arranged.height + tall / 2.0 };
            arranged.width = arranged.width.max(at.x + sizes[*item].0 / 2.0);
            arranged.places.push((scope.items[*item], at));
        }
        arranged.height += tall;
    }
    arranged
}

fn item_size(item: Item, plan: &Layout, inner: &[Option<Arranged>]) -> (f64, f64) {
    match item {
        Item::Node(node) => (plan.nodes[node].area.width, plan.nodes[node].area.height),
        Item::Group(group) => {
            let inside = inner[group].as_ref().expect("inner groups are arranged first");
            (inside.outer_width(), inside.outer_height())
        }
    }
}

/// The layers, each in an order in which its items stand near their neighbours of the layers around.
fn ordered(distance: &[usize], beside: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut layers = vec![Vec::new(); distance.iter().max().map_or(0, |most| most + 1)];
    for (item, layer) in distance.iter().enumerate() {
        layers[*layer].push(item);
    }
    let mut place = vec![0.0; distance.len()];
    let settle = |layer: &[usize], place: &mut Vec<f64>| {
        for (index, item) in layer.iter().enumerate() {
            place[*item] = (index as f64 + 0.5) / layer.len() as f64;
        }
    };
    layers.iter().for_each(|layer| settle(layer, &mut place));
    for sweep in 0..SWEEPS {
        for step in 0..layers.len() {
            let number = if sweep % 2 == 0 { step } else { layers.len() - 1 - step };
            let wished: HashMap<usize, f64> =
                layers[number].iter().map(|item| (*item, mean(*item, &beside[*item], &place))).collect();
            layers[number].sort_by(|a, b| wished[a].total_cmp(&wished[b]));
            settle(&layers[number], &mut place);
        }
    }
    layers
}

fn mean(item: usize, beside: &[usize], place: &[f64]) -> f64 {
    match beside.len() {
        0 => place[item],
        count => beside.iter().map(|other| place[*other]).sum::<f64>() / count as f64,
    }
}

struct Row {
    items: Vec<usize>,
    /// To what stands above.
    gap: f64,
}

/// A layer much wider than the whole is high becomes several rows; neighbours keep their order from left to right.
fn rows(layers: Vec<Vec<usize>>, sizes: &[(f64, f64)]) -> Vec<Row> {
    let room: f64 = sizes.iter().map(|(width, height)| (width + BESIDE) * (height + BELOW)).sum();
    let widest = (room * 2.0).sqrt().max(900.0);
    let mut rows = Vec::new();
    for layer in layers {
        let width: f64 = layer.iter().map(|item| sizes[*item].0 + BESIDE).sum();
        let count = ((width / widest).ceil() as usize).clamp(1, layer.len().max(1));
        for number in 0..count {
            let items = layer.iter().skip(number).step_by(count).copied().collect();
            rows.push(Row { items, gap: if number == 0 { BELOW } else { ROW } });
        }
    }
    rows
}

/// Moves every item towards its neighbours as far as its row lets it.
fn across(rows: &[Row], sizes: &[(f64, f64)], beside: &[Vec<usize>]) -> Vec<f64> {
    let mut x = vec![0.0; sizes.len()];
    for row in rows {
        let wished = vec![0.0; row.items.len()];
        spread(row, sizes, &wished, &mut x);
    }
    for sweep in 0..SWEEPS {
        for step in 0..rows.len() {
            let row = &rows[if sweep % 2 == 0 { step } else { rows.len() - 1 - step }];
            let wished: Vec<f64> = row.items.iter().map(|item| PULL * mean(*item, &beside[*item], &x)).collect();
            spread(row, sizes, &wished, &mut x);
        }
    }
    let left = x.iter().zip(sizes).map(|(x, (width, _))| x - width / 2.0).fold(f64::INFINITY, f64::min);
    x.into_iter().map(|x| x - left).collect()
}

/// The places without overlap that are nearest to the wished ones (least squares): items that push each other form a
/// block around the mean of what they wish.
fn spread(row: &Row, sizes: &[(f64, f64)], wished: &[f64], x: &mut [f64]) {
    let mut offsets = Vec::with_capacity(row.items.len());
    let mut offset = 0.0;
    for (index, item) in row.items.iter().enumerate() {
        if index > 0 {
            offset += (sizes[row.items[index - 1]].0 + sizes[*item].0) / 2.0 + BESIDE;
        }
        offsets.push(offset);
    }
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wished.iter().zip(&offsets) {
        let mut block = (wish - offset, 1);
        while let Some((sum, count)) = blocks.last().copied()
            && sum / count as f64 >= block.0 / block.1 as f64
        {
            blocks.pop();
            block = (block.0 + sum, block.1 + count);
        }
        blocks.push(block);
    }
    let starts = blocks.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    for ((item, offset), start) in row.items.iter().zip(&offsets).zip(starts) {
        x[*item] = start + offset;
    }
}

fn draw_ways(picture: &Picture, plan: &mut Layout) {
    let pairs: HashSet<(usize, usize)> =
        plan.strands.iter().map(|strand| (strand.bundle.from, strand.bundle.to)).collect();
    let mut parallel: HashMap<(usize, usize), usize> = HashMap::new();
    let mut loops: HashMap<usize, usize> = HashMap::new();
    let mut strands = std::mem::take(&mut plan.strands);
    for strand in &mut strands {
        let (from, to) = (strand.bundle.from, strand.bundle.to);
        if from == to {
            let number = loops.entry(from).or_default();
            draw_loop(strand, plan.nodes[from].area, *number);
            *number += 1;
            continue;
        }
        let number = parallel.entry((from, to)).or_default();
        let both = pairs.contains(&(to, from));
        draw_curve(picture, plan, strand, both, *number);
        *number += 1;
    }
    plan.strands = strands;
}

/// Bowed to one side if it is long, or if others have the same ends.
fn draw_curve(picture: &Picture, plan: &Layout, strand: &mut Strand, both: bool, number: usize) {
    let (from, to) = (strand.bundle.from, strand.bundle.to);
    let (a, b) = (plan.nodes[from].area, plan.nodes[to].area);
    let (dx, dy) = (b.middle.x - a.middle.x, b.middle.y - a.middle.y);
    let length = dx.hypot(dy).max(1.0);
    let near = dy > 0.0 && dy < BELOW * 2.5;
    let bow = if near { 0.0 } else { 16.0 + length * 0.08 } + if both { 10.0 } else { 0.0 } + 22.0 * number as f64;
    let middle = Point {
        x: (a.middle.x + b.middle.x) / 2.0 - dy / length * bow,
        y: (a.middle.y + b.middle.y) / 2.0 + dx / length * bow,
    };
    let start = a.outline(kind(picture, from), middle);
    let end = b.outline(kind(picture, to), middle);
    strand.points = vec![start, middle, end];
    // Nearer to the end: arcs that leave one state together are further apart there.
    strand.label_at = on_curve(start, middle, end, 0.6);
}

fn draw_loop(strand: &mut Strand, area: Area, number: usize) {
    let out = 30.0 + 16.0 * number as f64;
    let (right, y) = (area.middle.x + area.width / 2.0, area.middle.y);
    let near = right - area.width * 0.12;
    let point = |x, y| Point { x, y };
    strand.points = vec![
        point(near, y - area.height * 0.26),
        point(right + out, y - 20.0),
        point(right + out, y + 20.0),
        point(near, y + area.height * 0.26),
    ];
    strand.label_at = point(right + out * 0.8, y - 22.0);
}

fn on_curve(start: Point, middle: Point, end: Point, at: f64) -> Point {
    let mix = |a: f64, b: f64, c: f64| a * (1.0 - at) * (1.0 - at) + 2.0 * b * at * (1.0 - at) + c * at * at;
    Point { x: mix(start.x, middle.x, end.x), y: mix(start.y, middle.y, end.y) }
}

fn kind(picture: &Picture, node: usize) -> NodeKind {
    picture.nodes[node].kind
}
