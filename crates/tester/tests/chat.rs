//! The chat server: the right one is never blamed, each fault is found.

use crate::common::chat::{Chat, Fault};
use crate::common::{example, instance, model, tester};
use interplay_semantics::show_label;
use interplay_tester::{Choices, Coverage, End, Line, Strategy, Uniform, Weighted};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// The signature of the first failure in some runs.
fn first_failure(fault: Fault, seed: u64, runs: u64, strategy: &mut dyn Strategy) -> Option<String> {
    let model = model(&[&example("chat/chat.play")]);
    let instance = instance(&model, Some("online"));
    let mut tester = tester(&instance, None, Chat::new(&model, fault, seed));
    for run in 0..runs {
        match tester.run(strategy, &mut Choices::of_run(seed, run), &GO_ON).end {
            End::Failed(failure) => {
                let shown: Vec<String> = failure
                    .lines
                    .iter()
                    .map(|line| match line {
                        Line::Given(label) | Line::Heard(label) | Line::Refused(label, _) => show_label(&model, label),
                        Line::Foreign(what) | Line::Broke(what) => what.clone(),
                        Line::Silence => "silence".into(),
                        Line::Waited => "waited".into(),
                    })
                    .collect();
                println!("{fault:?} run {run}: {} {shown:?}", failure.signature);
                return Some(failure.signature);
            }
            End::Finished | End::Terminal => {}
            other => panic!("{fault:?}: {other:?}"),
        }
    }
    None
}

#[test]
fn the_right_server_is_never_blamed() {
    for seed in 0..20 {
        for strategy in [&mut Coverage::default() as &mut dyn Strategy, &mut Uniform, &mut Weighted] {
            assert_eq!(first_failure(Fault::None, seed, 20, strategy), None, "{} {seed}", strategy.name());
        }
    }
}

#[test]
fn each_fault_is_found_and_has_its_name() {
    for (fault, expected) in [
        (Fault::ThreadPerDelivery, &["unexpected output deliver: condition 4 of rule 1"][..]),
        (Fault::DeliversToSender, &["unexpected output deliver: condition 2 of rule 1"]),
        (Fault::DropsForLaterMember, &["output owed at the end: deliver", "silence instead of deliver"]),
        // What is doubled comes again, or comes in front of what should be next.
        (
            Fault::Duplicates,
            &["unexpected output deliver: condition 3 of rule 1", "unexpected output deliver: condition 4 of rule 1"],
        ),
        (Fault::RefusesFirstPost, &["post refused"]),
        (Fault::SameClient, &["wrong result of create"]),
    ] {
        let found = first_failure(fault, 1, 10, &mut Coverage::default()).unwrap_or_default();
        assert!(expected.contains(&&found[..]), "{fault:?}: {found}");
    }
}

/// The budget of the paper: ten runs of ten steps.
#[test]
fn the_race_is_found_with_the_papers_budget() {
    let model = model(&[&example("chat/chat.play")]);
    let instance = instance(&model, Some("online"));
    let found = |seed: u64| {
        let mut tester = tester(&instance, Some(10), Chat::new(&model, Fault::ThreadPerDelivery, seed));
        let mut strategy = Coverage::default();
        (0..10).any(|run| {
            let ran = tester.run(&mut strategy, &mut Choices::of_run(seed, run), &GO_ON);
            matches!(ran.end, End::Failed(_))
        })
    };
    let count = (0..100).filter(|seed| found(*seed)).count();
    println!("found in {count} of 100 seeds");
    assert!(count >= 95, "{count} of 100");
}

/// Judged steps per second against the chat server in process. Run with `--ignored --nocapture` for the figure.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let model = model(&[&example("chat/chat.play")]);
    let instance = instance(&model, Some("online"));
    for strategy in [&mut Coverage::default() as &mut dyn Strategy, &mut Uniform] {
        let mut tester = tester(&instance, Some(100), Chat::new(&model, Fault::None, 1));
        let (mut steps, started) = (0, std::time::Instant::now());
        for run in 0..20_000 {
            steps += tester.run(strategy, &mut Choices::of_run(1, run), &GO_ON).steps;
        }
        let seconds = started.elapsed().as_secs_f64();
        println!("{}: {:.0} steps/s", strategy.name(), steps as f64 / seconds);
    }
}
