//! A test suite: few and short runs, as scenarios and as test files of other languages that drive an adapter by themselves.

use interplay_answers::{SuiteCase, SuiteLanguage, Suited};
use interplay_diagnostics::amount;
use serde_json::Value;

pub fn suite_text(suited: &Suited) -> String {
    let steps: usize = suited.cases.iter().map(|case| case.steps).sum();
    let counted = suited.covered.len() + suited.open.len();
    let mut text = format!(
        "{} with {} in total cover {} of {}\n",
        amount(suited.cases.len(), "test"),
        amount(steps, "step"),
        suited.covered.len(),
        amount(counted, "goal"),
    );
    for case in &suited.cases {
        text += &format!("  {} ({}): {}\n", case.name, amount(case.steps, "step"), case.covers.join("; "));
    }
    for goal in &suited.infeasible {
        text += &format!("  unreachable, not counted: {goal}\n");
    }
    for goal in &suited.open {
        text += &format!("  no test found: {goal}\n");
    }
    if !suited.open.is_empty() && !suited.exhausted {
        text += "search incomplete: raise `--states` (states to visit) or `--timeout` (time for the solver)\n";
    }
    let all = if suited.exhausted { "all " } else { "" };
    text + &format!("{all}{} visited\n", amount(suited.states, "state"))
}

/// The text of a test file.
pub fn suite_file(suited: &Suited, language: SuiteLanguage, command: &str) -> String {
    if language == SuiteLanguage::Scenarios {
        let case = |case: &SuiteCase| format!("/// {}\n{}", case.covers.join("; "), case.scenario);
        return suited.cases.iter().map(case).collect::<Vec<_>>().join("\n");
    }
    let template = match language {
        SuiteLanguage::Python => include_str!("../../templates/suite.py"),
        SuiteLanguage::JavaScript => include_str!("../../templates/suite.mjs"),
        _ => include_str!("../../templates/suite.rs"),
    };
    let tests: Vec<String> = suited.cases.iter().map(|case| one(language, case)).collect();
    let text = template.replace("@SYSTEM@", &suited.system.replace(['\n', '"', '\\'], " "));
    let text = text.replace("@COMMAND@", &Value::from(command).to_string());
    let separator = if language == SuiteLanguage::Python { "\n\n" } else { "\n" };
    text.replace("@TESTS@\n", &(tests.join(separator) + if language == SuiteLanguage::Python { "\n\n" } else { "" }))
}

fn one(language: SuiteLanguage, case: &SuiteCase) -> String {
    let covers = case.covers.join("; ").replace(['\n', '\\', '"'], " ");
    let name: String = case.name.chars().map(|each| if each.is_alphanumeric() { each } else { '_' }).collect();
    let lines = |start: &str, show: &dyn Fn(&Value) -> String| -> String {
        case.items.iter().map(|item| format!("{start}{},\n", show(item))).collect()
    };
    match language {
        SuiteLanguage::Python => format!(
            "def test_{name}():\n    \"\"\"{covers}\"\"\"\n    play({}, [\n{}    ])\n",
            python(&case.settings),
            lines("        ", &python),
        ),
        SuiteLanguage::JavaScript => format!(
            "// {covers}\ntest({}, (context) => play(context, {}, [\n{}]));\n",
            Value::from(case.name.as_str()),
            case.settings,
            lines("  ", &Value::to_string),
        ),
        _ => format!(
            "/// {covers}\n#[test]\nfn {name}() {{\n    play(\n        json!({}),\n        json!([\n{}        ]),\n    );\n}}\n",
            case.settings,
            lines("            ", &Value::to_string),
        ),
    }
}

/// JSON as Python writes it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let pairs = fields.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), python(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}
