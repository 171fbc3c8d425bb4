//! Does this trace keep the promise? Formulas and observers become monitors.
