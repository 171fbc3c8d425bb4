//! Patterns: tests on a word that bind names on the way.

use super::code::{Code, Result};
use crate::Unsupported;
use crate::kind::{Handle, Kind, Small};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types::I64};
use interplay_model::{Expr, Pattern};
use interplay_semantics::Value;

impl<'a> Code<'a, '_> {
    pub(super) fn is_pattern(&mut self, value: &Expr, pattern: &Pattern) -> Result<Word> {
        let kind = self.natural(value)?;
        let word = self.expr(value, &kind)?;
        self.decide(|code, no| code.matches(word, &kind, pattern, no))
    }

    pub(super) fn match_expr(&mut self, value: &Expr, arms: &[(Pattern, Expr)], want: &Kind) -> Result<Word> {
        let kind = self.natural(value)?;
        let word = self.expr(value, &kind)?;
        let end = self.block();
        self.builder.append_block_param(end, I64);
        for (pattern, body) in arms {
            let next = self.block();
            self.matches(word, &kind, pattern, next)?;
            let result = self.expr(body, want)?;
            self.builder.ins().jump(end, &[result.into()]);
            self.at(next);
        }
        // The checker has shown that one of the cases applies.
        let zero = self.constant(0);
        self.builder.ins().jump(end, &[zero.into()]);
        self.at(end);
        Ok(self.builder.block_params(end)[0])
    }

    /// Goes on if the word matches, with names bound; otherwise to `no`.
    pub(super) fn matches(&mut self, word: Word, kind: &Kind, pattern: &Pattern, no: Block) -> Result<()> {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => self.set_local(*local, word, kind.clone()),
            Pattern::Bool(value) => self.equals_constant(word, kind, &Value::Bool(*value), no),
            Pattern::Int(value) => self.equals_constant(word, kind, &Value::Int(*value), no),
            Pattern::String(value) => self.equals_constant(word, kind, &Value::String(value.clone()), no),
            Pattern::None => {
                let (there, ..) = self.some_word(word, kind)?;
                self.when(there, no);
            }
            Pattern::Some(inner) => {
                let (there, value, kind) = self.some_word(word, kind)?;
                self.unless(there, no);
                self.matches(value, &kind, inner, no)?;
            }
            Pattern::Variant { variant, args } => self.variant_matches(word, kind, *variant, args, no)?,
            Pattern::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let (word, kind) = self.part(word, kind, index)?;
                    self.matches(word, &kind, part, no)?;
                }
            }
        }
        Ok(())
    }

    fn equals_constant(&mut self, word: Word, kind: &Kind, value: &Value, no: Block) {
        match kind.encode(value, self.input.store) {
            Some(constant) => {
                let same = self.is(IntCC::Equal, word, constant);
                self.unless(same, no);
            }
            None => {
                let never = self.constant(0);
                self.unless(never, no);
            }
        }
    }

    fn variant_matches(&mut self, word: Word, kind: &Kind, variant: usize, args: &[Pattern], no: Block) -> Result<()> {
        match kind {
            Kind::Small { card, shape } => {
                let Small::Enum(variants) = &**shape else { return Err(Unsupported::new("a variant of this value")) };
                let (base, kinds) = &variants[variant];
                let end = variants.get(variant + 1).map_or(*card, |(base, _)| *base);
                let moved = self.builder.ins().iadd_imm_s(word, -(*base as i64));
                let within = self.is(IntCC::UnsignedLessThan, moved, end - base);
                self.unless(within, no);
                for (index, arg) in args.iter().enumerate() {
                    let part = self.digit(moved, kinds, index);
                    self.matches(part, &kinds[index], arg, no)?;
                }
            }
            Kind::Handle(shape) => {
                let Handle::Enum(variants) = &**shape else { return Err(Unsupported::new("a variant of this value")) };
                let zero = self.constant(0);
                let tag = self.call("word_at", &[word, zero]);
                let same = self.is(IntCC::Equal, tag, variant as u64);
                self.unless(same, no);
                for (index, arg) in args.iter().enumerate() {
                    let at = self.constant(index as u64 + 1);
                    let part = self.call("word_at", &[word, at]);
                    self.matches(part, &variants[variant][index], arg, no)?;
                }
            }
            Kind::Int => return Err(Unsupported::new("a variant of an integer")),
        }
        Ok(())
    }
}
