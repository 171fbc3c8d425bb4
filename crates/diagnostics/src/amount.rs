//! Amounts in sentences: a number with its noun in the right form. Every crate that speaks uses these, so that nobody
//! reads "1 steps". A number is taken as it is shown, so that every width of integer will do.

use std::fmt::Display;

/// The number with its noun; of a noun with `of`, the first word is bent.
///
/// ```
/// use interplay_diagnostics::amount;
/// assert_eq!(amount(1, "step"), "1 step");
/// assert_eq!(amount(0, "step of the run"), "0 steps of the run");
/// assert_eq!(amount(7, "property"), "7 properties");
/// assert_eq!(amount(2, "key"), "2 keys");
/// assert_eq!(amount(3, "guard outcome"), "3 guard outcomes");
/// ```
pub fn amount(number: impl Display, noun: &str) -> String {
    format!("{number} {}", form(&number, noun))
}

/// The noun alone in the form that the number asks for, where the number stands elsewhere in the sentence.
pub fn form(number: impl Display, noun: &str) -> String {
    if number.to_string() == "1" {
        return noun.to_string();
    }
    let (head, rest) = noun.split_at(noun.find(" of ").unwrap_or(noun.len()));
    format!("{}{rest}", plural(head))
}

/// How often: `once`, `3 times`.
pub fn times(number: impl Display) -> String {
    if number.to_string() == "1" { "once".into() } else { format!("{number} times") }
}

/// By the rules that the nouns of this program need.
fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|ending| noun.ends_with(ending)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}
