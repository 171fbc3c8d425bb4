//! A chat server over TCP. A connection is a client; clients enter a session by its name, and whatever one of them posts is
//! delivered to the other members. Every pair of a sender and a receiver has a queue of its own, which keeps the order.
//!
//! One line is one message: `NAME alice`, `ENTER session`, `POST text` are answered by `OK` or `NO reason`; `FROM alice text`
//! comes at any time. The server says on standard output where it listens, and ends when its standard input does.

use crate::chance::Chance;
use crate::child::end_with_standard_input;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Mistakes that a programmer of such a server could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Every delivery has a thread of its own, so that a message can overtake an earlier one.
    ThreadPerDelivery,
    /// Posts come back to the sender too.
    HearsItself,
    /// Who entered after the sender does not receive the sender's posts.
    ForgetsLateMembers,
    /// Every message arrives twice.
    DeliversTwice,
    /// Posting is refused until there are two others, instead of two members.
    CountsOthers,
}

/// The faulty ones, by the names of their folders.
pub const FAULTS: [(&str, Fault); 5] = [
    ("faulty-thread-per-delivery", Fault::ThreadPerDelivery),
    ("faulty-hears-itself", Fault::HearsItself),
    ("faulty-forgets-late-members", Fault::ForgetsLateMembers),
    ("faulty-delivers-twice", Fault::DeliversTwice),
    ("faulty-counts-others", Fault::CountsOthers),
];

/// How long a delivery takes on a good line: enough for different senders to overtake each other now and then.
const TRANSFER: Duration = Duration::from_millis(2);

/// How long a thread may have to wait for a processor. Here every other one has to, on an idle machine too.
const THREAD_START: Duration = Duration::from_millis(80);

/// Listens on a free port, until standard input ends.
pub fn serve(fault: Option<Fault>) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    thread::spawn(end_with_standard_input);
    let house = Arc::new(House { fault, chance: Chance::new(), sessions: Mutex::default() });
    for connection in listener.incoming().flatten() {
        let house = house.clone();
        thread::spawn(move || house.attend(connection));
    }
    Ok(())
}

struct House {
    fault: Option<Fault>,
    chance: Chance,
    sessions: Mutex<HashMap<String, Session>>,
}

/// The members in the order in which they entered, and the queue of each pair of sender and receiver.
#[derive(Default)]
struct Session {
    members: Vec<Member>,
    queues: HashMap<(String, String), Sender<String>>,
}

#[derive(Clone)]
struct Member {
    name: String,
    wire: Arc<Mutex<TcpStream>>,
}

impl House {
    /// Serves one client until it hangs up.
    fn attend(self: Arc<House>, connection: TcpStream) {
        let Ok(wire) = connection.set_nodelay(true).and_then(|()| connection.try_clone()) else { return };
        let mut me = Member { name: String::new(), wire: Arc::new(Mutex::new(wire)) };
        let mut session = String::new();
        for line in BufReader::new(connection).lines().map_while(Result::ok) {
            let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let result = match command {
                "NAME" => {
                    me.name = rest.to_string();
                    Ok(())
                }
                "ENTER" if me.name.is_empty() => Err("who are you?"),
                "ENTER" if !session.is_empty() => Err("you are in a session already"),
                "ENTER" => {
                    session = rest.to_string();
                    self.enter(&session, &me);
                    Ok(())
                }
                "POST" => self.post(&session, &me, rest),
                _ => Err("unknown command"),
            };
            me.send(&result.map_or_else(|reason| format!("NO {reason}"), |()| "OK".to_string()));
        }
        self.leave(&session, &me);
    }

    fn enter(self: &Arc<House>, session: &str, newcomer: &Member) {
        let mut sessions = self.sessions();
        let session = sessions.entry(session.to_string()).or_default();
        for other in &session.members {
            session.queues.insert((newcomer.name.clone(), other.name.clone()), self.queue(newcomer, other));
            session.queues.insert((other.name.clone(), newcomer.name.clone()), self.queue(other, newcomer));
        }
        if self.fault == Some(Fault::HearsItself) {
            session.queues.insert((newcomer.name.clone(), newcomer.name.clone()), self.queue(newcomer, newcomer));
        }
        session.members.push(newcomer.clone());
    }

    /// A queue with a thread behind it, which delivers one message after the other.
    fn queue(self: &Arc<House>, sender: &Member, receiver: &Member) -> Sender<String> {
        let (put, take) = mpsc::channel::<String>();
        let (house, sender, receiver) = (self.clone(), sender.name.clone(), receiver.clone());
        thread::spawn(move || {
            for (turn, text) in take.into_iter().enumerate() {
                if house.fault == Some(Fault::ThreadPerDelivery) {
                    let (sender, receiver) = (sender.clone(), receiver.clone());
                    thread::spawn(move || {
                        thread::sleep(if turn % 2 == 0 { THREAD_START } else { Duration::ZERO });
                        receiver.send(&format!("FROM {sender} {text}"));
                    });
                } else {
                    thread::sleep(house.chance.up_to(TRANSFER));
                    receiver.send(&format!("FROM {sender} {text}"));
                }
            }
        });
        put
    }

    fn post(&self, session: &str, sender: &Member, text: &str) -> Result<(), &'static str> {
        let sessions = self.sessions();
        let session = sessions.get(session).ok_or("you are in no session")?;
        let enough = if self.fault == Some(Fault::CountsOthers) { 3 } else { 2 };
        if session.members.len() < enough {
            return Err("there is nobody to hear you");
        }
        let mut receivers = session.members.as_slice();
        if self.fault == Some(Fault::ForgetsLateMembers) {
            let own = receivers.iter().position(|member| member.name == sender.name);
            receivers = &receivers[..own.unwrap_or(receivers.len())];
        }
        let copies = if self.fault == Some(Fault::DeliversTwice) { 2 } else { 1 };
        for receiver in receivers {
            // The sender has no queue to itself.
            let Some(queue) = session.queues.get(&(sender.name.clone(), receiver.name.clone())) else { continue };
            for _ in 0..copies {
                // If nobody takes it, the receiver has just left.
                let _ = queue.send(text.to_string());
            }
        }
        Ok(())
    }

    fn leave(&self, session: &str, member: &Member) {
        let mut sessions = self.sessions();
        if let Some(present) = sessions.get_mut(session) {
            present.members.retain(|other| other.name != member.name);
            present.queues.retain(|(sender, receiver), _| *sender != member.name && *receiver != member.name);
            if present.members.is_empty() {
                sessions.remove(session);
            }
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Member {
    /// A client that has hung up hears nothing any more.
    fn send(&self, line: &str) {
        let mut wire = self.wire.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = wire.write_all(format!("{line}\n").as_bytes());
    }
}
