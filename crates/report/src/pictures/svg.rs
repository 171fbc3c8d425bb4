//! A state graph as one SVG image, drawn as Spec Explorer does in the paper on online testing (Figure 1).
//!
//! Active states are ovals, passive ones diamonds. Inputs are solid, outputs dashed and marked with `?`, internal steps
//! dotted, timeouts dashed and dotted without a label: all can be told apart without colours. Light or dark is the
//! reader's choice. Up to about 300 states are laid out by a library; larger pictures still come out, less tidy, and
//! [`graph_page`](crate::graph_page) is the better way to look at them.

use crate::pictures::graph::{one_line, shown};
use crate::pictures::layout::{Area, Care, LINE, Layout, Point, Strand, layout};
use interplay_answers::{ArcKind, Ending, Extent, NodeKind, Picture};
use interplay_diagnostics::amount;
use std::fmt::Write;

const STYLE: &str = include_str!("svg.css");
const HEAD: f64 = 34.0;
const FOOT: f64 = 30.0;
/// The legend stands in one line.
const NARROWEST: f64 = 660.0;

/// A complete SVG document. It depends on nothing but the picture, so that equal pictures give equal texts.
///
/// ```
/// use interplay_answers::{ArcKind, Ending, NodeKind, Picture, PictureArc, PictureNode};
/// use interplay_report::graph_svg;
/// let state = |name: &str, kind, ending| PictureNode {
///     name: name.into(), lines: vec![], kind, ending, group: None,
/// };
/// let picture = Picture {
///     title: "A door".into(),
///     nodes: vec![
///         state("S0", NodeKind::Active, Ending::Accepting),
///         state("S1", NodeKind::Passive, Ending::Open),
///     ],
///     arcs: vec![PictureArc { from: 0, to: 1, label: "knock()".into(), kind: ArcKind::Input }],
///     initial: vec![0],
///     ..Picture::default()
/// };
/// assert!(graph_svg(&picture).contains(r#"<g class="node passive" id="s1">"#));
/// ```
pub fn graph_svg(picture: &Picture) -> String {
    let plan = layout(picture, Care::Best);
    let (width, height) = (plan.width.max(NARROWEST), plan.height + HEAD + FOOT);
    let mut svg = opening(picture, width, height);
    let left = (width - plan.width) / 2.0;
    open(&mut svg, &format!("<g transform=\"translate({} {})\">", number(left), number(HEAD)));
    boxes(&mut svg, picture, &plan);
    for strand in &plan.strands {
        arc(&mut svg, picture, strand);
    }
    for index in 0..picture.nodes.len() {
        node(&mut svg, picture, &plan, index);
    }
    open(&mut svg, "</g>");
    legend(&mut svg, plan.height + HEAD + 12.0);
    svg + "</svg>\n"
}

