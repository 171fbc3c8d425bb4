//! Properties at the border of the workbench: the oracles of the examples have the promised sizes, the models keep their
//! properties, and logs in all shapes are judged.

use crate::common;
use crate::common::{load, root};
use interplay_answers::{LogNote, LogUnknown, LogVerdict, Monitored, TrialConformance};
use interplay_report::{against_text, log_note_text};
use interplay_semantics::{Event, Instance, Label, show_label};
use interplay_temporal::{Monitors, Reader, Step, Verdict};
use interplay_workbench::{Context, Monitoring, Watch, open, oracle, test};
use std::path::Path;

#[test]
fn oracles_have_the_promised_sizes() {
    let mut promised = 0;
    for example in ["elevator", "aps"] {
        let text =
            std::fs::read_to_string(root().join(format!("examples/{example}/expect.toml"))).expect("it is there");
        let expected: toml::Table = text.parse().expect("it is TOML");
        let wanted: Vec<i64> =
            expected["oracle"]["states"].as_array().expect("numbers").iter().filter_map(|n| n.as_integer()).collect();
        let built = oracle::run(&load(&format!("{example}/{example}.play")), &<_>::default(), &common::nothing)
            .unwrap_or_else(|_| panic!("{example}"));
        let found: Vec<i64> = built.oracles.properties.iter().map(|property| property.states() as i64).collect();
        assert_eq!(found, wanted, "{example}");
        promised += found.len();
    }
    assert_eq!(promised, 29);
}

/// Random runs of the synchronous examples keep all properties that their authors claim.
#[test]
fn the_models_keep_their_properties() {
    for example in ["elevator", "aps"] {
        let context = load(&format!("{example}/{example}.play"));
        let instance = Instance::new(context.model.clone(), None).expect("no constant is missing");
        let monitors = Monitors::new(&instance, None);
        assert!(monitors.refused.is_empty(), "{:?}", monitors.refused);
        let mut dice = 1u64;
        for _ in 0..20 {
            let mut state = instance.initial().expect("it starts").remove(0);
            let mut states = monitors.start(Some(&state)).expect("it starts");
            let mut reader = Reader::default();
            for _ in 0..40 {
                let mut next: Vec<_> =
                    instance.transitions(&state).into_iter().map(|next| next.expect("it moves")).collect();
                dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let next = next.swap_remove((dice >> 33) as usize % next.len());
                let step = Step::new(&next.label).into(&next.target);
                assert_eq!(monitors.outside(step, &mut reader), None);
                monitors.step_with(&mut states, step, &mut reader).expect("nothing goes wrong");
                for (monitor, at) in monitors.monitors.iter().zip(&states) {
                    let label = show_label(instance.model(), &next.label);
                    assert_ne!(at.verdict, Verdict::Violated, "{} after {label}", monitor.name);
                }
                state = next.target;
            }
        }
    }
}

/// Whether right or wrong: the tables of a group lead where each monitor goes by itself.
#[test]
fn a_group_judges_as_each_by_itself() {
    let context = load("aps/aps.play");
    let instance = Instance::new(context.model.clone(), None).expect("no constant is missing");
    let model = instance.model();
    let monitors = Monitors::new(&instance, None);
    let (mut reader, mut dice, mut violated) = (Reader::default(), 7u64, 0);
    let mut below = |limit: usize| {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (dice >> 33) as usize % limit
    };
    let event = |name: &str| Event::new(model.action_named(name).expect("it is declared"), Vec::new());
    let inputs = ["wN", "wD", "wF", "pN", "pD", "pF", "removeW", "restoreW", "forceP", "condP", "condW"];
    for _ in 0..200 {
        let mut together = monitors.start(None).expect("it starts");
        let mut alone = together.clone();
        for _ in 0..30 {
            let given = (below(4) > 0).then(|| event(inputs[below(inputs.len())]));
            let line = event(["selW", "selP"][below(2)]);
            let reject = (below(4) == 0).then(|| event("reject"));
            let label = Label::step(given, [line].into_iter().chain(reject));
            monitors.step_with(&mut together, Step::new(&label), &mut reader).expect("nothing goes wrong");
            for (monitor, state) in monitors.monitors.iter().zip(&mut alone) {
                monitor.step(state, Step::new(&label)).expect("nothing goes wrong");
            }
            assert_eq!(together, alone);
        }
        violated += together.iter().filter(|state| state.verdict == Verdict::Violated).count();
    }
    assert!(violated > 100, "{violated}");
}

