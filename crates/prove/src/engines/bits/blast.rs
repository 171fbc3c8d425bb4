//! Terms as bits. Numbers are written in two's complement, as wide as they need: nothing overflows.

use super::range::Range;
use interplay_bits::{Bit, Circuit};
use interplay_smt::Term;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A wider number is refused.
const WIDEST: usize = 48;

/// How a leaf or a parameter is written.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Bool(Bit),
    /// So much above a lowest value.
    Binary(i128, Vec<Bit>),
    /// A bit for each value from the lowest one.
    Each(i128, Vec<Bit>),
    Word(Word),
}

/// What a term is.
#[derive(Clone, Debug)]
pub(super) enum Word {
    Bool(Bit),
    /// The lowest bit first; the last one is the sign.
    Int(Vec<Bit>),
    /// What is at some keys, which are known, and everywhere else.
    Array(Box<Word>, BTreeMap<i128, Word>),
}

pub(super) type Cells = FxHashMap<String, Cell>;

impl Cell {
    pub(super) fn binary(range: &Range, bits: &[Bit]) -> Cell {
        match range {
            Range::Bool => Cell::Bool(bits[0]),
            Range::Int(low, _) => Cell::Binary(*low, bits.to_vec()),
        }
    }

    pub(super) fn latches(&self) -> Vec<Bit> {
        match self {
            Cell::Bool(bit) => vec![*bit],
            Cell::Binary(_, bits) | Cell::Each(_, bits) => bits.clone(),
            Cell::Word(_) => Vec::new(),
        }
    }

    /// With these values of its latches. A value that no latch says is the lowest one: then what follows is not confirmed.
    pub(super) fn value(&self, latches: &[bool]) -> Term {
        match self {
            Cell::Bool(_) => Term::bool(latches[0]),
            Cell::Binary(low, bits) => {
                let above = latches[..bits.len()].iter().rev().fold(0, |value, bit| value * 2 + i128::from(*bit));
                Term::int((low + above) as i64)
            }
            Cell::Each(low, bits) => {
                let at = latches[..bits.len()].iter().position(|bit| *bit).unwrap_or(0);
                Term::int((low + at as i128) as i64)
            }
            Cell::Word(_) => Term::bool(false),
        }
    }
}

pub(super) struct Blaster<'c> {
    pub(super) circuit: &'c mut Circuit,
    known: Cells,
    /// By the place of a shared term, which is kept so that its place stays its own.
    done: FxHashMap<usize, (Term, Word)>,
    /// Comparisons with known values, likewise.
    compared: FxHashMap<(usize, i128), (Term, Bit)>,
}

type Said<T> = Result<T, String>;

