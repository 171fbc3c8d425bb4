//! `interplay explain`: the page of a code.

use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, refuse};
use interplay_answers::ExplainDocument;
use interplay_diagnostics::{Code, did_you_mean};
use interplay_report::escape;
use std::fmt::Write;

/// Explain a diagnostic code
///
/// Without CODE, list all codes.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay explain N001")]
pub(crate) struct Arguments {
    /// A code such as N001, from the brackets after `error` or `warning`
    code: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let code = self.code.as_deref().map(|text| Code::parse(text).ok_or_else(|| unknown(text))).transpose()?;
        if let (Some(typed), Some(code)) = (&self.code, code) {
            note_renamed(typed, code)?;
        }
        session.say(|| ExplainDocument::of(code), || code.map_or_else(list, |code| code.page().into()))?;
        Ok(Exit::Met)
    }
}

fn note_renamed(typed: &str, code: Code) -> anyhow::Result<()> {
    if !typed.trim().eq_ignore_ascii_case(code.name()) {
        print::aside(&format!("note: {} is now called {code}\n", escape(typed.trim())))?;
    }
    Ok(())
}

fn unknown(text: &str) -> anyhow::Error {
    let help = did_you_mean(text, Code::ALL.iter().map(|code| code.name()))
        .unwrap_or_else(|| "`interplay explain` lists all codes".into());
    refuse(format!("unknown code `{text}`\nhelp: {help}"))
}

fn list() -> String {
    let mut text = String::new();
    for code in Code::ALL {
        let severity = code.severity().word();
        writeln!(text, "{}  {severity:7}  {}", print::bold(code.name()), code.title()).expect("writing to a string");
    }
    text + "\n`interplay explain CODE` shows an example and its correction.\n"
}
