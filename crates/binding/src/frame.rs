//! Where a message begins and ends on the wire: lines, RESP (the protocol of Redis), or frames behind their length. Messages of WebSocket are whole already.

use crate::problem::{Problems, meant};
use crate::rule::Heard;
use crate::table::Table;
use crate::template::plain;
use serde_json::{Value as Json, json};

/// A message may not be longer than this.
const LONGEST: usize = 16 << 20;
/// RESP inside of RESP.
const DEEPEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    kind: Kind,
    /// What is sent behind a line.
    newline: String,
    /// Messages are JSON: `{$.name}`.
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lines,
    Resp,
    /// Of so many bytes, the highest first.
    Length(usize),
}

const KINDS: [(&str, Kind); 5] = [
    ("lines", Kind::Lines),
    ("resp", Kind::Resp),
    ("length8", Kind::Length(1)),
    ("length16", Kind::Length(2)),
    ("length32", Kind::Length(4)),
];

impl Default for Frame {
    fn default() -> Frame {
        Frame { kind: Kind::Lines, newline: "\n".into(), json: false }
    }
}

impl Frame {
    pub(crate) fn read(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<Frame> {
        let kind = match table.text("frame", problems) {
            None => Kind::Lines,
            Some((name, span)) => match KINDS.iter().find(|(known, _)| *known == name) {
                Some((_, kind)) => *kind,
                None => {
                    let help = meant(name, KINDS.iter().map(|(name, _)| *name));
                    problems.add(&span, format!("there is no frame `{name}`"), help);
                    Kind::Lines
                }
            },
        };
        let newline = table.text("newline", problems).map_or("\n", |(text, _)| text);
        Some(Frame { kind, newline: newline.into(), json: table.truth("json", problems) })
    }

    pub(crate) fn is_resp(&self) -> bool {
        self.kind == Kind::Resp
    }

    /// A message as it is shown.
    pub(crate) fn shown(value: &Json) -> String {
        match value {
            Json::String(text) => text.clone(),
            Json::Array(words) if words.iter().all(|word| !word.is_array() && !word.is_object()) => {
                words.iter().map(plain).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        }
    }

    /// The error says why this cannot be sent.
    pub(crate) fn encode(&self, value: &Json) -> Result<Vec<u8>, String> {
        let text = match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        match self.kind {
            Kind::Lines if text.contains('\n') => {
                Err(format!("a line cannot contain a line end: {}", text.escape_debug()))
            }
            Kind::Lines => Ok((text + &self.newline).into_bytes()),
            Kind::Resp => Ok(request(value)),
            Kind::Length(bytes) => {
                let length = (text.len() as u32).to_be_bytes();
                let (lost, kept) = length.split_at(4 - bytes);
                if lost.iter().any(|byte| *byte != 0) {
                    return Err(format!("{} bytes do not fit a frame of length{}", text.len(), bytes * 8));
                }
                Ok([kept, text.as_bytes()].concat())
            }
        }
    }

    /// Takes the first whole message; the error says why nothing can be read any more.
    pub(crate) fn take(&self, inbox: &mut Vec<u8>) -> Result<Option<Heard>, String> {
        let found = match self.kind {
            Kind::Lines => inbox.iter().position(|byte| *byte == b'\n').map(|end| (line(&inbox[..end]), end + 1)),
            Kind::Resp => reply(inbox, 0)?.map(|(value, text, used)| (Heard { text, value, ..Heard::default() }, used)),
            Kind::Length(bytes) => inbox.get(..bytes).and_then(|length| {
                let length = length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
                inbox.get(bytes..bytes + length).map(|body| (line(body), bytes + length))
            }),
        };
        let Some((mut heard, used)) = found else {
            let too_long = inbox.len() > LONGEST;
            return if too_long { Err(format!("a message is longer than {LONGEST} bytes")) } else { Ok(None) };
        };
        inbox.drain(..used);
        self.understand(&mut heard);
        Ok(Some(heard))
    }

    /// What stands before the end of the connection without being whole.
    pub(crate) fn rest(&self, inbox: &mut Vec<u8>) -> Option<Heard> {
        let rest = std::mem::take(inbox);
        if self.kind != Kind::Lines || rest.is_empty() {
            return None;
        }
        let mut heard = line(&rest);
        self.understand(&mut heard);
        Some(heard)
    }

    /// JSON is read as JSON, if the messages are such.
    pub(crate) fn understand(&self, heard: &mut Heard) {
        if self.json {
            heard.value = serde_json::from_str(&heard.text).unwrap_or(Json::Null);
        }
    }
}

fn line(bytes: &[u8]) -> Heard {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes).into_owned();
    Heard { value: text.clone().into(), text, ..Heard::default() }
}

/// A request of RESP: a list of texts.
fn request(value: &Json) -> Vec<u8> {
    let words: Vec<String> = match value {
        Json::Array(words) => words.iter().map(plain).collect(),
        other => vec![plain(other)],
    };
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend(format!("${}\r\n{word}\r\n", word.len()).into_bytes());
    }
    bytes
}

