//! What came of comparing two answers, many times.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Two that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What they disagree about, in words that stay the same while the specification becomes smaller.
    pub what: String,
    /// The commands, and what each said. `FILE` stands for the specification.
    pub sides: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub agreed: u64,
    /// One of them refuses, with a reason, which is an answer.
    pub refused: BTreeMap<String, u64>,
    /// How often for each reason.
    pub undecided: BTreeMap<String, u64>,
    pub disagreements: Vec<Disagreement>,
}

impl Tally {
    pub(crate) fn agree(&mut self) {
        self.agreed += 1;
    }

    pub(crate) fn undecided(&mut self, why: impl AsRef<str>) {
        *self.undecided.entry(reason(why.as_ref())).or_insert(0) += 1;
    }

    pub(crate) fn refused(&mut self, why: impl AsRef<str>) {
        *self.refused.entry(reason(why.as_ref())).or_insert(0) += 1;
    }

    pub(crate) fn disagree(
        &mut self,
        what: impl Into<String>,
        left: (impl Into<String>, impl Into<String>),
        right: (impl Into<String>, impl Into<String>),
    ) {
        let sides = vec![(left.0.into(), left.1.into()), (right.0.into(), right.1.into())];
        self.disagreements.push(Disagreement { what: what.into(), sides });
    }

    /// Both were asked for the same thing, and said it in the same form.
    pub(crate) fn same<T: PartialEq + Debug>(&mut self, what: &str, left: (&str, &T), right: (&str, &T)) {
        match left.1 == right.1 {
            true => self.agree(),
            false => self.disagree(what, (left.0, format!("{:?}", left.1)), (right.0, format!("{:?}", right.1))),
        }
    }
}

/// The same reason for different names and numbers is one reason.
fn reason(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let mut told = String::new();
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '`' => {
                quoted = !quoted;
                told.push_str(if quoted { "`..`" } else { "" });
            }
            _ if quoted => {}
            sign if sign.is_ascii_digit() => {
                if !told.ends_with('N') {
                    told.push('N');
                }
            }
            sign => told.push(sign),
        }
    }
    told.chars().take(110).collect()
}
