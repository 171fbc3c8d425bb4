//! Logs judged by the rules: several possible states, starts that nobody saw, events that are not logged, sessions, orders, and going on
//! later. The agreement machine compares many more with plain state sets (`monitor-rules`).

use interplay_answers::{LogJudges, LogNote, LogRefusal, Verdict};
use interplay_workbench::{Monitoring, Watch, open};
use std::path::Path;

/// A coin is followed by water or by tea, and nobody sees which of them the machine has chosen.
const MACHINE: &str = "system Machine\n\
    var s: 0..3 = 0\n\
    input coin requires s == 0 { s = 1 }\n\
    internal choose_tea requires s == 1 { s = 2 }\n\
    internal choose_water requires s == 1 { s = 3 }\n\
    input press requires s == 2 { s = 2 }\n\
    output tea requires s == 2 { s = 0 }\n\
    output water requires s == 3 { s = 0 }\n";

fn watch(request: &Monitoring) -> Watch {
    let context =
        open(Path::new("machine.play"), &|_: &Path| Ok(MACHINE.into())).unwrap_or_else(|_| panic!("it is right"));
    Watch::new(&context, request).unwrap_or_else(|_| panic!("it can be watched"))
}

fn line(event: &str) -> String {
    match event {
        "silence" | "reset" => format!("{{\"type\":\"{event}\"}}"),
        event => match event.split_once('=') {
            Some(("s", value)) => format!("{{\"state\":{{\"s\":{value}}}}}"),
            Some((session, action)) => format!("{{\"peer\":\"{session}\",\"action\":\"{action}\"}}"),
            None => format!("{{\"action\":\"{event}\"}}"),
        },
    }
}

fn fed(watch: &mut Watch, log: &str) -> Vec<LogRefusal> {
    let notes = log.split(' ').flat_map(|event| watch.feed(&line(event), false)).collect::<Vec<_>>();
    let refusal = |note| if let LogNote::Refusal(refusal) = note { Some(*refusal) } else { None };
    notes.into_iter().filter_map(refusal).collect()
}

/// The verdict, and the first step that is not allowed.
fn judged(log: &str, request: &Monitoring) -> (Verdict, Option<u64>) {
    let mut watch = watch(request);
    let refused = fed(&mut watch, log);
    (watch.summary().verdict(), refused.first().map(|refusal| refusal.step))
}

#[test]
fn several_states_are_possible_until_an_event_decides() {
    let all = Monitoring::default();
    assert_eq!(judged("coin tea coin water coin press tea", &all), (Verdict::Pass, None));
    assert_eq!(judged("coin press water", &all), (Verdict::Fail, Some(3)));
    assert_eq!(judged("coin silence", &all), (Verdict::Fail, Some(2)));
    assert_eq!(judged("coin coin", &all), (Verdict::Fail, Some(2)));
    assert_eq!(judged("coin choose_tea water", &all), (Verdict::Fail, Some(3)));
}

#[test]
fn a_refusal_tells_what_was_possible() {
    let refusals = fed(&mut watch(&Monitoring::default()), "coin press water");
    let [refusal] = &refusals[..] else { panic!("{refusals:?}") };
    assert_eq!(refusal.message, "unexpected output `water`; expected `tea`");
    assert_eq!((refusal.state_count, &refusal.states[0].variables[..]), (1, &["s = 2".to_string()][..]));
    assert_eq!(refusal.states[0].allowed, ["tea", "press"]);
    assert!(refusal.reasons[0].text.starts_with("`s == 3` does not hold"), "{:?}", refusal.reasons);
}

#[test]
fn after_a_refusal_nothing_is_said_until_the_next_reset() {
    let mut watch = watch(&Monitoring::default());
    assert_eq!(fed(&mut watch, "tea tea tea reset coin water").len(), 1);
    let LogJudges::Judged(rules) = watch.summary().rules else { panic!("there are rules") };
    assert_eq!((rules.judged, rules.skipped, rules.refusals), (3, 2, 1));
}

#[test]
fn what_is_not_logged_may_have_happened() {
    let unlogged = Monitoring { unlogged: vec!["coin".into()], ..Monitoring::default() };
    assert_eq!(judged("tea water tea", &unlogged), (Verdict::Pass, None));
    assert_eq!(judged("tea press water", &unlogged), (Verdict::Fail, Some(3)));
    let unknown = Monitoring { unlogged: vec!["cion".into()], ..Monitoring::default() };
    let context =
        open(Path::new("machine.play"), &|_: &Path| Ok(MACHINE.into())).unwrap_or_else(|_| panic!("it is right"));
    assert!(Watch::new(&context, &unknown).is_err());
}

#[test]
fn a_log_may_start_anywhere() {
    let middle = Monitoring { from_the_middle: true, ..Monitoring::default() };
    assert_eq!(judged("tea coin water", &middle), (Verdict::Pass, None));
    assert_eq!(judged("tea water", &middle), (Verdict::Fail, Some(2)));
    assert_eq!(judged("s=3 tea", &middle), (Verdict::Fail, Some(1)));
}

#[test]
fn a_shown_state_drops_the_others() {
    let all = Monitoring::default();
    assert_eq!(judged("coin s=3 water", &all), (Verdict::Pass, None));
    assert_eq!(judged("coin s=3 tea", &all), (Verdict::Fail, Some(2)));
    assert_eq!(judged("coin s=0", &all), (Verdict::Fail, Some(1)));
}

#[test]
fn each_session_is_a_run_of_its_own() {
    let sessions = Monitoring { for_each: Some("peer".into()), ..Monitoring::default() };
    let mut watch = watch(&sessions);
    let refused = fed(&mut watch, "a=coin b=coin a=water b=tea a=tea");
    assert_eq!(refused.len(), 1);
    assert_eq!((refused[0].line.to_string(), refused[0].step), ("line 5, session a".into(), 3));
    assert_eq!((watch.summary().sessions, watch.summary().lines, watch.summary().steps), (Some((2, 0)), 5, 5));
    let one = Monitoring { sessions: Some(1), ..sessions };
    assert_eq!(judged("a=coin b=tea a=tea", &one), (Verdict::Inconclusive, None));
}

#[test]
fn every_order_within_the_bound_is_tried() {
    let by = |reorder| Monitoring { reorder, ..Monitoring::default() };
    assert_eq!(judged("tea coin coin water", &by(0)), (Verdict::Fail, Some(1)));
    assert_eq!(judged("tea coin coin water", &by(1)), (Verdict::Pass, None));
    assert_eq!(judged("tea water coin coin", &by(2)), (Verdict::Pass, None));
    assert_eq!(judged("tea water tea water coin coin coin coin", &by(2)).0, Verdict::Fail);
    assert_eq!(judged("tea silence coin", &by(3)).0, Verdict::Fail);
}

#[test]
fn a_later_process_goes_on() {
    let mut first = watch(&Monitoring::default());
    assert!(fed(&mut first, "coin press").is_empty());
    let mut second = watch(&Monitoring::default());
    second.restore(&first.save()).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(fed(&mut second, "water").len(), 1);
    let sessions = Monitoring { for_each: Some("peer".into()), ..Monitoring::default() };
    let mut first = watch(&sessions);
    fed(&mut first, "a=coin b=coin b=press");
    let mut second = watch(&sessions);
    second.restore(&first.save()).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(fed(&mut second, "a=water b=water").len(), 1);
}
