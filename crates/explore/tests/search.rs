//! How a search ends, and what it then says.

use crate::support::{Explored, instance, text};
use interplay_explore::{
    Config, FindingKind, Findings, Interpreted, Layers, Memory, RustModel, RustProperty, RustSystem, Stop, Strategy,
    Verdict, explore,
};
use interplay_semantics::show_label;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const COUNTER: &str = "
    system Counter
    var n: Int = 0
    var log: Seq<Bool> = []
    input up { n = n + 1 }
    input note { log = log + [true] }
    property small: always n < 5
    property never_negative: never n < 0
    property seven: possible n == 7
";

fn system(source: &str) -> Interpreted {
    let model = text(source);
    let setup = model.setups.first().map_or(String::new(), |setup| setup.name.clone());
    Interpreted::new(instance(&model, &setup), None)
}

fn labels(source: &str, outcome: &Explored, index: usize) -> Vec<String> {
    let model = text(source);
    let trace = outcome.findings[index].trace.as_ref().expect("it has a trace");
    trace.steps.iter().map(|(label, _)| show_label(&model, label)).collect()
}

#[test]
fn the_first_violation_ends_the_search_with_a_shortest_trace() {
    for threads in [1, 2] {
        for layers in [Layers::Keep, Layers::Forget] {
            let outcome = explore(&system(COUNTER), &Config { threads, layers, ..Config::default() });
            assert_eq!(outcome.stop, Stop::FirstFinding);
            assert!(matches!(&outcome.findings[0].kind, FindingKind::Violated(property) if property.name == "small"));
            assert_eq!(labels(COUNTER, &outcome, 0), ["up"; 5]);
            assert_eq!(outcome.verdict("small"), Some(&Verdict::Violated));
            assert_eq!(outcome.verdict("never_negative"), Some(&Verdict::HoldsSoFar(Stop::FirstFinding)));
        }
    }
}

#[test]
fn continuing_reports_each_property_once() {
    let config = Config { findings: Findings::Continue, depth: Some(9), ..Config::default() };
    let outcome = explore(&system(COUNTER), &config);
    assert_eq!(outcome.stop, Stop::Depth);
    assert_eq!(outcome.findings.len(), 2);
    assert_eq!(labels(COUNTER, &outcome, 1), ["up"; 7]);
    assert_eq!(outcome.verdict("seven"), Some(&Verdict::Satisfied));
    assert_eq!(outcome.verdict("never_negative"), Some(&Verdict::HoldsSoFar(Stop::Depth)));
}

#[test]
fn budgets_end_the_search_for_their_reason() {
    let base = Config { findings: Findings::Continue, ..Config::default() };
    let stop = |config: Config| explore(&system(COUNTER), &config).stop;
    assert_eq!(stop(Config { states: Some(1000), ..base.clone() }), Stop::States);
    assert_eq!(stop(Config { bytes: Some(1 << 19), ..base.clone() }), Stop::Memory);
    let looks = AtomicU64::new(0);
    let deadline = || looks.fetch_add(1, Ordering::Relaxed) > 20;
    assert_eq!(stop(Config { deadline: &deadline, ..base.clone() }), Stop::Time);
    let interrupted = AtomicBool::new(true);
    assert_eq!(stop(Config { interrupted: &interrupted, ..base.clone() }), Stop::Interrupted);
    let depth_first = Config { strategy: Strategy::DepthFirst, states: Some(1000), threads: 2, ..base };
    assert_eq!(stop(depth_first), Stop::States);
}

#[test]
fn what_grows_is_named() {
    let source = "
        system Growing
        var queue: Seq<Int> = []
        var turns: Bool = false
        input put { queue = queue + [1] turns = not turns }
    ";
    let outcome = explore(&system(source), &Config { states: Some(500), ..Config::default() });
    let growth = outcome.growth.expect("the queue grows");
    assert_eq!(growth.measure, "queue.length");
    assert!(growth.proposal.starts_with("keep queue.length <= "), "{}", growth.proposal);
}

#[test]
fn an_error_of_the_model_is_a_finding() {
    let source = "
        system Divides
        var n: Int = 3
        var m: Int = 0
        input down { n = n - 1 }
        input divide requires n >= 0 { m = 6 / n }
        setup small { keep n >= -1 }
    ";
    for threads in [1, 2] {
        let config = Config { findings: Findings::Continue, threads, ..Config::default() };
        let outcome = explore(&system(source), &config);
        assert_eq!(outcome.stop, Stop::Exhausted);
        let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
        assert!(matches!(&finding.kind, FindingKind::Error(error) if error.code.to_string() == "M003"));
        assert_eq!(labels(source, &outcome, 0), ["down"; 3]);
    }
}

