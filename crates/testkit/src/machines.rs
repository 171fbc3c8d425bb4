//! Small machines with everything that makes observing hard: choices that nobody sees, internal steps and cycles of them, reactions that
//! begin by themselves, inputs that are taken in some of the possible states only.

use crate::dice::Dice;
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    Asynchronous,
    Reactive,
    Synchronous,
}

/// The text of a machine with four states, the same one for the same seed. It has no setup.
pub fn generate_machine(seed: u64, kind: MachineKind) -> String {
    let mut dice = Dice::new(seed);
    let mut text = String::new();
    let word = match kind {
        MachineKind::Asynchronous => "",
        MachineKind::Reactive => " reactive",
        MachineKind::Synchronous => " synchronous",
    };
    let actions = match kind {
        MachineKind::Synchronous => "input signal i0\ninput signal i1\noutput signal o0\noutput signal o1",
        _ => "input i0, i1\noutput o0, o1\ninternal t0, t1",
    };
    _ = writeln!(text, "system Machine{word}\nvar x: 0..3 = 0\n{actions}");
    for _ in 0..4 + dice.below(6) {
        _ = writeln!(text, "{}", rule(&mut dice, kind));
    }
    text
}

fn rule(dice: &mut Dice, kind: MachineKind) -> String {
    let (from, to) = (dice.below(4), dice.below(4));
    let emits = match dice.below(4) {
        0 => "emit o0 ",
        1 => "emit o1 ",
        2 => "emit o0 emit o1 ",
        _ => "",
    };
    match kind {
        MachineKind::Asynchronous => {
            let action = ["i0", "i1", "i0", "i1", "o0", "o1", "t0", "t1"][dice.below(8)];
            format!("on {action} when x == {from} {{ x = {to} }}")
        }
        MachineKind::Reactive => {
            let action = ["i0", "i1", "i0", "i1", "t0", "t1"][dice.below(6)];
            format!("on {action} when x == {from} {{ {emits}x = {to} }}")
        }
        MachineKind::Synchronous => {
            let signal = ["i0", "i1", "not i0", "i0 and i1"][dice.below(4)];
            format!("on step when x == {from} and {signal} {{ {emits}x = {to} }}")
        }
    }
}
