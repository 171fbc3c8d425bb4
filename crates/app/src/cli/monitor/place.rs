//! How much of a log was judged, so that none of it is judged again: so many bytes and lines, and what they were. A log that begins
//! with just these bytes is the same one, grown meanwhile; its name may be another.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    bytes: u64,
    pub(super) lines: u64,
    /// Of all these bytes, one after the other (FNV-1a): it is kept in files, so it must never change.
    hash: u64,
}

impl Place {
    pub(super) const START: Place = Place { bytes: 0, lines: 0, hash: 0xcbf2_9ce4_8422_2325 };

    /// Goes on over what was read.
    pub(super) fn over(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash = bytes.iter().fold(self.hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    }

    /// Puts the file there if it begins with what was judged; otherwise at its beginning. Answers where it is now.
    pub(super) fn find(self, file: &mut File, interrupted: &AtomicBool) -> io::Result<Place> {
        let mut reader = BufReader::new(&mut *file).take(self.bytes);
        let (mut here, mut last) = (Place { lines: self.lines, ..Place::START }, b'\n');
        loop {
            // Nothing will be read, so it stays where it was.
            if interrupted.load(Ordering::Relaxed) {
                return Ok(self);
            }
            let bytes = reader.fill_buf()?;
            let Some(end) = bytes.last() else { break };
            last = *end;
            here.over(bytes);
            let read = bytes.len();
            reader.consume(read);
        }
        if here != self {
            here = Place::START;
        } else if last != b'\n' && reader.into_inner().fill_buf()?.starts_with(b"\n") {
            // The last line was judged without its end, which is there now.
            here.over(b"\n");
        }
        file.seek(SeekFrom::Start(here.bytes))?;
        Ok(here)
    }

    pub(super) fn to_json(self) -> Value {
        json!({ "bytes": self.bytes, "lines": self.lines, "hash": format!("{:016x}", self.hash) })
    }

    pub(super) fn from_json(value: &Value) -> Option<Place> {
        let hash = u64::from_str_radix(value.get("hash")?.as_str()?, 16).ok()?;
        Some(Place { bytes: value.get("bytes")?.as_u64()?, lines: value.get("lines")?.as_u64()?, hash })
    }
}
