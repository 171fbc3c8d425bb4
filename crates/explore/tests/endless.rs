//! Endless runs: small systems whose answer is known, among them each mistake that other tools once made, and random
//! systems under random fairness against a search that knows no automata.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_explore::{Endless, Limits, Repeated, Stop, endless};
use interplay_semantics::{Instance, Label, State, Transition};
use interplay_temporal::{Lasso, Monitor, Position, Step};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn instance(text: &str) -> Instance {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    Instance::new(model.unwrap_or_else(|| panic!("{text}\n{problems:?}")).into(), None).expect("it needs no setup")
}

fn monitors(instance: &Instance) -> Vec<Arc<Monitor>> {
    let shared = Arc::new(instance.clone());
    let of = |property| Arc::new(Monitor::of_any_property(&shared, property).expect("it has an automaton"));
    instance.model().properties.iter().map(of).collect()
}

fn asked(instance: &Instance, states: Option<u64>) -> Vec<Endless> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let limits = Limits { states, depth: None, deadline: &|| None, interrupted: &NEVER };
    endless(instance, &monitors(instance), &limits).verdicts.into_iter().map(|(_, answer)| answer).collect()
}

/// `holds`, or the events of the way and of the cycle.
fn told(text: &str) -> String {
    let instance = instance(text);
    let events = |steps: &[(Label, State)]| {
        let shown: Vec<String> =
            steps.iter().map(|(label, _)| interplay_semantics::show_label(instance.model(), label)).collect();
        shown.join(" ")
    };
    let answer = |answer: Endless| match answer {
        Endless::Holds => "holds".into(),
        Endless::HoldsSoFar(stop) => format!("so far: {stop:?}"),
        Endless::NotJudged(why) => why,
        Endless::Broken(found) => {
            let (stem, cycle) = found.trace.steps.split_at(found.from);
            format!("{} ({})", events(stem), events(cycle)).trim().to_string()
        }
    };
    asked(&instance, None).into_iter().map(answer).collect::<Vec<String>>().join("; ")
}

#[test]
fn a_server_that_may_forget_a_request_needs_fairness() {
    let text = |fair: &str| {
        format!(
            "system S\nvar asked: Bool = false\ninput ask requires not asked {{ asked = true }}\n\
             output answer requires asked {{ asked = false }}\noutput tick {{ }}\n{fair}\n\
             property answered: always (ask leads to answer)\n"
        )
    };
    assert_eq!(told(&text("")), "ask (tick)");
    assert_eq!(told(&text("fair answer")), "holds");
    assert_eq!(told(&text("fair tick")), "ask (tick)");
}

/// What is possible again and again, and not always: weak fairness lets it wait, strong fairness does not.
#[test]
fn strong_fairness_is_more_than_weak() {
    let text = |fair: &str| {
        format!(
            "system S\nvar on: Bool = false\noutput flip {{ on = not on }}\noutput go requires on {{ }}\n{fair}\n\
             property goes: always eventually go\n"
        )
    };
    assert_eq!(told(&text("fair go")), "(flip flip)");
    assert_eq!(told(&text("strongly fair go")), "holds");
}

/// Marks stand on edges: the state is the same before and after, and only one of its steps keeps the promise.
#[test]
fn what_counts_is_the_step_and_not_the_state() {
    let text = "system S\noutput a { }\noutput b { }\nproperty both: (always eventually a) and (always eventually b)\n";
    let answer = told(text);
    assert!(answer == "(a)" || answer == "(b)", "{answer}");
    let text =
        "system S\noutput a { }\noutput b { }\nproperty p: not ((always eventually a) and (always eventually b))\n";
    let answer = told(text);
    assert!(answer == "(a b)" || answer == "(b a)", "{answer}");
}

/// A promise that was kept in one branch is owed in another that leads to the same state.
#[test]
fn ways_that_meet_keep_what_they_owe() {
    let text = "system S\nvar n: Int = 0\noutput left requires n == 0 { n = 1 }\noutput right requires n == 0 { n = 1 }\n\
                output on requires n == 1 { }\nproperty p: eventually left\n";
    assert_eq!(told(text), "right (on)");
}

