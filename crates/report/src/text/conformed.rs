//! A comparison of two specifications for people: the verdict, the shortest difference as a scenario, and what was not compared.

use crate::{Colour, diagnostics, escape};
use interplay_answers::{ConformDifference, ConformKind, Conformed, Findings, Verdict};
use interplay_diagnostics::{Sources, amount};

/// The sources are those of the specification and of the implementation.
pub fn conformed_text(sources: [&Sources; 2], conformed: &Conformed, colour: Colour) -> String {
    let relation = conformed.relation.word();
    let mut text = match (&conformed.difference, conformed.verdict()) {
        (Some(found), _) => {
            let at = match found.steps.len() {
                0 | 1 => "at the start".into(),
                steps => format!("after {}", amount(steps - 1, "step")),
            };
            format!("fail  does not conform ({relation}): {}, {at}\n\n{}\n", said(found), shown(&found.scenario))
        }
        (None, Verdict::Inconclusive) => format!("open  no difference found ({relation})\n"),
        (None, Verdict::Fail) => String::new(),
        (None, Verdict::Pass) => {
            let worth = conformed.assurance().map_or(String::new(), |assurance| format!(", {}", assurance.word()));
            let bound = conformed.bounded.map_or(String::new(), |depth| format!(" to depth {depth}"));
            format!("pass  conforms ({relation}{worth}{bound})\n")
        }
    };
    if let Some(wrong) = &conformed.wrong {
        let which = if wrong.in_implementation { "implementation" } else { "specification" };
        let sources = sources[usize::from(wrong.in_implementation)];
        let findings = Findings::new(sources, std::slice::from_ref(&*wrong.diagnostic));
        text +=
            &format!("fail  the {which} goes wrong:\n\n{}{}\n", diagnostics(&findings, colour), shown(&wrong.scenario));
    }
    for left in &conformed.left {
        text += &format!("not compared: {}\n", escape(left));
    }
    let names = |names: &[String]| names.iter().map(|name| escape(name).into_owned()).collect::<Vec<_>>().join(", ");
    let [first, second] = &conformed.unshared;
    for (only, which) in [(first, "specification"), (second, "implementation")] {
        if !only.is_empty() {
            text += &format!("note: only the {which} has {}\n", names(only));
        }
    }
    if !conformed.never_given.is_empty() && conformed.difference.is_none() {
        text += &format!("warning: inputs never given: {}\n", names(&conformed.never_given));
    }
    text + &format!(
        "{} of state sets ({} and {} sets), depth {}, {:.3} s\n",
        amount(conformed.pairs, "pair"),
        conformed.sets[0],
        conformed.sets[1],
        conformed.depth,
        conformed.seconds
    )
}

fn said(found: &ConformDifference) -> String {
    let observed = escape(&found.observed);
    let (does, other) = match found.by_implementation {
        true => ("implementation", "specification"),
        false => ("specification", "implementation"),
    };
    let allowed: Vec<String> = found.allowed.iter().map(|each| format!("`{}`", escape(each))).collect();
    let expected = match allowed.is_empty() {
        true => String::new(),
        false => format!("; expected {}", allowed.join(" or ")),
    };
    match found.kind {
        _ if !found.by_implementation && found.kind != ConformKind::Refusal => {
            format!("the {does} allows `{observed}`, and the {other} does not do it")
        }
        ConformKind::Output => format!("unexpected output `{observed}`{expected}"),
        ConformKind::Answer => format!("unexpected answer `{observed}`{expected}"),
        ConformKind::Silence => format!("unexpected silence{expected}"),
        ConformKind::Input => format!("the {does} takes `{observed}`, and the {other} does not"),
        ConformKind::Refusal => format!("the {does} refuses `{observed}`, and the {other} takes it"),
    }
}

fn shown(scenario: &str) -> String {
    scenario.lines().map(|line| format!("{}\n", escape(line))).collect()
}
