//! Reading TOML by hand: each key is asked for by its name and its kind, and what nobody asked for is a mistake with its place.
//!
//! A derived reader would stop at the first mistake and lose the places inside of values that may have several forms.

use crate::problem::{Problems, meant};
use std::cell::RefCell;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

/// A table of which keys are taken one by one.
pub(crate) struct Table<'t> {
    table: &'t DeTable<'t>,
    /// For messages: `[[read]]`.
    name: String,
    pub(crate) span: Range<usize>,
    taken: RefCell<Vec<&'static str>>,
}

impl<'t> Table<'t> {
    pub(crate) fn new(table: &'t DeTable<'t>, name: impl Into<String>, span: Range<usize>) -> Table<'t> {
        Table { table, name: name.into(), span, taken: RefCell::default() }
    }

    /// A value that must be a table.
    pub(crate) fn of(value: &'t Value<'t>, name: &str, problems: &mut Problems<'_>) -> Option<Table<'t>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(Table::new(table, name, value.span())),
            other => {
                problems.add(&value.span(), format!("`{name}` must be a table, not {}", kind(other)), "");
                None
            }
        }
    }

    pub(crate) fn get(&self, key: &'static str) -> Option<&'t Value<'t>> {
        self.taken.borrow_mut().push(key);
        self.table.get(key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(crate) fn text(&self, key: &'static str, problems: &mut Problems<'_>) -> Option<(&'t str, Range<usize>)> {
        let value = self.get(key)?;
        text(value, key, problems).map(|text| (text, value.span()))
    }

    pub(crate) fn truth(&self, key: &'static str, problems: &mut Problems<'_>) -> bool {
        let Some(value) = self.get(key) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            problems.add(&value.span(), format!("`{key}` must be true or false"), "");
            false
        })
    }

    pub(crate) fn time(&self, key: &'static str, problems: &mut Problems<'_>) -> Option<Duration> {
        let (text, span) = self.text(key, problems)?;
        let time = time(text);
        if time.is_none() {
            problems.add(&span, format!("`{text}` is not a time"), "write `200ms`, `5s` or `2m`");
        }
        time
    }

    pub(crate) fn list(&self, key: &'static str, problems: &mut Problems<'_>) -> Vec<&'t Value<'t>> {
        match self.get(key).map(|value| (value, value.get_ref())) {
            None => Vec::new(),
            Some((_, DeValue::Array(items))) => items.iter().collect(),
            Some((value, other)) => {
                problems.add(&value.span(), format!("`{key}` must be a list, not {}", kind(other)), "");
                Vec::new()
            }
        }
    }

    pub(crate) fn table(&self, key: &'static str, problems: &mut Problems<'_>) -> Option<Table<'t>> {
        self.get(key).and_then(|value| Table::of(value, key, problems))
    }

    /// All keys with their values, whatever they are called.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'t str, Range<usize>, &'t Value<'t>)> + use<'t> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value))
    }

    /// Tells about the keys that nobody asked for.
    pub(crate) fn end(self, problems: &mut Problems<'_>) {
        let taken = self.taken.borrow();
        for (key, span, _) in self.entries().filter(|(key, ..)| !taken.contains(key)) {
            let name = &self.name;
            problems.add(&span, format!("{name} has no key `{key}`"), meant(key, taken.iter().copied()));
        }
    }
}

pub(crate) fn text<'t>(value: &'t Value<'t>, key: &str, problems: &mut Problems<'_>) -> Option<&'t str> {
    let text = value.get_ref().as_str();
    if text.is_none() {
        problems.add(&value.span(), format!("`{key}` must be a text, not {}", kind(value.get_ref())), "");
    }
    text
}

pub(crate) fn number(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

pub(crate) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn time(text: &str) -> Option<Duration> {
    let at = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(at);
    let number: f64 = number.parse().ok()?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}
