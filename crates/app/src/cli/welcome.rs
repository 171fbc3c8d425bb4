//! `interplay` alone: what to do next.

use crate::exit::Exit;
use crate::print;

const WELCOME: &str = "\
Interplay: specify, explore, prove and test reactive systems.

Try one of these:
  interplay new lock                       a small project to start from
  interplay check lock/lock.play           is the specification right?
  interplay simulate lock/lock.play        step through it by hand
  interplay explore lock/lock.play         visit all its states

All commands: interplay --help
";

pub(crate) fn run() -> anyhow::Result<Exit> {
    print::answer(WELCOME)?;
    Ok(Exit::Met)
}
