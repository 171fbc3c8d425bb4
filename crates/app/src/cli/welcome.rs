//! `interplay` alone: what to do next.

use crate::exit::Exit;
use crate::print;

const WELCOME: &str = "\
Interplay: test, explore and prove reactive systems.

Try one of these:
  interplay new lock                       create a small project
  interplay check lock/lock.play           check the specification
  interplay test lock/lock.play --sut 'python3 lock/adapter/adapter.py'
                                           test the implementation
  interplay explore lock/lock.play         visit all states

All commands: interplay --help
";

pub(crate) fn run() -> anyhow::Result<Exit> {
    print::answer(WELCOME)?;
    Ok(Exit::Met)
}
