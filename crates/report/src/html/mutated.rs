//! The report of mutation analysis: the score, and what became of each small mistake.

use super::Background;
use super::page::{Block, Cell, Page, Section, Table, background, seconds};
use super::render::render;
use interplay_answers::Mark;
use interplay_answers::{Fate, FateWord, MutantTold, Mutated, Verdict};
use interplay_diagnostics::{Sources, amount};

/// The whole page.
pub fn mutated_html(mutated: &Mutated, behind: Background<'_>) -> String {
    let mut behind = behind;
    let lived = mutated.mutants.iter().filter(|mutant| matches!(mutant.fate, Fate::Survived(_)));
    behind.marks.extend(lived.map(|mutant| Mark {
        span: mutant.span,
        count: None,
        why: Some(format!("`{}` {}, detected by no test", mutant.text, mutant.change)),
        blamed: true,
    }));
    let (killed, survived) = (mutated.count(FateWord::Killed), mutated.count(FateWord::Survived));
    let mut sections = vec![table(behind.sources, mutated)];
    sections.extend(background(&behind));
    let mut facts = vec![("specification", behind.file.clone())];
    facts.extend(mutated.setup.clone().map(|setup| ("setup", setup)));
    facts.extend([
        ("mutants", format!("{} of {}", mutated.mutants.len(), mutated.possible)),
        ("found", killed.to_string()),
        ("not found", survived.to_string()),
        ("allowed by the specification", mutated.count(FateWord::Conforms).to_string()),
        ("equivalent to the original", mutated.count(FateWord::Equivalent).to_string()),
        ("strategy", mutated.strategy.clone()),
        ("seed", mutated.seed.to_string()),
        ("time", seconds(mutated.seconds)),
    ]);
    render(&Page {
        command: "test --mutants",
        system: &mutated.system,
        verdict: mutated.verdict(),
        assurance: mutated.score().map(|score| format!("score {:.0} %", score * 100.0)),
        sentence: format!("{killed} of {} were found by this test.", amount(killed + survived, "mutant")),
        facts,
        sections,
    })
}

fn table<'p>(sources: &Sources, mutated: &Mutated) -> Section<'p> {
    let order = |mutant: &&MutantTold| match mutant.fate {
        Fate::Survived(_) => 0,
        Fate::Conforms => 1,
        Fate::Stillborn(_) => 2,
        Fate::Killed { .. } => 3,
        Fate::Equivalent => 4,
    };
    let mut mutants: Vec<&MutantTold> = mutated.mutants.iter().collect();
    mutants.sort_by_key(order);
    let row = |mutant: &&MutantTold| {
        let (verdict, how) = match &mutant.fate {
            Fate::Survived(Some(lines)) => (Verdict::Fail, format!("would be detected by: {}", lines.join("  "))),
            Fate::Survived(None) => (Verdict::Fail, String::new()),
            Fate::Conforms => (Verdict::Inconclusive, "is a property missing?".into()),
            Fate::Killed { by, steps } => (Verdict::Pass, format!("{by}, after {}", amount(*steps, "step"))),
            Fate::Equivalent => (Verdict::Pass, String::new()),
            Fate::Stillborn(why) => (Verdict::Inconclusive, why.clone()),
        };
        vec![
            Cell::verdict(verdict, mutant.fate.word()),
            Cell::code(format!("{} {}", mutant.text, mutant.change)),
            Cell::new(how),
            Cell::place(sources, Some(mutant.span)),
        ]
    };
    let rows = mutants.iter().map(row).collect();
    let table = Table { head: vec!["fate", "mistake", "how", "place"], rows };
    Section::new("mutants", "Mutants", vec![Block::Table(table)])
}
