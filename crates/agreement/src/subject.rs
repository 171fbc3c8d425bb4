//! One specification that everybody is asked about. What is asked is noted as the command that a user would type, with `FILE` for
//! the specification.

use crate::clock::Clock;
use interplay_answers::{
    ConformRelation, Conformed, Explored, FoundKind, PlayVerdict, Sought, Stop, Systematic, Tested, Verified,
};
use interplay_diagnostics::Diagnostic;
use interplay_workbench::{
    ChosenSetup, Context, Disk, Driver, GoalMethod, Merge, Refusal, Solving, Strategy, conform, explore, open, play,
    scenario, systematic, test, verify,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What it is called where somebody asks for its name.
pub(crate) const FILE: &str = "generated.play";
/// More states are not looked at to know an answer for certain.
pub(crate) const MOST: u64 = 3_000;

/// The answer, or why there is none.
pub(crate) type Said<T> = Result<T, String>;

pub struct Subject {
    pub(crate) seed: u64,
    pub(crate) text: String,
    pub(crate) context: Context,
    pub(crate) clock: Clock,
    known: Known,
}

/// What is known of a specification for certain, by setup; those who ask after each other share it.
pub(crate) type Known = Arc<Mutex<BTreeMap<Option<String>, (String, Said<Explored>)>>>;

impl Subject {
    /// `None` if the text has errors.
    pub(crate) fn new(seed: u64, text: &str, known: Known, clock: &Clock) -> Option<Subject> {
        let context = opened(text)?;
        Some(Subject { seed, text: text.into(), context, clock: clock.clone(), known })
    }

    /// All ways in which it can be set up; if there are several setups, also none.
    pub(crate) fn setups(&self) -> Vec<Option<String>> {
        let names = self.context.model.setups.iter().map(|setup| Some(setup.name.clone()));
        match self.context.model.setups.len() {
            // The only one is declined by a word.
            1 if self.seed % 4 < 2 => names.chain([Some("none".into())]).collect(),
            1 => names.collect(),
            _ => names.chain([None]).collect(),
        }
    }

    /// The setup that this seed stands for, where one of them is enough.
    pub(crate) fn setup(&self) -> Option<String> {
        let setups = self.setups();
        setups[(self.seed / 7) as usize % setups.len()].clone()
    }

    /// States stand for others.
    pub(crate) fn grouped(&self, setup: &Option<String>) -> bool {
        let model = &self.context.model;
        let id = setup.as_deref().and_then(|name| model.setup_named(name));
        id.is_some_and(|id| !model.setups[id.0].groups.is_empty())
    }

    /// All states, by the interpreter, if they are not too many.
    pub(crate) fn known(&mut self, setup: &Option<String>) -> (String, Said<Explored>) {
        let held = |known: &Known| known.lock().unwrap_or_else(PoisonError::into_inner).get(setup).cloned();
        if let Some(known) = held(&self.known) {
            return known;
        }
        let request = explore::Request { interpret: true, ..thorough(setup) };
        let asked = self.explore(&request, None);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(setup.clone(), asked.clone());
        asked
    }

    /// The same for one property, whatever goes wrong in the others.
    pub(crate) fn known_alone(&self, setup: &Option<String>, name: &str) -> (String, Said<Explored>) {
        let request = explore::Request { interpret: true, properties: Some(vec![name.into()]), ..thorough(setup) };
        let (command, said) = self.explore(&request, None);
        (format!("{command} --property {name}"), said)
    }

    pub(crate) fn explore(&self, request: &explore::Request, disk: Option<&dyn Disk>) -> (String, Said<Explored>) {
        let command = explore_command(request, disk.is_some());
        self.clock.asks(&command);
        let no_files = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let asked = explore::run(&self.context, request, &self.clock.with(&no_files, disk));
        (command, asked.map(|answer| answer.explored).map_err(|why| refusal(&why)))
    }

    /// By these engines of the solver; without any, by visiting all states.
    pub(crate) fn verify(&self, setup: &Option<String>, engines: &[Solving]) -> (String, Said<Verified>) {
        let words: Vec<&str> = engines.iter().map(|engine| engine.word()).collect();
        let words = if words.is_empty() { "explicit".into() } else { words.join(",") };
        let command = format!("interplay verify FILE{} --engine {words} --timeout 2s", of(setup));
        self.clock.asks(&command);
        let request = verify::Request {
            setup: setup.clone(),
            properties: None,
            budget: Duration::from_secs(2),
            solving: engines.to_vec(),
            exploring: engines.is_empty(),
        };
        let asked = verify::run(&self.context, &request, &self.clock);
        (command, asked.map_err(|why| refusal(&why)))
    }

    pub(crate) fn seek(&mut self, setup: &Option<String>, goal: &str, method: GoalMethod) -> (String, Said<Sought>) {
        let command = format!("interplay scenario find FILE {goal}{} --method {}", of(setup), method.word());
        self.clock.asks(&command);
        let request = scenario::Request {
            goals: vec![goal.into()],
            setup: setup.clone(),
            timeout: Duration::from_secs(3),
            memory: 256 << 20,
            methods: vec![method],
            library: None,
        };
        let Subject { context, clock, .. } = self;
        let asked = scenario::run(context, &request, clock);
        (command, asked.map_err(|why| refusal(&why)))
    }

    pub(crate) fn systematic(
        &self,
        setup: &Option<String>,
        property: Option<&str>,
        (driver, merge): (Driver, Merge),
        depth: u64,
        match_states: bool,
    ) -> (String, Said<Systematic>) {
        let matching = if match_states { " --match-states" } else { "" };
        let judged = property.map_or("--all-properties".into(), |name| format!("--property {name}"));
        let command = format!(
            "interplay test FILE{} --systematic {judged} --continue --depth {depth} --driver {} --merge {}{matching}",
            of(setup),
            format!("{driver:?}").to_lowercase(),
            format!("{merge:?}").to_lowercase()
        );
        self.clock.asks(&command);
        let request = systematic::Request {
            file: FILE.into(),
            setup: setup.clone(),
            properties: property.iter().map(|name| name.to_string()).collect(),
            all_properties: property.is_none(),
            driver,
            merge,
            depth: Some(depth),
            go_on: true,
            threads: 1,
            match_states,
            paths: Some(20_000),
            timeout: Some(Duration::from_secs(3)),
            answer_within: Duration::from_secs(5),
            ..systematic::Request::default()
        };
        let asked = systematic::run(&self.context, &request, &self.clock);
        (command, asked.map_err(|why| refusal(&why)))
    }

    /// Another specification is compared with this one; without one, itself.
    pub(crate) fn conform(
        &self,
        setup: &Option<String>,
        other: Option<&str>,
        relation: Option<ConformRelation>,
    ) -> (String, Said<Conformed>) {
        let played = if other.is_some() { "OTHER" } else { "FILE" };
        let by = relation.map_or(String::new(), |relation| format!(" --relation {}", relation.word()));
        let command = format!("interplay conform FILE {played}{}{by} --states 2000 --timeout 3s", of(setup));
        self.clock.asks(&command);
        let changed = match other {
            Some(text) => match opened(text) {
                Some(changed) => Some(changed),
                None => return (command, Err("OTHER has errors".into())),
            },
            None => None,
        };
        let request = conform::Request {
            setup: setup.clone(),
            relation,
            depth: None,
            pairs: 2_000,
            timeout: Duration::from_secs(3),
        };
        let asked = conform::run(&self.context, changed.as_ref().unwrap_or(&self.context), &request, &self.clock);
        (command, asked.map_err(|why| refusal(&why)))
    }

    /// Another specification is played as the implementation; without one, this one.
    pub(crate) fn test(
        &self,
        setup: &Option<String>,
        properties: Option<Vec<String>>,
        other: Option<&str>,
    ) -> (String, Said<Tested>) {
        self.test_runs(setup, properties, other, 30)
    }

    /// The same, many times more often.
    pub(crate) fn test_long(&self, setup: &Option<String>, other: &str) -> (String, Said<Tested>) {
        self.test_runs(setup, Some(Vec::new()), Some(other), 400)
    }

    pub(crate) fn test_runs(
        &self,
        setup: &Option<String>,
        properties: Option<Vec<String>>,
        other: Option<&str>,
        runs: u64,
    ) -> (String, Said<Tested>) {
        let played = if other.is_some() { "OTHER" } else { "FILE" };
        let command = format!(
            "interplay test FILE{} --sut model:{played} --seed 1 --runs {runs} --steps 20 --no-store",
            of(setup)
        );
        self.clock.asks(&command);
        let request = test::Request {
            file: FILE.into(),
            sut: "model:played.play".into(),
            setup: setup.clone(),
            properties,
            seed: 1,
            runs: Some(runs),
            steps: Some(20),
            time: Some(Duration::from_secs(4)),
            threads: 1,
            ..test::Request::default()
        };
        let text = other.unwrap_or(&self.text);
        let read = |_: &Path| Ok(text.as_bytes().to_vec());
        let host = self.clock.with(&read, None);
        (command, test::run(&self.context, &request, &host).map(|answer| answer.tested).map_err(|why| refusal(&why)))
    }

    /// Plays scenarios that somebody claims can be played; the first that cannot, with the reason.
    pub(crate) fn replay(&mut self, setup: &Option<String>, scenarios: &str) -> Result<(), String> {
        self.clock.asks(&format!("interplay simulate FILE{} --script SCRIPT", of(setup)));
        let (_, model) = self.context.script("script.play", scenarios).map_err(|why| refusal(&why))?;
        let played = play(&self.context, &model, &chosen(setup), |_| true).map_err(|why| refusal(&why))?;
        for each in played {
            match each.verdict {
                PlayVerdict::Passed => {}
                PlayVerdict::Failed { expected, .. } => {
                    return Err(format!("{}: failed, expected {expected}", each.name));
                }
                PlayVerdict::Broken(problem) => return Err(format!("{}: {}", each.name, shown(&problem))),
                PlayVerdict::Nothing => return Err(format!("{}: nothing was played", each.name)),
            }
        }
        Ok(())
    }
}

/// Everything that a search can tell.
pub(crate) fn thorough(setup: &Option<String>) -> explore::Request {
    explore::Request {
        setup: setup.clone(),
        strategy: Strategy::BreadthFirst,
        threads: 1,
        states: Some(MOST),
        timeout: Some(Duration::from_secs(8)),
        deadlocks: true,
        go_on: true,
        ..explore::Request::default()
    }
}

/// Why a search says nothing for certain, if it does not.
pub(crate) fn incomplete(explored: &Explored) -> Option<String> {
    match explored.stop {
        Stop::Exhausted => None,
        stop => Some(format!("the search ends early: {stop:?}")),
    }
}

/// Something goes wrong in it, or in what watches it.
pub(crate) fn errs(explored: &Explored) -> bool {
    explored.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }))
}

