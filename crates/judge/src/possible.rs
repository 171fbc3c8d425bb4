//! What is known of the implementation: the worlds that fit everything seen so far. A world is a set of possible states
//! and a pairing of objects; there is more than one only while new objects could be paired in several ways.

use crate::pairing::Pairing;
use crate::table::{EdgeId, LabelId, Result, SetId, Table};
use interplay_semantics::{Event, Label};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub set: SetId,
    pub pairing: Pairing,
}

#[derive(Clone, Debug)]
pub struct Possible {
    /// Never empty. The first one speaks for all where one is enough: in reports, and to choose what to do next.
    pub worlds: Vec<World>,
}

/// More ways to pair objects are not followed.
const MOST_WORLDS: usize = 64;

/// What a step meant.
pub enum Judged {
    /// One of the steps that are right.
    Fits { label: LabelId, edge: EdgeId },
    /// No state can do this. The label is how the first world reads it.
    Wrong { label: LabelId },
}

/// What became of a step that somebody recorded.
pub struct Followed {
    pub fits: bool,
    /// How the first world reads it.
    pub label: LabelId,
    /// There were more ways to pair objects than are followed.
    pub cut: bool,
}

/// What it would mean that nothing comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stillness {
    /// Nothing: the system may rest wherever it may be.
    Right,
    /// Some of the possible states owe something.
    Excludes,
    /// All of them do.
    Wrong,
}

impl Possible {
    pub fn start(table: &Table) -> Possible {
        let pairing = Pairing::new(table.instance().model());
        Possible { worlds: vec![World { set: table.start(), pairing }] }
    }

    pub fn set(&self) -> SetId {
        self.worlds[0].set
    }

    /// How to say an offer of the first world to the implementation; `None` if it does not know one of the objects.
    pub fn spoken(&self, table: &Table, offer: LabelId) -> Option<Vec<Event>> {
        let Label::Step { inputs, .. } = table.label(offer) else { return None };
        inputs.iter().map(|event| self.worlds[0].pairing.to_implementation(event)).collect()
    }

    /// An input was taken; `said` is how the implementation was told, with what it returned.
    pub fn give(&mut self, table: &mut Table, offer: LabelId, said: &Event) -> Result<Judged> {
        match &mut self.worlds[..] {
            [world] if said.result.is_none() => world.go(table, offer),
            _ => self.see(table, &Label::input(said.clone())),
        }
    }

    /// One output was heard.
    pub fn hear(&mut self, table: &mut Table, event: &Event) -> Result<Judged> {
        if let [world] = &mut self.worlds[..]
            && world.pairing.leaves(event)
        {
            let label = table.output_id(event);
            return world.go(table, label);
        }
        self.see(table, &Label::output(event.clone()))
    }

    /// What it would mean that nothing comes.
    pub fn stillness(&self, table: &mut Table) -> Result<Stillness> {
        let silence = table.label_id(&Label::Silence);
        let (mut right, mut wrong) = (true, true);
        for world in &self.worlds {
            let edge = table.after(world.set, silence)?;
            let target = table.edge(edge).target;
            right &= target == Some(world.set);
            wrong &= target.is_none();
        }
        Ok(match (right, wrong) {
            (true, _) => Stillness::Right,
            (_, true) => Stillness::Wrong,
            _ => Stillness::Excludes,
        })
    }

    /// Nothing happened for so long that it counts.
    pub fn silence(&mut self, table: &mut Table) -> Result<Judged> {
        self.see(table, &Label::Silence)
    }

    /// What was heard of a reaction so far: whether it may be all of it, and whether it may be a part of one.
    pub fn look(&self, table: &mut Table, said: &Label) -> Result<(bool, bool)> {
        let (mut complete, mut more) = (false, false);
        for world in &self.worlds {
            for (label, _) in world.readings(table, said) {
                let label = table.label_id(&label);
                let seen = table.look(world.set, label)?;
                complete |= seen.complete && seen.set.is_some();
                more |= seen.more;
            }
        }
        Ok((complete, more))
    }

