//! Tries a binding on its system: every input once, on a way that the specification allows, with all that went over the wire.
//!
//! Nothing is judged. The specification only says which inputs are possible where; where the system does something else the way ends, and the next one begins.

use crate::{Context, Host, Refusal, sut};
use interplay_adapter::binding::{Binding, Session};
use interplay_adapter::{Address, Codec, Target};
use interplay_answers::{TriedBinding, TriedInput, TriedRule};
use interplay_model::{Action, Direction, Discipline};
use interplay_semantics::{Event, Instance, Label, ModelError, State, show_label};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many ways of so many inputs are tried.
const WAYS: usize = 30;
const STEPS: usize = 20;
/// For outputs after an input.
const LISTEN: Duration = Duration::from_millis(50);

/// Which binding to try.
#[derive(Clone, Debug)]
pub struct Request {
    /// `FILE.toml`, with `name=value` behind it for its variables.
    pub sut: String,
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// For each answer.
    pub limit: Duration,
}

/// What came of each input, and what each rule did.
pub type Answer = TriedBinding;

/// Gives every input once.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { sut, setup, limit } = request;
    let (setup, limit) = (setup.as_deref(), *limit);
    let Target::Adapter(Address::Bound(binding)) = sut::target(sut, Some(&context.model), host)? else {
        return Err(Refusal::request(format!("`{sut}` is no binding"), "name a file: --sut FILE.toml"));
    };
    if context.model.discipline == Discipline::Synchronous {
        let help = "write an adapter: docs/how-to/write-an-adapter.md";
        return Err(Refusal::request("a binding cannot drive a synchronous system", help));
    }
    let (instance, _) = context.under(setup, None)?;
    let mut tried = Trying::new(&instance, &binding, limit, host);
    let outcome = tried.all(&binding);
    let mut told = tried.told(sut, &binding);
    match outcome {
        Ok(()) => {}
        Err(Stop::Problem(problem)) => told.problem = Some(problem),
        Err(Stop::Model(error)) => return Err(context.broken(error)),
    }
    Ok(told)
}

enum Stop {
    /// The system cannot be talked to any more, or the binding has no word for what it says.
    Problem(String),
    Model(ModelError),
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Stop {
        Stop::Model(error)
    }
}

struct Trying<'t> {
    instance: &'t Instance,
    host: &'t dyn Host,
    codec: Codec,
    limit: Duration,
    session: Option<Session>,
    /// By their names.
    given: BTreeMap<String, TriedInput>,
    wire: Vec<String>,
    /// Changes from one input to the next.
    turn: usize,
}

