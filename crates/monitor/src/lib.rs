//! A log, judged line by line: nothing is sent, everything is watched.
//!
//! [`Watch`] is fed with lines and answers at once with what they show; its memory does not grow with the log. It keeps the
//! last steps, so that a violation can be told together with how it came about. The properties judge ([`interplay_temporal`]), and so do
//! the rules ([`rules`]). Where lines come from and where the
//! answers go is the caller's affair.

mod line;
mod patterns;
mod read;
mod rules;
mod saved;
mod sessions;
mod several;
mod told;

use interplay_answers::{
    LogBreach, LogJudges, LogLine, LogNote, LogProperty, LogRow, LogUnknown, LogVerdict, LogViolation, Monitored,
};
use interplay_diagnostics::{Code, Fault, Sources};
use interplay_logs::Reader as LogReader;
use interplay_model::Model;
use interplay_semantics::{Label, ModelError, State, Value, show_label, show_value};
use interplay_specification::{Context, Refusal};
use interplay_temporal::{Key, Monitor, MonitorState, Monitors, Reader, Step, Verdict};
use line::{Lines, Meaning};
pub use patterns::check_patterns;
use rules::{At, Rules, Said};
use serde_json::{Map, Value as Json};
use sessions::Sessions;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use told::{Need, Told};

/// So many steps are remembered to explain a violation.
const WINDOW: usize = 64;
/// So many of them are shown.
const SHOWN: usize = 12;
/// More different unknown names are not told apart.
const MOST_UNKNOWN: usize = 100;
/// More violations of one property are only counted.
const MOST_TOLD: u64 = 10;

/// The monitors of a specification under a setup.
pub fn monitors(context: &Context, setup: Option<&str>, properties: Option<&[String]>) -> Result<Monitors, Refusal> {
    let (instance, _) = context.under(setup, properties)?;
    Ok(Monitors::new(&instance, properties))
}

/// How to watch.
#[derive(Clone, Debug, Default)]
pub struct Monitoring {
    pub setup: Option<String>,
    /// By name; otherwise all.
    pub properties: Option<Vec<String>>,
    /// The log does not start where the system does.
    pub from_the_middle: bool,
    /// So many values of quantified properties at once.
    pub instances: Option<usize>,
    /// The rules do not judge.
    pub properties_only: bool,
    /// Actions that the log does not show.
    pub unlogged: Vec<String>,
    /// An event may stand so many places from where it happened.
    pub reorder: usize,
    /// The field that tells sessions apart; each is judged by itself.
    pub for_each: Option<String>,
    /// So many sessions at once.
    pub sessions: Option<usize>,
    /// The text of a pattern file, for a log that is not written for us.
    pub patterns: Option<String>,
}

#[derive(Clone)]
pub struct Watch {
    monitors: Arc<Monitors>,
    sources: Arc<Sources>,
    states: Vec<MonitorState>,
    seen: Reader,
    lines: Lines,
    /// Reads lines by the patterns of the user.
    reader: Option<LogReader>,
    starts_in_the_middle: bool,
    /// This run did.
    from_the_middle: bool,
    /// Which of several logs it is.
    connection: Option<u64>,
    session: Option<Arc<str>>,
    /// The sessions of this log, if it is many in one.
    sessions: Option<Sessions>,
    rules: Result<Rules, LogJudges>,
    /// What is hidden from each property.
    hidden: Arc<[Option<Need>]>,
    told: Vec<Told>,
    window: VecDeque<Past>,
    /// Steps of this run.
    step: u64,
    time: Option<u64>,
    state: Option<State>,
    unknown: BTreeMap<LogUnknown, u64>,
    /// Lines of the log that were judged before.
    before: u64,
    summary: Monitored,
}

/// A step that is over.
#[derive(Clone)]
struct Past {
    label: Label,
    state: Option<State>,
    time: Option<u64>,
}

impl Past {
    fn step(&self) -> Step<'_> {
        Step { label: Some(&self.label), state: self.state.as_ref(), time: self.time }
    }
}

