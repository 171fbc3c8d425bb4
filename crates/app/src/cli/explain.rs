//! `interplay explain`: the page of a code.

use crate::exit::Exit;
use crate::print;
use interplay_diagnostics::{Code, did_you_mean};
use interplay_report::escape;
use serde_json::{Value, json};
use std::fmt::Write;

/// Explain the code of a diagnostic
///
/// Without CODE, all codes are listed.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay explain N001")]
pub(crate) struct Arguments {
    /// A code such as N001, as it stands in brackets after `error` or `warning`
    code: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    match arguments.code.as_deref().map(|text| Code::parse(text).ok_or(text)) {
        None if arguments.json => {
            print::json(&json!({ "schema": 1, "codes": Code::ALL.iter().map(entry).collect::<Vec<_>>() }))?
        }
        None => print::answer(&list())?,
        Some(Ok(code)) if arguments.json => print::json(&page(code))?,
        Some(Ok(code)) => print::answer(code.page())?,
        Some(Err(unknown)) => return refuse(unknown),
    }
    Ok(Exit::Met)
}

fn refuse(unknown: &str) -> anyhow::Result<Exit> {
    let help = did_you_mean(unknown, Code::ALL.iter().map(|code| code.name()))
        .unwrap_or_else(|| "`interplay explain` lists all codes".into());
    print::aside(&format!("{}: there is no code `{}`\nhelp: {help}\n", print::error_word(), escape(unknown)))?;
    Ok(Exit::Wrong)
}

fn list() -> String {
    let mut text = String::new();
    for code in Code::ALL {
        let severity = code.severity().word();
        writeln!(text, "{}  {severity:7}  {}", print::bold(code.name()), code.title()).expect("writing to a string");
    }
    text + "\n`interplay explain CODE` shows an example and its correction.\n"
}

fn entry(code: &Code) -> Value {
    json!({ "code": code.name(), "severity": code.severity().word(), "title": code.title() })
}

fn page(code: Code) -> Value {
    let mut value = entry(&code);
    value["page"] = json!(code.page());
    value["schema"] = json!(1);
    value
}
