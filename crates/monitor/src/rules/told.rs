//! A refusal in words: what was expected, which states were possible and what each would have allowed, which condition said no, and
//! which earlier step left no other states.

use super::Rules;
use interplay_answers::{LogLine, LogReason, LogRefusal, LogState, Reason};
use interplay_diagnostics::Sources;
use interplay_judge::{Failure, Line, Lost};
use interplay_semantics::{Label, scenario_lines, show_rule, show_state};
use interplay_trial::{label_of, reasons, title};

/// So many states are shown, and so many steps that each allows.
const STATES: usize = 3;
const ALLOWED: usize = 8;

/// Where in the log it happened.
pub(crate) struct At {
    pub(crate) line: LogLine,
    pub(crate) step: u64,
    pub(crate) time: Option<u64>,
    /// The last steps, with their numbers.
    pub(crate) steps: Vec<(u64, String)>,
}

impl Rules {
    pub(crate) fn refusal(&self, sources: &Sources, at: At, failure: &Failure, lost: Option<Lost>) -> LogRefusal {
        let mut judge = self.judge();
        let states: Vec<(_, Vec<Label>)> =
            failure.possible.iter().take(STATES).map(|state| (state.clone(), judge.allowed(state))).collect();
        let instance = judge.instance();
        let model = instance.model();
        let seen: Vec<&Label> = failure.lines.iter().filter_map(label_of).collect();
        let mut right: Vec<&Label> = failure.nearest.iter().collect();
        right.extend(failure.allowed.iter().filter(|label| Some(*label) != failure.nearest.as_ref()));
        let texts = scenario_lines(model, seen.iter().copied().chain(right.iter().copied()));
        let (before, expected) = texts.split_at(seen.len());
        let last = match failure.lines.last() {
            Some(Line::Silence) => "silence",
            _ => before.last().map_or("", String::as_str),
        };
        let mut why: Vec<LogReason> =
            reasons(sources, instance, failure).into_iter().map(|reason| told(sources, reason)).collect();
        why.extend(lost.and_then(|lost| {
            let back = (failure.lines.len() - 1).checked_sub(lost.line)? as u64;
            let rule = lost.rule.map_or(String::new(), |rule| format!(", by {}", show_rule(model, rule)));
            let text =
                format!("step {} excluded the states that would have allowed it{rule}", at.step.saturating_sub(back));
            let place = lost.rule.map(|rule| sources.locate(model.rules[rule.0].span));
            Some(LogReason { text, place, values: Vec::new() })
        }));
        let shown = |(state, allowed): (interplay_semantics::State, Vec<Label>)| LogState {
            variables: show_state(model, &state),
            allowed: listed(scenario_lines(model, seen.iter().copied().chain(&allowed)).split_off(seen.len())),
        };
        LogRefusal {
            message: title(model, failure, last, expected),
            kind: failure.kind.word(),
            line: at.line,
            step: at.step,
            time: at.time,
            steps: at.steps,
            states: states.into_iter().map(shown).collect(),
            state_count: failure.possible_count,
            expected: expected.to_vec(),
            reasons: why,
        }
    }
}

fn listed(mut allowed: Vec<String>) -> Vec<String> {
    let more = allowed.len().saturating_sub(ALLOWED);
    allowed.truncate(ALLOWED);
    if more > 0 {
        allowed.push(format!("{more} more"));
    }
    allowed
}

fn told(sources: &Sources, reason: Reason) -> LogReason {
    LogReason { text: reason.text, place: reason.span.map(|span| sources.locate(span)), values: reason.values }
}
