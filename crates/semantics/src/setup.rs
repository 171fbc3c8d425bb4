//! What a setup allows: the one place that reads a setup's part of driving.
//!
//! A setup has three parts. The *instance* (constants, domains of types that are declared without bounds) belongs to the meaning: it says
//! which values there are. The *drive* (domains of bounded types and of input parameters, `limit`, `without`, `keep`, `group`,
//! `interchangeable`, weights) chooses among the runs and never changes a step, a guard, an initial state, an internal parameter or a
//! quantifier. The part that *judges* an implementation (relation, silence, refusals, transit, finish) is the tester's.
//!
//! Other crates ask here, or [`Instance::is_given`], [`Instance::values_of`], [`Instance::given_values`]; they never look into the setup
//! themselves (`xtask tidy` says so), because a second reading of the same line is where two engines begin to disagree.

use crate::{Instance, LIMIT};
use interplay_model::{
    ActionId, Closed, Direction, Domain, DomainTarget, Expr, Group, Limit, Model, SetupId, Type, Weight,
};

/// Who needs the values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The parameter of an action, which may have a domain of its own.
    pub parameter: Option<(ActionId, usize)>,
    /// It is an input that we give: all domains of the setup count. Otherwise only those of types without bounds.
    pub given: bool,
}

impl Asked {
    /// Quantifiers, `choose`, `init`, results, parameters of goals: whatever nobody gives.
    pub const ANYWHERE: Asked = Asked { parameter: None, given: false };

    /// A parameter that is only judged, or whose action is no input.
    pub fn judged(action: ActionId, index: usize) -> Asked {
        Asked { parameter: Some((action, index)), given: false }
    }

    /// The same for a part of the value: domains of types count inside too, one of a parameter is for the whole.
    pub fn inside(self) -> Asked {
        Asked { parameter: None, ..self }
    }
}

impl Instance {
    /// The domain that the setup declares for this type as a whole, as far as it concerns who asks. A later entry (of the setup that
    /// extends another) wins, and one for a parameter wins over one for its type.
    pub fn declared_domain(&self, ty: &Type, asked: Asked) -> Option<&Domain> {
        let find = |target: DomainTarget| self.domains().iter().rev().find(|domain| domain.target == target);
        let own = asked.parameter.map(|(action, index)| DomainTarget::Parameter(action, index)).and_then(find);
        own.or_else(|| target(ty).and_then(find)).filter(|_| asked.given || !self.has_end(ty))
    }

    /// The domain that forbids other values of this type in an input that we give, also those that a guard computes. One of `Int` or
    /// `String` does not: it only lists values to try where no guard says which.
    pub fn restricting_domain(&self, ty: &Type, asked: Asked) -> Option<&Domain> {
        let lists = |domain: &Domain| matches!(domain.target, DomainTarget::Int | DomainTarget::String);
        self.declared_domain(ty, asked).filter(|domain| asked.given && !lists(domain))
    }

    /// How a parameter of this action is asked for while the system is explored or driven.
    pub fn asked_for(&self, action: ActionId, index: usize) -> Asked {
        let given = self.model().actions[action.0].direction == Direction::Input;
        Asked { parameter: Some((action, index)), given }
    }

