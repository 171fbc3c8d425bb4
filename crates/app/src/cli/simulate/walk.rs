//! A random walk.

use super::Arguments;
use super::stepper::show_problem;
use crate::exit::Exit;
use crate::print;
use interplay_report::escape;
use interplay_workbench::{ChosenSetup, Context, Dice, Session};
use serde_json::{Value, json};

pub(super) fn run(
    arguments: &Arguments,
    context: &Context,
    mut session: Session,
    setup: &ChosenSetup,
    seed: u64,
) -> anyhow::Result<Exit> {
    let say = |text: &str| if arguments.json { Ok(()) } else { print::answer(text) };
    say(&format!("seed {seed}\n"))?;
    let mut dice = Dice::new(seed);
    let mut stopped = "all steps were taken";
    let mut exit = Exit::Met;
    for number in 1..=arguments.steps {
        let menu = session.menu();
        if let Some(problem) = menu.problems.first() {
            say(&show_problem(context, &session, problem, menu.problems.len() - 1))?;
            exit = Exit::of(problem.diagnostic.code);
            stopped =
                if exit == Exit::Unknown { "the setup does not say how to go on" } else { "the model goes wrong here" };
            break;
        }
        let Some(choice) = dice.choose(&menu) else {
            stopped = "nothing can happen here";
            break;
        };
        session.forward(choice);
        say(&format!("{number:4}  {}\n", escape(&choice.text)))?;
        for line in session.difference() {
            say(&format!("        {}\n", print::dim(&escape(&line))))?;
        }
    }
    let plural = if session.depth() == 1 { "" } else { "s" };
    say(&format!("stopped after {} step{plural}: {stopped}\n", session.depth()))?;
    if arguments.json {
        print::json(&document(&session, setup, seed, stopped))?;
    }
    Ok(exit)
}

/// The way that was taken, as data.
pub(super) fn document(session: &Session, setup: &ChosenSetup, seed: u64, stopped: &str) -> Value {
    json!({
        "schema": 1,
        "system": session.system(),
        "setup": setup.name,
        "seed": seed,
        "steps": session.steps_so_far(),
        "states": session.show_states(),
        "stopped": stopped,
        "scenario": session.scenario("path"),
    })
}
