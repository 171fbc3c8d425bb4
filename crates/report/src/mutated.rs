//! What `test --mutants` tells: how many small mistakes in the specification the test finds, and what becomes of the others.

use crate::{Verdict, escape};
use interplay_diagnostics::{Sources, Span};
use serde_json::{Value, json as value};

#[derive(Clone, Debug)]
pub struct Mutated {
    pub system: String,
    pub setup: Option<String>,
    pub seed: u64,
    /// Runs against each mutant.
    pub runs: u64,
    pub strategy: String,
    /// How many mutants there are, and how many of them were chosen.
    pub possible: usize,
    pub chosen: usize,
    /// Those that were played.
    pub mutants: Vec<MutantTold>,
    /// It ended before all were played.
    pub interrupted: bool,
    pub seconds: f64,
}

/// One mutant.
#[derive(Clone, Debug)]
pub struct MutantTold {
    /// The text that was changed, and what became of it.
    pub text: String,
    pub change: String,
    /// The action whose rule was changed; `None` if it belongs to several.
    pub rule: Option<String>,
    pub span: Span,
    pub fate: Fate,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The test found it.
    Killed { by: String, steps: u64 },
    /// It did not; a conversation that would have shown it, if one is known.
    Survived(Option<Vec<String>>),
    /// It does something else, and the specification allows all of it under this setup.
    Conforms,
    /// It moves exactly as the original does.
    Equivalent,
    /// It cannot be played.
    Stillborn(String),
}

impl Fate {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Fate::Killed { .. } => "killed",
            Fate::Survived(_) => "survived",
            Fate::Conforms => "conforms",
            Fate::Equivalent => "equivalent",
            Fate::Stillborn(_) => "stillborn",
        }
    }
}

impl Mutated {
    pub fn count(&self, word: &str) -> usize {
        self.mutants.iter().filter(|mutant| mutant.fate.word() == word).count()
    }

    pub fn verdict(&self) -> Verdict {
        match (self.interrupted, self.count("survived")) {
            (true, _) => Verdict::Inconclusive,
            (false, 0) => Verdict::Pass,
            (false, _) => Verdict::Fail,
        }
    }

    /// Of those that a test could find.
    pub fn score(&self) -> Option<f64> {
        let (killed, survived) = (self.count("killed"), self.count("survived"));
        (killed + survived > 0).then(|| killed as f64 / (killed + survived) as f64)
    }
}

pub fn mutated_text(sources: &Sources, mutated: &Mutated) -> String {
    let mut text = String::new();
    let list = |word: &str| -> String {
        let of_kind = mutated.mutants.iter().filter(|mutant| mutant.fate.word() == word);
        of_kind.map(|mutant| mutant_text(sources, mutant)).collect()
    };
    let survived = list("survived");
    if !survived.is_empty() {
        text += &format!("\nnot found by this test:\n{survived}");
    }
    let conforms = list("conforms");
    if !conforms.is_empty() {
        text += &format!(
            "\nno test under this setup can find these: the specification allows what they do. Is a requirement missing?\n{conforms}"
        );
    }
    let (killed, survived) = (mutated.count("killed"), mutated.count("survived"));
    let score = mutated.score().map_or(String::new(), |score| format!(", {:.0} %", score * 100.0));
    text += &format!("\n{killed} of {} mutants found{score}", killed + survived);
    for (word, meaning) in [
        ("conforms", "allowed by the specification"),
        ("equivalent", "the same as the original"),
        ("stillborn", "cannot be played"),
    ] {
        match mutated.count(word) {
            0 => {}
            count => text += &format!("; {count} {meaning}"),
        }
    }
    text += "\n";
    if mutated.chosen < mutated.possible {
        text += &format!("{} of {} possible mutants were chosen, evenly\n", mutated.chosen, mutated.possible);
    }
    if mutated.interrupted {
        text += &format!("warning: only {} of {} were played\n", mutated.mutants.len(), mutated.chosen);
    }
    let Mutated { strategy, seed, seconds, .. } = mutated;
    let runs = if mutated.runs == 1 { "1 run".into() } else { format!("{} runs", mutated.runs) };
    text + &format!("{seconds:.2} s, at most {runs} each, strategy {strategy}, --seed {seed} repeats the choices\n")
}

fn mutant_text(sources: &Sources, mutant: &MutantTold) -> String {
    let rule = mutant.rule.as_ref().map_or(String::new(), |rule| format!(" (a rule of `{}`)", escape(rule)));
    let place = escape(&sources.locate(mutant.span)).into_owned();
    let mut text = format!("  {place}: `{}` {}{rule}\n", escape(&mutant.text), escape(&mutant.change));
    if let Fate::Survived(Some(lines)) = &mutant.fate {
        let lines: Vec<_> = lines.iter().map(|line| escape(line).into_owned()).collect();
        text += &format!("      would show in: {}\n", lines.join("  "));
    }
    text
}

pub fn mutated_json(sources: &Sources, mutated: &Mutated) -> Value {
    let mutant = |mutant: &MutantTold| {
        let (line, column) = sources.position(mutant.span.start_point());
        let (killed_by, steps) = match &mutant.fate {
            Fate::Killed { by, steps } => (Some(by), Some(steps)),
            _ => (None, None),
        };
        let shown_by = match &mutant.fate {
            Fate::Survived(lines) => lines.as_ref(),
            _ => None,
        };
        value!({
            "text": mutant.text,
            "change": mutant.change,
            "rule": mutant.rule,
            "place": { "file": sources.file(mutant.span.file).name, "line": line, "column": column },
            "fate": mutant.fate.word(),
            "killed_by": killed_by,
            "steps": steps,
            "would_show_in": shown_by,
        })
    };
    value!({
        "schema": 1,
        "system": mutated.system,
        "setup": mutated.setup,
        "seed": mutated.seed,
        "runs": mutated.runs,
        "strategy": mutated.strategy,
        "possible": mutated.possible,
        "chosen": mutated.chosen,
        "score": mutated.score(),
        "killed": mutated.count("killed"),
        "survived": mutated.count("survived"),
        "conforms": mutated.count("conforms"),
        "equivalent": mutated.count("equivalent"),
        "stillborn": mutated.count("stillborn"),
        "mutants": mutated.mutants.iter().map(mutant).collect::<Vec<_>>(),
        "complete": !mutated.interrupted,
        "seconds": (mutated.seconds * 1e6).round() / 1e6,
    })
}
