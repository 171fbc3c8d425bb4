//! The implementation under test, by what the user calls it: started or reached once for each worker.

use super::Request;
use crate::{ChosenSetup, Context, Host, Refusal, open};
use interplay_adapter::{Implementation, Limits, ModelImplementation, Settings, Target, Trouble, connect};
use interplay_semantics::{Instance, Value};

type Connector<'c> = Box<dyn Fn(usize) -> Result<Box<dyn Implementation>, Trouble> + Sync + 'c>;

pub(crate) fn connector<'c>(
    tested: &'c Instance,
    target: &'c Target,
    request: &'c Request,
    host: &dyn Host,
) -> Result<Connector<'c>, Refusal> {
    let address = match target {
        Target::Model(path) => {
            let other = open(path, host).map_err(|refusal| {
                let (path, why) = (path.display(), refusal.first());
                Refusal::request(format!("{path} cannot be played{why}"), format!("interplay check {path} tells more"))
            })?;
            let (played, _) = played(tested, &other, request.setup.as_deref())?;
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

/// The specification that plays the implementation, under which setup.
pub(crate) fn played(
    tested: &Instance,
    other: &Context,
    asked: Option<&str>,
) -> Result<(Instance, ChosenSetup), Refusal> {
    // The same setup if it has one of this name, because that gives constants their values.
    let wanted = tested.setup().map(|setup| setup.name.as_str());
    let wanted = wanted.filter(|name| other.model.setup_named(name).is_some());
    // Whoever declines the only setup declines it for both.
    other.under(wanted.or(asked.filter(|name| *name == "none")), None)
}

fn constants(instance: &Instance) -> Vec<(String, Value)> {
    let all = instance.model().constants.iter().enumerate();
    let value = |(index, constant): (usize, &interplay_model::Constant)| {
        Some((constant.name.clone(), instance.constant(interplay_model::ConstantId(index)).ok()?))
    };
    all.filter_map(value).collect()
}