#[test]
fn a_model_that_cannot_start_says_so() {
    let source = "system Stuck var n: 0..3 init n * n == 5 input go { n = 0 }";
    let outcome = explore(&system(source), &Config::default());
    assert_eq!(outcome.states, 0);
    assert!(matches!(&outcome.findings[0].kind, FindingKind::Error(error) if error.code.to_string() == "M011"));
    assert!(outcome.findings[0].trace.is_none());
}

#[test]
fn a_deadlock_is_an_end_that_is_not_meant() {
    let source = "
        system Ends
        input go, wrong
        start Here
        at Here { on go -> end on wrong -> There }
        at There { }
    ";
    let quiet = explore(&system(source), &Config::default());
    assert_eq!((quiet.terminal, quiet.findings.len()), (2, 0));
    let asked = explore(&system(source), &Config { deadlocks: true, ..Config::default() });
    assert!(matches!(asked.findings[0].kind, FindingKind::Deadlock));
    assert_eq!(labels(source, &asked, 0), ["wrong"]);
    assert_eq!(asked.stop, Stop::FirstFinding);
}

#[test]
fn progress_is_told() {
    let most = AtomicU64::new(0);
    let progress = |now: interplay_explore::Progress| _ = most.fetch_max(now.states, Ordering::Relaxed);
    let config = Config { progress: &progress, states: Some(400), findings: Findings::Continue, ..Config::default() };
    let outcome = explore(&system(COUNTER), &config);
    assert_eq!(most.into_inner(), outcome.states);
}

#[test]
fn lossy_sets_say_what_they_are_worth() {
    let source = "system Grid var x: Int = 0 var y: Int = 0 input a { x = x + 1 } input b { y = y + 1 } setup small { keep x < 40 and y < 40 }";
    for memory in [Memory::Compact, Memory::Bitstate { bytes: 1 << 20, hashes: 3 }] {
        let outcome = explore(&system(source), &Config { memory, ..Config::default() });
        assert_eq!((outcome.states, outcome.transitions), (1600, 3120), "{:?}", outcome.assurance);
    }
}

#[test]
fn observers_hear_silence() {
    let source = "
        system Answers
        input ask
        output answer
        start Free
        at Free { on ask -> Busy on ask -> Asleep }
        at Busy { on answer -> Free }
        at Asleep { }
        observer answered never { start Waiting at Waiting { on ask -> Asked } at Asked { on answer -> Waiting on silence -> bad } }
    ";
    let outcome = explore(&system(source), &Config::default());
    assert_eq!(outcome.verdict("answered"), Some(&Verdict::Violated));
    assert_eq!(labels(source, &outcome, 0), ["ask", "silence"]);
}

#[test]
fn rules_that_never_fire_are_explained() {
    let source = "
        system Idle
        var n: Int = 0
        input go requires n < 3 { n = n + 1 }
        input never_possible requires n > 7 { n = 0 }
    ";
    let system = system(source);
    explore(&system, &Config::default());
    let unfired = system.coverage().unfired(interplay_explore::Specified::instance(&system), &system.sample(100));
    assert_eq!(unfired.len(), 1);
    assert!(unfired[0].never_held.is_some());
    let silent = system.coverage().silent_actions(interplay_explore::Specified::instance(&system));
    assert_eq!(silent.len(), 1);
}

/// Four counters up to 19: layers that are wide enough for several threads.
struct Counters;

impl RustModel for Counters {
    type State = [u8; 4];
    type Action = String;

    fn initial(&self) -> Vec<[u8; 4]> {
        vec![[0; 4]]
    }

    fn actions(&self, state: &[u8; 4]) -> Vec<(String, [u8; 4])> {
        let up = |index: usize| {
            let mut next = *state;
            next[index] += 1;
            (format!("up {index}"), next)
        };
        (0..4).filter(|index| state[*index] < 19).map(up).collect()
    }

    fn properties(&self) -> Vec<RustProperty<[u8; 4]>> {
        vec![RustProperty::always("below", |state: &[u8; 4]| state.iter().all(|each| *each < 15))]
    }
}

#[test]
fn threads_share_wide_layers() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        for threads in [1, 2, 4] {
            for memory in [Memory::Exact, Memory::Compact] {
                let config = Config { strategy, threads, memory, findings: Findings::Continue, ..Config::default() };
                let outcome = explore(&RustSystem::new(Counters), &config);
                assert_eq!((outcome.states, outcome.transitions, outcome.terminal), (160_000, 4 * 19 * 8000, 1));
                let steps = outcome.findings[0].trace.as_ref().expect("it has a trace").steps.len();
                assert!(steps == 15 || strategy == Strategy::DepthFirst && steps > 15, "{steps}");
            }
        }
    }
}
