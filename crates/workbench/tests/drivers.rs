//! Every driver of `test --systematic` with every merge against plain exploration, on services that nobody wrote: a property
//! that breaks for one breaks for all.
//!
//! The services have no way back, so that all their runs are short, and exploration sees all of them.

use interplay_report::{SystematicStop, Verdict};
use interplay_workbench::{
    Context, Driver, Exploration, Host, Merge, ReadFile, SystematicHost, SystematicRequest, explore, open, systematic,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const SERVICES: u64 = 40;
/// More events than any run has.
const DEPTH: u64 = 12;

/// Reproducible choices; nothing here needs good ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// A choice, one or two nodes that collect, an end; formulas over the inputs and over what the nodes count.
fn service(dice: &mut Dice) -> String {
    let collected = |dice: &mut Dice, names: &[&str], next: &str, other: &str| {
        let check = match dice.below(3) {
            0 => String::new(),
            1 => format!("check {}.v == 0 else {{ n += 1 }} -> {other}", names[0]),
            _ => format!("check {}.v == {}.v else -> {other}", names[0], names[names.len() - 1]),
        };
        let counted = if dice.below(2) == 0 { "{ n += 1 }" } else { "" };
        format!("({}) {{ {check} done {counted} -> {next} }}", names.join(", "))
    };
    let first = collected(dice, &["b", "c", "d"], "Second", "end");
    let second = collected(dice, &["e", "f"], "end", "end");
    let mut text = format!(
        "system Service\ninput a\ninput b(v: 0..1), c(v: 0..1), d(v: 0..1), e(v: 0..1), f(v: 0..1)\nvar n: 0..9 = 0\n\
         start First\nchoice First {{ a -> Nodes }}\ncollect Nodes {first}\ncollect Second {second}\n"
    );
    let inputs = ["a", "b", "c", "d", "e", "f"];
    for number in 0..4 {
        let (one, other) = (dice.pick(&inputs), dice.pick(&inputs));
        let formula = match dice.below(6) {
            0 => format!("never ({one} and previously {other})"),
            1 => format!("never ({one} and previously 2 {other})"),
            2 => format!("never ({one} and once {other})"),
            3 => format!("always ({one} implies within 2 {other})"),
            4 => format!("never (n == {})", dice.below(4)),
            _ => format!("always ({one} implies next (not {other}))"),
        };
        text += &format!("property p{number}: {formula}\n");
    }
    text + "setup s { overwrites none }\n"
}

/// Whether the property breaks, as this driver sees it.
fn driven(context: &Context, property: &str, driver: Driver, merge: Merge) -> bool {
    let (started, interrupted) = (Instant::now(), AtomicBool::new(false));
    let now = || started.elapsed();
    let host = SystematicHost { now: &now, interrupted: &interrupted, expected: &|_| {}, progress: &|_| {} };
    let request = SystematicRequest {
        setup: Some("s".into()),
        properties: vec![property.into()],
        driver,
        merge,
        depth: Some(DEPTH),
        threads: 1,
        answer_within: Duration::from_secs(5),
        ..SystematicRequest::default()
    };
    let Ok(done) = systematic(context, &request, &host) else { panic!("it is a service") };
    assert!(matches!(done.stop, SystematicStop::Exhausted | SystematicStop::FirstFinding), "{:?}", done.stop);
    done.findings.iter().any(|found| found.property.as_deref() == Some(property))
}

fn explored(context: &Context, property: &str) -> Verdict {
    let (started, interrupted) = (Instant::now(), AtomicBool::new(false));
    let host = Host {
        now: &|| started.elapsed(),
        resident: &|| None,
        interrupted: &interrupted,
        progress: &|_| {},
        disk: None,
        keep: None,
    };
    let request = Exploration {
        setup: Some("s".into()),
        properties: Some(vec![property.into()]),
        threads: 1,
        ..Exploration::default()
    };
    let Ok(found) = explore(context, &request, &host) else { panic!("it can be explored") };
    found.explored.properties.iter().find(|each| each.name == property).expect("it was asked for").verdict
}

#[test]
fn what_breaks_for_one_driver_breaks_for_all() {
    let mut dice = Dice(11);
    let (mut broken, mut kept, mut different) = (0, 0, Vec::new());
    for _ in 0..SERVICES {
        let text = service(&mut dice);
        let read: &ReadFile<'_> = &|_| Ok(text.clone().into_bytes());
        let context = open(Path::new("service.play"), read).unwrap_or_else(|(_, found)| panic!("{text}\n{found:#?}"));
        for property in ["p0", "p1", "p2", "p3"] {
            let plain = explored(&context, property) == Verdict::Fail;
            let ways = [(Driver::Simple, Merge::Data), (Driver::Planned, Merge::Data), (Driver::Planned, Merge::Full)];
            for (driver, merge) in ways {
                if driven(&context, property, driver, merge) != plain {
                    different.push(format!("{property} breaks: {plain}, but not for {driver} with {merge}\n{text}"));
                }
            }
            *(if plain { &mut broken } else { &mut kept }) += 1;
        }
    }
    println!("{broken} broken, {kept} kept");
    assert!(different.is_empty(), "{} differences, the first:\n{}", different.len(), different[0]);
    assert!(broken >= 30 && kept >= 30, "{broken} broken, {kept} kept");
}