fn opening(picture: &Picture, width: f64, height: f64) -> String {
    let (title, summary) = (xml(&one_line(&picture.title)), xml(&summary(picture)));
    let (width, height) = (number(width), number(height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ip\" role=\"img\" aria-labelledby=\"ip-title ip-text\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title id=\"ip-title\">{title}</title>\n<desc id=\"ip-text\">{summary}</desc>\n<style>\n{STYLE}</style>\n<defs>\n"
    );
    for (id, path) in [
        ("input", "M0 0L9 4.5L0 9z"),
        ("output", "M.5 .8L8.5 4.5L.5 8.2z"),
        ("internal", "M1 1L8.5 4.5L1 8"),
        ("timeout", "M1 1L8.5 4.5L1 8"),
        ("entry", "M0 0L9 4.5L0 9z"),
    ] {
        let _ = writeln!(
            svg,
            "<marker id=\"ip-{id}\" viewBox=\"0 0 9 9\" refX=\"8.5\" refY=\"4.5\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"{path}\"/></marker>"
        );
    }
    let _ = writeln!(
        svg,
        "</defs>\n<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"16\" y=\"23\">{title} <tspan font-weight=\"400\">· {summary}</tspan></text>"
    );
    svg
}

/// `7 states, 8 steps`, and whether there are more.
pub(crate) fn summary(picture: &Picture) -> String {
    let more = match picture.extent {
        Extent::Complete => "",
        Extent::Partial => "; there are more",
    };
    format!("{}, {}{more}", amount(picture.nodes.len(), "state"), amount(picture.arcs.len(), "step"))
}

/// The outer ones first, so that the inner ones lie on them.
fn boxes(svg: &mut String, picture: &Picture, plan: &Layout) {
    for (group, area) in picture.groups.iter().zip(&plan.boxes) {
        let Some(area) = area else { continue };
        let (x, y) = (number(area.left()), number(area.top()));
        let _ = writeln!(
            svg,
            "<g class=\"group\"><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"8\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
            number(area.width),
            number(area.height),
            number(area.left() + 8.0),
            number(area.top() + 15.0),
            xml(&one_line(&group.name)),
        );
    }
}

fn arc(svg: &mut String, picture: &Picture, strand: &Strand) {
    let kind = strand.bundle.kind.word();
    let labels: Vec<String> = strand.bundle.arcs.iter().map(|arc| shown(&picture.arcs[*arc])).collect();
    let ends = [strand.bundle.from, strand.bundle.to].map(|node| xml(&one_line(&picture.nodes[node].name)));
    let _ = write!(
        svg,
        "<g class=\"arc {kind}\"><title>{} to {}: {}</title><path class=\"way\" marker-end=\"url(#ip-{kind})\" d=\"{}\"/>",
        ends[0],
        ends[1],
        xml(&if strand.bundle.kind == ArcKind::Timeout { "timeout".into() } else { labels.join("\n") }),
        way(&strand.points),
    );
    let top = strand.label_at.y - strand.label.len() as f64 * LINE / 2.0 + 11.0;
    for (index, line) in strand.label.iter().enumerate() {
        text(svg, "", strand.label_at.x, top + index as f64 * LINE, line);
    }
    *svg += "</g>\n";
}

/// A smooth curve that the points between attract.
fn way(points: &[Point]) -> String {
    let [first, between @ .., last] = points else { return String::new() };
    let mut way = format!("M{}", pair(*first));
    for (index, point) in between.iter().enumerate() {
        let to = match between.get(index + 1) {
            Some(next) => Point { x: (point.x + next.x) / 2.0, y: (point.y + next.y) / 2.0 },
            None => *last,
        };
        let _ = write!(way, "Q{} {}", pair(*point), pair(to));
    }
    if between.is_empty() {
        let _ = write!(way, "L{}", pair(*last));
    }
    way
}

fn node(svg: &mut String, picture: &Picture, plan: &Layout, index: usize) {
    let (node, spot) = (&picture.nodes[index], &plan.nodes[index]);
    let mut class = String::from(match node.kind {
        NodeKind::Active => "node active",
        NodeKind::Passive => "node passive",
    });
    class += match node.ending {
        Ending::Open => "",
        Ending::Accepting => " accepting",
        Ending::Final => " final",
        Ending::Stuck => " stuck",
    };
    let initial = picture.initial.contains(&index);
    class += if initial { " initial" } else { "" };
    let _ = write!(svg, "<g class=\"{class}\" id=\"s{index}\"><title>{}", xml(&one_line(&node.name)));
    for line in &node.lines {
        let _ = write!(svg, "\n{}", xml(&one_line(line)));
    }
    *svg += "</title>";
    shape(svg, "shape", node.kind, spot.area, 0.0);
    ending(svg, node.kind, node.ending, spot.area);
    if initial {
        entry(svg, spot.area);
    }
    let top = spot.area.middle.y - spot.caption.len() as f64 * LINE / 2.0 + 11.0;
    for (number, line) in spot.caption.iter().enumerate() {
        let class = if number == 0 { "name" } else { "" };
        text(svg, class, spot.area.middle.x, top + number as f64 * LINE, line);
    }
    *svg += "</g>\n";
}

fn shape(svg: &mut String, class: &str, kind: NodeKind, area: Area, inset: f64) {
    let (x, y) = (area.middle.x, area.middle.y);
    let (rx, ry) = (area.width / 2.0 - inset, area.height / 2.0 - inset);
    let _ = match kind {
        NodeKind::Active => write!(
            svg,
            "<ellipse class=\"{class}\" cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"/>",
            number(x),
            number(y),
            number(rx),
            number(ry)
        ),
        NodeKind::Passive => {
            let corners = [(x, y - ry), (x + rx, y), (x, y + ry), (x - rx, y)].map(|(x, y)| pair(Point { x, y }));
            write!(svg, "<path class=\"{class}\" d=\"M{}z\"/>", corners.join("L"))
        }
    };
}

/// A second outline where it may end, a bar below where it does, a cross where it must not.
fn ending(svg: &mut String, kind: NodeKind, ending: Ending, area: Area) {
    if matches!(ending, Ending::Accepting | Ending::Final) {
        shape(svg, "ring", kind, area, if kind == NodeKind::Passive { 5.0 } else { 3.5 });
    }
    let (x, y) = (area.middle.x, area.middle.y + area.height / 2.0 + 5.0);
    let [left, right, low] = [number(x - 12.0), number(x + 12.0), number(y)];
    let _ = match ending {
        Ending::Final => write!(svg, "<path class=\"mark\" d=\"M{left} {low}L{right} {low}\"/>"),
        Ending::Stuck => {
            let (x, y) = (area.middle.x + area.width / 2.0 + 6.0, area.middle.y - area.height / 2.0 + 2.0);
            let [left, right, top, low] = [x - 5.0, x + 5.0, y - 5.0, y + 5.0].map(number);
            write!(svg, "<path class=\"mark\" d=\"M{left} {top}L{right} {low}M{left} {low}L{right} {top}\"/>")
        }
        Ending::Open | Ending::Accepting => Ok(()),
    };
}

/// An arrow from nowhere.
fn entry(svg: &mut String, area: Area) {
    let (x, top) = (area.middle.x, area.top());
    let [x, from, to] = [number(x), number(top - 20.0), number(top)];
    let _ = write!(
        svg,
        "<circle class=\"dot\" cx=\"{x}\" cy=\"{from}\" r=\"3.5\"/>\
         <path class=\"entry\" marker-end=\"url(#ip-entry)\" d=\"M{x} {from}L{x} {to}\"/>"
    );
}

fn legend(svg: &mut String, y: f64) {
    let _ = write!(svg, "<g class=\"legend\" transform=\"translate(16 {})\">", number(y));
    let area = |x: f64| Area { middle: Point { x, y: 4.0 }, width: 20.0, height: 13.0 };
    *svg += "<g class=\"active\">";
    shape(svg, "shape", NodeKind::Active, area(10.0), 0.0);
    *svg += "</g><text x=\"25\" y=\"8\">active</text><g class=\"passive\">";
    shape(svg, "shape", NodeKind::Passive, area(82.0), 0.0);
    *svg += "</g><text x=\"97\" y=\"8\">passive</text>";
    shape(svg, "ring", NodeKind::Active, area(160.0), 0.0);
    shape(svg, "ring", NodeKind::Active, area(160.0), 3.0);
    *svg += "<text x=\"175\" y=\"8\">may end</text>";
    for (index, kind) in ArcKind::ALL.into_iter().enumerate() {
        let (x, word) = (240.0 + 98.0 * index as f64, kind.word());
        let shown = if kind == ArcKind::Output { "?output" } else { word };
        let _ = write!(
            svg,
            "<g class=\"{word}\"><path class=\"way\" marker-end=\"url(#ip-{word})\" d=\"M{} 4L{} 4\"/></g><text x=\"{}\" y=\"8\">{shown}</text>",
            number(x),
            number(x + 38.0),
            number(x + 44.0),
        );
    }
    *svg += "</g>\n";
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, line: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let _ = write!(svg, "<text{class} x=\"{}\" y=\"{}\">{}</text>", number(x), number(y), xml(line));
}

fn open(svg: &mut String, tag: &str) {
    *svg += tag;
    svg.push('\n');
}

fn pair(point: Point) -> String {
    format!("{} {}", number(point.x), number(point.y))
}

/// With one digit after the point, if that is not zero.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// As text or in an attribute. Control characters were made visible before; two more characters cannot stand in XML.
pub(crate) fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}