pub(crate) fn opened(text: &str) -> Option<Context> {
    open(Path::new(FILE), &|_: &Path| Ok(text.as_bytes().to_vec())).ok()
}

/// This setup, or none.
pub(crate) fn chosen(setup: &Option<String>) -> ChosenSetup {
    ChosenSetup { name: setup.clone(), remark: None }
}

pub(crate) fn of(setup: &Option<String>) -> String {
    setup.as_ref().map_or(String::new(), |name| format!(" --setup {name}"))
}

pub(crate) fn refusal(why: &Refusal) -> String {
    match why {
        Refusal::Specification { diagnostics, .. } => diagnostics.first().map_or(String::new(), shown),
        request => request.to_string(),
    }
}

pub(crate) fn shown(problem: &Diagnostic) -> String {
    format!("{}: {}", problem.code, problem.message)
}

fn explore_command(request: &explore::Request, disk: bool) -> String {
    let mut command = format!("interplay explore FILE{}", of(&request.setup));
    let flags = [
        (request.go_on, "continue"),
        (request.deadlocks, "deadlocks"),
        (request.interpret, "interpret"),
        (request.symmetry, "symmetry"),
        (request.reduce, "reduce"),
    ];
    for (_, word) in flags.iter().filter(|(set, _)| *set) {
        command += &format!(" --{word}");
    }
    if request.threads > 1 {
        command += &format!(" --threads {}", request.threads);
    }
    if request.strategy == Strategy::DepthFirst {
        command += " --strategy dfs";
    }
    if request.visited != interplay_workbench::Memory::Exact {
        command += " --visited compact";
    }
    for (limit, word) in [(request.states, "states"), (request.depth, "depth")] {
        command += &limit.map_or(String::new(), |limit| format!(" --{word} {limit}"));
    }
    if disk {
        command += " --memory 8M";
    }
    command
}
