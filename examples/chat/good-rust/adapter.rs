//! Connects a chat server to Interplay: it starts the server as a process of its own, and is as many clients as the test asks
//! for. Every run has a session of its own, so that a reset costs nothing but hanging up.

use crate::chat_server::FAULTS;
use crate::child::Server;
use interplay_sdk::{Adapter, Emitter, Problem, Reply, json, refused};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A server that says nothing for so long is broken, whatever it does wrong otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn adapter(name: &str) -> Option<io::Result<Adapter<Chat>>> {
    let known = name == "good-rust" || FAULTS.iter().any(|(fault, _)| *fault == name);
    known.then(|| Ok(with(Server::start(&["chat-server", name])?, name)))
}

fn with(server: Server, name: &str) -> Adapter<Chat> {
    let mut runs = 0;
    Adapter::new(&format!("chat server, {name}"), move |emit| {
        runs += 1;
        Ok(Chat { emit, address: server.address(), session: format!("run-{runs}"), clients: BTreeMap::new() })
    })
    .input("create()", |chat, _| chat.create())
    .input("enter(c)", |chat, args| {
        let session = chat.session.clone();
        chat.client(args.get("c")?)?.ask(&format!("ENTER {session}"))
    })
    .input("post(sender, text)", |chat, args| {
        let text: String = args.get("text")?;
        chat.client(args.get("sender")?)?.ask(&format!("POST {text}"))
    })
    .output("deliver(sender, receiver, text)")
}

/// The clients of one run.
pub struct Chat {
    emit: Emitter,
    address: SocketAddr,
    session: String,
    clients: BTreeMap<String, Client>,
}

impl Chat {
    fn create(&mut self) -> Reply<String> {
        let name = format!("client-{}", self.clients.len() + 1);
        let client = Client::connect(self.address, &name, self.emit.clone())?;
        client.ask(&format!("NAME {name}"))?;
        self.clients.insert(name.clone(), client);
        Ok(name)
    }

    fn client(&self, name: String) -> Reply<&Client> {
        self.clients.get(&name).ok_or_else(|| refused(format!("there is no {name}")))
    }
}

/// One connection. A thread listens on it all the time: what comes is a delivery, or the answer to what was asked last.
struct Client {
    wire: TcpStream,
    answers: Receiver<String>,
}

impl Client {
    fn connect(address: SocketAddr, name: &str, emit: Emitter) -> io::Result<Client> {
        let wire = TcpStream::connect(address)?;
        wire.set_nodelay(true)?;
        let (answer, answers) = mpsc::channel();
        let (listen, receiver) = (BufReader::new(wire.try_clone()?), name.to_string());
        thread::spawn(move || {
            for line in listen.lines().map_while(Result::ok) {
                match line.strip_prefix("FROM ").and_then(|rest| rest.split_once(' ')) {
                    Some((sender, text)) => {
                        emit.emit("deliver", json!({ "sender": sender, "receiver": receiver, "text": text }));
                    }
                    // Nobody asked if the run is over.
                    None => drop(answer.send(line)),
                }
            }
        });
        Ok(Client { wire, answers })
    }

    fn ask(&self, line: &str) -> Reply<()> {
        (&self.wire).write_all(format!("{line}\n").as_bytes())?;
        let answer = self.answers.recv_timeout(PATIENCE);
        match answer.map_err(|_| Problem::Failed(format!("the server does not answer `{line}`")))?.split_once(' ') {
            Some(("NO", reason)) => Err(refused(reason)),
            _ => Ok(()),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server may have hung up before.
        let _ = self.wire.shutdown(Shutdown::Both);
    }
}
