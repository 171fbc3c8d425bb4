//! From rules to native code: functions that, given a row, judge it and write all its successors.
//!
//! The code of a rule is a nest of loops over the values of its parameters, in the order in which the guard yields them,
//! around the guard, the body on a copy of the row, and the writing of the copy. A conjunct that is false jumps to the next
//! value; so does an error of the model, after leaving a mark that the interpreter will explain.
//!
//! A small model is one function. A large one is several, called one after the other: they are made by all cores at once, and
//! the time that one takes grows faster than its length. It is made with little effort at first, and once more when many rows
//! were expanded.

mod builtins;
mod code;
mod domain;
mod each;
mod expression;
mod list;
mod membership;
mod operators;
mod pattern;
mod place;
mod reaction;
mod rule;
mod signals;
mod statement;
mod successor;
mod value;
mod watch;

use code::{Code, Tables};
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types::I64};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleReloc};
use interplay_rows::Layout;
use interplay_rows::Watch;
use interplay_rows::{Kind, Kinds};
use interplay_rows::{Store, Unsupported};
use interplay_semantics::State;
use std::sync::Mutex;
pub(crate) use watch::event_words;

/// Longer code is made faster with its loops, and a first state should not wait.
const MOST_WRITTEN_OUT: usize = 6_000;
/// A function that has so many instructions takes no further actions.
const LONG: usize = 1_000;
/// Longer code is made with little effort at first.
const LONGEST_AT_ONCE: usize = 1_500;

/// What the code is compiled from.
pub(crate) struct Input<'a> {
    pub(crate) kinds: &'a Kinds<'a>,
    pub(crate) layout: &'a Layout,
    pub(crate) store: &'a Store,
    pub(crate) initial: &'a [State],
    /// Those who judge.
    pub(crate) watch: &'a Watch,
    /// So many instructions may be spent on loops whose turns are written out.
    pub(crate) room: usize,
    /// Append a hash of the label to each successor, to recognise the same step twice.
    pub(crate) labels: bool,
}

/// Native code with the tables that it uses.
pub(crate) struct Output {
    pub(crate) machine: Machine,
    /// What better code can be made from, if this was made with little effort.
    pub(crate) source: Option<Source>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) lists: Vec<Box<[u64]>>,
}

/// Functions, still to be made into machine code.
pub(crate) struct Source {
    functions: Vec<Function>,
    /// The first of them is told of steps.
    watched: bool,
}

pub(crate) struct Machine {
    pub(crate) module: JITModule,
    /// To be called one after the other.
    pub(crate) entries: Vec<*const u8>,
    /// To be called by the others, if anybody watches.
    pub(crate) watch: Option<*const u8>,
}

/// What is put into making machine code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Nothing but to be done soon.
    Little,
    Much,
}

pub(crate) fn compile(input: &Input<'_>) -> Result<Output, Unsupported> {
    let (source, tables) = write(input, &*isa(Effort::Much)?)?;
    let effort = if tables.written > LONGEST_AT_ONCE { Effort::Little } else { Effort::Much };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let machine = make(&source, effort, threads)?;
    let source = (effort == Effort::Little).then_some(source);
    Ok(Output { machine, source, kinds: tables.kinds, lists: tables.lists })
}

/// The processor at hand.
fn isa(effort: Effort) -> Result<OwnedTargetIsa, Unsupported> {
    let (level, registers) = match effort {
        Effort::Little => ("none", "single_pass"),
        Effort::Much => ("speed", "backtracking"),
    };
    // Where time does not matter, what is written is looked at before it is made.
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let mut flags = settings::builder();
    for (name, value) in
        [("opt_level", level), ("regalloc_algorithm", registers), ("is_pic", "false"), ("enable_verifier", verify)]
    {
        flags.set(name, value).map_err(failed)?;
    }
    let isa = cranelift_native::builder().map_err(failed)?;
    isa.finish(settings::Flags::new(flags)).map_err(failed)
}

fn write(input: &Input<'_>, isa: &dyn TargetIsa) -> Result<(Source, Tables), Unsupported> {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
    let mut builders = FunctionBuilderContext::new();
    let (mut written, mut tables) = (Vec::new(), Tables::new(input.room));
    if input.watch.follows_steps() {
        let mut function = Function::with_name_signature(UserFuncName::default(), signature.clone());
        let builder = FunctionBuilder::new(&mut function, &mut builders);
        let mut code = Code::new(builder, input, tables);
        code.watch()?;
        tables = code.finish(isa.frontend_config());
        (tables.written, tables.room) = (0, input.room);
        written.push(function);
    }
    let mut tasks = Code::tasks(input.kinds.instance.model()).into_iter().peekable();
    while tasks.peek().is_some() {
        let mut function = Function::with_name_signature(UserFuncName::default(), signature.clone());
        let builder = FunctionBuilder::new(&mut function, &mut builders);
        let mut code = Code::new(builder, input, tables);
        while code.instructions() < LONG
            && let Some(task) = tasks.next()
        {
            code.task(task)?;
        }
        tables = code.finish(isa.frontend_config());
        if input.room > 0 && tables.written > MOST_WRITTEN_OUT {
            return Err(Unsupported::new("too much code to unroll its loops"));
        }
        written.push(function);
    }
    Ok((Source { functions: written, watched: input.watch.follows_steps() }, tables))
}

/// Makes machine code, on several cores.
pub(crate) fn make(source: &Source, effort: Effort, threads: usize) -> Result<Machine, Unsupported> {
    let isa = isa(effort)?;
    let mut contexts: Vec<Context> = source.functions.iter().cloned().map(Context::for_function).collect();
    let threads = threads.min(contexts.len());
    let waiting = Mutex::new(contexts.iter_mut());
    let work = || {
        loop {
            let Some(context) = waiting.lock().expect("taking does not panic").next() else { return Ok(()) };
            context.compile(&*isa, &mut ControlPlane::default()).map_err(|error| failed(error.inner))?;
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mine = work();
        others.into_iter().map(|other| other.join().expect("making code does not panic")).fold(mine, Result::and)
    })?;
    load(&contexts, isa, source.watched)
}

/// Puts machine code where it can run.
fn load(made: &[Context], isa: OwnedTargetIsa, watched: bool) -> Result<Machine, Unsupported> {
    let mut module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
    let mut functions = Vec::new();
    for (number, context) in made.iter().enumerate() {
        let name = format!("expand{number}");
        let id = module.declare_function(&name, Linkage::Export, &context.func.signature).map_err(failed)?;
        let code = &context.compiled_code().expect("it was made").buffer;
        let reloc = |reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id);
        let relocs: Vec<ModuleReloc> = code.relocs().iter().map(reloc).collect();
        module.define_function_bytes(id, code.alignment.into(), code.data(), &relocs).map_err(failed)?;
        functions.push(id);
    }
    module.finalize_definitions().map_err(failed)?;
    let mut entries: Vec<*const u8> = functions.iter().map(|id| module.get_finalized_function(*id)).collect();
    let watch = watched.then(|| entries.remove(0));
    Ok(Machine { module, entries, watch })
}

fn failed(error: impl std::fmt::Display) -> Unsupported {
    Unsupported::new(format!("the code generator refuses: {error}"))
}