impl Watch {
    pub fn new(context: &Context, request: &Monitoring) -> Result<Watch, Refusal> {
        let (instance, _) = context.under(request.setup.as_deref(), request.properties.as_deref())?;
        let mut monitors = Monitors::of_all(&instance, request.properties.as_deref());
        if let Some(most) = request.instances {
            monitors.monitors.iter_mut().for_each(|monitor| monitor.most_instances = most);
        }
        let rules = Rules::new(context, monitors.instance(), request).map_err(Refusal::from)?;
        let hidden = |monitor: &Monitor| match () {
            () if request.reorder > 0 => Some(Need::Order),
            () if rules::hides(&context.model, monitor, &request.unlogged) => Some(Need::Unlogged),
            () => None,
        };
        let hidden = monitors.monitors.iter().map(hidden).collect();
        let (monitors, sources) = (Arc::new(monitors), Arc::new(context.sources.clone()));
        let mut watch = Watch::begun(monitors, sources, request.from_the_middle, rules, hidden)
            .map_err(|error| context.broken(error))?;
        let patterns = request.patterns.as_deref().map(patterns::read_patterns).transpose();
        let patterns = patterns.map_err(|problems| Refusal::from(problems.join("\n")))?;
        watch.reader = patterns.map(|patterns| LogReader::new(patterns.into()));
        watch.sessions = request.for_each.as_deref().map(|field| Sessions::new(field, request.sessions));
        Ok(watch)
    }

    fn begun(
        monitors: Arc<Monitors>,
        sources: Arc<Sources>,
        from_the_middle: bool,
        rules: Result<Rules, LogJudges>,
        hidden: Arc<[Option<Need>]>,
    ) -> Result<Watch, ModelError> {
        let mut watch = Watch {
            sources,
            states: Vec::new(),
            seen: Reader::default(),
            lines: Lines::default(),
            reader: None,
            starts_in_the_middle: from_the_middle,
            from_the_middle,
            connection: None,
            session: None,
            sessions: None,
            rules,
            told: monitors.monitors.iter().zip(&hidden[..]).map(|(monitor, need)| Told::new(monitor, *need)).collect(),
            hidden,
            window: VecDeque::new(),
            step: 0,
            time: None,
            state: None,
            unknown: BTreeMap::new(),
            before: 0,
            summary: Monitored { runs: 1, ..Monitored::default() },
            monitors,
        };
        watch.summary.from = from_the_middle.then(|| "from the middle of a run".into());
        watch.begin(None, &mut Vec::new())?;
        Ok(watch)
    }

    /// So many lines of this log were judged before: counting goes on after them.
    pub fn after_line(&mut self, lines: u64) {
        self.before = lines;
        if let Some(from) = self.summary.from.as_mut().filter(|_| lines > 0) {
            *from += &format!(", after line {lines} of the log");
        }
    }

    /// The log ended in the middle of a line, which was not judged.
    pub fn is_cut(&self) -> bool {
        self.summary.cut
    }

    /// The line that came last.
    fn line(&self) -> LogLine {
        let number = self.before + self.summary.lines;
        LogLine { number, connection: self.connection, session: self.session.clone() }
    }

    /// Another run begins, at its beginning.
    fn anew(&mut self) -> Vec<LogNote> {
        self.summary.runs += u64::from(self.step > 0);
        self.from_the_middle = false;
        let initial = self.state.take();
        let mut notes = Vec::new();
        if let Err(error) = self.begin(initial, &mut notes) {
            notes.extend(self.broken(error.to_string()));
            return notes;
        }
        for index in 0..self.states.len() {
            // Position 0 is the initial state: what it breaks is broken before anything happens.
            if self.state.is_some() {
                self.told[index].is_fresh = false;
                let broken = broken(&self.monitors.monitors[index], Verdict::Open, &self.states[index]);
                self.tell(index, broken, &LogBreach::Property, &mut notes);
            }
        }
        notes
    }

    fn model(&self) -> &Model {
        self.monitors.instance().model()
    }

