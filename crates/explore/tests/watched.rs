//! Formulas and observers on compiled code against the reference interpreter: the same states, transitions, verdicts and
//! findings, and every step of every row once more by hand.
//!
//! `SEEDS=10000 cargo test -p interplay-explore --test all watched` looks at more generated specifications, `SEED=7` at one alone.

use crate::support::{example, instance, text};
use interplay_explore::{
    Compiled, Config, FindingKind, Findings, Interpreted, Judges, Rows, System, Verdict, explore, formulas, judges,
};
use interplay_model::SetupId;
use interplay_semantics::Instance;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Specifications that are compared.
const SEEDS: u64 = 120;
/// States of each.
const STATES: u64 = 150;
/// Rows whose steps are taken by hand too.
const ROWS: usize = 40;

/// What one way of running says, as far as both must agree on it.
#[derive(Debug, PartialEq)]
struct Said {
    counts: Option<(u64, u64, u64)>,
    verdicts: Vec<(String, Verdict)>,
    /// What was found, and after how many steps.
    findings: BTreeSet<(String, usize)>,
}

fn said<Y: System>(system: &Y, config: &Config<'_>, counted: bool) -> Said {
    let outcome = explore(system, config);
    let named = |kind: &FindingKind| match kind {
        FindingKind::Violated(property) | FindingKind::Satisfied(property) => property.name.clone(),
        FindingKind::Error(error) => error.to_string(),
        FindingKind::Deadlock => "deadlock".into(),
    };
    let findings = outcome.findings.iter();
    let findings =
        findings.map(|finding| (named(&finding.kind), finding.trace.as_ref().map_or(0, |trace| trace.steps.len())));
    // Where states are not counted, the depth is not the end of the same of them.
    let certain = |verdict: Verdict| match verdict {
        Verdict::HoldsSoFar(_) if !counted => Verdict::Holds,
        Verdict::NotReached(_) if !counted => Verdict::Impossible,
        other => other,
    };
    Said {
        counts: counted.then_some((outcome.states, outcome.transitions, outcome.depth)),
        verdicts: outcome.verdicts.into_iter().map(|(name, verdict)| (name, certain(verdict))).collect(),
        findings: findings.collect(),
    }
}

/// The compiled system with enough room for everything up to this depth.
fn wide_enough(mut system: Compiled, config: &Config<'_>) -> Option<Compiled> {
    loop {
        explore(&system, &Config { deadline: &|| system.too_narrow(), ..config.clone() });
        if !system.too_narrow() {
            return Some(system);
        }
        system = system.widened().ok()?;
    }
}

/// Compares both ways with these judges; `Err` is the reason why there is only one.
fn compare(instance: &Instance, judges: &Judges) -> Result<u64, String> {
    let system = Compiled::with_judges(instance.clone(), judges.clone()).map_err(|unsupported| unsupported.why)?;
    // Copies for values that nobody mentions are states of their own for the interpreter.
    let counted = judges
        .monitors()
        .iter()
        .all(|monitor| monitor.reading().is_none_or(|reading| reading.slots.variables.is_empty()));
    let config = |depth| Config { findings: Findings::Continue, depth: Some(depth), ..Config::default() };
    let interpreted = || Interpreted::with_judges(instance.clone(), judges.clone());
    let reached = explore(&interpreted(), &Config { states: Some(STATES), ..config(12) }).depth;
    // The last layer may not be complete.
    let depth = reached.saturating_sub(1).max(1);
    let Some(system) = wide_enough(system, &config(depth)) else { return Err("it needs too much room".into()) };
    let expected = said(&interpreted(), &config(depth), counted);
    assert_eq!(said(&system, &config(depth), counted), expected, "to depth {depth}");
    by_hand(&system);
    Ok(expected.counts.map_or(0, |(states, ..)| states))
}