    /// The type is declared with bounds, so that a domain of it only drives. A range of more than [`LIMIT`] values counts as one
    /// without, because nobody can run through it.
    pub fn has_end(&self, ty: &Type) -> bool {
        let types = &self.model().types;
        match ty {
            Type::Bool | Type::Object(_) => true,
            Type::Alias(id) => self.has_end(&types.aliases[id.0].ty),
            Type::Range(id) => {
                let few = |(low, high): (i64, i64)| i128::from(high) - i128::from(low) < LIMIT as i128;
                self.range(*id).is_ok_and(few)
            }
            Type::Enum(id) => {
                types.enums[id.0].variants.iter().flat_map(|case| &case.payload).all(|ty| self.has_end(ty))
            }
            Type::Record(id) => types.records[id.0].fields.iter().all(|(_, ty)| self.has_end(ty)),
            Type::Tuple(parts) => parts.iter().all(|ty| self.has_end(ty)),
            Type::Option(inner) | Type::Set(inner) => self.has_end(inner),
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) | Type::Unknown => false,
        }
    }

    /// All domains of the setup, in the order written; whoever wants the values of a type asks for those.
    pub fn domains(&self) -> &[Domain] {
        self.setup().map_or(&[], |setup| &setup.domains)
    }

    /// `without` takes this action out: as an input, it is never given.
    pub fn is_excluded(&self, action: ActionId) -> bool {
        let input = self.model().actions[action.0].direction == Direction::Input;
        input && self.setup().is_some_and(|setup| setup.without.contains(&action))
    }

    /// The further conditions for giving this input.
    pub fn limits_of(&self, action: ActionId) -> impl Iterator<Item = &Limit> {
        self.limits().iter().filter(move |limit| limit.action == action)
    }

    /// Further preconditions of inputs: what the driver does not give, although the rules would take it.
    pub fn limits(&self) -> &[Limit] {
        self.setup().map_or(&[], |setup| &setup.limits)
    }

    /// What every state must satisfy that is entered by a step.
    pub fn kept(&self) -> &[Closed] {
        self.setup().map_or(&[], |setup| &setup.keep)
    }

    /// States that may stand for each other.
    pub fn groups(&self) -> &[Group] {
        self.setup().map_or(&[], |setup| &setup.groups)
    }

    /// Types whose values may be renamed without changing anything.
    pub fn interchangeable(&self) -> &[DomainTarget] {
        self.setup().map_or(&[], |setup| &setup.interchangeable)
    }

    /// How often an input shall be chosen compared with others.
    pub fn weights(&self) -> &[Weight] {
        self.setup().map_or(&[], |setup| &setup.weights)
    }

    /// How many corrections of an event a `collect` node is given; `None` is any number.
    pub fn overwrites(&self) -> Option<u32> {
        self.setup().and_then(|setup| setup.overwrites)
    }

    /// Corrections of a `collect` node are not given at all; then these variables say which events came already.
    pub fn forbids_corrections(&self) -> bool {
        self.overwrites() == Some(0)
    }

    /// The setup may remove steps: what was found in all its states is then known under the setup only.
    pub fn is_driven(&self) -> bool {
        let drives = |domain: &Domain| match domain.target {
            DomainTarget::Int | DomainTarget::String => false,
            DomainTarget::Parameter(action, _) => self.model().actions[action.0].direction == Direction::Input,
            DomainTarget::Alias(id) => self.has_end(&Type::Alias(id)),
            DomainTarget::Enum(id) => self.has_end(&Type::Enum(id)),
            DomainTarget::Record(id) => self.has_end(&Type::Record(id)),
            DomainTarget::Object(_) => true,
        };
        let some = |setup: &interplay_model::Setup| {
            !setup.without.is_empty()
                || !setup.limits.is_empty()
                || !setup.keep.is_empty()
                || setup.overwrites.is_some()
        };
        self.setup().is_some_and(some) || self.domains().iter().any(drives)
    }

    /// Every expression that decides how the system is driven, for whoever must know what they read.
    pub fn driving_expressions(&self) -> impl Iterator<Item = &Expr> {
        let groups = self.groups().iter().flat_map(|group| [Some(&group.by), group.when.as_ref()]).flatten();
        let closed = self.domains().iter().map(|domain| &domain.values).chain(self.kept()).chain(groups);
        closed.map(|closed| &closed.expr).chain(self.limits().iter().map(|limit| &limit.condition))
    }
}

/// Makes a setup one for a part of the model: only these actions happen, and nothing speaks of the others or says how states are
/// grouped and weighed.
pub fn narrow(model: &mut Model, setup: SetupId, actions: &[ActionId]) {
    let others: Vec<ActionId> = (0..model.actions.len()).map(ActionId).filter(|each| !actions.contains(each)).collect();
    let setup = &mut model.setups[setup.0];
    setup.without.extend(others);
    setup.limits.retain(|limit| actions.contains(&limit.action));
    (setup.groups, setup.weights, setup.waits) = (Vec::new(), Vec::new(), Vec::new());
}

pub(crate) fn target(ty: &Type) -> Option<DomainTarget> {
    match ty {
        Type::Int => Some(DomainTarget::Int),
        Type::String => Some(DomainTarget::String),
        Type::Alias(id) => Some(DomainTarget::Alias(*id)),
        Type::Enum(id) => Some(DomainTarget::Enum(*id)),
        Type::Record(id) => Some(DomainTarget::Record(*id)),
        Type::Object(id) => Some(DomainTarget::Object(*id)),
        _ => None,
    }
}
