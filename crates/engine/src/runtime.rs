//! What compiled code calls: operations on interned values, and growing the output buffer.
//!
//! Every function takes the [`Frame`] of the running expansion. A function that cannot answer (an index outside, a key that
//! is absent) sets [`Frame::fault`]; compiled code looks at it after each call and gives the step up. Results of pure operations on
//! handles are remembered in a small table per worker, because the same few values meet again and again.

#![allow(unsafe_code)]

use interplay_rows::Kind;
use interplay_rows::Store;
use interplay_semantics::{LIMIT, Value};
use std::cmp::Ordering;

/// Shared between compiled code and the runtime. Compiled code knows the offsets of the first fields.
#[repr(C)]
pub(crate) struct Frame {
    /// Where the next successor goes.
    pub(crate) out: *mut u64,
    /// Where the buffer ends.
    pub(crate) end: *mut u64,
    /// Set when a step is an error of the model.
    pub(crate) error: u64,
    /// Set by a runtime function that failed; cleared by compiled code.
    pub(crate) fault: u64,
    /// Bits of violated properties.
    pub(crate) violated: u64,
    /// One more than the part that needs more room: variables first, then object types.
    pub(crate) widen: u64,
    /// Whether an input, and whether anything else, is possible.
    pub(crate) inputs: u64,
    pub(crate) others: u64,
    /// Whether the system can do something by itself, also what the setup does not keep.
    pub(crate) active: u64,
    /// The answers to the tests of those who watch, one byte each: false, true, or an error.
    pub(crate) letter: *mut u8,
    /// The function that is told of steps, the row after the step, whether all went well, and the event that began it.
    pub(crate) watch: *const u8,
    pub(crate) fresh: *mut u64,
    pub(crate) told: u64,
    pub(crate) event: *mut u64,
    letters: Vec<u8>,
    events: Vec<u64>,
    pub(crate) buffer: Vec<u64>,
    pub(crate) build: Vec<u64>,
    pub(crate) marks: Vec<usize>,
    /// What the step at hand has emitted: the action, then the words of its arguments.
    pub(crate) emitted: Vec<Vec<u64>>,
    /// Where the outputs of the component at hand begin, and those of its outputs that an earlier component had emitted already.
    own_from: usize,
    absorbed: Vec<Vec<u64>>,
    /// What an event must have to be the one asked for: positions and words.
    pub(crate) asked: Vec<(u64, u64)>,
    /// Operation, operands, result; operations are numbered from one, so zeroes are no entry.
    pub(crate) memo: Vec<(u64, u64, u64, u64)>,
    pub(crate) store: *const Store,
    pub(crate) kinds: *const Vec<Kind>,
}

pub(crate) const OUT: i32 = 0;
pub(crate) const END: i32 = 8;
pub(crate) const ERROR: i32 = 16;
pub(crate) const FAULT: i32 = 24;
pub(crate) const VIOLATED: i32 = 32;
pub(crate) const WIDEN: i32 = 40;
pub(crate) const INPUTS: i32 = 48;
pub(crate) const OTHERS: i32 = 56;
pub(crate) const ACTIVE: i32 = 64;
pub(crate) const LETTER: i32 = 72;
pub(crate) const WATCH: i32 = 80;
pub(crate) const FRESH: i32 = 88;
pub(crate) const TOLD: i32 = 96;
pub(crate) const EVENT: i32 = 104;

/// Slots of the memory of results.
const MEMO: usize = 1 << 15;

impl Frame {
    pub(crate) fn new(store: *const Store, kinds: *const Vec<Kind>, tests: usize, event: usize) -> Frame {
        let null = std::ptr::null_mut();
        let (mut letters, mut events) = (vec![0; tests], vec![0; event]);
        Frame {
            out: null,
            end: null,
            error: 0,
            fault: 0,
            violated: 0,
            widen: 0,
            inputs: 0,
            others: 0,
            active: 0,
            letter: letters.as_mut_ptr(),
            watch: std::ptr::null(),
            fresh: null,
            told: 0,
            event: events.as_mut_ptr(),
            letters,
            events,
            buffer: vec![0; 1 << 10],
            build: Vec::new(),
            marks: Vec::new(),
            emitted: Vec::new(),
            own_from: 0,
            absorbed: Vec::new(),
            asked: Vec::new(),
            memo: vec![(0, 0, 0, 0); MEMO],
            store,
            kinds,
        }
    }

