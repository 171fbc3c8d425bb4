//! Phones are interchangeable once all are known: the best-first search visits one state for all renamings, and tells the way with
//! the phones that really take part.

use interplay_model::{GoalId, Model};
use interplay_scenarios::{Answer, Budget, Found, Method, Wanted, find};
use std::path::Path;
use std::sync::Arc;

fn telephone() -> Arc<Model> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/telephone/telephone.play");
    let read = |path: &Path| std::fs::read(path);
    interplay_workbench::open(Path::new(file), &read).unwrap_or_else(|_| panic!("the text is right")).model
}

fn search(model: &Arc<Model>, wanted: &Wanted, symmetry: bool) -> Found {
    let never = || false;
    let budget =
        Budget { over: &never, hurry: &never, brief: &never, bytes: 1 << 30, library: &[], prover: None, symmetry };
    find(model, wanted, &[None], &[Method::Search], &budget).expect("the goal can be asked for")
}

fn told(found: &Found) -> String {
    match &found.answer {
        Answer::Reached(way) => format!("reached in {}", way.steps.len()),
        Answer::Unreachable { .. } => "unreachable".into(),
        other => format!("{other:?}"),
    }
}

/// The same answers from fewer states.
#[test]
fn one_state_stands_for_all_its_renamings() {
    let model = telephone();
    let (mut all, mut few) = (0, 0);
    for name in ["T2-flash-CW-TWC", "T1-CW-TWC", "T3-talk-asym-TWC", "T3-idle-waiting", "T3-ringing-nobody"] {
        let goal = model.goals.iter().position(|goal| goal.name == name).expect("it is declared");
        let wanted = Wanted::of(&model, GoalId(goal));
        let (without, with) = (search(&model, &wanted, false), search(&model, &wanted, true));
        assert_eq!(told(&without), told(&with), "{name}");
        assert!(with.states < without.states, "{name}: {} of {}", with.states, without.states);
        all += without.states;
        few += with.states;
    }
    assert!(few * 3 < all, "{few} of {all}");
}

/// A goal that names a phone tells phones apart: nothing is renamed.
#[test]
fn a_goal_that_names_a_value_is_searched_without() {
    let model = telephone();
    let goal = model.goals.iter().position(|goal| goal.name == "T3-ringing-nobody").expect("it is declared");
    let mut wanted = Wanted::of(&model, GoalId(goal));
    let two = interplay_model::ExprKind::String("2".into());
    wanted.conditions.iter_mut().for_each(|condition| replace(condition, &two));
    wanted.params = 0;
    let (without, with) = (search(&model, &wanted, false), search(&model, &wanted, true));
    assert_eq!((told(&without), without.states), (told(&with), with.states));
}

fn replace(expr: &mut interplay_model::Expr, by: &interplay_model::ExprKind) {
    expr.children_mut(&mut |child| replace(child, by));
    if expr.kind == interplay_model::ExprKind::Local(interplay_model::LocalId(0)) {
        expr.kind = by.clone();
    }
}
