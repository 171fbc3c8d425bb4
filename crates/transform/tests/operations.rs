//! Operations on specifications: their results as specifications again, and the same traces as the brute force of sets of states.

use crate::support::{example, instance, model};
use interplay_model::{ActionId, Model, ObserverId};
use interplay_semantics::{Event, Instance, Label, State, show_label};
use interplay_transform::Target;
use interplay_transform::{
    Machine, Refused, SILENCE, complete, complete_inputs, determinise, hide, inputs, select, show_step, suspend, watch,
    write,
};
use std::collections::BTreeSet;
use std::sync::Arc;

fn suspended(model: &Model) -> Result<Machine, Refused> {
    suspend(Machine::new(model)?)
}

fn deterministic(model: &Model) -> Result<Machine, Refused> {
    determinise(hide(suspended(model)?)?, 4, &|| None)
}

/// The machine as a specification, read again.
fn again(machine: &Machine) -> Arc<Model> {
    model(&[&write(machine, "Written by a test.").unwrap()])
}

fn observers(model: &Model, names: &[&str]) -> Vec<ObserverId> {
    let find = |name: &&str| ObserverId(model.observers.iter().position(|observer| observer.name == *name).unwrap());
    names.iter().map(find).collect()
}

/// The rules of one place, one per line.
fn rules(machine: &Machine, place: &str) -> Vec<String> {
    let index = machine.places.iter().position(|own| own.name == place).unwrap_or_else(|| panic!("no {place}"));
    let rule = |step| format!("{} -> {}", show_step(machine, step), machine.places[step.to].name);
    machine.steps_from(index).map(rule).collect()
}

/// What one specification calls an event, in another.
fn translated(from: &Instance, to: &Instance, label: &Label) -> Label {
    let event = |event: &Event| {
        let name = &from.model().actions[event.action.0].name;
        Event { action: to.model().action_named(name).expect("both have it"), ..event.clone() }
    };
    match label {
        Label::Step { inputs, outputs } => Label::step(inputs.iter().map(event), outputs.iter().map(event)),
        Label::Silence => Label::output(Event::new(to.model().action_named(SILENCE).unwrap(), Vec::new())),
        internal => internal.clone(),
    }
}

/// Where two specifications may be, the one with silence of its own, the other with silence as an output.
struct Both<'b> {
    old: &'b Instance,
    new: &'b Instance,
    silence: Option<ActionId>,
    traces: usize,
}

impl Both<'_> {
    /// Every event up to the depth is possible in both or in none; the number of traces.
    fn compare(&mut self, old: &BTreeSet<State>, new: &BTreeSet<State>, depth: usize, trace: &[String]) {
        self.traces += 1;
        if depth == 0 {
            return;
        }
        let mut labels = BTreeSet::new();
        for state in old {
            labels.extend(self.old.enabled_inputs(state).unwrap().into_iter().map(Label::input));
            labels.extend(
                self.old.own_steps(state).into_iter().map(|step| step.unwrap().label).filter(Label::is_visible),
            );
        }
        for step in new.iter().flat_map(|state| self.new.own_steps(state)) {
            let label = step.unwrap().label;
            match label.events().next() {
                Some(event) if Some(event.action) == self.silence => labels.insert(Label::Silence),
                Some(_) => labels.insert(translated(self.new, self.old, &label)),
                None => true,
            };
        }
        for state in old {
            if self.old.may_be_silent(state).unwrap() {
                labels.insert(Label::Silence);
            }
        }
        if self.silence.is_none() {
            labels.remove(&Label::Silence);
        }
        for label in labels {
            let after_old = self.old.after(old, &label).unwrap();
            let after_new = self.new.after(new, &translated(self.old, self.new, &label)).unwrap();
            let longer = [trace, &[show_label(self.old.model(), &label)]].concat();
            assert_eq!(after_old.is_empty(), after_new.is_empty(), "{}", longer.join(" "));
            if !after_old.is_empty() {
                self.compare(&after_old, &after_new, depth - 1, &longer);
            }
        }
    }
}

