//! Chores of the house, run by `cargo run -p xtask -- CHORE`: `tidy` (what the compiler does not check), `docs`
//! (pages made from the source; `--check` only compares), `licences` (of the dependencies), `packages` (what a registry asks of the
//! crates), `large LINES` (a big specification, for timing),
//! `agree` (whoever answers the same question, on generated specifications).

mod agree;
mod docs;
mod large;
mod licences;
mod packages;
mod tidy;

use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    if let [chore, options @ ..] = &args[..]
        && chore == "agree"
    {
        return agree::run(root, options);
    }
    let problems = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(root),
        ["docs"] => docs::run(root, false),
        ["docs", "--check"] => docs::run(root, true),
        ["licences"] => licences::run(root),
        ["packages"] => packages::run(root, false),
        ["packages", "--pack"] => packages::run(root, true),
        ["large", lines] => {
            print!("{}", large::specification(lines.parse().unwrap_or(20_000)));
            Vec::new()
        }
        _ => vec![
            "usage: xtask tidy | docs [--check] | licences | packages [--pack] | large LINES | agree [OPTIONS]"
                .to_string(),
        ],
    };
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
