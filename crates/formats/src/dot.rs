//! Graphviz (`.dot`): state graphs and automata out, Mealy machines and state graphs in.

mod oracle;
mod read;
mod states;

pub use oracle::oracle;
pub use read::read;
pub use states::states;

/// What may stand between quotation marks.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
