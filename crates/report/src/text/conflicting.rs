//! Which features get in each other's way, as plain data, for people (a matrix and the evidence) and as JSON.

use crate::escape;
use ConflictingKind::*;
use interplay_answers::{Conflicting, ConflictingKind, ConflictingPair};
use interplay_diagnostics::amount;

/// With the scenario of every pair, or only with the matrix and one line for each.
pub fn conflicting_text(told: &Conflicting, scenarios: bool) -> String {
    let mut text = matrix(told);
    for (kind, sign, meaning) in ConflictingKind::ALL {
        let count = told.count(kind);
        if count > 0 {
            text += &format!("  {sign} {count:>3}  {meaning}\n");
        }
    }
    let worth = |pair: &&ConflictingPair| pair.scenario.is_some() && (pair.kind != Together || scenarios);
    for pair in told.pairs.iter().filter(worth) {
        text += &evidence(pair, scenarios);
    }
    let open = told.pairs.iter().filter(|pair| !pair.complete && !pair.kind.is_conflict()).count();
    if open > 0 {
        text += &format!("\n{} not explored fully: raise --states or --timeout\n", amount(open, "pair"));
    }
    if told.interrupted {
        text += "interrupted\n";
    }
    text + &format!("{:.3} s\n", told.seconds)
}

fn matrix(told: &Conflicting) -> String {
    let names: Vec<String> = told.components.iter().map(|name| escape(name).into_owned()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, (name, row)) in names.iter().zip(told.matrix()).enumerate() {
        let signs: Vec<String> = row.chars().map(String::from).collect();
        text += format!("{:>3} {name:width$}  {}", index + 1, signs.join("  ")).trim_end();
        text += "\n";
    }
    let numbers: Vec<String> = (1..=names.len()).map(|number| format!("{number:>3}")).collect();
    format!("{:1$}{2}\n", "", width + 4, numbers.concat()) + &text
}

fn evidence(pair: &ConflictingPair, scenarios: bool) -> String {
    let [first, second] = [0, 1].map(|index| escape(&pair.components[index]).into_owned());
    let event = escape(pair.event.as_deref().unwrap_or_default()).into_owned();
    let what = match pair.kind {
        Conflict => format!("{first} and {second} are in conflict on `{event}`"),
        Contradict => format!("{first} and {second} contradict each other on `{event}`"),
        Disturb => format!("{first} and {second} disturb each other on `{event}`"),
        FirstOverrides => format!("{first} overrides {second} on `{event}`"),
        SecondOverrides => format!("{second} overrides {first} on `{event}`"),
        _ => format!("{first} and {second} both act on `{event}`"),
    };
    let mut text = format!("\n{what} (step {})\n", pair.steps);
    if let Some(error) = &pair.error {
        text += &format!("  {}\n", escape(error));
    }
    for place in &pair.places {
        let told = |value: &str| escape(value).into_owned();
        text += &format!(
            "  {}: {} with {first} alone, {} with {second} alone, {} without both; together {}\n",
            told(&place.what),
            told(&place.alone[0]),
            told(&place.alone[1]),
            told(&place.without),
            told(&place.together)
        );
    }
    if scenarios && let Some(scenario) = &pair.scenario {
        text += "\n";
        text += &escape(scenario);
    }
    text
}
