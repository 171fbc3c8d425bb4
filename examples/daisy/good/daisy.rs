//! Daisy, a small network file system that several users share. Files and directories are nodes on a disk, one block each; the
//! first block says which nodes are in use. The requirements are `../daisy.play`.
//!
//! Every node has a lock, and so has the first block. Whoever needs several takes the directory before what is in it, and the
//! first block last.

use crate::chance::Chance;
use crate::daisy_disk::{BLOCK, Disk};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub struct Daisy {
    disk: Disk,
    /// What users call the nodes; the first is the root.
    handles: Vec<i64>,
    nodes: Vec<Mutex<()>>,
    in_use: Mutex<()>,
    fault: Option<Fault>,
    delays: Arc<Delays>,
}

/// Locks that a programmer of such a file system could forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another thread can move the position of the disk between seek and transfer.
    SeekWithoutLock,
    /// `creat` looks for the name and enters it without a lock of the directory.
    CreateWithoutLock,
    /// A free node is looked for and marked without a lock.
    AllocateWithoutLock,
    /// `lookup` reads a directory while `unlink` moves its entries.
    LookupWithoutLock,
}

/// The faulty ones, by the names of their folders.
pub const FAULTS: [(&str, Fault); 4] = [
    ("faulty-seek-without-lock", Fault::SeekWithoutLock),
    ("faulty-create-without-lock", Fault::CreateWithoutLock),
    ("faulty-allocate-without-lock", Fault::AllocateWithoutLock),
    ("faulty-lookup-without-lock", Fault::LookupWithoutLock),
];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    pub owner: String,
    pub read_only: bool,
}

/// The call wants more than this file system can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub &'static str);

type Answer<T> = Result<T, TooLarge>;
type Node = usize;

const ROOT: Node = 0;

/// The beginning of each node's block: kind, read-only flag, length of the owner's name, length of the data, the owner's name.
const HEADER: usize = 64;
const OWNER: usize = 8;
const LONGEST_OWNER: usize = HEADER - OWNER;
const LONGEST_FILE: usize = BLOCK - HEADER;

/// An entry of a directory: the length of the name, the name, the node.
const ENTRY: usize = 32;
const LONGEST_NAME: usize = ENTRY - 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Free,
    File,
    Directory,
}

struct Header {
    kind: Kind,
    length: usize,
    attributes: Attributes,
}

impl Daisy {
    /// The handles are those that new nodes may get. A thread is now and then delayed so long, so that others come in between.
    pub fn new(root: i64, handles: &[i64], delay: Duration, fault: Option<Fault>) -> Daisy {
        let handles: Vec<i64> = [root].iter().chain(handles).copied().collect();
        let delays = Arc::new(Delays { chance: Chance::new(), delay });
        let torn = delays.clone();
        let torn = (fault == Some(Fault::SeekWithoutLock)).then(|| Box::new(move || torn.linger()) as Box<_>);
        let daisy = Daisy {
            disk: Disk::new(handles.len() + 1, torn),
            nodes: handles.iter().map(|_| Mutex::new(())).collect(),
            handles,
            in_use: Mutex::new(()),
            fault,
            delays,
        };
        daisy.disk.write(ROOT, &[1]);
        daisy.set_header(ROOT, &Header::new(Kind::Directory));
        daisy
    }

    pub fn creat(&self, directory: i64, name: &str) -> Answer<Option<i64>> {
        self.make(directory, name, Kind::File)
    }

    pub fn mkdir(&self, directory: i64, name: &str) -> Answer<Option<i64>> {
        self.make(directory, name, Kind::Directory)
    }

