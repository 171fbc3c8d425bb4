//! A test case for a target, derived from a specification under a setup.

use crate::{Context, Host, Refusal};
pub use interplay_answers::DerivedTest as Answer;
use interplay_answers::{TestPlace, TestStep};
use interplay_diagnostics::did_you_mean;
use interplay_model::{Model, ObserverId, Polarity};
use interplay_semantics::{Label, State, show_label, show_state};
use interplay_transform::{Derivation, NoTest, NodeKind, derive as derived};
pub use interplay_transform::{Relation, Target};
use std::time::Duration;

/// What to derive.
#[derive(Clone, Debug)]
pub struct Request {
    /// Otherwise the first one.
    pub setup: Option<String>,
    /// Observers by name; otherwise the first of each kind.
    pub possible: Option<String>,
    pub never: Option<String>,
    pub target: Target,
    pub relation: Relation,
    /// How many events a symbolic test case may look ahead.
    pub lookahead: usize,
    /// So long it is unfolded at most.
    pub timeout: Duration,
}

/// Derives the test case of the target.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let model = &context.model;
    let (instance, setup) = context.under(request.setup.as_deref(), None)?;
    let derivation = Derivation {
        possible: observer(model, request.possible.as_deref(), Polarity::Possible)?,
        never: observer(model, request.never.as_deref(), Polarity::Never)?,
        target: request.target,
        relation: request.relation,
    };
    let started = host.now();
    let stop = || match host.is_stopped() {
        true => Some("interrupted".to_string()),
        false if host.now() - started > request.timeout => {
            let seconds = request.timeout.as_secs_f64();
            Some(format!("time limit of {seconds} s reached: choose a setup with smaller domains, or raise --timeout"))
        }
        false => None,
    };
    let found = derived(&instance, &derivation, &stop).map_err(|why| match why {
        NoTest::Model(error) => context.broken(*error),
        NoTest::Refused(why) => why.into(),
    })?;
    let (case, not_symbolic) = crate::operations::case_of(
        context,
        &instance,
        &derivation,
        &found,
        target_word(request.target),
        request.lookahead,
        &stop,
    )?;
    let name = |id: Option<ObserverId>| id.map(|id| model.observers[id.0].name.clone());
    let open = |node: &&interplay_transform::TestNode| node.kind == NodeKind::Open && !node.hopeful;
    let show = |label: &Label| show_label(model, label);
    let input = |label: &Label| matches!(label, Label::Step { inputs, .. } if !inputs.is_empty());
    Ok(Answer {
        case,
        not_symbolic,
        system: model.name.clone(),
        setup: setup.name,
        target: target_word(request.target),
        relation: match request.relation {
            Relation::Ioco => "ioco",
            Relation::Uioco => "uioco",
        },
        possible: name(derivation.possible),
        never: name(derivation.never),
        product: (found.product.nodes.len(), found.product.edges.len()),
        selected: (found.selected.nodes.len(), found.selected.edges.len()),
        reachable: found.reachable,
        hopeless: found.selected.nodes.iter().filter(open).count(),
        verdicts: found.verdicts.iter().map(|(name, way)| (name.clone(), way.iter().map(show).collect())).collect(),
        nodes: found.selected.nodes.iter().map(|node| place(model, node.kind, &node.states)).collect(),
        edges: found
            .selected
            .edges
            .iter()
            .map(|edge| TestStep { from: edge.from, to: edge.to, label: show(&edge.label), input: input(&edge.label) })
            .collect(),
    })
}

fn place<'s>(model: &Model, kind: NodeKind, states: impl IntoIterator<Item = &'s State>) -> TestPlace {
    let verdict = match kind {
        NodeKind::Open => None,
        NodeKind::Verdict(verdict) => verdict.name(),
        NodeKind::Inconclusive => Some("Inconclusive".into()),
    };
    TestPlace { verdict, states: states.into_iter().map(|state| show_state(model, state).join(", ")).collect() }
}

pub(crate) fn target_word(target: Target) -> &'static str {
    match target {
        Target::Satisfy => "satisfy",
        Target::Violate => "violate",
        Target::Fail => "fail",
        Target::ViolateFail => "violate-fail",
    }
}

/// The observer of this name, otherwise the first of its kind.
pub(crate) fn observer(model: &Model, name: Option<&str>, polarity: Polarity) -> Result<Option<ObserverId>, Refusal> {
    let mut observers = model.observers.iter().enumerate().filter(|(_, observer)| observer.polarity == polarity);
    let Some(name) = name else { return Ok(observers.next().map(|(index, _)| ObserverId(index))) };
    match observers.clone().find(|(_, observer)| observer.name == name) {
        Some((index, _)) => Ok(Some(ObserverId(index))),
        None => {
            let help = did_you_mean(name, observers.map(|(_, observer)| observer.name.as_str()));
            let help = help.map_or(String::new(), |help| format!("\nhelp: {help}"));
            Err(format!("unknown observer `{name}`{help}").into())
        }
    }
}
