//! The elevator: the strategies against the uniform generator on its faulty controllers, where the properties judge alone and
//! where the model judges too.

use crate::common::stepped::Stepped;
use crate::common::{example, instance, model, tester};
use interplay_examples::elevator::{Elevator, FAULTS};
use interplay_semantics::Instance;
use interplay_tester::{Choices, Coverage, End, Guided, Strategy, Uniform};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn specification(conformance: &str) -> Instance {
    let text = example("elevator/elevator.play") + &format!("\nsetup for_tests {{ conformance {conformance} }}\n");
    instance(&model(&[&text]), Some("for_tests"))
}

/// Mean number of steps to a failure; a new start counts as a step.
fn steps(specification: &Instance, program: &str, strategy: &dyn Fn() -> Box<dyn Strategy>, seeds: u64) -> f64 {
    let (model, count) = (Arc::new(specification.model().clone()), Cell::new(0));
    let mut total = 0;
    for seed in 0..seeds {
        let elevator = Elevator::named(program).expect("it exists");
        let elevator = Stepped::new(&model, elevator, |elevator, pressed| elevator.step(pressed), &count);
        let mut tester = tester(specification, Some(20_000), elevator);
        let ran = tester.run(&mut *strategy(), &mut Choices::of_run(seed, 0), &GO_ON);
        assert!(matches!(ran.end, End::Failed(_)), "{program}: {:?}", ran.end);
        total += count.get() - 1;
    }
    total as f64 / seeds as f64
}

/// The sums over all faulty controllers: uniform, coverage, guided.
fn compare(conformance: &str, seeds: u64) -> [f64; 3] {
    let specification = specification(conformance);
    let mut sums = [0.0; 3];
    println!("| program ({conformance}) | uniform | coverage | guided |\n|---|--:|--:|--:|");
    for (program, _) in FAULTS {
        let steps = |strategy: &dyn Fn() -> Box<dyn Strategy>| steps(&specification, program, strategy, seeds);
        let all = [
            steps(&|| Box::new(Uniform)),
            steps(&|| Box::new(Coverage::default())),
            steps(&|| Box::new(Guided::default())),
        ];
        println!("| `{program}` | {:.1} | {:.1} | {:.1} |", all[0], all[1], all[2]);
        (0..3).for_each(|at| sums[at] += all[at]);
    }
    sums
}

/// Over all faults together, because one that shows itself in three steps is found by chance as soon as by thinking.
#[test]
fn the_strategies_are_better_than_chance() {
    let [uniform, coverage, guided] = compare("none", 20);
    assert!(guided < uniform && coverage < uniform, "{uniform} {coverage} {guided}");
    let [uniform, coverage, _] = compare("uioco", 20);
    assert!(coverage < uniform, "{uniform} {coverage}");
}