/// The cycle is one cycle, not the whole component; one step before it lets the automaton find its place.
#[test]
fn a_cycle_is_short() {
    let text = "system S\nvar n: Int = 0\noutput up requires n < 20 { n = n + 1 }\noutput down requires n > 0 { n = n - 1 }\n\
                output never_seen requires n > 30 { }\nproperty p: eventually never_seen\n";
    assert_eq!(told(text), "up (up down)");
}

/// An environment that stops is no fault, one that asks for ever is not forgotten; and it may be taken for granted.
#[test]
fn inputs_are_never_owed() {
    let text = |property: &str| {
        format!(
            "system S\nvar busy: Bool = false\ninput ask requires not busy {{ busy = true }}\ninput other {{ }}\n\
             output answer requires busy {{ busy = false }}\n{property}"
        )
    };
    assert_eq!(told(&text("property p: always eventually answer\n")), "(other)");
    assert_eq!(told(&text("property p assuming always eventually ask: always eventually answer\n")), "holds");
    // All own steps together are fair: `other` for ever does not keep the answer away.
    assert_eq!(told(&text("property p: always (ask leads to answer)\n")), "holds");
}

#[test]
fn a_divergence_that_keeps_something_away_is_told() {
    let text = "system S\nvar n: Int = 0\ninput ask requires n == 0 { n = 1 }\ninternal spin requires n == 1 { }\n\
                output answer requires n == 1 { n = 0 }\nproperty p: always (ask leads to answer)\n";
    assert_eq!(told(text), "ask (internal spin)");
    assert_eq!(told(&text.replace("property", "fair answer\nproperty")), "holds");
}

#[test]
fn each_value_is_judged_by_itself() {
    let text = "system S\nenum P { a, b }\nvar wants: Set<P> = {}\ninput ask(p: P) requires p not in wants { wants += {p} }\n\
                output answer(p: P) requires p in wants { wants -= {p} }\n\
                property p: for every p: P: always (ask(p) leads to answer(p))\n";
    let answer = told(text);
    assert!(answer.contains("ask(a)") && answer.contains("ask(b)"), "{answer}");
    assert_eq!(told(&text.replace("property", "fair answer\nproperty")), "holds");
}

#[test]
fn a_limit_leaves_what_was_found_and_claims_nothing() {
    let text = "system S\nvar n: Int = 0\noutput up { n = n + 1 }\noutput stay { }\nproperty p: eventually n == 1000000\n\
                property q: always (up leads to up)\nproperty r: always (up leads to n > 0)\n";
    let instance = instance(text);
    let answers = asked(&instance, Some(5_000));
    assert!(
        matches!(&answers[..], [Endless::Broken(_), Endless::Holds, Endless::HoldsSoFar(Stop::States)]),
        "{answers:?}"
    );
}

/// No endless run keeps it, and no prefix tells: `next` would be excused if the run ended there.
#[test]
fn what_only_an_end_would_excuse_is_violated_by_a_run_without_end() {
    let text = "system S\noutput b { }\nproperty p: eventually (next false)\n";
    assert!(told(text).contains("(b)"), "{}", told(text));
}

/// An internal action without parameters has one choice, whatever its rules emit.
#[test]
fn fairness_of_an_internal_action_does_not_tell_its_rules_apart() {
    let text = "system S reactive\noutput a, b\ninternal u\non u { emit a }\non u { emit a emit b }\nfair u\nproperty p: eventually b\n";
    assert!(told(text).contains('('), "{}", told(text));
}

/// A small generator of random numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

fn formula(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return dice.one(&["i", "a", "b", "s == 0", "s == 1", "s == 2"]).into();
    }
    let kind = dice.below(9);
    let one = formula(dice, depth - 1);
    match kind {
        0 => format!("(not ({one}))"),
        1 => format!("(({one}) and ({}))", formula(dice, depth - 1)),
        2 => format!("(({one}) or ({}))", formula(dice, depth - 1)),
        3 => format!("(({one}) until ({}))", formula(dice, depth - 1)),
        4 => format!("(({one}) leads to ({}))", formula(dice, depth - 1)),
        5 => format!("(always ({one}))"),
        6 => format!("(next ({one}))"),
        7 => format!("(previously ({one}))"),
        _ => format!("(eventually ({one}))"),
    }
}

