//! The case studies with known answers, and what the prover says where it cannot know.

use crate::support::{ask, config, example, instance, model, told};
use interplay_prove::{Engine, Verdict, never_wrong, prove};

fn is_proved(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unreachable(_))
}

#[test]
fn countdown() {
    let countdown = example(&["countdown/countdown.play"]);
    for engines in [&Engine::ALL[..], &[Engine::Induction], &[Engine::Horn]] {
        assert!(is_proved(&ask(&countdown, "omega1", engines).verdict), "{engines:?}");
        assert!(is_proved(&ask(&countdown, "never_counts_below_one", engines).verdict), "{engines:?}");
    }
    assert_eq!(told(&ask(&countdown, "omega2", &Engine::ALL)), "reachable: START(0) STOP");
    assert_eq!(told(&ask(&countdown, "omega3", &Engine::ALL)), "reachable: START(1) MSG(1)");
}

/// For every number of retransmissions and every file.
#[test]
fn the_sender_keeps_its_promises_for_all_constants() {
    let brp = example(&["brp/brp.play", "brp/sender.play"]);
    for engines in [&Engine::ALL[..], &[Engine::Induction], &[Engine::Horn]] {
        assert!(is_proved(&ask(&brp, "always_answers", engines).verdict), "{engines:?}");
        assert!(is_proved(&ask(&brp, "never_sent_too_often", engines).verdict), "{engines:?}");
    }
    assert_eq!(told(&ask(&brp, "sent_without_repetition", &Engine::ALL)), "reachable: REQ(1) MSG(0, 0) ACK OK");
    // A file that is sent again and again for 2^63 steps would outgrow the integers.
    let wrong = prove(&instance(&brp, None), &never_wrong().with_endless_integers(), &config(&Engine::ALL));
    assert!(is_proved(&wrong.verdict), "{}", told(&wrong));
}

/// `max` is chosen by the solver, and the interpreter replays the run with it.
#[test]
fn a_trace_says_which_constants_it_needs() {
    let text = "system S  const most: Int  init most >= 3  var n: Int = 0  input up { n = n + 1 }\n\
                property few: always (n < most)";
    let outcome = ask(&model(&[text]), "few", &Engine::ALL);
    let Verdict::Reachable(trace) = &outcome.verdict else { panic!("{}", told(&outcome)) };
    assert_eq!(trace.constants, [(interplay_model::ConstantId(0), 3.into())]);
    assert_eq!(told(&outcome), "reachable: up up up");
}

#[test]
fn formulas_about_the_past_and_the_future() {
    let text = "system Door  var locked: Bool = false  var n: Int = 0\n\
                input lock requires not locked { locked = true  n = n + 1 }\n\
                input unlock requires locked { locked = false }\n\
                output open requires not locked\n\
                property unlocked_before: always (open implies not (not unlock since lock))\n\
                property never_opens: never open\n\
                property twice: possible (lock and previously 2 lock)\n\
                property soon: always (unlock implies within 2 open)";
    let door = model(&[text]);
    assert!(is_proved(&ask(&door, "unlocked_before", &Engine::ALL).verdict));
    assert_eq!(told(&ask(&door, "never_opens", &Engine::ALL)), "reachable: open");
    assert_eq!(told(&ask(&door, "twice", &Engine::ALL)), "reachable: lock unlock lock");
    assert_eq!(told(&ask(&door, "soon", &Engine::ALL)), "reachable: lock unlock lock");
}

#[test]
fn what_the_model_gets_wrong_is_found() {
    let text = "system S  var n: 0..3 = 0  var m: Map<Int, Int> = {}  input up { n = n + 1 }\n\
                input put(k: Int) { m[k] = k }  input get(k: Int) requires k in m { n = m[k] % 4 }";
    let outcome = prove(&instance(&model(&[text]), None), &never_wrong(), &config(&Engine::ALL));
    assert_eq!(told(&outcome), "reachable: put(-1) get(-1) !M004");
}

#[test]
fn what_cannot_be_told_to_the_solver_is_said_with_its_place() {
    let text = "system S  var s: Seq<Int> = [1]  input turn { s = s.reverse }  property short: always (s.length < 2)";
    let outcome = ask(&model(&[text]), "short", &Engine::ALL);
    let Verdict::Unsupported(unsupported) = &outcome.verdict else { panic!("{}", told(&outcome)) };
    assert_eq!(unsupported.message, "not supported by the solver: `reverse`");
    let start = text.find("s.reverse").unwrap() as u32;
    assert_eq!(unsupported.span.start, start);
}

