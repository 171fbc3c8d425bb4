//! The description of a system, and the conversation about it.

use crate::crash;
use crate::message::{Answer, Event, Message, Offer, Signal};
use crate::outbox::Outbox;
use crate::signature::Signature;
use crate::{Args, Emitter, ToArgs};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};
use std::sync::Arc;

const PROTOCOL: u64 = 1;

/// What comes back from an input.
pub type Reply<T> = Result<T, Problem>;

/// Why an input has no result. Any error becomes [`Problem::Raised`] by `?`, and a panic does too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The system does not take this input now. Interplay judges whether that is right.
    Refused(String),
    /// The system failed. If the specification says that the input `raises` this error, by its type or one of the other `kinds` (the case of an
    /// enum), that is judged; otherwise it is a crash, told apart by the type of the error and its place.
    Raised { error: String, kinds: Vec<String>, message: String, place: String },
    /// The adapter cannot go on. This is never a verdict on the system.
    Failed(String),
}

/// The system does not take this input now.
pub fn refused(reason: impl Into<String>) -> Problem {
    Problem::Refused(reason.into())
}

/// The adapter cannot go on, which says nothing about the system.
#[track_caller]
pub fn failed(reason: impl std::fmt::Display) -> Problem {
    Problem::Failed(format!("{reason} ({})", crash::here()))
}

impl<E: std::error::Error> From<E> for Problem {
    #[track_caller]
    fn from(error: E) -> Problem {
        let (message, place) = (error.to_string(), crash::here());
        Problem::Raised { error: crash::name_of::<E>(), kinds: crash::case_of(&error), message, place }
    }
}

