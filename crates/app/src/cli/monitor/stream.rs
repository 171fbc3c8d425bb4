//! Lines of a log from a file, from standard input, or from connections to a socket, each read by a thread of its own, so that
//! waiting for the next line can be interrupted and nobody waits for somebody else.

use super::place::Place;
use crate::files;
use interplay_report::escape;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// A longer line is left out, so that no log fills the memory.
const LONGEST: u64 = 1 << 20;
/// Lines are handed over in batches of what is there already, so many bytes at most and one line more.
const BATCH: usize = 1 << 16;
/// So many batches wait at most.
const WAITING: usize = 16;
/// Whoever is connected and does not listen for so long gets no more answers.
const DEAF: Duration = Duration::from_secs(5);

/// So many are connected at once; others wait.
const MOST: usize = 256;

pub(super) enum Line {
    /// Somebody is connected.
    Begin,
    Whole(String),
    /// The log ends without the end of this line.
    Last(String),
    /// A line that is too long, or not text.
    Broken(String),
    /// Nothing more comes from there.
    End,
}

/// Where lines come from: the connections are counted from one, anything else is [`ALONE`].
pub(super) type Origin = u64;
pub(super) const ALONE: Origin = 0;

/// Before the address of a socket.
const SOCKET: &str = "tcp://";

pub(super) fn is_socket(log: &str) -> bool {
    log.starts_with(SOCKET)
}

type Batch = Vec<(Line, Place)>;

pub(super) struct Stream {
    batches: Receiver<(Origin, Batch)>,
    /// For those who come later.
    send: SyncSender<(Origin, Batch)>,
    from: Origin,
    batch: std::vec::IntoIter<(Line, Place)>,
    /// After the line that came last.
    pub(super) place: Place,
    /// Where the connections come from, how many may come, and how many came.
    listener: Option<(TcpListener, u64)>,
    came: u64,
    /// Origin how many of them lines come still.
    open: usize,
    /// Whoever is connected is answered, too.
    peers: BTreeMap<Origin, TcpStream>,
}

impl Stream {
    /// A file that begins with what was `judged` goes on after that.
    pub(super) fn open(
        log: &str,
        connections: u64,
        judged: Option<Place>,
        interrupted: &AtomicBool,
    ) -> Result<Stream, String> {
        let (send, batches) = sync_channel(WAITING);
        let mut stream = Stream {
            batches,
            send,
            from: ALONE,
            batch: Vec::new().into_iter(),
            place: Place::START,
            listener: None,
            came: 0,
            open: 0,
            peers: BTreeMap::new(),
        };
        match log.strip_prefix(SOCKET) {
            Some(address) => stream.listener = Some((listen(address)?, connections)),
            None if log == "-" => stream.start(ALONE, io::stdin()),
            None => {
                let name = escape(log);
                let unreadable = |error: io::Error| format!("{name} cannot be read: {error}");
                let mut file = File::open(log).map_err(unreadable)?;
                let kind = file.metadata().map_err(unreadable)?;
                if kind.is_dir() {
                    return Err(format!("{name} is a folder, not a log"));
                }
                if let Some(judged) = judged.filter(|_| kind.is_file()) {
                    stream.place = judged.find(&mut file, interrupted).map_err(unreadable)?;
                }
                stream.start(ALONE, file);
            }
        }
        Ok(stream)
    }

    /// Nothing more will come, from nobody.
    pub(super) fn is_over(&self) -> bool {
        let more = self.listener.as_ref().is_some_and(|(_, most)| self.came < *most);
        !more && self.open == 0
    }

    /// The next line, and from where; `None` if none came in this time.
    pub(super) fn next(&mut self, patience: Duration) -> Option<(Origin, Line)> {
        if self.batch.len() == 0 {
            if let Some(begins) = self.next_connection() {
                return Some(begins);
            }
            let (from, batch) = self.batches.recv_timeout(patience).ok()?;
            (self.from, self.batch) = (from, batch.into_iter());
        }
        let (line, place) = self.batch.next()?;
        self.place = place;
        self.open -= usize::from(matches!(line, Line::End));
        Some((self.from, line))
    }

    /// Whoever waits to be connected, if there is room.
    fn next_connection(&mut self) -> Option<(Origin, Line)> {
        let (listener, most) = self.listener.as_mut().filter(|(_, most)| self.came < *most && self.open < MOST)?;
        match connection(listener) {
            Ok(None) => None,
            Ok(Some(stream)) => {
                self.came += 1;
                let from = self.came;
                self.peers.extend(answered(&stream).map(|peer| (from, peer)));
                self.start(from, stream);
                Some((from, Line::Begin))
            }
            Err(problem) => {
                *most = self.came;
                Some((ALONE, Line::Broken(problem)))
            }
        }
    }

