//! The file: what is started, how it is reached, how each input is given, and what is read as what. Reading it finds all of its mistakes; whether it fits
//! a specification is `fits.rs`, and `session.rs` does what it says.

use crate::act::{Act, Given, Step, Usual, words};
use crate::convert::Conversions;
use crate::frame::Frame;
use crate::problem::{Problem, Problems, meant, place};
use crate::rule::{Rule, pattern};
use crate::table::{Table, Value, kind, text};
use crate::template::{FORMS, Template};
use regex::Regex;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::DeTable;

/// A binding without mistakes of its own.
#[derive(Clone, Debug)]
pub struct Binding {
    pub(crate) source: String,
    /// As the user named it.
    file: PathBuf,
    pub(crate) name: String,
    /// `[vars]`, and what replaces them.
    pub(crate) vars: Map<String, Json>,
    /// Of all programs.
    pub(crate) env: Vec<(String, Template)>,
    pub(crate) system: Option<SystemText>,
    pub(crate) link: Option<LinkText>,
    pub(crate) http: Option<HttpText>,
    /// After everything is open, before each run.
    pub(crate) reset: Vec<Step>,
    pub(crate) inputs: BTreeMap<String, Given>,
    /// Those that return nothing, as far as that is known.
    pub(crate) resultless: BTreeSet<String>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) conversions: Conversions,
    /// For the start, for opening, and for each step of a reset.
    pub(crate) within: Duration,
}

/// `[sut]`: a program to start.
#[derive(Clone, Debug)]
pub(crate) struct SystemText {
    pub(crate) run: Vec<Template>,
    pub(crate) files: Vec<(String, Template)>,
    pub(crate) dir: Option<Template>,
    /// A line that it prints when it can be used.
    pub(crate) ready: Option<Regex>,
    /// A new process for each run.
    pub(crate) restart: bool,
    pub(crate) terminal: bool,
}

/// `[link]`: connections.
#[derive(Clone, Debug)]
pub(crate) struct LinkText {
    pub(crate) to: Template,
    pub(crate) frame: Frame,
    /// One connection per value of this parameter.
    pub(crate) per: Option<String>,
    pub(crate) of: Vec<Json>,
    pub(crate) keep: bool,
    pub(crate) open: Vec<Step>,
    pub(crate) auto: Vec<(Regex, Template)>,
    pub(crate) fence: Option<Fence>,
    /// The result is the list of all answers up to the fence.
    pub(crate) collect: bool,
    pub(crate) close: Vec<Template>,
}

/// What ends the answer to an input.
#[derive(Clone, Debug)]
pub(crate) struct Fence {
    pub(crate) send: Option<Template>,
    pub(crate) until: Regex,
}

/// `[http]`
#[derive(Clone, Debug)]
pub(crate) struct HttpText {
    pub(crate) base: Template,
    pub(crate) headers: Vec<(String, Template)>,
    /// Cookies are kept: one jar for each value of this parameter; with an empty name there is one jar.
    pub(crate) cookies: Option<String>,
}

const WITHIN: Duration = Duration::from_secs(10);

impl Binding {
    /// Reads the text of `file`. `vars` replace those of the file.
    pub fn read(text: &str, file: &Path, vars: &[(String, String)]) -> Result<Binding, Vec<Problem>> {
        let mut problems = Problems::new(text);
        let root = match DeTable::parse(text) {
            Ok(root) => root,
            Err(error) => {
                problems.add(&error.span().unwrap_or(0..0), format!("this is not TOML: {}", error.message()), "");
                return Err(problems.sorted());
            }
        };
        let table = Table::new(root.get_ref(), "a binding", 0..0);
        let binding = Binding::of(&table, text, file, vars, &mut problems);
        table.end(&mut problems);
        binding.check_forms(&mut problems);
        if problems.found.is_empty() { Ok(binding) } else { Err(problems.sorted()) }
    }

