//! Does an implementation keep to its specification? Drives it, judges it, and tells what was found as plain data.
//!
//! The test itself is `interplay_trial`; here it gets its implementation and the solver. A stored failure is a [`Saved`], as text a file
//! beside the specification or a token.

pub mod against;
mod broken;
mod connect;
pub mod mutants;
mod plug;
pub mod target;

use crate::driven;
use crate::{ChosenSetup, Context, Host, Progress, Refusal, choose_setup};
pub(crate) use broken::{breakdown, error_of};
pub(crate) use connect::{connector, played};
use interplay_adapter::{Address, Target};
use interplay_model::{GoalId, Model};
use interplay_temporal::Monitors;
use interplay_tester::Chosen;
pub use interplay_tester::{Chosen as TestStrategy, Progress as TestProgress, Shrinking as TestShrinking};
pub(crate) use interplay_trial::title as failure_title;
use interplay_trial::{Around, Trial};
pub use interplay_trial::{Moved, Saved, TestAnswer as Answer, Testing as Request};

/// Drives the implementation, judges it, and shrinks what failed.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let setup = choose_setup(&context.model, request.setup.as_deref())?;
    context.known_properties(request.properties.as_deref().unwrap_or_default())?;
    known_hints(context, &request.assume)?;
    let target = Target::parse(&request.sut)?;
    let instance = context.instance(&setup)?;
    let instance = match &request.moved {
        Some(moved) => moved.instance(instance),
        None => instance,
    };
    driven::leaves_a_step(&instance)?;
    let connect = connect::connector(&instance, &target, request, host)?;
    let found = |sentence: &str| {
        // Who repeats a failure knows it.
        if !request.replay {
            host.tell(Progress::Found(sentence));
        }
    };
    let trial = Trial {
        context,
        instance: &instance,
        request,
        connect: &connect,
        listed: LISTED,
        starts_anew: matches!(target, Target::Adapter(Address::Command(_))),
        plug: plug::plug(&instance),
        scout: Some(&plug::Asking { instance: &instance, interrupted: host.stop() }),
        around: Around {
            now: &|| host.now(),
            interrupted: host.stop(),
            progress: &|progress| host.tell(Progress::Testing(progress)),
            found: &found,
            save: &|saved| host.save(saved),
        },
    };
    let answer = interplay_trial::run(&trial)?;
    Ok(Answer { remark: setup.remark, ..answer })
}

/// Exploring first what a test could cover takes at most so many steps: nobody waits for it, and its report must not depend on the speed of the
/// machine.
const LISTED: usize = 10_000;

/// Each can be assumed.
pub(crate) fn known_hints(context: &Context, hints: &[String]) -> Result<(), Refusal> {
    context.known_properties(hints)?;
    if let Some(observer) = hints.iter().find(|hint| context.model.observers.iter().any(|each| each.name == **hint)) {
        let help = "assume a property instead";
        return Err(Refusal::request(format!("the observer `{observer}` cannot be assumed"), help));
    }
    let instance = context.instance(&ChosenSetup::default())?;
    let refused = Monitors::assuming(&instance, Some(&[]), hints).refused;
    refused.first().map_or(Ok(()), |(name, span, refusal)| Err(context.wrong(refusal.diagnostic(name, *span))))
}

/// The strategy that makes for a goal of the specification.
pub fn test_towards(model: &Model, goal: &str) -> Result<Chosen, String> {
    let found = model.goals.iter().position(|each| each.name == goal);
    let names: Vec<&str> = model.goals.iter().map(|goal| goal.name.as_str()).collect();
    let known = if names.is_empty() {
        "the specification has no goals".into()
    } else {
        format!("the goals are: {}", names.join(", "))
    };
    found.map(|at| Chosen::Goal(GoalId(at))).ok_or_else(|| format!("unknown goal `{goal}`\nhelp: {known}"))
}