/// Every step of the first rows as the code takes it and as the interpreter does.
fn by_hand(system: &Compiled) {
    let (mut worker, mut rows) = (system.worker(), Rows::default());
    system.initial(&mut worker, &mut rows).expect("it was compiled");
    let mut todo: VecDeque<Vec<u64>> = rows.iter(system.width()).map(<[u64]>::to_vec).collect();
    let mut seen = BTreeSet::new();
    while let Some(row) = todo.pop_front() {
        if seen.len() >= ROWS || !seen.insert(row.clone()) {
            continue;
        }
        let mut targets = Rows::default();
        let expanded = system.expand(&mut worker, &row, &mut targets);
        if system.too_narrow() {
            return;
        }
        let mut found: Vec<Vec<u64>> = targets.iter(system.width()).map(<[u64]>::to_vec).collect();
        let steps = system.steps(&mut worker, &row);
        let wrong = steps.iter().any(Result::is_err);
        let mut named: Vec<Vec<u64>> = steps.into_iter().flatten().map(|step| step.target.to_vec()).collect();
        found.sort();
        named.sort();
        assert_eq!(found, named, "steps from {:?}", system.show_state(&row));
        assert!(expanded.error || !wrong, "an error at {:?}", system.show_state(&row));
        todo.extend(named);
    }
}

/// Everything that a model promises: first the formulas, then observers and conditions.
fn compare_all(instance: &Instance) -> Vec<Result<u64, String>> {
    let names: Vec<String> = instance.model().properties.iter().map(|property| property.name.clone()).collect();
    [formulas(instance, &names), judges(instance.model(), None)]
        .iter()
        .filter(|judges| !judges.judges.is_empty())
        .map(|judges| compare(instance, judges))
        .collect()
}

#[test]
fn examples_with_formulas_and_observers_are_judged_the_same_when_compiled() {
    let setups = [
        ("aps", ""),
        ("aps", "one_signal_per_step"),
        ("aps/requests", "mr1"),
        ("aps/requests", "mr4"),
        ("elevator", "building"),
        ("brp", "two_chunks"),
        ("brp", "three_chunks"),
        ("countdown", "paper"),
        ("countdown", "longer"),
        ("chat", "two_messages"),
        ("redis", "all_commands"),
        ("teller", "paper"),
        ("travel", "small"),
        ("bag", "one_thread"),
    ];
    for (name, setup) in setups {
        let model = example(name);
        for result in compare_all(&instance(&model, setup)) {
            result.unwrap_or_else(|why| panic!("{name} with setup {setup} is not compiled: {why}"));
        }
    }
}

/// What a block emits with one result is not there with the next, and those who watch take one step for each.
#[test]
fn every_result_has_its_own_outputs() {
    let model = text(
        "system Ask reactive  type Small = 0..2  output low()  output got(v: Small)  var last: Small = 0
         input ask() -> Small ensures result >= old(last)
         { if result == 0 { emit low() }  if result > 0 { emit got(result) }  last = result }
         property apart: never (low() and got(1))
         property one: never (got(1) and got(2))
         input guess() -> Small ensures result < 2
         property rests: always (guess() implies next next (not guess()))",
    );
    let names: Vec<String> = model.properties.iter().map(|property| property.name.clone()).collect();
    compare(&instance(&model, ""), &formulas(&instance(&model, ""), &names)).expect("it is compiled");
    let system = Compiled::with_judges(instance(&model, ""), formulas(&instance(&model, ""), &names)).unwrap();
    let outcome = explore(&system, &Config { findings: Findings::Continue, ..Config::default() });
    let found: Vec<_> =
        outcome.findings.iter().map(|each| each.trace.as_ref().map(|trace| trace.steps.len())).collect();
    assert_eq!(found, [Some(3)], "only `rests` is violated");
}

