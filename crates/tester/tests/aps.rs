//! Protection switching with properties alone: guided driving against the uniform generator, on all faulty programs.

mod common;

use common::played::Played;
use common::{example, instance, model, tester};
use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_examples::aps::{FAULTS, Switch};
use interplay_model::Model;
use interplay_semantics::{Event, Instance};
use interplay_tester::{Choices, End, Guided, Move, Strategy, Tester, Uniform, View};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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

/// A switch in process; steps and resets are counted.
struct Counted<'c> {
    hello: Hello,
    model: Arc<Model>,
    fresh: Switch,
    now: Switch,
    count: &'c Cell<u64>,
}

impl Implementation for Counted<'_> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        self.now = self.fresh.clone();
        self.count.set(self.count.get() + 1);
        Ok(())
    }

    fn input(&mut self, _: &Event, _: Duration) -> Result<Answer, Trouble> {
        Err(Trouble { kind: TroubleKind::Error, message: "it is synchronous".into() })
    }

    fn observe(&mut self, _: Duration) -> Result<Option<Output>, Trouble> {
        Ok(None)
    }

    fn step(&mut self, inputs: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        self.count.set(self.count.get() + 1);
        let names: Vec<&str> = inputs.iter().map(|event| &self.model.actions[event.action.0].name[..]).collect();
        let event = |name| Event::new(self.model.action_named(name).expect("a signal"), Vec::new());
        Ok(self.now.step(&names).into_iter().map(event).collect())
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
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
    switch: &dyn Fn() -> Counted<'c>,
    strategy: &dyn Fn() -> Box<dyn Strategy>,
    seeds: u64,
) -> f64 {
    let mut total = 0;
    for seed in 0..seeds {
        let switch = switch();
        let count = switch.count;
        count.set(0);
        tester.implementation = Box::new(switch);
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
        let hello = Hello { name: program.into(), actions: Vec::new() };
        let fresh = Switch::named(program).expect("it exists");
        Counted { hello, model: model.clone(), now: fresh.clone(), fresh, count: &count }
    };
    let mut tester = tester(&specification, Some(LIMIT), counted("good"));
    let (mut logs, mut sums, mut shorts) = (0.0, (0.0, 0.0), 0.0);
    println!("| program | uniform | uniform, runs of 50 | guided | guided / uniform |\n|---|--:|--:|--:|--:|");
    for (program, _) in FAULTS {
        let switch = || counted(program);
        let guided = steps(&mut tester, &switch, &|| Box::new(Guided::default()), seeds);
        let uniform = steps(&mut tester, &switch, &|| Box::new(Uniform), seeds);
        let short = steps(&mut tester, &switch, &|| Box::new(Short::default()), seeds);
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
