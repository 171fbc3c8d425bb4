//! How an input is given, and a step of opening or of a reset: something sent over a connection, a request, a program, a pause.

use crate::problem::Problems;
use crate::rule::pattern;
use crate::table::{Table, Value, kind};
use crate::template::Template;
use regex::Regex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use toml::de::DeValue;

/// `[input] name = ...`
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) span: Range<usize>,
    pub(crate) how: How,
    /// Whether an answer is waited for; otherwise if a rule could give one.
    pub(crate) answer: Option<bool>,
    /// The value whose connection is used, if no parameter says it.
    pub(crate) on: Option<Template>,
}

#[derive(Clone, Debug)]
pub(crate) enum How {
    Act(Box<Act>),
    /// By the case of the enum that a parameter carries.
    Cases {
        by: String,
        cases: BTreeMap<String, Act>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Send(Template),
    Http(Request),
    Run(Program),
    Wait(Duration),
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: Template,
    pub(crate) headers: Vec<(String, Template)>,
    pub(crate) json: Option<Template>,
    pub(crate) body: Option<Template>,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) words: Vec<Template>,
    pub(crate) stdin: Option<Template>,
}

/// One step of `open` or `reset`: does something, waits for something.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) span: Range<usize>,
    pub(crate) act: Option<Act>,
    pub(crate) until: Option<Regex>,
}

/// What a plain text means, which depends on what the file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    Send,
    /// Words of a request of RESP.
    Words,
    Http,
    Run,
}

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

impl Given {
    pub(crate) fn read(name: &str, value: &Value<'_>, usual: Usual, problems: &mut Problems<'_>) -> Option<Given> {
        let span = value.span();
        let DeValue::Table(_) = value.get_ref() else {
            return Some(Given {
                span,
                how: How::Act(Box::new(Act::read(value, usual, problems)?)),
                answer: None,
                on: None,
            });
        };
        let table = Table::of(value, &format!("input `{name}`"), problems)?;
        let answer = table.has("answer").then(|| table.truth("answer", problems));
        let on = table.get("on").map(|value| Template::read(value, problems));
        let how = match table.text("by", problems) {
            Some((by, _)) => {
                let cases = table.table("cases", problems);
                if cases.is_none() {
                    problems.add(&table.span, "`by` needs `cases`", "write `cases = { case = \"what is sent\" }`");
                }
                let each = cases.iter().flat_map(Table::entries);
                let cases =
                    each.filter_map(|(case, _, value)| Some((case.to_string(), Act::read(value, usual, problems)?)));
                How::Cases { by: by.into(), cases: cases.collect() }
            }
            None => How::Act(Box::new(Act::of(&table, usual, problems)?)),
        };
        table.end(problems);
        Some(Given { span, how, answer, on })
    }

    pub(crate) fn acts(&self) -> Vec<&Act> {
        match &self.how {
            How::Act(act) => vec![act],
            How::Cases { cases, .. } => cases.values().collect(),
        }
    }
}

impl Act {
    pub(crate) fn read(value: &Value<'_>, usual: Usual, problems: &mut Problems<'_>) -> Option<Act> {
        match value.get_ref() {
            DeValue::Table(_) => {
                let table = Table::of(value, "what is sent", problems)?;
                let act = Act::of(&table, usual, problems);
                table.end(problems);
                act
            }
            _ => match usual {
                Usual::Send => Some(Act::Send(Template::read(value, problems))),
                Usual::Words => Some(Act::Send(Template::List(words(value, problems)))),
                Usual::Http => Request::read(value, problems).map(Act::Http),
                Usual::Run => Some(Act::Run(Program { words: words(value, problems), stdin: None })),
            },
        }
    }

    /// The keys of a table that say what is done.
    fn of(table: &Table<'_>, usual: Usual, problems: &mut Problems<'_>) -> Option<Act> {
        let time = table.time("wait", problems);
        let (send, http, run) = (table.get("send"), table.get("http"), table.get("run"));
        let mut template = |key: &'static str| table.get(key).map(|value| Template::read(value, problems));
        let (json, body, stdin) = (template("json"), template("body"), template("stdin"));
        let headers = table.table("headers", problems);
        let headers = headers.iter().flat_map(Table::entries);
        let headers: Vec<_> =
            headers.map(|(name, _, value)| (name.to_string(), Template::read(value, problems))).collect();
        match (send, http, run, time) {
            (Some(value), None, None, None) if usual == Usual::Words => {
                Some(Act::Send(Template::List(words(value, problems))))
            }
            (Some(value), None, None, None) => Some(Act::Send(Template::read(value, problems))),
            (None, Some(value), None, None) => {
                Request::read(value, problems).map(|request| Act::Http(Request { headers, json, body, ..request }))
            }
            (None, None, Some(value), None) => Some(Act::Run(Program { words: words(value, problems), stdin })),
            (None, None, None, Some(time)) => Some(Act::Wait(time)),
            _ => {
                let help = "exactly one of `send`, `http`, `run` and `wait` is needed";
                problems.add(&table.span, "this does not say what is sent", help);
                None
            }
        }
    }

    pub(crate) fn templates(&self) -> Vec<&Template> {
        match self {
            Act::Send(value) => vec![value],
            Act::Http(request) => {
                let headers = request.headers.iter().map(|(_, value)| value);
                [&request.target].into_iter().chain(headers).chain(&request.json).chain(&request.body).collect()
            }
            Act::Run(program) => program.words.iter().chain(&program.stdin).collect(),
            Act::Wait(_) => Vec::new(),
        }
    }
}

impl Request {
    fn read(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<Request> {
        let text = value.get_ref().as_str().unwrap_or_default();
        let (method, target) = text.split_once(' ').unwrap_or((text, ""));
        if !METHODS.contains(&method) || !target.starts_with('/') {
            let message = format!("`{text}` is no request");
            problems.add(&value.span(), message, "write the method and the path: `POST /todos/{id}`");
            return None;
        }
        let target = Template::text(target.trim(), &value.span(), problems);
        Some(Request { method: method.into(), target, headers: Vec::new(), json: None, body: None })
    }
}

impl Step {
    pub(crate) fn read(value: &Value<'_>, usual: Usual, line: usize, problems: &mut Problems<'_>) -> Option<Step> {
        let span = value.span();
        let DeValue::Table(_) = value.get_ref() else {
            return Some(Step { line, span, act: Some(Act::read(value, usual, problems)?), until: None });
        };
        let table = Table::of(value, "a step", problems)?;
        let until = table.text("until", problems);
        let until = until.and_then(|(text, span)| pattern(text, &span, problems));
        let alone = !["send", "http", "run", "wait"].iter().any(|key| table.has(key));
        let act = if alone && until.is_some() { None } else { Some(Act::of(&table, usual, problems)?) };
        table.end(problems);
        Some(Step { line, span, act, until })
    }
}

/// A list of words, or a text that is split at white space; what stands in a hole stays one word.
pub(crate) fn words(value: &Value<'_>, problems: &mut Problems<'_>) -> Vec<Template> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().map(|item| Template::read(item, problems)).collect(),
        DeValue::String(text) => {
            text.split_whitespace().map(|word| Template::text(word, &value.span(), problems)).collect()
        }
        other => {
            problems.add(&value.span(), format!("words cannot be {}", kind(other)), "write a list of texts");
            Vec::new()
        }
    }
}
