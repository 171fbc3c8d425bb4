//! Plays the scenarios of a library on an implementation: the model says what is right, the scenario what it is about.

use super::named;
use super::script::{Act, Script, Task, offering, tasks};
use crate::simulate::scenario_lines;
use crate::test::Request as Testing;
use crate::test::{connector, failure_title};
use crate::{Context, Host, Refusal};
use interplay_adapter::{Implementation, Lasting, Target};
pub use interplay_answers::Enacted as Answer;
use interplay_answers::{EnactedScenario, EnactedVerdict};
use interplay_model::{Finish, Model, ScenarioId, SetupId};
use interplay_semantics::{Instance, Label, ModelError, ScenarioVerdict, Value, show_value};
use interplay_tester::{Choices, Conduct, End, Failure, Halt, Line, Said, Table, Tester, Turn, Waits, Watch};
use std::path::PathBuf;

/// A scenario with parameters is played for so many of their values.
const INSTANCES: usize = 100;

/// Which scenarios to play on which implementation.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The specification as the user named it.
    pub file: PathBuf,
    /// A command, an address, or `model:FILE`.
    pub sut: String,
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// Names of scenarios; empty: all.
    pub scenarios: Vec<String>,
    /// Of all choices that neither scenario nor specification makes.
    pub seed: u64,
}

/// Plays them one after the other; stops where the implementation cannot be talked to.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let started = host.now();
    let model = &context.model;
    let (instance, setup) = context.under(request.setup.as_deref(), None)?;
    let id = setup.id(model);
    let wanted = named(model, &request.scenarios)?;
    let target = Target::parse(&request.sut)?;
    let testing =
        Testing { file: request.file.clone(), sut: request.sut.clone(), seed: request.seed, ..<_>::default() };
    let connect = connector(&instance, &target, &testing, host)?;
    let mut enacted = Answer {
        system: model.name.clone(),
        implementation: request.sut.clone(),
        setup: setup.name,
        scenarios: Vec::new(),
        interrupted: false,
        trouble: None,
        seconds: 0.0,
    };
    let mut implementation = match Lasting::start(|| connect(0)) {
        Ok(implementation) => Some(Box::new(implementation) as Box<dyn Implementation>),
        Err(trouble) => {
            enacted.trouble = Some(crate::test::breakdown(trouble));
            None
        }
    };
    for scenario in wanted {
        let Some(partner) = implementation.take() else { break };
        if host.is_stopped() {
            enacted.interrupted = true;
            break;
        }
        let mut stage =
            Stage { context, instance: &instance, setup: id, host, seed: request.seed, partner: Some(partner) };
        let played = stage.scenario(scenario)?;
        implementation = stage.partner;
        if let EnactedVerdict::Trouble(trouble) = &played.verdict {
            enacted.trouble = Some(trouble.clone());
            implementation = None;
        }
        enacted.scenarios.push(played);
    }
    enacted.seconds = (host.now() - started).as_secs_f64();
    Ok(enacted)
}

struct Stage<'s> {
    context: &'s Context,
    instance: &'s Instance,
    setup: Option<SetupId>,
    host: &'s dyn Host,
    seed: u64,
    partner: Option<Box<dyn Implementation + 's>>,
}

