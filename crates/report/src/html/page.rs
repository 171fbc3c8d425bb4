//! What a report is made of, as plain data: a verdict with its facts, and sections of blocks. Nothing here is escaped yet.

use super::Background;
use super::chart::Chart;
use super::listing::Listing;
use super::plot::Plot;
use interplay_answers::Drawn;
use interplay_answers::{Verdict, Walk, WalkKind};
use interplay_diagnostics::{Sources, Span};

pub(crate) struct Page<'p> {
    /// What was done: `test`, `explore`.
    pub(crate) command: &'static str,
    pub(crate) system: &'p str,
    pub(crate) verdict: Verdict,
    /// What the verdict is worth.
    pub(crate) assurance: Option<String>,
    /// The outcome in words.
    pub(crate) sentence: String,
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) sections: Vec<Section<'p>>,
}

pub(crate) struct Section<'p> {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block<'p>>,
}

pub(crate) enum Block<'p> {
    Text(String),
    Warning(String),
    Table(Table),
    /// To be copied.
    Code {
        title: &'static str,
        text: String,
    },
    Chart(Chart),
    /// Closed until it is asked for.
    Fold(String, Vec<Block<'p>>),
    Listing(Listing<'p>),
    Plot(Plot),
    Graph(&'p Drawn),
}

pub(crate) struct Table {
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

pub(crate) struct Cell {
    pub(crate) text: String,
    /// A place on this page.
    pub(crate) link: Option<String>,
    pub(crate) tone: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Open,
    /// Words of the specification.
    Code,
    /// Numbers and our own short words, which are not broken anywhere.
    Short,
}

impl<'p> Section<'p> {
    pub(crate) fn new(id: impl Into<String>, title: impl Into<String>, blocks: Vec<Block<'p>>) -> Section<'p> {
        Section { id: id.into(), title: title.into(), blocks }
    }
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), link: None, tone: Tone::Plain }
    }

    pub(crate) fn code(text: impl Into<String>) -> Cell {
        Cell { tone: Tone::Code, ..Cell::new(text) }
    }

    pub(crate) fn short(text: impl Into<String>) -> Cell {
        Cell { tone: Tone::Short, ..Cell::new(text) }
    }

    pub(crate) fn verdict(verdict: Verdict, text: impl Into<String>) -> Cell {
        Cell { tone: verdict.into(), ..Cell::new(text) }
    }

    /// A place in the specification, by its line.
    pub(crate) fn place(sources: &Sources, span: Option<Span>) -> Cell {
        match span {
            Some(span) => Cell::new(sources.locate(span)).to(super::listing::anchor(sources, span)),
            None => Cell::new(""),
        }
    }

    pub(crate) fn to(self, link: impl Into<String>) -> Cell {
        Cell { link: Some(link.into()), ..self }
    }
}

impl From<Verdict> for Tone {
    fn from(verdict: Verdict) -> Tone {
        match verdict {
            Verdict::Pass => Tone::Good,
            Verdict::Fail => Tone::Bad,
            Verdict::Inconclusive => Tone::Open,
        }
    }
}

/// A way through the model: its chart, and the scenario to keep.
pub(crate) fn walk_blocks<'p>(id: &str, walk: &Walk, wrong: Option<&str>) -> Vec<Block<'p>> {
    let mut blocks = Vec::new();
    if !walk.start.is_empty() {
        let text = walk.start.join("\n");
        blocks.push(Block::Fold("State at the start".into(), vec![Block::Code { title: "state", text }]));
    }
    if walk.steps.is_empty() {
        blocks.push(Block::Text("At the start, before any step.".into()));
    } else {
        blocks.push(Block::Chart(Chart::of_walk(id, walk, wrong)));
    }
    if !walk.end.is_empty() && !walk.steps.is_empty() {
        let text = walk.end.join("\n");
        blocks.push(Block::Fold("State at the end".into(), vec![Block::Code { title: "state", text }]));
    }
    blocks.push(Block::Code { title: "As a scenario", text: walk.scenario.clone() });
    blocks
}

/// What every report ends with: the text with its coverage, the graph, the plots.
pub(crate) fn background<'p>(behind: &'p Background<'p>) -> Vec<Section<'p>> {
    let mut sections = Vec::new();
    let listings = Listing::of(behind.sources, &behind.marks);
    if !listings.is_empty() {
        let title = if behind.marks.is_empty() { "Specification" } else { "Coverage of the specification" };
        sections.push(Section::new("text", title, listings.into_iter().map(Block::Listing).collect()));
    }
    let by_depth = behind.graph.as_ref().and_then(Plot::by_depth);
    if let Some(drawn) = &behind.graph {
        sections.push(Section::new("graph", "State graph", vec![Block::Graph(drawn)]));
    }
    let plots: Vec<Block<'p>> = behind.plots.iter().cloned().chain(by_depth).map(Block::Plot).collect();
    if !plots.is_empty() {
        sections.push(Section::new("plots", "Over time and depth", plots));
    }
    sections
}

impl From<WalkKind> for super::chart::Arrow {
    fn from(kind: WalkKind) -> super::chart::Arrow {
        use super::chart::Arrow;
        match kind {
            WalkKind::Input => Arrow::Right,
            WalkKind::Output => Arrow::Left,
            WalkKind::Exchange => Arrow::Both,
            WalkKind::Internal => Arrow::Inside,
        }
    }
}

pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}
