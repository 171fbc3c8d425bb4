//! What several components do in one step, put together place by place: what two of them write must agree, also where one writes a
//! part of what the other writes; otherwise they are in conflict (M006). Equal writes are one.

use super::Res;
use super::context::{Context, Val, Write, choose, same};
use super::layout::Slot;
use super::place::Inward;
use super::system::Builder;
use interplay_diagnostics::Span;
use interplay_model::VariableId;
use interplay_smt::Term;

/// The state after the block of one component, and what the block wrote.
pub(super) struct Effect<'e> {
    pub(super) next: &'e [Term],
    pub(super) writes: &'e [Write],
}

/// Something with writes to a variable: all its leaves after the block.
struct Part<'p> {
    val: Val,
    set: Option<Term>,
    writes: Vec<&'p Write>,
}

impl Builder<'_> {
    /// The state after all of it, and the condition under which nobody contradicts another.
    pub(super) fn join(&self, before: &[Term], effects: &[Effect], span: Span) -> Res<(Vec<Term>, Term)> {
        let mut joined = before.to_vec();
        let mut agree = Vec::new();
        for place in self.layout.places.iter().flatten() {
            // A component moves itself only.
            if let Some(moved) = effects.iter().map(|effect| &effect.next[*place]).find(|next| **next != before[*place])
            {
                joined[*place] = moved.clone();
            }
        }
        for leaf in &self.layout.objects {
            let old = &before[*leaf];
            for new in effects.iter().map(|effect| &effect.next[*leaf]).filter(|new| *new != old) {
                // Objects are numbered, so two would make the same one.
                let idle = |term: &Term| term.clone().eq(old.clone());
                let mine = joined[*leaf].clone();
                agree.push(Term::or([idle(&mine), idle(new)]));
                joined[*leaf] = Term::ite(idle(&mine), new.clone(), mine);
            }
        }
        let mut context = Context::new(self.instance, self.layout, before.to_vec(), 0);
        for (index, slot) in self.layout.variables.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let parts: Vec<Part> = effects.iter().filter_map(|effect| part(effect, slot, index)).collect();
            self.join_variable(&mut context, slot, &parts, (&mut joined, &mut agree), span)?;
        }
        Ok((joined, Term::and(agree)))
    }

    fn join_variable(
        &self,
        context: &mut Context,
        slot: &Slot,
        parts: &[Part],
        (joined, agree): (&mut [Term], &mut Vec<Term>),
        span: Span,
    ) -> Res<()> {
        let Some((first, others)) = parts.split_first() else { return Ok(()) };
        for (index, left) in parts.iter().enumerate() {
            for right in &parts[index + 1..] {
                agree.push(context.agree(left, right, span)?);
            }
        }
        let mut val = first.val.clone();
        for other in others {
            for write in &other.writes {
                val = context.with_write(&val, other, write, span)?;
            }
        }
        for (leaf, term) in slot.range.clone().zip(val.leaves) {
            context.within_size(&term, span)?;
            joined[leaf] = term;
        }
        if let Some(set) = slot.set {
            joined[set] = Term::or(parts.iter().filter_map(|part| part.set.clone()));
        }
        Ok(())
    }
}

fn part<'e>(effect: &Effect<'e>, slot: &Slot, variable: usize) -> Option<Part<'e>> {
    let writes: Vec<&Write> = effect.writes.iter().filter(|write| write.variable == VariableId(variable)).collect();
    let val = Val { leaves: effect.next[slot.range.clone()].to_vec(), shape: slot.shape.clone() };
    let set = slot.set.map(|leaf| effect.next[leaf].clone());
    (!writes.is_empty()).then_some(Part { val, set, writes })
}

impl Context<'_> {
    /// Where both write, they leave the same behind.
    fn agree(&mut self, left: &Part, right: &Part, span: Span) -> Res<Term> {
        let mut all = Vec::new();
        for one in &left.writes {
            for other in &right.writes {
                let Some(touch) = touch(&one.path, &other.path) else { continue };
                let inner = if one.path.len() < other.path.len() { &other.path } else { &one.path };
                let ((there, mine), (also, theirs)) =
                    (self.found_at(&left.val, inner, span)?, self.found_at(&right.val, inner, span)?);
                let equal = there.clone().implies(same(&mine.leaves, &theirs.leaves));
                let both = Term::and([one.when.clone(), other.when.clone(), touch]);
                all.push(both.implies(Term::and([there.eq(also), equal])));
            }
        }
        Ok(Term::and(all))
    }

    /// The value with what another component wrote there.
    fn with_write(&mut self, val: &Val, other: &Part, write: &Write, span: Span) -> Res<Val> {
        let (there, new) = self.found_at(&other.val, &write.path, span)?;
        let when = Term::and([write.when.clone(), there]);
        // Whether the way to it is there is asked by those who agree.
        let (written, _) = self.separately(|inner| inner.written(val, &write.path, new, span))?;
        Ok(Val { leaves: choose(&when, &written.leaves, &val.leaves), shape: val.shape.clone() })
    }
}

/// The condition under which one of the paths leads into the other; `None` if it never does.
fn touch(one: &[Inward], other: &[Inward]) -> Option<Term> {
    let mut all = Vec::new();
    for pair in one.iter().zip(other) {
        match pair {
            (Inward::Field(one), Inward::Field(other)) if one == other => {}
            (Inward::Key(one, _), Inward::Key(other, _)) => all.push(same(&one.leaves, &other.leaves)),
            _ => return None,
        }
    }
    Some(Term::and(all))
}
