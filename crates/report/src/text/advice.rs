//! What a specification leaves open, for people.

use crate::escape;
use interplay_answers::Advice;

pub fn advice_text(advice: &Advice) -> String {
    let mut text = String::new();
    if advice.unspecified.is_empty() {
        text += "every input is specified everywhere\n";
    }
    for (place, input) in &advice.unspecified {
        text += &format!("unspecified at {}: {}\n", escape(place), escape(input));
    }
    match &advice.false_alarm {
        Some(way) => {
            let way: Vec<String> = way.iter().map(|event| escape(event).into_owned()).collect();
            text += "\nioco would blame an implementation that keeps to this and ignores what is unspecified:\n";
            text += &format!("  {}\n", way.join(" "));
            text += "help: say what these inputs do (`complete-inputs` ignores them), or test with uioco\n";
        }
        None if advice.remark.is_none() => text += "ioco gives no false alarm here\n",
        None => {}
    }
    text + &advice.remark.as_ref().map_or(String::new(), |remark| format!("{}\n", escape(remark)))
}
