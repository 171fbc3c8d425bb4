//! Verdicts about implementations that were wrong once, each by the program itself.

use super::{root, told};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// A test of a specification against something.
fn tested(file: &str, sut: &str, setup: &str) -> (i32, String) {
    let chosen: &[&str] = if setup.is_empty() { &[] } else { &["--setup", setup] };
    // Those without a number of runs in their setup are short enough with a few.
    let runs: &[&str] = if setup.is_empty() || setup == "S" { &["--runs", "6"] } else { &[] };
    let runs = if file == "judging/q.play" { &[] } else { runs };
    let args = [&["test", file, "--sut", sut, "--seed", "1", "--no-store"], chosen, runs].concat();
    let (code, text, aside) = told(&args);
    (code, text + &aside)
}

/// A specification passes against itself.
fn passes_itself(file: &str, setups: &[&str]) {
    for setup in setups {
        let (code, text) = tested(file, &format!("model:{file}"), setup);
        assert_eq!(code, 0, "{file} {setup}: {text}");
    }
}

#[test]
fn a_refusal_is_an_observation() {
    passes_itself("judging/tau_false_alarm.play", &["uioco", "ioco", "alt"]);
    passes_itself("judging/r3008.play", &["S"]);
    passes_itself("semantics/s09_refuse_ioco.play", &["ioco", "uioco", "alt", "ju", "ja"]);
    for setup in ["u", "ig"] {
        let (code, text) = tested("semantics/s49_unstable.play", "python3 semantics/unst.py", setup);
        assert_eq!(code, 0, "{setup}: {text}");
    }
}

#[test]
fn silence_is_right_along_a_divergence_which_is_told() {
    for (file, setups) in [
        ("semantics/s01_diverge.play", &["j"]),
        ("semantics/s46_hidediv.play", &["j"]),
        ("semantics/s23_livelock.play", &[""]),
    ] {
        passes_itself(file, setups);
    }
    let (_, text) = tested("semantics/s01_diverge.play", "model:semantics/s01_diverge.play", "j");
    assert!(text.contains("warning: divergence: internal steps may go on for ever (internal spin)"), "{text}");
}

#[test]
fn every_division_into_reactions_is_kept() {
    passes_itself("semantics/s60_greedy.play", &["u", "j"]);
    for name in ["absorb_136", "reactive_205", "reactive_silence"] {
        passes_itself(&format!("semantics/s62_{name}.play"), &["u", "uj", "u_strict", "i", "ij", "i_strict"]);
    }
}

#[test]
fn what_rings_twice_is_heard_twice() {
    let rings =
        |outputs: &str| tested("semantics/s89_absorb.play", &format!("python3 semantics/twice.py {outputs}"), "");
    assert_eq!(rings("bell,bell").0, 1);
    assert_eq!(rings("bell").0, 0);
    assert_eq!(rings("end_,bell").0, 0, "in any order");
}

#[test]
fn a_state_is_judged_with_what_is_known_of_the_way_to_it() {
    let (code, text) = tested("semantics/s48b_corr.play", "model:semantics/s48b_corr.play", "");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("property `never_stays` is violated"), "{text}");
}

#[test]
fn a_step_outside_the_specification_makes_the_state_unknown() {
    // The property is open: nobody knows the state, and nearly all runs end early.
    let (code, text) = tested("semantics/s40_none.play", "python3 semantics/none.py", "n");
    assert!([0, 3].contains(&code), "{text}");
}

#[test]
fn what_is_on_its_way_counts_for_properties_and_is_refused_where_it_means_nothing() {
    for seed in 1..4 {
        let sut = format!("python3 semantics/delay.py {seed}");
        let (code, text) = tested("semantics/s25b_transitprop.play", &sut, "q1");
        assert!([0, 3].contains(&code), "{text}");
    }
    let (code, text) = tested("semantics/s26_transit_reactive.play", "model:semantics/s26_transit_reactive.play", "q");
    assert!(code == 2 && text.contains("T008"), "{text}");
}

#[test]
fn silence_is_judged_under_the_alternating_relation_if_the_setup_says_so() {
    for setup in ["a", "u"] {
        let (code, text) = tested("semantics/s10_alt_silence.play", "model:semantics/s10_mute.play", setup);
        assert_eq!(code, 1, "{setup}: {text}");
    }
}

#[test]
fn a_domain_of_a_bounded_type_only_drives() {
    for (file, sut) in [("s05b_internal", "s05b_sut"), ("s05c_quant", "s05c_sut"), ("s05d_init", "s05d_sut")] {
        let (file, sut) = (format!("semantics/{file}.play"), format!("model:semantics/{sut}.play"));
        let (code, text) = tested(&file, &sut, "small");
        assert_eq!(code, 0, "{file}: {text}");
    }
}

#[test]
fn a_scenario_is_over_when_the_implementation_rests() {
    for name in ["s2", "s3", "s5"] {
        let file = format!("judging/{name}.play");
        let run = |sut: &str| told(&["scenario", "run", &file, "--sut", sut]);
        assert_eq!(run("python3 judging/late.py 0.001").0, 1, "{name}: a forbidden output comes late");
        assert_eq!(run("python3 judging/adv.py fine").0, 0, "{name}");
    }
}

#[test]
fn what_cannot_be_started_is_no_finding() {
    let systematic = |file: &str, sut: &str| told(&["test", file, "--systematic", "--sut", sut]);
    for kind in ["garbage", "hugenoeol", "die0", "closeout"] {
        let (code, text, aside) = systematic("judging/s2.play", &format!("python3 judging/adv.py {kind}"));
        assert_eq!(code, 4, "{kind}: {text}{aside}");
    }
    assert_eq!(systematic("../../examples/teller/teller.play", "sh systematic/die.sh").0, 4);
}