    fn make(&self, directory: i64, name: &str, kind: Kind) -> Answer<Option<i64>> {
        if name.len() > LONGEST_NAME {
            return Err(TooLarge("the name is too long"));
        }
        let Some(directory) = self.node(directory) else { return Ok(None) };
        let _directory = self.lock_unless(Fault::CreateWithoutLock, directory);
        if self.header(directory).kind != Kind::Directory || self.find(directory, name).is_some() {
            return Ok(None);
        }
        self.delays.linger();
        let Some(node) = self.allocate() else { return Ok(None) };
        let _node = self.lock(node);
        self.set_header(node, &Header::new(kind));
        let end = self.header(directory).length;
        self.set_entry(directory, end, name, node);
        self.set_length(directory, end + ENTRY);
        Ok(Some(self.handles[node]))
    }

    pub fn lookup(&self, directory: i64, name: &str) -> Option<i64> {
        let directory = self.node(directory)?;
        let _directory = self.lock_unless(Fault::LookupWithoutLock, directory);
        if self.header(directory).kind != Kind::Directory {
            return None;
        }
        self.find(directory, name).map(|(_, node)| self.handles[node])
    }

    /// A directory that holds something must stay.
    pub fn unlink(&self, directory: i64, name: &str) -> bool {
        let Some(directory) = self.node(directory) else { return false };
        let _directory = self.lock(directory);
        if self.header(directory).kind != Kind::Directory {
            return false;
        }
        // An entry that was torn may name the directory itself.
        let Some((place, node)) = self.find(directory, name).filter(|&(_, node)| node != directory) else {
            return false;
        };
        let _node = self.lock(node);
        let target = self.header(node);
        if target.kind == Kind::Directory && target.length > 0 {
            return false;
        }
        self.compact(directory, place);
        self.set_header(node, &Header::new(Kind::Free));
        self.release(node);
        true
    }

    /// The last entry takes the place of the one that goes.
    fn compact(&self, directory: Node, place: usize) {
        let last = self.header(directory).length.saturating_sub(ENTRY);
        let entry = self.disk.read(data(directory) + last, ENTRY);
        self.disk.write(data(directory) + place, &entry);
        self.disk.write(data(directory) + last, &[0; ENTRY]);
        self.set_length(directory, last);
    }

    pub fn read(&self, handle: i64, offset: usize, n: usize) -> Option<Vec<u8>> {
        let node = self.node(handle)?;
        let _node = self.lock(node);
        let header = self.file(node)?;
        let start = offset.min(header.length);
        let end = start.saturating_add(n).min(header.length);
        Some(self.disk.read(data(node) + start, end - start))
    }

    /// How many bytes were written. Writing beyond the end fills the gap with zeros.
    pub fn write(&self, handle: i64, offset: usize, bytes: &[u8]) -> Answer<Option<usize>> {
        let end = offset.saturating_add(bytes.len());
        if end > LONGEST_FILE {
            return Err(TooLarge("the file is too long"));
        }
        let Some(node) = self.node(handle) else { return Ok(None) };
        let _node = self.lock(node);
        let Some(header) = self.file(node).filter(|header| !header.attributes.read_only) else { return Ok(None) };
        if offset > header.length {
            self.disk.write(data(node) + header.length, &vec![0; offset - header.length]);
        }
        self.disk.write(data(node) + offset, bytes);
        self.set_length(node, header.length.max(end));
        Ok(Some(bytes.len()))
    }

    pub fn get_attr(&self, handle: i64) -> Option<Attributes> {
        let node = self.node(handle)?;
        let _node = self.lock(node);
        self.file(node).map(|header| header.attributes)
    }

    pub fn set_attr(&self, handle: i64, attributes: Attributes) -> Answer<bool> {
        if attributes.owner.len() > LONGEST_OWNER {
            return Err(TooLarge("the owner's name is too long"));
        }
        let Some(node) = self.node(handle) else { return Ok(false) };
        let _node = self.lock(node);
        let Some(header) = self.file(node) else { return Ok(false) };
        self.set_header(node, &Header { attributes, ..header });
        Ok(true)
    }