    fn start(&mut self, from: Origin, source: impl Read + Send + 'static) {
        self.open += 1;
        let place = if from == ALONE { self.place } else { Place::START };
        start(source, place, from, self.send.clone());
    }

    /// A peer that went away does not hear it.
    pub(super) fn answer(&mut self, to: Origin, text: &str) {
        if self.peers.get_mut(&to).is_some_and(|peer| peer.write_all(text.as_bytes()).is_err()) {
            self.peers.remove(&to);
        }
    }

    /// Those who hear answers.
    pub(super) fn peers(&self) -> impl Iterator<Item = &Origin> {
        self.peers.keys()
    }

    /// Nothing more is answered there.
    pub(super) fn leave(&mut self, from: Origin) {
        self.peers.remove(&from);
    }
}

fn listen(address: &str) -> Result<TcpListener, String> {
    let failed = |error: io::Error| {
        let help = match error.kind() {
            io::ErrorKind::AddrInUse => "the port is in use: choose another one, or 0 for a free one",
            _ => "write `tcp://127.0.0.1:7000`",
        };
        format!("cannot listen at `{}`: {error}\nhelp: {help}", escape(address))
    };
    let listener = TcpListener::bind(address).map_err(failed)?;
    let place = listener.local_addr().map_or(address.to_string(), |place| place.to_string());
    listener.set_nonblocking(true).map_err(failed)?;
    let _ = crate::print::aside(&format!("waiting for a connection at tcp://{}\n", escape(&place)));
    Ok(listener)
}

/// The next connection, if there is one already.
fn connection(listener: &TcpListener) -> Result<Option<TcpStream>, String> {
    match listener.accept() {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        accepted => {
            let stream = accepted.and_then(|(stream, _)| stream.set_nonblocking(false).map(|()| stream));
            stream.map(Some).map_err(|error| format!("no connection came: {error}"))
        }
    }
}

/// Where answers go.
fn answered(stream: &TcpStream) -> Option<TcpStream> {
    stream.try_clone().ok().filter(|peer| peer.set_write_timeout(Some(DEAF)).is_ok())
}

fn start(source: impl Read + Send + 'static, mut place: Place, from: Origin, to: SyncSender<(Origin, Batch)>) {
    std::thread::spawn(move || {
        let mut source = BufReader::with_capacity(BATCH, source);
        let mut over = false;
        while !over {
            let mut batch = Vec::new();
            loop {
                let line = read(&mut source, &mut place).unwrap_or(Line::End);
                let last = matches!(line, Line::Last(_));
                over = last || matches!(line, Line::End);
                batch.push((line, place));
                batch.extend(last.then_some((Line::End, place)));
                // What is not there yet is not waited for.
                if over || !source.buffer().contains(&b'\n') {
                    break;
                }
            }
            over |= to.send((from, batch)).is_err();
        }
    });
}

/// `None` after the end.
fn read(from: &mut impl BufRead, place: &mut Place) -> Option<Line> {
    let mut bytes = Vec::new();
    let mut limited = from.take(LONGEST);
    match limited.read_until(b'\n', &mut bytes) {
        // A connection that breaks is a log that ends.
        Ok(0) | Err(_) if bytes.is_empty() => return None,
        Ok(_) | Err(_) => {}
    }
    place.over(&bytes);
    place.lines += 1;
    let whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
    if !whole && bytes.len() as u64 == LONGEST {
        return match leave_out(from, place) {
            true => Some(Line::Broken(format!("the line is longer than {LONGEST} bytes"))),
            false => Some(Line::End),
        };
    }
    Some(match files::line(bytes) {
        Ok(text) if whole => Line::Whole(text),
        Ok(text) => Line::Last(text),
        Err(problem) => Line::Broken(problem),
    })
}

/// Goes on after the end of the line; whether there is one.
fn leave_out(from: &mut impl BufRead, place: &mut Place) -> bool {
    loop {
        let Ok(bytes) = from.fill_buf() else { return false };
        if bytes.is_empty() {
            return true;
        }
        let (used, found) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), false),
        };
        place.over(&bytes[..used]);
        from.consume(used);
        if found {
            return true;
        }
    }
}
