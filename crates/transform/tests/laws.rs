//! Every operation keeps what can be seen: for generated specifications the result has the same suspension traces as the
//! original, or the operation says why it cannot be done; and the result is a specification that can be read again.

use interplay_diagnostics::{Diagnostics, Sources};
use interplay_model::Model;
use interplay_semantics::Instance;
use interplay_transform::traces::{Compared, Law, same_traces};
use interplay_transform::{Machine, Refused, complete, complete_inputs, determinise, hide, suspend, write};
use std::sync::Arc;

/// Events of a trace, and traces of a specification.
const DEPTH: usize = 4;
const MOST: usize = 600;

type Operation = (&'static str, Law, fn(Machine) -> Result<Machine, Refused>);

const OPERATIONS: &[Operation] = &[
    ("suspend", Law::Same, suspend),
    ("hide", Law::Same, hide),
    ("suspend, hide", Law::Same, |machine| hide(suspend(machine)?)),
    ("suspend, hide, determinise", Law::Same, |machine| determinise(hide(suspend(machine)?)?, 1, &|| None)),
    ("suspend, hide, determinise, complete", Law::Same, |machine| {
        complete(determinise(hide(suspend(machine)?)?, 1, &|| None)?)
    }),
    ("complete inputs", Law::Allows, complete_inputs),
];

/// What came of all comparisons of one operation.
#[derive(Default, Debug)]
struct Count {
    compared: usize,
    traces: usize,
    refused: usize,
    /// Results that cannot be told in the language, which the program refuses.
    untold: usize,
}

fn read(text: &str) -> Result<Arc<Model>, String> {
    let (mut sources, mut problems) = (Sources::default(), Diagnostics::default());
    let file = sources.add("test.play", text);
    let tree = interplay_syntax::parse(file, text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    match model.filter(|_| !problems.has_errors()) {
        Some(model) => Ok(Arc::new(model)),
        None => {
            let told: Vec<String> = problems.sorted().iter().map(|problem| problem.message.clone()).collect();
            Err(told.join("; "))
        }
    }
}

/// Compares the result of an operation under the first setup; what differs, with both texts.
fn compare(text: &str, (name, law, operation): &Operation, count: &mut Count) -> Result<(), String> {
    let model = read(text)?;
    let machine = match Machine::new(&model).and_then(operation) {
        Ok(machine) => machine,
        Err(Refused { message, .. }) => {
            assert!(!message.is_empty(), "a refusal has a reason");
            count.refused += 1;
            return Ok(());
        }
    };
    let result = match write(&machine, "Written by a test.") {
        Ok(result) => result,
        Err(_) => {
            count.refused += 1;
            return Ok(());
        }
    };
    let told = |why: String| format!("{name}: {why}\n--- original\n{text}\n--- result\n{result}");
    let Ok(new) = read(&result).inspect_err(|why| println!("{}", told(why.clone()))) else {
        count.untold += 1;
        return Ok(());
    };
    let setup = |model: &Model| model.setups.first().and_then(|setup| model.setup_named(&setup.name));
    let Ok(first) = Instance::new(model.clone(), setup(&model)) else { return Ok(()) };
    let second = Instance::new(new.clone(), setup(&new)).map_err(|error| told(error.message))?;
    let compared =
        same_traces(&first, &second, *law, DEPTH, MOST).map_err(|difference| told(format!("{difference:?}")))?;
    if compared != (Compared { wrong: 1, traces: 1, cut: false }) && compared.traces > 1 {
        count.compared += 1;
        count.traces += compared.traces;
    }
    Ok(())
}

/// Each law on each text; the counts in the order of the operations, and all that differs.
fn judge(texts: impl Iterator<Item = String>) -> Vec<Count> {
    let mut counts: Vec<Count> = OPERATIONS.iter().map(|_| Count::default()).collect();
    let mut wrong = Vec::new();
    for text in texts {
        for (operation, count) in OPERATIONS.iter().zip(&mut counts) {
            wrong.extend(compare(&text, operation, count).err());
        }
    }
    for why in &wrong {
        println!("{}", why.lines().take(12).collect::<Vec<_>>().join(" "));
    }
    let shortest = wrong.iter().min_by_key(|text| text.len());
    assert!(wrong.is_empty(), "{} differ; the shortest:\n{}", wrong.len(), shortest.map_or("", String::as_str));
    counts
}

/// Numbers that look random, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most
    }

    fn one<'o>(&mut self, of: &[&'o str]) -> &'o str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A small system with places, internal steps, choices, unset variables and conditions that protect others.
