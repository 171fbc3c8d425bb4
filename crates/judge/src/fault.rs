//! Whose fault is it? What a reader asks before blaming the implementation: when did the specification lose the state that would
//! have allowed this, and would it have allowed it but for one condition?

use crate::conversation::{Line, inputs_of};
use crate::failure::{Failure, FailureKind};
use crate::table::{Halt, Result, SetId, Table};
use interplay_model::{RuleId, SetupId};
use interplay_semantics::{Event, Instance, Label, State};
use std::sync::Arc;

/// An observation that left only states in which the failure is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The line of the conversation, from zero.
    pub line: usize,
    /// A rule that would have allowed the last line.
    pub rule: Option<RuleId>,
}

/// Longer conversations are not looked through.
const LONGEST: usize = 300;

/// The last observation without which the last line would have been right: a silence or a refusal that had not been seen, or
/// another answer of the same input.
pub fn lost(instance: &Instance, failure: &Failure) -> Option<Lost> {
    if failure.lines.len() > LONGEST || matches!(failure.kind, FailureKind::Property(_) | FailureKind::Relation(_)) {
        return None;
    }
    let mut table = Table::new(instance.clone()).ok()?;
    let start = table.start();
    last_exclusion(&mut table, start, &failure.lines).ok().flatten()
}

/// The same for a conversation that began here.
pub(crate) fn last_exclusion(table: &mut Table, start: SetId, lines: &[Line]) -> Result<Option<Lost>> {
    let mut sets = vec![start];
    for line in lines {
        match after(table, sets[sets.len() - 1], line)? {
            Some((set, _)) => sets.push(set),
            None => break,
        }
    }
    // Only the last line is wrong.
    if sets.len() != lines.len() {
        return Ok(None);
    }
    for line in (0..sets.len() - 1).rev() {
        for set in instead(table, sets[line], &lines[line])? {
            if let Some(rule) = allowed(table, set, &lines[line + 1..])? {
                return Ok(Some(Lost { line, rule }));
            }
        }
    }
    Ok(None)
}

/// Where the system may be after a line, and a rule that took part.
fn after(table: &mut Table, set: SetId, line: &Line) -> Result<Option<(SetId, Option<RuleId>)>> {
    let label = match line {
        Line::Given(label) | Line::Heard(label) => label.clone(),
        Line::Silence => Label::Silence,
        Line::Refused(label, _) => {
            let inputs = table.label_id(&inputs_of(label));
            return Ok(table.refused(set, inputs)?.map(|set| (set, None)));
        }
        Line::Waited => return Ok(Some((set, None))),
        _ => return Ok(None),
    };
    let label = table.label_id(&label);
    let edge = table.after(set, label)?;
    let edge = table.edge(edge);
    Ok(edge.target.map(|target| (target, edge.rules.first().copied())))
}

/// Where the system might have been, had this line been another one.
fn instead(table: &mut Table, set: SetId, line: &Line) -> Result<Vec<SetId>> {
    match line {
        Line::Silence | Line::Refused(..) => Ok(vec![set]),
        Line::Given(label) => {
            let given = table.label_id(&inputs_of(label));
            let mut sets = Vec::new();
            for other in table.reactions(set, given)? {
                let edge = table.after(set, other)?;
                if table.label(other) != label {
                    sets.extend(table.edge(edge).target);
                }
            }
            Ok(sets)
        }
        _ => Ok(Vec::new()),
    }
}

/// Whether all of these lines are right from here; with a rule of the last one.
fn allowed(table: &mut Table, set: SetId, lines: &[Line]) -> Result<Option<Option<RuleId>>> {
    let (mut set, mut last) = (set, None);
    for line in lines {
        match after(table, set, line)? {
            Some((next, rule)) => (set, last) = (next, rule),
            None => return Ok(None),
        }
    }
    Ok(Some(last))
}

/// Without this condition the rule would allow the event: it alone stands in the way.
pub fn is_only_guard(instance: &Instance, state: &State, rule: RuleId, conjunct: usize, event: &Event) -> bool {
    let mut model = instance.model().clone();
    model.rules[rule.0].guard.remove(conjunct);
    let setup = instance.setup().and_then(|setup| model.setup_named(&setup.name));
    without(Arc::new(model), setup).is_ok_and(|without| without.blocked(state, rule, event).is_none())
}

fn without(model: Arc<interplay_model::Model>, setup: Option<SetupId>) -> std::result::Result<Instance, Halt> {
    Ok(Instance::new(model, setup)?)
}