    fn of(
        table: &Table<'_>,
        source: &str,
        file: &Path,
        vars: &[(String, String)],
        problems: &mut Problems<'_>,
    ) -> Binding {
        let link = table.table("link", problems);
        let http = table.table("http", problems);
        let codec = link.as_ref().and_then(|link| Frame::read(link, problems)).unwrap_or_default();
        let usual = match (&link, &http) {
            (Some(_), _) if codec.is_resp() => Usual::Words,
            (Some(_), _) => Usual::Send,
            (None, Some(_)) => Usual::Http,
            (None, None) => Usual::Run,
        };
        let steps = |items: Vec<&Value<'_>>, problems: &mut Problems<'_>| -> Vec<Step> {
            let step = |item: &&Value<'_>| Step::read(item, usual, place(source, item.span().start).0, problems);
            items.iter().filter_map(step).collect()
        };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let reset = steps(table.list("reset", problems), problems);
        let link = link.map(|link| LinkText::read(&link, codec, &steps, usual, problems));
        let inputs = table.table("input", problems);
        let entries = inputs.iter().flat_map(Table::entries);
        let inputs =
            entries.filter_map(|(name, _, value)| Some((name.into(), Given::read(name, value, usual, problems)?)));
        let inputs: BTreeMap<String, Given> = inputs.collect();
        if inputs.is_empty() {
            problems.add(&(0..0), "the binding gives no input", "write [input] with a line for each input");
        }
        let rules = table.list("read", problems);
        let rules = rules.into_iter().filter_map(|rule| Table::of(rule, "[[read]]", problems)).collect::<Vec<_>>();
        let values = table.table("value", problems);
        Binding {
            name: table.text("name", problems).map_or(stem, |(name, _)| name.into()),
            vars: variables(table, vars, problems),
            env: named(table.table("env", problems), problems),
            system: table.table("sut", problems).map(|system| SystemText::read(system, problems)),
            link,
            http: http.map(|http| HttpText::read(http, problems)),
            reset,
            inputs,
            resultless: BTreeSet::new(),
            rules: rules.into_iter().filter_map(|rule| Rule::read(rule, source, problems)).collect(),
            conversions: values.map(|values| Conversions::read(&values, problems)).unwrap_or_default(),
            within: table.time("within", problems).unwrap_or(WITHIN),
            source: source.into(),
            file: file.into(),
        }
    }

    /// The folder of the file: programs are started there.
    pub fn folder(&self) -> PathBuf {
        match self.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
            _ => ".".into(),
        }
    }

    /// It says how this input is given.
    pub fn gives(&self, input: &str) -> bool {
        self.inputs.contains_key(input)
    }

    /// The lines where its rules stand.
    pub fn rules(&self) -> Vec<usize> {
        self.rules.iter().map(|rule| rule.line).collect()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Every run is one of a process of its own.
    pub fn starts_anew(&self) -> bool {
        self.system.as_ref().is_some_and(|system| system.restart)
    }

    /// It starts the system itself, so that a new session is one of a new process.
    pub fn starts_the_system(&self) -> bool {
        self.system.is_some() || self.link.is_none() && self.http.is_none()
    }

    /// All steps of opening and of a reset.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.reset.iter().chain(self.link.iter().flat_map(|link| &link.open))
    }

    fn check_forms(&self, problems: &mut Problems<'_>) {
        let mut used: Vec<(std::ops::Range<usize>, String)> = Vec::new();
        let mut note = |span: &std::ops::Range<usize>, template: &Template| {
            let mut forms = Vec::new();
            template.forms(&mut forms);
            used.extend(forms.into_iter().map(|form| (span.clone(), form)));
        };
        for given in self.inputs.values() {
            given.acts().iter().flat_map(|act| act.templates()).for_each(|template| note(&given.span, template));
        }
        self.rules.iter().for_each(|rule| {
            rule.templates().into_iter().for_each(|template| note(&rule.span, template));
        });
        self.conversions.templates().for_each(|template| note(&(0..0), template));
        for (span, form) in used {
            if !FORMS.contains(&form.as_str()) && !self.conversions.has(&form) {
                let help = meant(&form, FORMS.into_iter().chain(self.conversions.names()));
                problems.add(
                    &span,
                    format!("there is no form `{form}`"),
                    format!("{help}; [[value.{form}]] defines it"),
                );
            }
        }
        let acts =
            || self.inputs.values().flat_map(|given| given.acts().into_iter().map(move |act| (&given.span, act)));
        for (span, act) in acts() {
            match act {
                Act::Send(_) if self.link.is_none() => {
                    problems.add(span, "`send` needs a connection", "write [link] with `to = \"127.0.0.1:{port}\"`");
                }
                Act::Http(_) if self.http.is_none() => {
                    let help = "write [http] with `base = \"http://127.0.0.1:{port}\"`";
                    problems.add(span, "a request needs an address", help);
                }
                _ => {}
            }
        }
    }
}

impl PartialEq for Binding {
    fn eq(&self, other: &Binding) -> bool {
        (&self.source, &self.file, &self.vars) == (&other.source, &other.file, &other.vars)
    }
}

impl Eq for Binding {}

/// Those of the file; the user's replace them.
fn variables(table: &Table<'_>, own: &[(String, String)], problems: &mut Problems<'_>) -> Map<String, Json> {
    let given = table.table("vars", problems);
    let entries = given.iter().flat_map(Table::entries);
    let mut vars: Map<String, Json> = entries
        .filter_map(|(name, _, value)| match Template::read(value, problems) {
            Template::Value(value) => Some((name.to_string(), value)),
            _ => Some((name.to_string(), text(value, name, problems)?.into())),
        })
        .collect();
    for (name, value) in own {
        match vars.get_mut(name) {
            Some(var) => *var = value.as_str().into(),
            None => {
                let help = meant(name, vars.keys().map(String::as_str));
                problems.add(&(0..0), format!("[vars] has no `{name}`, which the command line gives a value"), help);
            }
        }
    }
    vars
}

