//! Observers along a run, and goals of its states.

use crate::support::*;
use interplay_model::{GoalId, ObserverId, ObserverVerdict};
use interplay_semantics::Instance;

const COUNTDOWN: &str = "
system Countdown
var x: Int = 0
input START(p: Int)
output MSG(m: Int)
output STOP
start Idle
at Idle { on START(p) { x = p } -> Sending }
at Sending {
    on MSG(m) when m == x and x > 0 { x = x - 1 }
    on STOP when x == 0 -> Idle
}
setup small { domain START.p = 0..2 }
";

fn verdict(instance: &Instance, texts: &[&str]) -> Option<ObserverVerdict> {
    let mut state = start(instance);
    let mut observer = instance.observer_start(ObserverId(0), &state).unwrap();
    for text in texts {
        let label = label(instance, &state, text);
        state = instance.successors(&state, &label).unwrap().remove(0);
        observer = instance.observer_step(ObserverId(0), &observer, &label, &state).unwrap();
    }
    instance.observer_verdict(ObserverId(0), &observer)
}

#[test]
fn an_observer_stays_where_it_is_until_something_concerns_it() {
    let watched = instance(&format!(
        "{COUNTDOWN} observer empty never {{
            start Waiting
            at Waiting {{ on START(p) when p >= 0 -> Started }}
            at Started {{ on MSG -> Waiting  on STOP -> bad }}
        }}"
    ));
    assert_eq!(verdict(&watched, &["START(1)", "MSG(1)", "STOP"]), None);
    assert_eq!(verdict(&watched, &["START(0)", "STOP", "START(1)", "MSG(1)"]), Some(ObserverVerdict::Bad));
}

#[test]
fn an_observer_keeps_its_own_variables_and_sees_the_state_after_the_step() {
    let watched = instance(&format!(
        "{COUNTDOWN} observer counts possible {{
            var seen: Int = 0
            start Here
            at Here {{ on MSG(m) when seen == 0 and x == 1 {{ seen += m }}  on MSG(m) when m == seen - 1 and seen > 0 -> good }}
        }}"
    ));
    assert_eq!(verdict(&watched, &["START(1)", "MSG(1)", "STOP"]), None);
    assert_eq!(verdict(&watched, &["START(2)", "MSG(2)", "MSG(1)"]), Some(ObserverVerdict::Good));
}

#[test]
fn two_ways_to_go_are_an_error() {
    let watched = instance(&format!(
        "{COUNTDOWN} observer unclear never {{
            start Here
            at Here {{ on START(p) when p < 2 -> There  on START(p) when p > 0 -> bad }}
            at There {{ on STOP -> Here }}
        }}"
    ));
    let state = start(&watched);
    let observer = watched.observer_start(ObserverId(0), &state).unwrap();
    let step = |text: &str| {
        let label = label(&watched, &state, text);
        let after = watched.successors(&state, &label).unwrap().remove(0);
        watched.observer_step(ObserverId(0), &observer, &label, &after)
    };
    assert!(step("START(2)").is_ok());
    assert_eq!(
        step("START(1)").unwrap_err().to_string(),
        "S006: the observer `unclear` is not deterministic at `Here`"
    );
}

#[test]
fn a_goal_is_reached_for_some_values_of_its_parameters() {
    let text = format!("{COUNTDOWN} goal double(n: Int, m: 0..9): at Sending and n == x and m == n + 1");
    let system = instance(&text);
    assert_eq!(system.goal(GoalId(0), &start(&system)), Ok(None));
    assert_eq!(system.goal(GoalId(0), &run(&system, &["START(2)"])), Ok(Some(vec![2.into(), 3.into()])));
}

#[test]
fn enabled_inputs_come_without_their_results() {
    let system = instance("system S input get() -> Int ensures result in 1..3 {} output beep {}");
    let inputs = system.enabled_inputs(&start(&system)).unwrap();
    assert_eq!(inputs.len(), 1);
    assert_eq!(inputs.first().unwrap().result, None);
    assert_eq!(steps(&system, &start(&system)), ["beep", "get() -> 1", "get() -> 2", "get() -> 3"]);
}
