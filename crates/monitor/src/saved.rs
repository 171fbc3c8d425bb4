//! A watch that a later process goes on with: where every property is, and the clock.

mod possible;

use super::Watch;
use super::told::Need;
use interplay_semantics::{State, value_to_json};
use serde_json::{Value as Json, json};

const SCHEMA: u64 = 1;

impl Watch {
    /// Everything that has to be known to go on.
    pub fn save(&self) -> Json {
        let watched = self.monitors.monitors.iter().zip(&self.states).zip(&self.told);
        let property = |((monitor, state), told): ((&interplay_temporal::Monitor, _), &super::Told)| {
            json!({
                "name": monitor.name,
                "text": self.sources.one_line(monitor.span),
                "violations": told.violations,
                "satisfied": told.satisfied,
                "not_shown": told.missed.map(Need::word),
                "lost": told.lost,
                "to_be_told_that_no_run_keeps_it": told.is_doomed,
                "trigger_never_came": told.triggers.never_came(),
                "monitor": monitor.save(state),
            })
        };
        json!({
            "schema": SCHEMA,
            "system": self.model().name,
            "step": self.step,
            "steps": self.summary.steps_before + self.summary.steps,
            "broken_relations": self.summary.outside,
            "broken_lines": self.summary.broken_lines,
            "wrong": self.summary.wrong,
            "unmatched_lines": self.summary.unmatched,
            "went_back_in_time": self.summary.backwards,
            "time": self.time,
            "objects": self.lines.names_to_json(),
            "state": self.state.as_ref().map(|state| self.shown(state)),
            "properties": watched.map(property).collect::<Vec<_>>(),
            "rules": self.rules.as_ref().map_or(Json::Null, |rules| possible::save(self.model(), rules)),
            "sessions": self.save_sessions(),
        })
    }

    /// Goes on from there; the error says what does not fit, and what to do.
    pub fn restore(&mut self, saved: &Json) -> Result<(), String> {
        let anew = |problem: String| format!("{problem}\nhelp: remove the file to start again");
        let properties = properties(saved).map_err(anew)?;
        self.watches_all(properties)?;
        self.go_on(saved, properties).map_err(anew)
    }

    /// Whatever is not watched now would be lost when the state is written again.
    fn watches_all(&self, properties: &[Json]) -> Result<(), String> {
        let watched = |name: &str| self.monitors.monitors.iter().any(|monitor| monitor.name == name);
        let names = properties.iter().filter_map(|each| each.get("name").and_then(Json::as_str));
        let lost: Vec<String> = names.filter(|name| !watched(name)).map(|name| format!("`{name}`")).collect();
        if lost.is_empty() {
            return Ok(());
        }
        let help = "check all of them, use another file, or remove the file to start again";
        Err(format!("it has properties that are not checked now: {}\nhelp: {help}", lost.join(", ")))
    }

    fn go_on(&mut self, saved: &Json, properties: &[Json]) -> Result<(), String> {
        for (index, monitor) in self.monitors.monitors.iter().enumerate() {
            let same = |each: &&Json| each.get("name").and_then(Json::as_str) == Some(&monitor.name);
            let Some(known) = properties.iter().find(same) else {
                return Err(format!("it lacks the property `{}`", monitor.name));
            };
            if known.get("text").and_then(Json::as_str) != Some(&self.sources.one_line(monitor.span)) {
                return Err(format!("the property `{}` has changed", monitor.name));
            }
            let restored = known.get("monitor").and_then(|json| monitor.restore(json));
            self.states[index] = restored.ok_or_else(|| format!("the state of `{}` does not fit", monitor.name))?;
            let told = &mut self.told[index];
            told.is_fresh = saved.get("step").and_then(Json::as_u64) == Some(0);
            told.violations = known.get("violations").and_then(Json::as_u64).unwrap_or(0);
            told.satisfied = known.get("satisfied").and_then(Json::as_bool).unwrap_or(false);
            told.missed = known.get("not_shown").and_then(Json::as_str).and_then(Need::from_word);
            told.lost = known.get("lost").and_then(Json::as_bool).unwrap_or(false);
            told.is_doomed = known.get("to_be_told_that_no_run_keeps_it").and_then(Json::as_bool).unwrap_or(false);
            if known.get("trigger_never_came").and_then(Json::as_bool) == Some(false) {
                told.triggers.settle();
            }
        }
        let objects = saved.get("objects").unwrap_or(&Json::Null);
        let instance = self.monitors.instance();
        self.lines.names_from_json(instance.model(), objects).ok_or("the names of its objects do not fit")?;
        if let Some(state) = saved.get("state").filter(|state| !state.is_null()) {
            super::line::show(instance, state, &mut self.state)?;
        }
        if let Ok(rules) = &mut self.rules {
            possible::restore(self.monitors.instance().model(), rules, saved.get("rules").unwrap_or(&Json::Null))?;
        }
        self.restore_sessions(saved.get("sessions").unwrap_or(&Json::Null))?;
        let number = |key: &str| saved.get(key).and_then(Json::as_u64).unwrap_or(0);
        self.step = number("step");
        self.summary.steps_before = number("steps").max(self.step);
        self.summary.outside = number("broken_relations");
        self.summary.broken_lines = number("broken_lines");
        self.summary.wrong = number("wrong");
        self.summary.unmatched = number("unmatched_lines");
        self.summary.backwards = number("went_back_in_time");
        self.time = saved.get("time").and_then(Json::as_u64);
        self.summary.from = Some("going on from a saved state".into());
        Ok(())
    }

    /// The variables that the log has shown.
    fn shown(&self, state: &State) -> Json {
        let model = self.model();
        let known = model.variables.iter().zip(&state.variables);
        let shown = known.filter_map(|(variable, value)| {
            let value = value_to_json(model, &variable.ty, value.as_ref()?);
            Some((variable.name.clone(), value))
        });
        Json::Object(shown.collect())
    }
}

fn properties(saved: &Json) -> Result<&[Json], String> {
    if saved.get("schema").and_then(Json::as_u64) != Some(SCHEMA) {
        return Err("not a state file of `monitor`, or one of another version".into());
    }
    let properties = saved.get("properties").and_then(Json::as_array);
    properties.map(Vec::as_slice).ok_or_else(|| "it has no properties".into())
}
