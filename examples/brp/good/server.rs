//! The sender as a process, with its clock and its line: a TCP connection that carries what its user says, what the far end of
//! the line says, and what the sender does. Every connection has a sender of its own.
//!
//! One line is one message. `FILE max 0:7 1:9` comes first: how often, and the chunks. `REQ 2` and `ACK` are answered by `TOOK`
//! or `NO reason` at the moment when the sender looks at them; `MSG 7 0`, `OK`, `NOT_OK`, `DONT_KNOW` come at any time.

use crate::brp_sender::{Fault, Message, Sender, Timer};
use crate::chance::Chance;
use crate::child::end_with_standard_input;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Until the line is free or the user is told.
const PAUSE: Duration = Duration::from_millis(10);

/// Half of the time-outs are patient. The others come at once, as on a machine that was busy with something else, so that an
/// acknowledgement also meets a sender that has timed out already.
const TIME_OUT: Duration = Duration::from_millis(30);

/// Listens on a free port, until standard input ends.
pub fn serve(fault: Option<Fault>) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    thread::spawn(end_with_standard_input);
    for connection in listener.incoming().flatten() {
        thread::spawn(move || attend(connection, fault));
    }
    Ok(())
}

/// Runs one sender until its connection ends.
fn attend(mut line: TcpStream, fault: Option<Fault>) -> io::Result<()> {
    line.set_nodelay(true)?;
    let (put, heard) = mpsc::channel();
    let listen = BufReader::new(line.try_clone()?);
    thread::spawn(move || listen.lines().map_while(Result::ok).try_for_each(|text| put.send(text)));

    let chance = Chance::new();
    let Some(mut sender) = heard.recv().ok().and_then(|first| new_sender(fault, &first)) else {
        return writeln!(line, "NO FILE comes first");
    };
    writeln!(line, "TOOK")?;
    let mut alarm = None;
    loop {
        let before = sender.clone();
        match next(&heard, alarm) {
            Ok(text) => {
                let result = hear(&mut sender, &text);
                line.write_all(result.map_or_else(|no| format!("NO {no}\n"), |()| "TOOK\n".into()).as_bytes())?;
            }
            Err(RecvTimeoutError::Timeout) => {
                let said: String = sender.expire().iter().map(text_of).collect();
                line.write_all(said.as_bytes())?;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        // What changes nothing does not set the clock back either.
        if sender != before {
            alarm = sender.timer().map(|timer| Instant::now() + length(timer, &chance));
        }
    }
}

fn length(timer: Timer, chance: &Chance) -> Duration {
    match timer {
        Timer::TimeOut if chance.toss() => TIME_OUT,
        Timer::TimeOut => Duration::ZERO,
        Timer::Pause => PAUSE,
    }
}

fn next(heard: &Receiver<String>, alarm: Option<Instant>) -> Result<String, RecvTimeoutError> {
    match alarm {
        Some(alarm) => heard.recv_timeout(alarm.saturating_duration_since(Instant::now())),
        None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

fn new_sender(fault: Option<Fault>, first: &str) -> Option<Sender> {
    let mut words = first.strip_prefix("FILE ")?.split(' ');
    let max = words.next()?.parse().ok()?;
    let chunk = |word: &str| {
        let (position, data) = word.split_once(':')?;
        Some((position.parse().ok()?, data.parse().ok()?))
    };
    Some(Sender::new(fault, max, words.map(chunk).collect::<Option<_>>()?))
}

fn hear(sender: &mut Sender, text: &str) -> Result<(), &'static str> {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("REQ", last) => sender.request(last.parse().map_err(|_| "REQ wants a number")?),
        ("ACK", "") => {
            sender.acknowledge();
            Ok(())
        }
        _ => Err("unknown message"),
    }
}

fn text_of(message: &Message) -> String {
    match message {
        Message::Chunk { data, bit } => format!("MSG {data} {}\n", i32::from(*bit)),
        Message::Ok => "OK\n".into(),
        Message::NotOk => "NOT_OK\n".into(),
        Message::DontKnow => "DONT_KNOW\n".into(),
    }
}
