//! Does the implementation keep to the model? The only crate that drives one: strategies, judging, shrinking.