const BANK: &str = "system Bank
type User = String
input login(u: User) { }
input logout(u: User) { }
input deposit(u: User, amount: Int) { }
output receipt(u: User) { }

property only_when_logged_in: for every u: User: always (deposit(u, _) implies not logout(u) since login(u))
property answered: for every u: User: always (deposit(u, _) implies within 2s receipt(u))
property no_nothing: always not deposit(_, 0)
property paid_once: possible receipt
";

fn written(text: &str) -> Context {
    open(Path::new("written.play"), &|_: &Path| Ok(text.as_bytes().to_vec()))
        .unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn bank() -> Context {
    written(BANK)
}

fn watched(log: &str, request: &Monitoring) -> (Watch, Vec<String>) {
    watched_by(&bank(), log, request)
}

fn watched_by(context: &Context, log: &str, request: &Monitoring) -> (Watch, Vec<String>) {
    let mut watch = Watch::new(context, request).unwrap_or_else(|_| panic!("it can be watched"));
    let mut notes = Vec::new();
    for line in log.split_inclusive('\n') {
        notes.extend(watch.feed(line.trim_end_matches('\n'), !line.ends_with('\n')));
    }
    let first = |note: &LogNote| log_note_text(note).lines().next().unwrap_or_default().to_string();
    (watch, notes.iter().map(first).collect())
}

fn verdicts(summary: &Monitored) -> Vec<&'static str> {
    summary.properties.iter().map(|property| property.verdict.word()).collect()
}

#[test]
fn each_value_is_watched_by_itself() {
    let log = r#"{"action":"login","args":{"u":"ann"},"time":0}
{"action":"deposit","args":["ann", 5],"time":1000000}
{"type":"output","action":"receipt","args":{"u":"ann"},"time":2000000}
{"action":"deposit","args":{"u":"bob","amount":0},"time":2500000}
{"action":"logout","args":{"u":"ann"},"time":5000000}
{"action":"coffee","args":{}}
"#;
    let (watch, notes) = watched(log, &Monitoring::default());
    assert_eq!(
        notes,
        [
            "`only_when_logged_in` is violated for u = \"bob\" in step 4 (line 4)",
            "`no_nothing` is violated in step 4 (line 4)",
            "`answered` is violated for u = \"bob\" in step 5 (line 5)",
        ]
    );
    let summary = watch.summary();
    assert_eq!(verdicts(&summary), ["violated", "violated", "violated", "satisfied"]);
    assert_eq!(summary.unknown, [(LogUnknown::Action("coffee".into()), 1)]);
    assert!(summary.is_violated());
}

#[test]
fn bad_lines_are_told_and_the_rest_is_judged() {
    let log = "{\"action\":\"login\",\"args\":{\"u\":\"ann\"},\"time\":7}\nnot json\n[1]\n{\"action\":\"login\"}\n\
               {\"action\":\"login\",\"args\":{\"u\":3}}\n{\"action\":\"logout\",\"args\":{\"u\":\"ann\"},\"time\":5}\n{\"action\":\"dep";
    let (watch, notes) = watched(log, &Monitoring::default());
    let wanted = [
        "line 2: not JSON",
        "line 3: a line must be a JSON object",
        "line 4: `login` needs the argument `u`",
        "line 5: `login.u`: ",
        "line 6: time goes back from 7 to 5; 7 is used",
        "line 7: the last line of the log is incomplete",
    ];
    assert_eq!(notes.len(), wanted.len(), "{notes:#?}");
    for (note, wanted) in notes.iter().zip(wanted) {
        assert!(note.starts_with(wanted), "{note} should start with {wanted}");
    }
    let summary = watch.summary();
    assert_eq!((summary.steps, summary.broken_lines, summary.backwards, summary.cut), (2, 4, 1, true));
    assert!(!summary.is_violated() && !summary.is_complete());
}

