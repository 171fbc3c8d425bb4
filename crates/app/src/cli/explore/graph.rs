//! The graph as a file; its ending says in which format.

use crate::cli::outputs::put;
use interplay_diagnostics::amount;
use interplay_report::{escape, graph_page, graph_svg};
use interplay_workbench::{Graph, aut, dot, graph_json, mermaid, picture, plantuml};
use std::path::Path;

#[derive(Clone, Copy)]
pub(super) enum Format {
    Dot,
    Aut,
    Json,
    PlantUml,
    Mermaid,
    Svg,
    Page,
}

impl Format {
    /// A larger graph is cut, and that is said. Nobody can look at more in one picture, and laying it out takes long.
    pub(super) fn most_nodes(self) -> usize {
        match self {
            Format::Svg | Format::PlantUml | Format::Mermaid => 2_000,
            Format::Page => 50_000,
            Format::Dot | Format::Aut | Format::Json => 1_000_000,
        }
    }
}

pub(super) fn format(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("dot" | "gv") => Ok(Format::Dot),
        Some("aut") => Ok(Format::Aut),
        Some("json") => Ok(Format::Json),
        Some("puml" | "plantuml") => Ok(Format::PlantUml),
        Some("mmd" | "mermaid") => Ok(Format::Mermaid),
        Some("svg") => Ok(Format::Svg),
        Some("html") => Ok(Format::Page),
        _ => {
            let help = "use the extension .html, .svg, .dot, .aut, .json, .puml or .mmd";
            Err(format!("`{}`: unknown format\nhelp: {help}", path.display()))
        }
    }
}

/// Writes it, and says what was written.
pub(super) fn write(format: Format, title: &str, graph: &Graph, path: &Path) -> anyhow::Result<String> {
    let text = match format {
        Format::Dot => dot(graph),
        Format::Aut => aut(graph),
        Format::Json => format!("{:#}\n", graph_json(graph)),
        Format::PlantUml => plantuml(graph),
        Format::Mermaid => mermaid(graph),
        Format::Svg => graph_svg(&picture(title, graph)),
        Format::Page => graph_page(&picture(title, graph)),
    };
    let name = path.display().to_string();
    put(Some(path), || text)?;
    let part = if graph.complete { "" } else { ", a part of all" };
    Ok(format!(
        "wrote {}: {}, {}{part}\n",
        escape(&name),
        amount(graph.nodes.len(), "node"),
        amount(graph.arcs.len(), "arc")
    ))
}