    /// A run begins, in this state if the log shows it.
    fn begin(&mut self, initial: Option<State>, notes: &mut Vec<LogNote>) -> Result<(), ModelError> {
        let monitors = self.monitors.clone();
        if let Ok(rules) = &mut self.rules {
            rules.begin(self.from_the_middle);
        }
        let known = initial.clone().or_else(|| self.known());
        self.states.clear();
        for (index, monitor) in monitors.monitors.iter().enumerate() {
            let told = &mut self.told[index];
            if self.from_the_middle {
                told.begin_in_the_middle();
                self.states.push(monitor.start_in_the_middle()?);
                continue;
            }
            let first = known.as_ref().filter(|_| !told.needs(Need::Inside));
            told.begin(first.is_some());
            let started = match monitor.start(first) {
                Ok(started) => started,
                // The log shows the state, but not all that is needed.
                Err(error) if error.code == Code::M001 => {
                    told.begin(false);
                    monitor.start(None)?
                }
                // One that goes wrong does not keep the others from being judged.
                Err(error) => {
                    self.goes_wrong(index, &error, notes);
                    monitor.start_in_the_middle()?
                }
            };
            self.states.push(started);
        }
        self.window.clear();
        (self.step, self.time, self.state) = (0, None, initial);
        Ok(())
    }

    /// Judges one line, without its end. `last`: the log ends here, perhaps in the middle of it.
    pub fn feed(&mut self, line: &str, last: bool) -> Vec<LogNote> {
        self.summary.lines += 1;
        // Some editors mark the beginning of a file by a character of its own.
        let line = line.strip_prefix('\u{feff}').filter(|_| self.line().number == 1).unwrap_or(line);
        if let Some(reader) = self.reader.take() {
            return self.feed_reader(reader, line);
        }
        if line.trim().is_empty() {
            return Vec::new();
        }
        self.feed_line(line::parse(line), last)
    }

    /// Judges a line that was counted, in its session if there are several.
    fn feed_line(&mut self, fields: Result<Map<String, Json>, String>, last: bool) -> Vec<LogNote> {
        match self.sessions.take() {
            Some(sessions) => self.feed_session(sessions, fields, last),
            None => self.feed_fields(fields, last),
        }
    }

    /// Judges the fields of a line that was counted.
    fn feed_fields(&mut self, fields: Result<Map<String, Json>, String>, last: bool) -> Vec<LogNote> {
        let here = self.line();
        let meaning = {
            let Watch { lines, monitors, state, .. } = self;
            fields.and_then(|fields| lines.read(monitors.instance(), &fields, state))
        };
        match meaning {
            Err(message) if last => {
                self.summary.cut = true;
                vec![LogNote::Problem {
                    line: here,
                    message: format!("the last line of the log is incomplete: {message}"),
                }]
            }
            Err(message) => self.broken(message),
            Ok(Meaning { unknown, labels, whole, refused, shown, time, reset }) => {
                unknown.into_iter().for_each(|unknown| self.came_unknown(unknown, 1));
                let mut notes = if reset { self.anew() } else { Vec::new() };
                let before = self.time;
                notes.extend(self.clock(time));
                for label in labels {
                    self.happen(label, whole, &mut notes);
                }
                self.ask_rules(&mut notes, |rules, _| refused.map_or(Said::Nothing, |event| rules.refused(&event)));
                self.ask_rules(&mut notes, |rules, _| rules.shown(&shown));
                if self.time > before {
                    self.pass(&mut notes);
                }
                notes
            }
        }
    }

    /// A line that nobody can use: too long, or not UTF-8.
    pub fn broken(&mut self, message: impl Into<String>) -> Vec<LogNote> {
        self.summary.broken_lines += 1;
        vec![LogNote::Problem { line: self.line(), message: message.into() }]
    }

    /// Counts a line that is not handed in.
    pub fn skip_line(&mut self, message: impl Into<String>) -> Vec<LogNote> {
        self.summary.lines += 1;
        self.broken(message)
    }

