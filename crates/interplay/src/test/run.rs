//! One test in this process: the campaign on a thread of its own, watched from here.
//!
//! Systems run on the thread of the campaign, so that a call is a call. If one does not come back, that thread is left behind and
//! the same campaign begins again with each system on a thread of its own, where a hang is a failure that can be shrunk.

use super::failure::Failure;
use super::guarded::Guarded;
use super::inline::{Inline, Maker};
use super::panics::caught;
use super::report::Report;
use super::spec::refused;
use super::system::System;
use super::tests::Test;
use super::watch::Watch;
use interplay_adapter::{Implementation, Trouble};
use interplay_answers::{Tested, Verdict};
use interplay_report::{Colour, tested_text};
use interplay_specification::Context;
use interplay_trial::{Around, TestAnswer, Testing, Trial};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// So often somebody looks whether a call comes back.
const LOOK: Duration = Duration::from_millis(100);
/// A hang costs its limit of time each time that it is tried.
const SHRINKING_HANGS: Duration = Duration::from_secs(5);

pub(crate) fn test<S: System>(mut test: Test, make: Maker<S>, mute: bool) -> Result<Report, Failure> {
    let context = Arc::new(test.spec.open().map_err(Failure::unusable)?);
    test.request.sut = std::any::type_name::<S>().into();
    test.request.stored = test.regressions.stored(&test.request.sut);
    let answer = campaign(&test, &context, &make, mute, false).or_else(|| {
        test.request.shrink = Some(SHRINKING_HANGS);
        campaign(&test, &context, &make, mute, true)
    });
    let answer = answer.unwrap_or_else(|| Err("a call of the type does not return, and neither does the test".into()));
    let TestAnswer { mut tested, marks, .. } = answer.map_err(Failure::unusable)?;
    tested.implementation = format!("in process: {}", test.request.sut);
    // There is no program to replay it at: the kept file and the seed repeat it.
    tested.failures.iter_mut().for_each(|failure| failure.token.clear());
    let story = format!("\n{}", tested_text(&context.sources, &tested, Colour::Never));
    page(&test, &context, &tested, marks)?;
    match tested.verdict() {
        Verdict::Pass => Ok(Report::new(&tested, story)),
        Verdict::Fail | Verdict::Inconclusive => Err(Failure::new(&tested, story)),
    }
}

/// `None` if a call of the system did not come back.
fn campaign<S: System>(
    test: &Test,
    context: &Arc<Context>,
    make: &Maker<S>,
    mute: bool,
    guarded: bool,
) -> Option<Result<TestAnswer, String>> {
    let (tell, told) = channel();
    let (watch, over) = (Arc::new(Watch::default()), Arc::new(AtomicBool::new(false)));
    let work = {
        let (test, context, make) = (test.clone(), context.clone(), make.clone());
        let (watch, over) = (watch.clone(), over.clone());
        move || {
            let done = caught(|| run(&test, &context, &make, mute, guarded, &watch, &over));
            let _ =
                tell.send(done.unwrap_or_else(|panicked| Err(format!("{} ({})", panicked.message, panicked.place))));
        }
    };
    // Expressions of a specification may be deep.
    let thread = std::thread::Builder::new().name("interplay".into()).stack_size(64 << 20).spawn(work);
    if let Err(error) = thread {
        return Some(Err(format!("no thread for the test: {error}")));
    }
    loop {
        match told.recv_timeout(LOOK) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) if !guarded && watch.hangs() => {
                over.store(true, Ordering::Relaxed);
                return None;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Some(Err("the test ended without an answer".into()));
            }
        }
    }
}

fn run<S: System>(
    test: &Test,
    context: &Context,
    make: &Maker<S>,
    mute: bool,
    guarded: bool,
    watch: &Arc<Watch>,
    over: &AtomicBool,
) -> Result<TestAnswer, String> {
    let Testing { setup, properties, moved, .. } = &test.request;
    let (instance, _) = context.under(setup.as_deref(), properties.as_deref()).map_err(|refusal| refused(&refusal))?;
    let instance = match moved {
        Some(moved) => moved.instance(instance),
        None => instance,
    };
    let connect = |_| -> Result<Box<dyn Implementation>, Trouble> {
        let (make, model, watch) = (make.clone(), context.model.clone(), watch.clone());
        let inline = move || Inline::new(make, mute, model, watch);
        Ok(if guarded { Box::new(Guarded::start(inline)?) } else { Box::new(inline()) })
    };
    let started = Instant::now();
    let trial = Trial {
        context,
        instance: &instance,
        request: &test.request,
        connect: &connect,
        // Exploring would cost more than the test.
        listed: 0,
        starts_anew: true,
        plug: None,
        scout: None,
        around: Around {
            now: &|| started.elapsed(),
            interrupted: over,
            progress: &|_| {},
            found: &|_| {},
            save: &|saved| if over.load(Ordering::Relaxed) { None } else { test.regressions.keep(saved) },
        },
    };
    interplay_trial::run(&trial)
}

#[cfg(feature = "html")]
fn page(test: &Test, context: &Context, tested: &Tested, marks: Vec<interplay_answers::Mark>) -> Result<(), Failure> {
    let Some(file) = &test.page else { return Ok(()) };
    let mut behind = interplay_report::Background::new(&context.sources, test.spec.name().display().to_string());
    behind.marks = marks;
    let page = interplay_report::tested_html(tested, behind);
    std::fs::write(file, page)
        .map_err(|error| Failure::unusable(format!("{} cannot be written: {error}", file.display())))
}

#[cfg(not(feature = "html"))]
fn page(_: &Test, _: &Context, _: &Tested, _: Vec<interplay_answers::Mark>) -> Result<(), Failure> {
    Ok(())
}