    /// The place of a name in a directory, and the node that it stands for.
    fn find(&self, directory: Node, name: &str) -> Option<(usize, Node)> {
        let length = self.header(directory).length.min(LONGEST_FILE);
        for place in (0..length).step_by(ENTRY) {
            let entry = self.disk.read(data(directory) + place, ENTRY);
            let length = usize::from(entry[0]).min(LONGEST_NAME);
            let node = usize::from(entry[ENTRY - 1]);
            // An entry that was torn may name a node that is not there.
            if entry[1..=length] == *name.as_bytes() && node < self.handles.len() {
                return Some((place, node));
            }
            self.delays.linger();
        }
        None
    }

    fn set_entry(&self, directory: Node, place: usize, name: &str, node: Node) {
        let mut entry = [0; ENTRY];
        entry[0] = name.len() as u8;
        entry[1..=name.len()].copy_from_slice(name.as_bytes());
        entry[ENTRY - 1] = node as u8;
        self.disk.write(data(directory) + place, &entry);
    }

    fn allocate(&self) -> Option<Node> {
        let _in_use = (self.fault != Some(Fault::AllocateWithoutLock)).then(|| lock(&self.in_use));
        let marks = self.disk.read(0, self.handles.len());
        let node = marks.iter().position(|&mark| mark == 0)?;
        self.delays.linger();
        self.disk.write(node, &[1]);
        Some(node)
    }

    fn release(&self, node: Node) {
        let _in_use = lock(&self.in_use);
        self.disk.write(node, &[0]);
    }

    fn file(&self, node: Node) -> Option<Header> {
        Some(self.header(node)).filter(|header| header.kind == Kind::File)
    }

    fn header(&self, node: Node) -> Header {
        let bytes = self.disk.read(block(node), HEADER);
        let owner = usize::from(bytes[2]).min(LONGEST_OWNER);
        Header {
            kind: match bytes[0] {
                1 => Kind::File,
                2 => Kind::Directory,
                _ => Kind::Free,
            },
            length: usize::from(u16::from_le_bytes([bytes[4], bytes[5]])).min(LONGEST_FILE),
            attributes: Attributes {
                owner: String::from_utf8_lossy(&bytes[OWNER..OWNER + owner]).into_owned(),
                read_only: bytes[1] != 0,
            },
        }
    }

    fn set_header(&self, node: Node, header: &Header) {
        let owner = header.attributes.owner.as_bytes();
        let mut bytes = [0; HEADER];
        bytes[0] = header.kind as u8;
        bytes[1] = u8::from(header.attributes.read_only);
        bytes[2] = owner.len() as u8;
        bytes[4..6].copy_from_slice(&(header.length as u16).to_le_bytes());
        bytes[OWNER..OWNER + owner.len()].copy_from_slice(owner);
        self.disk.write(block(node), &bytes);
    }

    fn set_length(&self, node: Node, length: usize) {
        self.disk.write(block(node) + 4, &(length as u16).to_le_bytes());
    }

    fn node(&self, handle: i64) -> Option<Node> {
        self.handles.iter().position(|&known| known == handle)
    }

    fn lock(&self, node: Node) -> MutexGuard<'_, ()> {
        lock(&self.nodes[node])
    }

    fn lock_unless(&self, forgotten: Fault, node: Node) -> Option<MutexGuard<'_, ()>> {
        (self.fault != Some(forgotten)).then(|| self.lock(node))
    }
}

impl Header {
    fn new(kind: Kind) -> Header {
        Header { kind, length: 0, attributes: Attributes { owner: "nobody".into(), read_only: false } }
    }
}

struct Delays {
    chance: Chance,
    delay: Duration,
}

impl Delays {
    fn linger(&self) {
        if self.chance.one_in(4) {
            std::thread::sleep(self.delay);
        }
    }
}

fn lock(mutex: &Mutex<()>) -> MutexGuard<'_, ()> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the block of a node begins; the first block says which nodes are in use.
fn block(node: Node) -> usize {
    (node + 1) * BLOCK
}

fn data(node: Node) -> usize {
    block(node) + HEADER
}