impl<'c> Blaster<'c> {
    pub(super) fn new(circuit: &'c mut Circuit, known: Cells) -> Blaster<'c> {
        Blaster { circuit, known, done: FxHashMap::default(), compared: FxHashMap::default() }
    }

    pub(super) fn name(&mut self, name: &str, word: Word) {
        self.known.insert(name.into(), Cell::Word(word));
    }

    pub(super) fn bit(&mut self, term: &Term) -> Said<Bit> {
        match self.word(term)? {
            Word::Bool(bit) => Ok(bit),
            Word::Int(_) | Word::Array(..) => Err(refused("a value as a condition")),
        }
    }

    /// A value as the latches of a leaf have it.
    pub(super) fn cell(&mut self, term: &Term, like: &Cell) -> Said<Vec<Bit>> {
        match like {
            Cell::Bool(_) => Ok(vec![self.bit(term)?]),
            Cell::Binary(low, bits) => {
                let value = self.int(term)?;
                let low = number(-low);
                let above = self.sum(&value, &low, Bit::FALSE)?;
                Ok((0..bits.len()).map(|at| extended(&above, at)).collect())
            }
            Cell::Each(low, bits) => (0..bits.len()).map(|at| self.equals(term, low + at as i128)).collect(),
            Cell::Word(_) => Err(refused("a name as a leaf")),
        }
    }

    pub(super) fn word(&mut self, term: &Term) -> Said<Word> {
        let Term::List(node) = term else { return self.atom(term) };
        let place = Arc::as_ptr(node) as usize;
        if let Some((_, word)) = self.done.get(&place) {
            return Ok(word.clone());
        }
        let word = self.call(term)?;
        self.done.insert(place, (term.clone(), word.clone()));
        Ok(word)
    }

    fn atom(&mut self, term: &Term) -> Said<Word> {
        if let Some(value) = term.as_bool() {
            return Ok(Word::Bool(Bit::constant(value)));
        }
        if let Some(value) = term.as_int() {
            return Ok(Word::Int(number(value)));
        }
        let name = term.as_atom().unwrap_or_default();
        match self.known.get(name).cloned() {
            Some(Cell::Bool(bit)) => Ok(Word::Bool(bit)),
            Some(Cell::Word(word)) => Ok(word),
            Some(Cell::Binary(low, bits)) => {
                let above: Vec<Bit> = bits.iter().copied().chain([Bit::FALSE]).collect();
                Ok(Word::Int(self.sum(&above, &number(low), Bit::FALSE)?))
            }
            Some(Cell::Each(low, bits)) => {
                let values: Vec<Vec<Bit>> = (0..bits.len()).map(|at| number(low + at as i128)).collect();
                let width = values.iter().map(Vec::len).max().unwrap_or(1);
                let column = |circuit: &mut Circuit, at: usize| {
                    let said: Vec<Bit> =
                        bits.iter().zip(&values).map(|(bit, value)| circuit.and(*bit, extended(value, at))).collect();
                    circuit.any(said)
                };
                Ok(Word::Int((0..width).map(|at| column(self.circuit, at)).collect()))
            }
            None => Err(refused(name)),
        }
    }

    fn call(&mut self, term: &Term) -> Said<Word> {
        if let Some(value) = term.as_int() {
            return Ok(Word::Int(number(value)));
        }
        if let [head, value] = term.items()
            && let Some(("as", [word, _])) = head.call()
            && word.as_atom() == Some("const")
        {
            return Ok(Word::Array(Box::new(self.word(value)?), BTreeMap::new()));
        }
        let Some((word, args)) = term.call() else { return Err(refused("a binder")) };
        Ok(match (word, args) {
            ("and", _) => {
                Word::Bool(self.bits(args)?.into_iter().fold(Bit::TRUE, |all, bit| self.circuit.and(all, bit)))
            }
            ("or", _) => {
                Word::Bool(self.bits(args)?.into_iter().fold(Bit::FALSE, |any, bit| self.circuit.or(any, bit)))
            }
            ("not", [inner]) => Word::Bool(!self.bit(inner)?),
            ("=>", [one, other]) => {
                let (one, other) = (self.bit(one)?, self.bit(other)?);
                Word::Bool(self.circuit.or(!one, other))
            }
            ("ite", [condition, one, other]) => {
                let condition = self.bit(condition)?;
                let (one, other) = (self.word(one)?, self.word(other)?);
                self.mux(condition, one, other)?
            }
            ("=", [one, other]) => Word::Bool(self.equal(one, other)?),
            ("distinct", [one, other]) => Word::Bool(!self.equal(one, other)?),
            ("<", [one, other]) => Word::Bool(self.less(one, other)?),
            (">", [one, other]) => Word::Bool(self.less(other, one)?),
            ("<=", [one, other]) => Word::Bool(!self.less(other, one)?),
            (">=", [one, other]) => Word::Bool(!self.less(one, other)?),
            ("-", [inner]) => {
                let inner = self.int(inner)?;
                Word::Int(self.minus(&number(0), &inner)?)
            }
            ("+", [first, rest @ ..]) => {
                let mut total = self.int(first)?;
                for part in rest {
                    let part = self.int(part)?;
                    total = self.sum(&total, &part, Bit::FALSE)?;
                }
                Word::Int(total)
            }
            ("-", [first, rest @ ..]) => {
                let mut total = self.int(first)?;
                for part in rest {
                    let part = self.int(part)?;
                    total = self.minus(&total, &part)?;
                }
                Word::Int(total)
            }
            ("*", [first, rest @ ..]) => {
                let mut total = self.int(first)?;
                for part in rest {
                    let part = self.int(part)?;
                    total = self.times(&total, &part)?;
                }
                Word::Int(total)
            }
            ("store", [array, key, value]) => {
                let (Word::Array(other, mut stored), Some(key)) = (self.word(array)?, key.as_int()) else {
                    return Err(refused("a collection with unknown keys"));
                };
                stored.insert(key, self.word(value)?);
                Word::Array(other, stored)
            }
            ("select", [array, key]) => {
                let Word::Array(other, stored) = self.word(array)? else { return Err(refused("select")) };
                let mut found = *other;
                for (known, value) in stored {
                    let here = self.equals(key, known)?;
                    found = self.mux(here, value, found)?;
                }
                found
            }
            ("seq.len", [sequence]) => Word::Int(self.length(sequence)?),
            (word, _) => return Err(refused(word)),
        })
    }

    /// The length of a sequence that is written out: how `count` is told.
    fn length(&mut self, sequence: &Term) -> Said<Vec<Bit>> {
        match sequence.call() {
            Some(("seq.unit", [_])) => Ok(number(1)),
            Some(("as", [word, _])) if word.as_atom() == Some("seq.empty") => Ok(number(0)),
            Some(("seq.++", parts)) => {
                let mut total = number(0);
                for part in parts {
                    let part = self.length(part)?;
                    total = self.sum(&total, &part, Bit::FALSE)?;
                }
                Ok(total)
            }
            Some(("ite", [condition, one, other])) => {
                let condition = self.bit(condition)?;
                let (one, other) = (self.length(one)?, self.length(other)?);
                match self.mux(condition, Word::Int(one), Word::Int(other))? {
                    Word::Int(bits) => Ok(bits),
                    _ => Err(refused("seq.len")),
                }
            }
            _ => Err(refused("the length of a sequence")),
        }
    }

    fn bits(&mut self, terms: &[Term]) -> Said<Vec<Bit>> {
        terms.iter().map(|term| self.bit(term)).collect()
    }

    fn int(&mut self, term: &Term) -> Said<Vec<Bit>> {
        match self.word(term)? {
            Word::Int(bits) => Ok(bits),
            Word::Bool(_) | Word::Array(..) => Err(refused("a value that is no number")),
        }
    }

    fn mux(&mut self, condition: Bit, one: Word, other: Word) -> Said<Word> {
        Ok(match (one, other) {
            (Word::Bool(one), Word::Bool(other)) => Word::Bool(self.circuit.mux(condition, one, other)),
            (Word::Int(one), Word::Int(other)) => {
                let width = one.len().max(other.len());
                let bit = |at| self.circuit.mux(condition, extended(&one, at), extended(&other, at));
                Word::Int((0..width).map(bit).collect())
            }
            (Word::Array(one, here), Word::Array(other, there)) => {
                let keys: BTreeSet<i128> = here.keys().chain(there.keys()).copied().collect();
                let at = |stored: &BTreeMap<i128, Word>, rest: &Word, key| stored.get(&key).unwrap_or(rest).clone();
                let mut merged = BTreeMap::new();
                for key in keys {
                    merged.insert(key, self.mux(condition, at(&here, &one, key), at(&there, &other, key))?);
                }
                Word::Array(Box::new(self.mux(condition, *one, *other)?), merged)
            }
            _ => return Err(refused("two kinds of values in one choice")),
        })
    }

    fn equal(&mut self, one: &Term, other: &Term) -> Said<Bit> {
        match (one.as_int(), other.as_int()) {
            (Some(value), _) => self.equals(other, value),
            (_, Some(value)) => self.equals(one, value),
            _ => {
                let (one, other) = (self.word(one)?, self.word(other)?);
                self.alike(&one, &other)
            }
        }
    }

    fn alike(&mut self, one: &Word, other: &Word) -> Said<Bit> {
        match (one, other) {
            (Word::Bool(one), Word::Bool(other)) => Ok(!self.circuit.xor(*one, *other)),
            (Word::Int(one), Word::Int(other)) => Ok(self.same(one, other)),
            (Word::Array(one, here), Word::Array(other, there)) => {
                let mut all = self.alike(one, other)?;
                let keys: BTreeSet<i128> = here.keys().chain(there.keys()).copied().collect();
                for key in keys {
                    let same = self.alike(here.get(&key).unwrap_or(one), there.get(&key).unwrap_or(other))?;
                    all = self.circuit.and(all, same);
                }
                Ok(all)
            }
            _ => Err(refused("two kinds of values compared")),
        }
    }

    /// Whether the term has this value: through choices to where a value has its own bit.
    fn equals(&mut self, term: &Term, value: i128) -> Said<Bit> {
        if let Some(known) = term.as_int() {
            return Ok(Bit::constant(known == value));
        }
        if let (Term::List(node), Some(("ite", [condition, one, other]))) = (term, term.call()) {
            let key = (Arc::as_ptr(node) as usize, value);
            if let Some((_, bit)) = self.compared.get(&key) {
                return Ok(*bit);
            }
            let condition = self.bit(condition)?;
            let (one, other) = (self.equals(one, value)?, self.equals(other, value)?);
            let bit = self.circuit.mux(condition, one, other);
            self.compared.insert(key, (term.clone(), bit));
            return Ok(bit);
        }
        if let Some(Cell::Each(low, bits)) = term.as_atom().and_then(|name| self.known.get(name)) {
            let at = usize::try_from(value - low).ok();
            return Ok(at.and_then(|at| bits.get(at)).copied().unwrap_or(Bit::FALSE));
        }
        let bits = self.int(term)?;
        Ok(self.same(&bits, &number(value)))
    }

    fn same(&mut self, one: &[Bit], other: &[Bit]) -> Bit {
        let width = one.len().max(other.len());
        let mut same = Bit::TRUE;
        for at in 0..width {
            let differs = self.circuit.xor(extended(one, at), extended(other, at));
            same = self.circuit.and(same, !differs);
        }
        same
    }

    fn less(&mut self, one: &Term, other: &Term) -> Said<Bit> {
        let (one, other) = (self.int(one)?, self.int(other)?);
        let difference = self.minus(&one, &other)?;
        Ok(*difference.last().expect("a number has a sign"))
    }

    fn minus(&mut self, one: &[Bit], other: &[Bit]) -> Said<Vec<Bit>> {
        let inverted: Vec<Bit> = other.iter().map(|bit| !*bit).collect();
        self.sum(one, &inverted, Bit::TRUE)
    }

    fn sum(&mut self, one: &[Bit], other: &[Bit], mut carry: Bit) -> Said<Vec<Bit>> {
        let width = one.len().max(other.len()) + 1;
        if width > WIDEST {
            return Err(refused(&format!("a number of more than {WIDEST} bits")));
        }
        let mut total = Vec::with_capacity(width);
        for at in 0..width {
            let (left, right) = (extended(one, at), extended(other, at));
            let differs = self.circuit.xor(left, right);
            total.push(self.circuit.xor(differs, carry));
            let (both, passed) = (self.circuit.and(left, right), self.circuit.and(differs, carry));
            carry = self.circuit.or(both, passed);
        }
        Ok(shortened(total))
    }

    fn times(&mut self, one: &[Bit], other: &[Bit]) -> Said<Vec<Bit>> {
        let width = one.len() + other.len();
        if width > WIDEST {
            return Err(refused(&format!("a number of more than {WIDEST} bits")));
        }
        let mut total = number(0);
        for (at, bit) in other.iter().enumerate() {
            let shifted = (0..width).map(|place| match place.checked_sub(at) {
                Some(place) => self.circuit.and(*bit, extended(one, place)),
                None => Bit::FALSE,
            });
            let shifted: Vec<Bit> = shifted.collect();
            // The sign counts against.
            total = match at + 1 == other.len() {
                true => self.minus(&total, &shifted)?,
                false => self.sum(&total, &shifted, Bit::FALSE)?,
            };
        }
        Ok(total)
    }
}

/// A number that is known.
fn number(value: i128) -> Vec<Bit> {
    let width = 129 - value.unsigned_abs().leading_zeros() as usize;
    shortened((0..=width.min(127)).map(|at| Bit::constant(value >> at & 1 == 1)).collect())
}

/// Beyond its width a number goes on with its sign.
fn extended(bits: &[Bit], at: usize) -> Bit {
    bits.get(at).or(bits.last()).copied().unwrap_or(Bit::FALSE)
}

/// Without copies of the sign.
fn shortened(mut bits: Vec<Bit>) -> Vec<Bit> {
    while let [.., before, last] = bits[..]
        && before == last
    {
        bits.pop();
    }
    bits
}

fn refused(what: &str) -> String {
    format!("not supported by bits: {}", what.trim_matches('|'))
}
