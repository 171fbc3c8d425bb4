//! A test that aims at a verdict, as plain data, for people, and as JSON.

use crate::escape;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;

const SCHEMA: u32 = 1;

#[derive(Clone, Debug)]
pub struct Targeted {
    pub system: String,
    pub implementation: String,
    pub setup: Option<String>,
    /// What guided the test.
    pub guide: String,
    /// What the test aims at, if that is known.
    pub target: Option<String>,
    /// The weightiest verdict of all runs: `ViolateFail`, `Satisfy`, `Pass`, `Inconclusive`, ...
    pub verdict: String,
    /// What that says about the implementation, the specification and the property.
    pub meaning: Vec<String>,
    /// The run with this verdict, one event per line.
    pub conversation: Vec<String>,
    pub runs: u64,
    /// How many runs ended so.
    pub verdicts: BTreeMap<String, u64>,
    pub seed: u64,
    /// The implementation or the specification could not go on.
    pub trouble: Option<String>,
    pub remarks: Vec<String>,
    pub seconds: f64,
}

pub fn targeted_text(targeted: &Targeted) -> String {
    let mut text = String::new();
    let aim = targeted.target.as_ref().map_or(String::new(), |target| format!(", aiming at {target}"));
    text += &format!("guided by {}{aim}\n", escape(&targeted.guide));
    if !targeted.conversation.is_empty() {
        text += "\n";
        text += &targeted.conversation.iter().map(|line| format!("    {}\n", escape(line))).collect::<String>();
        text += "\n";
    }
    text += &format!("{}\n", targeted.verdict);
    text += &targeted.meaning.iter().map(|line| format!("  {}\n", escape(line))).collect::<String>();
    if let Some(trouble) = &targeted.trouble {
        text += &format!("no verdict: {}\n", escape(trouble));
    }
    for remark in &targeted.remarks {
        text += &format!("warning: {}\n", escape(remark));
    }
    let runs = if targeted.runs == 1 { "1 run".into() } else { format!("{} runs", targeted.runs) };
    let each: Vec<String> = targeted.verdicts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    text + &format!("{runs}{each}\n{:.2} s, --seed {} repeats the choices\n", targeted.seconds, targeted.seed)
}

pub fn targeted_json(targeted: &Targeted) -> Value {
    value!({
        "schema": SCHEMA,
        "system": targeted.system,
        "implementation": targeted.implementation,
        "setup": targeted.setup,
        "guide": targeted.guide,
        "target": targeted.target,
        "verdict": targeted.verdict,
        "meaning": targeted.meaning,
        "conversation": targeted.conversation,
        "runs": targeted.runs,
        "verdicts": targeted.verdicts,
        "seed": targeted.seed,
        "trouble": targeted.trouble,
        "remarks": targeted.remarks,
        "seconds": targeted.seconds,
    })
}
