//! The prover and the exploration of all states give the same answers, on random specifications: small ones of a kind that the
//! prover understands, and those of the general generator as far as it does. `INTERPLAY_SPECIFICATIONS=2000` makes it long.

use crate::support::random::Dice;
use crate::support::{config, model};
use interplay_diagnostics::{Code, Span};
use interplay_explore::{Config, FindingKind, Findings, Interpreted, Stop, Verdict as Known, explore};
use interplay_model::Model;
use interplay_prove::{Engine, Property, Started, Verdict, never_wrong, properties, prove, starts};
use interplay_semantics::Instance;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// What exploring all states says: it happens, it does not, or that is not known.
fn explored(instance: &Instance, property: &Property, wrong: bool) -> Option<bool> {
    let chosen = if wrong { Vec::new() } else { vec![property.name.clone()] };
    let formula = instance.model().properties.iter().any(|declared| declared.name == property.name);
    let system = match formula {
        true => Interpreted::watching(instance.clone(), &chosen),
        false => Interpreted::new(instance.clone(), Some(&chosen)),
    };
    let outcome = explore(&system, &Config { states: Some(3000), findings: Findings::Continue, ..Config::default() });
    let error = outcome.findings.iter().any(|finding| matches!(finding.kind, FindingKind::Error(_)));
    match outcome.verdict(&property.name) {
        Some(Known::Violated | Known::Satisfied) => Some(true),
        _ if wrong && error => Some(true),
        _ if outcome.stop != Stop::Exhausted => None,
        // Beside an error the prover may see more steps than there are.
        _ if error => None,
        None if !wrong => panic!("nobody judges {}", property.name),
        _ => Some(false),
    }
}

/// The errors that exploring all states meets while these are judged, and whether it saw all states.
fn errors(instance: &Instance, chosen: &[String]) -> (BTreeSet<(Code, Option<Span>)>, bool) {
    let formula = instance.model().properties.iter().any(|declared| chosen.contains(&declared.name));
    let system = match formula {
        true => Interpreted::watching(instance.clone(), chosen),
        false => Interpreted::new(instance.clone(), Some(chosen)),
    };
    let outcome = explore(&system, &Config { states: Some(3000), findings: Findings::Continue, ..Config::default() });
    let error = |finding: &interplay_explore::Finding<_, _>| match &finding.kind {
        FindingKind::Error(error) => Some((error.code, error.span)),
        _ => None,
    };
    (outcome.findings.iter().filter_map(error).collect(), outcome.stop == Stop::Exhausted)
}

/// The prover and the exploration agree about whether a property can be judged in every state.
fn compare_judging(tally: &mut Tally, instance: &Instance, property: &Property, text: &str) {
    if !property.may_go_wrong(instance) {
        return;
    }
    let budget = Duration::from_secs(4);
    let asked = interplay_prove::Config { budget, ..config(&Engine::ALL) };
    let outcome = prove(instance, &property.goes_wrong(), &asked);
    let proved = match &outcome.verdict {
        Verdict::Reachable(_) => true,
        Verdict::Unreachable(_) => false,
        Verdict::Unknown => return tally.open += 1,
        Verdict::Unsupported(_) => return tally.unsupported += 1,
    };
    let ((own, all), (steps, _)) = (errors(instance, std::slice::from_ref(&property.name)), errors(instance, &[]));
    let found = own.difference(&steps).next().is_some();
    if !found && !all {
        return tally.open += 1;
    }
    tally.judged += 1;
    assert_eq!(proved, found, "judging `{}`: {} {own:?}\n{text}", property.name, crate::support::told(&outcome));
}

/// Where there is no start, or where it goes wrong, the prover says so.
fn compare_start(tally: &mut Tally, instance: &Instance, code: Code, text: &str) {
    let asked = config(&Engine::ALL);
    match code {
        Code::M011 => assert_eq!(starts(instance, &asked), Started::Nowhere, "{text}"),
        _ => {
            let outcome = prove(instance, &never_wrong(), &asked);
            let Verdict::Reachable(trace) = &outcome.verdict else {
                panic!("{}\n{text}", crate::support::told(&outcome))
            };
            let told = trace.error.as_ref().map(|error| error.code);
            assert!(told == Some(code) && trace.steps.is_empty(), "{}\n{text}", crate::support::told(&outcome));
        }
    }
    tally.starts += 1;
}

