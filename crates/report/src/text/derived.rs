//! A derived test case for people: its size, and the shortest way to each verdict.

use crate::escape;
use interplay_answers::DerivedTest;
use interplay_diagnostics::amount;

pub fn derived_text(derived: &DerivedTest) -> String {
    let size = |(nodes, edges): (usize, usize)| format!("{}, {}", amount(nodes, "node"), amount(edges, "edge"));
    let watching: Vec<String> = [("possible", &derived.possible), ("never", &derived.never)]
        .into_iter()
        .filter_map(|(word, name)| Some(format!("{word} `{}`", escape(name.as_ref()?))))
        .collect();
    let mut text = format!("observers: {}\n", if watching.is_empty() { "none".into() } else { watching.join(" and ") });
    text += &format!("observable behaviour ({}): {}\n", derived.relation, size(derived.product));
    text += &format!("selected for {}: {}\n", derived.target, size(derived.selected));
    let case = |word: &str| {
        format!("{word} test case: {}, {}", amount(derived.case.places, "place"), amount(derived.case.steps, "step"))
    };
    text += &match &derived.not_symbolic {
        None => format!("{}\n", case("symbolic")),
        Some(why) => format!("{}, because {}\n", case("unfolded"), escape(why)),
    };
    if !derived.reachable {
        let setup = derived.setup.as_ref().map_or(String::new(), |setup| format!(" under setup `{}`", escape(setup)));
        text += &format!("{} is unreachable{setup}\n", derived.target);
    }
    for (name, way) in &derived.verdicts {
        let way: Vec<String> = way.iter().map(|event| escape(event).into_owned()).collect();
        text += &format!("  {name}: {}\n", if way.is_empty() { "at the start".into() } else { way.join(" ") });
    }
    text
}