fn small(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(2654435761).wrapping_add(17));
    let mut text = String::from(
        "system Small\n\nvar n: 0..2 = 0\nvar has: Bool = false\nvar x: Int\nvar big: Int = 9223372036854775807\n\
         var m: Map<Int, Int> = {1: 2}\n\ninput a, b(k: 0..1)\noutput p, q(v: Int)\ninternal t, u(c: 0..1)\n\nstart A\n",
    );
    let guards = [
        "",
        "",
        " when n < 2",
        " when n > 0",
        " when has",
        " when not has",
        " when has and x > 0",
        " when has and x + 1 > 1",
        " when n == 0 and big - 1 > 0",
        " when n > 0 or has",
        " when n in m and m[n] > 0",
        " when not has or x > 1",
        " when n > 0 and 2 / n > 1",
        " when (if has then x > 0 else n == 0)",
    ];
    let effects = [
        "",
        "",
        " { n = 0 }",
        " { n = if n < 2 then n + 1 else 0 }",
        " { has = true  x = n }",
        " { has = false }",
        " { if has { x = x - x } else { n = 1 } }",
        " { m[n] = n }",
        " { has = true  x = 1  if n > 0 { x = 2 } }",
    ];
    for place in ["A", "B", "C"] {
        text += &format!("\nat {place} {{\n");
        for _ in 0..1 + dice.below(4) {
            let event = dice.one(&["a", "a", "b(k)", "p", "p", "q(v)", "t", "t", "u(c)"]);
            let (mut guard, mut effect) = (dice.one(&guards).to_string(), dice.one(&effects).to_string());
            let also = match event {
                "b(k)" => dice.one(&["", "k == 1", "k < n", "k > n"]),
                "q(v)" => dice.one(&["v == n", "v == n + 1", "v == n"]),
                "u(c)" => dice.one(&["", "c == 1", "c == n"]),
                _ => "",
            };
            if !also.is_empty() {
                guard = if guard.is_empty() { format!(" when {also}") } else { format!("{guard} and {also}") };
                if guard.contains(" or ") || guard.contains("(if") {
                    guard = format!(" when {also}");
                }
                // What gives a value to an argument stands first, or behind what protects it.
                if event == "q(v)" && guard.contains("x > 1") {
                    guard = format!(" when {also}");
                }
            }
            if event == "b(k)" && dice.below(3) == 0 {
                effect = " { n = k }".into();
            }
            let choose = if dice.below(8) == 0 && event == "t" { " choose d in {0, 1}" } else { "" };
            if !choose.is_empty() {
                effect = " { n = d }".into();
            }
            let goto = dice.one(&["", " -> A", " -> B", " -> C", " -> B"]);
            text += &format!("    on {event}{choose}{guard}{effect}{goto}\n");
        }
        text += "}\n";
    }
    text + "\nsetup all { domain Int = -1..3 conformance ioco refusals ignore run 5 tests of 6 steps }\n"
}

#[test]
fn small_systems_keep_their_suspension_traces() {
    let counts = judge((0..60).map(small));
    let floors = [30, 20, 20, 10, 10, 30];
    for (((name, ..), count), floor) in OPERATIONS.iter().zip(&counts).zip(floors) {
        println!("{name}: {count:?}");
        assert!(count.compared >= floor, "{name}: {count:?}");
        assert!(count.traces > 5 * count.compared, "{name}: {count:?}");
    }
}

#[test]
fn generated_systems_keep_their_suspension_traces() {
    let counts = judge((0..80).map(|seed| interplay_testkit::generate(seed, 1)));
    for ((name, ..), count) in OPERATIONS.iter().zip(&counts) {
        println!("{name}: {count:?}");
        assert!(count.untold <= 2, "{name}: {count:?}");
        assert!(count.compared + count.refused >= 40, "{name}: {count:?}");
    }
}
