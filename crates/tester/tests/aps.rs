//! Protection switching with properties alone: guided driving against the uniform generator, on all faulty programs.

mod common;

use common::played::Played;
use common::stepped::Stepped;
use common::{example, instance, model, tester};
use interplay_examples::aps::{FAULTS, Switch};
use interplay_semantics::{Instance, show_label, show_state};
use interplay_tester::{Choices, Coverage, End, Guided, Move, Strategy, Tester, Uniform, View};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Longer than any uniform run should need.
const LIMIT: u64 = 20_000;

/// The signals and the requirements, without the behaviour.
fn properties_alone() -> Instance {
    let text = example("aps/aps.play");
    let (signals, rest) = text.split_once("on step {").expect("there is a model");
    let (_, requirements) = rest.split_once("// The requirements").expect("there are requirements");
    let (requirements, _) = requirements.split_once("scenario ").expect("there are scenarios");
    let text = format!("{signals}// The requirements{requirements}\nsetup for_tests {{ conformance none }}\n");
    instance(&model(&[&text]), Some("for_tests"))
}

/// The uniform generator with a new start after every fifty steps.
#[derive(Default)]
struct Short {
    steps: u64,
}

impl Strategy for Short {
    fn name(&self) -> &'static str {
        "short"
    }

    fn begin(&mut self) {
        self.steps = 0;
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        self.steps += 1;
        if self.steps > 50 { Move::Restart } else { Uniform.choose(view, choices) }
    }
}

/// Mean number of steps to a violated property. A reset counts as a step, except the first.
fn steps<'c>(
    tester: &mut Tester<'c>,
    switch: &dyn Fn() -> Stepped<'c, Switch>,
    count: &Cell<u64>,
    strategy: &dyn Fn() -> Box<dyn Strategy>,
    seeds: u64,
) -> f64 {
    let mut total = 0;
    for seed in 0..seeds {
        tester.implementation = Box::new(switch());
        let ran = tester.run(&mut *strategy(), &mut Choices::of_run(seed, 0), &GO_ON);
        assert!(matches!(ran.end, End::Failed(_)), "{:?}", ran.end);
        total += count.get() - 1;
    }
    total as f64 / seeds as f64
}

/// The table, and the geometric mean of the ratios and the ratio of the sums.
fn compare(seeds: u64) -> (f64, f64) {
    let specification = properties_alone();
    let model = Arc::new(specification.model().clone());
    let count = Cell::new(0);
    let counted = |program: &str| {
        Stepped::new(&model, Switch::named(program).expect("it exists"), |switch, signals| switch.step(signals), &count)
    };
    let mut tester = tester(&specification, Some(LIMIT), counted("good"));
    let (mut logs, mut sums, mut shorts) = (0.0, (0.0, 0.0), 0.0);
    println!("| program | uniform | uniform, runs of 50 | guided | guided / uniform |\n|---|--:|--:|--:|--:|");
    for (program, _) in FAULTS {
        let switch = || counted(program);
        let guided = steps(&mut tester, &switch, &count, &|| Box::new(Guided::default()), seeds);
        let uniform = steps(&mut tester, &switch, &count, &|| Box::new(Uniform), seeds);
        let short = steps(&mut tester, &switch, &count, &|| Box::new(Short::default()), seeds);
        println!("| `{program}` | {uniform:.1} | {short:.1} | {guided:.1} | {:.3} |", guided / uniform);
        shorts += short;
        logs += (guided / uniform).ln();
        sums = (sums.0 + guided, sums.1 + uniform);
    }
    let (mean, all) = ((logs / FAULTS.len() as f64).exp(), sums.0 / sums.1);
    println!(
        "| all | {:.1} | {shorts:.1} | {:.1} | {all:.3} |\n\ngeometric mean of the ratios: {mean:.3}",
        sums.1, sums.0
    );
    (mean, all)
}

#[test]
fn guidance_beats_the_uniform_generator() {
    let (mean, all) = compare(5);
    assert!(all < 0.1, "{all}");
    assert!(mean < 0.2, "{mean}");
}

/// The table of `examples/aps/README.md`.
#[test]
#[ignore = "takes a while"]
fn guidance_needs_a_tenth_of_the_steps_on_average() {
    let (mean, all) = compare(100);
    assert!(all < 0.1, "{all}");
    assert!(mean < 0.1, "{mean}");
}

#[test]
fn the_right_one_is_never_blamed() {
    for conformance in ["none", "uioco"] {
        let text = example("aps/aps.play") + &format!("\nsetup for_tests {{ conformance {conformance} }}\n");
        let right = instance(&model(&[&text]), Some("for_tests"));
        for seed in 0..5 {
            let mut tester = tester(&right, Some(500), Played::new(&right, seed));
            let ran = tester.run(&mut Guided::default(), &mut Choices::of_run(seed, 0), &GO_ON);
            assert!(matches!(ran.end, End::Finished), "{:?}", ran.end);
        }
    }
}

/// How many steps until the selector has returned to the working line because of three ticks: five steps that follow each
/// other, of nineteen that are possible each time.
fn steps_to_three_ticks(strategy: &mut dyn Strategy, seed: u64) -> Option<u64> {
    let requests = instance(&model(&[&example("aps/requests.play")]), Some("mr4"));
    let (model, count) = (Arc::new(requests.model().clone()), Cell::new(0));
    let switch = Switch::named("good-mr4").expect("it exists");
    let switch = Stepped::new(&model, switch, |switch, signals| switch.step(signals), &count);
    let mut tester = tester(&requests, Some(50), switch);
    let mut steps = 0;
    for run in 0..100 {
        let ran = tester.run(strategy, &mut Choices::of_run(seed, run), &GO_ON);
        assert!(matches!(ran.end, End::Finished), "{:?}", ran.end);
        steps += ran.steps;
        let third = tester.table.edges().iter().filter(|edge| edge.taken > 0).any(|edge| {
            let waited = |state| show_state(requests.model(), state).contains(&"waited = 2".into());
            let tick = show_label(requests.model(), tester.table.label(edge.label)).contains("tick");
            tick && tester.table.members(edge.from).iter().all(|member| waited(&member.state))
        });
        if third {
            return Some(steps);
        }
    }
    None
}

#[test]
fn three_ticks_in_a_row_are_reached() {
    for seed in 0..5 {
        let steps = steps_to_three_ticks(&mut Coverage::default(), seed);
        assert!(steps.is_some(), "not in 5,000 steps with seed {seed}");
    }
}