/// Both do the same up to the depth; how many traces that are, the empty one included.
fn same_traces(old: &Instance, new: &Instance, depth: usize) -> usize {
    let start = |own: &Instance| own.closure(&own.initial().unwrap().into_iter().collect()).unwrap();
    let mut both = Both { old, new, silence: new.model().action_named(SILENCE), traces: 0 };
    both.compare(&start(old), &start(new), depth, &[]);
    both.traces
}

#[test]
fn silence_of_the_countdown_is_below_zero() {
    let machine = suspended(&example(&["countdown/countdown.play"])).unwrap();
    assert_eq!(rules(&machine, "Idle"), ["START(p) { x = p } -> Sending", "delta -> Idle"]);
    assert!(rules(&machine, "Sending").contains(&"delta when x < 0 -> Sending".to_string()));
}

#[test]
fn silence_of_the_sender_is_where_the_theory_says() {
    let machine = suspended(&example(&["brp/brp.play", "brp/sender.play"])).unwrap();
    let of = |place: &str| -> Vec<String> {
        rules(&machine, place).into_iter().filter(|rule| rule.starts_with("delta")).collect()
    };
    assert_eq!(of("Wait_Req"), ["delta -> Wait_Req"]);
    assert_eq!(of("Send"), Vec::<String>::new());
    assert_eq!(of("Wait_Ack"), ["delta when rn > max -> Wait_Ack"]);
    assert_eq!(of("Send_Complete"), ["delta when head > last -> Send_Complete"]);
}

#[test]
fn the_deterministic_sender_is_that_of_figure_9() {
    let machine = deterministic(&example(&["brp/brp.play", "brp/sender.play"])).unwrap();
    let rules = rules(&machine, "Wait_Ack");
    for rule in [
        "MSG(d, b) when rn < max and d == f.get(head, -1) and b == bit { rn = rn + 1 } -> Wait_Ack",
        "NOT_OK when rn == max and head + 1 < last -> Wait_Req",
        "DONT_KNOW when rn == max and head + 1 == last -> Wait_Req",
    ] {
        assert!(rules.iter().any(|own| own == rule), "{rules:#?}");
    }
}

#[test]
fn the_deterministic_sender_has_the_traces_of_the_suspension() {
    let brp = example(&["brp/brp.play", "brp/sender.play"]);
    let new = again(&deterministic(&brp).unwrap());
    for (setup, traces) in [("two_chunks", 187), ("three_chunks", 285)] {
        let found = same_traces(&instance(&brp, Some(setup)), &instance(&new, Some(setup)), 7);
        assert_eq!(found, traces, "{setup}");
    }
}

#[test]
fn the_complete_sender_needs_to_look_ahead() {
    let complete = example(&["brp/brp_complete.play", "brp/sender.play"]);
    let seen = hide(suspended(&complete).unwrap()).unwrap();
    let refused = determinise(seen.clone(), 0, &|| None).unwrap_err();
    assert!(refused.message.contains("after `ACK` the system is at"), "{}", refused.message);
    let new = again(&determinise(seen, 1, &|| None).unwrap());
    let found = same_traces(&instance(&complete, Some("two_chunks")), &instance(&new, Some("two_chunks")), 6);
    assert!(found > 500, "{found}");
}

#[test]
fn ways_that_never_part_are_refused_with_the_pair() {
    let text = "system Apart\nvar n: Int = 0\ninput a\noutput b(m: Int)\nstart A\n\
                at A { on a { n = n + 1 } on a { n = n + 2 } on b(m) when m == n -> B }\nat B {}\n";
    let refused = deterministic(&model(&[text])).unwrap_err();
    assert!(refused.message.contains("at `A` with different values"), "{}", refused.message);
    let loops = "system Loops\nvar n: Int = 0\ninput a\ninternal tick\noutput b\nstart A\n\
                 at A { on a { n = 0 } on tick { n = n + 1 } on b when n < 0 }\n";
    let refused = hide(Machine::new(&model(&[loops])).unwrap()).unwrap_err();
    assert!(refused.message.contains("for ever"), "{}", refused.message);
}

fn hidden(text: &str) -> String {
    write(&hide(Machine::new(&model(&[text])).unwrap()).unwrap(), "Written by a test.").unwrap()
}

