//! Reading and writing the parts of a row.

use super::code::{Code, Result};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{LocationId, ObjectId, VariableId};
use interplay_rows::Unsupported;
use interplay_rows::{Field, Scalar, Slot};
use interplay_rows::{Kind, Small};

/// Some bits of one word of a row.
struct Spot {
    /// The row it lies in.
    base: Word,
    /// Bytes from the start of the row: some known now, some only when the code runs.
    delta: Option<Word>,
    offset: i32,
    /// Where the bits begin, beyond `shift`.
    moved: Option<Word>,
    shift: u32,
    width: u32,
}

impl<'a> Code<'a, '_> {
    pub(super) fn slot(&self, id: VariableId) -> &'a Slot {
        &self.input.layout.variables[id.0]
    }

    /// The word of a variable in its own kind.
    pub(super) fn read_variable(&mut self, id: VariableId) -> Result<(Word, Kind)> {
        match self.slot(id) {
            Slot::Scalar(scalar) => Ok((self.read_scalar(scalar, scalar.field, None), scalar.kind.clone())),
            Slot::Array { .. } => self.gather_array(id),
            Slot::Bits { .. } => self.gather_bits(id),
        }
    }

    fn spot(&mut self, base: Word, field: Field) -> Spot {
        Spot { base, delta: None, offset: 8 * field.word as i32, moved: None, shift: field.shift, width: field.width }
    }

    /// The field of a key that is known only when the code runs.
    fn element_spot(&mut self, base: Word, id: VariableId, key: Word) -> Spot {
        let Slot::Array { keys, element, stride, per_word, .. } = self.slot(id) else {
            unreachable!("only arrays have elements")
        };
        let field = element.field;
        if keys <= per_word {
            let moved = self.builder.ins().imul_imm_s(key, i64::from(*stride));
            return Spot { moved: Some(moved), ..self.spot(base, field) };
        }
        let word = self.builder.ins().ushr_imm_s(key, i64::from(per_word.trailing_zeros()));
        let bytes = self.builder.ins().ishl_imm_s(word, 3);
        let within = self.builder.ins().band_imm_s(key, *per_word as i64 - 1);
        let moved = self.builder.ins().imul_imm_s(within, i64::from(*stride));
        let (offset, shift, width) = (8 * field.word as i32, field.shift, field.width);
        Spot { base, delta: Some(bytes), offset, moved: Some(moved), shift, width }
    }

    fn read_spot(&mut self, spot: &Spot) -> Word {
        if spot.width == 0 {
            return self.constant(0);
        }
        let address = self.address(spot, spot.base);
        let mut word = self.load(address, spot.offset);
        if spot.shift > 0 {
            word = self.builder.ins().ushr_imm_s(word, i64::from(spot.shift));
        }
        if let Some(moved) = spot.moved {
            word = self.builder.ins().ushr(word, moved);
        }
        if spot.moved.is_none() && spot.shift + spot.width == 64 {
            return word;
        }
        self.builder.ins().band_imm_s(word, mask(spot.width) as i64)
    }

    fn write_spot(&mut self, spot: &Spot, code: Word) {
        if spot.width == 0 {
            return;
        }
        let address = self.address(spot, spot.base);
        let old = self.load(address, spot.offset);
        let mut hole = self.constant(mask(spot.width) << spot.shift);
        let mut bits = self.builder.ins().ishl_imm_s(code, i64::from(spot.shift));
        if let Some(moved) = spot.moved {
            hole = self.builder.ins().ishl(hole, moved);
            bits = self.builder.ins().ishl(bits, moved);
        }
        let kept = self.builder.ins().band_not(old, hole);
        let new = self.builder.ins().bor(kept, bits);
        self.store(new, address, spot.offset);
        if let Some(written) = self.written {
            let noted = self.address(spot, written);
            let so_far = self.load(noted, spot.offset);
            let more = self.builder.ins().bor(so_far, hole);
            self.store(more, noted, spot.offset);
        }
    }

    fn address(&mut self, spot: &Spot, base: Word) -> Word {
        match spot.delta {
            Some(bytes) => self.builder.ins().iadd(base, bytes),
            None => base,
        }
    }

    /// Several components react at once: notes that all bits of a variable are written, because the place is the whole of it.
    pub(super) fn note_whole(&mut self, id: VariableId) {
        let Some(written) = self.written else { return };
        let fields: Vec<Field> = match self.slot(id) {
            Slot::Scalar(scalar) => vec![scalar.field],
            Slot::Array { keys, .. } => (0..*keys).map(|key| self.slot(id).element_field(key)).collect(),
            Slot::Bits { count, word, shift, .. } if *count <= 64 => {
                vec![Field { word: *word, shift: *shift, width: *count as u32 }]
            }
            Slot::Bits { count, word, .. } => (0..count.div_ceil(64) as usize)
                .map(|index| Field { word: word + index, shift: 0, width: 64 })
                .collect(),
        };
        for field in fields.into_iter().filter(|field| field.width > 0) {
            let so_far = self.load(written, 8 * field.word as i32);
            let bits = self.constant(field.mask() << field.shift);
            let more = self.builder.ins().bor(so_far, bits);
            self.store(more, written, 8 * field.word as i32);
        }
    }

    pub(super) fn read_field(&mut self, field: Field) -> Word {
        let spot = self.spot(self.base, field);
        self.read_spot(&spot)
    }

    pub(super) fn write_field(&mut self, field: Field, word: Word) {
        let spot = self.spot(self.fresh, field);
        self.write_spot(&spot, word);
    }

    /// The word in a field; an absent one is an error.
    fn read_scalar(&mut self, scalar: &Scalar, field: Field, spot: Option<&Spot>) -> Word {
        let code = match spot {
            Some(spot) => self.read_spot(spot),
            None => self.read_field(field),
        };
        if scalar.optional {
            self.require(code);
        }
        self.word_of(scalar, code)
    }

    fn word_of(&mut self, scalar: &Scalar, code: Word) -> Word {
        let absent = u32::from(scalar.optional);
        match &scalar.kind {
            Kind::Small { .. } if scalar.optional => self.builder.ins().iadd_imm_s(code, -1),
            Kind::Small { .. } => code,
            Kind::Handle(_) => self.builder.ins().ushr_imm_s(code, i64::from(absent)),
            Kind::Int(..) => {
                let unused = i64::from(64 - scalar.field.width);
                let high = self.builder.ins().ishl_imm_s(code, unused);
                self.builder.ins().sshr_imm_s(high, unused + i64::from(absent))
            }
        }
    }

    /// The bits of a word; integers and handles may need more room than there is.
    fn code_of(&mut self, scalar: &Scalar, word: Word, number: usize) -> Word {
        let absent = i64::from(scalar.optional);
        let width = scalar.field.width.saturating_sub(u32::from(scalar.optional));
        match &scalar.kind {
            Kind::Small { .. } => self.builder.ins().iadd_imm_s(word, absent),
            Kind::Int(..) if width >= 64 => word,
            Kind::Int(..) => {
                let high = self.builder.ins().ishl_imm_s(word, i64::from(64 - width));
                let back = self.builder.ins().sshr_imm_s(high, i64::from(64 - width));
                let fits = self.compare(IntCC::Equal, back, word);
                self.require_room(fits, number);
                let low = self.builder.ins().band_imm_s(word, mask(width) as i64);
                self.tagged(low, scalar.optional)
            }
            Kind::Handle(_) => {
                let fits = self.is(IntCC::UnsignedLessThanOrEqual, word, mask(width));
                self.require_room(fits, number);
                self.tagged(word, scalar.optional)
            }
        }
    }

    fn tagged(&mut self, word: Word, optional: bool) -> Word {
        if !optional {
            return word;
        }
        let high = self.builder.ins().ishl_imm_s(word, 1);
        self.builder.ins().bor_imm_s(high, 1)
    }

    pub(super) fn write_scalar(&mut self, id: VariableId, word: Word) {
        let Slot::Scalar(scalar) = self.slot(id) else { unreachable!("asked for a scalar") };
        let code = self.code_of(scalar, word, id.0);
        self.write_field(scalar.field, code);
    }

    /// `m[k]` of a map that lies open; an absent key is an error.
    pub(super) fn read_element(&mut self, id: VariableId, key: Word) -> (Word, Kind) {
        let Slot::Array { element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let spot = self.element_spot(self.base, id, key);
        (self.read_scalar(element, element.field, Some(&spot)), element.kind.clone())
    }

    /// Whether the key is there, and the word if it is.
    pub(super) fn find_element(&mut self, id: VariableId, key: Word) -> (Word, Word, Kind) {
        let Slot::Array { element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let spot = self.element_spot(self.base, id, key);
        let code = self.read_spot(&spot);
        let there = if element.optional { self.is(IntCC::NotEqual, code, 0) } else { self.constant(1) };
        (there, self.word_of(element, code), element.kind.clone())
    }

    pub(super) fn write_element(&mut self, id: VariableId, key: Word, word: Word) {
        let Slot::Array { element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let code = self.code_of(element, word, id.0);
        let spot = self.element_spot(self.fresh, id, key);
        self.write_spot(&spot, code);
    }

    pub(super) fn remove_element(&mut self, id: VariableId, key: Word) {
        let spot = self.element_spot(self.fresh, id, key);
        let zero = self.constant(0);
        self.write_spot(&spot, zero);
    }

    /// The keys that are there, as a bit mask; maps that lie open have at most 64 keys.
    pub(super) fn key_mask(&mut self, id: VariableId) -> Word {
        let Slot::Array { keys, element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        if !element.optional {
            return self.constant(mask(*keys as u32));
        }
        let mut all = self.constant(0);
        for key in 0..*keys {
            let field = self.slot(id).element_field(key);
            let code = self.read_field(field);
            let there = self.is(IntCC::NotEqual, code, 0);
            let bit = self.builder.ins().ishl_imm_s(there, key as i64);
            all = self.builder.ins().bor(all, bit);
        }
        all
    }

    /// The whole map as one word of the kind of its type.
    fn gather_array(&mut self, id: VariableId) -> Result<(Word, Kind)> {
        let kind = self.input.kinds.of(&self.input.kinds.instance.model().variables[id.0].ty)?;
        let Slot::Array { keys, element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let mask = self.key_mask(id);
        self.call("build_begin", &[]);
        for key in 0..*keys {
            let (there, next) = (self.block(), self.block());
            let bit = self.builder.ins().ushr_imm_s(mask, key as i64);
            let bit = self.builder.ins().band_imm_s(bit, 1);
            self.builder.ins().brif(bit, there, &[], next, &[]);
            self.at(there);
            let field = self.slot(id).element_field(key);
            let code = self.read_field(field);
            let word = self.word_of(element, code);
            let at = self.constant(key);
            self.call("build_push", &[at]);
            self.call("build_push", &[word]);
            self.jump(next);
            self.at(next);
        }
        let Slot::Array { key, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let order = self.kind_number(key);
        let handle = self.call("build_map", &[order]);
        let open = Kind::Handle(interplay_rows::Handle::Map(key.clone(), element.kind.clone()).into());
        self.widen(handle, &open, &kind).map(|word| (word, kind))
    }

    /// Writes a map as a whole.
    pub(super) fn scatter_array(&mut self, id: VariableId, word: Word, kind: &Kind) -> Result<()> {
        let Slot::Array { key, keys, element, .. } = self.slot(id) else { unreachable!("asked for an array") };
        let open = Kind::Handle(interplay_rows::Handle::Map(key.clone(), element.kind.clone()).into());
        let handle = self.widen(word, kind, &open)?;
        for index in 0..*keys {
            let at = self.constant(index);
            let found = self.call("map_find", &[handle, at]);
            let (there, gone, next) = (self.block(), self.block(), self.block());
            self.builder.ins().brif(found, there, &[], gone, &[]);
            self.at(there);
            let value = self.word_at(handle, found);
            self.write_element(id, at, value);
            self.jump(next);
            self.at(gone);
            self.remove_element(id, at);
            self.jump(next);
            self.at(next);
        }
        Ok(())
    }

    /// The address and the number of one bit of a set.
    fn bit_spot(&mut self, base: Word, id: VariableId, element: Word) -> Spot {
        let Slot::Bits { count, word, shift, .. } = self.slot(id) else { unreachable!("asked for bits") };
        let offset = 8 * *word as i32;
        if *count <= 64 {
            return Spot { base, delta: None, offset, moved: Some(element), shift: *shift, width: 1 };
        }
        let index = self.builder.ins().ushr_imm_s(element, 6);
        let bytes = self.builder.ins().ishl_imm_s(index, 3);
        let within = self.builder.ins().band_imm_s(element, 63);
        Spot { base, delta: Some(bytes), offset, moved: Some(within), shift: 0, width: 1 }
    }

    pub(super) fn read_bit(&mut self, id: VariableId, element: Word) -> Word {
        let spot = self.bit_spot(self.base, id, element);
        self.read_spot(&spot)
    }

    pub(super) fn write_bit(&mut self, id: VariableId, element: Word, bit: u64) {
        let spot = self.bit_spot(self.fresh, id, element);
        let bit = self.constant(bit);
        self.write_spot(&spot, bit);
    }

    /// The words of a set's bits, each with at most 64 of them, lowest first.
    pub(super) fn bit_words(&mut self, id: VariableId) -> Vec<Word> {
        let Slot::Bits { count, word, shift, .. } = self.slot(id) else { unreachable!("asked for bits") };
        if *count <= 64 {
            return vec![self.read_field(Field { word: *word, shift: *shift, width: *count as u32 })];
        }
        (0..count.div_ceil(64)).map(|index| self.load(self.base, 8 * (*word as i32 + index as i32))).collect()
    }

    fn gather_bits(&mut self, id: VariableId) -> Result<(Word, Kind)> {
        let Slot::Bits { element, count, .. } = self.slot(id) else { unreachable!("asked for bits") };
        let words = self.bit_words(id);
        if let (Some(card), [word]) = (element.card(), &words[..])
            && card <= 61
        {
            return Ok((*word, self.input.kinds.of(&self.input.kinds.instance.model().variables[id.0].ty)?));
        }
        if *count > 1 << 12 {
            return Err(Unsupported::new("a set of this size as a value"));
        }
        self.call("build_begin", &[]);
        let each = self.each_bit(id);
        let turn = self.begin(each)?;
        self.call("build_push", &[turn.word]);
        self.end(turn);
        let order = self.kind_number(element);
        let handle = self.call("build_set", &[order]);
        Ok((handle, Kind::Handle(interplay_rows::Handle::Set(element.clone()).into())))
    }

    /// Writes a set as a whole.
    pub(super) fn scatter_bits(&mut self, id: VariableId, set: Word, kind: &Kind) -> Result<()> {
        let Slot::Bits { element, count, word, shift } = self.slot(id) else { unreachable!("asked for bits") };
        if let (Some(Small::Set(_)), true) = (kind.small(), *count <= 64) {
            self.write_field(Field { word: *word, shift: *shift, width: *count as u32 }, set);
            return Ok(());
        }
        let zero = self.constant(0);
        if *count <= 64 {
            self.write_field(Field { word: *word, shift: *shift, width: *count as u32 }, zero);
        } else {
            (0..count.div_ceil(64)).for_each(|index| self.store(zero, self.fresh, 8 * (*word as i32 + index as i32)));
        }
        let element = element.clone();
        let each = self.each_word(set, kind)?;
        let turn = self.begin(each)?;
        let word = self.widen(turn.word, &turn.kind, &element)?;
        self.write_bit(id, word, 1);
        self.end(turn);
        Ok(())
    }

    pub(super) fn object_count(&mut self, id: ObjectId) -> Word {
        self.read_field(self.input.layout.objects[id.0])
    }

    /// A new identity, counted in the copy of the row.
    pub(super) fn new_object(&mut self, id: ObjectId) -> Word {
        let count = self.object_count(id);
        let room = self.input.kinds.objects[id.0];
        let fits = self.is(IntCC::UnsignedLessThan, count, room);
        self.require_room(fits, self.input.layout.variables.len() + id.0);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.write_field(self.input.layout.objects[id.0], more);
        count
    }

    pub(super) fn is_at(&mut self, component: usize, locations: &[LocationId]) -> Word {
        let Some(field) = self.input.layout.locations[component] else { return self.constant(0) };
        let here = self.read_field(field);
        let mut any = self.constant(0);
        for location in locations {
            let same = self.is(IntCC::Equal, here, location.0 as u64);
            any = self.builder.ins().bor(any, same);
        }
        any
    }
}

pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
