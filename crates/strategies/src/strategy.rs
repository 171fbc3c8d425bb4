//! Who chooses what to do next. A strategy sees where the system may be and what could be given there; the run does the rest.

use crate::weight_in;
use interplay_judge::{Choices, Group, LabelId, Plan, SetId, Table, Watch};
use interplay_model::ActionId;

/// What a strategy sees.
pub struct View<'v> {
    pub table: &'v mut Table,
    /// Where the properties stand.
    pub watch: &'v mut Watch,
    pub set: SetId,
    /// What may be given.
    pub offers: &'v [LabelId],
    /// Something may come, or silence would say something, and nothing was waited for since the last step.
    pub may_listen: bool,
    /// An output may come here.
    pub may_come: bool,
    /// How often each action was given in this run, by [`ActionId`].
    pub given: &'v [u64],
    /// The test may end here.
    pub may_stop: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// One of the offers, by its index; also one that the strategy has [suggested](Table::suggest).
    Give(usize),
    Listen,
    /// As listening, but longer than usual: what comes is needed.
    Await,
    /// As listening, also where nothing may come: to see that nothing does.
    Rest,
    /// Begin again from the start, within the same run.
    Restart,
    /// Nothing more to do in this run.
    Stop,
}

/// What a run brought.
pub struct Brought<'b> {
    pub steps: u64,
    /// Steps, sets of states and states of properties that no run had met.
    pub news: u64,
    /// What was done in it.
    pub plan: &'b dyn Fn() -> Plan,
}

pub trait Strategy {
    fn name(&self) -> &'static str;

    /// Who chooses in this run, if it is one of several.
    fn member(&self) -> &'static str {
        self.name()
    }

    /// A run of a campaign comes: whoever has several ways decides for one.
    fn plan_run(&mut self, _: &mut Choices) {}

    /// A run begins.
    fn start(&mut self) {}

    /// The implementation was reset; within a run, too, if that was asked for.
    fn begin(&mut self) {}

    /// At least one offer, or listening, is possible.
    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move;

    /// What it chooses is done, even if that leads to a known failure.
    fn insists(&self) -> bool {
        false
    }

    /// Rules are what it looks for: it may be shown the way to one.
    fn follows_ways(&self) -> bool {
        false
    }

    /// What comes after its last move belongs to the run: it is over when nothing comes any more.
    fn waits_for_rest(&self) -> bool {
        false
    }

    /// Something came, whether or not it was waited for.
    fn heard(&mut self) {}

    /// A run of a campaign is over.
    fn learn(&mut self, _: &Brought<'_>) {}

    /// The table was emptied: numbers of sets and labels mean something else now.
    fn forget(&mut self) {}
}

/// First the action, then its values.
impl View<'_> {
    pub fn groups(&self) -> &[Group] {
        self.table.groups(self.set)
    }

    /// How much a group weighs by the setup: the product of the weights of its actions. One that weighs nothing is never given.
    pub fn weight(&self, group: usize) -> u64 {
        let actions = self.groups()[group].actions.iter();
        actions.map(|action| self.weight_of(*action)).fold(1, u64::saturating_mul)
    }

    /// The weight of an action here; one that the setup does not speak of has one.
    pub fn weight_of(&self, action: ActionId) -> u64 {
        weight_in(self.table, self.set, self.given, action)
    }

    /// The group that an offer belongs to.
    pub fn group_of(&self, offer: usize) -> Option<usize> {
        self.groups().iter().position(|group| group.members.contains(&offer))
    }

    /// The offer may be chosen: its weight is not zero.
    pub fn is_open(&self, offer: usize) -> bool {
        self.table.instance().weights().is_empty() || self.group_of(offer).is_none_or(|group| self.weight(group) > 0)
    }

    /// The groups that may be chosen.
    pub fn open_groups(&self) -> Vec<usize> {
        let weighted = !self.table.instance().weights().is_empty();
        (0..self.groups().len()).filter(|group| !weighted || self.weight(*group) > 0).collect()
    }

    /// One of these groups by these weights, then a value; another one if there is none.
    pub fn give_one_of(&mut self, groups: &[usize], weights: &[u64], choices: &mut Choices) -> Option<Move> {
        let mut weights = weights.to_vec();
        while let Some(at) = choices.weighted(&weights) {
            if let Ok(Some(offer)) = self.table.draw(self.set, groups[at], choices) {
                return Some(Move::Give(offer));
            }
            weights[at] = 0;
        }
        None
    }

    /// Whether actions count now, or inputs. With actions alone a command with forty cases is as rare as one with none; with inputs
    /// alone everything else is rare beside it. Taking turns by chance gives each at least half of either. In a synchronous system
    /// sets of signals are chosen, of which there are many anyway.
    pub fn counts_actions(&self, choices: &mut Choices) -> bool {
        self.table.is_synchronous() || choices.once_in(2)
    }

    /// How many inputs a group stands for; one with more than are listed counts as the largest that is.
    fn breadth(&self, group: usize) -> u64 {
        let Group { lazy, members, .. } = &self.groups()[group];
        if *lazy { Table::LISTED } else { members.len() as u64 }
    }

    /// One of these offers, which are sorted, by actions or by inputs; listening counts as one.
    pub fn one_of(&self, offers: &[usize], choices: &mut Choices) -> usize {
        let among = |group: &Group| -> Vec<usize> {
            group.members.iter().copied().filter(|member| offers.binary_search(member).is_ok()).collect()
        };
        let listening = offers.last().copied().filter(|last| *last >= self.offers.len());
        let groups = self.groups().iter().map(among).chain(listening.map(|last| vec![last]));
        let groups: Vec<Vec<usize>> = groups.filter(|group| !group.is_empty()).collect();
        match self.counts_actions(choices).then(|| groups.get(choices.below(groups.len()))).flatten() {
            Some(group) => group[choices.below(group.len())],
            None => offers[choices.below(offers.len())],
        }
    }

    /// Anything, or listening, by actions or by inputs.
    pub fn anything(&mut self, choices: &mut Choices) -> Move {
        let by_action = self.counts_actions(choices);
        self.any(by_action, choices)
    }

    /// Every action, or every input, as likely as the others, and as listening, unless the setup gives them weights.
    pub fn any(&mut self, by_action: bool, choices: &mut Choices) -> Move {
        let groups = self.open_groups();
        let share = |group: &usize| if by_action { 1 } else { self.breadth(*group) };
        let shares: Vec<u64> = groups.iter().map(share).chain(self.may_listen.then_some(1)).collect();
        let chosen = choices.weighted(&shares).unwrap_or(groups.len());
        if chosen == groups.len() {
            return if self.may_listen { Move::Listen } else { Move::Stop };
        }
        if self.table.instance().weights().is_empty()
            && let Ok(Some(offer)) = self.table.draw(self.set, groups[chosen], choices)
        {
            return Move::Give(offer);
        }
        let weights: Vec<u64> = groups.iter().map(|group| self.weight(*group)).collect();
        let given = self.give_one_of(&groups, &weights, choices);
        given.unwrap_or(if self.may_listen { Move::Listen } else { Move::Stop })
    }
}