#[test]
fn what_goes_wrong_for_certain_stays_in_a_condition_that_is_decided_anyway() {
    let overflow = "system S\nconst c: Bool = true\n\
                    output out requires (if 0 <= -(-9_223_372_036_854_775_807 - 1) then c else c)\n";
    assert!(hidden(overflow).contains("-(-9223372036854775807 - 1)"));
    let unset = "system S\nconst all: Seq<Bool> = [true]\nvar v: (0..3, Bool)\ninput a\n\
                 on a choose x in all when (if true then v.0 != v.0 else x)\n";
    assert!(hidden(unset).contains("v.0 != v.0"));
    let counts = "system S\nvar n: Int = 0\ninput a requires n + 1 > n { n = n + 1 }\n";
    assert!(!hidden(counts).contains("n + 1 > n"), "who counts without bounds does not mean to outgrow 64 bits");
}

#[test]
fn a_limit_on_what_hidden_steps_write_is_left_out() {
    let text = "system S\nvar v: Option<0..2>\ninternal tau { v = some(2) }\ninput a\non a\n\
                setup s { limit a: v.is_some }\n";
    let hidden = hide(Machine::new(&model(&[text])).unwrap()).unwrap();
    assert!(!write(&hidden, "Written by a test.").unwrap().contains("limit"));
    let told = interplay_transform::left_out(&hidden);
    assert!(told[0].to_string().contains("internal steps that were removed change its condition"), "{told:?}");
}

#[test]
fn a_choice_is_not_put_before_the_parameter_that_it_depends_on() {
    let text = "system S\nvar v: 0..3\ninput a(p: 0..2) requires p > 0\non a(p) choose x in 0..v\n";
    let refused = write(&suspended(&model(&[text])).unwrap(), "Written by a test.").unwrap_err();
    assert!(refused.message.contains("`x` is chosen by `p`"), "{}", refused.message);
}

#[test]
fn who_is_told_to_stop_stops() {
    let seen = hide(suspended(&example(&["brp/brp_complete.play", "brp/sender.play"])).unwrap()).unwrap();
    assert_eq!(determinise(seen, 4, &|| Some("late".into())).unwrap_err().message, "late");
}

#[test]
fn arguments_that_matter_later_are_remembered() {
    let text = "system Later\nvar x: Int = 0\nvar y: Int = 0\ninput set(p: Int)\noutput left(m: Int), right(m: Int)\nstart A\n\
                at A { on set(p) { x = p } -> L  on set(p) when p > 0 { y = p + 1 } -> R }\n\
                at L { on left(m) when m == x -> A }\nat R { on right(m) when m == y -> A }\n\
                setup small { domain set.p = -1..2 domain left.m = -1..3 domain right.m = -1..3 }\n";
    let old = model(&[text]);
    let machine = deterministic(&old).unwrap();
    assert!(machine.places.iter().any(|place| place.name == "L_or_R"));
    let text = write(&machine, "").unwrap();
    assert!(text.contains("saved_p = p"), "{text}");
    let found = same_traces(&instance(&old, Some("small")), &instance(&again(&machine), Some("small")), 6);
    assert!(found > 100, "{found}");
}

