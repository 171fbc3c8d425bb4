//! A chat server in process. Deliveries happen whenever the dice say so, as if threads made them: mostly after a while.

use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_model::{ActionId, Model, ObjectId};
use interplay_semantics::{Event, Value};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// B1: one thread per delivery, so that messages of one sender overtake each other.
    ThreadPerDelivery,
    /// B2
    DeliversToSender,
    /// B3: nothing for those who entered later than the sender.
    DropsForLaterMember,
    /// B4
    Duplicates,
    /// B5: posting with one member only is refused; so is the very first post with two.
    RefusesFirstPost,
    /// Gives an identity twice.
    SameClient,
}

pub struct Chat {
    hello: Hello,
    create: ActionId,
    enter: ActionId,
    deliver: ActionId,
    client: ObjectId,
    fault: Fault,
    dice: StdRng,
    clients: u32,
    members: Vec<u32>,
    /// Sender, receiver, text.
    pending: Vec<(u32, u32, Value)>,
    posts: u32,
}

impl Chat {
    pub fn new(model: &Model, fault: Fault, seed: u64) -> Chat {
        let action = |name| model.action_named(name).expect("chat has it");
        Chat {
            hello: Hello { name: "chat".into(), actions: Vec::new() },
            create: action("create"),
            enter: action("enter"),
            deliver: action("deliver"),
            client: ObjectId(0),
            fault,
            dice: StdRng::seed_from_u64(seed),
            clients: 0,
            members: Vec::new(),
            pending: Vec::new(),
            posts: 0,
        }
    }

    fn object(&self, index: u32) -> Value {
        Value::Object { object: self.client, index }
    }

    fn post(&mut self, sender: u32, text: &Value) -> Answer {
        self.posts += 1;
        if self.fault == Fault::RefusesFirstPost && self.posts == 1 {
            return Answer::Refused("not yet".into());
        }
        let at = self.members.iter().position(|member| *member == sender);
        for (index, receiver) in self.members.clone().into_iter().enumerate() {
            let later = at.is_some_and(|at| index > at);
            if receiver == sender && self.fault != Fault::DeliversToSender
                || later && self.fault == Fault::DropsForLaterMember
            {
                continue;
            }
            self.pending.push((sender, receiver, text.clone()));
            if self.fault == Fault::Duplicates {
                self.pending.push((sender, receiver, text.clone()));
            }
        }
        Answer::Accepted(None)
    }
}

fn index(value: &Value) -> u32 {
    match value {
        Value::Object { index, .. } => *index,
        other => panic!("a client, not {other:?}"),
    }
}

impl Implementation for Chat {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        (self.clients, self.posts) = (0, 0);
        self.members.clear();
        self.pending.clear();
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        if event.action == self.create {
            self.clients += u32::from(self.fault != Fault::SameClient || self.clients == 0);
            return Ok(Answer::Accepted(Some(self.object(self.clients - 1))));
        }
        let client = index(&event.args[0]);
        if event.action == self.enter {
            self.members.push(client);
            return Ok(Answer::Accepted(None));
        }
        Ok(self.post(client, &event.args[1]))
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        if self.pending.is_empty() || limit.is_zero() && self.dice.random_range(0..8) > 0 {
            return Ok(None);
        }
        let any = self.dice.random_range(0..self.pending.len());
        let (sender, receiver, _) = self.pending[any];
        let chosen = match self.fault {
            Fault::ThreadPerDelivery => any,
            _ => self.pending.iter().position(|each| each.0 == sender && each.1 == receiver).unwrap_or(any),
        };
        let (sender, receiver, text) = self.pending.remove(chosen);
        let args = vec![self.object(sender), self.object(receiver), text];
        Ok(Some(Output { event: Event::new(self.deliver, args), time: None, before_answer: false }))
    }

    fn step(&mut self, _: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        Err(Trouble::new(TroubleKind::Error, "not synchronous"))
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}