#[test]
fn unknown_is_an_answer_with_how_far_each_engine_came() {
    let text = "system S  var x: Int = 2  var y: Int = 3  input step { x = x * y  y = y * x + 1 }\n\
                property odd: always (x * x * x != y * y + 12345)";
    let mut config = config(&Engine::ALL);
    config.budget = std::time::Duration::from_secs(2);
    let started = std::time::Instant::now();
    let model = model(&[text]);
    let outcome = prove(&instance(&model, None), &crate::support::property(&model, "odd"), &config);
    assert!(started.elapsed().as_secs() < 10);
    assert!(matches!(outcome.verdict, Verdict::Unknown), "{}", told(&outcome));
    assert_eq!(outcome.progress.len(), 4);
}

#[test]
fn a_solver_that_dies_is_no_answer() {
    let countdown = example(&["countdown/countdown.play"]);
    for program in ["/bin/false", "/bin/cat", "/nowhere/z3"] {
        let mut config = config(&Engine::ALL);
        config.program = program.into();
        config.budget = std::time::Duration::from_secs(2);
        let outcome = prove(&instance(&countdown, None), &crate::support::property(&countdown, "omega1"), &config);
        assert!(matches!(outcome.verdict, Verdict::Unknown), "{}", told(&outcome));
    }
}

/// That no value satisfies the guard of an output is told without a quantifier.
#[test]
fn silence_is_understood_where_guards_leave_values_open() {
    let text = "system S  var x: Int = 0  input add(n: Int) requires n > 0 { x = x + n }\n\
                output say(m: 0..9, loud: Bool) requires m < x and m > 0 { x = 0 }\n\
                observer falls_silent never { start Go  at Go { on add -> Wait }\n\
                at Wait { on say -> Go  on silence -> bad } }\n\
                observer more_than_one never { start Go  at Go { on add(n) when n > 1 -> Wait }\n\
                at Wait { on say -> Go  on silence -> bad } }";
    let model = model(&[text]);
    assert_eq!(told(&ask(&model, "falls_silent", &Engine::ALL)), "reachable: add(1) silence");
    assert!(is_proved(&ask(&model, "more_than_one", &Engine::ALL).verdict));
}

#[test]
fn collections_and_choices() {
    let text = "system S  enum Who { ann, bob }  record Card { owner: Who, value: Int }\n\
                var hands: Map<Who, Set<Int>> = { ann: {}, bob: {} }  var deck: Seq<Int> = []  var top: Option<Card> = none\n\
                input put(n: Int) requires n > 0 { deck = deck + [n] }\n\
                input draw(w: Who) requires not deck.is_empty {\n\
                    hands[w] = hands[w] + {deck.first}  top = some(Card(owner: w, value: deck.first))  deck = deck.rest }\n\
                internal shuffle choose w in {ann, bob} where top.is_some { top = some(Card(owner: w, value: top.get.value)) }\n\
                property known: always (top.is_none or top.get.owner in {ann, bob})\n\
                property bobs: always (top.is_none or top.get.owner == ann)\n\
                property seven: possible (7 in hands[bob])";
    let model = model(&[text]);
    assert!(is_proved(&ask(&model, "known", &[Engine::Induction, Engine::Horn]).verdict));
    assert_eq!(told(&ask(&model, "bobs", &[Engine::Bounded])), "reachable: put(1) draw(bob)");
    assert_eq!(told(&ask(&model, "seven", &[Engine::Bounded])), "reachable: put(7) draw(bob)");
}

/// The smallest integer has no positive counterpart.
#[test]
fn the_smallest_integer() {
    let text = "system Least  const least: Int = -9223372036854775807 - 1  var n: Int = 1\n\
                input down requires n > 0 { n = n - 1 }\nproperty above: always (n > least)";
    let least = model(&[text]);
    for engine in [Engine::Induction, Engine::Horn] {
        assert!(is_proved(&ask(&least, "above", &[engine]).verdict), "{engine:?}");
    }
}
