//! A test that aims at a verdict, as plain data, for people, and as JSON.

use crate::escape;
use interplay_answers::Targeted;
use interplay_diagnostics::amount;

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
        text += &format!("no verdict: {}\n", escape(&trouble.message));
    }
    for remark in &targeted.remarks {
        text += &format!("warning: {}\n", escape(remark));
    }
    let runs = amount(targeted.runs, "run");
    let each: Vec<String> = targeted.verdicts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    text + &format!("{runs}{each}\n{:.2} s, --seed {} repeats the choices\n", targeted.seconds, targeted.seed)
}
