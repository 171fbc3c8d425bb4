//! W004: two checks of a `collect` node that wait for the same events and lead to different places: when both are
//! violated, only the order in the text decides.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{Check, Model};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    for node in &model.nodes {
        for (index, later) in node.checks.iter().enumerate() {
            if let Some(earlier) = node.checks[..index].iter().find(|earlier| overlap(earlier, later)) {
                diagnostics.push(
                    Diagnostic::new(
                        Code::W004,
                        later.span,
                        "if both checks are violated, only the first one takes effect",
                    )
                    .note(earlier.span, "this check waits for the same events and has another target")
                    .help("join them into one check, or make the later condition exclude the first"),
                );
            }
        }
    }
}

fn overlap(earlier: &Check, later: &Check) -> bool {
    let differ = match (earlier.target, later.target) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    differ && earlier.signature == later.signature
}
