//! Does an implementation, given as a specification, conform to its specification, in every run?

use crate::{Context, Host, Refusal};
use interplay_answers::{ConformDifference, ConformKind, ConformRelation, ConformWrong, Conformed};
use interplay_conform::{Difference, Judging, Left, Limits, Observed, Relation, Seen, Stopped, Undone, compare};
use interplay_diagnostics::amount;
use interplay_model::{Direction, Discipline, Model};
use interplay_semantics::{Event, Instance, Label, scenario_lines, show_label};
use std::time::Duration;

pub use interplay_answers::Conformed as Answer;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Request {
    /// Of the specification; the implementation has the one of this name, if it has one.
    pub setup: Option<String>,
    /// Otherwise the one of the setup.
    pub relation: Option<ConformRelation>,
    /// Observations on one way.
    pub depth: Option<u64>,
    /// Pairs of sets of states.
    pub pairs: usize,
    /// For all of it.
    pub timeout: Duration,
}

/// Compares them.
pub fn run(
    specification: &Context,
    implementation: &Context,
    request: &Request,
    host: &dyn Host,
) -> Result<Answer, Refusal> {
    let (instance, setup) = specification.under(request.setup.as_deref(), None)?;
    let (played, other) = crate::test::played(&instance, implementation, request.setup.as_deref())?;
    comparable(&instance, &played)?;
    let relation = match request.relation.map(asked).or_else(|| Relation::of_setup(&instance)) {
        Some(relation) => relation,
        None => {
            let problem = "the setup says `conformance none`, so that no relation is chosen";
            return Err(Refusal::request(problem, "choose one with --relation"));
        }
    };
    let started = host.now();
    let stop = || match host.is_stopped() {
        true => Some(Stopped::Interrupted),
        false => (host.now() - started > request.timeout).then_some(Stopped::Time),
    };
    let limits = Limits { depth: request.depth, pairs: request.pairs, stop: &stop };
    let compared = compare(&instance, &played, Judging::new(relation, &instance), &limits)
        .map_err(|trouble| Refusal::from(trouble.message))?;
    let teller = Teller { models: [instance.model(), played.model()] };
    let only_depth = !compared.left.is_empty() && compared.left.iter().all(|left| matches!(left, Left::Depth(_)));
    Ok(Conformed {
        system: instance.model().name.clone(),
        implementation: played.model().name.clone(),
        setup: setup.name,
        implementation_setup: other.name,
        relation: told(relation),
        difference: compared.difference.as_ref().map(|found| teller.difference(found)),
        wrong: compared.wrong.as_ref().map(|undone| teller.wrong(undone)),
        left: if only_depth {
            Vec::new()
        } else {
            compared.left.iter().map(|left| teller.left(left, request)).collect()
        },
        bounded: request.depth.filter(|_| only_depth),
        driven: instance.is_driven(),
        never_given: teller.names(0, compared.never_given.iter().map(|id| id.0)),
        unshared: teller.unshared(),
        pairs: compared.pairs,
        sets: compared.sets,
        depth: compared.depth,
        seconds: (host.now() - started).as_secs_f64(),
    })
}

/// Both move by rules, and in the same way.
fn comparable(specification: &Instance, implementation: &Instance) -> Result<(), Refusal> {
    let [one, other] = [specification, implementation].map(|instance| instance.model().discipline);
    if one != other {
        let problem = format!("the specification is {}, and the implementation is {}", word(one), word(other));
        return Err(Refusal::request(problem, "compare two systems of the same discipline"));
    }
    if implementation.is_properties_alone() {
        let problem = "the implementation has no rules, so that nobody knows what it does";
        return Err(Refusal::request(problem, "give it rules, or exchange the two files"));
    }
    Ok(())
}

fn word(discipline: Discipline) -> &'static str {
    match discipline {
        Discipline::Asynchronous => "asynchronous",
        Discipline::Reactive => "reactive",
        Discipline::Synchronous => "synchronous",
    }
}

fn asked(relation: ConformRelation) -> Relation {
    match relation {
        ConformRelation::Ioco => Relation::Ioco,
        ConformRelation::Uioco => Relation::Uioco,
        ConformRelation::Alternating => Relation::Alternating,
        ConformRelation::Traces => Relation::Traces,
        ConformRelation::Equivalence => Relation::Equivalence,
    }
}

fn told(relation: Relation) -> ConformRelation {
    match relation {
        Relation::Ioco => ConformRelation::Ioco,
        Relation::Uioco => ConformRelation::Uioco,
        Relation::Alternating => ConformRelation::Alternating,
        Relation::Traces => ConformRelation::Traces,
        Relation::Equivalence => ConformRelation::Equivalence,
    }
}

/// Says things in specification syntax: in the words of the specification where it has some, otherwise in those of the implementation.
struct Teller<'m> {
    models: [&'m Model; 2],
}

