//! Loops: over the elements of a collection, the values of a kind, or the values that a setup gives.

use super::code::{Code, Result};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use cranelift_frontend::Variable;
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, VariableId};
use interplay_rows::Slot;
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small, View};

/// Longer constant collections are looped over as they are written.
const LONGEST_LIST: usize = 256;

/// Loops with more turns stay loops.
const MOST_TURNS: usize = 16;

/// What a loop runs over.
pub(super) enum Each {
    /// The words below a bound, moved up.
    Below { bound: Word, kind: Kind },
    /// Integers from a bound to a bound, both included; what is known of the bounds.
    Between { low: Word, high: Word, lowest: i64, highest: i64 },
    /// The positions of the bits of some words.
    Bits { words: Vec<Word>, kind: Kind },
    /// Every `step`th word of an interned list, from `start` on.
    Handle { handle: Word, start: u64, step: u64, kind: Kind },
    /// The values of a map that lies open.
    Values { id: VariableId },
    /// A constant list.
    List { words: Vec<u64>, kind: Kind },
}

/// One turn of a loop that is being written: the word at hand, and what [`Code::end`] needs.
pub(super) struct Turn {
    pub(super) word: Word,
    pub(super) kind: Kind,
    /// Where to go for the next element.
    pub(super) next: Block,
    header: Block,
    exit: Block,
    step: Step,
}

enum Step {
    Count(Variable, u64),
    Bits(Variable),
}