    fn store(&self) -> &'static Store {
        // SAFETY: the program owns the store and outlives every frame; see `Program::expand`.
        unsafe { &*self.store }
    }

    fn kind(&self, id: u64) -> &'static Kind {
        // SAFETY: as above; the table is complete before any code runs.
        unsafe { &(&*self.kinds)[id as usize] }
    }

    fn fail(&mut self) -> u64 {
        self.fault = 1;
        0
    }

    /// The result of a pure operation, remembered.
    fn remembered(&mut self, operation: u64, left: u64, right: u64, compute: impl FnOnce(&mut Frame) -> u64) -> u64 {
        let slot = (left.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ right.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ operation.wrapping_mul(0xA076_1D64_78BD_642F))
            >> 49;
        let known = self.memo[slot as usize];
        if (known.0, known.1, known.2) == (operation, left, right) {
            return known.3;
        }
        let result = compute(self);
        if self.fault == 0 {
            self.memo[slot as usize] = (operation, left, right, result);
        }
        result
    }
}

/// A function with its name and how many words it takes besides the frame.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) address: *const u8,
    pub(crate) args: usize,
}

macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($frame:ident $(, $arg:ident)*) $body:block)*) => {
        $($(#[$doc])* extern "C" fn $name($frame: *mut Frame $(, $arg: u64)*) -> u64 {
            // SAFETY: compiled code passes the frame that it was given, and nothing else uses it meanwhile.
            let $frame = unsafe { &mut *$frame };
            $body
        })*

        pub(crate) fn table() -> Vec<Function> {
            vec![$(Function { name: stringify!($name), address: $name as *const u8, args: { let names: &[&str] = &[$(stringify!($arg)),*]; names.len() } }),*]
        }
    };
}

