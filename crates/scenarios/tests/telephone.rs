//! Goals of the telephone example that are answered in a moment: what is found, by whom, and in how many events.

use interplay_model::{GoalId, ScenarioId};
use interplay_scenarios::{Answer, Budget, Method, Wanted, find};
use std::path::Path;
use std::time::{Duration, Instant};

/// The shortest witnesses of the reference programs; some are beaten here.
const GOALS: [(&str, &str); 25] = [
    ("T1-TCS-FPR", "reached in 5"),
    ("T1-TCS-CFBL", "reached in 5"),
    ("T1-FPR-CFBL", "reached in 5"),
    ("T1-TCS-INTL", "reached in 6"),
    ("T1-TCS-TWC", "reached in 8"),
    ("T1-FPR-CW", "reached in 9"),
    ("T1-CFBL-CW", "reached in 9"),
    ("T1-INFB-TWC", "reached in 9"),
    ("T1-CW-INTL", "reached in 10"),
    ("T1-CW-TWC", "reached in 13"),
    ("T2-flash-CW-TWC", "reached in 10"),
    ("T2-join-CW-TWC", "reached in 11"),
    ("T3-talk-asym-TWC", "reached in 11"),
    ("T4-INTL-RC", "reached in 6"),
    ("T3-held-by-nobody", "reached in 23"),
    ("T3-idle-held-CW", "reached in 15"),
    ("T3-ringing-nobody-CW", "reached in 15"),
    ("T1-FPR-INTL", "contradictory [3, 5]"),
    ("T1-CFBL-INFB", "contradictory [3, 5]"),
    ("T1-CFBL-CND", "contradictory [3, 5]"),
    ("T1-CW-INFB", "contradictory [3, 6]"),
    ("T1-CW-CND", "contradictory [3, 6]"),
    ("T3-idle-with-call", "unreachable"),
    ("T3-ringing-nobody", "unreachable"),
    ("T3-idle-waiting", "unreachable"),
];

#[test]
fn goals_of_the_telephone() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/telephone/telephone.play");
    let read = |path: &Path| std::fs::read(path);
    let context = interplay_workbench::open(Path::new(file), &read);
    let model = context.unwrap_or_else(|_| panic!("the text is right")).model;
    let library: Vec<ScenarioId> = (0..model.scenarios.len()).map(ScenarioId).collect();
    for (name, expected) in GOALS {
        let goal = model.goals.iter().position(|goal| goal.name == name).expect("it is declared");
        let start = Instant::now();
        let over = || start.elapsed() > Duration::from_secs(120);
        let brief = || start.elapsed() > Duration::from_secs(8);
        let wanted = Wanted::of(&model, GoalId(goal));
        let budget = Budget {
            over: &over,
            hurry: &over,
            brief: &brief,
            bytes: 2 << 30,
            library: &library,
            prover: None,
            symmetry: true,
        };
        let found = find(&model, &wanted, &[None], &Method::ALL, &budget).expect("the goal can be asked for");
        let told = match &found.answer {
            Answer::Reached(way) => format!("reached in {}", way.steps.len()),
            Answer::Unreachable { .. } => "unreachable".into(),
            Answer::Contradictory(why) => format!("contradictory {:?}", why.core),
            Answer::Wrong(_) => "wrong".into(),
            Answer::Unknown { .. } => "unknown".into(),
        };
        assert_eq!(told, expected, "{name}");
    }
}
