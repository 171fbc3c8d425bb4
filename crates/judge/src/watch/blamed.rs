//! For which values of `for every` a property is violated, and what was reported already.
//!
//! A property that was reported is retired, for these values: a campaign that goes on does not end at it again, so that it hides
//! nothing else.

use super::{Place, Watch};
use interplay_model::Model;
use interplay_semantics::show_value;
use interplay_temporal::{Key, Monitor, MonitorState, Verdict};
use std::collections::BTreeSet;

/// When so many values of a property were reported, all are.
const MOST: usize = 8;

impl Watch {
    /// The values of the last violation, as `n = 1`; empty if the property has none.
    pub fn blamed(&self) -> &str {
        &self.blamed
    }

    /// A violation of this property, for these values, is not reported any more.
    pub fn retire(&mut self, property: &str, values: &str) {
        let places = self.monitors.monitors.iter().zip(&mut self.places);
        for (_, place) in places.filter(|(monitor, _)| monitor.name == property) {
            place.retired.insert(values.into());
        }
    }

    /// The name of what is violated; its values are kept.
    pub(super) fn report(&mut self, found: Option<(String, String)>) -> Option<String> {
        let (name, values) = found?;
        self.blamed = values;
        Some(name)
    }
}

impl Place {
    /// The values for which it is violated since this step, unless that was reported.
    pub(super) fn blame(&self, model: &Model, monitor: &Monitor, before: u32) -> Option<String> {
        let was_violated = self.states[before as usize].1 == Verdict::Violated;
        self.unreported(model, monitor, self.states[self.now as usize].0.all(), was_violated)
    }

    /// The same where a run begins.
    pub(super) fn blame_at_start(&self, model: &Model, monitor: &Monitor) -> Option<String> {
        self.unreported(model, monitor, self.states[self.now as usize].0.all(), false)
    }

    /// The same at the end of a run.
    pub(super) fn blame_at_end(&self, model: &Model, monitor: &Monitor) -> Option<String> {
        let over = |state: &MonitorState| {
            let mut over = state.clone();
            monitor.end(&mut over);
            over
        };
        let states: Vec<MonitorState> = self.states[self.now as usize].0.all().map(over).collect();
        self.unreported(model, monitor, states.iter(), false)
    }

    /// Wherever the monitor may be, the same values must be violated; if there are none, it is not known which.
    fn unreported<'s>(
        &self,
        model: &Model,
        monitor: &Monitor,
        mut states: impl Iterator<Item = &'s MonitorState>,
        was_violated: bool,
    ) -> Option<String> {
        if self.retired.len() >= MOST {
            return None;
        }
        let keys = |state: &'s MonitorState| monitor.violated_instances(state).iter().collect::<BTreeSet<&Key>>();
        let first = states.next().map(keys).unwrap_or_default();
        let common = states.map(keys).fold(first, |common, keys| &common & &keys);
        let unknown = if common.is_empty() && !was_violated { vec![String::new()] } else { Vec::new() };
        let mut all = common.into_iter().map(|key| shown(model, monitor, key)).chain(unknown);
        all.find(|values| !self.retired.contains(values))
    }
}

/// `n = 1, m = 2`.
fn shown(model: &Model, monitor: &Monitor, key: &Key) -> String {
    let Some(reading) = monitor.reading() else { return String::new() };
    let pairs = reading.slots.variables.iter().zip(key.iter()).map(|(variable, value)| {
        let local = &reading.slots.locals[variable.0];
        let value = value.as_ref().map_or("any other".into(), |value| show_value(model, &local.ty, value));
        format!("{} = {value}", local.name)
    });
    pairs.collect::<Vec<_>>().join(", ")
}
