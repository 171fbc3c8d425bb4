//! Lines of a log from a file, from standard input, or from a socket, read by a thread of its own so that waiting for the next
//! one can be interrupted.

use super::place::Place;
use interplay_report::escape;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// A longer line is left out, so that no log fills the memory.
const LONGEST: u64 = 1 << 20;
/// Lines are handed over in batches of what is there already, so many bytes at most and one line more.
const BATCH: usize = 1 << 16;
/// So many batches wait at most.
const WAITING: usize = 16;
/// Whoever is connected and does not listen for so long gets no more answers.
const DEAF: Duration = Duration::from_secs(5);

pub(super) enum Line {
    Whole(String),
    /// The log ends without the end of this line.
    Last(String),
    /// A line that is too long, or not text.
    Broken(String),
    /// Somebody else is connected.
    Anew,
    End,
}

pub(super) struct Stream {
    batches: Receiver<Vec<(Line, Place)>>,
    batch: std::vec::IntoIter<(Line, Place)>,
    /// After the line that came last.
    pub(super) place: Place,
    /// Whoever is connected is answered, too.
    peer: Option<TcpStream>,
    /// Where the next connections come from, and how many.
    more: Option<(TcpListener, u64)>,
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
        let (mut peer, mut more, mut place) = (None, None, Place::START);
        match log.strip_prefix("tcp://") {
            Some(address) => {
                let listener = listen(address)?;
                while !interrupted.load(Ordering::Relaxed) {
                    if let Some(stream) = connection(&listener)? {
                        peer = answered(&stream);
                        start(stream, place, send);
                        break;
                    }
                    std::thread::sleep(super::PATIENCE);
                }
                more = Some((listener, connections.saturating_sub(1)));
            }
            None if log == "-" => start(io::stdin(), place, send),
            None => {
                let name = escape(log);
                let unreadable = |error: io::Error| format!("{name} cannot be read: {error}");
                let mut file = File::open(log).map_err(unreadable)?;
                let kind = file.metadata().map_err(unreadable)?;
                if kind.is_dir() {
                    return Err(format!("{name} is a folder, not a log"));
                }
                if let Some(judged) = judged.filter(|_| kind.is_file()) {
                    place = judged.find(&mut file, interrupted).map_err(unreadable)?;
                }
                start(file, place, send);
            }
        }
        Ok(Stream { batches, batch: Vec::new().into_iter(), place, peer, more })
    }

    /// The next line; `None` if none came in this time.
    pub(super) fn next(&mut self, patience: Duration) -> Option<Line> {
        let (line, place) = match self.batch.next() {
            Some(next) => next,
            None => match self.batches.recv_timeout(patience) {
                Ok(batch) => {
                    self.batch = batch.into_iter();
                    self.batch.next()?
                }
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => (Line::End, self.place),
            },
        };
        self.place = place;
        match line {
            Line::End => self.next_connection(patience),
            line => Some(line),
        }
    }

    /// Whoever comes next begins anew; after the last one it is over.
    fn next_connection(&mut self, patience: Duration) -> Option<Line> {
        let Some((listener, left)) = self.more.as_mut().filter(|(_, left)| *left > 0) else { return Some(Line::End) };
        self.peer = None;
        match connection(listener) {
            Ok(Some(stream)) => {
                *left -= 1;
                self.peer = answered(&stream);
                let (send, batches) = sync_channel(WAITING);
                self.batches = batches;
                self.place = Place::START;
                start(stream, Place::START, send);
                Some(Line::Anew)
            }
            Ok(None) => {
                std::thread::sleep(patience);
                None
            }
            Err(problem) => {
                *left = 0;
                Some(Line::Broken(problem))
            }
        }
    }

    /// A peer that went away does not hear it.
    pub(super) fn answer(&mut self, text: &str) {
        self.peer.take_if(|peer| peer.write_all(text.as_bytes()).is_err());
    }
}

fn listen(address: &str) -> Result<TcpListener, String> {
    let help = "write `tcp://127.0.0.1:7000`";
    let failed = |error: io::Error| format!("nobody can listen at `{}`: {error}\nhelp: {help}", escape(address));
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

fn start(from: impl Read + Send + 'static, mut place: Place, to: SyncSender<Vec<(Line, Place)>>) {
    std::thread::spawn(move || {
        let mut from = BufReader::with_capacity(BATCH, from);
        let mut over = false;
        while !over {
            let mut batch = Vec::new();
            loop {
                let line = read(&mut from, &mut place).unwrap_or(Line::End);
                over = matches!(line, Line::End | Line::Last(_));
                batch.push((line, place));
                // What is not there yet is not waited for.
                if over || !from.buffer().contains(&b'\n') {
                    break;
                }
            }
            over |= to.send(batch).is_err();
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
    Some(match String::from_utf8(bytes) {
        Ok(text) if whole => Line::Whole(text),
        Ok(text) => Line::Last(text),
        Err(_) => Line::Broken("the line is not UTF-8 text".into()),
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
