//! The rules in the text, marked by what became of them: for reports that show the specification itself.

use interplay_answers::{Mark, Remark};
use interplay_diagnostics::Sources;
use interplay_model::{Model, RuleId};
use interplay_semantics::Use;

/// A mark for each rule that is written in the text. `fired` says how often, if that was counted; what is missed says why.
pub fn rule_marks(model: &Model, missed: &[Remark], fired: impl Fn(RuleId) -> Option<u64>) -> Vec<Mark> {
    let mark = |(index, rule): (usize, &interplay_model::Rule)| {
        let remark = missed.iter().find(|remark| remark.span == Some(rule.span));
        let count = if remark.is_some() { Some(0) } else { fired(RuleId(index)) };
        Mark { span: rule.span, count, why: remark.map(|remark| remark.message.clone()), blamed: false }
    };
    let mut marks: Vec<Mark> = model.rules.iter().enumerate().map(mark).collect();
    // A rule of several components or places is written once.
    marks.sort_by_key(|mark| (mark.span.file, mark.span.start, mark.span.end));
    marks.dedup_by(|later, first| {
        let same = later.span == first.span;
        if same {
            first.count = first.count.zip(later.count).map(|(one, other)| one + other);
            first.why = if first.count == Some(0) { first.why.take() } else { None };
        }
        same
    });
    marks
}

/// What to say of a part of the text that no step used.
pub(crate) fn unused(sources: &Sources, used: &Use) -> Remark {
    let quoted = sources.one_line(used.span());
    let message = match used {
        Use::Branch { holds, .. } => format!("`{quoted}` was never {holds}"),
        Use::Case { case, .. } => format!("case {} of `match {quoted}` was never taken", case + 1),
        Use::Loop { .. } => format!("the loop over `{quoted}` never ran"),
        Use::Guard { holds, .. } => format!("the guard `{quoted}` was never {holds} when its event happened"),
    };
    Remark { message, span: Some(used.span()) }
}

/// A branch that no step took.
pub fn unused_mark(remark: &Remark) -> Option<Mark> {
    Some(Mark { span: remark.span?, count: Some(0), why: Some(remark.message.clone()), blamed: false })
}
