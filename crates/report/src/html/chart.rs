//! A conversation as a sequence chart: two lifelines, a row for each thing that was said, what it changed beside it.
//!
//! Rows are text, not a picture: they can be searched, copied, read aloud and printed; the size of the letters is the zoom.

use crate::escape;
use interplay_answers::{ChartKind, ChartLine, Walk};
use interplay_diagnostics::amount;
use maud::{Markup, html};

pub(crate) struct Chart {
    /// Rows are `id-1`, `id-2`, ...
    pub(crate) id: String,
    pub(crate) left: &'static str,
    pub(crate) right: &'static str,
    pub(crate) rows: Vec<Row>,
    /// What is wrong with the last row.
    pub(crate) wrong: Option<String>,
}

pub(crate) struct Row {
    pub(crate) arrow: Arrow,
    pub(crate) text: String,
    pub(crate) changes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrow {
    Right,
    Left,
    Both,
    /// The right one by itself.
    Inside,
    Nothing,
}

impl Chart {
    pub(crate) fn of_test(id: &str, lines: &[ChartLine], wrong: Option<&str>) -> Chart {
        let row = |line: &ChartLine| Row {
            arrow: match line.kind {
                ChartKind::Input => Arrow::Right,
                ChartKind::Output => Arrow::Left,
                ChartKind::Nothing => Arrow::Nothing,
            },
            text: line.text.clone(),
            changes: line.changes.clone(),
        };
        let rows = lines.iter().map(row).collect();
        Chart { id: id.into(), left: "tester", right: "implementation", rows, wrong: wrong.map(Into::into) }
    }

    pub(crate) fn of_walk(id: &str, walk: &Walk, wrong: Option<&str>) -> Chart {
        let rows = walk.steps.iter().map(|step| Row {
            arrow: step.kind.into(),
            text: step.event.clone(),
            changes: step.changes.clone(),
        });
        let rows = rows.collect();
        Chart { id: id.into(), left: "environment", right: "system", rows, wrong: wrong.map(Into::into) }
    }
}

pub(crate) fn chart(chart: &Chart) -> Markup {
    let last = chart.rows.len();
    let changes = chart.rows.iter().any(|row| !row.changes.is_empty());
    html! {
        figure.chart id=(chart.id) {
            div.tools {
                span { (amount(last, "step")) }
                span.buttons hidden {
                    button type="button" data-zoom="smaller" title="Smaller (-)" aria-label="Smaller" { "−" }
                    button type="button" data-zoom="larger" title="Larger (+)" aria-label="Larger" { "+" }
                    button type="button" data-zoom="fit" title="All rows at once (0)" { "All" }
                    button type="button" data-zoom="usual" title="Readable size (1)" { "1:1" }
                    @if changes { button type="button" data-changes aria-pressed="true" { "Changes" } }
                    @if chart.wrong.is_some() { button type="button" data-wrong title="The last row (End)" { "Go to the failing row" } }
                }
            }
            div.scroll tabindex="0" role="group" aria-label="Sequence chart; j and k go from row to row" {
                div.ends aria-hidden="true" { span {} span { (chart.left) } span { (chart.right) } }
                ol {
                    @for (index, row) in chart.rows.iter().enumerate() {
                        (self::row(chart, index, row, index + 1 == last))
                    }
                }
            }
        }
    }
}

fn row(chart: &Chart, index: usize, row: &Row, last: bool) -> Markup {
    let wrong = chart.wrong.as_ref().filter(|_| last);
    let way = match row.arrow {
        Arrow::Right => "right",
        Arrow::Left => "left",
        Arrow::Both => "both",
        Arrow::Inside => "inside",
        Arrow::Nothing => "nothing",
    };
    html! {
        li id={ (chart.id) "-" (index + 1) } class={ (way) (if wrong.is_some() { " wrong" } else { "" }) } {
            a.n href={ "#" (chart.id) "-" (index + 1) } { (index + 1) }
            span.lane { code { (escape(&row.text)) } }
            span.beside {
                @if let Some(wrong) = wrong { strong.mark { (escape(wrong)) } }
                @for change in &row.changes { span.change { (escape(change)) } }
            }
        }
    }
}