impl<'a> Code<'a, '_> {
    /// Writes a loop. Its turns are written one after the other if they are few and short: then the word at hand is a
    /// constant, and with it the places in the row that depend on it. `write` is given where to go for the next element.
    pub(super) fn turns(
        &mut self,
        each: Each,
        write: &mut dyn FnMut(&mut Self, Word, &Kind, Block) -> Result<()>,
    ) -> Result<()> {
        let each = match each {
            // What is written for no turn has no kind.
            Each::List { words, kind } if (1..=MOST_TURNS).contains(&words.len()) => {
                match self.written_out(words, kind, write)? {
                    Some(rest) => rest,
                    None => return Ok(()),
                }
            }
            each => each,
        };
        let turn = self.begin(each)?;
        write(self, turn.word, &turn.kind, turn.next)?;
        self.end(turn);
        Ok(())
    }

    /// As many turns as there is room for; gives those that are left.
    fn written_out(
        &mut self,
        words: Vec<u64>,
        kind: Kind,
        write: &mut dyn FnMut(&mut Self, Word, &Kind, Block) -> Result<()>,
    ) -> Result<Option<Each>> {
        let mut size = 0;
        for (index, word) in words.iter().enumerate() {
            if size * (words.len() - index) > self.tables.room || self.tables.room == 0 {
                return Ok(Some(Each::List { words: words[index..].into(), kind }));
            }
            let before = self.instructions();
            let room = self.tables.room;
            let next = self.block();
            let word = self.constant(*word);
            write(self, word, &kind, next)?;
            self.jump(next);
            self.at(next);
            size = self.instructions() - before;
            self.tables.room = self.tables.room.min(room.saturating_sub(size));
        }
        Ok(None)
    }

    /// Opens a loop; what is written until [`Code::end`] is its body.
    pub(super) fn begin(&mut self, each: Each) -> Result<Turn> {
        match each {
            Each::Below { bound, kind } => {
                let zero = self.constant(0);
                let (index, turn) = self.counting(zero, bound, IntCC::UnsignedLessThan, 1);
                Ok(turn(index, kind))
            }
            Each::Between { low, high, lowest, highest } => {
                let (index, turn) = self.counting(low, high, IntCC::SignedLessThanOrEqual, 1);
                let kind = Kind::number(lowest.into(), highest.max(lowest).into());
                let (word, _) = self.try_coerce(index, &Kind::INT, &kind)?;
                Ok(turn(word, kind))
            }
            Each::Values { id } => {
                let mask = self.key_mask(id);
                let Slot::Array { key, .. } = self.slot(id) else { unreachable!("only maps that lie open") };
                let turn = self.begin_bits(vec![mask], key.clone())?;
                let (_, word, kind) = self.find_element(id, turn.word);
                Ok(Turn { word, kind, ..turn })
            }
            Each::Handle { handle, start, step, kind } => {
                let start = self.constant(start);
                let list = self.list_address(handle);
                let length = self.load(list, 0);
                let (index, turn) = self.counting(start, length, IntCC::UnsignedLessThan, step);
                let word = self.word_in(list, index);
                Ok(turn(word, kind))
            }
            Each::List { words, kind } => {
                let zero = self.constant(0);
                let length = self.constant(words.len() as u64);
                let list = self.list(words);
                let (index, turn) = self.counting(zero, length, IntCC::UnsignedLessThan, 1);
                let bytes = self.builder.ins().ishl_imm_s(index, 3);
                let address = self.builder.ins().iadd(list, bytes);
                let word = self.load(address, 0);
                Ok(turn(word, kind))
            }
            Each::Bits { words, kind } => self.begin_bits(words, kind),
        }
    }

    fn counting(
        &mut self,
        from: Word,
        to: Word,
        order: IntCC,
        step: u64,
    ) -> (Word, impl FnOnce(Word, Kind) -> Turn + use<>) {
        let (header, body, next, exit) = (self.block(), self.block(), self.block(), self.block());
        let counter = self.variable(from);
        self.jump(header);
        self.at(header);
        let index = self.get(counter);
        let more = self.compare(order, index, to);
        self.builder.ins().brif(more, body, &[], exit, &[]);
        self.at(body);
        let turn = move |word, kind| Turn { word, kind, next, header, exit, step: Step::Count(counter, step) };
        (index, turn)
    }

    /// One loop over the bits of all words: when a word is used up, the next one is taken from a chain of blocks.
    fn begin_bits(&mut self, words: Vec<Word>, kind: Kind) -> Result<Turn> {
        if words.len() > 1 {
            return self.begin_many_bits(words, kind);
        }
        let (header, body, next, exit) = (self.block(), self.block(), self.block(), self.block());
        let rest = self.variable(words[0]);
        self.jump(header);
        self.at(header);
        let bits = self.get(rest);
        self.builder.ins().brif(bits, body, &[], exit, &[]);
        self.at(body);
        let word = self.builder.ins().ctz(bits);
        Ok(Turn { word, kind, next, header, exit, step: Step::Bits(rest) })
    }

    fn begin_many_bits(&mut self, words: Vec<Word>, kind: Kind) -> Result<Turn> {
        let zero = self.constant(0);
        let (rest, offset, number) = (self.variable(words[0]), self.variable(zero), self.variable(zero));
        let (header, body, next, exit) = (self.block(), self.block(), self.block(), self.block());
        let kept: Vec<Variable> = words.iter().map(|word| self.variable(*word)).collect();
        self.jump(header);
        self.at(header);
        let empty = self.block();
        let bits = self.get(rest);
        self.builder.ins().brif(bits, body, &[], empty, &[]);
        self.at(empty);
        let current = self.get(number);
        let following = self.builder.ins().iadd_imm_s(current, 1);
        self.put(number, following);
        for (index, variable) in kept.iter().enumerate().skip(1) {
            let (take, other) = (self.block(), self.block());
            let here = self.is(IntCC::Equal, following, index as u64);
            self.builder.ins().brif(here, take, &[], other, &[]);
            self.at(take);
            let word = self.get(*variable);
            self.put(rest, word);
            let base = self.constant(64 * index as u64);
            self.put(offset, base);
            self.jump(header);
            self.at(other);
        }
        self.jump(exit);
        self.at(body);
        let bit = self.builder.ins().ctz(bits);
        let base = self.get(offset);
        let word = self.builder.ins().iadd(bit, base);
        Ok(Turn { word, kind, next, header, exit, step: Step::Bits(rest) })
    }

    /// Closes the innermost open loop.
    pub(super) fn end(&mut self, turn: Turn) {
        self.jump(turn.next);
        self.at(turn.next);
        match turn.step {
            Step::Count(counter, step) => {
                let index = self.get(counter);
                let more = self.builder.ins().iadd_imm_s(index, step as i64);
                self.put(counter, more);
            }
            Step::Bits(rest) => {
                let bits = self.get(rest);
                let less = self.builder.ins().iadd_imm_s(bits, -1);
                let cleared = self.builder.ins().band(bits, less);
                self.put(rest, cleared);
            }
        }
        self.jump(turn.header);
        self.at(turn.exit);
    }

    /// The elements of a set or sequence, or the keys of a map, that an expression gives.
    pub(super) fn each(&mut self, from: &Expr) -> Result<Each> {
        match &from.kind {
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let (View::Number(lowest, _), View::Number(_, highest)) = (left.1.view(), right.1.view()) else {
                    return Err(Unsupported::new("a range here"));
                };
                let low = self.widen(left.0, &left.1, &Kind::INT)?;
                let high = self.widen(right.0, &right.1, &Kind::INT)?;
                self.require_small_range(low, high);
                Ok(Each::Between { low, high, lowest, highest })
            }
            ExprKind::Builtin { function: Builtin::Keys, args } => self.each(&args[0]),
            ExprKind::Builtin { function: Builtin::Values, args } => self.each_map_value(&args[0]),
            ExprKind::Variable(id) => match self.slot(*id) {
                Slot::Array { key, .. } => {
                    let mask = self.key_mask(*id);
                    Ok(Each::Bits { words: vec![mask], kind: key.clone() })
                }
                Slot::Bits { .. } => Ok(self.each_bit(*id)),
                Slot::Scalar(_) => self.each_value(from),
            },
            _ => match self.each_constant(from)? {
                Some(each) => Ok(each),
                None => self.each_value(from),
            },
        }
    }

    /// A collection that is known now.
    fn each_constant(&mut self, from: &Expr) -> Result<Option<Each>> {
        let element = match self.input.kinds.instance.model().types.strip(&from.ty) {
            interplay_model::Type::Set(element) | interplay_model::Type::Seq(element) => element,
            _ => return Ok(None),
        };
        let Some(values) = self.constant_value(from).and_then(|value| value.elements()) else { return Ok(None) };
        let kind = self.input.kinds.of_values(values.iter(), element)?;
        let words: Option<Vec<u64>> = values.iter().map(|value| kind.encode(value, self.input.store)).collect();
        Ok(words.filter(|words| words.len() <= LONGEST_LIST).map(|words| Each::List { words, kind }))
    }

    fn each_value(&mut self, from: &Expr) -> Result<Each> {
        let (word, kind) = self.value(from)?;
        self.each_word(word, &kind)
    }

    /// The values of a map, without making a sequence of them.
    pub(super) fn each_map_value(&mut self, map: &Expr) -> Result<Each> {
        if let ExprKind::Variable(id) = &map.kind
            && let Slot::Array { .. } = self.slot(*id)
        {
            return Ok(Each::Values { id: *id });
        }
        let (word, kind) = self.value(map)?;
        let View::Map(_, value) = kind.view() else { return Err(Unsupported::new("the values of this")) };
        let handle = self.widen(word, &kind, &kind.opened())?;
        Ok(Each::Handle { handle, start: 1, step: 2, kind: value.clone() })
    }

    pub(super) fn each_bit(&mut self, id: VariableId) -> Each {
        let Slot::Bits { element, .. } = self.slot(id) else { unreachable!("asked for bits") };
        let words = self.bit_words(id);
        Each::Bits { words, kind: element.clone() }
    }

    pub(super) fn each_word(&mut self, word: Word, kind: &Kind) -> Result<Each> {
        match kind {
            Kind::Small { shape, .. } => match &**shape {
                Small::Set(element) => Ok(Each::Bits { words: vec![word], kind: element.clone() }),
                Small::Map { key, stride, .. } => {
                    let mask = self.small_map_keys(word, key, *stride);
                    Ok(Each::Bits { words: vec![mask], kind: key.clone() })
                }
                _ => Err(Unsupported::new("a loop over this value")),
            },
            Kind::Handle(shape) => match &**shape {
                Handle::Seq(element) | Handle::Set(element) => {
                    Ok(Each::Handle { handle: word, start: 0, step: 1, kind: element.clone() })
                }
                Handle::Map(key, _) => Ok(Each::Handle { handle: word, start: 0, step: 2, kind: key.clone() }),
                _ => Err(Unsupported::new("a loop over this value")),
            },
            Kind::Int(..) => Err(Unsupported::new("a loop over this value")),
        }
    }

    /// The keys of a map that is one word of fields.
    pub(super) fn small_map_keys(&mut self, word: Word, key: &Kind, stride: u32) -> Word {
        let mut all = self.constant(0);
        for index in 0..key.card().unwrap_or(0) {
            let field = self.builder.ins().ushr_imm_s(word, i64::from(stride) * index as i64);
            let field = self.builder.ins().band_imm_s(field, (1 << stride) - 1);
            let there = self.is(IntCC::NotEqual, field, 0);
            let bit = self.builder.ins().ishl_imm_s(there, index as i64);
            all = self.builder.ins().bor(all, bit);
        }
        all
    }
}
