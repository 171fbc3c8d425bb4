//! The report: any outcome as one HTML file that needs nothing but itself.
//!
//! Each outcome becomes a [`Page`] of the same few blocks (a table, a sequence chart, the text of the specification, a plot, the
//! state graph), in one file per outcome; one file per block draws it. So all reports look and work alike, and a new outcome
//! costs one function. The page can be read without its script; that adds zoom, keys and the graph.
//!
//! Texts come from specifications and implementations and may be hostile: they pass through [`escape`](crate::escape) and
//! through maud, which writes them as text. The policy of the page forbids every request.

mod chart;
mod explored;
mod listing;
mod monitored;
mod mutated;
mod page;
mod plot;
mod render;
mod sought;
mod systematic;
mod tested;
mod verified;

pub use explored::explored_html;
pub use monitored::monitored_html;
pub use mutated::mutated_html;
pub use plot::{Plot, Series};
pub use sought::sought_html;
pub use systematic::{systematic_html, systematic_table_html};
pub use tested::tested_html;
pub use verified::verified_html;

use interplay_answers::{Drawn, Mark};
use interplay_diagnostics::Sources;

/// What stands behind an outcome and is shown with it, as far as it is known.
pub struct Background<'b> {
    pub sources: &'b Sources,
    /// The specification, as the user named it.
    pub file: String,
    /// The rules of the specification, and how often each fired.
    pub marks: Vec<Mark>,
    pub graph: Option<Drawn>,
    /// What grew over time.
    pub plots: Vec<Plot>,
}

impl<'b> Background<'b> {
    pub fn new(sources: &'b Sources, file: impl Into<String>) -> Background<'b> {
        Background { sources, file: file.into(), marks: Vec::new(), graph: None, plots: Vec::new() }
    }
}