    /// Time goes on; a step that goes back happens now.
    fn clock(&mut self, time: Option<u64>) -> Vec<LogNote> {
        match (self.time, time) {
            (Some(before), Some(now)) if now < before => {
                self.summary.backwards += 1;
                let message = format!("time goes back from {before} to {now}; {before} is used");
                vec![LogNote::Problem { line: self.line(), message }]
            }
            (_, Some(_)) => {
                self.time = time;
                Vec::new()
            }
            (_, None) => Vec::new(),
        }
    }

    fn happen(&mut self, label: Label, whole: bool, notes: &mut Vec<LogNote>) {
        self.summary.steps += 1;
        self.step += 1;
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        self.window.push_back(Past { label, state: self.state.clone(), time: self.time });
        self.ask_rules(notes, |rules, last| last.map_or(Said::Nothing, |past| rules.step(&past.label, whole)));
        // What the log does not show the rules may know.
        if self.state.is_none() {
            let known = self.known();
            self.window.back_mut().expect("it was just added").state = known;
        }
        self.relations(notes);
        let step = self.window.back().expect("it was just added").step();
        self.monitors.read(step, &mut self.seen);
        for index in 0..self.states.len() {
            match self.judge(index) {
                Ok(broken) if self.told[index].is_hopeless => self.tell(index, broken, &LogBreach::Hopeless, notes),
                Ok(broken) => self.tell(index, broken, &LogBreach::Property, notes),
                // The log shows the state, but not all that is needed.
                Err(error) if error.code == Code::M001 => self.told[index].miss(Need::State),
                Err(error) => self.goes_wrong(index, &error, notes),
            }
        }
        if self.window.back().is_some_and(|past| past.label == Label::Silence) {
            self.rest(notes);
        }
    }

    /// Where the system is by the rules, if a property wants to know and only one state is possible.
    fn known(&self) -> Option<State> {
        let wanted = self.told.iter().any(|told| told.needs(Need::State));
        self.rules.as_ref().ok().filter(|_| wanted).and_then(Rules::known)
    }

    /// Tells what the rules say about the last step.
    fn ask_rules(&mut self, notes: &mut Vec<LogNote>, ask: impl FnOnce(&mut Rules, Option<&Past>) -> Said) {
        let Ok(rules) = &mut self.rules else { return };
        match ask(rules, self.window.back()) {
            Said::Nothing => {}
            Said::Refused(failure, lost) if rules.summary.refusals <= MOST_TOLD => {
                let at = At { line: self.line(), step: self.step, time: self.time, steps: self.last_steps() };
                let Ok(rules) = &self.rules else { return };
                notes.push(LogNote::Refusal(Box::new(rules.refusal(&self.sources, at, &failure, lost))));
            }
            Said::Refused(..) => {}
            Said::Wrong(message) => {
                self.summary.wrong += 1;
                notes.push(LogNote::Problem { line: self.line(), message });
            }
            Said::Stopped(why) => {
                let message = format!("the rules cannot judge from here on: {why}");
                notes.push(LogNote::Problem { line: self.line(), message });
            }
        }
    }

    /// Nobody knows where the property is after this.
    fn goes_wrong(&mut self, index: usize, error: &ModelError, notes: &mut Vec<LogNote>) {
        self.told[index].lost = true;
        let name = &self.monitors.monitors[index].name;
        let goes_wrong = error.code.fault() == Fault::Run;
        let what = if goes_wrong { "has a model error" } else { "cannot be evaluated" };
        notes.push(LogNote::Problem { line: self.line(), message: format!("`{name}` {what} here: {error}") });
        match goes_wrong {
            true => self.summary.wrong += 1,
            false => self.summary.broken_lines += 1,
        }
    }

    /// The log says that the system rests: the run so far is a whole one, and what was promised with a bound had to come by now. What is
    /// promised until a certain time has that time.
    fn rest(&mut self, notes: &mut Vec<LogNote>) {
        for index in 0..self.states.len() {
            let (monitor, state, told) =
                (&self.monitors.monitors[index], &mut self.states[index], &mut self.told[index]);
            if told.lost || told.is_hopeless || monitor.is_waiting(state) {
                continue;
            }
            let before = state.verdict;
            if monitor.end(state) {
                told.see(monitor, state);
                let broken = broken(monitor, before, state);
                self.tell(index, broken, &LogBreach::Rest, notes);
            }
        }
    }

