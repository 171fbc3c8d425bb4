//! `interplay --help`: the commands by task, on one screen. clap lists subcommands in one column; here a table says which belong
//! together, and their first lines come from the commands themselves.

use clap::Command;
use std::fmt::Write;

/// First test something, then explore, then prove.
const TASKS: &[(&str, &[&str])] = &[
    ("Test an implementation", &["new", "test", "replay", "monitor", "suite"]),
    (
        "Write and explore a specification",
        &["check", "fmt", "explain", "simulate", "explore", "scenario", "oracle", "serve", "run"],
    ),
    ("Prove", &["verify", "conform", "test-case"]),
];

/// Named only: whoever needs them knows what they are. Short groups share a line, so that all fit one screen.
const MORE: &[&[(&str, &[&str])]] = &[
    &[("transform", &["suspend", "remove-internal", "determinise", "canonical-tester", "complete-inputs", "product"])],
    &[("exchange", &["import", "export"]), ("adapters", &["adapter", "bind"]), ("logs", &["patterns"])],
    &[("editors", &["lsp"]), ("agents", &["mcp", "skill"]), ("shell", &["completions", "man"])],
];

/// The same command, with another page of help.
pub(crate) fn by_task(command: Command) -> Command {
    let heading = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut page = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (task, names) in TASKS {
        write!(page, "\n{heading}{task}:{heading:#}\n").expect("writing to a string");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            writeln!(page, "  {literal}{name:9}{literal:#}  {}", about.unwrap_or_default())
                .expect("writing to a string");
        }
    }
    write!(page, "\n{heading}More commands:{heading:#}\n").expect("writing to a string");
    for line in MORE {
        let groups = line.iter().map(|(group, names)| format!("{:10} {}", format!("{group}:"), names.join(", ")));
        writeln!(page, "  {}", groups.collect::<Vec<_>>().join("    ")).expect("writing to a string");
    }
    page += "\n{options}{after-help}";
    command.help_template(page.replace("{options}", &format!("{heading}Options:{heading:#}\n{{options}}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_task() {
        let more = MORE.iter().flat_map(|line| line.iter()).flat_map(|(_, names)| names.iter());
        let listed: Vec<&str> = TASKS.iter().flat_map(|(_, names)| names.iter()).chain(more).copied().collect();
        let command = Cli::command();
        let there = command.get_subcommands().filter(|each| !each.is_hide_set()).map(Command::get_name);
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), there.collect::<BTreeSet<_>>());
        assert_eq!(listed.len(), listed.iter().collect::<BTreeSet<_>>().len());
    }

    #[test]
    fn it_fits_one_screen() {
        assert!(by_task(Cli::command()).render_help().to_string().lines().count() <= 40);
    }
}
