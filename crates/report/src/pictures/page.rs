//! A state graph as one HTML page to walk around in: pan, zoom, search, select a state, filter by action, fold groups.
//!
//! The page needs nothing but itself: its script and style are inside, its policy forbids every request. All places are
//! computed here; the script only draws them, on a canvas, what is in sight and no more. Texts travel as JSON and are
//! shown as text, never as markup.
//!
//! Up to [`PAGE_STATES`] states are on the page. Of a larger picture it has the first ones, says so, and begins with a
//! projection of all states: those with the same value of one variable as one.

use crate::pictures::graph::{action, one_line, shown};
use crate::pictures::layout::{Care, Layout, Point, Strand, layout};
use crate::pictures::projection::{Projection, projections};
use crate::pictures::svg::{summary, xml};
use interplay_answers::{Ending, Extent, NodeKind, Picture};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;

/// So many states can be shown one by one.
pub const PAGE_STATES: usize = 5_000;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The whole page. `#select=3` at the end of its address opens it at the fourth state; `view`, `search` and any number of
/// `hide` (an action) are understood likewise, and the page keeps its address up to date.
pub fn graph_page(picture: &Picture) -> String {
    covered_page(picture, &[])
}

/// The same, with the states that were visited told apart from the others; empty if that is not known.
pub(crate) fn covered_page(picture: &Picture, visited: &[bool]) -> String {
    let fields = [
        ("title", xml(&one_line(&picture.title))),
        ("summary", xml(&summary(picture))),
        ("style", STYLE.to_string()),
        ("script", SCRIPT.to_string()),
        ("data", harmless(&data(picture, visited).to_string())),
    ];
    // What is filled in is not looked at again: data may contain what looks like a field.
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the template closes its fields");
        let (_, text) = fields.iter().find(|(known, _)| *known == name).expect("the template has only known fields");
        page += before;
        page += text;
        rest = after;
    }
    page + rest
}

/// No tag can begin or end inside a script element, whatever the texts say.
pub(crate) fn harmless(json: &str) -> String {
    let escaped = json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e");
    escaped.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn data(picture: &Picture, visited: &[bool]) -> Value {
    let projections = projections(picture);
    let mut strings = Strings::default();
    let mut views = vec![view(&mut strings, &every_state(picture, projections.is_empty()))];
    views.extend(projections.iter().map(|projection| view(&mut strings, &through(picture, projection))));
    // Something else than a part of the states, if there is something else.
    let first = usize::from(picture.nodes.len() > PAGE_STATES && views.len() > 1);
    let visited: Vec<u8> = visited.iter().map(|visited| u8::from(*visited)).collect();
    json!({ "views": views, "first": first, "strings": strings.texts, "visited": visited })
}

struct View<'a> {
    /// As the address of the page names it.
    id: String,
    name: String,
    notes: Vec<String>,
    care: Care,
    picture: Cow<'a, Picture>,
}

fn every_state(picture: &Picture, is_only_view: bool) -> View<'_> {
    let id = String::from("states");
    let mut notes = remarks(picture);
    if picture.nodes.len() <= PAGE_STATES {
        return View { id, name: "every state".into(), notes, care: Care::Best, picture: Cow::Borrowed(picture) };
    }
    notes.push(format!("Only the first {PAGE_STATES} are shown."));
    notes.push(String::from(match is_only_view {
        true => "No variable has few enough values to group the states by it: explore with a limit or a grouping.",
        false => "The other views show all states, grouped by the value of one variable.",
    }));
    let name = format!("the first {PAGE_STATES} states");
    View { id, name, notes, care: Care::Best, picture: Cow::Owned(picture.beginning(PAGE_STATES)) }
}

fn through<'a>(picture: &Picture, projection: &'a Projection) -> View<'a> {
    let (by, values) = (&projection.by, projection.picture.nodes.len());
    let mut notes = remarks(picture);
    notes.push(format!("States with the same value of {by} are drawn as one ({values} in total)."));
    notes.push("A path in this picture need not be a trace of the system.".into());
    let picture = Cow::Borrowed(&projection.picture);
    View { id: format!("by {by}"), name: format!("by {by} ({values})"), notes, care: Care::Quick, picture }
}

/// What is true of every view.
fn remarks(picture: &Picture) -> Vec<String> {
    let count = picture.nodes.len();
    let partial = (picture.extent == Extent::Partial).then(|| "The exploration stopped at a limit.".to_string());
    let many = (count > PAGE_STATES).then(|| format!("{count} states are too many to show one by one."));
    partial.into_iter().chain(many).collect()
}

/// Every text once.
#[derive(Default)]
struct Strings {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Strings {
    fn number(&mut self, text: String) -> usize {
        let next = self.texts.len();
        *self.numbers.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }
}

fn view(strings: &mut Strings, view: &View<'_>) -> Value {
    let picture = &*view.picture;
    let plan = layout(picture, view.care);
    let nodes: Vec<Value> = (0..picture.nodes.len()).map(|index| node(strings, picture, &plan, index)).collect();
    let arcs: Vec<Value> = plan.strands.iter().map(|strand| arc(strings, picture, strand)).collect();
    let groups: Vec<Value> = picture
        .groups
        .iter()
        .zip(&plan.boxes)
        .map(|(group, area)| {
            let area = area.map(|area| [area.left(), area.top(), area.width, area.height].map(whole));
            json!([strings.number(one_line(&group.name)), group.inside, area])
        })
        .collect();
    json!({
        "id": view.id,
        "name": view.name,
        "note": view.notes.join(" "),
        "size": [whole(plan.width), whole(plan.height)],
        "nodes": nodes,
        "arcs": arcs,
        "groups": groups,
        "initial": picture.initial,
    })
}

/// `[name, x, y, width, height, passive, ending, group, lines, lines of the caption after the name]`
fn node(strings: &mut Strings, picture: &Picture, plan: &Layout, index: usize) -> Value {
    let (node, spot) = (&picture.nodes[index], &plan.nodes[index]);
    let ending = match node.ending {
        Ending::Open => 0,
        Ending::Accepting => 1,
        Ending::Final => 2,
        Ending::Stuck => 3,
    };
    let lines: Vec<usize> = node.lines.iter().map(|line| strings.number(one_line(line))).collect();
    let caption: Vec<usize> = spot.caption.iter().skip(1).map(|line| strings.number(line.clone())).collect();
    let area = spot.area;
    json!([
        strings.number(one_line(&node.name)),
        whole(area.middle.x),
        whole(area.middle.y),
        whole(area.width),
        whole(area.height),
        u8::from(node.kind == NodeKind::Passive),
        ending,
        node.group,
        lines,
        caption,
    ])
}

/// `[from, to, kind, [label, action, ...], [x, y, ...], x and y of the label]`
fn arc(strings: &mut Strings, picture: &Picture, strand: &Strand) -> Value {
    let arcs = strand.bundle.arcs.iter().map(|arc| &picture.arcs[*arc]);
    let labels: Vec<usize> = arcs.flat_map(|arc| [shown(arc), action(arc)]).map(|text| strings.number(text)).collect();
    let points: Vec<i64> = strand.points.iter().flat_map(|point| both(*point)).collect();
    let Point { x, y } = strand.label_at;
    json!([strand.bundle.from, strand.bundle.to, strand.bundle.kind as u8, labels, points, whole(x), whole(y)])
}

fn both(point: Point) -> [i64; 2] {
    [whole(point.x), whole(point.y)]
}

fn whole(value: f64) -> i64 {
    value.round() as i64
}
