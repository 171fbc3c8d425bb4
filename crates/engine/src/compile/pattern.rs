//! Patterns: tests on a word that bind names on the way.

use super::code::{Code, Result, Typed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use interplay_model::{Expr, Pattern};
use interplay_rows::Unsupported;
use interplay_rows::{Handle, Kind, Small};
use interplay_semantics::Value;

impl<'a> Code<'a, '_> {
    pub(super) fn is_pattern(&mut self, value: &Expr, pattern: &Pattern) -> Result<Word> {
        let (word, kind) = self.value(value)?;
        self.decide(|code, no| code.matches(word, &kind, pattern, no))
    }

    pub(super) fn match_expr(&mut self, value: &Expr, arms: &[(Pattern, Expr)]) -> Result<Typed> {
        let (word, kind) = self.value(value)?;
        let mut ways = Vec::new();
        for (pattern, body) in arms {
            let next = self.block();
            self.matches(word, &kind, pattern, next)?;
            let result = self.value(body)?;
            self.branch(&mut ways, result);
            self.at(next);
        }
        // The checker has shown that one of the cases applies.
        let nothing = self.constant(0);
        self.branch(&mut ways, (nothing, Kind::never()));
        self.meet(ways)
    }

    /// Goes on if the word matches, with names bound; otherwise to `no`.
    pub(super) fn matches(&mut self, word: Word, kind: &Kind, pattern: &Pattern, no: Block) -> Result<()> {
        if kind.card() == Some(0) {
            self.bind_nothing(pattern);
            let never = self.constant(0);
            self.unless(never, no);
            return Ok(());
        }
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => self.set_local(*local, word, kind.clone()),
            Pattern::Bool(value) => self.unless_constant(word, kind, &Value::Bool(*value), no),
            Pattern::Int(value) => self.unless_constant(word, kind, &Value::Int(*value), no),
            Pattern::String(value) => self.unless_constant(word, kind, &Value::String(value.clone()), no),
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

    /// Names of a pattern for a value that cannot be.
    fn bind_nothing(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind(local) => {
                let zero = self.constant(0);
                self.set_local(*local, zero, Kind::never());
            }
            Pattern::Some(inner) => self.bind_nothing(inner),
            Pattern::Variant { args: parts, .. } | Pattern::Tuple(parts) => {
                parts.iter().for_each(|part| self.bind_nothing(part));
            }
            _ => {}
        }
    }

    fn unless_constant(&mut self, word: Word, kind: &Kind, value: &Value, no: Block) {
        let same = self.equals_constant(&(word, kind.clone()), value);
        self.unless(same, no);
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
                let tag = self.nth_word(word, 0);
                let same = self.is(IntCC::Equal, tag, variant as u64);
                self.unless(same, no);
                for (index, arg) in args.iter().enumerate() {
                    let part = self.nth_word(word, index + 1);
                    self.matches(part, &variants[variant][index], arg, no)?;
                }
            }
            Kind::Int(..) => return Err(Unsupported::new("a variant of an integer")),
        }
        Ok(())
    }
}
