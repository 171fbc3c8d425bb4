//! What stood in the way of a verdict, as an answer tells it.

use interplay_adapter::Trouble;
use interplay_answers::Breakdown;
use interplay_semantics::ModelError;

/// The implementation could not go on.
pub(crate) fn breakdown(trouble: Trouble) -> Breakdown {
    Breakdown { code: trouble.kind.code(), message: trouble.message }
}

/// The specification that judges went wrong.
pub(crate) fn error_of(error: &ModelError) -> Breakdown {
    Breakdown { code: Some(error.code), message: error.message.clone() }
}