#[test]
fn a_watch_goes_on_where_another_ended() {
    let first = "{\"action\":\"login\",\"args\":[\"ann\"],\"time\":1}\n{\"action\":\"deposit\",\"args\":[\"ann\",1],\"time\":2}\n";
    let (watch, notes) = watched(first, &Monitoring::default());
    assert!(notes.is_empty(), "{notes:?}");
    let saved = watch.save();
    let mut later = Watch::new(&bank(), &Monitoring::default()).unwrap_or_else(|_| panic!("it can be watched"));
    later.restore(&saved).expect("it fits");
    assert_eq!(later.save(), saved, "nothing is lost");
    let notes = later.feed("{\"action\":\"deposit\",\"args\":[\"ann\",1],\"time\":3000000}", false);
    assert_eq!(notes.len(), 1, "logged in before, but the receipt is late: {notes:?}");
    assert!(later.restore(&serde_json::json!({ "schema": 1, "properties": [] })).is_err());
}

#[test]
fn in_the_middle_only_what_is_certain_is_a_violation() {
    let log = "{\"action\":\"deposit\",\"args\":[\"ann\",1]}\n{\"action\":\"logout\",\"args\":[\"ann\"]}\n\
               {\"action\":\"deposit\",\"args\":[\"ann\",1]}\n";
    let request = Monitoring { from_the_middle: true, ..Monitoring::default() };
    let (watch, notes) = watched(log, &request);
    assert_eq!(notes, ["`only_when_logged_in` is violated for u = \"ann\" in step 3 (line 3)"]);
    assert_eq!(watch.summary().properties[0].verdict, LogVerdict::Violated);
}

const SHOP: &str = "system Shop
input pay(n: Int)
output ping
output pong
var credit: Int = 0
var other: Int = 0
property just_paid: always (credit > 5 implies previously pay(1))
property once_paid: always (ping and credit > 0 implies once pay(1))
property soon: always (pay(_) implies within 10us pong)
observer none_first never {
  start Unpaid
  at Unpaid { on pay(_) -> Paid  on ping -> bad }
  at Paid { }
}
";

