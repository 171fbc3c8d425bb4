//! An action with the names of its parameters, as it is written: `arrived(floor)`.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
}

impl Signature {
    /// A mistake here is one of the program, found as soon as it starts.
    pub(crate) fn parse(text: &str) -> Signature {
        let (name, rest) = text.split_once('(').unwrap_or((text, ")"));
        let inside = rest.trim_end().strip_suffix(')');
        let inside = inside.unwrap_or_else(|| panic!("`{text}` is no action: write `opened` or `arrived(floor)`"));
        let parameters = inside.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect();
        Signature { name: name.trim().to_string(), parameters }
    }

    pub(crate) fn json(&self, direction: &str) -> Value {
        json!({ "name": self.name, "direction": direction, "parameters": self.parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_stand_in_parentheses() {
        assert_eq!(Signature::parse("opened"), Signature { name: "opened".into(), parameters: vec![] });
        let two = Signature::parse("move( from, to )");
        assert_eq!((two.name.as_str(), two.parameters), ("move", vec!["from".to_string(), "to".to_string()]));
    }

    #[test]
    #[should_panic(expected = "is no action")]
    fn an_open_parenthesis_is_a_mistake() {
        Signature::parse("arrived(floor");
    }
}
