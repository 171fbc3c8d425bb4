//! The answer to a call, and how it is cut to the bytes that the agent can read.
//!
//! The summary is the text that a person would read on a terminal; what does not fit is in the artifact, and the summary says so.

use interplay_answers::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of every tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// What was found; none where nothing was judged.
    pub verdict: Option<Word>,
    /// What the verdict is worth: `proved`, `exhaustive`, `bounded(5)`, `tested(100 runs, 4 of 4 rules)`, `observed`.
    pub assurance: Option<String>,
    /// As text, cut to the budget.
    pub summary: String,
    /// What to do now, the best first.
    pub next: Vec<String>,
    /// A file with everything: states, traces, scenarios.
    pub artifact: Option<String>,
}

/// The verdict of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Met, as far as the assurance says. Never said when a limit was reached.
    Pass,
    /// Violated, with evidence.
    Fail,
    /// Neither can be said; the summary says why.
    Inconclusive,
    /// Nothing was done; the summary says why, and `next` what to write instead.
    Refused,
}

impl From<Verdict> for Word {
    fn from(verdict: Verdict) -> Word {
        match verdict {
            Verdict::Pass => Word::Pass,
            Verdict::Fail => Word::Fail,
            Verdict::Inconclusive => Word::Inconclusive,
        }
    }
}

impl Reply {
    /// Nothing was done, for this reason.
    pub fn refused(problem: impl Into<String>, fix: impl Into<String>) -> Reply {
        let fix = Some(fix.into()).filter(|fix| !fix.is_empty());
        Reply {
            verdict: Some(Word::Refused),
            assurance: None,
            summary: format!("error: {}", problem.into()),
            next: fix.into_iter().collect(),
            artifact: None,
        }
    }

    /// The time was over before there was anything to say.
    pub fn too_late(seconds: f64) -> Reply {
        Reply {
            verdict: Some(Word::Inconclusive),
            assurance: None,
            summary: format!("nothing was found out within {seconds} s"),
            next: vec![
                "ask again with more `seconds`, or for less: one property, a setup with smaller domains, a `depth`"
                    .into(),
            ],
            artifact: None,
        }
    }

    /// Whether the caller has to mend the call, or the text.
    pub fn is_refusal(&self) -> bool {
        self.verdict == Some(Word::Refused)
    }

    /// A limit was reached: what would be a pass is none, and the summary begins with the reason.
    pub(crate) fn limited(&mut self, why: &str) {
        if self.verdict == Some(Word::Pass) {
            self.verdict = Some(Word::Inconclusive);
            self.summary = format!("not a pass: {why}\n{}", self.summary);
        }
    }

    /// As JSON of at most so many bytes, if the artifact's name leaves room for it.
    pub fn fitted(mut self, bytes: usize) -> String {
        let whole = std::mem::take(&mut self.summary);
        let all = whole.lines().count();
        let mut kept = whole.len().min(bytes);
        loop {
            let (shown, lines) = beginning(&whole, kept);
            self.summary = match lines == all && shown.len() == whole.len() {
                true => whole.clone(),
                false if self.artifact.is_some() => {
                    format!("{shown}... (cut to max_bytes; the artifact has all of it)")
                }
                false => format!("{shown}... (cut to max_bytes)"),
            };
            let text = serde_json::to_string(&self).expect("a reply has names as keys");
            if text.len() <= bytes {
                return text;
            }
            match (kept, self.next.len()) {
                (0, 0 | 1) => return text,
                (0, _) => _ = self.next.pop(),
                _ => kept = kept.saturating_sub(text.len() - bytes),
            }
        }
    }
}

/// The first lines, of at most so many bytes; a single line that is longer is left out.
fn beginning(text: &str, bytes: usize) -> (&str, usize) {
    if bytes >= text.len() {
        return (text, text.lines().count());
    }
    let end = text.floor_char_boundary(bytes);
    let end = text[..end].rfind('\n').map_or(0, |at| at + 1);
    (&text[..end], text[..end].lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(summary: String) -> Reply {
        Reply {
            verdict: Some(Word::Fail),
            assurance: Some("proved".into()),
            summary,
            next: vec!["mend it".into(); 3],
            artifact: Some("a.json".into()),
        }
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let read: Reply = serde_json::from_str(&reply("one\ntwo\n".into()).fitted(1000)).expect("it is JSON");
        assert_eq!(read, reply("one\ntwo\n".into()));
    }

    #[test]
    fn whatever_is_in_it_is_cut_to_the_bytes_and_says_so() {
        for summary in ["line\n".repeat(5000), "\u{1}\"\n".repeat(3000), "ä".repeat(9000), "ß\n".repeat(2000)] {
            for bytes in [1000, 1001, 1777, 4096] {
                let text = reply(summary.clone()).fitted(bytes);
                assert!(text.len() <= bytes, "{} > {bytes}", text.len());
                let read: Reply = serde_json::from_str(&text).expect("it is JSON");
                assert!(read.summary.ends_with("the artifact has all of it)"), "{}", read.summary);
                assert_eq!(read.verdict, Some(Word::Fail));
            }
        }
    }

    #[test]
    fn a_limit_is_no_pass_and_hides_no_failure() {
        let mut passed = Reply { verdict: Some(Word::Pass), ..reply("all is well".into()) };
        passed.limited("the search stopped at the state limit");
        assert_eq!(passed.verdict, Some(Word::Inconclusive));
        let mut failed = reply("wrong".into());
        failed.limited("the search stopped at the state limit");
        assert_eq!(failed.verdict, Some(Word::Fail));
    }
}
