//! SMT-LIB Horn clauses: satisfiable if what is looked for never happens.

use interplay_prove::Symbolic;

/// With the name of the question above.
pub fn write(system: &Symbolic) -> String {
    format!("{}(set-logic HORN)\n{}(check-sat)\n", system.heading(), system.clauses())
}
