//! What lies behind a conversation: the generalised scenario of the way to a goal, with parameters for the things that it is about.

pub use super::Request;
use super::{answer, asked, places, told};
use crate::{Context, Host, Refusal};
pub use interplay_answers::Abstracted as Answer;
use interplay_answers::{AbstractedGoal, AbstractedScenario};
use interplay_model::{LocalId, Model};
use interplay_scenarios::{self as scenarios, General, Method, generalised, show_condition, show_general};
use interplay_semantics::Instance;

/// The generalised scenario behind a way to each goal. One that was put together from the library is preferred: it is about
/// different things where a shortest way often takes one thing for all.
pub fn run(context: &mut Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let (model, goals) = asked(context, &request.goals)?;
    let places = places(context, request)?;
    let mut answers = Vec::new();
    for goal in &goals {
        if host.is_stopped() {
            break;
        }
        let started = host.now();
        let own = [Method::Contradiction, Method::Generalise];
        let first = if request.methods.is_empty() { &own } else { &request.methods[..] };
        let mut answered = answer(context, &model, *goal, &places, (request, first), host)?;
        if request.methods.is_empty() && matches!(answered.2.answer, scenarios::Answer::Unknown { .. }) {
            answered = answer(context, &model, *goal, &places, (request, &Method::ALL), host)?;
        }
        let (asked, wanted, found) = answered;
        let sought = told(context, &model, &wanted, &found, host.now() - started)?;
        let general = match &found.answer {
            scenarios::Answer::Reached(way) => {
                let place = found.places.first().copied().flatten();
                let instance = Instance::new(asked.clone(), place).map_err(|error| context.broken(error))?;
                generalised(&instance, &wanted, way)
            }
            _ => None,
        };
        let texts: Vec<String> =
            wanted.conditions.iter().map(|condition| context.sources.one_line(condition.span)).collect();
        answers.push(AbstractedGoal {
            general: general.map(|general| tell(&asked, &general, &wanted.name, &texts.join(" and "))),
            sought,
        });
    }
    Ok(Answer { system: model.name.clone(), interrupted: answers.len() < goals.len(), goals: answers })
}

fn tell(model: &Model, general: &General, name: &str, goal: &str) -> AbstractedScenario {
    let names = general.names();
    let param = |slot: &LocalId| (names[slot].clone(), model.types.show(&general.locals[slot.0].ty));
    AbstractedScenario {
        params: general.parameters().iter().map(param).collect(),
        constraint: general.constraint.iter().map(|condition| show_condition(model, general, condition)).collect(),
        scenario: show_general(model, name, general, goal),
        fixed: general.fixed.map(str::to_string),
    }
}