    /// These inputs were not taken; whether the model allows that somewhere. Those worlds remain in which it does.
    pub fn refuse(&mut self, table: &mut Table, said: &[Event]) -> Result<bool> {
        let mut next: Vec<World> = Vec::new();
        for world in &self.worlds {
            for (label, pairing) in world.readings(table, &Label::step(said.to_vec(), [])) {
                let label = table.label_id(&label);
                if let Some(set) = table.refused(world.set, label)? {
                    next.push(World { set, pairing });
                }
            }
        }
        let allowed = !next.is_empty();
        if allowed {
            self.worlds = next;
        }
        Ok(allowed)
    }

    /// A step happened that somebody recorded: nothing is covered by it. `whole`: nothing more of a reaction comes.
    pub fn follow(&mut self, table: &mut Table, said: &Label, whole: bool) -> Result<Followed> {
        if let [world] = &mut self.worlds[..]
            && world.pairing.is_plain()
        {
            let label = table.observed_id(world.set, said)?;
            let next = table.reached(world.set, label, whole)?;
            world.set = next.unwrap_or(world.set);
            return Ok(Followed { fits: next.is_some(), label, cut: false });
        }
        let (mut next, mut first, mut fitting, mut cut): (Vec<World>, _, _, _) = (Vec::new(), None, None, false);
        for world in &self.worlds {
            for (label, pairing) in world.readings(table, said) {
                let label = table.observed_id(world.set, &label)?;
                first.get_or_insert(label);
                let Some(set) = table.reached(world.set, label, whole)? else { continue };
                fitting.get_or_insert(label);
                let world = World { set, pairing };
                cut |= next.len() == MOST_WORLDS;
                if !next.contains(&world) && next.len() < MOST_WORLDS {
                    next.push(world);
                }
            }
        }
        let label = fitting.or(first).unwrap_or_else(|| table.label_id(said));
        if fitting.is_some() {
            self.worlds = next;
        }
        Ok(Followed { fits: fitting.is_some(), label, cut })
    }

    /// A step happened, in the words of the implementation.
    pub fn see(&mut self, table: &mut Table, said: &Label) -> Result<Judged> {
        let mut next: Vec<World> = Vec::new();
        let mut fits = None;
        let mut wrong = None;
        for world in &self.worlds {
            for (label, pairing) in world.readings(table, said) {
                let label = table.observed_id(world.set, &label)?;
                wrong.get_or_insert(label);
                let edge = table.after(world.set, label)?;
                let Some(set) = table.edge(edge).target else { continue };
                fits.get_or_insert((label, edge));
                let world = World { set, pairing };
                if !next.contains(&world) && next.len() < MOST_WORLDS {
                    next.push(world);
                }
            }
        }
        if let Some((label, edge)) = fits {
            table.take(edge);
            self.worlds = next;
            return Ok(Judged::Fits { label, edge });
        }
        let label = wrong.unwrap_or_else(|| table.label_id(said));
        Ok(Judged::Wrong { label })
    }
}

impl World {
    fn go(&mut self, table: &mut Table, label: LabelId) -> Result<Judged> {
        let edge = table.after(self.set, label)?;
        match table.edge(edge).target {
            Some(set) => {
                self.set = set;
                table.take(edge);
                Ok(Judged::Fits { label, edge })
            }
            None => Ok(Judged::Wrong { label }),
        }
    }

    /// What was said, in the words of the model: several ways only if new objects are in it.
    fn readings(&self, table: &Table, said: &Label) -> Vec<(Label, Pairing)> {
        let Label::Step { inputs, outputs } = said else { return vec![(said.clone(), self.pairing.clone())] };
        let events: Vec<Event> = said.events().cloned().collect();
        let strangers = self.pairing.strangers(&events);
        let members = table.members(self.set);
        let made = |object| members.iter().map(|each| each.state.count(object)).max().unwrap_or(0);
        let count = |object| made(object) + strangers.iter().filter(|(kind, _)| *kind == object).count() as u32;
        let pairings = match strangers.is_empty() {
            true => vec![self.pairing.clone()],
            false => self.pairing.extended(&strangers, &count),
        };
        let read = |pairing: Pairing| {
            let all = |events: &[Event]| events.iter().map(|event| pairing.to_model(event)).collect::<Option<Vec<_>>>();
            let (mut inputs, mut outputs) = (all(inputs)?, all(outputs)?);
            inputs.sort();
            // The outputs of a reaction stay in the order in which they were heard.
            if !table.is_reactive() {
                outputs.sort();
            }
            Some((Label::Step { inputs, outputs }, pairing))
        };
        pairings.into_iter().filter_map(read).collect()
    }
}
