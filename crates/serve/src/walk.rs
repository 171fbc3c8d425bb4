//! The simulator: the page says which way it went, here stands where that leads.
//!
//! A way is the list of steps in specification syntax, so that a trace of any answer is one, too. It is walked again for every question;
//! only the last walk is kept, and what two ways have in common is not walked twice.

use crate::Desk;
use crate::text::refused;
use interplay_workbench::{Session, choose_setup};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// A way through the system.
#[derive(Deserialize)]
pub(crate) struct Way {
    text: String,
    #[serde(default)]
    setup: Option<String>,
    /// In specification syntax.
    #[serde(default)]
    steps: Vec<String>,
}

/// Where a way leads.
#[derive(Serialize)]
pub(crate) struct Place {
    /// What can happen next.
    choices: Vec<Choice>,
    /// What the model gets wrong here.
    problems: Vec<String>,
    /// Where the system may be, each as lines.
    states: Vec<Vec<String>>,
    /// For each step, what it changed.
    changes: Vec<Vec<String>>,
    /// The steps that could be taken.
    steps: Vec<String>,
    /// The way as a scenario.
    scenario: String,
    /// The first step that cannot be taken, if the way does not lead on.
    stuck: Option<String>,
}

#[derive(Serialize)]
struct Choice {
    group: &'static str,
    text: String,
}

/// More states are only counted.
const SHOWN: usize = 20;

/// The last walk.
#[derive(Default)]
pub(crate) struct Walks(Mutex<Option<(String, Option<String>, Session)>>);

impl Walks {
    pub(crate) fn place(&self, desk: &Desk, way: &Way) -> Result<Place, String> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.take().filter(|(text, setup, _)| *text == way.text && *setup == way.setup);
        let mut session = match known {
            Some((_, _, session)) => session,
            None => begin(desk, way)?,
        };
        let place = walk(&mut session, way, desk)?;
        *last = Some((way.text.clone(), way.setup.clone(), session));
        Ok(place)
    }
}

fn begin(desk: &Desk, way: &Way) -> Result<Session, String> {
    let read = desk.reading(&way.text);
    let context = interplay_workbench::open(&desk.file, &read).map_err(|why| refused(&why))?;
    let setup = choose_setup(&context.model, way.setup.as_deref())?;
    Session::start(&context, &setup).map_err(|why| refused(&why))
}

fn walk(session: &mut Session, way: &Way, desk: &Desk) -> Result<Place, String> {
    let before = session.steps_so_far();
    let common = before.iter().zip(&way.steps).take_while(|(old, new)| old == new).count();
    session.goto(common);
    let mut stuck = None;
    for step in &way.steps[common..] {
        let choice = session.menu().choices.into_iter().find(|choice| choice.text == *step);
        let Some(choice) = choice else {
            stuck = Some(step.clone());
            break;
        };
        session.forward(&choice);
    }
    let here = session.depth();
    let changes = (1..=here).map(|position| {
        session.goto(position);
        session.difference()
    });
    let changes: Vec<Vec<String>> = changes.collect();
    session.goto(here);
    let menu = session.menu();
    let problem = |problem: &interplay_workbench::Problem| match &problem.step {
        Some(step) => format!("{step}: {}", problem.diagnostic.message),
        None => problem.diagnostic.message.clone(),
    };
    let stem = desk.file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Place {
        choices: menu.choices.iter().map(|each| Choice { group: each.group.word(), text: each.text.clone() }).collect(),
        problems: menu.problems.iter().map(problem).collect(),
        states: session.show_states().into_iter().take(SHOWN).collect(),
        changes,
        steps: session.steps_so_far(),
        scenario: session.scenario(&format!("{}_{here}", stem.replace(|sign: char| !sign.is_alphanumeric(), "_"))),
        stuck,
    })
}
