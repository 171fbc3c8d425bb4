//! Connects a sender to Interplay: it starts the sender as a process of its own, and is its user and the far end of its line.
//! The test decides what the line loses: a chunk that is not acknowledged was lost, or its acknowledgement was.

use crate::brp_sender::FAULTS;
use crate::child::Server;
use interplay_sdk::{Adapter, Emitter, Problem, Reply, Value, json, refused};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A sender that says nothing for so long is broken, whatever it does wrong otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn adapter(name: &str) -> Option<io::Result<Adapter<Line>>> {
    let known = name == "good" || FAULTS.iter().any(|(fault, _)| *fault == name);
    known.then(|| Ok(with(Server::start(&["brp-sender", name])?, name)))
}

fn with(server: Server, name: &str) -> Adapter<Line> {
    let file = Rc::new(RefCell::new("FILE 2 0:0 1:1".to_string()));
    let constants = file.clone();
    Adapter::new(&format!("sender, {name}"), move |emit| Line::connect(server.address(), emit, &file.borrow()))
        .configure(move |settings| {
            if let Some(text) = file_of(&settings["constants"]) {
                *constants.borrow_mut() = text;
            }
        })
        .input("REQ(l)", |line, args| {
            let last: i64 = args.get("l")?;
            line.say(&format!("REQ {last}"))
        })
        .input("ACK", |line, _| line.say("ACK"))
        .output("MSG(d, b)")
        .output("OK")
        .output("NOT_OK")
        .output("DONT_KNOW")
}

/// The constants `max` and `f` of the specification.
fn file_of(constants: &Value) -> Option<String> {
    let max = constants["max"].as_u64()?;
    let pairs: Vec<(i64, i64)> = serde_json::from_value(constants["f"].clone()).ok()?;
    let chunks: BTreeMap<i64, i64> = pairs.into_iter().collect();
    Some(chunks.iter().fold(format!("FILE {max}"), |text, (position, data)| format!("{text} {position}:{data}")))
}

/// The connection to one sender. A thread listens on it all the time.
pub struct Line {
    emit: Emitter,
    wire: TcpStream,
    answers: Receiver<String>,
}

impl Line {
    fn connect(address: SocketAddr, emit: Emitter, file: &str) -> Reply<Line> {
        let wire = TcpStream::connect(address)?;
        wire.set_nodelay(true)?;
        let (answer, answers) = mpsc::channel();
        let (listen, said) = (BufReader::new(wire.try_clone()?), emit.clone());
        thread::spawn(move || {
            for text in listen.lines().map_while(Result::ok) {
                match *text.split(' ').collect::<Vec<_>>() {
                    ["MSG", data, bit] => said.emit("MSG", json!({ "d": number(data), "b": number(bit) })),
                    [message @ ("OK" | "NOT_OK" | "DONT_KNOW")] => said.emit(message, ()),
                    _ => {
                        // Nobody asked if the run is over.
                        said.taken();
                        let _ = answer.send(text);
                    }
                }
            }
        });
        let line = Line { emit, wire, answers };
        line.say(file)?;
        Ok(line)
    }

    /// The sender says when it hears something: only then it is clear what came before and what after.
    fn say(&self, text: &str) -> Reply<()> {
        self.emit.not_yet_taken();
        (&self.wire).write_all(format!("{text}\n").as_bytes())?;
        let answer = self.answers.recv_timeout(PATIENCE);
        match answer.map_err(|_| Problem::Failed(format!("the sender does not answer `{text}`")))?.split_once(' ') {
            Some(("NO", reason)) => Err(refused(reason)),
            _ => Ok(()),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // The sender may have hung up before.
        let _ = self.wire.shutdown(Shutdown::Both);
    }
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or(-1)
}
