//! The symmetry of rows: of all renamings of a state the least row stands for all, from when on nothing tells values apart.
//!
//! A setup often brings its values in one after the other, by name. As long as such a limit may let something
//! through, a state is *unsettled* and stands for itself. Once it is settled, it stays so in all models that we have met; who
//! searches has to look, because a step from a settled state to an unsettled one loses something.
//!
//! Renaming acts on each variable by itself. So what a part of a row becomes under every renaming is calculated once, and
//! a row is put together from what is known of its parts.

use super::Symmetry;
use super::classes::classes;
use super::rename::{Renaming, permutations};
use super::{leaks, loops, mentions};
use crate::Specified;
use crate::interpreted::Watched;
use interplay_model::{Closed, ExprKind, StatementKind, VariableId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// With more renamings than this nothing is calculated in advance.
const MOST: usize = 720;

pub struct Renamings {
    symmetry: Symmetry,
    /// A state is settled if of each of these lists one condition is false.
    unsettled: Vec<Vec<Closed>>,
    /// What is known of parts of rows, if renamings can be listed.
    parts: Option<Parts>,
    exact: bool,
}

struct Parts {
    renamings: Vec<Renaming>,
    /// The bits of each variable that renaming may change, and of those that say whether a state is settled.
    masks: Vec<(VariableId, Vec<u64>)>,
    deciding: Vec<u64>,
    /// For each mask, by bits: the bits under each renaming.
    known: Vec<FxHashMap<Bits, Box<[u64]>>>,
    settled: FxHashMap<Bits, bool>,
}

/// A row of which only a part counts.
type Bits = Box<[u64]>;

impl Renamings {
    /// Of the classes whose values nothing tells apart; or why there are none.
    pub fn new<Y: Specified>(system: &Y) -> Result<Renamings, String> {
        let instance = system.instance();
        let mut refused = String::from("the model has no objects, and the setup declares nothing `interchangeable`");
        let (mut kept, mut unsettled) = (Vec::new(), Vec::new());
        for class in classes(instance).map_err(|error| error.message)? {
            let checked = class.ok_or_refusal().and_then(|class| {
                leaks::check(instance.model(), &class)?;
                loops::check(instance.model(), &class)?;
                Ok((mentions::check_later(instance, &class)?, class))
            });
            match checked {
                Ok((limits, class)) => {
                    unsettled.extend(limits);
                    kept.push(class);
                }
                Err(why) => refused = why,
            }
        }
        if kept.is_empty() {
            return Err(refused);
        }
        let symmetry = Symmetry { model: instance.shared_model().clone(), classes: kept, observers: Vec::new() };
        let parts = Parts::new(system, &symmetry, &unsettled);
        Ok(Renamings { exact: !has_loops(instance.model()), symmetry, unsettled, parts })
    }

    /// The names of the types whose values are renamed.
    pub fn types(&self) -> Vec<String> {
        self.symmetry.types()
    }

    /// Nothing depends on the order in which a loop is run through: then the search loses no state.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Nothing tells values apart in this state.
    pub fn is_settled<Y: Specified>(&mut self, system: &Y, row: &[u64]) -> bool {
        let (unsettled, instance) = (&self.unsettled, system.instance());
        if unsettled.is_empty() {
            return true;
        }
        let look = || {
            let state = system.state(row);
            let off = |condition: &Closed| instance.holds(condition, &state) == Ok(false);
            unsettled.iter().all(|conditions| conditions.iter().any(off))
        };
        match &mut self.parts {
            Some(parts) => *parts.settled.entry(masked(row, &parts.deciding)).or_insert_with(look),
            None => look(),
        }
    }

    /// The row that stands for this one, in its place.
    pub fn canonical<Y: Specified>(&mut self, system: &Y, row: &mut Vec<u64>) {
        if !self.is_settled(system, row) {
            return;
        }
        let Some(parts) = &mut self.parts else {
            let watched = Watched { state: system.state(row), observers: Vec::new(), monitors: Vec::new() };
            let least = self.symmetry.canonical(watched);
            *row = system.row(&least.state).unwrap_or_else(|| std::mem::take(row));
            return;
        };
        parts.least(system, &self.symmetry, row);
    }
}

impl Parts {
    fn new<Y: Specified>(system: &Y, symmetry: &Symmetry, unsettled: &[Vec<Closed>]) -> Option<Parts> {
        let model = system.instance().model();
        let elements: Vec<_> = symmetry.classes.iter().map(|class| class.listed()).collect::<Option<_>>()?;
        let count = elements.iter().map(|each| (1..=each.count()).product::<usize>()).product::<usize>();
        if count > MOST {
            return None;
        }
        let orders: Vec<_> = elements.iter().map(|each| permutations(vec![0; each.count()], MOST)).collect();
        let renamings = Renaming::products(&elements, &orders).collect();
        let all = system.masks()?;
        let concerned = |id: usize| {
            let ty = &model.variables[id].ty;
            symmetry.classes.iter().any(|class| mentions::contains(model, ty, &class.ty))
        };
        let mut read = BTreeSet::new();
        unsettled.iter().flatten().for_each(|condition| reads(model, &condition.expr, &mut read));
        let mut deciding = vec![0; system.width()];
        for id in read {
            deciding.iter_mut().zip(&all[id.0]).for_each(|(word, mask)| *word |= mask);
        }
        let masks = all.into_iter().enumerate().filter(|(id, _)| concerned(*id));
        let masks: Vec<_> = masks.map(|(id, mask)| (VariableId(id), mask)).collect();
        let known = vec![FxHashMap::default(); masks.len()];
        Some(Parts { renamings, masks, deciding, known, settled: FxHashMap::default() })
    }

    fn least<Y: Specified>(&mut self, system: &Y, symmetry: &Symmetry, row: &mut [u64]) {
        let width = row.len();
        let mut all = row.repeat(self.renamings.len());
        let mut bits = vec![0; width];
        for index in 0..self.masks.len() {
            let mask = &self.masks[index].1;
            bits.iter_mut().zip(row.iter().zip(mask)).for_each(|(bits, (word, mask))| *bits = word & mask);
            if !self.known[index].contains_key(&bits[..]) {
                let Some(renamed) = self.renamed(system, symmetry, index, row) else { return };
                self.known[index].insert(bits.clone().into(), renamed);
            }
            let known = &self.known[index][&bits[..]];
            for (whole, part) in all.chunks_exact_mut(width).zip(known.chunks_exact(width)) {
                for ((word, new), mask) in whole.iter_mut().zip(part).zip(mask) {
                    *word = *word & !mask | new;
                }
            }
        }
        if let Some(least) = all.chunks_exact(width).min() {
            row.copy_from_slice(least);
        }
    }

    /// The bits of a variable under each renaming.
    fn renamed<Y: Specified>(&self, system: &Y, symmetry: &Symmetry, index: usize, row: &[u64]) -> Option<Box<[u64]>> {
        let (id, mask) = &self.masks[index];
        let state = system.state(row);
        let mut found = Vec::new();
        for renaming in &self.renamings {
            let whole = renaming.state(&symmetry.model, &symmetry.classes, &state);
            let mut only = state.clone();
            only.variables[id.0] = whole.variables[id.0].clone();
            found.extend(masked(&system.row(&only)?, mask));
        }
        Some(found.into())
    }
}

fn masked(row: &[u64], mask: &[u64]) -> Bits {
    row.iter().zip(mask).map(|(word, mask)| word & mask).collect()
}

fn reads(model: &interplay_model::Model, expr: &interplay_model::Expr, found: &mut BTreeSet<VariableId>) {
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Variable(id) => _ = found.insert(*id),
        ExprKind::Call { definition, .. } => reads(model, &model.definitions[definition.0].body, found),
        _ => {}
    });
}

/// Somewhere a loop runs through elements in their order.
fn has_loops(model: &interplay_model::Model) -> bool {
    let bodies = model.rules.iter().flat_map(|rule| &rule.body).chain(mentions::other_statements(model));
    let mut found = false;
    for statement in bodies {
        statement.walk(&mut |inner| found |= matches!(inner.kind, StatementKind::For { .. }));
    }
    found
}