/// Whatever an early line does not show, what comes later is not held against it.
#[test]
fn what_the_log_does_not_show_is_not_held_against_it() {
    let shop = written(SHOP);
    let of = |property: &str, log: &str, from_the_middle: bool| {
        let properties = Some(vec![property.to_string()]);
        let request = Monitoring { properties, from_the_middle, ..Monitoring::default() };
        let (watch, notes) = watched_by(&shop, log, &request);
        let verdict = watch.summary().properties[0].verdict.clone();
        (notes.join(", "), verdict)
    };
    let not_judged = |why: &str| LogVerdict::NotJudged(why.into());
    let not_from_the_beginning =
        not_judged("it needs the state of the system, which the log does not show from the beginning");
    let pay = "{\"action\":\"pay\",\"args\":[1]}\n";
    let ping = "{\"action\":\"ping\",\"state\":{\"credit\":6}}\n";
    assert_eq!(of("just_paid", &format!("{pay}{ping}"), false), (String::new(), not_from_the_beginning.clone()));
    let (notes, verdict) = of("just_paid", &format!("{pay}{ping}{ping}"), false);
    assert_eq!(notes, "`just_paid` is violated in step 3 (line 3)");
    assert_eq!(verdict, LogVerdict::Violated);
    assert_eq!(of("once_paid", &format!("{pay}{ping}{ping}"), false), (String::new(), not_from_the_beginning.clone()));
    // A variable that is not shown is not known either.
    let shown = of("just_paid", &format!("{}{ping}", pay.replace('}', ",\"state\":{\"other\":1}}")), false);
    assert_eq!(shown, (String::new(), not_from_the_beginning));
    let pong = |time: u64| format!("{{\"action\":\"pong\",\"time\":{time}}}\n");
    assert_eq!(of("soon", pay, false).1, not_judged("it needs time, which the log does not show"));
    let (notes, verdict) = of("soon", &format!("{pay}{}{}", pong(3), pong(300)), false);
    assert_eq!(notes, "");
    assert_eq!(verdict, not_judged("it needs time, which the log does not show from the beginning"));
    let paid_late = format!("{pay}{}{}{}", pong(3), pay.replace("}\n", ",\"time\":5}\n"), "{\"time\":16}\n");
    assert_eq!(of("soon", &paid_late, false).0, "`soon` is violated after step 3 (line 4): its deadline has passed");
    // Nobody knows what an observer would remember.
    let lonely = "{\"action\":\"ping\"}\n";
    assert_eq!(of("none_first", lonely, false).1, LogVerdict::Violated);
    let unknown = not_judged("it is an observer, and its location in the middle of a run is unknown");
    assert_eq!(of("none_first", lonely, true), (String::new(), unknown));
    assert_eq!(of("none_first", &format!("{{\"type\":\"reset\"}}\n{lonely}"), true).1, LogVerdict::Violated);
}

const CLOCKS: &str = "system Clocks
input a
output b
output c
output other
property soon: always (a implies within 10us b)
property both: always (a implies (within 10us b) and (within 20us c))
property chain: always (a implies within 10us (b and next c))
property calm: always (a implies not (within 10us b))
property later: always (a implies next (within 10us b))
";

/// A clock that goes on breaks what an event that has nothing to do with it would break, and nothing else.
/// Position 0 is the initial state, if the log shows it with its `reset`; then nobody is lost who looks back at it.
#[test]
fn a_log_that_shows_the_initial_state_is_judged_from_there() {
    let context = written(
        "system S
         var s: Bool = true
         input e { s = false }
         property ever: always ((historically s) implies silence)
         property until_then: (previously s) unless e
         property before: always (e implies previously s)",
    );
    let shown = r#"{"type":"reset","state":{"s":true}}
{"inputs":[{"action":"e"}],"state":{"s":true}}"#;
    let (watch, _) = watched_by(&context, shown, &Monitoring::default());
    assert_eq!(verdicts(&watch.summary()), ["violated", "satisfied", "open"]);
    // A log that begins after it says nothing about it.
    let cut = r#"{"inputs":[{"action":"e"}],"state":{"s":false}}"#;
    let (watch, _) = watched_by(&context, cut, &Monitoring::default());
    assert_eq!(verdicts(&watch.summary())[2], "open");
}

#[test]
fn time_that_passes_is_as_good_as_something_else_that_happens() {
    let clocks = written(CLOCKS);
    let mut seed: u64 = 7;
    let mut dice = |bound: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % bound
    };
    let mut broken = 0;
    for _ in 0..300 {
        let (mut log, mut time) = (String::new(), 0);
        for _ in 0..1 + dice(4) {
            time += dice(9);
            log += &format!("{{\"action\":\"{}\",\"time\":{time}}}\n", ["a", "b", "c"][dice(3) as usize]);
        }
        let later = time + 1 + dice(25);
        let end = |line: String| {
            let (watch, _) = watched_by(&clocks, &format!("{log}{line}\n"), &Monitoring::default());
            watch.summary().properties.iter().map(|each| (each.name.clone(), each.violations)).collect::<Vec<_>>()
        };
        let nothing = end(String::new());
        let passed = end(format!("{{\"time\":{later}}}"));
        let happened = end(format!("{{\"action\":\"other\",\"time\":{later}}}"));
        for ((before, passed), happened) in nothing.iter().zip(&passed).zip(&happened) {
            // What has to come in the next step is missed by a step, not by time.
            if !["chain", "later"].contains(&before.0.as_str()) {
                assert_eq!(passed, happened, "{log} until {later}");
            }
            assert!(before.1 <= passed.1 && passed.1 <= happened.1, "{log} until {later}");
            broken += passed.1 - before.1;
        }
    }
    assert!(broken > 50, "time runs out now and then: {broken}");
}