impl<'t> Trying<'t> {
    fn new(instance: &'t Instance, _: &Binding, limit: Duration, host: &'t dyn Host) -> Trying<'t> {
        Trying {
            instance,
            host,
            codec: Codec::new(instance.shared_model().clone()),
            limit,
            session: None,
            given: BTreeMap::new(),
            wire: Vec::new(),
            turn: 0,
        }
    }

    fn all(&mut self, binding: &Arc<Binding>) -> Result<(), Stop> {
        let mut session = Session::start(binding.clone()).map_err(Stop::Problem)?;
        session.keep_all();
        self.session = Some(session);
        for _ in 0..WAYS {
            self.way()?;
            if self.is_done(binding) || self.host.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    /// Every input was given, and every rule used.
    fn is_done(&self, binding: &Binding) -> bool {
        let seen = self.session.as_ref().map(|session| session.wire().seen()).unwrap_or_default();
        let used = |line: &usize| seen.iter().any(|seen| seen.rules.first() == Some(line));
        self.given.len() == self.inputs().count() && binding.rules().iter().all(used)
    }

    fn inputs(&self) -> impl Iterator<Item = &'t Action> + use<'t> {
        self.instance.model().actions.iter().filter(|action| action.direction == Direction::Input)
    }

    /// From the initial state, until nothing is left to do.
    fn way(&mut self) -> Result<(), Stop> {
        self.codec.forget();
        self.ask(json!({ "type": "reset", "id": 0 }))?;
        let mut states = self.instance.closure(&self.instance.initial()?.into_iter().collect())?;
        for _ in 0..STEPS {
            let Some(event) = self.chosen(&states)? else { break };
            let Some(label) = self.give(event)? else { break };
            states = self.instance.after(&states, &label)?;
            while let Some(output) = self.output()? {
                states = self.instance.after(&states, &Label::output(output))?;
            }
            // The system does something else than the specification says, which a test would judge.
            if states.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// An input that was not given yet, if there is one; the way to it leads through others.
    fn chosen(&mut self, states: &BTreeSet<State>) -> Result<Option<Event>, Stop> {
        let Some(state) = states.first() else { return Ok(None) };
        let possible: Vec<Event> = self.instance.enabled_inputs(state)?.into_iter().collect();
        let name = |event: &Event| &self.instance.model().actions[event.action.0].name;
        let fresh: Vec<&Event> = possible.iter().filter(|event| !self.given.contains_key(name(event))).collect();
        self.turn += 1;
        // A stride without a small factor visits all of them in turn.
        let at = |count: usize| self.turn * 7919 % count.max(1);
        Ok(fresh.get(at(fresh.len())).copied().or(possible.get(at(possible.len()))).cloned())
    }

    /// What happened, if the input was taken.
    fn give(&mut self, event: Event) -> Result<Option<Label>, Stop> {
        let model = self.instance.model();
        let action = &model.actions[event.action.0];
        let names = action.params.iter().map(|param| param.name.clone());
        let args: Map<String, Json> = names.zip(self.codec.arguments(&event)).collect();
        self.wire.clear();
        let answer = self.ask(json!({ "type": "input", "id": 1, "action": action.name, "args": args }));
        let shown = show_label(model, &Label::input(event.clone()));
        let (told, label) = match &answer {
            Ok(answer) => match answer["type"].as_str().unwrap_or_default() {
                "accepted" => match self.codec.read_result(event.action, answer.get("result")) {
                    Ok(result) => {
                        let told = match answer["result"].is_null() {
                            true => "accepted".into(),
                            false => answer["result"].to_string(),
                        };
                        (told, Some(Label::input(Event { result, ..event })))
                    }
                    Err(why) => (format!("{} does not fit: {why}", answer["result"]), None),
                },
                "refused" => (format!("refused: {}", answer["reason"].as_str().unwrap_or_default()), None),
                _ => {
                    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_string();
                    (format!("raised {}: {}", text("error"), text("message")), None)
                }
            },
            Err(Stop::Problem(why)) => (why.clone(), None),
            Err(Stop::Model(_)) => (String::new(), None),
        };
        let tried = TriedInput { name: action.name.clone(), event: Some(shown), answer: told, wire: self.wire.clone() };
        self.given.entry(action.name.clone()).or_insert(tried);
        answer.map(|_| label)
    }

    fn output(&mut self) -> Result<Option<Event>, Stop> {
        let Some(message) = self.next(Instant::now() + LISTEN)? else { return Ok(None) };
        let name = message["action"].as_str().unwrap_or_default();
        self.codec.read(Direction::Output, name, message.get("args")).map(Some).map_err(Stop::Problem)
    }

    fn ask(&mut self, question: Json) -> Result<Json, Stop> {
        let deadline = Instant::now() + self.limit;
        if let Some(session) = &mut self.session {
            session.take(question.to_string().as_bytes(), deadline).map_err(|ended| Stop::Problem(ended.0))?;
        }
        while let Some(message) = self.next(deadline)? {
            // Outputs that came before.
            if message.get("id").is_some() {
                return Ok(message);
            }
        }
        Err(Stop::Problem(format!("no answer within {:?}", self.limit)))
    }

    /// The next message of the binding.
    fn next(&mut self, deadline: Instant) -> Result<Option<Json>, Stop> {
        let Some(session) = &mut self.session else { return Ok(None) };
        let next = session.next(deadline);
        self.wire.extend(session.take_wire());
        let Some(line) = next.map_err(|ended| Stop::Problem(ended.0))? else { return Ok(None) };
        let message: Json = serde_json::from_str(&line).unwrap_or_default();
        match message["type"].as_str() {
            Some("error") => Err(Stop::Problem(message["message"].as_str().unwrap_or_default().into())),
            Some("hello") => self.next(deadline),
            _ => Ok(Some(message)),
        }
    }

    fn told(&mut self, sut: &str, binding: &Binding) -> TriedBinding {
        let missing = |name: &str| match binding.gives(name) {
            true => "the specification did not allow it on the ways that were tried",
            false => "the binding does not give it",
        };
        let one = |action: &Action| {
            self.given.get(&action.name).cloned().unwrap_or_else(|| TriedInput {
                name: action.name.clone(),
                event: None,
                answer: missing(&action.name).into(),
                wire: Vec::new(),
            })
        };
        let seen = self.session.as_ref().map(|session| session.wire().seen()).unwrap_or_default();
        let lines = binding.rules();
        let decided = |line: &usize| seen.iter().filter(|seen| seen.rules.first() == Some(line)).count() as u64;
        let rules = lines.iter().map(|line| TriedRule { line: *line as u64, count: decided(line) }).collect();
        let mut ambiguous: Vec<(String, Vec<u64>)> = Vec::new();
        for seen in seen.iter().filter(|seen| seen.rules.len() > 1) {
            let lines: Vec<u64> = seen.rules.iter().map(|line| *line as u64).collect();
            if !ambiguous.iter().any(|(_, known)| *known == lines) {
                ambiguous.push((seen.text.clone(), lines));
            }
        }
        let inputs = self.inputs().map(one).collect();
        let printed = self.session.as_ref().map(Session::printed).unwrap_or_default();
        let printed = printed.into_iter().map(|line| format!("printed     {line}"));
        let wire = self.wire.iter().cloned().chain(printed).collect();
        TriedBinding { binding: sut.into(), inputs, rules, ambiguous, problem: None, wire }
    }
}