    /// One property takes the step that was read. Answers for which values it broke.
    fn judge(&mut self, index: usize) -> Result<Vec<Key>, ModelError> {
        let step = self.window.back().expect("it was just added").step();
        let (monitor, state, told) = (&self.monitors.monitors[index], &mut self.states[index], &mut self.told[index]);
        self.monitors.step_triggers(index, &mut told.triggers, step, &self.seen);
        if !monitor.is_a_step(step) {
            return Ok(Vec::new());
        }
        told.line = self.summary.lines;
        if told.is_hopeless {
            return Ok(std::mem::take(&mut told.is_doomed).then(|| [].into()).into_iter().collect());
        }
        if !told.can_judge(step) {
            return Ok(Vec::new());
        }
        if told.lost {
            *state = monitor.start_in_the_middle()?;
            (told.lost, told.since, told.is_fresh) = (false, self.step - 1, true);
        }
        // For some values there may be no hope from the start.
        let doomed =
            if std::mem::take(&mut told.is_fresh) { monitor.violated_instances(state).to_vec() } else { Vec::new() };
        let before = state.verdict;
        self.monitors.step_one(index, state, step, &mut self.seen)?;
        told.see(monitor, state);
        told.owe(monitor, state, self.step);
        let mut broken = [doomed, broken(monitor, before, state)].concat();
        broken.sort();
        broken.dedup();
        Ok(broken)
    }

    /// The clock has gone on: a promise is broken whose time is over, also if nothing happens.
    fn pass(&mut self, notes: &mut Vec<LogNote>) {
        let Some(now) = self.time else { return };
        for index in 0..self.states.len() {
            let (monitor, state, told) =
                (&self.monitors.monitors[index], &mut self.states[index], &mut self.told[index]);
            // Who took a step in this line was judged by it.
            if !told.needs(Need::Time) || told.lost || told.line == self.summary.lines {
                continue;
            }
            let before = state.verdict;
            if monitor.pass(state, now) {
                told.see(monitor, state);
                let broken = broken(monitor, before, state);
                self.tell(index, broken, &LogBreach::Time, notes);
            }
        }
    }

    /// The property is violated for these values.
    fn tell(&mut self, index: usize, broken: Vec<Key>, breach: &LogBreach, notes: &mut Vec<LogNote>) {
        for key in broken {
            self.told[index].violations += 1;
            if self.told[index].violations <= MOST_TOLD {
                notes.push(self.violation(index, &key, breach.clone()));
            }
        }
    }

    fn relations(&mut self, notes: &mut Vec<LogNote>) {
        let step = self.window.back().expect("it was just added").step();
        let Some(error) = self.monitors.outside(step, &mut self.seen) else { return };
        self.summary.outside += 1;
        if self.summary.outside > MOST_TOLD {
            return;
        }
        let place = error.span.map_or(String::new(), |span| format!(" (`{}`)", self.sources.one_line(span)));
        notes.push(LogNote::Violation(Box::new(LogViolation {
            property: "relations".into(),
            doc: String::new(),
            instance: Vec::new(),
            line: self.line(),
            step: self.step,
            time: self.time,
            steps: self.last_steps(),
            breach: LogBreach::Relation(format!("{}{place}", error.message)),
            why: Vec::new(),
        })));
    }

    fn last_steps(&self) -> Vec<(u64, String)> {
        let shown = self.window.len().min(SHOWN);
        let first = self.step + 1 - shown as u64;
        let labels =
            self.window.iter().skip(self.window.len() - shown).map(|past| show_label(self.model(), &past.label));
        (first..).zip(labels).collect()
    }

