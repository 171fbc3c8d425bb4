//! When it happened, in microseconds: by a format of `strptime`, or counted since 1970 in some unit.

use chrono::{DateTime, NaiveDateTime, NaiveTime};
use std::fmt::Write;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum TimeFormat {
    /// RFC 3339, as most programs write it, or a number of seconds.
    #[default]
    Usual,
    /// Microseconds are so many of these, or so many of these are one.
    Times(u64),
    Part(u64),
    Written {
        format: String,
        year: Option<i32>,
    },
}

impl TimeFormat {
    pub(crate) fn new(text: Option<&str>, year: Option<i32>) -> Result<TimeFormat, String> {
        Ok(match text {
            None => TimeFormat::Usual,
            Some("s") => TimeFormat::Times(1_000_000),
            Some("ms") => TimeFormat::Times(1_000),
            Some("us") => TimeFormat::Times(1),
            Some("ns") => TimeFormat::Part(1_000),
            Some(format) if format.contains('%') => {
                let items = chrono::format::StrftimeItems::new(format);
                if items.into_iter().any(|item| item == chrono::format::Item::Error) {
                    return Err(format!("`{format}` is not a strptime format"));
                }
                TimeFormat::Written { format: format.into(), year }
            }
            Some(other) => {
                return Err(format!(
                    "`s`, `ms`, `us`, `ns` or a format such as `%Y-%m-%d %H:%M:%S` was expected, found `{other}`"
                ));
            }
        })
    }

    /// Microseconds since 1970.
    pub(crate) fn read(&self, text: &str) -> Option<u64> {
        let text = text.trim();
        match self {
            TimeFormat::Usual => match DateTime::parse_from_rfc3339(&text.replacen(' ', "T", 1)) {
                Ok(time) => u64::try_from(time.timestamp_micros()).ok(),
                Err(_) => match NaiveDateTime::parse_from_str(&text.replacen(' ', "T", 1), "%Y-%m-%dT%H:%M:%S%.f") {
                    Ok(time) => u64::try_from(time.and_utc().timestamp_micros()).ok(),
                    Err(_) => counted(text, 1_000_000),
                },
            },
            TimeFormat::Times(unit) => counted(text, *unit),
            TimeFormat::Part(unit) => text.parse::<u64>().ok().map(|count| count / unit),
            TimeFormat::Written { format, year } => written(text, format, *year),
        }
    }
}

/// A number of units, perhaps with a fraction.
fn counted(text: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = fraction.bytes().scan(unit, |place, digit| {
        *place /= 10;
        Some(*place * u64::from(digit - b'0'))
    });
    whole.checked_add(part.sum())
}

/// A date without a year is in the one that the file names; a time without a date on the first day.
fn written(text: &str, format: &str, year: Option<i32>) -> Option<u64> {
    if let Ok(time) = DateTime::parse_from_str(text, format) {
        return u64::try_from(time.timestamp_micros()).ok();
    }
    if let Ok(time) = NaiveDateTime::parse_from_str(text, format) {
        return u64::try_from(time.and_utc().timestamp_micros()).ok();
    }
    let mut with_year = String::new();
    write!(with_year, "{} {text}", year.unwrap_or(1970)).ok()?;
    if let Ok(time) = NaiveDateTime::parse_from_str(&with_year, &format!("%Y {format}")) {
        return u64::try_from(time.and_utc().timestamp_micros()).ok();
    }
    let time = NaiveTime::parse_from_str(text, format).ok()?;
    u64::try_from(chrono::NaiveDate::default().and_time(time).and_utc().timestamp_micros()).ok()
}