#[derive(Debug, Default)]
struct Tally {
    /// Properties whose own definedness was compared.
    judged: usize,
    /// Starts that are not there or go wrong.
    starts: usize,
    decided: usize,
    open: usize,
    unsupported: usize,
    reasons: BTreeMap<String, usize>,
}

impl Tally {
    /// A long run says how far it is.
    fn told(&self, seed: u64) {
        if seed % 50 == 49 {
            println!(
                "after {seed} specifications: {} decided, {} open, {} unsupported",
                self.decided, self.open, self.unsupported
            );
        }
    }
}

fn compare(tally: &mut Tally, model: &Arc<Model>, instance: &Instance, property: &Property, text: &str) {
    let wrong = property.name == never_wrong().name;
    let budget = Duration::from_secs(4);
    let outcome = prove(instance, property, &interplay_prove::Config { budget, ..config(&Engine::ALL) });
    let proved = match &outcome.verdict {
        Verdict::Reachable(_) => true,
        Verdict::Unreachable(_) => false,
        Verdict::Unknown => return tally.open += 1,
        Verdict::Unsupported(unsupported) => {
            *tally.reasons.entry(unsupported.message.clone()).or_default() += 1;
            return tally.unsupported += 1;
        }
    };
    let Some(found) = explored(instance, property, wrong) else { return tally.open += 1 };
    tally.decided += 1;
    assert_eq!(proved, found, "`{}` of {}: {}\n{text}", property.name, model.name, crate::support::told(&outcome));
}

/// `2000`, or `500..2000` to go on.
fn seeds(usual: u64) -> Range<u64> {
    let Ok(text) = std::env::var("INTERPLAY_SPECIFICATIONS") else { return 0..usual };
    let number = |text: &str| text.parse().expect("INTERPLAY_SPECIFICATIONS is a number, or two as in 500..2000");
    match text.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&text),
    }
}

/// Of random specifications, each with its properties, and whether it goes wrong.
fn agree(specification: fn(&mut Dice) -> String) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(8) {
        tally.told(seed);
        let text = specification(&mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let model = model(&[&text]);
        let instance = Instance::new(model.clone(), None).unwrap();
        if let Err(error) = instance.initial() {
            compare_start(&mut tally, &instance, error.code, &text);
            continue;
        }
        for property in properties(&Arc::new(instance.clone()), None) {
            compare(&mut tally, &model, &instance, &property, &text);
            compare_judging(&mut tally, &instance, &property, &text);
        }
        compare(&mut tally, &model, &instance, &never_wrong(), &text);
    }
    println!("{tally:#?}");
    tally
}

#[test]
fn prover_and_explorer_agree_on_small_specifications() {
    let tally = agree(Dice::specification);
    // Silence beside internal steps that may go on for ever is refused.
    let few = tally.unsupported * 20 <= tally.decided;
    assert!(few && tally.decided > 5 * tally.open && tally.judged > 3, "{tally:?}");
}

#[test]
fn prover_and_explorer_agree_on_synchronous_systems() {
    let tally = agree(Dice::synchronous);
    // Half of them stay open since a proof needs that nothing goes wrong where a property is judged.
    assert!(tally.unsupported == 0 && tally.decided >= 20, "{tally:?}");
}

#[test]
fn prover_and_explorer_agree_where_the_prover_understands() {
    let mut tally = Tally::default();
    for seed in seeds(20) {
        tally.told(seed);
        let text = interplay_testkit::generate(seed, 1);
        let model = model(&[&text]);
        let setup = (!model.setups.is_empty()).then_some(interplay_model::SetupId(0));
        let Ok(instance) = Instance::new(model.clone(), setup) else { continue };
        for property in properties(&Arc::new(instance.clone()), None) {
            compare(&mut tally, &model, &instance, &property, &text);
        }
    }
    println!("{tally:#?}");
    assert!(tally.decided > 0, "{tally:?}");
}