#[test]
fn completion_fails_exactly_where_the_specification_does_not_allow() {
    let brp = example(&["brp/brp_complete.play", "brp/sender.play"]);
    let tester = complete(deterministic(&brp).unwrap()).unwrap();
    let (old, new) = (instance(&brp, Some("two_chunks")), instance(&again(&tester), Some("two_chunks")));
    let mut outputs: Vec<Label> = vec![Label::Silence];
    for action in ["OK", "NOT_OK", "DONT_KNOW"] {
        outputs.push(Label::output(Event::new(brp.action_named(action).unwrap(), Vec::new())));
    }
    for (d, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let args = [i64::from(d), i64::from(b)].map(Into::into).to_vec();
        outputs.push(Label::output(Event::new(brp.action_named("MSG").unwrap(), args)));
    }
    let start = old.closure(&old.initial().unwrap().into_iter().collect()).unwrap();
    let mut waiting = vec![(start, new.initial().unwrap().into_iter().collect::<BTreeSet<_>>(), 5)];
    let (mut fails, mut allowed) = (0, 0);
    while let Some((states, at, depth)) = waiting.pop() {
        let mut labels = outputs.clone();
        for state in &states {
            labels.extend(old.enabled_inputs(state).unwrap().into_iter().map(Label::input));
        }
        for label in labels {
            let after = old.after(&states, &label).unwrap();
            let next = new.after(&at, &translated(&old, &new, &label)).unwrap();
            assert_eq!(next.len(), 1, "one way: {}", show_label(&brp, &label));
            let place = next.first().unwrap().location(interplay_model::ComponentId(0)).unwrap();
            let fail = new.model().locations[place.0].name == "Fail";
            assert_eq!(after.is_empty(), fail, "{}", show_label(&brp, &label));
            fails += usize::from(fail);
            if !fail && depth > 0 {
                allowed += 1;
                waiting.push((after, next, depth - 1));
            }
        }
    }
    assert!(fails > 500 && allowed > 100, "{fails} {allowed}");
}

#[test]
fn the_five_verdicts_of_the_countdown_and_only_positive_numbers() {
    let countdown = example(&["countdown/countdown.play"]);
    let tester = complete(deterministic(&countdown).unwrap()).unwrap();
    let product = watch(&tester, &observers(&countdown, &["omega3", "omega2"])).unwrap();
    let ends = |machine: &Machine| -> Vec<String> {
        let names = machine.places.iter().map(|place| place.name.clone());
        let mut names: Vec<String> = names.filter(|name| interplay_transform::place_verdict(name).is_some()).collect();
        names.sort();
        names
    };
    assert_eq!(ends(&product), ["Fail", "Satisfy", "SatisfyFail", "Violate", "ViolateFail"]);
    let selected = select(&product, Target::ViolateFail).unwrap();
    let first = rules(&selected, "Idle_Waiting_Waiting");
    assert_eq!(first[0], "START(p) when p > 0 { x = p } -> Sending_Started_Started");
    assert_eq!(first.iter().filter(|rule| rule.starts_with("START")).count(), 1);
    again(&selected);
}

#[test]
fn the_selected_test_case_of_figure_10() {
    let brp = example(&["brp/brp.play", "brp/sender.play"]);
    let tester = complete(deterministic(&brp).unwrap()).unwrap();
    let product = watch(&tester, &observers(&brp, &["sent_without_repetition", "always_answers"])).unwrap();
    let selected = select(&product, Target::Satisfy).unwrap();
    // Retransmission and giving up end the test; silence is blamed in three places; a premature OK is `SatisfyFail`.
    let rules = |place: &str| rules(&selected, place);
    let waiting = rules("Wait_Ack_Busy_Busy");
    for rule in [
        "NOT_OK when rn == max and head + 1 < last -> Inconclusive",
        "DONT_KNOW when rn == max and head + 1 == last -> Inconclusive",
    ] {
        assert!(waiting.iter().any(|own| own == rule), "{waiting:#?}");
    }
    let repeated = waiting.iter().filter(|rule| rule.starts_with("MSG") && !rule.ends_with("Fail"));
    assert!(repeated.clone().all(|rule| rule.ends_with("-> Inconclusive")), "{waiting:#?}");
    assert_eq!(repeated.count(), 1);
    let silent = selected.steps.iter().filter(|step| show_step(&selected, step).starts_with("delta"));
    let blamed = silent.filter(|step| selected.places[step.to].name == "ViolateFail");
    assert_eq!(blamed.map(|step| step.from).collect::<BTreeSet<_>>().len(), 3);
    assert!(rules("Send_Busy_Busy").contains(&"OK -> SatisfyFail".to_string()));
    // Only where a request can still succeed: four open places, and the ends.
    assert_eq!(selected.places.iter().filter(|place| place.group.is_some()).count(), 4);
    again(&selected);
}

