//! Generalised scenarios keep their promise: with any values that satisfy their constraint they lead to what they are for.

use interplay_model::{Goal, GoalId, LocalId, Model, ScenarioId, SetupId, Type};
use interplay_scenarios::{
    Answer, Budget, Found, General, Library, Method, Wanted, find, generalised, pieces, show_general,
};
use interplay_semantics::{Instance, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn model(name: &str, text: &str) -> Arc<Model> {
    let read = |path: &Path| match path == Path::new(name) {
        true => Ok(text.as_bytes().to_vec()),
        false => std::fs::read(path),
    };
    match interplay_workbench::open(Path::new(name), &read) {
        Ok(context) => context.model,
        Err(refusal) => panic!("{refusal}"),
    }
}

fn example(name: &str) -> Arc<Model> {
    let file = format!("{}/../../examples/{name}/{name}.play", env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read(path);
    interplay_workbench::open(Path::new(&file), &read).unwrap_or_else(|_| panic!("the text is right")).model
}

fn telephone() -> Arc<Model> {
    example("telephone")
}

fn library(model: &Model) -> Vec<ScenarioId> {
    (0..model.scenarios.len()).map(ScenarioId).collect()
}

fn goal(model: &Model, name: &str) -> Wanted {
    let goal = model.goals.iter().position(|goal| goal.name == name).expect("it is declared");
    Wanted::of(model, GoalId(goal))
}

fn by_generalising(model: &Arc<Model>, wanted: &Wanted) -> Found {
    by(model, wanted, &[Method::Generalise])
}

fn by(model: &Arc<Model>, wanted: &Wanted, methods: &[Method]) -> Found {
    let start = Instant::now();
    let over = || start.elapsed() > Duration::from_secs(60);
    let library = library(model);
    let budget = Budget {
        over: &over,
        hurry: &over,
        brief: &over,
        bytes: 1 << 30,
        library: &library,
        prover: None,
        symmetry: true,
    };
    find(model, wanted, &[None], methods, &budget).expect("the goal can be asked for")
}

/// A number that looks like chance, the same in every run.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Plays it with values drawn from these; how often the constraint held, or for which values it broke its promise.
fn promise(instance: &Instance, wanted: &Wanted, general: &General, seed: &mut u64, times: usize) -> usize {
    let start = instance.initial().expect("it can start").remove(0);
    let addresses: Vec<Value> = ["1", "2", "3", "4", "5"].map(Value::string).to_vec();
    let mut kept = 0;
    let pool = |slot: &LocalId| match instance.model().types.strip(&general.locals[slot.0].ty) {
        Type::String => addresses.clone(),
        ty => instance.values_of(ty, &start, "a parameter", Default::default()).unwrap_or_default(),
    };
    let parameters = general.parameters();
    let pools: Vec<Vec<Value>> = parameters.iter().map(pool).collect();
    for _ in 0..times * TRIES {
        let mut values = vec![None; general.locals.len()];
        for (slot, pool) in parameters.iter().zip(&pools).filter(|(_, pool)| !pool.is_empty()) {
            values[slot.0] = Some(pool[next(seed) % pool.len()].clone());
        }
        if !general.holds(instance, &start, &values) {
            continue;
        }
        let events = general.instantiate(instance, &start, &values).expect("all its values are known");
        let mut state = start.clone();
        for event in &events {
            let outcome = instance.outcomes(&state, event).into_iter().next();
            state =
                outcome.and_then(|outcome| outcome.ok()).unwrap_or_else(|| broken(instance, general, &values)).target;
        }
        let own: Vec<Value> = values[..general.params].iter().flatten().cloned().collect();
        let held = wanted.held(instance, &state, &own);
        if !general.conjuncts.iter().all(|conjunct| held[*conjunct]) {
            broken::<()>(instance, general, &values);
        }
        kept += 1;
        if kept == times {
            break;
        }
    }
    kept
}

fn broken<T>(instance: &Instance, general: &General, values: &[Option<Value>]) -> T {
    panic!("{}\nfor {values:?}", show_general(instance.model(), "broken", general, "what it is for"))
}

/// So many draws for each instance: values that must all be different are drawn seldom.
const TRIES: usize = 100;

/// No way leads there, and finding that out takes long.
const NOWHERE: [&str; 10] = [
    "T3-idle-with-call",
    "T3-idle-with-call-CW",
    "T3-idle-with-call-TWC",
    "T3-idle-waiting",
    "T3-idle-held",
    "T3-talk-asym",
    "T3-talk-asym-CW",
    "T3-self-talk",
    "T3-self-ring",
    "T3-ringing-nobody",
];

/// At least 1,000 random instances of whole ways, over all goals of both domains that can be reached.
#[test]
fn every_instance_of_a_whole_way_reaches_its_goal() {
    let mut seed = 7;
    let (mut played, mut generals) = (0, 0);
    for name in ["telephone", "lift"] {
        let model = example(name);
        // A goal over a run is about another model, which remembers more.
        let asked = |goal: &Goal| goal.after.is_empty() && !NOWHERE.contains(&goal.name.as_str());
        for number in (0..model.goals.len()).filter(|number| asked(&model.goals[*number])) {
            let wanted = Wanted::of(&model, GoalId(number));
            let found = by(&model, &wanted, &[Method::Contradiction, Method::Search, Method::Explore]);
            let Answer::Reached(way) = &found.answer else { continue };
            let instance = Instance::new(model.clone(), found.places[0]).expect("the setup is right");
            let Some(general) = generalised(&instance, &wanted, way) else { continue };
            played += promise(&instance, &wanted, &general, &mut seed, 25);
            generals += 1;
        }
    }
    assert!(played >= 1_000 && generals >= 60, "{played} instances of {generals} ways");
}

/// At least 1,000 random instances over the whole suite, of pieces of the library.
#[test]
fn every_instance_reaches_its_predicate() {
    let model = telephone();
    let setup = model.setup_named("all_3").expect("it is declared");
    let instance = Instance::new(model.clone(), Some(setup)).expect("the setup is right");
    let library = Library::new(&instance, &library(&model));
    let mut seed = 4;
    let (mut played, mut scenarios) = (0, 0);
    for number in (0..model.goals.len()).step_by(4) {
        let wanted = Wanted::of(&model, GoalId(number));
        for general in pieces(&instance, &wanted, &library).iter().step_by(2) {
            played += promise(&instance, &wanted, general, &mut seed, 6);
            scenarios += 1;
        }
    }
    assert!(played >= 1_000 && scenarios >= 300, "{played} instances of {scenarios} scenarios");
}

/// The example of the paper: pieces about different addresses become one scenario about both.
#[test]
fn the_example_of_the_paper() {
    let model = telephone();
    let wanted = goal(&model, "T1-TCS-FPR");
    let found = by_generalising(&model, &wanted);
    let Answer::Reached(way) = &found.answer else { panic!("{:?}", found.answer) };
    let place: Option<SetupId> = found.places[0];
    let instance = Instance::new(model.clone(), place).expect("the setup is right");
    let general = generalised(&instance, &wanted, way).expect("it can be followed");
    let shown = show_general(&model, "T1-TCS-FPR", &general, "the goal");
    same(
        &shown,
        "scenario `T1-TCS-FPR`(x: Address, y: Address, y2: Address) where x != y {
    init_address(x)
    init_address(y)
    activate_tcs(y, x)
    offhook(x)
    activate_fpr(y, y2)
    expect the goal
}
",
    );
    let mut seed = 1;
    assert_eq!(promise(&instance, &wanted, &general, &mut seed, 50), 50);
}

fn same(shown: &str, expected: &str) {
    assert!(shown == expected, "\n{shown}");
}

const SHOP: &str = "
system Shop
var small: Set<Int> = {}
var odd: Set<Int> = {}
input put_small(n: Int) requires n >= 0 and n < 10 { small += {n} }
input put_odd(n: Int) requires n % 2 == 1 { odd += {n} }
scenario puts_small { put_small(4) }
scenario puts_odd { put_odd(11) }
scenario fails { put_small(12) }
goal both(k: Int): k in small and k in odd
";

/// Neither 4 nor 11 will do, and nothing else is in the library: without a solver nobody finds a number, and the nearest miss is told.
/// A scenario that fails is left out.
#[test]
fn what_lacks_is_told_and_what_fails_is_left_out() {
    let model = model("shop.play", SHOP);
    let found = by_generalising(&model, &goal(&model, "both"));
    let Answer::Unknown { nearest: Some(near), .. } = &found.answer else { panic!("{:?}", found.answer) };
    assert_eq!((near.lacks.as_slice(), near.scenario.as_deref()), ([1].as_slice(), Some("puts_small")));
    let left: Vec<&str> = found.left_out.iter().map(|each| each.scenario.as_str()).collect();
    assert_eq!(left, ["fails"]);
}
