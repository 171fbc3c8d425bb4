//! Where the states, the arcs and the boxes of a [`Picture`] go.
//!
//! Small pictures are laid out by a library, whose cost grows so fast with the length of the arcs that it would stop
//! answering at a few hundred states; beyond what it can afford, [`layers`] places any number of states in linear time,
//! with more crossings.

mod layers;
mod library;

use crate::pictures::graph::{Bundle, bundles, one_line, shortened, shown};
use interplay_answers::{NodeKind, Picture, PictureNode};

/// Widths are estimated: the font is chosen by the reader's machine.
pub(crate) const CHARACTER: f64 = 6.7;
pub(crate) const LINE: f64 = 14.0;
/// With more states than this only their names are drawn.
const TELLING: usize = 80;
/// Room for the arrow into an initial state, too.
const MARGIN: f64 = 28.0;
const LONGEST_LABEL: usize = 40;
const MOST_LABELS: usize = 4;

pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// One for each state.
    pub(crate) nodes: Vec<Spot>,
    pub(crate) strands: Vec<Strand>,
    /// One for each group; none for a group that is drawn as a line in its only state, or has no states.
    pub(crate) boxes: Vec<Option<Area>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// By its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) middle: Point,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

pub(crate) struct Spot {
    pub(crate) area: Area,
    pub(crate) caption: Vec<String>,
}

/// A bundle with its way: the first and last point lie on the outlines, those between attract the curve.
pub(crate) struct Strand {
    pub(crate) bundle: Bundle,
    pub(crate) points: Vec<Point>,
    pub(crate) label: Vec<String>,
    pub(crate) label_at: Point,
}

/// How long one may wait for a tidy picture.
#[derive(Clone, Copy)]
pub(crate) enum Care {
    /// About a second.
    Best,
    /// A tenth of it: there are many pictures to lay out.
    Quick,
}

pub(crate) fn layout(picture: &Picture, care: Care) -> Layout {
    let sizes = picture.group_sizes();
    let boxed: Vec<bool> = sizes.iter().map(|size| *size > 1).collect();
    let captions: Vec<Vec<String>> = picture.nodes.iter().map(|node| caption(picture, &sizes, node)).collect();
    let nodes = picture.nodes.iter().zip(captions).map(|(node, caption)| Spot { area: size(node, &caption), caption });
    let strands = bundles(picture).into_iter().map(|bundle| Strand {
        label: label(picture, &bundle),
        bundle,
        points: Vec::new(),
        label_at: Point::default(),
    });
    let (nodes, strands) = (nodes.collect(), strands.collect());
    let mut plan = Layout { width: 0.0, height: 0.0, nodes, strands, boxes: vec![None; picture.groups.len()] };
    if !tidied(picture, &boxed, &mut plan, care) || plan.sprawls() {
        layers::place(picture, &boxed, &mut plan);
        plan.frame();
    }
    plan
}

/// Lays it out by the library, if that can be afforded.
fn tidied(picture: &Picture, boxed: &[bool], plan: &mut Layout, care: Care) -> bool {
    let affordable = library::affords(picture, plan, care);
    if affordable {
        library::place(picture, boxed, plan);
        plan.frame();
    }
    affordable
}

impl Layout {
    /// Keeping the labels of many arcs apart can make a picture too wide to be looked at.
    fn sprawls(&self) -> bool {
        self.width > 3_000.0 && self.width > 3.0 * self.height
    }

    /// Moves everything so that it begins at the margin, and measures it.
    fn frame(&mut self) {
        let (low, high) = self.extremes();
        let (dx, dy) = (MARGIN - low.x, MARGIN - low.y);
        (self.width, self.height) = (high.x + dx + MARGIN, high.y + dy + MARGIN);
        let middles = self.nodes.iter_mut().map(|spot| &mut spot.area.middle);
        let middles = middles.chain(self.boxes.iter_mut().flatten().map(|area| &mut area.middle));
        let ways = self.strands.iter_mut().flat_map(|strand| strand.points.iter_mut().chain([&mut strand.label_at]));
        for point in middles.chain(ways) {
            (point.x, point.y) = (point.x + dx, point.y + dy);
        }
    }

