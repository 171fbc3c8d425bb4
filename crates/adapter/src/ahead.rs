//! Inputs that were sent before their turn, together with a reset: where the beginning of a run is known, nobody need wait for each
//! answer. Answers come in the order of the inputs, and each is looked at when it is its turn.

use crate::connection::Reply;
use interplay_semantics::Event;
use std::collections::VecDeque;

/// More bytes are not sent ahead: they must fit into a pipe that nobody empties meanwhile.
pub(crate) const MOST_AHEAD: usize = 32 << 10;

#[derive(Default)]
pub(crate) struct Ahead {
    /// What will follow the next reset.
    pub(crate) foreseen: Vec<Event>,
    /// What was sent and has not had its turn.
    sent: VecDeque<Sent>,
}

struct Sent {
    id: u64,
    event: Event,
    /// If it came before its turn.
    reply: Option<Reply>,
}

impl Ahead {
    pub(crate) fn sent(&mut self, id: u64, event: Event) {
        self.sent.push_back(Sent { id, event, reply: None });
    }

    pub(crate) fn len(&self) -> usize {
        self.sent.len()
    }

    /// The number of this input and its answer, if it was sent and has come.
    pub(crate) fn turn(&mut self, event: &Event) -> Option<(u64, Option<Reply>)> {
        let sent = self.sent.pop_front()?;
        assert!(sent.event == *event, "what was sent ahead is given first");
        Some((sent.id, sent.reply))
    }

    /// Keeps an answer that came before its turn; whether it is one.
    pub(crate) fn keep(&mut self, id: u64, reply: Reply) -> bool {
        let waiting = self.sent.iter_mut().find(|sent| sent.id == id && sent.reply.is_none());
        waiting.map(|sent| sent.reply = Some(reply)).is_some()
    }

    /// The next answer is there, so that what comes after it belongs to its input.
    pub(crate) fn is_answered(&self) -> bool {
        self.sent.front().is_some_and(|sent| sent.reply.is_some())
    }

    /// Those that nobody will ask for any more, and that have no answer yet.
    pub(crate) fn give_up(&mut self) -> impl Iterator<Item = u64> + '_ {
        self.sent.drain(..).filter(|sent| sent.reply.is_none()).map(|sent| sent.id)
    }
}