impl Teller<'_> {
    fn difference(&self, found: &Difference) -> ConformDifference {
        let forth = found.by_implementation;
        let last = found.way.last();
        let kind = last.map_or(ConformKind::Silence, |last| self.kind(last, forth, &found.allowed));
        // What the other one allows is in its own words.
        let other = self.models[usize::from(!forth)];
        ConformDifference {
            by_implementation: forth,
            kind,
            observed: last.map_or(String::new(), |last| self.shown(last, forth)),
            allowed: found.allowed.iter().map(|label| show_label(other, label)).collect(),
            steps: found.way.iter().map(|each| self.step(each, forth)).collect(),
            scenario: self.scenario("difference", &found.way, forth, found.inside),
        }
    }

    fn wrong(&self, undone: &Undone) -> ConformWrong {
        ConformWrong {
            in_implementation: undone.in_implementation,
            diagnostic: Box::new(undone.error.diagnostic()),
            scenario: self.scenario("goes_wrong", &undone.way, true, false),
        }
    }

    fn kind(&self, last: &Observed, forth: bool, allowed: &[Label]) -> ConformKind {
        match &last.own {
            Seen::Silence => ConformKind::Silence,
            Seen::Refused(_) => ConformKind::Refusal,
            Seen::Step(label) => {
                let model = self.models[usize::from(forth)];
                let given = |event: &Event| model.actions[event.action.0].direction == Direction::Input;
                match label.events().next().is_some_and(given) || model.discipline == Discipline::Synchronous {
                    true if allowed.is_empty() => ConformKind::Input,
                    true => ConformKind::Answer,
                    false => ConformKind::Output,
                }
            }
        }
    }

    /// The observation, and the model whose words it has.
    fn words<'s>(&'s self, observed: &'s Observed, forth: bool) -> (&'s Model, &'s Seen) {
        let [specification, implementation] = self.models;
        match (&observed.other, forth) {
            (Some(other), true) => (specification, other),
            (None, true) => (implementation, &observed.own),
            (_, false) => (specification, &observed.own),
        }
    }

    fn shown(&self, observed: &Observed, forth: bool) -> String {
        match self.words(observed, forth) {
            (model, Seen::Step(label)) => show_label(model, label),
            (_, Seen::Silence) => "silence".into(),
            (model, Seen::Refused(inputs)) => show_label(model, &Label::step(inputs.clone(), [])),
        }
    }

    fn step(&self, observed: &Observed, forth: bool) -> String {
        match observed.own {
            Seen::Refused(_) => format!("refused: {}", self.shown(observed, forth)),
            _ => self.shown(observed, forth),
        }
    }

    /// The observations as a scenario. Refusals are comments: a scenario has no line for what does not happen.
    fn scenario(&self, name: &str, way: &[Observed], forth: bool, inside: bool) -> String {
        let mut lines: Vec<String> = Vec::new();
        // Labels that one model has words for, in a row: names of objects go on from line to line.
        let mut row: Vec<Label> = Vec::new();
        let mut of = self.models[0];
        for observed in way {
            let (model, seen) = self.words(observed, forth);
            if !std::ptr::eq(model, of) {
                lines.extend(scenario_lines(of, &row));
                row.clear();
                of = model;
            }
            match seen {
                Seen::Silence => row.push(Label::Silence),
                Seen::Step(Label::Step { inputs, outputs }) if observed.continues && inputs.is_empty() => {
                    match row.last_mut() {
                        Some(Label::Step { outputs: before, .. }) => before.extend(outputs.iter().cloned()),
                        _ => row.push(Label::step([], outputs.clone())),
                    }
                }
                Seen::Step(label) => row.push(label.clone()),
                Seen::Refused(_) => {
                    lines.extend(scenario_lines(of, &row));
                    row.clear();
                    lines.push(format!("// refused: {}", self.shown(observed, forth)));
                }
            }
        }
        lines.extend(scenario_lines(of, &row));
        if inside && let Some(last) = lines.last_mut() {
            *last = if last.ends_with(" / nothing") {
                last.replace(" / nothing", " / ...")
            } else {
                format!("{last}, ...")
            };
        }
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("scenario {name} {{\n{lines}}}\n")
    }

    fn left(&self, left: &Left, request: &Request) -> String {
        match left {
            Left::Depth(depth) => format!("what comes after {}", amount(*depth, "step")),
            Left::Pairs(pairs) => format!("what comes after {}: raise --states", amount(*pairs, "pair")),
            Left::Stopped(Stopped::Interrupted) => "the rest: interrupted".into(),
            Left::Stopped(Stopped::Time) => {
                format!("the rest: time limit of {} s reached (--timeout)", request.timeout.as_secs_f64())
            }
            Left::States(count) => format!("where more than {} are possible at once", amount(*count, "state")),
            Left::Values([one, other]) => {
                let names =
                    [self.names(0, one.iter().map(|id| id.0)), self.names(1, other.iter().map(|id| id.0))].concat();
                format!("all values of {}: list values in a setup (`domain`)", names.join(", "))
            }
            Left::Pairings => "all ways to pair objects: several are possible at once".into(),
            Left::Outside(count) => format!(
                "what comes after {} that only a value outside the setup's domains explains",
                amount(*count, "observation")
            ),
            Left::Open(undone) => {
                let which = if undone.in_implementation { "implementation" } else { "specification" };
                format!("a part, because the {which} cannot be run there: {}", undone.error.message)
            }
        }
    }

    fn names(&self, model: usize, actions: impl Iterator<Item = usize>) -> Vec<String> {
        actions.map(|at| self.models[model].actions[at].name.clone()).collect()
    }

    /// Visible actions that one of them does not have.
    fn unshared(&self) -> [Vec<String>; 2] {
        let [one, other] = self.models;
        [only(one, other), only(other, one)]
    }
}

fn only(one: &Model, other: &Model) -> Vec<String> {
    let visible = one.actions.iter().filter(|action| action.direction != Direction::Internal);
    let alone = visible.filter(|action| {
        !other.actions.iter().any(|each| each.name == action.name && each.direction == action.direction)
    });
    alone.map(|action| action.name.clone()).collect()
}