#[test]
fn time_that_passes_breaks_the_promise_to_one_value() {
    let log = "{\"action\":\"login\",\"args\":[\"ann\"],\"time\":0}\n{\"action\":\"login\",\"args\":[\"bob\"]}\n\
               {\"action\":\"deposit\",\"args\":[\"bob\",1],\"time\":5}\n{\"action\":\"deposit\",\"args\":[\"ann\",1],\"time\":9}\n\
               {\"time\":2000005}\n{\"action\":\"heartbeat\",\"time\":2000006}\n{\"type\":\"silence\",\"time\":9000000}\n";
    let (watch, notes) = watched(log, &Monitoring::default());
    assert_eq!(
        notes,
        [
            "`answered` is violated for u = \"bob\" after step 4 (line 6): its deadline has passed",
            "`answered` is violated for u = \"ann\" after step 5 (line 7): its deadline has passed",
        ]
    );
    assert_eq!(watch.summary().properties[1].violations, 2);
}

#[test]
fn what_no_run_can_keep_is_told_once_in_each_run() {
    let context = written(
        "system S\ninput a\noutput b(n: 0..3)\nproperty no: always (previously a)\n\
         property nor: for every n: 0..3: always (previously b(n))\n",
    );
    for from_the_middle in [false, true] {
        let request = Monitoring { from_the_middle, ..Monitoring::default() };
        let (watch, notes) = watched_by(&context, "", &request);
        assert!(notes.is_empty() && !watch.summary().is_violated());
        let log = "{\"action\":\"a\"}\n{\"action\":\"a\"}\n{\"type\":\"reset\"}\n{\"action\":\"a\"}\n";
        let (watch, notes) = watched_by(&context, log, &request);
        let told = |name: &str, line: u64| {
            format!("`{name}` is violated in step 1 (line {line}): no continuation can satisfy it")
        };
        assert_eq!(notes, [told("no", 1), told("nor", 1), told("no", 4), told("nor", 4)]);
        assert!(watch.summary().properties.iter().all(|each| each.violations == 2));
    }
}

#[test]
fn lines_that_do_not_fit_the_specification_are_told() {
    let context = written(
        "system S\nconst Most: Int = 1\nrecord Pair { x: 0..Most, y: Int }\ninput bit(d: 0..Most)\n\
         output all(s: Seq<Option<Pair>>)\nvar level: 0..9 = 0\n\
         property seen: for every d: 0..1: always (all(_) implies once bit(d))\nproperty high: possible bit(1)\n",
    );
    let pair = |x: u64| format!("{{\"action\":\"all\",\"args\":[[null,{{\"x\":{x},\"y\":7}}]]}}\n");
    let log = "{\"action\":\"bit\",\"args\":[0]}\n{\"action\":\"bit\",\"args\":[2]}\n".to_string()
        + &pair(2)
        + "{\"action\":\"bit\",\"args\":[0],\"state\":{\"level\":10}}\n{\"state\":{\"level\":9,\"lvl\":1}}\n"
        + "{\"inputs\":[{\"action\":\"all\",\"args\":[[]]}]}\n";
    let (watch, notes) = watched_by(&context, &("\u{feff}".to_string() + &log), &Monitoring::default());
    assert_eq!(
        notes,
        [
            "line 2: `bit.d`: 2 is not in 0..1",
            "line 3: `all.s`: 2 is not in 0..1",
            "line 4: `state.level`: 10 is not in 0..9",
            "line 6: `all` is an output, but is in the list of inputs",
        ]
    );
    let summary = watch.summary();
    assert_eq!(summary.unknown, [(LogUnknown::Variable("lvl".into()), 1)]);
    assert_eq!((summary.steps, &summary.properties[1].verdict), (1, &LogVerdict::Unseen));
}

