//! What `test --mutants` tells: how many small mistakes in the specification the test finds, and what becomes of the others.

use crate::escape;
use interplay_answers::{Fate, FateWord, MutantTold, Mutated};
use interplay_diagnostics::{Sources, amount};

pub fn mutated_text(sources: &Sources, mutated: &Mutated) -> String {
    let mut text = String::new();
    let list = |word: FateWord| -> String {
        let of_kind = mutated.mutants.iter().filter(|mutant| mutant.fate.kind() == word);
        of_kind.map(|mutant| mutant_text(sources, mutant)).collect()
    };
    let survived = list(FateWord::Survived);
    if !survived.is_empty() {
        text += &format!("\nnot found by this test:\n{survived}");
    }
    let conforms = list(FateWord::Conforms);
    if !conforms.is_empty() {
        text += &format!(
            "\nundetectable under this setup: the specification allows their behaviour. Is a property missing?\n{conforms}"
        );
    }
    let (killed, survived) = (mutated.count(FateWord::Killed), mutated.count(FateWord::Survived));
    let score = mutated.score().map_or(String::new(), |score| format!(", {:.0} %", score * 100.0));
    text += &format!("\n{killed} of {} found{score}", amount(killed + survived, "mutant"));
    for (word, meaning) in [
        (FateWord::Conforms, "allowed by the specification"),
        (FateWord::Equivalent, "equivalent to the original"),
        (FateWord::Stillborn, "not executable"),
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
        text += &format!("warning: only {} of {} were tested\n", mutated.mutants.len(), mutated.chosen);
    }
    let Mutated { strategy, seed, seconds, .. } = mutated;
    let runs = amount(mutated.runs, "run");
    text + &format!("{seconds:.2} s, at most {runs} each, strategy {strategy}, --seed {seed} repeats the choices\n")
}

fn mutant_text(sources: &Sources, mutant: &MutantTold) -> String {
    let rule = mutant.rule.as_ref().map_or(String::new(), |rule| format!(" (a rule of `{}`)", escape(rule)));
    let place = escape(&sources.locate(mutant.span)).into_owned();
    let mut text = format!("  {place}: `{}` {}{rule}\n", escape(&mutant.text), escape(&mutant.change));
    if let Fate::Survived(Some(lines)) = &mutant.fate {
        let lines: Vec<_> = lines.iter().map(|line| escape(line).into_owned()).collect();
        text += &format!("      would be detected by: {}\n", lines.join("  "));
    }
    text
}
