//! Pictures: state graphs as SVG, as a page to walk around in and for Graphviz, and plots. All places are computed here.

mod dot;
mod graph;
mod layout;
mod page;
mod projection;
mod svg;
mod systematic;

pub use dot::picture_dot;
pub use page::{PAGE_STATES, graph_page};
pub(crate) use page::{covered_page, harmless};
pub use svg::graph_svg;
pub use systematic::systematic_svg;
