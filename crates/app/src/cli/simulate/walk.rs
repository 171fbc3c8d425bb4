//! A random walk.

use super::Arguments;
use super::stepper::show_problem;
use crate::exit::Exit;
use crate::print;
use interplay_answers::{Version, WalkDocument};
use interplay_diagnostics::amount;
use interplay_report::escape;
use interplay_workbench::{ChosenSetup, Context, Dice, Session};

pub(super) fn run(
    arguments: &Arguments,
    context: &Context,
    mut session: Session,
    setup: &ChosenSetup,
    seed: u64,
) -> anyhow::Result<Exit> {
    let say = |text: &str| if arguments.shared.json { Ok(()) } else { print::answer(text) };
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
                if exit == Exit::Unknown { "the setup gives no values for the next step" } else { "model error here" };
            break;
        }
        let Some(choice) = dice.choose(&menu) else {
            stopped = "no event is possible here";
            break;
        };
        session.forward(choice);
        say(&format!("{number:4}  {}\n", escape(&choice.text)))?;
        for line in session.difference() {
            say(&format!("        {}\n", print::dim(&escape(&line))))?;
        }
    }
    say(&format!("stopped after {}: {stopped}\n", amount(session.depth(), "step")))?;
    if arguments.shared.json {
        print::json(&document(&session, setup, seed, stopped))?;
    }
    Ok(exit)
}

/// The way that was taken, as data.
pub(super) fn document<'a>(
    session: &'a Session,
    setup: &'a ChosenSetup,
    seed: u64,
    stopped: &'a str,
) -> WalkDocument<'a> {
    WalkDocument {
        schema: Version,
        system: session.system(),
        setup: setup.name.as_deref(),
        seed,
        steps: session.steps_so_far(),
        states: session.show_states(),
        stopped,
        scenario: session.scenario("path"),
    }
}