#[test]
fn memory_holds_only_what_is_of_interest() {
    let mut watch = Watch::new(&bank(), &Monitoring::default()).unwrap_or_else(|_| panic!("it can be watched"));
    for user in 0..500 {
        for (action, args) in
            [("login", "[\"U\"]"), ("deposit", "[\"U\", 3]"), ("receipt", "[\"U\"]"), ("logout", "[\"U\"]")]
        {
            let args = args.replace('U', &user.to_string());
            let notes = watch.feed(&format!("{{\"action\":\"{action}\",\"args\":{args},\"time\":{user}}}"), false);
            assert!(notes.is_empty(), "{notes:?}");
        }
    }
    for property in &watch.summary().properties[..2] {
        let (watched, ignored) = property.instances.expect("it is quantified");
        assert!(watched <= 3 && ignored == 0, "{} watches {watched} values", property.name);
    }
}

/// Leaves out the property that every request is answered: nobody notices an elevator that stays at the third floor, except
/// that the rules are broken, and it is said which inputs nobody has to answer.
#[test]
fn a_missing_response_property_is_reported() {
    let context = load("elevator/elevator.play");
    let text = std::fs::read_to_string(root().join("examples/elevator/elevator.play")).expect("it is there");
    let stuck = text.replace("} else if door_open {", "} else if floor == 3 and door_open {\n} else if door_open {");
    assert_ne!(stuck, text);
    let read = |path: &Path| Ok(if path.ends_with("stuck.play") { stuck.clone() } else { text.clone() }.into_bytes());
    let implementations = ["stuck", "good"].map(|name| (name.to_string(), format!("model:{name}.play")));
    let tried = |properties: &[&str]| {
        let properties = Some(properties.iter().map(|name| name.to_string()).collect());
        let request = test::Request { properties, seed: 1, ..test::Request::default() };
        test::against::run(
            &context,
            &test::against::Request { test: request, implementations: implementations.to_vec() },
            &read,
        )
        .unwrap_or_else(|_| panic!("it can be tried"))
    };

    let complete = tried(&["E1", "E8", "E9"]);
    assert_eq!(complete.unanswered, [] as [&str; 0]);
    assert_eq!(complete.trials[0].broken, ["E9"]);
    assert!(complete.trials.iter().all(|trial| !trial.survives() && trial.trouble.is_none()));
    assert_eq!(complete.trials[1].conformance, TrialConformance::Kept);

    let missing = tried(&["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"]);
    assert_eq!(missing.unanswered, ["req1", "req2", "req3"]);
    assert!(missing.trials[0].survives() && !missing.trials[1].survives());
    let TrialConformance::Differs { lines, unanswered } = &missing.trials[0].conformance else { panic!("it is wrong") };
    assert!(lines.iter().any(|line| line.contains("req3")), "{lines:?}");
    assert!(unanswered.contains(&"req3".to_string()), "{unanswered:?}");
    assert!(against_text(&missing).contains("a property may be missing: none requires a response to"));
}

