//! A search that is kept on disk and taken up again, also after the program was killed.
//!
//! What is kept are the layers and the counts at the beginning of a layer; everything else follows from them. Layers never
//! change, so each time only the new ones are written, in a file of their own, and then the file that lists them
//! ([`SEARCH`]) is replaced in one go. Rows are written in the words of the system ([`crate::System::save`]), because
//! numbers of interned values mean something else in the next process.

use crate::{Rows, System};
use interplay_visited::Layers;
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// The file that lists the others.
const SEARCH: &str = "search.json";
/// Raised when the files change their meaning.
const FORMAT: u64 = 1;
/// More than this costs more time than the disk.
const LEVEL: i32 = 1;

/// Named files in a folder of their own.
pub trait Keep: Sync {
    /// It is time to write again.
    fn due(&self) -> bool;

    /// Writes a file: completely or not at all, whatever happens.
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// `None` if there is no such file.
    fn read(&self, name: &str) -> io::Result<Option<Box<dyn Read>>>;

    fn remove(&self, name: &str);
}

/// What was noted beside the layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The system's own notes.
    pub(crate) notes: String,
    /// For each file with layers how many are in it.
    parts: Vec<u64>,
    pub(crate) counts: Vec<u64>,
    /// States that are findings, with their depths.
    pub(crate) findings: Vec<(u64, Vec<u8>)>,
}

/// The notes of a system whose search was kept, if one was.
pub fn kept_notes(keep: &dyn Keep) -> io::Result<Option<String>> {
    Ok(Kept::read(keep)?.map(|kept| kept.notes))
}

impl Kept {
    pub(crate) fn new(notes: String) -> Kept {
        Kept { notes, ..Kept::default() }
    }

    /// Writes the layers that are not written yet, then the list.
    pub(crate) fn write<Y: System>(&mut self, keep: &dyn Keep, system: &Y, layers: &Layers<'_>) -> io::Result<()> {
        let first = self.parts.iter().sum::<u64>() as usize;
        let name = self.part(self.parts.len());
        keep.write(&name, &mut |file| {
            let mut packed = zstd::stream::write::Encoder::new(file, LEVEL)?;
            for layer in first..layers.len() {
                write_layer(&mut packed, system, layers, layer)?;
            }
            packed.finish().map(|_| ())
        })?;
        self.parts.push((layers.len() - first) as u64);
        let findings: Vec<Value> =
            self.findings.iter().map(|(depth, row)| json!({ "depth": depth, "row": row })).collect();
        let list = json!({
            "format": FORMAT,
            "notes": self.notes,
            "parts": self.parts,
            "counts": self.counts,
            "findings": findings,
        });
        keep.write(SEARCH, &mut |file| file.write_all(list.to_string().as_bytes()))
    }

    pub(crate) fn read(keep: &dyn Keep) -> io::Result<Option<Kept>> {
        let Some(mut file) = keep.read(SEARCH)? else { return Ok(None) };
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Kept::parsed(&text).map(Some).ok_or_else(broken)
    }

    fn parsed(text: &str) -> Option<Kept> {
        let list: Value = serde_json::from_str(text).ok()?;
        let numbers = |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let finding = |each: &Value| {
            let row = numbers(&each["row"])?.into_iter().map(|byte| u8::try_from(byte).ok()).collect::<Option<_>>()?;
            Some((each["depth"].as_u64()?, row))
        };
        (list["format"] == FORMAT).then_some(())?;
        Some(Kept {
            notes: list["notes"].as_str()?.into(),
            parts: numbers(&list["parts"])?,
            counts: numbers(&list["counts"])?,
            findings: list["findings"].as_array()?.iter().map(finding).collect::<Option<_>>()?,
        })
    }

    /// Hands out the layers, in order.
    pub(crate) fn layers<Y: System>(
        &self,
        keep: &dyn Keep,
        system: &Y,
        take: &mut dyn FnMut(Rows) -> io::Result<()>,
    ) -> io::Result<()> {
        for (part, count) in self.parts.iter().enumerate() {
            let file = keep.read(&self.part(part))?.ok_or_else(broken)?;
            let mut packed = zstd::stream::read::Decoder::new(file)?;
            for _ in 0..*count {
                take(read_layer(&mut packed, system)?)?;
            }
        }
        Ok(())
    }

    /// Files of systems with other notes, and so other rows, have other names.
    fn part(&self, part: usize) -> String {
        format!("layers-{}{part}", self.notes)
    }
}

/// How many rows, then pieces of some rows: the bytes of the piece, then the piece; no bytes at the end.
fn write_layer<Y: System>(file: &mut impl Write, system: &Y, layers: &Layers<'_>, layer: usize) -> io::Result<()> {
    let mut result = Ok(());
    let mut bytes = Vec::new();
    layers.look(layer, &mut |rows| {
        for piece in rows.words.chunks(system.width() << 12) {
            bytes.clear();
            let saved = piece.chunks_exact(system.width()).all(|row| system.save(row, &mut bytes));
            result = match saved {
                true => file.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| file.write_all(&bytes)),
                false => Err(io::Error::other("checkpoints do not support this kind of model")),
            };
            if result.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    result?;
    file.write_all(&0u64.to_le_bytes())
}

fn read_layer<Y: System>(file: &mut impl Read, system: &Y) -> io::Result<Rows> {
    let mut rows = Rows::default();
    loop {
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length == 0 {
            return Ok(rows);
        }
        let mut piece = Vec::new();
        file.take(length).read_to_end(&mut piece)?;
        let mut rest = &piece[..];
        while !rest.is_empty() {
            if !system.load(&mut rest, &mut rows) {
                return Err(broken());
            }
        }
    }
}

pub(crate) fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the checkpoint is damaged, or of another version of this program")
}
