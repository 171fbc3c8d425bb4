//! Interned lists, read where they lie: the index of the store gives the address of a list, which is its length and its words.
//!
//! That is quick but long. Where code must be short, the address is asked from the runtime.

use super::code::Code;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_rows::PAGE;

/// The first word of a list comes after its length.
const FIRST: i32 = 8;

impl<'a> Code<'a, '_> {
    /// Where a list lies.
    pub(super) fn list_address(&mut self, handle: Word) -> Word {
        if self.input.room == 0 {
            return self.call("list", &[handle]);
        }
        let index = self.constant(self.input.store.index() as u64);
        let page = self.builder.ins().ushr_imm_s(handle, i64::from(PAGE.ilog2()));
        let page = self.element(index, page, 0);
        let within = self.builder.ins().band_imm_s(handle, PAGE as i64 - 1);
        self.element(page, within, 0)
    }

    fn element(&mut self, start: Word, index: Word, offset: i32) -> Word {
        let bytes = self.builder.ins().ishl_imm_s(index, 3);
        let address = self.builder.ins().iadd(start, bytes);
        self.load(address, offset)
    }

    /// A word of the list at an address, which has as many.
    pub(super) fn word_in(&mut self, list: Word, index: Word) -> Word {
        self.element(list, index, FIRST)
    }

    pub(super) fn length(&mut self, handle: Word) -> Word {
        let list = self.list_address(handle);
        self.load(list, 0)
    }

    /// A word of a list that has as many.
    pub(super) fn word_at(&mut self, handle: Word, index: Word) -> Word {
        let list = self.list_address(handle);
        self.word_in(list, index)
    }

    /// The same, where the number of the word is known now.
    pub(super) fn nth_word(&mut self, handle: Word, index: usize) -> Word {
        let list = self.list_address(handle);
        self.load(list, FIRST + 8 * index as i32)
    }

    /// An element of a sequence; if there is none with this number, that is an error.
    pub(super) fn element_at(&mut self, handle: Word, index: Word) -> Word {
        let list = self.list_address(handle);
        let length = self.load(list, 0);
        let there = self.compare(IntCC::UnsignedLessThan, index, length);
        self.require(there);
        self.word_in(list, index)
    }
}