#[test]
fn inputs_without_a_domain_are_solved() {
    let countdown = example(&["countdown/countdown.play"]);
    let tester = complete(deterministic(&countdown).unwrap()).unwrap();
    let product = watch(&tester, &observers(&countdown, &["omega3", "omega2"])).unwrap();
    let case = again(&select(&product, Target::ViolateFail).unwrap());
    let (instance, machine) = (instance(&case, None), Machine::new(&case).unwrap());
    let state = instance.initial().unwrap().remove(0);
    let mut number = 0;
    for _ in 0..50 {
        let found = inputs(&machine, &instance, &state, &mut |below| {
            number += 7;
            number % below
        });
        let [event] = &found[..] else { panic!("{found:?}") };
        assert!(event.args[0].as_int() > 0);
        assert!(instance.accepts(&state, &found).unwrap());
    }
}

/// A pattern is read before a choice, also one that may go wrong: without it nobody could list the values of the input.
#[test]
fn patterns_stay_before_choices() {
    let text = "system S const c: Int = 4 var n: 0..4 = 0 input give(a: Int, b: Bool)
        start Here at Here { on give(=-c, true) choose x in 0..c { n = x } }";
    let old = model(&[text]);
    let new = again(&suspended(&old).unwrap());
    assert!(same_traces(&instance(&old, None), &instance(&new, None), 2) > 1);
}

#[test]
fn inputs_are_completed_by_ignoring_them() {
    let brp = example(&["brp/brp.play", "brp/sender.play"]);
    let machine = complete_inputs(Machine::new(&brp).unwrap()).unwrap();
    assert!(rules(&machine, "Wait_Req").contains(&"REQ(l) when l <= head -> Wait_Req".to_string()));
    assert!(rules(&machine, "Send").contains(&"ACK -> Send".to_string()));
    again(&machine);
}

/// Generated specifications: what cannot be changed is refused; what is changed shows the same as before.
#[test]
fn generated_specifications_show_the_same_afterwards() {
    let (mut hidden, mut one_way, mut refused) = (0, 0, 0);
    for seed in 0..100 {
        let text = interplay_testkit::generate(seed, 1 + (seed % 3) as u32);
        let old = model(&[&text]);
        let Ok(machine) = suspended(&old) else {
            refused += 1;
            continue;
        };
        let Ok(machine) = hide(machine) else { continue };
        let setup = old.setups.first().map(|setup| setup.name.as_str());
        if compared(&text, &old, &machine, setup) {
            hidden += 1;
        }
        if let Ok(machine) = determinise(machine, 3, &|| None)
            && compared(&text, &old, &machine, setup)
        {
            one_way += 1;
        }
    }
    println!("{hidden} hidden, {one_way} deterministic, {refused} refused");
    assert!(hidden >= 10 && one_way >= 3, "{hidden} {one_way} {refused}");
}

/// `false` if the specification itself goes wrong, or has no end.
fn compared(text: &str, old: &Arc<Model>, machine: &Machine, setup: Option<&str>) -> bool {
    let Ok(written) = write(machine, "") else { return false };
    let new = model(&[&written]);
    let fine = |own: &Arc<Model>| {
        let id = setup.and_then(|name| own.setup_named(name));
        Instance::new(own.clone(), id).ok().filter(|instance| instance.initial().is_ok())
    };
    let (Some(old), Some(new)) = (fine(old), fine(&new)) else { return false };
    if !bounded(&old, 2) {
        return false;
    }
    let result = std::panic::catch_unwind(|| same_traces(&old, &new, 2));
    result.unwrap_or_else(|_| panic!("{text}\n{written}"));
    true
}

/// Everything up to the depth can be computed, and is not too much.
fn bounded(instance: &Instance, depth: usize) -> bool {
    let Ok(start) = instance.initial() else { return false };
    let mut states: BTreeSet<State> = start.into_iter().collect();
    for _ in 0..=depth {
        let Ok(closed) = instance.closure(&states) else { return false };
        let mut next = BTreeSet::new();
        for state in &closed {
            for step in instance.transitions(state) {
                let Ok(step) = step else { return false };
                next.insert(step.target);
            }
        }
        states.extend(next);
        if states.len() > 60 {
            return false;
        }
    }
    true
}
