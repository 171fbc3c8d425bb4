//! A conversation with a service, as an interface leads it: several events at once, corrections, and going back.
//!
//! What the service does not ask for yet waits until it does, so a user may say several things at once (lookahead). Going back
//! starts the service anew and repeats what was said before the earlier node, so it works for every logic; one that acts on
//! the outside world acts again.
//!
//! ```
//! use interplay_services::{Conversation, END, Graph, Said};
//! let mut graph: Graph<u32, u32> = Graph::new(|| 0);
//! let (order, size) = (graph.signal("order"), graph.input("size", [1, 2]));
//! let (menu, form) = (graph.choice("Menu"), graph.collect("Form", &[size]));
//! graph.start(menu);
//! graph.on(menu, order).goto(form);
//! graph.done(form).goto(END);
//! let mut talk = Conversation::new(graph.session())?;
//! let said = |input: usize, value: &[&str]| Said { input, values: value.iter().map(|text| text.to_string()).collect() };
//! talk.give(vec![said(1, &["2"]), said(0, &[])]); // the size waits for the order
//! assert!(talk.standing().ended);
//! talk.back(None);
//! assert_eq!(talk.standing().place, "Form");
//! # Ok::<(), interplay_services::Problem>(())
//! ```

use crate::Problem;
use crate::logic::{Happening, Input, Logic, Reaction, Said, Standing};
use std::collections::VecDeque;

pub struct Conversation<L> {
    logic: L,
    standing: Standing,
    /// What the service has taken, with the number of the visit of a node in which it did.
    /// Nothing said means that it was let to go on by itself.
    taken: Vec<(Option<Said>, usize)>,
    /// The places of the visits.
    visits: Vec<String>,
    waiting: Vec<Waiting>,
    utterances: u64,
    log: VecDeque<Entry>,
    /// How many entries were forgotten.
    forgotten: usize,
    /// Why nothing more can be said until somebody goes back.
    broken: Option<String>,
}

struct Waiting {
    said: Said,
    text: String,
    /// Which things were said together.
    utterance: u64,
}

/// What happened, for whoever shows the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The service took this; with what it returned.
    Taken {
        text: String,
        result: Option<String>,
    },
    Happened(Happening),
    /// It is asked for, but not so.
    Refused {
        text: String,
        reason: String,
    },
    /// Not asked for yet.
    Waits {
        text: String,
    },
    /// Somebody went back to this place.
    Back {
        place: String,
    },
    /// Everything was begun anew.
    Again,
    /// The service or its specification went wrong.
    Broken {
        message: String,
    },
}

/// More is not kept, neither of what waits nor of what happened, and so much can be said in one conversation.
const MOST_WAITING: usize = 1_000;
const MOST_ENTRIES: usize = 2_000;
const MOST_TAKEN: usize = 100_000;

impl<L: Logic> Conversation<L> {
    pub fn new(mut logic: L) -> Result<Conversation<L>, Problem> {
        let happened = logic.reset()?;
        let standing = logic.standing()?;
        let mut conversation = Conversation {
            visits: vec![standing.place.clone()],
            logic,
            standing,
            taken: Vec::new(),
            waiting: Vec::new(),
            utterances: 0,
            log: VecDeque::new(),
            forgotten: 0,
            broken: None,
        };
        conversation.note_all(happened);
        Ok(conversation)
    }

    pub fn logic(&self) -> &L {
        &self.logic
    }

    pub fn name(&self) -> String {
        self.logic.name()
    }

