//! Reduced searches against full ones: the same deadlocks, violated properties and errors, on texts made for it and on
//! specifications that nobody wrote.

use crate::support::{instance, text};
use interplay_explore::{Config, FindingKind, Findings, Interpreted, Outcome, Stop, Verdict, explore};
use interplay_semantics::{Instance, Label, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Three clerks who work each for themselves, and share a drawer at the end.
const CLERKS: &str = "
    system Clerks
    var drawer: 0..3 = 0
    component A { internal a1, a2 start S1 at S1 { on a1 -> S2 } at S2 { on a2 { drawer = 1 } -> end } }
    component B { internal b1, b2 start S1 at S1 { on b1 -> S2 } at S2 { on b2 { drawer = 2 } -> end } }
    component C {
        var n: 0..5 = 0
        internal c1 requires n < 5 { n += 1 }
    }
    property low: always drawer < 2
    property three: possible drawer == 3
";

fn searched(instance: &Instance, chosen: Option<&[String]>) -> Option<(Outcome<State, Label>, Outcome<State, Label>)> {
    let config = Config { findings: Findings::Continue, deadlocks: true, states: Some(400), ..Config::default() };
    let full = explore(&Interpreted::new(instance.clone(), chosen), &config);
    let reduced = Interpreted::new(instance.clone(), chosen).with_reduction().ok()?;
    (full.stop == Stop::Exhausted).then(|| (full, explore(&reduced, &config)))
}

/// Verdicts, errors, and whether there is a deadlock.
fn told(outcome: &Outcome<State, Label>) -> BTreeSet<String> {
    let found = outcome.findings.iter().map(|finding| match &finding.kind {
        FindingKind::Violated(property) | FindingKind::Satisfied(property) => property.name.clone(),
        FindingKind::Error(error) => format!("{} at {:?}", error.code, error.span),
        FindingKind::Deadlock => "deadlock".into(),
    });
    found.chain([format!("{} terminal", outcome.terminal)]).collect()
}

#[test]
fn independent_components_wait_for_each_other() {
    let model = text(CLERKS);
    let (full, reduced) = searched(&instance(&model, ""), None).expect("nothing speaks against it");
    assert_eq!(told(&full), told(&reduced));
    assert_eq!(reduced.verdict("low"), Some(&Verdict::Violated));
    assert_eq!(reduced.verdict("three"), Some(&Verdict::Impossible));
    assert!(reduced.states * 2 < full.states, "{} of {} states", reduced.states, full.states);
    let nothing: &[String] = &[];
    let (full, reduced) = searched(&instance(&model, ""), Some(nothing)).expect("nothing speaks against it");
    assert_eq!(full.terminal, reduced.terminal);
    assert!(reduced.states * 3 < full.states, "{} of {} states", reduced.states, full.states);
}

#[test]
fn what_would_be_unsound_is_refused() {
    let refusal = |source: &str| {
        let model = text(source);
        let system = Interpreted::new(instance(&model, model.setups.first().map_or("", |setup| &setup.name)), None);
        system.with_reduction().err().expect("it is refused")
    };
    let observed = "system S input go { } observer watch never { start A at A { on go -> bad } }";
    assert!(refusal(observed).contains("observer"));
    let grouped = "system S var n: 0..3 = 0 input go { n = 1 } setup few { group n }";
    assert!(refusal(grouped).contains("group"));
    let outside = "system S var n: 0..3 = 0 input go { n = 1 } setup few { keep n > 0 }";
    assert!(refusal(outside).contains("keep"));
}

/// The same numbers everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most
    }
}

/// Components with a variable each that now and then look at, or change, what they share; some go wrong.
fn neighbours(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut text = String::from("system Neighbours\nvar s0: 0..2 = 0\nvar s1: 0..2 = 0\n");
    let components = 2 + dice.below(3);
    for component in 0..components {
        let own = format!("v{component}");
        text += &format!("component C{component} {{\n    var {own}: 0..3 = 0\n");
        for action in 0..1 + dice.below(3) {
            let guard = match dice.below(6) {
                0 => format!("s{} == {}", dice.below(2), dice.below(3)),
                1 => format!("{own} == {} and s{} < 2", dice.below(4), dice.below(2)),
                2 | 3 => format!("{own} == {}", dice.below(4)),
                _ => format!("{own} < {}", 1 + dice.below(3)),
            };
            let effect = match dice.below(9) {
                0 => format!("s{} = {}", dice.below(2), dice.below(3)),
                1 => format!("s{} = {own} % 3", dice.below(2)),
                2 => format!("{own} = {}", dice.below(4)),
                3 if dice.below(3) == 0 => format!("{own} = {own} + 2"),
                _ => format!("{own} = ({own} + 1) % 4"),
            };
            text += &format!("    internal a{component}_{action} requires {guard} {{ {effect} }}\n");
        }
        text += "}\n";
    }
    let (one, two) = (dice.below(components), dice.below(2));
    text += &format!("property p: always not (v{one} == {} and s{two} == {})\n", dice.below(4), dice.below(3));
    text += &format!("property q: possible s0 == {} and s1 == {}\n", dice.below(3), dice.below(3));
    if dice.below(3) == 0 {
        text += &format!("setup few {{ keep v{} <= 2 }}\n", dice.below(components));
    }
    text
}

#[test]
fn generated_specifications_say_the_same() {
    let (mut compared, mut smaller) = (0, 0);
    let own = (0..600).map(neighbours);
    for source in own.chain((0..100).map(|seed| interplay_testkit::generate(seed, 1 + (seed % 6) as u32))) {
        let Some(model) = checked(&source) else { continue };
        let setup = model.setups.first().and_then(|setup| model.setup_named(&setup.name));
        let Ok(instance) = Instance::new(Arc::new(model), setup) else { continue };
        let all: Vec<String> = instance.model().properties.iter().map(|each| each.name.clone()).collect();
        for chosen in [&all[..], &[]] {
            if let Some((full, reduced)) = searched(&instance, Some(chosen)) {
                assert_eq!(told(&full), told(&reduced), "{source}");
                assert!(reduced.states <= full.states);
                compared += 1;
                smaller += usize::from(reduced.states < full.states);
            }
        }
    }
    println!("{compared} compared, {smaller} of them smaller");
    assert!(compared > 1000 && smaller > 200, "{compared} compared, {smaller} of them smaller");
}

fn checked(source: &str) -> Option<interplay_model::Model> {
    let mut diagnostics = interplay_diagnostics::Diagnostics::default();
    let tree = interplay_syntax::parse(interplay_diagnostics::FileId(0), source, &mut diagnostics);
    interplay_lower::check(&[tree], &mut diagnostics)
}