    /// The corners of what is drawn; the middle of nothing, if nothing is.
    fn extremes(&self) -> (Point, Point) {
        let areas = self.nodes.iter().map(|spot| spot.area).chain(self.boxes.iter().copied().flatten());
        let labels = self.strands.iter().map(|strand| {
            let (width, height) = label_size(&strand.label);
            Area { middle: strand.label_at, width, height }
        });
        let points = self.strands.iter().flat_map(|strand| strand.points.iter());
        let points = points.map(|point| Area { middle: *point, width: 0.0, height: 0.0 });
        let corners = areas.chain(labels).chain(points).map(|area| {
            let (x, y) = (area.left(), area.top());
            (Point { x, y }, Point { x: x + area.width, y: y + area.height })
        });
        let joined = corners.reduce(|(low, high), (a, b)| {
            (Point { x: low.x.min(a.x), y: low.y.min(a.y) }, Point { x: high.x.max(b.x), y: high.y.max(b.y) })
        });
        joined.unwrap_or_default()
    }
}

fn caption(picture: &Picture, sizes: &[usize], node: &PictureNode) -> Vec<String> {
    let mut caption = vec![shortened(&one_line(&node.name), 24)];
    if picture.nodes.len() > TELLING {
        return caption;
    }
    let alone = node.group.filter(|group| sizes[*group] == 1);
    let short = node.lines.len() <= 3 && node.lines.iter().all(|line| line.chars().count() <= 22);
    match alone {
        Some(group) => caption.push(shortened(&one_line(&picture.groups[group].name), 28)),
        None if short => caption.extend(node.lines.iter().map(|line| one_line(line))),
        None => {}
    }
    caption
}

/// Large enough for the caption inside the shape.
fn size(node: &PictureNode, caption: &[String]) -> Area {
    let width = caption.iter().map(|line| text_width(line)).fold(0.0, f64::max);
    let height = caption.len() as f64 * LINE;
    let (width, height) = match node.kind {
        NodeKind::Active => (width * 1.25 + 22.0, height * 1.3 + 14.0),
        NodeKind::Passive => {
            let outer = width * 1.5 + 30.0;
            (outer, (height / (1.0 - width / outer)).max(40.0))
        }
    };
    Area { middle: Point::default(), width: width.max(44.0).round(), height: height.round() }
}

fn label(picture: &Picture, bundle: &Bundle) -> Vec<String> {
    let texts = bundle.arcs.iter().map(|arc| shortened(&shown(&picture.arcs[*arc]), LONGEST_LABEL));
    let mut lines: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    if lines.len() > MOST_LABELS {
        let more = lines.len() + 1 - MOST_LABELS;
        lines.truncate(MOST_LABELS - 1);
        lines.push(format!("… and {more} more"));
    }
    lines
}

pub(crate) fn text_width(text: &str) -> f64 {
    // From U+1100 on, most characters are of double width in a monospaced font.
    text.chars().map(|character| if character >= '\u{1100}' && character != '…' { 2.0 } else { 1.0 }).sum::<f64>()
        * CHARACTER
}

fn label_size(label: &[String]) -> (f64, f64) {
    (label.iter().map(|line| text_width(line)).fold(0.0, f64::max), label.len() as f64 * LINE)
}

impl Area {
    pub(crate) fn left(&self) -> f64 {
        self.middle.x - self.width / 2.0
    }

    pub(crate) fn top(&self) -> f64 {
        self.middle.y - self.height / 2.0
    }

    /// Where the way from the middle to a point leaves the shape.
    fn outline(&self, kind: NodeKind, towards: Point) -> Point {
        let (dx, dy) = (towards.x - self.middle.x, towards.y - self.middle.y);
        let (x, y) = (dx / (self.width / 2.0), dy / (self.height / 2.0));
        let length = match kind {
            NodeKind::Active => x.hypot(y),
            NodeKind::Passive => x.abs() + y.abs(),
        };
        let scale = if length < 1e-9 { 0.0 } else { 1.0 / length };
        Point { x: self.middle.x + dx * scale, y: self.middle.y + dy * scale }
    }
}
