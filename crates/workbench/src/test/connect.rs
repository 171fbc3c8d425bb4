//! The implementation under test, by what the user calls it: started or reached once for each worker.

use super::{TestHost, Testing, instance};
use crate::{Refusal, choose_setup, open};
use interplay_adapter::{Implementation, Limits, ModelImplementation, Settings, Target, Trouble, connect};
use interplay_semantics::{Instance, Value};

type Connector<'c> = Box<dyn Fn(usize) -> Result<Box<dyn Implementation>, Trouble> + Sync + 'c>;

pub(crate) fn connector<'c>(
    tested: &'c Instance,
    target: &'c Target,
    request: &'c Testing,
    host: &TestHost<'_>,
) -> Result<Connector<'c>, Refusal> {
    let address = match target {
        Target::Model(path) => {
            let other = open(path, host.read).map_err(|(_, problems)| {
                let first = problems.first().map_or(String::new(), |problem| format!(": {}", problem.message));
                Refusal::Request(format!(
                    "{} cannot be played{first}\nhelp: interplay check {} tells more",
                    path.display(),
                    path.display()
                ))
            })?;
            // The same setup if it has one of this name, because that gives constants their values.
            let wanted = tested.setup().map(|setup| setup.name.as_str());
            let wanted = wanted.filter(|name| other.model.setup_named(name).is_some());
            // Whoever declines the only setup declines it for both.
            let wanted = wanted.or(request.setup.as_deref().filter(|name| *name == "none"));
            let chosen = choose_setup(&other.model, wanted).map_err(Refusal::Request)?;
            let id = chosen.name.as_deref().and_then(|name| other.model.setup_named(name));
            let played = instance(&other.model, id)?;
            return Ok(Box::new(move |worker| {
                let seed = request.seed.wrapping_add(worker as u64);
                let model = ModelImplementation::of_another(played.clone(), seed, tested.shared_model())?;
                Ok(Box::new(model))
            }));
        }
        Target::Adapter(address) => address,
    };
    let settings = Settings {
        setup: tested.setup().map(|setup| setup.name.clone()),
        seed: request.seed,
        constants: constants(tested),
        enabled: false,
    };
    Ok(Box::new(move |_| {
        let connection = connect(address, tested.shared_model().clone(), &settings, &Limits::default())?;
        Ok(Box::new(connection))
    }))
}

fn constants(instance: &Instance) -> Vec<(String, Value)> {
    let all = instance.model().constants.iter().enumerate();
    let value = |(index, constant): (usize, &interplay_model::Constant)| {
        Some((constant.name.clone(), instance.constant(interplay_model::ConstantId(index)).ok()?))
    };
    all.filter_map(value).collect()
}
