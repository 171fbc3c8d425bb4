//! The same said in other words, by the reference, is the same system: what a word stands for is written out, and both are explored.

use super::compiled::{numbers, verdicts};
use crate::shrink::{join, pieces};
use crate::subject::{Subject, incomplete, opened, refusal, thorough};
use crate::tally::Tally;
use interplay_answers::{Explored, FoundKind};
use interplay_workbench::explore;
use std::collections::BTreeSet;

type Rewrite = fn(&[String]) -> Option<Vec<String>>;

const REWRITES: [(&str, Rewrite); 4] = [
    ("patterns `=e` as conditions", conditions),
    ("`else` after an early `return`", otherwise),
    ("`+=` and `-=` written out", assignments),
    ("`never` as `always not`", never),
];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let tokens = pieces(&subject.text);
    for (what, rewrite) in REWRITES {
        let mut rewritten = tokens.clone();
        while let Some(next) = rewrite(&rewritten) {
            rewritten = next;
        }
        if rewritten == tokens {
            continue;
        }
        let text = join(&rewritten);
        let Some(other) = opened(&text) else {
            // Where its place does not say the type of a literal, the longer form is no specification.
            tally.undecided(format!("{what}: it does not check"));
            continue;
        };
        for setup in subject.setups() {
            let (by, one) = subject.known(&setup);
            let request = explore::Request { interpret: true, ..thorough(&setup) };
            let with = format!("with {what}: {by}");
            subject.clock.asks(&with);
            let asked = explore::run(&other, &request, &subject.clock);
            match (one, asked.map(|answer| answer.explored).map_err(|why| refusal(&why))) {
                (Ok(one), Ok(other)) => match incomplete(&one).or(incomplete(&other)) {
                    Some(why) => tally.undecided(why),
                    None => {
                        tally.same("numbers", (&by, &numbers(&one)), (&with, &numbers(&other)));
                        tally.same("verdicts", (&by, &verdicts(&one)), (&with, &verdicts(&other)));
                        tally.same("findings", (&by, &kinds(&one)), (&with, &kinds(&other)));
                    }
                },
                (Err(_), Err(_)) => tally.agree(),
                (one, other) => {
                    let said = |answer: Result<Explored, String>| answer.map_or_else(|why| why, |_| "an answer".into());
                    tally.disagree("one of them refuses", (by, said(one)), (with, said(other)));
                }
            }
        }
    }
}

/// What was found, without places in the text.
fn kinds(explored: &Explored) -> BTreeSet<String> {
    let kinds = explored.findings.iter().map(|found| match &found.kind {
        FoundKind::Violated(name) => format!("{name} violated"),
        FoundKind::Satisfied(name) => format!("{name} shown"),
        FoundKind::Error { diagnostic, .. } => diagnostic.code.to_string(),
        FoundKind::Deadlock => "deadlock".into(),
    });
    kinds.collect()
}

fn is(tokens: &[String], at: usize, word: &str) -> bool {
    tokens.get(at).is_some_and(|token| token == word)
}

