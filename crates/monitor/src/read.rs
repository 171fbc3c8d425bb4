//! A line of an ordinary log, by the patterns of the user: it becomes lines as `monitor` reads them.

use super::{MOST_TOLD, Watch};
use interplay_answers::LogNote;
use interplay_logs::{Read, Reader};
use interplay_model::{Model, Type};
use serde_json::{Map, Value as Json};

impl Watch {
    /// Judges a line that was counted, by what it tells.
    pub(super) fn feed_reader(&mut self, mut reader: Reader, line: &str) -> Vec<LogNote> {
        let reads = reader.feed(line);
        self.reader = Some(reader);
        self.take_reads(reads)
    }

    /// The log ends: what several lines tell together may be whole only now.
    pub fn end(&mut self) -> Vec<LogNote> {
        let reads = self.reader.as_mut().map(Reader::end).unwrap_or_default();
        self.take_reads(reads)
    }

    fn take_reads(&mut self, reads: Vec<Read>) -> Vec<LogNote> {
        let mut notes = Vec::new();
        for read in reads {
            notes.extend(match read {
                Read::Event { mut fields, .. } => {
                    fit(self.model(), &mut fields);
                    self.feed_line(Ok(fields), false)
                }
                Read::Ignored { .. } => Vec::new(),
                Read::Broken(problem) => self.broken(problem),
                Read::Unmatched(text) => {
                    self.summary.unmatched += 1;
                    let note = LogNote::Problem { line: self.line(), message: format!("no pattern fits: {text}") };
                    if self.summary.unmatched <= MOST_TOLD { vec![note] } else { Vec::new() }
                }
            });
        }
        notes
    }
}

/// A pattern finds texts. Where the specification wants a number or a truth value, the text is read as one.
fn fit(model: &Model, fields: &mut Map<String, Json>) {
    let action = fields.get("action").and_then(Json::as_str).and_then(|name| model.action_named(name));
    let Some(action) = action.map(|id| &model.actions[id.0]) else { return };
    for param in &action.params {
        if let Some(value) = fields.get_mut("args").and_then(|args| args.get_mut(&param.name)) {
            as_typed(model, &param.ty, value);
        }
    }
    if let (Some(ty), Some(value)) = (&action.result, fields.get_mut("result")) {
        as_typed(model, ty, value);
    }
}

fn as_typed(model: &Model, ty: &Type, value: &mut Json) {
    let Json::String(text) = value else { return };
    let read = match model.types.strip(ty) {
        Type::Int | Type::Range(_) => text.parse::<i64>().ok().map(Json::from),
        Type::Bool => text.parse::<bool>().ok().map(Json::from),
        Type::Option(inner) => {
            let inner = inner.clone();
            return as_typed(model, &inner, value);
        }
        _ => None,
    };
    if let Some(read) = read {
        *value = read;
    }
}
