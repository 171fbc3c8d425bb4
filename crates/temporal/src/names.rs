//! What the tests of an oracle are called.

use crate::atom::{Arg, Atom};
use crate::monitor::Monitor;
use crate::oracle::Oracle;
use interplay_diagnostics::Span;
use interplay_model::{Model, Param};
use interplay_semantics::{show_name, show_value};

impl Monitor {
    /// The names of an oracle's variables: events in specification syntax, conditions as they are written (`text` knows),
    /// and the clocks.
    pub fn names(&self, oracle: &Oracle, text: &dyn Fn(Span) -> String) -> Vec<String> {
        let Some(reading) = self.reading() else { return Vec::new() };
        let model = self.instance.model();
        let slot = |slot: usize| show_name(&reading.slots.locals[reading.slots.variables[slot].0].name);
        let name = |atom: &Atom| match atom {
            Atom::Condition { expr, .. } => text(expr.span),
            Atom::Fails { expr, .. } => format!("no value of {}", text(expr.span)),
            Atom::Between => "between steps".into(),
            other => event_name(model, other, &slot).unwrap_or_else(|| "silence".into()),
        };
        let clock = |bound: &u64| format!("later than {}", duration(*bound));
        reading.formula.atoms.iter().map(name).chain(oracle.bounds().iter().map(clock)).collect()
    }
}

/// An event in specification syntax; `slot` names a quantified variable.
pub(crate) fn event_name(model: &Model, atom: &Atom, slot: &dyn Fn(usize) -> String) -> Option<String> {
    let Atom::Event { action, args } = atom else { return None };
    let action = &model.actions[action.0];
    let arg = |(arg, param): (&Arg, &Param)| match arg {
        Arg::Any => "_".to_string(),
        Arg::Is(value) => show_value(model, &param.ty, value),
        Arg::Slot(number) => slot(*number),
    };
    let args: Vec<String> = args.iter().zip(&action.params).map(arg).collect();
    Some(match args.iter().all(|arg| arg == "_") {
        true => show_name(&action.name),
        false => format!("{}({})", show_name(&action.name), args.join(", ")),
    })
}

/// In the largest unit that shows it exactly.
fn duration(micros: u64) -> String {
    match micros {
        0 => "0s".into(),
        _ if micros.is_multiple_of(1_000_000) => format!("{}s", micros / 1_000_000),
        _ if micros.is_multiple_of(1_000) => format!("{}ms", micros / 1_000),
        _ => format!("{micros}us"),
    }
}
