//! Where all interfaces meet: sessions, each with a conversation, and the one thread that leads them.
//!
//! An interface asks the [`Desk`] with a function that gets all sessions; the [`Reception`] runs these functions one after the other.

use crate::view::View;
use interplay_services::{Conversation, Logic, Problem};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// More sessions than this at once: the one that was used least recently is forgotten.
const MOST_SESSIONS: usize = 1_000;
/// How long an interface waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Makes a reception for a service and a desk for its interfaces. `make` gives one more copy of the logic; if the session is `shared`,
/// all interfaces have the same one.
pub fn open<'l>(make: impl Fn() -> Result<Box<dyn Logic + 'l>, Problem> + 'l, shared: bool) -> (Reception<'l>, Desk) {
    let (send, receive) = channel();
    let sessions = Sessions { make: Box::new(make), shared, unsaid: None, held: HashMap::new(), used: 0, only: None };
    (Reception { sessions, receive }, Desk { send })
}

type Work = Box<dyn for<'l> FnOnce(&mut Sessions<'l>) + Send>;

enum Message {
    Work(Work),
    Stop,
}

/// The place where a service is served.
pub struct Reception<'l> {
    sessions: Sessions<'l>,
    receive: Receiver<Message>,
}

impl Reception<'_> {
    /// Serves until somebody stops it, or there is nobody left who could ask, or so long.
    pub fn serve(mut self, time: Option<Duration>) {
        let end = time.map(|time| Instant::now() + time);
        loop {
            let message = match end {
                Some(end) => self.receive.recv_timeout(end.saturating_duration_since(Instant::now())),
                None => self.receive.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match message {
                Ok(Message::Work(work)) => work(&mut self.sessions),
                Ok(Message::Stop) | Err(_) => return,
            }
        }
    }
}

/// How interfaces reach the service.
#[derive(Clone)]
pub struct Desk {
    send: Sender<Message>,
}

impl Desk {
    /// Ends the service.
    pub fn stop(&self) {
        let _ = self.send.send(Message::Stop);
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl for<'l> FnOnce(&mut Sessions<'l>) -> T + Send + 'static,
        reply: impl FnOnce(T) + Send + 'static,
    ) {
        let _ = self.send.send(Message::Work(Box::new(move |sessions| reply(work(sessions)))));
    }

    /// Nothing comes back if the service has ended.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        work: impl for<'l> FnOnce(&mut Sessions<'l>) -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = channel();
        self.send(work, move |found| _ = reply.send(found));
        answer.recv().ok()
    }

    /// Nothing comes back if the service has ended, or takes too long.
    pub(crate) async fn ask_soon<T: Send + 'static>(
        &self,
        work: impl for<'l> FnOnce(&mut Sessions<'l>) -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        self.send(work, move |found| _ = reply.send(found));
        tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
    }
}

pub(crate) struct Sessions<'l> {
    make: Box<dyn Fn() -> Result<Box<dyn Logic + 'l>, Problem> + 'l>,
    shared: bool,
    /// A conversation that nobody has said anything in yet.
    unsaid: Option<Talk<'l>>,
    held: HashMap<String, Session<'l>>,
    used: u64,
    /// The session that all share.
    only: Option<String>,
}

pub(crate) type Talk<'l> = Conversation<Box<dyn Logic + 'l>>;

pub(crate) struct Session<'l> {
    pub(crate) talk: Talk<'l>,
    /// What a page must show to say something.
    pub(crate) token: String,
    used: u64,
}

impl<'l> Sessions<'l> {
    /// A new session, or the one that all share.
    pub(crate) fn open(&mut self) -> Result<String, String> {
        if let Some(only) = self.only.as_ref().filter(|_| self.shared) {
            return Ok(only.clone());
        }
        self.unsaid()?;
        let talk = self.unsaid.take().expect("just made");
        if self.held.len() >= MOST_SESSIONS {
            let oldest = self.held.iter().min_by_key(|(_, session)| session.used).map(|(name, _)| name.clone());
            oldest.map(|name| self.held.remove(&name));
        }
        let (name, token) = (unguessable()?, unguessable()?);
        self.used += 1;
        self.held.insert(name.clone(), Session { talk, token, used: self.used });
        self.only = self.shared.then(|| name.clone());
        Ok(name)
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    pub(crate) fn session(&mut self, name: &str) -> Option<&mut Session<'l>> {
        self.used += 1;
        let session = self.held.get_mut(name)?;
        session.used = self.used;
        Some(session)
    }

    /// Says whether there was one. The shared one stays.
    pub(crate) fn close(&mut self, name: &str) -> bool {
        self.only.as_deref() != Some(name) && self.held.remove(name).is_some()
    }

    /// What a session shows, with what happened since a turn.
    pub(crate) fn view(&mut self, name: &str, since: usize) -> Option<View> {
        let session = self.session(name)?;
        Some(View::of(name, &session.token, &session.talk, since))
    }

    /// What a session shows in which nothing was said yet.
    pub(crate) fn view_unsaid(&mut self) -> Result<View, String> {
        self.unsaid()?;
        Ok(View::of("", "", self.unsaid.as_ref().expect("just made"), 0))
    }

    fn unsaid(&mut self) -> Result<(), String> {
        if self.unsaid.is_none() {
            let talk = (self.make)().and_then(Conversation::new).map_err(|problem| problem.to_string())?;
            self.unsaid = Some(talk);
        }
        Ok(())
    }
}

/// 128 bits that nobody can guess.
pub fn unguessable() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system has no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
