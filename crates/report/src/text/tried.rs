//! How it is told what came of trying a binding.

use crate::escape;
use interplay_answers::TriedBinding;
use interplay_diagnostics::amount;

pub fn tried_text(tried: &TriedBinding) -> String {
    let mut text = String::new();
    for input in &tried.inputs {
        text += &match &input.event {
            Some(event) => format!("{} -> {}\n", escape(event), escape(&input.answer)),
            None => format!("warning: `{}` was not given: {}\n", escape(&input.name), escape(&input.answer)),
        };
        text += &indented(&input.wire);
    }
    if let Some(problem) = &tried.problem {
        text += &format!("\n{}\n", escape(problem));
        text += &indented(&tried.wire);
    }
    for (said, lines) in &tried.ambiguous {
        let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
        text += &format!(
            "warning: `{}` fits the [[read]] in lines {}; the first decides\n",
            escape(said),
            lines.join(" and ")
        );
    }
    let idle = tried.rules.iter().filter(|rule| rule.count == 0);
    for rule in idle {
        text += &format!("warning: the [[read]] in line {} never matched\n", rule.line);
    }
    let given = tried.inputs.iter().filter(|input| input.event.is_some()).count();
    let used = tried.rules.iter().filter(|rule| rule.count > 0).count();
    text + &format!(
        "\n{} of {} given, {used} of {} matched\n",
        given,
        amount(tried.inputs.len(), "input"),
        amount(tried.rules.len(), "rule")
    )
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {}\n", escape(line))).collect()
}
