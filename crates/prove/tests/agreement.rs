//! The prover and the exploration of all states give the same answers, on random specifications: small ones of a kind that the
//! prover understands, and those of the general generator as far as it does. `INTERPLAY_SPECIFICATIONS=2000` makes it long.

mod support;

use interplay_explore::{Config, FindingKind, Findings, Interpreted, Stop, Verdict as Known, explore};
use interplay_model::Model;
use interplay_prove::{Engine, Property, Verdict, never_wrong, properties, prove};
use interplay_semantics::Instance;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use support::{config, model};

/// Choices from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % count
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn condition(&mut self, locals: &[&str], depth: u64) -> String {
        if depth > 0 && self.below(2) == 0 {
            let word = self.pick(&["and", "or", "implies"]);
            return format!("({} {word} {})", self.condition(locals, depth - 1), self.condition(locals, depth - 1));
        }
        match self.below(9) {
            0 => self.pick(&["flag", "not flag"]).into(),
            1 => format!("hue {} {}", self.pick(&["==", "!="]), self.pick(&["red", "green", "blue"])),
            2 => format!("{} in seen", self.pick(&["red", "green", "hue"])),
            3 => self.pick(&["held.is_some", "held.is_none", "held == some(1)", "held.or(2) > 1"]).into(),
            4 => format!("{} in count", self.pick(&["red", "hue"])),
            5 => format!("count.get(hue, 0) {} {}", self.pick(&["<", "=="]), self.below(3)),
            6 => self.pick(&["at Here", "at There", "seen.size > 1", "count.is_empty"]).into(),
            _ => format!("{} {} {}", self.number(locals), self.pick(&["<", "<=", "==", "!="]), self.number(locals)),
        }
    }

    fn number(&mut self, locals: &[&str]) -> String {
        match self.below(5) {
            0 | 1 => self.pick(&["x", "y"]).into(),
            2 if !locals.is_empty() => self.pick(locals).into(),
            3 => format!("({} {} {})", self.pick(&["x", "y"]), self.pick(&["+", "-", "%"]), 1 + self.below(2)),
            _ => self.below(4).to_string(),
        }
    }

    fn block(&mut self, locals: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            text += &match self.below(11) {
                0 | 1 => format!("x = ({}) % 4\n", self.number(locals)),
                2 => format!("y = ({}) % 3\n", self.number(locals)),
                3 => "flag = not flag\n".into(),
                4 => format!("hue = {}\n", self.pick(&["red", "green", "blue"])),
                5 => format!("seen = seen {} {{{}}}\n", self.pick(&["+", "-"]), self.pick(&["red", "hue"])),
                6 => format!("held = {}\n", self.pick(&["none", "some(1)", "some(0)"])),
                7 => format!("count[hue] = ({}) % 3\n", self.number(locals)),
                8 => format!("count = count - {{{}}}\n", self.pick(&["red", "hue"])),
                9 => format!("x = {}\n", self.number(locals)),
                _ => {
                    let condition = self.condition(locals, 1);
                    let word = self.pick(&["x = 0", "flag = true", "y = 1", "hue = red"]);
                    format!("if {condition} {{ {word} }} else {{ held = some(y) }}\n")
                }
            };
        }
        text
    }

    fn specification(&mut self) -> String {
        let mut text = String::from(
            "system Random\nenum Hue { red, green, blue }\ntype Small = 0..3\n\
             var x: Small = 0\nvar y: Small = 1\nvar flag: Bool = false\nvar hue: Hue = red\n\
             var seen: Set<Hue> = {}\nvar held: Option<Small> = none\nvar count: Map<Hue, Small> = {}\n\
             input go(p: Small), tick\noutput say(m: Small), done\ninternal turn\nstart Here\n",
        );
        for place in ["Here", "There"] {
            text += &format!("at {place} {{\n");
            for _ in 0..2 + self.below(2) {
                let (pattern, locals): (&str, &[&str]) = match self.below(5) {
                    0 | 1 => ("go(p)", &["p"]),
                    2 => ("tick", &[]),
                    3 => ("say(m)", &["m"]),
                    _ => (self.pick(&["turn", "done"]), &[]),
                };
                let first = if pattern == "say(m)" { "m == x and " } else { "" };
                let (condition, block) = (self.condition(locals, 1), self.block(locals));
                let target = self.pick(&["", "-> Here", "-> There"]);
                text += &format!("on {pattern} when {first}{condition} {{\n{block}}} {target}\n");
            }
            text += "}\n";
        }
        for (index, polarity) in ["never", "possible"].iter().enumerate() {
            let verdict = if index == 0 { "bad" } else { "good" };
            text += &format!("observer watch{index} {polarity} {{\nvar n: Int = 0\nstart One\nat One {{\n");
            let guard = self.condition(&["q"], 1);
            text += &format!("on go(q) when {guard} {{ n = q }} -> Two\n}}\nat Two {{\n");
            let event = self.pick(&["done", "silence", "tick", "any"]);
            let guard = self.pick(&["n > 1", "x == n", "flag", "true"]);
            text += &format!("on {event} when {guard} -> {verdict}\n}}\n}}\n");
        }
        for index in 0..2 {
            let condition = self.condition(&[], 2);
            text += &format!("property always{index}: {} ({condition})\n", self.pick(&["always", "never", "possible"]));
        }
        text
    }
}

/// What exploring all states says: it happens, it does not, or that is not known.
fn explored(instance: &Instance, property: &Property, wrong: bool) -> Option<bool> {
    let chosen = if wrong { Vec::new() } else { vec![property.name.clone()] };
    let system = Interpreted::new(instance.clone(), Some(&chosen));
    let outcome = explore(&system, &Config { states: Some(3000), findings: Findings::Continue, ..Config::default() });
    let error = outcome.findings.iter().any(|finding| matches!(finding.kind, FindingKind::Error(_)));
    match outcome.verdict(&property.name) {
        Some(Known::Violated | Known::Satisfied) => Some(true),
        _ if wrong && error => Some(true),
        _ if outcome.stop != Stop::Exhausted => None,
        // Beside an error the prover may see more steps than there are.
        _ if error => None,
        _ => Some(false),
    }
}

#[derive(Debug, Default)]
struct Tally {
    decided: usize,
    open: usize,
    unsupported: usize,
    reasons: BTreeMap<String, usize>,
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
    assert_eq!(proved, found, "`{}` of {}: {}\n{text}", property.name, model.name, support::told(&outcome));
}

fn number(usual: u64) -> u64 {
    std::env::var("INTERPLAY_SPECIFICATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn prover_and_explorer_agree_on_small_specifications() {
    let mut tally = Tally::default();
    for seed in 0..number(8) {
        let text = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).specification();
        let model = model(&[&text]);
        let instance = Instance::new(model.clone(), None).unwrap();
        for property in properties(&Arc::new(instance.clone()), None) {
            compare(&mut tally, &model, &instance, &property, &text);
        }
        compare(&mut tally, &model, &instance, &never_wrong(), &text);
    }
    println!("{tally:#?}");
    assert!(tally.unsupported == 0 && tally.decided > 5 * tally.open, "{tally:?}");
}

#[test]
fn prover_and_explorer_agree_where_the_prover_understands() {
    let mut tally = Tally::default();
    for seed in 0..number(20) {
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