#[test]
fn each_value_of_a_variable_is_watched_by_itself() {
    let model = text(
        "system Door  enum User { ann, bob, cat }  var inside: Set<User> = {}
         input enter(u: User) requires u not in inside { inside += {u} }
         input leave(u: User) requires u in inside { inside -= {u} }
         input close requires inside == {}
         property paired: for every u: User: always (leave(u) implies previously (not leave(u) since enter(u)))
         property once_only: for every u: User: always (enter(u) implies not previously once enter(u))
         property order: for every u: User, v: User where u != v: always (leave(u) implies not previously leave(v))
         property all_came: for every u: User: always (leave(cat) implies once enter(u))
         property everyone_came: for every u: User: always
             (leave(cat) and once enter(ann) and once enter(bob) implies once enter(u))
         property full: for every u: User: always (close implies u not in inside)
         observer crowd never { var n: Int = 0  start Here
             at Here { on enter when n < 2 { n += 1 }  on leave { n -= 1 }  on enter when n >= 2 -> bad } }
         observer quiet possible { start Here  at Here { on silence when inside == {ann} -> good } }",
    );
    for result in compare_all(&instance(&model, "")) {
        result.expect("it is compiled");
    }
    let names: Vec<String> = model.properties.iter().map(|property| property.name.clone()).collect();
    let system = Compiled::with_judges(instance(&model, ""), formulas(&instance(&model, ""), &names)).unwrap();
    let outcome = explore(&system, &Config { findings: Findings::Continue, ..Config::default() });
    assert_eq!(outcome.verdict("paired"), Some(&Verdict::Holds));
    assert_eq!(outcome.verdict("once_only"), Some(&Verdict::Violated));
    assert_eq!(outcome.verdict("order"), Some(&Verdict::Violated));
    assert_eq!(outcome.verdict("all_came"), Some(&Verdict::Violated));
    // Nobody is left who could not have come.
    assert_eq!(outcome.verdict("everyone_came"), Some(&Verdict::Holds));
    assert_eq!(outcome.verdict("full"), Some(&Verdict::Holds));
}

#[test]
fn generated_watchers_judge_the_same_when_compiled() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match (number("SEED"), number("SEEDS")) {
        (Some(seed), _) => seed..seed + 1,
        (None, count) => 0..count.unwrap_or(SEEDS),
    };
    let (mut compared, mut reasons) = (0, BTreeMap::new());
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let written = interplay_testkit::generate_watched(seed, 1 + (seed % 5) as u32);
        if count == 1 {
            println!("{written}");
        }
        let model = text(&written);
        let setup = (!model.setups.is_empty()).then_some(SetupId(0));
        let Ok(instance) = Instance::new(model, setup) else { continue };
        if instance.initial().is_err() {
            continue;
        }
        let results = std::panic::catch_unwind(|| compare_all(&instance));
        for result in results.unwrap_or_else(|_| panic!("seed {seed} (`SEED={seed}` shows its text)")) {
            match result {
                Ok(_) => compared += 1,
                Err(why) => *reasons.entry(why).or_insert(0) += 1,
            }
        }
    }
    println!("{compared} compared; not compiled: {reasons:#?}");
    assert!(count < 100 || compared as u64 > count / 2, "only {compared} were compared: {reasons:#?}");
}

/// What both ways of running say of the formulas of a specification, which is the same.
fn agreed(written: &str) -> Said {
    let model = text(written);
    let names: Vec<String> = model.properties.iter().map(|property| property.name.clone()).collect();
    let (instance, config) =
        (instance(&model, ""), Config { findings: Findings::Continue, deadlocks: false, ..Config::default() });
    let judges = formulas(&instance, &names);
    let compiled = Compiled::with_judges(instance.clone(), judges.clone()).expect("it can be compiled");
    let [interpreted, compiled] =
        [said(&Interpreted::with_judges(instance, judges), &config, true), said(&compiled, &config, true)];
    assert_eq!(interpreted, compiled, "{written}");
    interpreted
}

#[test]
fn a_set_may_be_any_set_of_its_elements() {
    let said = agreed("system S type T = 1..2 property full: for every x: Set<T> where 2 in x: always false");
    assert_eq!(said.verdicts, [("full".into(), Verdict::Violated)]);
}

#[test]
fn a_formula_that_is_kept_only_by_what_has_no_value_goes_wrong() {
    let said = agreed(
        "system S var v: (Bool, 1..3) input go { } property p: not ((previously (v.0)) until (previously (go)))",
    );
    assert_eq!(said.findings.len(), 1, "{said:?}");
}

/// A step that only who watches takes is beyond the bound like any other.
#[test]
fn silence_beyond_the_depth_is_not_judged() {
    let model = text("system S property p: not silence");
    let system = Interpreted::watching(instance(&model, ""), &["p".into()]);
    let verdict = |depth| explore(&system, &Config { depth, ..Config::default() }).verdicts.remove(0).1;
    assert_eq!(verdict(Some(0)), Verdict::HoldsSoFar(interplay_explore::Stop::Depth));
    assert_eq!(verdict(None), Verdict::Violated);
}