/// What the log does not show is not held against it, and what it shows is not lost: values with conditions, the middle of a run, variables
/// that are not shown yet.
#[test]
fn conditions_on_values_hold_wherever_the_log_begins() {
    let context = written(
        "system S\nvar credit: Int = 0\nvar debt: Int = 0\ninput start\ninput login(u: Int)\ninput stop\ninput tick\n\
         property odd: for every u: Int where u % 1000 == 7 and u > 5000: always ((login(u) or start) implies within 3 stop)\n\
         property far: for every u: Int where u > 9: always (login(u) implies not previously tick)\n\
         property owed: always (debt >= 0)\n",
    );
    let event =
        |name: &str, args: &str| format!("{{\"action\":\"{name}\",\"args\":[{args}],\"state\":{{\"credit\":1}}}}\n");
    let log = event("start", "") + &event("login", "8007") + &event("tick", "").repeat(4) + &event("login", "12");
    for from_the_middle in [false, true] {
        let request = Monitoring { from_the_middle, ..Monitoring::default() };
        let (watch, notes) = watched_by(&context, &log, &request);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].starts_with("`odd` is violated for u = 8007 in step 4"), "{notes:?}");
        assert!(notes[1].starts_with("`far` is violated for u = 12 in step 7"), "{notes:?}");
        let summary = watch.summary();
        assert_eq!(verdicts(&summary)[2], "not judged");
        assert_eq!(summary.broken_lines, 0);
    }
}

#[test]
fn some_values_may_have_no_hope() {
    let context = written(
        "system S\ninput p(n: 0..3)\nproperty no: for every n: 0..3: always (n < 2 or p(n) and previously true)\n",
    );
    let (_, notes) = watched_by(&context, "{\"action\":\"p\",\"args\":[2]}\n", &Monitoring::default());
    let values: Vec<&str> = notes.iter().map(|note| note.split(" in step").next().unwrap_or_default()).collect();
    assert_eq!(values, ["`no` is violated for n = 2", "`no` is violated for n = 3"]);
}

/// The rows of the first violation, as they are shown.
fn table(context: &Context, log: &str) -> Vec<String> {
    let mut watch = Watch::new(context, &Monitoring::default()).expect("it can be watched");
    let notes: Vec<LogNote> = log.lines().flat_map(|line| watch.feed(line, false)).collect();
    let rows = notes.into_iter().find_map(|note| match note {
        LogNote::Violation(violation) => Some(violation.why),
        _ => None,
    });
    rows.expect("it is violated").into_iter().map(|row| format!("{} {}", row.truths, row.formula)).collect()
}

/// Every row is true of the steps that are shown, and only steps for the property are.
#[test]
fn tables_say_what_is_true() {
    let context = written("system S\ninput a\noutput b\nproperty p: always (a implies not previously b)\n");
    let log = "{\"action\":\"b\"}\n{\"type\":\"silence\"}\n{\"action\":\"a\"}\n";
    let wanted = ["+- (a implies not previously b)", "-+ a", "+- not previously b", "-+ previously b", "+- b"];
    assert_eq!(table(&context, log), wanted);
    let context = written("system S\ninput a\noutput b\nproperty p: always (a implies never b)\n");
    let rows = table(&context, "{\"action\":\"a\"}\n{\"action\":\"b\"}\n");
    assert_eq!(rows, ["-+ (a implies never b)", "+- a", "-- never b", "-+ b"]);
}

#[test]
fn a_log_does_not_show_where_components_are_or_which_objects_there_are() {
    let text = "system Shop
object Basket
var last: Basket
input take { last = new Basket }
input leave
start Open
at Open { on leave -> Closed }
at Closed { on leave -> Open }
property few: always (Basket.count <= 1)
property some_basket: always (take implies (for some b: Basket: b == last))
property is_open: always (leave implies at Closed)
property none_at_first: Basket.count == 0
property kept: always (take implies last == last)
";
    let log = "{\"type\":\"reset\",\"state\":{}}
{\"action\":\"take\",\"state\":{\"last\":\"Basket#0\"}}
{\"action\":\"leave\"}
{\"action\":\"take\",\"state\":{\"last\":\"Basket#1\"}}
";
    let (watch, notes) = watched_by(&written(text), log, &Monitoring::default());
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(verdicts(&watch.summary()), ["not judged", "not judged", "not judged", "not judged", "open"]);
}
