//! Generalised scenarios: how a goal is reached whatever the values are, as plain data, for people and as JSON.

use super::sought_line;
use crate::{Colour, escape};
use interplay_answers::Abstracted;
use interplay_answers::Findings;
use interplay_diagnostics::Sources;

pub fn abstracted_text(sources: &Sources, abstracted: &Abstracted) -> String {
    let mut text = String::new();
    for goal in &abstracted.goals {
        text += &format!("{}  {}\n", escape(&goal.sought.name), sought_line(&goal.sought));
        let Some(general) = &goal.general else {
            if goal.sought.answer.word() == "reached" {
                text += "  not generalised: the trace cannot be analysed backwards\n";
            }
            if let Some(problem) = goal.sought.answer.problem() {
                let findings = Findings::new(sources, std::slice::from_ref(problem));
                text += &format!("\n{}", crate::diagnostics(&findings, Colour::Always));
            }
            continue;
        };
        text += match general.constraint.is_empty() {
            true => "  for all values\n\n",
            false => "  for all values that satisfy its condition\n\n",
        };
        text += &escape(&general.scenario);
        if let Some(why) = &general.fixed {
            text +=
                &format!("\nSome events keep their values: the backward analysis does not support {}.\n", escape(why));
        }
        text += "\n";
    }
    if abstracted.interrupted {
        text += "interrupted: the remaining goals were not searched for\n";
    }
    text
}
