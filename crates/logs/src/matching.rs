//! The first pattern that fits a record says what it tells.

use crate::patterns::{Line, Patterns, Tells};
use crate::records::Record;
use crate::template::{Matched, field, plain};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The groups that are no arguments.
const OWN: [&str; 1] = ["time"];

/// What a record tells: the number of the pattern, and a line for `monitor`. `None` for a record that tells nothing.
pub(crate) type Told = (usize, Option<Map<String, Json>>);

/// `None`: no pattern fits.
pub(crate) fn told(patterns: &Patterns, record: &Record) -> Option<Result<Told, String>> {
    patterns.lines.iter().enumerate().find_map(|(number, line)| {
        let matched = fits(line, record)?;
        Some(line.tell(patterns, &matched).map(|fields| (number, fields)))
    })
}

fn fits<'r>(line: &'r Line, record: &'r Record) -> Option<Groups<'r>> {
    let value = |path: &str| field(&record.fields, path).map(plain);
    if !line.conditions.iter().all(|(path, regex)| value(path).is_some_and(|value| regex.is_match(&value))) {
        return None;
    }
    let text: Cow<'r, str> = match &line.field {
        None => Cow::Borrowed(&record.text),
        Some(path) => Cow::Owned(value(path)?),
    };
    let mut groups = BTreeMap::new();
    if let Some(regex) = &line.matches {
        let captures = regex.captures(&text)?;
        for name in regex.capture_names().flatten() {
            if let Some(group) = captures.name(name) {
                groups.insert(name, group.as_str().to_string());
            }
        }
    }
    Some(Groups { groups, fields: &record.fields })
}

struct Groups<'r> {
    groups: BTreeMap<&'r str, String>,
    fields: &'r Map<String, Json>,
}

impl Line {
    fn tell(&self, patterns: &Patterns, found: &Groups<'_>) -> Result<Option<Map<String, Json>>, String> {
        let groups = found.groups.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let matched = Matched { groups, fields: found.fields };
        let mut told = match &self.tells {
            Tells::Nothing => return Ok(None),
            Tells::Reset => Map::from_iter([("type".to_string(), json!("reset"))]),
            Tells::Silence => Map::from_iter([("type".to_string(), json!("silence"))]),
            Tells::Event { action, args, result } => {
                let args: Map<String, Json> = match args {
                    Some(args) => args.iter().map(|(name, value)| (name.clone(), value.filled(&matched))).collect(),
                    None => {
                        let own = |(name, _): &(&&str, &&str)| !OWN.contains(*name);
                        let each = |(name, text): (&&str, &&str)| (name.to_string(), Json::from(*text));
                        matched.groups.iter().filter(own).map(each).collect()
                    }
                };
                let mut event =
                    Map::from_iter([("action".to_string(), action.filled(&matched)), ("args".into(), args.into())]);
                event.extend(result.iter().map(|result| ("result".to_string(), result.filled(&matched))));
                event
            }
        };
        if let Some(time) = &self.time {
            let text = plain(&time.filled(&matched));
            let time = patterns.time.read(&text);
            let time =
                time.ok_or_else(|| format!("`{text}` is not a time of the format that the pattern file names"))?;
            told.insert("time".into(), time.into());
        }
        told.extend(self.more.iter().map(|(name, value)| (name.clone(), value.filled(&matched))));
        Ok(Some(told))
    }
}
