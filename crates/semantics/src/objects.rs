//! Names for objects. A run shows the first client as `Client#0`, which no specification can say: in a scenario an object
//! has the name that was given to the result that brought it, and a typed `Client#0` is a name between back quotes.

use crate::{State, Value};
use interplay_model::Model;
use std::collections::BTreeSet;

/// The text with every `Client#0` outside of strings and back quotes replaced.
pub fn replace_objects(text: &str, mut with: impl FnMut(&str) -> String) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '`' => quoted(rest, first),
            first if is_word(first) => word(rest),
            first => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        match piece.contains('#') && is_word(first) {
            true => replaced += &with(piece),
            false => replaced += piece,
        }
        rest = after;
    }
    replaced
}

fn is_word(each: char) -> bool {
    each.is_alphanumeric() || each == '_'
}

/// The length of a string or quoted name, with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, each) in text.char_indices().skip(1) {
        match each {
            _ if escaped => escaped = false,
            '\\' => escaped = quote == '"',
            each if each == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a word, with `#` and digits if they follow.
fn word(text: &str) -> usize {
    let plain = text.find(|each| !is_word(each)).unwrap_or(text.len());
    let Some(digits) = text[plain..].strip_prefix('#') else { return plain };
    match digits.find(|each: char| !each.is_ascii_digit()).unwrap_or(digits.len()) {
        0 => plain,
        number => plain + 1 + number,
    }
}

/// All objects that exist in one of the states: how they are shown, the name of their type, and the value.
pub fn existing_objects<'m>(model: &'m Model, states: &BTreeSet<State>) -> Vec<(String, &'m str, Value)> {
    let mut found = Vec::new();
    for (index, object) in model.types.objects.iter().enumerate() {
        let id = interplay_model::ObjectId(index);
        let count = states.iter().map(|state| state.count(id)).max().unwrap_or(0);
        for index in 0..count {
            found.push((format!("{}#{index}", object.name), object.name.as_str(), Value::Object { object: id, index }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_outside_of_strings_only() {
        let quote = |object: &str| format!("<{object}>");
        assert_eq!(replace_objects(r#"post(Client#0, "Client#1")"#, quote), r#"post(<Client#0>, "Client#1")"#);
        assert_eq!(replace_objects(r#"f("a\"b#1", x#12) # `y#1`"#, quote), r#"f("a\"b#1", <x#12>) # `y#1`"#);
        assert_eq!(replace_objects("Tür#3 + ü", quote), "<Tür#3> + ü");
    }
}
