//! Any seed is a specification that has the same states in compiled code and in the interpreter. What compiled code does with
//! memory is watched by the sanitizer that fuzzing brings along.
#![no_main]

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_explore::{Compiled, Config, Findings, Interpreted, Stop, explore};
use interplay_model::SetupId;
use interplay_semantics::Instance;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use std::time::{Duration, Instant};

fuzz_target!(|data: (u64, u8)| {
    let (seed, size) = data;
    let text = interplay_testkit::generate(seed, 1 + u32::from(size % 8));
    let mut diagnostics = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), &text, &mut diagnostics);
    let model = Arc::new(interplay_lower::check(&[tree], &mut diagnostics).expect("generated specifications are right"));
    let setup = (!model.setups.is_empty()).then_some(SetupId(0));
    let Ok(instance) = Instance::new(model, setup) else { return };
    let Ok(compiled) = Compiled::new(instance.clone(), None) else { return };
    // As in the program, a search ends when values take too much memory or when it takes too long.
    let started = Instant::now();
    let deadline = || started.elapsed() > Duration::from_secs(10);
    let bytes = Some(256 << 20);
    let findings = Findings::Continue;
    let config = Config { states: Some(200), bytes, deadline: &deadline, findings, ..Config::default() };
    let ours = explore(&compiled, &config);
    if compiled.too_narrow() || ours.stop != Stop::Exhausted {
        return;
    }
    let theirs = explore(&Interpreted::new(instance, None), &config);
    if theirs.stop == Stop::Exhausted {
        assert_eq!((ours.states, ours.transitions), (theirs.states, theirs.transitions), "{text}");
    }
});