type Make<S> = Box<dyn FnMut(Emitter) -> Reply<S>>;
type Give<S> = Box<dyn FnMut(&mut S, &Args) -> Reply<Value>>;
type Step<S> = Box<dyn FnMut(&mut S, &Map<String, Value>) -> Reply<Vec<(String, Args)>>>;
type Enabled<S> = Box<dyn FnMut(&mut S) -> Vec<(&'static str, Value)>>;
type Snapshot<S> = Box<dyn FnMut(&mut S) -> String>;

/// A system with its inputs and outputs. `S` is whatever represents it between two resets.
pub struct Adapter<S> {
    name: String,
    make: Make<S>,
    inputs: Vec<(Signature, Option<Give<S>>)>,
    outputs: Vec<Signature>,
    step: Option<Step<S>>,
    enabled: Option<Enabled<S>>,
    snapshot: Option<Snapshot<S>>,
    configure: Box<dyn FnMut(&Value)>,
    /// Answers are to say what would be taken next.
    along: bool,
    /// What they said last.
    said: Vec<Offer>,
}

impl<S> Adapter<S> {
    /// `make` brings the system into its initial state; it is called for every reset, after the last system was dropped.
    pub fn new(name: &str, make: impl FnMut(Emitter) -> Reply<S> + 'static) -> Adapter<S> {
        Adapter {
            name: name.to_string(),
            make: Box::new(make),
            inputs: Vec::new(),
            outputs: Vec::new(),
            step: None,
            enabled: None,
            snapshot: None,
            configure: Box::new(|_| {}),
            along: false,
            said: Vec::new(),
        }
    }

    /// An input with the names of its parameters, such as `enter(code)`, and what to do with it.
    pub fn input<R: Serialize>(
        mut self,
        action: &str,
        mut give: impl FnMut(&mut S, &Args) -> Reply<R> + 'static,
    ) -> Adapter<S> {
        let give: Give<S> = Box::new(move |system, args| {
            let result = give(system, args)?;
            serde_json::to_value(result)
                .map_err(|error| Problem::Failed(format!("the result cannot be written: {error}")))
        });
        self.inputs.push((Signature::parse(action), Some(give)));
        self
    }

    /// An output with the names of its parameters, such as `arrived(floor)`.
    pub fn output(mut self, action: &str) -> Adapter<S> {
        self.outputs.push(Signature::parse(action));
        self
    }

    /// An input that only [`Adapter::step`] takes.
    pub fn signal(mut self, action: &str) -> Adapter<S> {
        self.inputs.push((Signature::parse(action), None));
        self
    }

    /// For synchronous systems: takes all inputs of one step, by name, and gives all its outputs.
    pub fn step<A: ToArgs>(
        mut self,
        mut step: impl FnMut(&mut S, &Map<String, Value>) -> Reply<Vec<(&'static str, A)>> + 'static,
    ) -> Adapter<S> {
        self.step = Some(Box::new(move |system, inputs| {
            let outputs = step(system, inputs)?;
            Ok(outputs.into_iter().map(|(name, args)| (name.to_string(), args.to_args())).collect())
        }));
        self
    }

    /// Optional: the inputs that the system would take now, each with its arguments; `Value::Null` stands for any.
    pub fn enabled(mut self, enabled: impl FnMut(&mut S) -> Vec<(&'static str, Value)> + 'static) -> Adapter<S> {
        self.enabled = Some(Box::new(enabled));
        self
    }

    /// Optional: a name of the present state; equal names mean equal futures.
    pub fn snapshot(mut self, snapshot: impl FnMut(&mut S) -> String + 'static) -> Adapter<S> {
        self.snapshot = Some(Box::new(snapshot));
        self
    }

    /// Optional: looks at the settings of the campaign (`setup`, `seed`, `constants`).
    pub fn configure(mut self, configure: impl FnMut(&Value) + 'static) -> Adapter<S> {
        self.configure = Box::new(configure);
        self
    }

    /// Speaks the protocol on standard input and output until it ends.
    pub fn serve(self) -> io::Result<()> {
        self.serve_on(io::stdin().lock(), io::stdout())
    }

    /// Speaks the protocol on any pair of streams, such as the two ends of a connection.
    pub fn serve_on(mut self, mut read: impl BufRead, write: impl Write + Send + 'static) -> io::Result<()> {
        let outbox = Outbox::new(Box::new(write), self.outputs.clone());
        crash::remember_panics();
        if let Some(mistake) = self.mistake() {
            return fail(&outbox, &mistake);
        }
        outbox.say(&self.hello())?;
        let mut system = None;
        let mut line = Vec::new();
        loop {
            line.clear();
            if read.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let message: Message = match serde_json::from_slice(&line) {
                Ok(message) => message,
                Err(error) => return fail(&outbox, &format!("this is no message: {error}")),
            };
            if message.kind == "bye" {
                return Ok(());
            }
            if message.kind == "configure" {
                let settings: Value = serde_json::from_slice(&line)?;
                self.along = settings["enabled"] == true;
                (self.configure)(&settings);
                continue;
            }
            let id = message.id;
            match self.answer(&outbox, &mut system, message) {
                Ok(Some(answer)) => outbox.say(&answer)?,
                Ok(None) => {}
                Err(Problem::Refused(reason)) => {
                    outbox.say(&Answer::Refused { id, reason, before: None, enabled: None })?;
                }
                Err(Problem::Raised { error, kinds, message, place }) => {
                    outbox.say(&Answer::Raised { id, error, kinds, message, place })?;
                }
                Err(Problem::Failed(problem)) => return fail(&outbox, &problem),
            }
        }
    }

    /// What is wrong with the description is best found before the first run.
    fn mistake(&self) -> Option<String> {
        let names: Vec<&str> =
            self.inputs.iter().map(|(input, _)| input).chain(&self.outputs).map(|each| each.name.as_str()).collect();
        if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Some(format!("`{}` is declared twice", twice.1));
        }
        let signal = self.inputs.iter().find(|(_, give)| give.is_none() && self.step.is_none());
        signal.map(|(input, _)| format!("`{}` is a signal, but there is no `step` that takes it", input.name))
    }

    fn hello(&self) -> Value {
        let optional = [
            ("ahead", true),
            ("step", self.step.is_some()),
            ("enabled", self.enabled.is_some()),
            ("snapshot", self.snapshot.is_some()),
        ];
        let features: Vec<&str> = optional.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
        let inputs = self.inputs.iter().map(|(signature, _)| signature.json("input"));
        let actions: Vec<Value> = inputs.chain(self.outputs.iter().map(|output| output.json("output"))).collect();
        json!({ "type": "hello", "name": self.name, "protocol": PROTOCOL, "features": features, "actions": actions })
    }

    fn answer(&mut self, outbox: &Arc<Outbox>, system: &mut Option<S>, message: Message) -> Reply<Option<Answer>> {
        let (id, kind) = (message.id, &*message.kind);
        if kind == "reset" {
            let before = system.as_mut().and_then(|system| self.taken(system));
            let before = before.map(|offers| names(&offers));
            let emitter = outbox.next_run();
            *system = None;
            let made = crash::caught(|| (self.make)(emitter)).map_err(not_ready)?;
            let made = system.insert(made);
            let enabled = self.offering(made);
            return Ok(Some(Answer::Ready { id, time: outbox.now(), before, enabled }));
        }
        if !matches!(kind, "input" | "step" | "enabled" | "snapshot") {
            return Ok(None);
        }
        let Some(system) = system else { return Err(Problem::Failed(format!("{kind} before the first reset"))) };
        outbox.hold();
        match (kind, &mut self.step, &mut self.enabled, &mut self.snapshot) {
            ("input", ..) => {
                // It says so if it changed on its own.
                let before = self.taken(system).filter(|now| *now != self.said).map(|offers| names(&offers));
                let given = self.give(system, &message.action, &message.args);
                // Nobody knows what one takes that crashed.
                let enabled =
                    given.as_ref().err().is_none_or(Problem::is_refusal).then(|| self.offering(system)).flatten();
                match given {
                    Ok(result) => Ok(Some(Answer::Accepted { id, result, before, enabled })),
                    Err(Problem::Refused(reason)) => Ok(Some(Answer::Refused { id, reason, before, enabled })),
                    Err(failed) => Err(failed),
                }
            }
            ("step", Some(step), ..) => {
                let inputs = signals(&self.inputs, message.inputs)?;
                let outputs = crash::caught(|| step(system, &inputs))?;
                outputs.iter().try_for_each(|(name, args)| outbox.check(name, args)).map_err(Problem::Failed)?;
                let outputs = outputs.into_iter().map(|(action, args)| Event { action, args: args.0 }).collect();
                Ok(Some(Answer::Stepped { id, outputs }))
            }
            ("enabled", _, Some(enabled), _) => Ok(Some(Answer::Enabled { id, events: offers(enabled, system) })),
            ("snapshot", .., Some(snapshot)) => Ok(Some(Answer::Snapshot { id, state: snapshot(system) })),
            _ => Err(Problem::Failed(format!("this system has no `{kind}`"))),
        }
    }

    /// What would be taken next, if Interplay wants to know that.
    fn offering(&mut self, system: &mut S) -> Option<Vec<Offer>> {
        let offers = self.taken(system)?;
        self.said.clone_from(&offers);
        Some(offers)
    }

    /// What would be taken now, if Interplay wants to know that.
    fn taken(&mut self, system: &mut S) -> Option<Vec<Offer>> {
        let enabled = self.enabled.as_mut().filter(|_| self.along)?;
        Some(offers(enabled, system))
    }

    fn give(&mut self, system: &mut S, action: &str, args: &Args) -> Reply<Value> {
        let found = self.inputs.iter_mut().find(|(signature, _)| signature.name == action);
        let Some((signature, Some(give))) = found else { return Err(refused(format!("there is no input {action}"))) };
        if !args.has_exactly(&signature.parameters) {
            return Err(refused(format!("{action} takes {:?}, not {:?}", signature.parameters, args.as_map())));
        }
        crash::caught(|| give(system, args))
    }
}

impl Problem {
    fn is_refusal(&self) -> bool {
        matches!(self, Problem::Refused(_))
    }
}

/// A system that does not even begin is nothing to judge.
fn not_ready(problem: Problem) -> Problem {
    match problem {
        Problem::Raised { error, message, place, .. } => Problem::Failed(format!("{error}: {message} ({place})")),
        other => other,
    }
}

fn offers<S>(enabled: &mut Enabled<S>, system: &mut S) -> Vec<Offer> {
    enabled(system).into_iter().map(|(action, args)| Offer { action, args }).collect()
}

fn names(offers: &[Offer]) -> Vec<&'static str> {
    offers.iter().map(|offer| offer.action).collect()
}

/// The inputs of a step: each action with its arguments.
fn signals<G>(declared: &[(Signature, G)], inputs: Vec<Signal>) -> Reply<Map<String, Value>> {
    let mut signals = Map::new();
    for Signal { action, args } in inputs {
        if !declared.iter().any(|(signature, _)| signature.name == action) {
            return Err(refused(format!("there is no input {action}")));
        }
        signals.insert(action, Value::Object(args.0));
    }
    Ok(signals)
}

/// Tells Interplay and whoever started us.
fn fail(outbox: &Outbox, problem: &str) -> io::Result<()> {
    outbox.say(&Answer::Error { message: problem.to_string() })?;
    Err(io::Error::other(problem.to_string()))
}