/// The place of the bracket that closes the one here.
fn closing(tokens: &[String], open: usize) -> Option<usize> {
    let mut depth = 0i32;
    (open..tokens.len()).find(|at| {
        match tokens[*at].as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

fn words(text: &[&str]) -> Vec<String> {
    text.iter().map(|word| word.to_string()).collect()
}

/// `on a(.., =e, ..) when c` becomes `on a(.., x, ..) when x == (e) and (c)`. A `choose` stands between the two, and keeps its place.
fn conditions(tokens: &[String]) -> Option<Vec<String>> {
    for on in (0..tokens.len()).filter(|at| tokens[*at] == "on" && is(tokens, at + 2, "(")) {
        let end = closing(tokens, on + 2)?;
        let first = (on + 3..end).find(|at| tokens[*at] == "=" && matches!(tokens[at - 1].as_str(), "(" | ","));
        let Some(first) = first else { continue };
        let mut last = first + 1;
        while last < end && tokens[last] != "," {
            last = if matches!(tokens[last].as_str(), "(" | "[" | "{") { closing(tokens, last)? + 1 } else { last + 1 };
        }
        let line = (end + 1..tokens.len()).find(|at| matches!(tokens[*at].as_str(), "{" | "\n" | "->"))?;
        let later = |word: &str| (end + 1..line).find(|at| tokens[*at] == word);
        // Patterns come one after the other, and before everything else.
        let others = tokens[last..end].iter().any(|token| token == "=");
        if later("choose").is_some() || others {
            continue;
        }
        let name = format!("said_{on}");
        let condition = [words(&[&name, "==", "("]), tokens[first + 1..last].to_vec(), words(&[")"])].concat();
        let guard = match later("when") {
            Some(when) => {
                // The condition may hold braces: it ends where the block begins, or the line.
                let end = block(tokens, when)?;
                let old = [words(&["and", "("]), tokens[when + 1..end].to_vec(), words(&[")"])].concat();
                [words(&["when"]), condition, old, tokens[end..].to_vec()].concat()
            }
            None => [words(&["when"]), condition, tokens[end + 1..].to_vec()].concat(),
        };
        return Some([&tokens[..first], &words(&[&name]), &tokens[last..=end], &guard].concat());
    }
    None
}

/// Where the condition after a `when` ends: before the brace that opens lines, an arrow, or the end of the line.
fn block(tokens: &[String], when: usize) -> Option<usize> {
    let mut at = when + 1;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" if is(tokens, at + 1, "\n") => return Some(at),
            "(" | "[" | "{" => at = closing(tokens, at)? + 1,
            "\n" | "->" => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// `if c { return v } rest` becomes `if c { return v } else { rest }`.
fn otherwise(tokens: &[String]) -> Option<Vec<String>> {
    for start in (0..tokens.len()).filter(|at| tokens[*at] == "return") {
        // The block in which it stands.
        let mut depth = 0i32;
        let open = (0..start).rev().find(|at| {
            depth += i32::from(tokens[*at] == "{") - i32::from(tokens[*at] == "}");
            depth == 1
        })?;
        let close = closing(tokens, open)?;
        let begins = (0..open).rev().take_while(|at| tokens[*at] != "\n").last()?;
        let next = (close + 1..tokens.len()).find(|at| tokens[*at] != "\n")?;
        if tokens[begins] != "if" || matches!(tokens[next].as_str(), "else" | "}") {
            continue;
        }
        let mut depth = 1i32;
        let end = (close + 1..tokens.len()).find(|at| {
            depth += i32::from(tokens[*at] == "{") - i32::from(tokens[*at] == "}");
            depth == 0
        })?;
        let rest = [&words(&["else", "{", "\n"]), &tokens[close + 1..end], &words(&["}", "\n"])].concat();
        return Some([&tokens[..=close], &rest, &tokens[end..]].concat());
    }
    None
}

/// `p += e` becomes `p = p + (e)`, where it stands on a line of its own.
fn assignments(tokens: &[String]) -> Option<Vec<String>> {
    let operators = (0..tokens.len()).filter(|at| matches!(tokens[*at].as_str(), "+=" | "-="));
    let at = operators.into_iter().find(|at| {
        let begins = (0..*at).rev().find(|before| matches!(tokens[*before].as_str(), "\n" | "{"));
        let ends = (*at..tokens.len()).find(|after| tokens[*after] == "\n");
        begins.is_some_and(|begins| tokens[begins] == "\n") && ends.is_some_and(|ends| closed(&tokens[at + 1..ends]))
    })?;
    let begins = (0..at).rev().find(|before| tokens[*before] == "\n")? + 1;
    let ends = (at..tokens.len()).find(|after| tokens[*after] == "\n")?;
    let (place, value) = (&tokens[begins..at], &tokens[at + 1..ends]);
    let operator = if tokens[at] == "+=" { "+" } else { "-" };
    let written = [place, &words(&["="]), place, &words(&[operator, "("]), value, &words(&[")"])].concat();
    Some([&tokens[..begins], &written, &tokens[ends..]].concat())
}

fn closed(tokens: &[String]) -> bool {
    let count = |signs: &[&str]| tokens.iter().filter(|token| signs.contains(&token.as_str())).count();
    count(&["(", "[", "{"]) == count(&[")", "]", "}"])
}

/// `never (c)` becomes `always (not (c))`, where it is the whole property.
fn never(tokens: &[String]) -> Option<Vec<String>> {
    let at = (0..tokens.len())
        .find(|at| tokens[*at] == "never" && is(tokens, at + 1, "(") && *at > 0 && tokens[at - 1] == ":")?;
    let end = closing(tokens, at + 1)?;
    if !is(tokens, end + 1, "\n") {
        return None;
    }
    let said = [&words(&["always", "(", "not"]), &tokens[at + 1..=end], &words(&[")"])].concat();
    Some([&tokens[..at], &said, &tokens[end + 1..]].concat())
}