functions! {
    /// Makes room for more successors; the rows so far are kept.
    fn grow(frame, words) {
        let used = (frame.out as usize - frame.buffer.as_ptr() as usize) / 8;
        let size = (frame.buffer.len() * 2).max(used + words as usize);
        frame.buffer.resize(size, 0);
        // SAFETY: `used` lies within the buffer.
        frame.out = unsafe { frame.buffer.as_mut_ptr().add(used) };
        frame.end = unsafe { frame.buffer.as_mut_ptr().add(size) };
        0
    }

    /// The address of a list: its length, then its words.
    fn list(frame, handle) { frame.store().address(handle) as u64 }
    fn with_at(frame, handle, index, word) {
        let mut words = frame.store().words(handle).to_vec();
        let Some(place) = usize::try_from(index as i64).ok().and_then(|index| words.get_mut(index)) else { return frame.fail() };
        *place = word;
        frame.store().intern(&words)
    }
    fn append(frame, handle, word) {
        frame.remembered(1, handle, word, |frame| {
            if frame.store().words(handle).len() >= LIMIT { return frame.fail() }
            let mut words = frame.store().words(handle).to_vec();
            words.push(word);
            frame.store().intern(&words)
        })
    }
    fn concat(frame, left, right) {
        frame.remembered(2, left, right, |frame| {
            let parts = [frame.store().words(left), frame.store().words(right)];
            if parts.iter().map(|part| part.len()).sum::<usize>() > LIMIT { return frame.fail() }
            let words = parts.concat();
            frame.store().intern(&words)
        })
    }
    /// The first words, as many as asked for or there are.
    fn take(frame, handle, count) {
        let words = frame.store().words(handle);
        let count = (count as i64).clamp(0, words.len() as i64) as usize;
        frame.store().intern(&words[..count])
    }
    fn drop_words(frame, handle, count) {
        frame.remembered(3, handle, count, |frame| {
            let words = frame.store().words(handle);
            let count = (count as i64).clamp(0, words.len() as i64) as usize;
            frame.store().intern(&words[count..])
        })
    }
    fn reverse(frame, handle) {
        let words: Vec<u64> = frame.store().words(handle).iter().rev().copied().collect();
        frame.store().intern(&words)
    }
    fn starts_with(frame, handle, prefix) { u64::from(frame.store().words(handle).starts_with(frame.store().words(prefix))) }
    fn contains(frame, handle, word) { u64::from(frame.store().words(handle).contains(&word)) }
    fn subset(frame, left, right) {
        let all = frame.store().words(right);
        u64::from(frame.store().words(left).iter().all(|word| all.contains(word)))
    }

    /// Sets: sorted by the order of the language.
    fn set_add(frame, handle, word, kind) {
        frame.remembered(4 | kind << 8, handle, word, |frame| {
            let mut words = frame.store().words(handle).to_vec();
            if let Err(at) = position(frame, kind, &words, 1, word) { words.insert(at, word); }
            frame.store().intern(&words)
        })
    }
    fn set_remove(frame, handle, word) {
        frame.remembered(5, handle, word, |frame| {
            let words: Vec<u64> = frame.store().words(handle).iter().copied().filter(|other| *other != word).collect();
            frame.store().intern(&words)
        })
    }
    fn set_union(frame, left, right, kind) {
        frame.remembered(6 | kind << 8, left, right, |frame| {
            let mut words = [frame.store().words(left), frame.store().words(right)].concat();
            sort(frame, kind, &mut words);
            frame.store().intern(&words)
        })
    }
    fn set_minus(frame, left, right) {
        let without = frame.store().words(right);
        let words: Vec<u64> = frame.store().words(left).iter().copied().filter(|word| !without.contains(word)).collect();
        frame.store().intern(&words)
    }
    fn set_both(frame, left, right) {
        let with = frame.store().words(right);
        let words: Vec<u64> = frame.store().words(left).iter().copied().filter(|word| with.contains(word)).collect();
        frame.store().intern(&words)
    }

    /// One more than the position of a key among the pairs of a map; zero if it is absent.
    fn map_find(frame, handle, key) {
        let words = frame.store().words(handle);
        words.iter().step_by(2).position(|word| *word == key).map_or(0, |index| 2 * index as u64 + 1)
    }
    fn map_put(frame, handle, key, value, kind) {
        // The key is part of the operation's number; one that does not fit there is not remembered.
        if key >= 1 << 32 {
            return with_entry(frame, handle, key, value, kind);
        }
        frame.remembered(7 | kind << 8 | key << 32, handle, value, |frame| with_entry(frame, handle, key, value, kind))
    }
    fn map_join(frame, left, right, kind) {
        let mut words = frame.store().words(left).to_vec();
        for pair in frame.store().words(right).chunks_exact(2) {
            match position(frame, kind, &words, 2, pair[0]) {
                Ok(at) => words[at + 1] = pair[1],
                Err(at) => drop(words.splice(at..at, [pair[0], pair[1]])),
            }
        }
        frame.store().intern(&words)
    }
    fn map_remove(frame, handle, key) {
        let pairs = frame.store().words(handle).chunks_exact(2).filter(|pair| pair[0] != key);
        let words: Vec<u64> = pairs.flatten().copied().collect();
        frame.store().intern(&words)
    }
    fn map_keys(frame, handle) {
        let words: Vec<u64> = frame.store().words(handle).iter().step_by(2).copied().collect();
        frame.store().intern(&words)
    }
    fn map_values(frame, handle) {
        let words: Vec<u64> = frame.store().words(handle).iter().skip(1).step_by(2).copied().collect();
        frame.store().intern(&words)
    }

    /// Collects words for a new value. Collections nest: each has its mark.
    fn build_begin(frame) { frame.marks.push(frame.build.len()); 0 }
    fn build_push(frame, word) { frame.build.push(word); 0 }
    fn build_seq(frame) {
        let mark = frame.marks.pop().unwrap_or(0);
        let words: Vec<u64> = frame.build.drain(mark..).collect();
        frame.store().intern(&words)
    }
    fn build_set(frame, kind) {
        let mark = frame.marks.pop().unwrap_or(0);
        let mut words: Vec<u64> = frame.build.drain(mark..).collect();
        sort(frame, kind, &mut words);
        frame.store().intern(&words)
    }
    fn build_map(frame, kind) {
        let mark = frame.marks.pop().unwrap_or(0);
        let pairs: Vec<u64> = frame.build.drain(mark..).collect();
        let mut words: Vec<u64> = Vec::new();
        for pair in pairs.chunks_exact(2) {
            match position(frame, kind, &words, 2, pair[0]) {
                Ok(at) => words[at + 1] = pair[1],
                Err(at) => drop(words.splice(at..at, [pair[0], pair[1]])),
            }
        }
        frame.store().intern(&words)
    }
    /// Gives up all collections that a failed step left behind.
    fn build_clear(frame) { frame.marks.clear(); frame.build.clear(); 0 }

    fn emit_clear(frame) { frame.emitted.clear(); frame.own_from = 0; frame.absorbed.clear(); 0 }
    /// How many were emitted so far; what comes after can be forgotten by `emit_keep`, with which another component begins.
    fn emit_count(frame) { frame.emitted.len() as u64 }
    fn emit_keep(frame, count) {
        frame.emitted.truncate(count as usize);
        frame.own_from = count as usize;
        frame.absorbed.clear();
        0
    }
    fn emit_begin(frame, action) { frame.emitted.push(vec![action]); 0 }
    fn emit_arg(frame, word) {
        if let Some(last) = frame.emitted.last_mut() { last.push(word); }
        0
    }
    /// The signal is complete: one if it is new, zero if the step has it already.
    fn emit_end(frame) {
        let Some(last) = frame.emitted.pop() else { return 0 };
        if frame.emitted.contains(&last) { return 0; }
        frame.emitted.push(last);
        1
    }
    /// The output of a reaction is complete. Outputs are a bag, but equal ones of different components are one: zero if an earlier
    /// component has emitted it as often.
    fn emit_output(frame) {
        let Some(last) = frame.emitted.pop() else { return 0 };
        let times = |events: &[Vec<u64>]| events.iter().filter(|event| **event == last).count();
        let (earlier, own) = frame.emitted.split_at(frame.own_from.min(frame.emitted.len()));
        if times(own) + times(&frame.absorbed) < times(earlier) {
            frame.absorbed.push(last);
            return 0;
        }
        frame.emitted.push(last);
        1
    }
    fn emit_ask(frame, action) { frame.asked.clear(); frame.asked.push((0, action)); 0 }
    fn emit_ask_arg(frame, index, word) { frame.asked.push((index + 1, word)); 0 }
    /// Whether something was emitted that has all the words asked for.
    fn emit_answer(frame) {
        let fits = |event: &Vec<u64>| frame.asked.iter().all(|(at, word)| event.get(*at as usize) == Some(word));
        u64::from(frame.emitted.iter().any(fits))
    }
    /// An argument of an output of which there is one at most; if there is none, that is an error.
    fn emit_value(frame, action, index) {
        let event = frame.emitted.iter().find(|event| event[0] == action);
        match event.and_then(|event| event.get(index as usize + 1)) { Some(word) => *word, None => frame.fail() }
    }
    /// The same of the output of this number among those of the action.
    fn emit_nth(frame, action, number, index) {
        let mut events = frame.emitted.iter().filter(|event| event[0] == action);
        events.nth(number as usize).map_or(0, |event| event[index as usize + 1])
    }
    /// Where an oracle goes by its table with the letter at hand; all ones if the letter does not say it.
    fn walk(frame, table, length, state) {
        // SAFETY: compiled code passes a list of its own tables, with its length.
        let table = unsafe { std::slice::from_raw_parts(table as *const u64, length as usize) };
        let holds = |test: u64| match frame.letters[test as usize] { 0 => Ok(false), 1 => Ok(true), _ => Err(()) };
        interplay_rows::walk(table, state, holds).unwrap_or(u64::MAX)
    }
    /// How many outputs of an action there are.
    fn emit_times(frame, action) { frame.emitted.iter().filter(|event| event[0] == action).count() as u64 }
    /// Whether two different events, one of each term, agree on their common names: a relation between two terms. The
    /// terms are pairs of an action and the numbers of its names, in a list.
    fn emit_clash(frame, list, length) {
        // SAFETY: compiled code passes a list of its own tables, with its length.
        let list = unsafe { std::slice::from_raw_parts(list as *const u64, length as usize) };
        u64::from(clash(&frame.emitted, list))
    }

    /// Below zero, zero, above zero.
    fn compare(frame, left, right, kind) {
        match frame.kind(kind).compare(left, right, frame.store()) { Ordering::Less => u64::MAX, Ordering::Equal => 0, Ordering::Greater => 1 }
    }
    /// One more than the word of the same value in another kind; zero if it has none there.
    fn convert(frame, word, from, to) {
        frame.remembered(8, word, from << 32 | to, |frame| {
            let value = frame.kind(from).decode(word, frame.store());
            frame.kind(to).encode(&value, frame.store()).map_or(0, |word| word + 1)
        })
    }
    /// Whether all objects of one type in a value have been made.
    fn made(frame, word, kind, object, count) {
        u64::from(all_made(&frame.kind(kind).decode(word, frame.store()), object as usize, count))
    }
    fn text_starts(frame, left, right) { u64::from(frame.store().text(left).starts_with(&frame.store().text(right))) }
    fn text_length(frame, handle) { frame.store().text(handle).chars().count() as u64 }
    fn text_join(frame, left, right) {
        let text = frame.store().text(left) + &frame.store().text(right);
        if text.len() > LIMIT { return frame.fail() }
        frame.store().intern_text(&text)
    }
}