fn random_system(dice: &mut Dice) -> String {
    let mut text = "system R\nvar s: Int = 0\ninput i\noutput a\noutput b\ninternal t\n".to_string();
    for _ in 0..3 + dice.below(6) {
        let (event, from, to) = (dice.one(&["i", "a", "b", "a", "b", "t"]), dice.below(4), dice.below(4));
        let _ = writeln!(text, "on {event} when s == {from} {{ s = {to} }}");
    }
    for action in ["a", "b", "t"] {
        match dice.below(4) {
            0 => text += &format!("fair {action}\n"),
            1 => text += &format!("strongly fair {action}\n"),
            _ => {}
        }
    }
    text + &format!("property p: {}\n", formula(dice, 3))
}

/// Steps of a system, by the interpreter.
struct Graph {
    instance: Instance,
    states: Vec<State>,
    steps: Vec<Vec<Transition>>,
}

impl Graph {
    fn new(instance: Instance) -> Graph {
        let mut graph = Graph { states: instance.initial().expect("it begins"), instance, steps: Vec::new() };
        while graph.steps.len() < graph.states.len() {
            let here = graph.states[graph.steps.len()].clone();
            let steps: Vec<Transition> = graph.instance.transitions(&here).into_iter().map(Result::unwrap).collect();
            for step in &steps {
                if !graph.states.contains(&step.target) {
                    graph.states.push(step.target.clone());
                }
            }
            graph.steps.push(steps);
        }
        graph
    }

    fn number(&self, state: &State) -> usize {
        self.states.iter().position(|known| known == state).expect("it was met")
    }

    fn own(&self, label: &Label) -> bool {
        match label {
            Label::Step { inputs, .. } => inputs.is_empty(),
            Label::Internal(_) => true,
            Label::Silence => false,
        }
    }

    /// By the words of the norm: each class again and again taken, or again and again (weak) or at last for ever (strong) not possible.
    fn is_fair(&self, cycle: &[(Label, State)]) -> bool {
        let visited: BTreeSet<usize> = cycle.iter().map(|(_, state)| self.number(state)).collect();
        let taken = |wanted: &dyn Fn(&Label) -> bool| cycle.iter().any(|(label, _)| wanted(label));
        let possible =
            |state: usize, wanted: &dyn Fn(&Label) -> bool| self.steps[state].iter().any(|step| wanted(&step.label));
        let own = |label: &Label| self.own(label);
        let together = taken(&own) || visited.iter().any(|state| !possible(*state, &own));
        together
            && self.instance.model().fairness.iter().all(|fairness| {
                let wanted = |label: &Label| label.event_of(fairness.action).is_some();
                let some = visited.iter().any(|state| possible(*state, &wanted));
                let all = visited.iter().all(|state| possible(*state, &wanted));
                taken(&wanted) || if fairness.strongly { !some } else { !all }
            })
    }
}

/// Whether a run keeps the only property, by the definition.
fn keeps(instance: &Instance, start: &State, steps: &[(Label, State)], from: usize) -> bool {
    let shared = Arc::new(instance.clone());
    let monitor = Monitor::of_any_property(&shared, &instance.model().properties[0]).expect("it has an automaton");
    let reading = monitor.reading().expect("it is a formula");
    let letter = |step: Step<'_>| {
        let holds = |atom: &interplay_temporal::Atom| {
            atom.holds(instance, &reading.slots, &[], step).expect("nothing goes wrong here")
        };
        reading.formula.atoms.iter().map(holds).collect::<Vec<bool>>()
    };
    // The cycle twice, so that it can begin at a position.
    let cycle = &steps[from..];
    let heard = cycle.iter().position(|(label, _)| label.is_visible());
    let mut stem = vec![Position { letter: letter(Step::first(start)), between: Vec::new() }];
    let mut round = Vec::new();
    let turn = from + heard.unwrap_or(cycle.len());
    let again = &cycle[..heard.unwrap_or(0)];
    for (index, (label, state)) in steps.iter().chain(again).enumerate() {
        let row = if index < turn { &mut stem } else { &mut round };
        let bits = letter(Step::new(label).into(state));
        match label.is_visible() {
            true => row.push(Position { letter: bits, between: Vec::new() }),
            false => row.last_mut().expect("it begins with a position").between.push(bits),
        }
    }
    let lasso = Lasso { stem, cycle: round, has_first: true };
    let late = reading.formula.speaks_of_events(reading.root);
    let whole = interplay_temporal::Part { id: reading.root, late };
    lasso.keeps(&reading.formula, whole).expect("it has no bound in time")
}

