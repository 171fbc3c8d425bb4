//! Writing instructions: words, branches, calls, faults, and the locals of the language.

use super::Input;
use crate::runtime;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData, SigRef, Signature, StackSlotData, StackSlotKind, Value as Word,
    types::I64,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use interplay_model::{Closed, Local, LocalId};
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use std::collections::HashMap;

pub(super) type Result<T> = std::result::Result<T, Unsupported>;

/// A word with the kind that it has.
pub(super) type Typed = (Word, Kind);

/// Hashes of the parts of a label.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub(super) event: Variable,
    pub(super) outputs: Variable,
}

/// The result of an action while a body runs.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) local: LocalId,
    pub(super) kind: Kind,
    pub(super) word: Variable,
    /// Whether `return` gave it.
    pub(super) returned: Variable,
}

/// What a local of the language is bound to.
#[derive(Clone)]
enum Binding {
    Word(Word),
    /// Its word may change while the code runs. Every variable costs time for every block, so most locals have none.
    Variable(Variable),
}

/// What can be given up: the part that needs more room, if that is why, and the state of [`Code`] that matters then.
type Failure = (Option<usize>, Block, Option<u32>, bool, bool);

/// What all functions of a program share.
#[derive(Default)]
pub(super) struct Tables {
    /// Kinds that runtime functions are told by number.
    pub(super) kinds: Vec<Kind>,
    /// Constant lists that loops run over.
    pub(super) lists: Vec<Box<[u64]>>,
    /// Instructions of the functions that are complete.
    pub(super) written: usize,
    /// So many more instructions may be written for loops whose turns are written out.
    pub(super) room: usize,
    runtime: HashMap<&'static str, runtime::Function>,
}

impl Tables {
    pub(super) fn new(room: usize) -> Tables {
        let runtime = runtime::table().into_iter().map(|function| (function.name, function)).collect();
        Tables { room, runtime, ..Tables::default() }
    }
}

/// The function that is being written.
pub(super) struct Code<'a, 'f> {
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) input: &'a Input<'a>,
    pub(super) tables: Tables,
    /// For calls of runtime functions, by the number of words that they take.
    signatures: HashMap<usize, SigRef>,
    /// The row that is expanded, and the frame of the runtime.
    pub(super) row: Word,
    pub(super) frame: Word,
    /// The row that variables are read from: the old one, or the copy that a body works on.
    pub(super) base: Word,
    /// The copy.
    pub(super) fresh: Word,
    /// Where to go when the step at hand is given up.
    pub(super) skip: Block,
    failures: HashMap<Failure, Block>,
    /// Set to one by an error of the model, if somebody wants to know.
    pub(super) fault: Option<Variable>,
    /// The locals of the owner at hand; definitions that are written out have frames of their own.
    locals: Vec<Vec<Option<(Binding, Kind)>>>,
    /// The hash of the label so far: of the event that begins the step, and of what it emits.
    pub(super) label: Option<Label>,
    /// Whether the copy exists: inside a body.
    pub(super) writing: bool,
    /// What the rule at hand returns.
    pub(super) answer: Option<Answer>,
    /// The signals of the step at hand.
    pub(super) signals: Option<super::signals::Signals>,
    /// Where written bits are noted, when several components react at once.
    pub(super) written: Option<Word>,
    /// For calls of the function that is told of steps.
    pub(super) told: Option<SigRef>,
    /// This is the function that is told of steps.
    pub(super) watching: bool,
    /// An error concerns nobody but [`Code::fault`] and who is skipped to.
    pub(super) quiet: bool,
    /// The step at hand is one that the system takes by itself, and somebody listens to silence.
    pub(super) own: bool,
}

