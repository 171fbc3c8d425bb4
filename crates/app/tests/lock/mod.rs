//! A specification for tests of what happens around a test: a lock that answers every number once.

pub(crate) const LOCK: &str = "
system Lock
input enter(number: 0..9)
output opened, shown(number: 0..9)
start Closed
at Closed { on enter(n) -> Entered }
at Entered { on opened -> Closed on shown(_) -> Closed }
";
