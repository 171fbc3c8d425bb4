//! Protection switching with properties alone: guided driving against the uniform generator, on all faulty programs.

use crate::common::played::Played;
use crate::common::stepped::Stepped;
use crate::common::{example, instance, model, tester};
use interplay_examples::aps::{FAULTS, Switch};
use interplay_semantics::{Instance, show_label, show_state};
use interplay_tester::{Choices, Coverage, End, Guided, Move, Strategy, Tester, Uniform, View, mutant, mutant_count};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
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

/// What the table says.
struct Compared {
    /// The geometric mean of the ratios, and the ratio of the sums.
    mean: f64,
    all: f64,
    /// The uniform generator's steps, by program.
    uniform: Vec<f64>,
}

fn compare(seeds: u64) -> Compared {
    let specification = properties_alone();
    let model = Arc::new(specification.model().clone());
    let count = Cell::new(0);
    let counted = |program: &str| {
        Stepped::new(&model, Switch::named(program).expect("it exists"), |switch, signals| switch.step(signals), &count)
    };
    let mut tester = tester(&specification, Some(LIMIT), counted("good"));
    let (mut logs, mut sums, mut shorts, mut by_program) = (0.0, (0.0, 0.0), 0.0, Vec::new());
    println!("| program | uniform | uniform, runs of 50 | guided | guided / uniform |\n|---|--:|--:|--:|--:|");
    for (program, _) in FAULTS {
        let switch = || counted(program);
        let guided = steps(&mut tester, &switch, &count, &|| Box::new(Guided::default()), seeds);
        let uniform = steps(&mut tester, &switch, &count, &|| Box::new(Uniform), seeds);
        let short = steps(&mut tester, &switch, &count, &|| Box::new(Short::default()), seeds);
        println!("| `{program}` | {uniform:.1} | {short:.1} | {guided:.1} | {:.3} |", guided / uniform);
        shorts += short;
        by_program.push(uniform);
        logs += (guided / uniform).ln();
        sums = (sums.0 + guided, sums.1 + uniform);
    }
    let (mean, all) = ((logs / FAULTS.len() as f64).exp(), sums.0 / sums.1);
    println!(
        "| all | {:.1} | {shorts:.1} | {:.1} | {all:.3} |\n\ngeometric mean of the ratios: {mean:.3}",
        sums.1, sums.0
    );
    Compared { mean, all, uniform: by_program }
}

#[test]
fn guidance_beats_the_uniform_generator() {
    let Compared { mean, all, .. } = compare(5);
    assert!(all < 0.1, "{all}");
    assert!(mean < 0.2, "{mean}");
}

/// How much each program matters in [`least`], where a new start is a step, and where it costs nothing: found by trials, so that the
/// bounds are high. Any weights give a bound.
const WEIGHTS: [[u64; FAULTS.len()]; 2] =
    [[2, 36, 14, 0, 19, 17, 9, 0, 0, 0, 0, 0, 3], [0, 103, 40, 0, 47, 46, 0, 0, 0, 0, 0, 0, 8]];

/// The least weighted sum of steps to the first wrong answers of these programs, over all sequences of inputs and new starts. No
/// strategy whatever does better, in the mean either, not even one that knows the faults: as long as the
/// answers are those of the right program it plays one sequence, and before an answer is different nothing can be violated.
fn least(weights: &[u64], anew_costs: u64) -> u64 {
    let fresh = |name: &str| Switch::named(name).expect("it exists");
    let inputs = fresh("good").inputs();
    // The right program, and the others as long as nobody can tell them from it.
    let start: Vec<Option<Switch>> = [("good", 1)]
        .into_iter()
        .chain(FAULTS.iter().map(|(name, _)| *name).zip(weights.iter().copied()))
        .map(|(name, weight)| (weight > 0).then(|| fresh(name)))
        .collect();
    let (mut known, mut waiting) = (BTreeMap::from([(start.clone(), 0)]), BTreeSet::from([(0, start.clone())]));
    while let Some((cost, place)) = waiting.pop_first() {
        let unseen = place[1..].iter().zip(weights).filter_map(|(switch, weight)| switch.as_ref().map(|_| weight));
        let unseen: u64 = unseen.sum();
        if unseen == 0 {
            return cost;
        }
        let stepped = inputs.iter().map(|input| {
            let mut next = place.clone();
            let mut answers = next.iter_mut().map(|switch| switch.as_mut().map(|switch| switch.step(&[input])));
            let right = answers.next().flatten();
            let answers: Vec<_> = answers.collect();
            for (switch, answer) in next[1..].iter_mut().zip(answers) {
                if answer != right {
                    *switch = None;
                }
            }
            next
        });
        let anew = start.iter().zip(&place).map(|(fresh, now)| now.as_ref().and(fresh.clone())).collect();
        for (next, price) in stepped.map(|next| (next, 1)).chain([(anew, anew_costs)]) {
            let (best, cost) = (known.entry(next.clone()).or_insert(u64::MAX), cost + price * unseen);
            if cost < *best {
                waiting.remove(&(*best, next.clone()));
                *best = cost;
                waiting.insert((*best, next));
            }
        }
    }
    unreachable!("every fault can be seen")
}

