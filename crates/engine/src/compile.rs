//! From rules to native code: one function that, given a row, judges it and writes all its successors.
//!
//! The code of a rule is a nest of loops over the values of its parameters, in the order in which the guard yields them,
//! around the guard, the body on a copy of the row, and the writing of the copy. A conjunct that is false jumps to the next
//! value; so does an error of the model, after leaving a mark that the interpreter will explain.

mod builtins;
mod code;
mod domain;
mod each;
mod expression;
mod membership;
mod operators;
mod pattern;
mod place;
mod reaction;
mod rule;
mod signals;
mod statement;
mod value;

use crate::kind::{Kind, Kinds};
use crate::layout::Layout;
use crate::{Store, Unsupported, runtime};
use code::Code;
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, types::I64};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module};
use interplay_semantics::State;
use std::collections::HashMap;

/// Longer code is made faster with its loops, and a first state should not wait.
const MOST_WRITTEN_OUT: usize = 6_000;

/// What the code is compiled from.
pub(crate) struct Input<'a> {
    pub(crate) kinds: &'a Kinds<'a>,
    pub(crate) layout: &'a Layout,
    pub(crate) store: &'a Store,
    pub(crate) initial: &'a [State],
    /// Invariants, in the order of their bits.
    pub(crate) invariants: &'a [interplay_model::Closed],
    /// So many instructions may be spent on loops whose turns are written out.
    pub(crate) room: usize,
    /// Append a hash of the label to each successor, to recognise the same step twice.
    pub(crate) labels: bool,
}

/// Native code with the tables that it uses.
pub(crate) struct Output {
    pub(crate) module: JITModule,
    pub(crate) entry: *const u8,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) lists: Vec<Box<[u64]>>,
}

pub(crate) fn compile(input: &Input<'_>) -> Result<Output, Unsupported> {
    let mut module = new_module()?;
    let mut context = module.make_context();
    context.func.signature = signature(&module, 2, false);
    let mut builders = FunctionBuilderContext::new();
    let declared = declare_runtime(&mut module)?;
    let (kinds, lists) = {
        let mut builder = FunctionBuilder::new(&mut context.func, &mut builders);
        let functions: HashMap<&'static str, FuncRef> =
            declared.iter().map(|(name, id)| (*name, module.declare_func_in_func(*id, builder.func))).collect();
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let mut code = Code::new(builder, input, functions, entry);
        code.program()?;
        if input.room > 0 && code.builder.func.dfg.num_insts() > MOST_WRITTEN_OUT {
            return Err(Unsupported::new("so much code that loops must stay loops"));
        }
        code.finish(module.target_config())
    };
    let id = module.declare_function("expand", Linkage::Export, &context.func.signature).map_err(failed)?;
    module.define_function(id, &mut context).map_err(failed)?;
    module.finalize_definitions().map_err(failed)?;
    let entry = module.get_finalized_function(id);
    Ok(Output { module, entry, kinds, lists })
}

fn new_module() -> Result<JITModule, Unsupported> {
    let mut flags = settings::builder();
    for (name, value) in
        [("opt_level", "speed"), ("use_colocated_libcalls", "false"), ("is_pic", "false"), ("enable_verifier", "false")]
    {
        flags.set(name, value).map_err(|error| Unsupported::new(error.to_string()))?;
    }
    let isa = cranelift_native::builder().map_err(Unsupported::new)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| Unsupported::new(error.to_string()))?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    for function in runtime::table() {
        builder.symbol(function.name, function.address);
    }
    Ok(JITModule::new(builder))
}

fn declare_runtime(module: &mut JITModule) -> Result<Vec<(&'static str, cranelift_module::FuncId)>, Unsupported> {
    let mut declared = Vec::new();
    for function in runtime::table() {
        let signature = signature(module, function.args + 1, true);
        declared.push((
            function.name,
            module.declare_function(function.name, Linkage::Import, &signature).map_err(failed)?,
        ));
    }
    Ok(declared)
}

fn signature(module: &JITModule, params: usize, returns: bool) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), params));
    signature.returns.extend(returns.then_some(AbiParam::new(I64)));
    signature
}

fn failed(error: cranelift_module::ModuleError) -> Unsupported {
    Unsupported::new(format!("the code generator refuses: {error}"))
}
