//! Services built in Rust: what the search finds in them.

use interplay_services::{
    Config, Driver, Driving, END, Findings, Graph, LabelId, Outcome, Problem, search, search_one,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn run(graph: &Graph<u32, u32>, driver: Driver, depth: usize) -> Outcome {
    let driving = Driving { driver, ..Driving::default() };
    let config = Config { driving, depth, findings: Findings::Continue, ..Config::default() };
    search(&|| Ok(graph.session()), &config)
}

fn only_problem(outcome: &Outcome) -> (String, String) {
    let [finding] = &outcome.findings[..] else { panic!("one finding, not {:?}", outcome.findings) };
    (finding.problem.to_string(), finding.events.join(" "))
}

/// A form with two inputs that goes round.
fn form() -> (Graph<u32, u32>, LabelId, LabelId) {
    let mut graph = Graph::new(|| 0);
    let (a, b) = (graph.input("a", [0, 1]), graph.input("b", [0, 1]));
    let form = graph.collect("Form", &[a, b]);
    graph.start(form);
    graph.check(form, &[a, b], move |_, got| got[a] + got[b] < 2);
    graph.done(form).goto(form);
    (graph, a, b)
}

#[test]
fn a_panic_of_an_action_is_a_crash() {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let (go, on) = (graph.signal("go"), graph.signal("on"));
    let node = graph.choice("Node");
    graph.start(node);
    graph.on(node, go).goto(END);
    graph.on(node, on).run(|count, _| *count = 1 - *count - *count).goto(node);
    let outcome = run(&graph, Driver::Planned, 3);
    let (problem, events) = only_problem(&outcome);
    assert!(problem.starts_with("the service crashed: attempt to subtract with overflow"), "{problem}");
    assert_eq!(events, "on on");
}

#[test]
fn a_choice_that_takes_nothing_is_a_deadlock() {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let (go, never) = (graph.signal("go"), graph.signal("never"));
    let (first, trap) = (graph.choice("First"), graph.choice("Trap"));
    graph.start(first);
    graph.on(first, go).goto(trap);
    graph.on(trap, never).when(|_, _| false).goto(END);
    let outcome = run(&graph, Driver::Planned, 5);
    let expected = ("deadlock: the service takes no input at `Trap`".to_string(), "go".to_string());
    assert_eq!(only_problem(&outcome), expected);
}

#[test]
fn a_predicate_that_is_not_pure_is_found_by_the_plan() {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let a = graph.input("a", [1]);
    let (form, other) = (graph.collect("Form", &[a]), graph.choice("Other"));
    // It is asked three times while the way is planned, and then changes its mind.
    let asked = AtomicUsize::new(0);
    graph.start(form);
    graph.check(form, &[a], move |_, _| asked.fetch_add(1, Ordering::Relaxed) < 3).otherwise(other);
    graph.done(form).goto(END);
    let outcome = run(&graph, Driver::Planned, 5);
    assert!(matches!(outcome.findings[0].problem, Problem::Impure { .. }), "{:?}", outcome.findings);
}

#[test]
fn a_service_that_ends_may_begin_again() {
    let mut once: Graph<u32, u32> = Graph::new(|| 0);
    let go = once.signal("go");
    let node = once.choice("Node");
    once.start(node);
    once.on(node, go).goto(END);
    let outcome = run(&once.repeat_while(|_| true), Driver::Simple, 4);
    assert_eq!((outcome.statistics.paths, outcome.statistics.cut, outcome.findings.len()), (1, 1, 0));
    // One that is at its end from the beginning stays there.
    let nothing: Graph<u32, u32> = Graph::new(|| 0);
    assert_eq!(run(&nothing.repeat_while(|_| true), Driver::Simple, 3).statistics.ended, 1);
}

#[test]
fn sequencing_and_loops_are_built_from_graphs() {
    let part = |name: &str, next: &str| {
        let mut graph: Graph<u32, u32> = Graph::new(|| 0);
        let labels = [graph.signal("a"), graph.signal("b")];
        let node = graph.choice(name);
        graph.start(node);
        let label = labels[usize::from(next == "b")];
        graph.on(node, label).run(|count, _| *count += 1).goto(END);
        graph
    };
    let graph = part("First", "a").then(part("Second", "b")).repeat_while(|count| *count < 6);
    let outcome = run(&graph, Driver::Planned, 20);
    assert_eq!((outcome.statistics.paths, outcome.statistics.longest, outcome.statistics.ended), (1, 6, 1));
    // A first part that is at its end already is passed over.
    let nothing: Graph<u32, u32> = Graph::new(|| 0);
    assert_eq!(run(&nothing.then(part("Second", "b")), Driver::Planned, 20).statistics.longest, 1);
}

#[test]
fn violations_without_target_are_caused_once_if_asked() {
    let (graph, ..) = form();
    let mut driving = Driving::default();
    let paths = |driving: &Driving| {
        let config = Config { driving: driving.clone(), depth: 2, ..Config::default() };
        search(&|| Ok(graph.session()), &config).statistics.paths
    };
    assert_eq!(paths(&driving), 3);
    driving.violations_once = true;
    assert_eq!(paths(&driving), 4);
}

#[test]
fn corrections_are_driven_if_asked() {
    let (graph, ..) = form();
    let driving = Driving { overwrite: 1, ..Driving::default() };
    let outcome = search(&|| Ok(graph.session()), &Config { driving, depth: 3, ..Config::default() });
    let without = search(&|| Ok(graph.session()), &Config { depth: 3, ..Config::default() });
    assert!(outcome.statistics.paths > without.statistics.paths, "{:?}", outcome.statistics);
    assert_eq!(outcome.findings, []);
}

/// The runs for one visit of a node with so many independent inputs.
fn growth(inputs: usize, driver: Driver) -> u64 {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let labels: Vec<LabelId> = (0..inputs).map(|index| graph.input(&format!("i{index}"), [1])).collect();
    let form = graph.collect("Form", &labels);
    graph.start(form);
    graph.done(form).goto(END);
    run(&graph, driver, inputs).statistics.paths
}

#[test]
fn ten_independent_inputs_are_one_run() {
    let simple: Vec<u64> = (1..=8).map(|inputs| growth(inputs, Driver::Simple)).collect();
    assert_eq!(simple, [1, 2, 6, 24, 120, 720, 5040, 40320]);
    for inputs in 1..=10 {
        assert_eq!(growth(inputs, Driver::Published), 1);
        assert_eq!(growth(inputs, Driver::Planned), 1);
    }
    assert_eq!(growth(60, Driver::Planned), 1);
}

/// `cargo test --release -p interplay-services --test all library -- --ignored`
#[test]
#[ignore = "36 million events"]
fn ten_independent_inputs_have_all_orders_with_the_simple_driver() {
    assert_eq!(growth(10, Driver::Simple), 3_628_800);
}

#[test]
fn the_first_finding_in_order_is_reported_with_any_number_of_threads() {
    let mut trap: Graph<u32, u32> = Graph::new(|| 0);
    let (x, y) = (trap.input("x", [0, 1, 2]), trap.input("y", [0, 1, 2]));
    let node = trap.choice("Node");
    trap.start(node);
    trap.on(node, x).run(move |sum, got| *sum += got[x]).goto(node);
    trap.on(node, y).run(move |sum, got| assert!(*sum < 6, "too much: {sum} {}", got[y])).goto(node);
    let one = |threads| {
        let driving = Driving { driver: Driver::Simple, ..Driving::default() };
        let outcome = search(&|| Ok(trap.session()), &Config { driving, depth: 5, threads, ..Config::default() });
        (outcome.findings, outcome.statistics.paths, outcome.stop)
    };
    let alone = one(1);
    assert_eq!(alone.0[0].events.join(" "), "x(0) x(2) x(2) x(2) y(0)");
    for threads in [2, 4] {
        assert_eq!(one(threads), alone);
    }
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let (graph, ..) = form();
    let config = Config { depth: 30, paths: Some(100), ..Config::default() };
    let outcome = search_one(&mut graph.session(), &config);
    assert_eq!((outcome.statistics.paths, outcome.stop), (100, interplay_services::Stop::Paths));
    let config = Config { depth: 30, deadline: &|| true, ..Config::default() };
    assert_eq!(search_one(&mut graph.session(), &config).stop, interplay_services::Stop::Time);
}