type Reply = (Json, String, usize);

/// A value of RESP 2 or 3: as JSON, as a text that begins with its type, and how long it is. `None`: it is not whole yet.
fn reply(bytes: &[u8], depth: usize) -> Result<Option<Reply>, String> {
    let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") else { return Ok(None) };
    let Some((kind, head)) = bytes[..end].split_first() else { return Err("an empty line is no RESP".into()) };
    let (head, after) = (String::from_utf8_lossy(head).into_owned(), end + 2);
    let count = || head.parse::<i64>().map_err(|_| format!("`{head}` is no length of RESP"));
    Ok(Some(match kind {
        b'+' => (head.clone().into(), format!("+{head}"), after),
        b'-' => (json!({ "error": head }), format!("-{head}"), after),
        b':' => (count()?.into(), format!(":{head}"), after),
        b'(' | b',' => (head.clone().into(), format!(":{head}"), after),
        b'#' => ((head == "t").into(), format!("#{head}"), after),
        b'_' => (Json::Null, "_".into(), after),
        b'$' | b'=' | b'!' => {
            let Ok(length) = usize::try_from(count()?) else { return Ok(Some((Json::Null, "_".into(), after))) };
            let Some(body) = bytes.get(after..after + length + 2) else { return Ok(None) };
            let text = String::from_utf8_lossy(&body[..length]).into_owned();
            let shown = format!("{}{text}", if *kind == b'!' { '-' } else { '$' });
            (text.into(), shown, after + length + 2)
        }
        b'*' | b'>' | b'~' | b'%' => {
            if depth > DEEPEST {
                return Err(format!("RESP is nested more than {DEEPEST} times"));
            }
            let Ok(count) = usize::try_from(count()?) else { return Ok(Some((Json::Null, "_".into(), after))) };
            let (mut items, mut text, mut used) = (Vec::new(), char::from(*kind).to_string(), after);
            for _ in 0..if *kind == b'%' { count * 2 } else { count } {
                let Some((item, shown, length)) = reply(&bytes[used..], depth + 1)? else { return Ok(None) };
                text += if items.is_empty() { "" } else { " " };
                text += shown.trim_start_matches(['$', '+', ':']);
                items.push(item);
                used += length;
            }
            (items.into(), text, used)
        }
        other => return Err(format!("`{}` begins no value of RESP", char::from(*other).escape_debug())),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(kind: Kind, bytes: &[u8]) -> (Vec<(String, Json)>, usize) {
        let (frame, mut inbox, mut all) = (Frame { kind, ..Frame::default() }, bytes.to_vec(), Vec::new());
        while let Ok(Some(heard)) = frame.take(&mut inbox) {
            all.push((heard.text, heard.value));
        }
        (all, inbox.len())
    }

    #[test]
    fn messages_are_taken_when_they_are_whole() {
        assert_eq!(
            taken(Kind::Lines, b"one\r\ntwo\nth"),
            (vec![("one".into(), json!("one")), ("two".into(), json!("two"))], 2)
        );
        assert_eq!(taken(Kind::Length(2), b"\0\x02hi\0\x05wo"), (vec![("hi".into(), json!("hi"))], 4));
    }

    #[test]
    fn resp_is_read() {
        let (all, rest) = taken(
            Kind::Resp,
            b"+OK\r\n:3\r\n$-1\r\n*2\r\n$1\r\na\r\n:7\r\n>2\r\n$3\r\nmsg\r\n$1\r\nx\r\n-ERR no\r\n$5\r\nab",
        );
        let expected = [
            ("+OK", json!("OK")),
            (":3", json!(3)),
            ("_", Json::Null),
            ("*a 7", json!(["a", 7])),
            (">msg x", json!(["msg", "x"])),
            ("-ERR no", json!({ "error": "ERR no" })),
        ];
        assert_eq!(all, expected.map(|(text, value)| (text.to_string(), value)));
        assert_eq!(rest, 6);
        let frame = Frame { kind: Kind::Resp, ..Frame::default() };
        assert_eq!(frame.encode(&json!(["GET", "k"])), Ok(b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n".to_vec()));
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        assert!(Frame::default().encode(&json!("two\nlines")).is_err());
        assert!(Frame { kind: Kind::Length(1), ..Frame::default() }.encode(&json!("x".repeat(300))).is_err());
    }
}