    pub fn inputs(&self) -> Vec<Input> {
        self.logic.inputs()
    }

    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Why nothing more can be said, until somebody goes back.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// What waits for the service to ask for it.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        self.waiting.iter().map(|waiting| waiting.text.as_str())
    }

    /// Where `back` can go, the last place first, each once.
    pub fn places(&self) -> Vec<&str> {
        let mut places: Vec<&str> = Vec::new();
        let given = self.taken.last().map_or(0, |(_, visit)| visit + 1);
        for place in self.visits[..given.min(self.visits.len())].iter().rev() {
            if !places.contains(&place.as_str()) {
                places.push(place);
            }
        }
        places
    }

    /// How many entries there have been so far: what [`Conversation::since`] counts.
    pub fn turn(&self) -> usize {
        self.forgotten + self.log.len()
    }

    /// What happened since there were so many entries, as far as it is remembered.
    pub fn since(&self, turn: usize) -> impl Iterator<Item = &Entry> {
        self.log.iter().skip(turn.saturating_sub(self.forgotten))
    }

    /// What an event would be called; the error says what is wrong with it.
    pub fn read(&mut self, said: &Said) -> Result<String, String> {
        self.logic.read(said)
    }

    /// Gives several events at once; giving none lets the service go on by itself. A problem of the service is noted, and lasts until
    /// somebody goes back.
    pub fn give(&mut self, said: Vec<Said>) {
        if self.broken.is_some() {
            return;
        }
        if said.is_empty() {
            self.take(None, "");
            return;
        }
        self.utterances += 1;
        for said in said {
            match self.logic.read(&said) {
                Ok(text) => self.wait(said, text),
                Err(reason) => self.note(Entry::Refused { text: self.name_of(&said), reason }),
            }
        }
        while let Some(index) = self.next_taken() {
            let Waiting { said, text, .. } = self.waiting.remove(index);
            if !self.take(Some(said), &text) {
                return;
            }
        }
        let waits: Vec<String> = self.of_this_utterance().map(|waiting| waiting.text.clone()).collect();
        waits.into_iter().for_each(|text| self.note(Entry::Waits { text }));
    }

    /// Forgets what waits.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Returns to the beginning of this visit of a node, or, if nothing was given in it, of the one before it; or to the last visit of
    /// a place. Says whether there was one.
    pub fn back(&mut self, place: Option<&str>) -> bool {
        let Some((_, last)) = self.taken.last() else { return false };
        let to = match place {
            None => Some(*last),
            Some(place) => (0..=*last).rev().find(|visit| self.visits[*visit] == place),
        };
        let Some(to) = to else { return false };
        let kept: Vec<Option<Said>> =
            self.taken.iter().filter(|(_, visit)| *visit < to).map(|(said, _)| said.clone()).collect();
        self.begin();
        // It was seen already, so nothing is told but where it led to.
        let (log, forgotten) = (std::mem::take(&mut self.log), self.forgotten);
        let repeated = self.broken.is_none() && kept.into_iter().all(|said| self.take(said, ""));
        let trouble = self.log.pop_back().filter(|_| !repeated);
        (self.log, self.forgotten) = (log, forgotten);
        self.note(trouble.unwrap_or_else(|| Entry::Back { place: self.standing.place.clone() }));
        true
    }

    /// Begins anew.
    pub fn again(&mut self) {
        self.note(Entry::Again);
        let happened = self.begin();
        self.note_all(happened);
    }

    fn begin(&mut self) -> Vec<Happening> {
        self.taken.clear();
        self.waiting.clear();
        self.broken = None;
        let begun = self.logic.reset().and_then(|happened| Ok((happened, self.logic.standing()?)));
        let (happened, standing) = begun.unwrap_or_else(|problem| {
            self.break_down(problem.to_string());
            (Vec::new(), Standing::default())
        });
        self.visits = vec![standing.place.clone()];
        self.standing = standing;
        happened
    }

    fn wait(&mut self, said: Said, text: String) {
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push(Waiting { said, text, utterance: self.utterances });
        } else {
            let reason = format!("{MOST_WAITING} events are already waiting");
            self.note(Entry::Refused { text, reason });
        }
    }

    fn of_this_utterance(&self) -> impl Iterator<Item = &Waiting> {
        self.waiting.iter().filter(|waiting| waiting.utterance == self.utterances)
    }

    /// The first thing that waits and is asked for. A correction is taken only if nothing waits any more that was said before it in
    /// the same breath: otherwise it is meant for a later form.
    fn next_taken(&self) -> Option<usize> {
        self.waiting.iter().enumerate().position(|(index, waiting)| {
            let earlier = || self.waiting[..index].iter().any(|other| other.utterance == waiting.utterance);
            match self.standing.prompt(waiting.said.input) {
                Some(prompt) => prompt.given.is_none() || !earlier(),
                None => false,
            }
        })
    }

    /// Gives one event to the service, or lets it go on; says whether that went well.
    fn take(&mut self, said: Option<Said>, text: &str) -> bool {
        if self.taken.len() == MOST_TAKEN {
            self.break_down(format!("more than {MOST_TAKEN} events in one conversation: start again"));
            return false;
        }
        let (before, visit) = (self.standing.place.clone(), self.visits.len() - 1);
        let reaction = match &said {
            Some(said) => self.logic.take(said),
            None => self.logic.go_on().map(|happened| Reaction::Taken { result: None, happened }),
        };
        self.taken.push((said, visit));
        match reaction.and_then(|reaction| Ok((reaction, self.logic.standing()?))) {
            Err(problem) => {
                self.break_down(problem.to_string());
                return false;
            }
            Ok((Reaction::Refused(reason), standing)) => {
                self.taken.pop();
                self.standing = standing;
                self.note(Entry::Refused { text: text.into(), reason });
            }
            Ok((Reaction::Taken { result, happened }, standing)) => {
                self.standing = standing;
                if self.standing.place != before || self.standing.received() == 0 {
                    self.visits.push(self.standing.place.clone());
                }
                if !text.is_empty() {
                    self.note(Entry::Taken { text: text.into(), result });
                }
                self.note_all(happened);
            }
        }
        true
    }

    fn break_down(&mut self, message: String) {
        self.broken = Some(message.clone());
        self.note(Entry::Broken { message });
    }

    fn name_of(&self, said: &Said) -> String {
        self.logic.inputs().get(said.input).map_or(String::new(), |input| input.name.clone())
    }

    fn note_all(&mut self, happened: Vec<Happening>) {
        happened.into_iter().for_each(|each| self.note(Entry::Happened(each)));
    }

    fn note(&mut self, entry: Entry) {
        if self.log.len() == MOST_ENTRIES {
            self.log.pop_front();
            self.forgotten += 1;
        }
        self.log.push_back(entry);
    }
}