impl<'a, 'f> Code<'a, 'f> {
    pub(super) fn new(mut builder: FunctionBuilder<'f>, input: &'a Input<'a>, tables: Tables) -> Code<'a, 'f> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let (row, frame) = (builder.block_params(entry)[0], builder.block_params(entry)[1]);
        let size = 8 * input.layout.words as u32;
        let slot = builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        let fresh = builder.ins().stack_addr(I64, slot, 0);
        let locals = vec![Vec::new()];
        Code {
            builder,
            input,
            tables,
            signatures: HashMap::new(),
            row,
            frame,
            base: row,
            fresh,
            skip: entry,
            failures: HashMap::new(),
            fault: None,
            locals,
            label: None,
            writing: false,
            answer: None,
            signals: None,
            written: None,
            told: None,
            watching: false,
            quiet: false,
            own: false,
        }
    }

    pub(super) fn finish(mut self, target: TargetFrontendConfig) -> Tables {
        self.builder.ins().return_(&[]);
        self.tables.written += self.instructions();
        self.builder.seal_all_blocks();
        self.builder.finalize(target);
        self.tables
    }

    /// How many instructions this function has.
    pub(super) fn instructions(&self) -> usize {
        self.builder.func.dfg.num_insts()
    }

    /// Room for one row on the stack.
    pub(super) fn row_on_stack(&mut self) -> Word {
        let size = 8 * self.input.layout.words as u32;
        let slot = self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        self.builder.ins().stack_addr(I64, slot, 0)
    }

    pub(super) fn constant(&mut self, word: u64) -> Word {
        self.builder.ins().iconst(I64, word as i64)
    }

