//! Properties proved or broken: the solver's engines and the exploration of all states look side by side, and the first
//! that knows ends the others.
//!
//! Three questions make an answer: can what must not happen be there; can what watches go wrong where it has to judge; and can the
//! model go wrong at all. Nothing is called proved unless all three are.

mod ask;
mod weigh;

use crate::driven::leaves_a_step;
use crate::explore::says_what_happens;
use crate::{Context, Host, Refusal};
use ask::{About, Run};
pub use interplay_answers::Verified as Answer;
use interplay_answers::{self as answers, Proved};
use interplay_diagnostics::{Code, Fault};
use interplay_model::{ConstantId, Model};
pub use interplay_prove::Engine as Solving;
use interplay_prove::{INSTALL, Missing, Started, ending, never_wrong, properties, solver, starts};
use interplay_semantics::{Instance, ModelError, show_name};
use std::sync::Arc;
use std::time::Duration;

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// By the rule for all commands. Without a setup no input is restricted, and constants without a value are symbolic.
    pub setup: Option<String>,
    /// By name; otherwise all, and whether the model can go wrong.
    pub properties: Option<Vec<String>>,
    /// For each property.
    pub budget: Duration,
    /// Which engines of the solver; none, and only exploration answers.
    pub solving: Vec<Solving>,
    /// Visit all states, too.
    pub exploring: bool,
}

/// Asks about every property, one after the other, within the budget of each.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let model = &context.model;
    let (instance, setup) = context.under(request.setup.as_deref(), request.properties.as_deref())?;
    says_what_happens(&instance)?;
    leaves_a_step(&instance)?;
    let started = host.now();
    let program = if request.solving.is_empty() { Err(Missing(String::new())) } else { solver() };
    let run = Run::new(&instance, request, host, program.as_ref().ok());
    let asked = properties(&Arc::new(instance.clone()), request.properties.as_deref());
    let proved = match wrong_start(&run) {
        Some(error) => {
            let mut proved: Vec<Proved> =
                asked.iter().map(|property| weigh::not_asked(&property.name, &error)).collect();
            proved.push(run.wrong_start(&error));
            proved
        }
        None => {
            let mut proved: Vec<Proved> = Vec::new();
            let (mut doubts, mut broken) = (Vec::new(), Vec::new());
            for property in &asked {
                let main = run.answer(property, &About::Property(&property.name));
                if weigh::is_shown(&main) && property.may_go_wrong(&instance) {
                    broken.push(property);
                }
                if !weigh::needs_own(&main) || !property.may_go_wrong(&instance) {
                    proved.push(main);
                    continue;
                }
                let own = run.goes_wrong(&property.goes_wrong(), &About::Own(&property.name));
                // A violation is told before what goes wrong elsewhere, whoever was asked.
                let main = match (main.answer, own.answer) {
                    (answers::Answer::Unknown, answers::Answer::Violated) => run.violated(property, main),
                    _ => main,
                };
                if weigh::is_shown(&main) {
                    broken.push(property);
                    proved.push(main);
                } else {
                    proved.push(weigh::with_own(main, own, &mut doubts));
                }
            }
            // Whoever asks for one property wants to know about the model only what that answer rests on.
            if request.properties.is_none() || proved.iter().any(weigh::rests_on_the_model) {
                let mut wrong = run.goes_wrong(&never_wrong(), &About::Wrong);
                // What breaks one run of a property says nothing about the others, where it may go wrong.
                for property in broken.into_iter().filter(|_| request.properties.is_none()) {
                    if wrong.answer == answers::Answer::Holds {
                        let own = run.goes_wrong(&property.goes_wrong(), &About::Own(&property.name));
                        wrong = weigh::also_wrong(wrong, own, &property.name, &mut doubts);
                    }
                }
                // Only a state without a step asks for `accepting`; a search knows which those are, the solver does not.
                for condition in
                    model.accepting.iter().map(ending).filter(|condition| condition.may_go_wrong(&instance))
                {
                    if wrong.answer == answers::Answer::Holds && weigh::rests_on_the_model(&wrong) {
                        let own = run.goes_wrong(&condition.goes_wrong(), &About::Own(&condition.name));
                        wrong = weigh::also_at_the_end(wrong, own, &mut doubts);
                    }
                }
                weigh::doubt(&mut wrong, &doubts);
                proved.iter_mut().for_each(|each| weigh::weaken(each, &wrong));
                weigh::include(&mut wrong, &proved);
                proved.push(wrong);
            }
            proved
        }
    };
    let missing = match &program {
        Err(Missing(why)) if !request.solving.is_empty() => Some(format!("{why}\nhelp: {INSTALL}")),
        _ => None,
    };
    Ok(Answer {
        system: model.name.clone(),
        setup: setup.name,
        properties: proved,
        symbolic: symbolic(model, &instance),
        missing,
        seconds: (host.now() - started).as_secs_f64(),
    })
}

/// What is wrong before anything happens: an error in `init`, or no initial state at all. Where there are values without end, the
/// solver is asked.
fn wrong_start(run: &Run) -> Option<ModelError> {
    let error = match run.instance.initial() {
        Ok(_) => return None,
        Err(error) => error,
    };
    if !without_end(error.code) {
        return Some(error);
    }
    let span = run.instance.model().initial.first().map(|condition| condition.expr.span)?;
    match starts(run.instance, &run.config()?) {
        Started::Nowhere => Some(ModelError::new(Code::M011, span, "no values satisfy all `init` conditions")),
        Started::Somewhere | Started::Unknown => None,
    }
}

/// Not a mistake here: there is no setup that would give values.
fn without_end(code: Code) -> bool {
    code.fault() == Fault::Setup
}

fn symbolic(model: &Model, instance: &Instance) -> Vec<String> {
    let constants = model.constants.iter().enumerate();
    let open = constants.filter(|(index, _)| instance.constant(ConstantId(*index)).is_err());
    open.map(|(_, constant)| show_name(&constant.name)).collect()
}