/// Random ways that come back to where they were, some of which are fair.
fn some_fair_run_breaks_it(dice: &mut Dice, graph: &Graph) -> Option<(Vec<(Label, State)>, usize)> {
    for _ in 0..200 {
        let (mut at, mut steps) = (0, Vec::new());
        for _ in 0..2 + dice.below(12) {
            let own = &graph.steps[at];
            if own.is_empty() {
                break;
            }
            let step = &own[dice.below(own.len() as u64) as usize];
            steps.push((step.label.clone(), step.target.clone()));
            at = graph.number(&step.target);
        }
        let end = at;
        for from in 0..steps.len() {
            let before = if from == 0 { 0 } else { graph.number(&steps[from - 1].1) };
            if before == end && graph.is_fair(&steps[from..]) && !keeps(&graph.instance, &graph.states[0], &steps, from)
            {
                return Some((steps, from));
            }
        }
    }
    None
}

fn compare(seed: u64, systems: usize) -> [usize; 2] {
    let mut dice = Dice(seed);
    let [mut held, mut broken] = [0; 2];
    for _ in 0..systems {
        let text = random_system(&mut dice);
        let own = instance(&text);
        let answer = asked(&own, None).remove(0);
        let graph = Graph::new(own);
        match answer {
            Endless::Holds => {
                let is_safety = monitors(&graph.instance)[0].class() == interplay_temporal::Class::Safety;
                if !is_safety {
                    let found = some_fair_run_breaks_it(&mut dice, &graph).filter(|(steps, from)| {
                        // What a prefix breaks is found by the other search.
                        !prefix_breaks(&graph, &steps[..], *from)
                    });
                    assert!(found.is_none(), "{text}\n{found:?}");
                    held += 1;
                }
            }
            Endless::Broken(found) => {
                let Repeated { trace, from } = *found;
                assert!(graph.is_fair(&trace.steps[from..]), "not fair: {text}\n{trace:?} {from}");
                assert!(!keeps(&graph.instance, &trace.start, &trace.steps, from), "kept: {text}\n{trace:?} {from}");
                let before = if from == 0 { &trace.start } else { &trace.steps[from - 1].1 };
                assert_eq!(Some(before), trace.steps.last().map(|(_, state)| state), "no cycle: {text}");
                broken += 1;
            }
            other => panic!("{text}\n{other:?}"),
        }
    }
    [held, broken]
}

/// The monitor sees the violation after some rounds, or in the middle of the run.
fn prefix_breaks(graph: &Graph, steps: &[(Label, State)], from: usize) -> bool {
    let shared = Arc::new(graph.instance.clone());
    let monitor = Monitor::of_any_property(&shared, &graph.instance.model().properties[0]).expect("it is one");
    let mut at = monitor.start(Some(&graph.states[0])).expect("nothing goes wrong");
    let rounds = steps[from..].iter().cycle().take((steps.len() - from) * 50);
    for (label, state) in steps[..from].iter().chain(rounds) {
        if monitor.step(&mut at, Step::new(label).into(state)).expect("nothing goes wrong")
            == interplay_temporal::Verdict::Violated
        {
            return true;
        }
    }
    false
}

#[test]
fn random_systems_agree_with_a_search_without_automata() {
    let [held, broken] = compare(1, 500);
    assert!(held > 50 && broken > 50, "{held} {broken}");
}

#[test]
#[ignore = "long"]
fn ten_thousand_random_systems_agree() {
    let [held, broken] = compare(2, 10_000);
    assert!(held > 1_000 && broken > 1_000, "{held} {broken}");
}