/// The table of `examples/aps/README.md`.
#[test]
#[ignore = "takes a while"]
fn guidance_needs_a_tenth_of_the_steps_on_average() {
    let Compared { mean, all, uniform } = compare(100);
    assert!(all < 0.1, "{all}");
    assert!(mean < 0.1, "{mean}");
    for (weights, anew_costs) in WEIGHTS.iter().zip([1, 0]) {
        let weighed: f64 = weights.iter().zip(&uniform).map(|(weight, steps)| *weight as f64 * steps).sum();
        let least = least(weights, anew_costs) as f64 / weighed;
        println!("whatever the strategy, its worst ratio is at least {least:.3} (a new start costs {anew_costs})");
    }
}

/// Counts what a strategy chooses: steps and new starts.
struct Counted<'c> {
    strategy: Box<dyn Strategy>,
    count: &'c Cell<u64>,
}

impl Strategy for Counted<'_> {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn begin(&mut self) {
        self.strategy.begin();
    }

    fn forget(&mut self) {
        self.strategy.forget();
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        self.count.set(self.count.get() + 1);
        self.strategy.choose(view, choices)
    }
}

/// Faults that nobody chose, and that the strategy was not made with: every small change of the model that a property can see.
#[test]
#[ignore = "takes a while"]
fn guidance_helps_against_faults_that_nobody_chose() {
    let specification = properties_alone();
    let whole = model(&[&example("aps/aps.play")]);
    let (mut logs, mut sums, mut worse, mut found) = (0.0, (0.0, 0.0), 0, 0);
    for number in 0..mutant_count(&whole) {
        let mutant = mutant(&whole, number).expect("there are so many");
        let Ok(faulty) = Instance::new(mutant.model.into(), None) else { continue };
        if faulty.initial().is_err() {
            continue;
        }
        let mean = |strategy: &dyn Fn() -> Box<dyn Strategy>| -> Option<f64> {
            let count = Cell::new(0);
            for seed in 0..20 {
                let mut tester = tester(&specification, Some(LIMIT), Played::new(&faulty, seed));
                let mut counted = Counted { strategy: strategy(), count: &count };
                let ran = tester.run(&mut counted, &mut Choices::of_run(seed, 0), &GO_ON);
                if !matches!(ran.end, End::Failed(_)) {
                    return None;
                }
            }
            Some(count.get() as f64 / 20.0)
        };
        let Some(uniform) = mean(&|| Box::new(Uniform)) else { continue };
        let guided = mean(&|| Box::new(Guided::default())).expect("what chance finds, guidance finds");
        println!("{uniform:8.1} {guided:8.1}  {}", mutant.change);
        found += 1;
        worse += u32::from(guided > uniform);
        logs += (guided / uniform).ln();
        sums = (sums.0 + guided, sums.1 + uniform);
    }
    let (mean, all) = ((logs / f64::from(found)).exp(), sums.0 / sums.1);
    println!("{found} faults: {all:.3} of the steps in sum, geometric mean of the ratios {mean:.3}, slower on {worse}");
    assert!(found > 30 && all < 0.2, "{found} {all}");
}

/// Of one program alone the least is its shortest wrong run; of two, that of a sequence that shows both.
#[test]
fn the_least_is_found() {
    let alone = |program: &str| {
        let weights: Vec<u64> = FAULTS.iter().map(|(name, _)| u64::from(*name == program)).collect();
        least(&weights, 1)
    };
    assert_eq!(alone("faulty-removes-last-line"), 2);
    assert_eq!(alone("faulty-force-checks-quality"), 2);
    let both = |name: &str| u64::from(["faulty-removes-last-line", "faulty-force-checks-quality"].contains(&name));
    let weights: Vec<u64> = FAULTS.iter().map(|(name, _)| both(name)).collect();
    // removeW, removeP, pF, forceP
    assert_eq!((least(&weights, 1), least(&weights, 0)), (6, 6));
}

/// A refused input leads nowhere new, but it shows something new.
#[test]
fn what_is_refused_is_tried_soon() {
    let text = example("aps/aps.play") + "\nsetup for_tests { conformance none }\n";
    let specification = instance(&model(&[&text]), Some("for_tests"));
    let (model, count) = (Arc::new(specification.model().clone()), Cell::new(0));
    let counted = |program: &str| {
        Stepped::new(&model, Switch::named(program).expect("it exists"), |switch, signals| switch.step(signals), &count)
    };
    let mut tester = tester(&specification, Some(LIMIT), counted("good"));
    for program in ["faulty-removes-last-line", "faulty-conditional-to-failed"] {
        let mut mean = |strategy: &dyn Fn() -> Box<dyn Strategy>| {
            let each = |seed| {
                tester.table.forget_visits();
                tester.implementation = Box::new(counted(program));
                let ran = tester.run(&mut *strategy(), &mut Choices::of_run(seed, 0), &GO_ON);
                assert!(matches!(ran.end, End::Failed(_)), "{:?}", ran.end);
                count.get() - 1
            };
            (0..20).map(each).sum::<u64>() as f64 / 20.0
        };
        let (coverage, uniform) = (mean(&|| Box::new(Coverage::default())), mean(&|| Box::new(Uniform)));
        assert!(coverage < uniform, "{program}: {coverage} {uniform}");
    }
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