impl Stage<'_> {
    /// For all values of its parameters, until one does not pass.
    fn scenario(&mut self, id: ScenarioId) -> Result<EnactedScenario, Refusal> {
        let model = self.instance.model();
        let scenario = &model.scenarios[id.0];
        let mut told = EnactedScenario {
            name: scenario.name.clone(),
            span: scenario.span,
            parameters: Vec::new(),
            verdict: EnactedVerdict::Nothing,
        };
        for values in
            self.instance.scenario_values(id).map_err(|error| self.context.broken(error))?.into_iter().take(INSTANCES)
        {
            let named = scenario.locals.iter().zip(&values);
            told.parameters = named
                .map(|(local, value)| format!("{} = {}", local.name, show_value(model, &local.ty, value)))
                .collect();
            told.verdict = self.play(id, &values)?;
            if !matches!(told.verdict, EnactedVerdict::Passed) {
                break;
            }
        }
        Ok(told)
    }

    fn play(&mut self, id: ScenarioId, values: &[Value]) -> Result<EnactedVerdict, Refusal> {
        let model = self.instance.model();
        let outcome = self.instance.play(id, Some(values));
        if !matches!(outcome.verdict, ScenarioVerdict::Passed) {
            return Ok(EnactedVerdict::NotOfTheModel);
        }
        let tasks = tasks(model, &model.scenarios[id.0], &outcome);
        let Some(offering) = offering(self.instance, self.setup, &tasks) else {
            return Ok(EnactedVerdict::NotOfTheModel);
        };
        let table = match Table::new(offering.clone()) {
            Ok(table) => table,
            Err(halt) => return halted(self.context, &halt),
        };
        let Some(implementation) = self.partner.take() else { return Ok(EnactedVerdict::Nothing) };
        let mut conduct = Conduct::new(&offering, Some(tasks.len() as u64 * 2 + 10));
        conduct.finish = Finish::Anywhere;
        let mut tester = Tester {
            table,
            implementation,
            waits: Waits::new(conduct.silence),
            watch: Watch::new(&offering, Some(&[])),
            avoid: Default::default(),
            crashes: Default::default(),
            history: Default::default(),
            conduct,
        };
        let mut script = Script::new(tasks.clone());
        let ran = tester.run(&mut script, &mut Choices::of_run(self.seed, 0), self.host.stop());
        let verdict = match ran.end {
            End::Failed(failure) => Ok(failed(model, &failure)),
            End::Broken(trouble) => Ok(EnactedVerdict::Trouble(crate::test::breakdown(trouble))),
            End::Halted(halt) => halted(self.context, &halt),
            End::Interrupted => Ok(EnactedVerdict::Interrupted),
            _ => Ok(self.compared(id, &tester.table, &ran.turns, &tasks)),
        };
        self.partner = Some(tester.implementation);
        verdict
    }

    /// What came, line by line, against what the scenario says. All of it is right; it may still be something else.
    fn compared(&self, id: ScenarioId, table: &Table, turns: &[Turn], tasks: &[Task]) -> EnactedVerdict {
        let model = self.instance.model();
        let said: Vec<&Label> = turns
            .iter()
            .filter_map(|turn| match turn.said {
                Said::Given(label) | Said::Heard(label) => Some(table.label(label)),
                _ => None,
            })
            .collect();
        let spoken: Vec<&Task> = tasks.iter().filter(|task| !task.labels.is_empty()).collect();
        let fits = |(task, label): (&&Task, &&Label)| task.labels.contains(*label);
        let common = spoken.iter().zip(&said).take_while(|pair| fits(*pair)).count();
        // What comes behind the last line is right, too, unless that is silence.
        let ends_silent = tasks.last().is_some_and(|task| matches!(task.act, Act::Silence));
        if common == spoken.len() && (common == said.len() || !ends_silent) {
            return EnactedVerdict::Passed;
        }
        let line = spoken.get(common).or(spoken.last()).map_or(0, |task| task.line);
        let span = model.scenarios[id.0].lines[line].span;
        let lines = scenario_lines(model, said.iter().copied());
        EnactedVerdict::Elsewhere {
            span,
            expected: self.context.sources.one_line(span),
            came: lines.get(common).cloned(),
            lines,
        }
    }
}

/// The specification itself goes wrong, or cannot be followed.
fn halted(context: &Context, halt: &Halt) -> Result<EnactedVerdict, Refusal> {
    match halt {
        Halt::Model(error) => Err(context.broken(ModelError::clone(error))),
        Halt::TooMany(count) => Err(format!("more than {count} states are possible at once: too many to track").into()),
    }
}

fn failed(model: &Model, failure: &Failure) -> EnactedVerdict {
    let label = |line: &Line| match line {
        Line::Given(label) | Line::Refused(label, _) | Line::Heard(label) => Some(label.clone()),
        Line::Foreign(_) | Line::Broke(_) | Line::Silence | Line::Waited => None,
    };
    let said: Vec<Label> = failure.lines.iter().filter_map(label).collect();
    let allowed: Vec<&Label> = failure.nearest.iter().chain(&failure.allowed).collect();
    let mut lines = scenario_lines(model, said.iter().chain(allowed.iter().copied()));
    let mut expected = lines.split_off(said.len());
    let mut seen = std::collections::HashSet::new();
    expected.retain(|line| seen.insert(line.clone()));
    let last = lines.last().cloned().unwrap_or_default();
    let title = failure_title(model, failure, &last, &expected);
    EnactedVerdict::Failed { title, lines, expected }
}