    pub(super) fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    pub(super) fn at(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    pub(super) fn jump(&mut self, block: Block) {
        self.builder.ins().jump(block, &[]);
    }

    /// Goes on in a new block if the word is not zero, otherwise to `target`.
    pub(super) fn unless(&mut self, condition: Word, target: Block) {
        let go_on = self.block();
        self.builder.ins().brif(condition, go_on, &[], target, &[]);
        self.at(go_on);
    }

    /// Goes on in a new block if the word is zero, otherwise to `target`.
    pub(super) fn when(&mut self, condition: Word, target: Block) {
        let go_on = self.block();
        self.builder.ins().brif(condition, target, &[], go_on, &[]);
        self.at(go_on);
    }

    /// A comparison as a word that is zero or one.
    pub(super) fn compare(&mut self, order: IntCC, left: Word, right: Word) -> Word {
        let flag = self.builder.ins().icmp(order, left, right);
        self.builder.ins().uextend(I64, flag)
    }

    pub(super) fn is(&mut self, order: IntCC, left: Word, right: u64) -> Word {
        let right = self.constant(right);
        self.compare(order, left, right)
    }

    pub(super) fn load(&mut self, base: Word, offset: i32) -> Word {
        self.builder.ins().load(I64, MemFlagsData::trusted(), base, offset)
    }

    pub(super) fn store(&mut self, word: Word, base: Word, offset: i32) {
        self.builder.ins().store(MemFlagsData::trusted(), word, base, offset);
    }

    pub(super) fn load_frame(&mut self, offset: i32) -> Word {
        self.load(self.frame, offset)
    }

    pub(super) fn store_frame(&mut self, word: Word, offset: i32) {
        self.store(word, self.frame, offset);
    }

    pub(super) fn set_flag(&mut self, offset: i32) {
        let one = self.constant(1);
        self.store_frame(one, offset);
    }

    /// Calls a runtime function that always answers.
    pub(super) fn call(&mut self, name: &'static str, args: &[Word]) -> Word {
        let function = &self.tables.runtime[name];
        let address = function.address as u64;
        debug_assert_eq!(args.len(), function.args, "the words that `{name}` takes");
        let args: Vec<Word> = std::iter::once(self.frame).chain(args.iter().copied()).collect();
        let (signature, address) = (self.signature(args.len()), self.constant(address));
        let call = self.builder.ins().call_indirect(signature, address, &args);
        self.builder.inst_results(call)[0]
    }

    fn signature(&mut self, words: usize) -> SigRef {
        if let Some(known) = self.signatures.get(&words) {
            return *known;
        }
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), words));
        signature.returns.push(AbiParam::new(I64));
        let new = self.builder.import_signature(signature);
        self.signatures.insert(words, new);
        new
    }

    /// Calls a runtime function that may fail; then the step is an error.
    pub(super) fn call_fallible(&mut self, name: &'static str, args: &[Word]) -> Word {
        let result = self.call(name, args);
        let fault = self.load_frame(runtime::FAULT);
        let failed = self.is(IntCC::Equal, fault, 0);
        self.require(failed);
        result
    }

    /// If the word is zero, the step is an error of the model and is given up.
    pub(super) fn require(&mut self, condition: Word) {
        self.unless_failed(condition, None, Self::fail);
    }

    /// The step is an error; nothing follows.
    fn fail(&mut self) {
        if !self.quiet {
            self.set_flag(runtime::ERROR);
        }
        if self.own {
            self.set_flag(runtime::ACTIVE);
        }
        let zero = self.constant(0);
        self.store_frame(zero, runtime::FAULT);
        self.call("build_clear", &[]);
        if let Some(fault) = self.fault {
            let one = self.constant(1);
            self.put(fault, one);
        }
        self.jump(self.skip);
    }

    /// If the word is zero, part `number` needs more room in the row; the whole search will start again.
    pub(super) fn require_room(&mut self, condition: Word, number: usize) {
        self.unless_failed(condition, Some(number), |code| {
            let part = code.constant(number as u64 + 1);
            code.store_frame(part, runtime::WIDEN);
            code.jump(code.skip);
        });
    }

    /// Gives the step up if the word is zero. That is written once for all who give up the same step for the same part, or
    /// as an error.
    fn unless_failed(&mut self, condition: Word, part: Option<usize>, write: impl FnOnce(&mut Self)) {
        let what = (part, self.skip, self.fault.map(Variable::as_u32), self.quiet, self.own);
        if let Some(known) = self.failures.get(&what) {
            return self.unless(condition, *known);
        }
        let (go_on, failed) = (self.block(), self.block());
        self.failures.insert(what, failed);
        self.builder.ins().brif(condition, go_on, &[], failed, &[]);
        self.builder.set_cold_block(failed);
        self.at(failed);
        write(self);
        self.at(go_on);
    }

    /// A number for a kind, to be passed to the runtime.
    pub(super) fn kind_number(&mut self, kind: &Kind) -> Word {
        let kinds = &mut self.tables.kinds;
        let number = kinds.iter().position(|known| known == kind).unwrap_or_else(|| {
            kinds.push(kind.clone());
            kinds.len() - 1
        });
        self.constant(number as u64)
    }

    /// The address of a constant list.
    pub(super) fn list(&mut self, words: Vec<u64>) -> Word {
        let list: Box<[u64]> = words.into();
        let address = list.as_ptr() as u64;
        self.tables.lists.push(list);
        self.constant(address)
    }

    pub(super) fn variable(&mut self, start: Word) -> Variable {
        let variable = self.builder.declare_var(I64);
        self.builder.def_var(variable, start);
        variable
    }

    pub(super) fn get(&mut self, variable: Variable) -> Word {
        self.builder.use_var(variable)
    }

    pub(super) fn put(&mut self, variable: Variable, word: Word) {
        self.builder.def_var(variable, word);
    }

    /// Runs `write` with the locals of another owner.
    pub(super) fn with_locals<T>(&mut self, locals: &[Local], write: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.locals.push(vec![None; locals.len()]);
        let result = write(self);
        self.locals.pop();
        result
    }

    pub(super) fn set_local(&mut self, local: LocalId, word: Word, kind: Kind) {
        self.bind_local(local, Some((Binding::Word(word), kind)));
    }

    /// A local whose word may change while the code runs.
    pub(super) fn set_local_variable(&mut self, local: LocalId, variable: Variable, kind: Kind) {
        self.bind_local(local, Some((Binding::Variable(variable), kind)));
    }

    pub(super) fn unset_local(&mut self, local: LocalId) {
        self.bind_local(local, None);
    }

    fn bind_local(&mut self, local: LocalId, binding: Option<(Binding, Kind)>) {
        let frame = self.locals.last_mut().expect("there is always a frame");
        frame[local.0] = binding;
    }

    pub(super) fn local(&mut self, local: LocalId) -> Option<(Word, Kind)> {
        let (binding, kind) = self.locals.last()?.get(local.0)?.clone()?;
        let word = match binding {
            Binding::Word(word) => word,
            Binding::Variable(variable) => self.get(variable),
        };
        Some((word, kind))
    }

    pub(super) fn is_bound(&self, local: LocalId) -> bool {
        self.locals.last().is_some_and(|frame| frame.get(local.0).is_some_and(Option::is_some))
    }

    /// A condition with locals of its own, judged in the row that is read now.
    pub(super) fn closed(&mut self, closed: &Closed) -> Result<Word> {
        self.with_locals(&closed.locals, |code| code.test(&closed.expr))
    }

    /// A word that depends on which way was taken: zero or one.
    pub(super) fn decide(&mut self, write: impl FnOnce(&mut Self, Block) -> Result<()>) -> Result<Word> {
        let (no, end) = (self.block(), self.block());
        self.builder.append_block_param(end, I64);
        write(self, no)?;
        let one = self.constant(1);
        self.builder.ins().jump(end, &[one.into()]);
        self.at(no);
        let zero = self.constant(0);
        self.builder.ins().jump(end, &[zero.into()]);
        self.at(end);
        Ok(self.builder.block_params(end)[0])
    }

    /// Ends one of several branches; [`Code::meet`] goes on where all of them meet.
    pub(super) fn branch(&mut self, ways: &mut Vec<(Block, Typed)>, value: Typed) {
        let end = self.block();
        self.jump(end);
        ways.push((end, value));
    }

    /// Goes on after several branches with a value of their common kind.
    pub(super) fn meet(&mut self, ways: Vec<(Block, Typed)>) -> Result<Typed> {
        let mut kind = Kind::never();
        for (_, (_, other)) in &ways {
            kind = kind.join(other)?;
        }
        let end = self.block();
        self.builder.append_block_param(end, I64);
        for (block, (word, from)) in ways {
            self.at(block);
            let word = self.widen(word, &from, &kind)?;
            self.builder.ins().jump(end, &[word.into()]);
        }
        self.at(end);
        Ok((self.builder.block_params(end)[0], kind))
    }

    /// One of two values, in their common kind.
    pub(super) fn either(
        &mut self,
        condition: Word,
        then: impl FnOnce(&mut Self) -> Result<Typed>,
        otherwise: impl FnOnce(&mut Self) -> Result<Typed>,
    ) -> Result<Typed> {
        let (yes, no) = (self.block(), self.block());
        self.builder.ins().brif(condition, yes, &[], no, &[]);
        let mut ways = Vec::new();
        self.at(yes);
        let value = then(self)?;
        self.branch(&mut ways, value);
        self.at(no);
        let value = otherwise(self)?;
        self.branch(&mut ways, value);
        self.meet(ways)
    }

    /// Writes what has to happen before `body` but is known only after it: `body` gives it.
    pub(super) fn prepared(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<Kind>,
        before: impl FnOnce(&mut Self, &Kind),
    ) -> Result<Kind> {
        let (first, then, after) = (self.block(), self.block(), self.block());
        self.jump(first);
        self.at(then);
        let kind = body(self)?;
        self.jump(after);
        self.at(first);
        before(self, &kind);
        self.jump(then);
        self.at(after);
        Ok(kind)
    }

    /// One of two words.
    pub(super) fn choose(
        &mut self,
        condition: Word,
        then: impl FnOnce(&mut Self) -> Result<Word>,
        otherwise: impl FnOnce(&mut Self) -> Result<Word>,
    ) -> Result<Word> {
        let (yes, no, end) = (self.block(), self.block(), self.block());
        self.builder.append_block_param(end, I64);
        self.builder.ins().brif(condition, yes, &[], no, &[]);
        self.at(yes);
        let word = then(self)?;
        self.builder.ins().jump(end, &[word.into()]);
        self.at(no);
        let word = otherwise(self)?;
        self.builder.ins().jump(end, &[word.into()]);
        self.at(end);
        Ok(self.builder.block_params(end)[0])
    }
}
