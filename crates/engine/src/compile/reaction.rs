//! Several components react in one step, each reading the state before it.
//!
//! The first component with an enabled rule leads: its guard yields the values of the parameters. Then every later component
//! takes one of its ways, or stands still if none of its guards holds. Each body works on its own copy of the row and notes
//! the bits it writes; the copies are joined, and bits that two of them write differently are a conflict.

use super::code::{Code, Result};
use super::rule::Given;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{ActionId, LocalId, Rule};
use interplay_rows::Field;
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use std::cell::RefCell;

/// More combinations of rules are left to the interpreter.
const MOST_COMBINATIONS: usize = 256;

/// What the components so far have done.
#[derive(Clone)]
struct Joint {
    values: Word,
    written: Word,
    /// Not zero if two of them contradict each other.
    clash: Word,
    /// The result that one of them returns, and the one that all of them allow.
    exact: Option<Word>,
    any: Option<Word>,
}

/// The occasion of a reaction: the action with the values of its parameters, or the step.
#[derive(Clone)]
struct Occasion {
    action: Option<ActionId>,
    params: Vec<(Word, Kind)>,
}

impl<'a> Code<'a, '_> {
    pub(super) fn reaction(&mut self, rules: &[&Rule], action: ActionId) -> Result<()> {
        let components = by_component(rules)?;
        for leading in 0..components.len() {
            let (earlier, rest) = components.split_at(leading);
            for rule in &rest[0] {
                self.lead(rule, action, earlier, &rest[1..])?;
            }
        }
        Ok(())
    }

    /// All components react to the step of a synchronous system; it is a step even if nobody moves.
    pub(super) fn react_to_step(&mut self, rules: &[&Rule]) -> Result<()> {
        let components = by_component(rules)?;
        let none = self.nothing_written();
        self.join(&components, &Occasion { action: None, params: Vec::new() }, &none)
    }

    /// All components react to an event that one of the rules has yielded.
    pub(super) fn react(
        &mut self,
        rules: &[&Rule],
        leading: &Rule,
        action: ActionId,
        params: Vec<(Word, Kind)>,
    ) -> Result<()> {
        self.begin_label(leading, action);
        self.begin_outputs(Some((action, leading)));
        let none = self.nothing_written();
        self.join(&by_component(rules)?, &Occasion { action: Some(action), params }, &none)
    }

    /// One rule of the leading component: as a rule alone, but with the others joining in.
    fn lead(&mut self, rule: &Rule, action: ActionId, earlier: &[Vec<&Rule>], later: &[Vec<&Rule>]) -> Result<()> {
        // What the first part of a way leaves for the second.
        let begun: RefCell<Option<(Occasion, Joint)>> = RefCell::new(None);
        self.way(
            rule,
            &[],
            &mut |code| {
                code.limits(rule, action)?;
                let params: Vec<_> = (0..rule.params).filter_map(|index| code.local(LocalId(index))).collect();
                for component in earlier {
                    code.refuse_if_concerned(component, &params)?;
                }
                code.begin_label(rule, action);
                code.begin_outputs(Some((action, rule)));
                let none = code.nothing_written();
                begun.replace(Some((Occasion { action: Some(action), params }, none)));
                code.begin_notes();
                Ok(())
            },
            &mut |code, given| {
                let (occasion, none) = begun.borrow().clone().expect("the guard comes before the body");
                code.join_way(&none, given, later, &occasion)
            },
        )?;
        self.written = None;
        Ok(())
    }

    /// Joins what the body at hand did; then the remaining components.
    fn join_way(&mut self, before: &Joint, given: Given, rest: &[Vec<&Rule>], occasion: &Occasion) -> Result<()> {
        let watched = self.written;
        let joint = self.joined(before, given)?;
        self.join(rest, occasion, &joint)?;
        self.written = watched;
        Ok(())
    }

    /// A component before the leading one is concerned too: then it leads, and this reaction is found there. If its guard
    /// cannot be judged, there is no reaction at all.
    fn refuse_if_concerned(&mut self, rules: &[&Rule], params: &[(Word, Kind)]) -> Result<()> {
        let zero = self.constant(0);
        let concerned = self.variable(zero);
        let outer = self.fault.replace(concerned);
        for rule in rules {
            self.scoped(|code, turns| {
                code.bound(rule, params, turns, &mut |code, _| {
                    let one = code.constant(1);
                    code.put(concerned, one);
                    Ok(())
                })
            })?;
        }
        self.fault = outer;
        let concerned = self.get(concerned);
        let give_up = self.skip;
        self.when(concerned, give_up);
        Ok(())
    }

    fn nothing_written(&mut self) -> Joint {
        let (values, written, clash) = (self.row_on_stack(), self.row_on_stack(), self.constant(0));
        self.copy_row(self.row, values);
        self.clear_row(written);
        Joint { values, written, clash, exact: None, any: None }
    }

    fn clear_row(&mut self, row: Word) {
        let zero = self.constant(0);
        (0..self.input.layout.words).for_each(|word| self.store(zero, row, 8 * word as i32));
    }

    /// From here on the bits that a body writes are noted.
    fn begin_notes(&mut self) {
        let written = self.row_on_stack();
        self.clear_row(written);
        self.written = Some(written);
    }

    /// What was done before together with what the body at hand did.
    fn joined(&mut self, before: &Joint, given: Given) -> Result<Joint> {
        let written = self.written.expect("the body was watched");
        let (values, all) = (self.row_on_stack(), self.row_on_stack());
        let mut clash = before.clash;
        for word in 0..self.input.layout.words {
            let offset = 8 * word as i32;
            let (mine, theirs) = (self.load(written, offset), self.load(before.written, offset));
            let (new, old) = (self.load(self.fresh, offset), self.load(before.values, offset));
            let both = self.builder.ins().band(mine, theirs);
            let differ = self.builder.ins().bxor(new, old);
            // Two components that make an object of one type would make the same one.
            let objects = self.object_bits(word);
            let objects = self.constant(objects);
            let differ = self.builder.ins().bor(differ, objects);
            let wrong = self.builder.ins().band(both, differ);
            clash = self.builder.ins().bor(clash, wrong);
            let kept = self.builder.ins().band_not(old, mine);
            let taken = self.builder.ins().band(new, mine);
            let value = self.builder.ins().bor(kept, taken);
            let noted = self.builder.ins().bor(mine, theirs);
            self.store(value, values, offset);
            self.store(noted, all, offset);
        }
        let mut joint = Joint { values, written: all, clash, ..before.clone() };
        self.join_answers(&mut joint, given)?;
        Ok(joint)
    }

    fn object_bits(&self, word: usize) -> u64 {
        let fields = self.input.layout.objects.iter().filter(|field: &&Field| field.width > 0 && field.word == word);
        fields.map(|field| field.mask() << field.shift).fold(0, |all, bits| all | bits)
    }

    /// Returned values must be the same. Whether allowed ones have one in common is known only after all combinations.
    fn join_answers(&mut self, joint: &mut Joint, given: Given) -> Result<()> {
        let (Given::Allowed(word) | Given::Exact(word)) = given else { return Ok(()) };
        match (given, joint.exact, joint.any) {
            (Given::Exact(word), Some(other), _) => {
                let wrong = self.compare(IntCC::NotEqual, word, other);
                joint.clash = self.builder.ins().bor(joint.clash, wrong);
            }
            (_, _, Some(_)) => return Err(Unsupported::new("components that allow results of one action")),
            _ => {}
        }
        joint.any = joint.any.or(Some(word));
        if let Given::Exact(word) = given {
            joint.exact = joint.exact.or(Some(word));
        }
        Ok(())
    }

    /// The remaining components: each takes every way in turn, or stands still if there is none.
    fn join(&mut self, components: &[Vec<&Rule>], occasion: &Occasion, before: &Joint) -> Result<()> {
        let Some((rules, rest)) = components.split_first() else { return self.together(occasion, before) };
        let zero = self.constant(0);
        let moved = self.variable(zero);
        let labels = self.label.map(|label| (label, self.get(label.event), self.get(label.outputs)));
        let outputs = self.call("emit_count", &[]);
        let outer = self.fault;
        for rule in rules {
            // A guard that cannot be judged concerns the component, but is no way to go.
            self.fault = Some(moved);
            self.way(
                rule,
                &occasion.params,
                &mut |code| {
                    // Another way may have been taken before this one.
                    code.call("emit_keep", &[outputs]);
                    if let Some((label, event, outputs)) = labels {
                        code.put(label.event, event);
                        code.put(label.outputs, outputs);
                    }
                    let one = code.constant(1);
                    code.put(moved, one);
                    code.begin_notes();
                    Ok(())
                },
                &mut |code, given| code.join_way(before, given, rest, occasion),
            )?;
            self.fault = outer;
        }
        self.written = None;
        let done = self.block();
        let moved = self.get(moved);
        self.when(moved, done);
        self.join(rest, occasion, before)?;
        self.jump(done);
        self.at(done);
        Ok(())
    }

    /// All have moved.
    fn together(&mut self, occasion: &Occasion, joint: &Joint) -> Result<()> {
        self.scoped(|code, _| {
            let fine = code.is(IntCC::Equal, joint.clash, 0);
            code.require(fine);
            code.copy_row(joint.values, code.fresh);
            match occasion.action {
                Some(action) => code.results(action, joint.any),
                None => code.succeed(None),
            }
        })
    }
}

fn by_component<'r>(rules: &[&'r Rule]) -> Result<Vec<Vec<&'r Rule>>> {
    let mut components: Vec<Vec<&Rule>> = Vec::new();
    for rule in rules {
        match components.iter_mut().find(|known| known[0].component == rule.component) {
            Some(known) => known.push(rule),
            None => components.push(vec![rule]),
        }
    }
    if components.iter().map(|rules| rules.len() + 1).product::<usize>() > MOST_COMBINATIONS {
        return Err(Unsupported::new("too many rules of several components for one action"));
    }
    Ok(components)
}