fn named(table: Option<Table<'_>>, problems: &mut Problems<'_>) -> Vec<(String, Template)> {
    let entries = table.iter().flat_map(Table::entries);
    entries.map(|(name, _, value)| (name.to_string(), Template::read(value, problems))).collect()
}

impl SystemText {
    fn read(table: Table<'_>, problems: &mut Problems<'_>) -> SystemText {
        let run = table.get("run").map(|value| words(value, problems)).unwrap_or_default();
        if run.is_empty() {
            problems.add(&table.span, "[sut] does not say what to start", "write `run = [\"program\", \"{port}\"]`");
        }
        let ready = table.text("ready", problems);
        let system = SystemText {
            run,
            files: named(table.table("files", problems), problems),
            dir: table.get("dir").map(|value| Template::read(value, problems)),
            ready: ready.and_then(|(text, span)| pattern(text, &span, problems)),
            restart: table.truth("restart", problems),
            terminal: table.truth("terminal", problems),
        };
        table.end(problems);
        system
    }
}

impl LinkText {
    fn read(
        table: &Table<'_>,
        frame: Frame,
        steps: &dyn Fn(Vec<&Value<'_>>, &mut Problems<'_>) -> Vec<Step>,
        usual: Usual,
        problems: &mut Problems<'_>,
    ) -> LinkText {
        let to = table.get("to").map(|value| Template::read(value, problems));
        if to.is_none() {
            let help = "`to = \"127.0.0.1:{port}\"`, `to = \"ws://127.0.0.1:{port}/\"`, or `to = \"stdio\"`";
            problems.add(&table.span, "[link] does not say where it leads", help);
        }
        let of = table.list("of", problems).into_iter().map(|value| match Template::read(value, problems) {
            Template::Value(value) => value,
            _ => value.get_ref().as_str().unwrap_or_default().into(),
        });
        let of: Vec<Json> = of.collect();
        let per = table.text("per", problems);
        if let (Some((per, span)), true) = (&per, of.is_empty()) {
            let help = format!("write `of = [...]` with the values of `{per}`");
            problems.add(span, "`per` needs the values that have a connection each", help);
        }
        let message = |value: &Value<'_>, problems: &mut Problems<'_>| match usual {
            Usual::Words => Template::List(words(value, problems)),
            _ => Template::read(value, problems),
        };
        let auto = table.list("auto", problems).into_iter().filter_map(|value| {
            let auto = Table::of(value, "auto", problems)?;
            let when = auto.text("match", problems);
            let when = when.and_then(|(text, span)| pattern(text, &span, problems));
            let send = auto.get("send").map(|value| message(value, problems));
            if when.is_none() || send.is_none() {
                problems.add(&value.span(), "an automatic answer needs `match` and `send`", "");
            }
            auto.end(problems);
            Some((when?, send?))
        });
        let auto: Vec<_> = auto.collect();
        let fence = table.table("fence", problems).and_then(|fence| {
            let send = fence.get("send").map(|value| message(value, problems));
            // The number of the fence is found by the same pattern, whatever it is.
            let until = fence
                .text("until", problems)
                .and_then(|(text, span)| pattern(&text.replacen("{n}", "(?P<n>[0-9]+)", 1), &span, problems));
            if !fence.has("until") {
                problems.add(&fence.span, "a fence needs `until`", "the pattern of the line that ends an answer");
            }
            fence.end(problems);
            Some(Fence { send, until: until? })
        });
        LinkText {
            to: to.unwrap_or(Template::Value(Json::Null)),
            frame,
            per: per.map(|(per, _)| per.into()),
            of,
            keep: table.truth("keep", problems),
            open: steps(table.list("open", problems), problems),
            auto,
            fence,
            collect: table.truth("collect", problems),
            close: table.list("close", problems).into_iter().map(|value| message(value, problems)).collect(),
        }
    }
}

impl HttpText {
    fn read(table: Table<'_>, problems: &mut Problems<'_>) -> HttpText {
        let base = table.get("base").map(|value| Template::read(value, problems));
        if base.is_none() {
            problems.add(&table.span, "[http] has no address", "write `base = \"http://127.0.0.1:{port}\"`");
        }
        let cookies = table.get("cookies").and_then(|value| match value.get_ref().as_bool() {
            Some(kept) => kept.then(String::new),
            None => match value.get_ref().as_str() {
                Some(parameter) => Some(parameter.to_string()),
                None => {
                    let message = format!("`cookies` cannot be {}", kind(value.get_ref()));
                    problems.add(&value.span(), message, "true, or the parameter whose values have cookies each");
                    None
                }
            },
        });
        let headers = named(table.table("headers", problems), problems);
        table.end(problems);
        HttpText { base: base.unwrap_or(Template::Value(Json::Null)), headers, cookies }
    }
}
