//! The setups of a specification that enters another one: one of the same name is one setup that says what both say, and nothing
//! may be said twice and differently.

use super::entering::Entering;
use super::{Refused, alike};
use interplay_model::{Closed, Domain, DomainTarget, Group, Limit, Setup, Wait, Weight};

impl Entering<'_> {
    pub(super) fn setups(&mut self) -> Result<(), Refused> {
        for setup in &self.from.setups {
            let new = self.setup(setup);
            match self.into.setups.iter().position(|own| own.name == new.name) {
                Some(at) => self.into.setups[at] = self.merged(&self.into.setups[at], new)?,
                None => self.into.setups.push(new),
            }
        }
        Ok(())
    }

    /// With the names of the model that it enters.
    fn setup(&self, setup: &Setup) -> Setup {
        let all = |list: &[Closed]| list.iter().map(|each| self.closed(each)).collect();
        let actions = |list: &[interplay_model::ActionId]| list.iter().map(|id| self.actions[id.0]).collect();
        let domain = |of: &Domain| Domain { target: self.target(of.target), values: self.closed(&of.values), ..*of };
        let limit = |of: &Limit| Limit {
            action: self.actions[of.action.0],
            locals: self.locals(&of.locals),
            condition: self.expr(&of.condition),
            ..*of
        };
        let group =
            |of: &Group| Group { by: self.closed(&of.by), when: of.when.as_ref().map(|when| self.closed(when)) };
        let weight = |of: &Weight| Weight { action: self.actions[of.action.0], weight: self.closed(&of.weight), ..*of };
        let wait = |of: &Wait| Wait { when: of.when.as_ref().map(|when| self.closed(when)), ..*of };
        Setup {
            constants: setup.constants.iter().map(|(id, of)| (self.constants[id.0], self.closed(of))).collect(),
            domains: setup.domains.iter().map(domain).collect(),
            limits: setup.limits.iter().map(limit).collect(),
            without: actions(&setup.without),
            keep: all(&setup.keep),
            groups: setup.groups.iter().map(group).collect(),
            interchangeable: setup.interchangeable.iter().map(|of| self.target(*of)).collect(),
            weights: setup.weights.iter().map(weight).collect(),
            waits: setup.waits.iter().map(wait).collect(),
            cleanup: actions(&setup.cleanup),
            ..setup.clone()
        }
    }

    fn target(&self, target: DomainTarget) -> DomainTarget {
        match target {
            DomainTarget::Int | DomainTarget::String => target,
            DomainTarget::Alias(id) => DomainTarget::Alias(self.aliases[id.0]),
            DomainTarget::Enum(id) => DomainTarget::Enum(self.enums[id.0]),
            DomainTarget::Record(id) => DomainTarget::Record(self.records[id.0]),
            DomainTarget::Object(id) => DomainTarget::Object(self.objects[id.0]),
            DomainTarget::Parameter(action, index) => DomainTarget::Parameter(self.actions[action.0], index),
        }
    }

    fn merged(&self, own: &Setup, new: Setup) -> Result<Setup, Refused> {
        let mut both = own.clone();
        let model = &self.into;
        let same = |what: String, one: String, two: String| match one == two {
            true => Ok(()),
            false => alike::different(&self.names(), &format!("{what} of setup"), &own.name, &one, &two),
        };
        for (id, value) in new.constants {
            match own.constants.iter().find(|(known, _)| *known == id) {
                Some((_, known)) => same(
                    format!("const `{}`", model.constants[id.0].name),
                    alike::closed(model, known),
                    alike::closed(model, &value),
                )?,
                None => both.constants.push((id, value)),
            }
        }
        for domain in new.domains {
            match own.domains.iter().find(|known| known.target == domain.target) {
                Some(known) => {
                    same("a domain".into(), alike::closed(model, &known.values), alike::closed(model, &domain.values))?
                }
                None => both.domains.push(domain),
            }
        }
        for weight in new.weights {
            match own.weights.iter().find(|known| known.action == weight.action) {
                Some(known) => same(
                    format!("the weight of `{}`", model.actions[weight.action.0].name),
                    format!("{} {}", known.bag, alike::closed(model, &known.weight)),
                    format!("{} {}", weight.bag, alike::closed(model, &weight.weight)),
                )?,
                None => both.weights.push(weight),
            }
        }
        both.limits.extend(new.limits);
        both.without.extend(new.without.into_iter().filter(|id| !own.without.contains(id)));
        both.keep.extend(new.keep);
        both.groups.extend(new.groups);
        both.interchangeable.extend(new.interchangeable.into_iter().filter(|of| !own.interchangeable.contains(of)));
        both.waits.extend(new.waits);
        both.cleanup.extend(new.cleanup.into_iter().filter(|id| !own.cleanup.contains(id)));
        macro_rules! one_of {
            ($($field:ident: $unsaid:expr),*) => {
                $(both.$field = match (own.$field.clone(), new.$field.clone()) {
                    (one, two) if two == $unsaid || one == two => one,
                    (one, two) if one == $unsaid => two,
                    (one, two) => {
                        let what = stringify!($field).to_string();
                        same(what, format!("{one:?}"), format!("{two:?}"))?;
                        one
                    }
                };)*
            };
        }
        one_of!(
            conformance: Default::default(), refusals: Default::default(), silence: Default::default(),
            transit: 0, finish: Default::default(), arcs: Default::default(), overwrites: None, tests: None,
            steps: None, seed: None, timeout: None, states: None, depth: None
        );
        Ok(both)
    }
}
