//! From a [`Page`] to one file: the frame around the blocks, and the simple blocks themselves.

use super::page::{Block, Cell, Page, Section, Table, Tone};
use super::{chart, listing, plot};
use crate::escape;
use crate::pictures::{covered_page, harmless};
use interplay_answers::Drawn;
use interplay_answers::Verdict;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Nothing may be fetched; the graph is a document inside this one.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src 'self'; form-action 'none'";

pub(crate) fn render(page: &Page<'_>) -> String {
    let title = format!("{} {}: {}", page.command, page.system, page.verdict.word());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "interplay " (env!("CARGO_PKG_VERSION")) };
                title { (escape(&title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#content" { "Skip to the findings" }
                (header(page))
                div.columns {
                    (contents(page))
                    main id="content" { @for section in &page.sections { (self::section(section)) } }
                }
                footer { "Made by interplay " (env!("CARGO_PKG_VERSION")) ". This file is self-contained." }
                (keys())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

fn header(page: &Page<'_>) -> Markup {
    let class = match page.verdict {
        Verdict::Pass => "good",
        Verdict::Fail => "bad",
        Verdict::Inconclusive => "open",
    };
    html! {
        header class=(class) {
            p.verdict { strong id="verdict" { (page.verdict.word()) } @if let Some(worth) = &page.assurance { span.assurance id="assurance" { (escape(worth)) } } }
            h1 { (page.command) " " code { (escape(page.system)) } }
            p.sentence { (prose(&page.sentence)) }
            dl.facts { @for (name, value) in &page.facts {
                div { dt { (name) } dd { (escape(value)) } }
            } }
        }
    }
}

fn contents(page: &Page<'_>) -> Markup {
    html! {
        nav aria-label="Contents" { ol { @for section in &page.sections {
            li { a href={ "#" (section.id) } { (prose(&section.title)) } }
        } } }
    }
}

fn keys() -> Markup {
    let keys = [
        ("n, p", "next and previous section"),
        ("j, k", "next and previous row of a chart"),
        ("+, −, 0, 1", "chart larger, smaller, all rows, readable"),
        ("End", "the failing row"),
        ("m", "next rule that never fired"),
        ("g", "the state graph"),
        ("?", "these keys"),
    ];
    html! {
        dialog id="keys" aria-label="Keys" {
            h2 { "Keys" }
            dl { @for (key, what) in keys { dt { kbd { (key) } } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}

fn section(section: &Section<'_>) -> Markup {
    html! {
        section id=(section.id) tabindex="-1" {
            h2 { (prose(&section.title)) }
            @for block in &section.blocks { (self::block(block)) }
        }
    }
}

fn block(block: &Block<'_>) -> Markup {
    match block {
        Block::Text(text) => html! { p { (prose(text)) } },
        Block::Warning(text) => html! { p.warning { (prose(text)) } },
        Block::Table(table) => self::table(table),
        Block::Code { title, text } => html! {
            figure.copy {
                figcaption { (title) " " button type="button" data-copy hidden { "Copy" } }
                pre { (escape(text)) }
            }
        },
        Block::Chart(chart) => chart::chart(chart),
        Block::Fold(title, blocks) => html! {
            details { summary { (escape(title)) } @for block in blocks { (self::block(block)) } }
        },
        Block::Listing(listing) => listing::listing(listing),
        Block::Plot(plot) => plot::plot(plot),
        Block::Graph(drawn) => graph(drawn),
    }
}

/// A sentence; what stands between two backticks are words of the specification.
pub(super) fn prose(text: &str) -> Markup {
    let text = escape(text);
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! { @for (index, part) in parts.iter().enumerate() {
        @if index % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

fn table(table: &Table) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Table" {
            table.rows {
                thead { tr { @for name in &table.head { th scope="col" { (name) } } } }
                tbody { @for row in &table.rows { tr { @for cell in row { (self::cell(cell)) } } } }
            }
        }
    }
}

fn cell(cell: &Cell) -> Markup {
    let class = match cell.tone {
        Tone::Plain => None,
        Tone::Good => Some("good"),
        Tone::Bad => Some("bad"),
        Tone::Open => Some("open"),
        Tone::Code => Some("code"),
        Tone::Short => Some("short"),
    };
    html! {
        td class=[class] {
            @match &cell.link {
                Some(link) => { a href=(link) { (prose(&cell.text)) } }
                None => { (prose(&cell.text)) }
            }
        }
    }
}

/// The page of the graph, as a text that the script opens when it comes into sight.
fn graph(drawn: &Drawn) -> Markup {
    let states = drawn.picture.nodes.len();
    let visited = drawn.visited.iter().filter(|visited| **visited).count();
    let text = harmless(&Value::String(covered_page(&drawn.picture, &drawn.visited)).to_string());
    html! {
        p {
            @if !drawn.visited.is_empty() { (visited) " of these " (states) " states were visited; the others are drawn dashed and pale. " }
            @if drawn.picture.extent == interplay_answers::Extent::Partial { "The model has more states than are drawn." }
        }
        div.graph { iframe title="State graph" hidden {} noscript { p { "The graph is drawn by a script, which is switched off here." } } }
        script type="application/json" id="graph-page" { (PreEscaped(text)) }
    }
}