/// A list of terms: how many names a term has, its action, its names.
fn terms(mut list: &[u64]) -> Vec<(u64, &[u64])> {
    let mut found = Vec::new();
    while let [count, action, rest @ ..] = list {
        let (names, after) = rest.split_at(*count as usize);
        found.push((*action, names));
        list = after;
    }
    found
}

/// The values of a term's names, if an event is one of the term.
fn valuation(event: &[u64], (action, names): (u64, &[u64])) -> Option<Vec<(u64, u64)>> {
    if event[0] != action {
        return None;
    }
    let pairs: Vec<(u64, u64)> = names.iter().copied().zip(event[1..].iter().copied()).collect();
    agree(&pairs, &pairs).then_some(pairs)
}

fn agree(left: &[(u64, u64)], right: &[(u64, u64)]) -> bool {
    left.iter().all(|(name, word)| right.iter().all(|(other, value)| name != other || word == value))
}

/// Whether two events are of different terms and agree on the common names.
fn clash(events: &[Vec<u64>], list: &[u64]) -> bool {
    let terms = terms(list);
    let values = |term| events.iter().filter_map(move |event| valuation(event, term));
    terms.iter().enumerate().any(|(index, left)| {
        terms[index + 1..].iter().any(|right| values(*left).any(|one| values(*right).any(|other| agree(&one, &other))))
    })
}