#[test]
fn a_failure_that_needs_earlier_runs_is_told_so() {
    // Worn out, a single run of the process, and data that a reset leaves.
    for kind in ["runs50", "runs", "leakq"] {
        let (code, text) = tested("judging/q.play", &format!("python3 judging/fl.py {kind}"), "");
        let told = "fails only after earlier runs in the same process (after ";
        assert!(code == 1 && text.contains(told), "{kind}: {text}");
    }
    let (code, text) = tested("judging/q.play", "python3 judging/fl.py flaky30", "");
    assert!(code == 1 && text.contains("flaky: fails") && !text.contains("earlier runs"), "{text}");
}

#[test]
fn nothing_is_run_from_a_token_that_nobody_agreed_to() {
    let folder = std::env::temp_dir().join(format!("interplay-token-{}", std::process::id()));
    let touched = folder.join("touched");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let command = format!("touch {}", touched.display());
    let made = Command::new("python3").arg(root().join("tests/defects/judging/tok.py")).arg(&command).output();
    let token = String::from_utf8(made.expect("python runs").stdout).expect("a token is text");
    let (code, _, aside) = told(&["replay", token.trim()]);
    assert_eq!(code, 2);
    assert!(aside.contains(&command) && aside.contains("--yes"), "{aside}");
    assert!(!touched.exists());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn an_output_that_the_specification_does_not_name_is_a_failure() {
    let (spec, sut) = ("exchange/alphabet/012_spec.play", "model:exchange/alphabet/012_impl.play");
    for setup in ["ioco", "uioco", "alternating"] {
        let (code, text) = tested(spec, sut, setup);
        assert!(code == 1 && text.contains("outside the specification"), "{setup}: {text}");
    }
}

/// The failures of a test, with the arguments beside the usual ones: id, steps, and whether they were reproduced.
fn failures(file: &str, sut: &str, more: &[&str]) -> Vec<(String, u64, String)> {
    let args = [&["test", file, "--sut", sut, "--no-store", "--json"], more].concat();
    let (_, text, aside) = told(&args);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{aside}"));
    let failures = answer["failures"].as_array().expect("a list").iter();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let told = |each: &serde_json::Value| {
        (word(&each["signature"]), each["shortest_length"].as_u64().unwrap_or(0), word(&each["reproduced"]))
    };
    failures.map(told).collect()
}

#[test]
fn one_fault_is_one_failure_of_its_shortest_length() {
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let (file, sut) = ("testing/leases/shrink.play", "model:testing/leases/shrink-faulty.play");
        let found = failures(file, sut, &["--seed", seed]);
        assert_eq!(found, [("wrong output buried".into(), 8, "deterministic".into())], "seed {seed}");
    }
}

#[test]
fn a_core_that_is_certain_is_found_behind_a_beginning_that_is_not() {
    for seed in ["1", "3", "4"] {
        let sut = "python3 testing/hidden_core_adapter.py";
        let found = failures("testing/hidden_core.play", sut, &["--seed", seed, "--steps", "60"]);
        assert_eq!(found, [("wrong result of look".into(), 9, "deterministic".into())], "seed {seed}");
    }
}

#[test]
fn a_long_run_is_shrunk_within_the_budget() {
    let found =
        failures("testing/long.play", "python3 testing/long_adapter.py 2000", &["--seed", "1", "--shrink", "10s"]);
    assert_eq!(found, [("wrong result of ping".into(), 2000, "deterministic".into())]);
    let found = failures("testing/long.play", "python3 testing/long_adapter.py 500", &["--seed", "1", "--shrink", "0"]);
    assert_eq!(found, [("wrong result of ping".into(), 500, "not tried".into())]);
}

#[test]
fn what_a_failure_is_stands_in_words() {
    let found = failures("testing/fifo_wrong_spec.play", "python3 testing/fifo_adapter.py", &["--seed", "2"]);
    assert_eq!(found[0].0, "wrong result of receive: empty instead of not empty");
}

#[test]
fn a_property_that_was_reported_hides_nothing() {
    let found = failures("blackbox/r4/f.play", "python3 blackbox/r4/f.py", &["--seed", "1", "--continue"]);
    let mut ids: Vec<String> = found.into_iter().map(|(id, ..)| id).collect();
    ids.sort();
    assert_eq!(ids, ["0", "1", "2", "3"].map(|n| format!("property no_error for n = {n}")));
    let found = failures("blackbox/r7/m.play", "python3 blackbox/r7/m.py", &["--seed", "1", "--continue"]);
    let mut ids: Vec<String> = found.into_iter().map(|(id, ..)| id).collect();
    ids.sort();
    assert_eq!(ids, ["property p1", "property p1_too", "property p2"]);
}

#[test]
fn the_observation_that_excluded_the_needed_state_is_told() {
    let (code, text) = tested("testing/coin.play", "model:testing/coin-faulty.play", "");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("`toss() -> true` excluded the states that would have allowed it"), "{text}");
    assert!(text.contains("`not heads` does not hold; without this condition the rule would allow it"), "{text}");
}

#[test]
fn what_was_found_is_told_when_somebody_ends_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args([
            "test",
            "testing/long.play",
            "--sut",
            "python3 testing/long_adapter.py 2500",
            "--shrink",
            "60s",
            "--no-store",
        ])
        .current_dir(root().join("tests/defects"))
        .env("PYTHONPATH", root().join("sdk/python"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut told = String::new();
    let mut aside = BufReader::new(child.stderr.take().expect("it is piped"));
    aside.read_line(&mut told).expect("a failure is told when it is found");
    assert!(told.starts_with("found in run 1, after 2500 steps: wrong result"), "{told}");
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("failure id: wrong result of ping (seen once)"), "{text}");
}
