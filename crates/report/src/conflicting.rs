//! Which features get in each other's way, as plain data, for people (a matrix and the evidence) and as JSON.

use crate::escape;
use crate::explored_json::rounded;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Conflicting {
    pub system: String,
    pub setup: Option<String>,
    pub components: Vec<String>,
    /// Every two of them, in order.
    pub pairs: Vec<ConflictingPair>,
    pub interrupted: bool,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct ConflictingPair {
    pub components: [String; 2],
    pub kind: ConflictingKind,
    /// The event on which both act.
    pub event: Option<String>,
    /// The way there, with the event.
    pub scenario: Option<String>,
    /// Lines of the scenario.
    pub steps: usize,
    pub places: Vec<ConflictingPlace>,
    /// What the model says if nothing decides between them.
    pub error: Option<String>,
    pub states: u64,
    /// These were all states, with the inputs of these two and of the system.
    pub complete: bool,
}

/// How two components get along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictingKind {
    Independent,
    Apart,
    Together,
    FirstOverrides,
    SecondOverrides,
    Disturb,
    Contradict,
    Conflict,
}

/// A place or an output, and what becomes of it.
#[derive(Clone, Debug)]
pub struct ConflictingPlace {
    pub what: String,
    pub alone: [String; 2],
    pub without: String,
    pub together: String,
}

use ConflictingKind::*;

impl ConflictingKind {
    const ALL: [(ConflictingKind, char, &'static str); 8] = [
        (Conflict, '!', "conflict: nothing decides between them, an error of the model"),
        (Contradict, 'x', "contradict: on one event they want different things; something in the model decides"),
        (Disturb, '~', "disturb: of each something is left out, or together they do something new"),
        (FirstOverrides, '>', "overrides: something that the column does alone is left out"),
        (SecondOverrides, '<', "is overridden: something that the row does alone is left out"),
        (Together, '+', "together: both act on one event, and both are served"),
        (Apart, '.', "apart: no event was found on which both act"),
        (Independent, '-', "independent: no event concerns both (proved)"),
    ];

    pub fn word(self) -> &'static str {
        match self {
            Independent => "independent",
            Apart => "apart",
            Together => "together",
            FirstOverrides => "first overrides",
            SecondOverrides => "second overrides",
            Disturb => "disturb",
            Contradict => "contradict",
            Conflict => "conflict",
        }
    }

    fn sign(self) -> char {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or(' ', |(_, sign, _)| *sign)
    }

    /// Two features want what cannot both be.
    pub fn is_conflict(self) -> bool {
        matches!(self, Conflict | Contradict)
    }
}

impl Conflicting {
    pub fn count(&self, kind: ConflictingKind) -> usize {
        self.pairs.iter().filter(|pair| pair.kind == kind).count()
    }

    /// All states of all pairs were looked at, or need not be.
    pub fn is_complete(&self) -> bool {
        self.pairs.iter().all(|pair| pair.complete || pair.kind.is_conflict())
    }

    /// The rows of the matrix: one sign for each column.
    pub fn matrix(&self) -> Vec<String> {
        let cell = |row: &String, column: &String| {
            let pair = self.pairs.iter().find(|pair| pair.components == [row.clone(), column.clone()]);
            let turned = || self.pairs.iter().find(|pair| pair.components == [column.clone(), row.clone()]);
            match (pair, turned()) {
                (Some(pair), _) => pair.kind.sign(),
                (_, Some(pair)) => match pair.kind {
                    FirstOverrides => SecondOverrides.sign(),
                    SecondOverrides => FirstOverrides.sign(),
                    kind => kind.sign(),
                },
                _ => ' ',
            }
        };
        self.components.iter().map(|row| self.components.iter().map(|column| cell(row, column)).collect()).collect()
    }

    fn assurance(pair: &ConflictingPair) -> &'static str {
        match (pair.kind, pair.complete) {
            (Independent, _) | (Conflict | Contradict, _) => "proved",
            (_, true) => "exhaustive",
            _ => "bounded",
        }
    }
}

pub fn conflicting_json(told: &Conflicting) -> Value {
    let place = |place: &ConflictingPlace| json!({ "what": place.what, "alone": place.alone, "without": place.without, "together": place.together });
    let pair = |pair: &ConflictingPair| {
        json!({
            "components": pair.components,
            "answer": pair.kind.word(),
            "assurance": Conflicting::assurance(pair),
            "event": pair.event,
            "events": pair.scenario.as_ref().map(|_| pair.steps),
            "places": pair.places.iter().map(place).collect::<Vec<_>>(),
            "error": pair.error,
            "scenario": pair.scenario,
            "states": pair.states,
        })
    };
    json!({
        "schema": 1,
        "system": told.system,
        "setup": told.setup,
        "components": told.components,
        "matrix": told.matrix(),
        "pairs": told.pairs.iter().map(pair).collect::<Vec<_>>(),
        "complete": told.is_complete(),
        "interrupted": told.interrupted,
        "seconds": rounded(told.seconds, 1e3),
    })
}

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
        text += &format!("\n{open} pairs were not looked at in all states: --states and --timeout give them more\n");
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