fn all_made(value: &Value, object: usize, count: u64) -> bool {
    let all = |parts: &[Value]| parts.iter().all(|part| all_made(part, object, count));
    match value {
        Value::Object { object: own, index } => own.0 != object || u64::from(*index) < count,
        Value::Variant { args: parts, .. } | Value::Tuple(parts) | Value::Seq(parts) => all(parts),
        Value::Option(Some(inner)) => all_made(inner, object, count),
        Value::Set(parts) => parts.iter().all(|part| all_made(part, object, count)),
        Value::Map(pairs) => {
            pairs.iter().all(|(key, value)| all_made(key, object, count) && all_made(value, object, count))
        }
        _ => true,
    }
}

/// A map with one entry written.
fn with_entry(frame: &Frame, handle: u64, key: u64, value: u64, kind: u64) -> u64 {
    let mut words = frame.store().words(handle).to_vec();
    match position(frame, kind, &words, 2, key) {
        Ok(at) => words[at + 1] = value,
        Err(at) => drop(words.splice(at..at, [key, value])),
    }
    frame.store().intern(&words)
}

/// Where a word is, or would be, among sorted ones.
fn position(frame: &Frame, kind: u64, words: &[u64], step: usize, word: u64) -> Result<usize, usize> {
    let kind = frame.kind(kind);
    for (index, other) in words.iter().step_by(step).enumerate() {
        match kind.compare(*other, word, frame.store()) {
            Ordering::Less => {}
            Ordering::Equal => return Ok(index * step),
            Ordering::Greater => return Err(index * step),
        }
    }
    Err(words.len())
}

fn sort(frame: &Frame, kind: u64, words: &mut Vec<u64>) {
    let kind = frame.kind(kind);
    words.sort_by(|left, right| kind.compare(*left, *right, frame.store()));
    words.dedup();
}
