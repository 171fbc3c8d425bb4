//! The parallel product of two specifications: what both can see happens in both at once, everything else in one of them.
//!
//! Declarations of the same name must say the same, otherwise the product is refused with what both say; variables
//! keep apart even then. What is an input of the one and an output of the other is an output of both together.

use super::Refused;
use super::entering::Entering;
use super::logic::all;
use super::machine::{Machine, Step, append, moved};
use interplay_model::LocationId;
use std::collections::BTreeMap;

pub fn join(left: Machine, right: &Machine) -> Result<Machine, Refused> {
    let mut entering = Entering::new(left.model.clone(), &right.model);
    entering.declarations()?;
    entering.setups()?;
    let steps: Vec<Step> = right.steps.iter().map(|step| entering.step(step)).collect();
    let shared: Vec<bool> = entering.shared(&left.model);
    let remarks = [&left.remarks[..], &right.remarks[..]].concat();
    let mut joint = Machine { places: Vec::new(), start: 0, steps: Vec::new(), remarks, ..left.clone() };
    joint.model = entering.into;
    joint.model.locations.extend(right.model.locations.iter().cloned());
    let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut waiting = vec![(left.start, right.start)];
    number(&mut joint, &mut numbers, (left.start, right.start), &left, right);
    while let Some((one, two)) = waiting.pop() {
        let from = numbers[&(one, two)];
        let mut found: Vec<(Step, (usize, usize))> = Vec::new();
        for step in left.steps_from(one).filter(|step| !shared[step.action.0]) {
            found.push((step.clone(), (step.to, two)));
        }
        for step in steps.iter().filter(|step| step.from == two && !shared[step.action.0]) {
            found.push((step.clone(), (one, step.to)));
        }
        for first in left.steps_from(one).filter(|step| shared[step.action.0]) {
            for second in steps.iter().filter(|step| step.from == two && step.action == first.action) {
                let params = joint.params(first.action);
                let mut locals = first.locals.clone();
                let slots = append(&mut locals, &second.locals, params);
                let mut step = Step { locals, ..first.clone() };
                step.chosen.extend(second.chosen.iter().map(|id| slots[id.0]));
                step.guard = all([first.guard.clone(), moved(&second.guard, &slots)]);
                step.update.extend(second.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))));
                found.push((step, (first.to, second.to)));
            }
        }
        for (step, target) in found {
            let Some(step) = step.simplified(&joint.model) else { continue };
            if !numbers.contains_key(&target) {
                number(&mut joint, &mut numbers, target, &left, right);
                waiting.push(target);
            }
            joint.steps.push(Step { from, to: numbers[&target], ..step });
        }
    }
    Ok(joint.merged())
}

fn number(
    joint: &mut Machine,
    numbers: &mut BTreeMap<(usize, usize), usize>,
    (one, two): (usize, usize),
    left: &Machine,
    right: &Machine,
) {
    // The locations of the second specification are counted behind those of the first.
    let later = |at: Option<LocationId>| at.map(|LocationId(at)| LocationId(left.model.locations.len() + at));
    let (one_name, two_name) = (&left.places[one].name, &right.places[two].name);
    let place = joint.place(&format!("{one_name}_{two_name}"), Some(one_name.clone()));
    let both = left.places[one].at.clone().zip(right.places[two].at.clone());
    joint.places[place].at = both.map(|(one, two)| one.into_iter().chain(two.into_iter().map(later)).collect());
    numbers.insert((one, two), place);
}