    fn violation(&self, index: usize, key: &[Option<Value>], breach: LogBreach) -> LogNote {
        let monitor = &self.monitors.monitors[index];
        // What it missed says nothing about it.
        let before = self.told[index].since.max(self.step - self.window.len() as u64);
        let missed = self.window.len() - (self.step - before) as usize;
        let steps = self.window.iter().skip(missed).map(Past::step).filter(|step| monitor.is_a_step(*step));
        let steps: Vec<Step<'_>> = steps.collect();
        let why = monitor.why(&steps, key, self.from_the_middle || before > 0, self.time, SHOWN);
        let row = |row: interplay_temporal::WhyRow| LogRow {
            formula: self.sources.one_line(row.span),
            depth: row.depth,
            truths: row.truths.iter().map(|truth| truth.mark()).collect(),
        };
        let doc = self.model().properties.iter().find(|each| each.name == monitor.name).map(|each| each.doc.clone());
        LogNote::Violation(Box::new(LogViolation {
            property: monitor.name.clone(),
            doc: doc.unwrap_or_default(),
            instance: self.instance_of(monitor, key),
            line: self.line(),
            step: self.step,
            time: self.time,
            steps: self.last_steps(),
            breach,
            why: why.map_or(Vec::new(), |why| why.rows.into_iter().map(row).collect()),
        }))
    }

    fn instance_of(&self, monitor: &Monitor, key: &[Option<Value>]) -> Vec<(String, String)> {
        let Some(reading) = monitor.reading() else { return Vec::new() };
        let shown = |(variable, value): (&interplay_model::LocalId, &Option<Value>)| {
            let local = &reading.slots.locals[variable.0];
            let value = value.as_ref().map_or("any other".into(), |value| show_value(self.model(), &local.ty, value));
            (local.name.clone(), value)
        };
        reading.slots.variables.iter().zip(key).map(shown).collect()
    }

    /// What a property without a bound still waits for, for which values, and since when.
    fn owed(&self, monitor: &Monitor, state: &MonitorState, told: &Told) -> Option<String> {
        let (step, line) = told.owed?;
        let promised = monitor.reading()?.unbounded.as_ref()?.span()?;
        let shown = |key: &Key| {
            let values = self.instance_of(monitor, key).into_iter().map(|(name, value)| format!("{name} = {value}"));
            values.collect::<Vec<_>>().join(", ")
        };
        let keys: Vec<String> = monitor.owing(state).iter().map(shown).filter(|key| !key.is_empty()).collect();
        let whom = if keys.is_empty() { String::new() } else { format!(" for {}", keys.join(" and ")) };
        Some(format!("`{}`{whom}, since step {step} (line {line})", self.sources.one_line(promised)))
    }

    /// What is known now.
    pub fn summary(&self) -> Monitored {
        if self.sessions.is_some() {
            return self.together().summary();
        }
        let refused = self.monitors.refused.iter().map(|(name, span, refusal)| LogProperty {
            name: name.clone(),
            verdict: LogVerdict::NotJudged(refusal.reason(name, *span)),
            violations: 0,
            vacuous: false,
            instances: None,
        });
        let watched = self.monitors.monitors.iter().zip(&self.states).zip(&self.told);
        let properties = watched
            .map(|((monitor, state), told)| told.property(monitor, state, self.owed(monitor, state, told)))
            .chain(refused)
            .collect();
        let unknown = self.unknown.iter().map(|(name, times)| (name.clone(), *times)).collect();
        let rules = match &self.rules {
            Ok(rules) => LogJudges::Judged(rules.summary.clone()),
            Err(judges) => judges.clone(),
        };
        let idle = self.reader.iter().flat_map(LogReader::counts).filter(|(_, count)| *count == 0);
        let idle_patterns = idle.map(|(name, _)| name.to_string()).collect();
        Monitored { properties, unknown, rules, idle_patterns, ..self.summary.clone() }
    }
}

/// The values for which a property is violated now and was not before.
fn broken(monitor: &Monitor, before: Verdict, state: &MonitorState) -> Vec<Key> {
    match monitor.violated_instances(state) {
        [] if state.verdict == Verdict::Violated && before != Verdict::Violated => vec![[].into()],
        instances => instances.to_vec(),
    }
}
