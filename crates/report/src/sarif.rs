//! SARIF 2.1.0, which code hosts and editors read: diagnostics, and outcomes as test cases.

mod cases;
mod diagnostics;

pub use cases::cases_sarif;
pub use diagnostics::sarif;
