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
            text += "\nfalse alarm of ioco: this implementation conforms, and ignores unspecified inputs:\n";
            text += &format!("  {}\n", way.join(" "));
            text += "help: specify these inputs (`complete-inputs` lets the system ignore them), or test with uioco\n";
        }
        None if advice.remark.is_none() => text += "ioco gives no false alarm here\n",
        None => {}
    }
    text + &advice.remark.as_ref().map_or(String::new(), |remark| format!("{}\n", escape(remark)))
}
