//! The oracles of a specification: their sizes, what the properties say about each other, and the automata as text or picture.

use crate::{Context, Host, Refusal};
use interplay_answers::{
    ArcKind, Ending, Extent, NodeKind, OracleOf, OraclePart, OracleRemark, Oracles, Picture, PictureArc, PictureNode,
};
use interplay_diagnostics::Sources;
use interplay_model::Model;
use interplay_temporal::{
    Aim, Class, MOST_STATES, Monitor, Monitors, Oracle, Part, Refutation, RemarkKind, alphabet, condition, edges,
    hygiene,
};

/// Which oracles to build.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// By name; otherwise all.
    pub properties: Option<Vec<String>>,
    /// Each oracle is that for runs which keep these properties; what is said about each other is said without.
    pub assume: Vec<String>,
}

/// The oracles, built.
pub struct Answer {
    /// What is told of them.
    pub oracles: Oracles,
    monitors: Monitors,
    sources: Sources,
}

/// Builds the oracles of all properties, or of those with these names.
pub fn run(context: &Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    let (setup, properties, hints) = (request.setup.as_deref(), request.properties.as_deref(), &request.assume[..]);
    crate::test::known_hints(context, hints)?;
    let free = Monitors::of_all(&context.under(setup, properties)?.0, properties);
    let remarks = hygiene(&free.monitors).into_iter().map(|remark| told(&context.sources, remark)).collect();
    let monitors = if hints.is_empty() { free } else { Monitors::assuming(free.instance(), properties, hints) };
    let model = monitors.instance().model();
    let refused = monitors.refused.iter().map(|(name, span, refusal)| refusal.diagnostic(name, *span)).collect();
    let properties = monitors.monitors.iter().map(|monitor| described(model, monitor)).collect();
    let oracles = Oracles { system: model.name.clone(), assuming: hints.to_vec(), properties, refused, remarks };
    Ok(Answer { oracles, monitors, sources: context.sources.clone() })
}

fn described(model: &Model, monitor: &Monitor) -> OracleOf {
    let doc = model.properties.iter().find(|each| each.name == monitor.name).map(|each| each.doc.clone());
    let variables = monitor.reading().map(|reading| &reading.slots);
    let instances = variables.map_or(Vec::new(), |slots| {
        slots.variables.iter().map(|variable| slots.locals[variable.0].name.clone()).collect()
    });
    let parts: Vec<OraclePart> = monitor.oracles().map(part).collect();
    OracleOf {
        name: monitor.name.clone(),
        doc: doc.unwrap_or_default(),
        possible: monitor.aim == Aim::Possible,
        instances,
        class: monitor.class().word(),
        timed: monitor.is_timed(),
        without_automaton: monitor.parts().len() - parts.len(),
        parts,
    }
}

fn part(oracle: &Oracle) -> OraclePart {
    let states = 0..oracle.len() as u32;
    OraclePart {
        states: oracle.len(),
        edges: states.clone().map(|state| oracle.successors(state).len()).sum(),
        safe: states.filter(|state| oracle.is_safe(*state)).count(),
        shortest: oracle.distance(oracle.initial()),
    }
}

fn told(sources: &Sources, remark: interplay_temporal::Remark) -> OracleRemark {
    let (kind, message) = match remark.kind {
        RemarkKind::NeverViolated { by_relations: true } => {
            ("never violated", "can never be violated: the relations between the signals imply it".into())
        }
        RemarkKind::NeverViolated { by_relations: false } => {
            ("never violated", "can never be violated: it is always true".into())
        }
        RemarkKind::AlwaysViolated => ("always violated", "is violated by every run".into()),
        RemarkKind::TriggerNeverComes(span) => {
            ("trigger", format!("is vacuous: its trigger `{}` can never hold", sources.one_line(span)))
        }
        RemarkKind::FirstStepsOnly => {
            ("first steps only", "constrains only the first steps: did you mean `always (...)`?".into())
        }
        RemarkKind::ImpliedBy(others) => ("implied", format!("is implied by {}", others.join(", "))),
        RemarkKind::Contradicts(other) => ("contradiction", format!("contradicts {other}: no run satisfies both")),
        RemarkKind::Unanswerable { with, inputs } => {
            let come = match inputs.as_slice() {
                [] => "no input occurs".into(),
                inputs => format!("{} occurs", inputs.join(" with ")),
            };
            let with = with.join(" and ");
            ("contradiction", format!("contradicts {with} when {come}: no output satisfies all"))
        }
        RemarkKind::AllContradict => ("contradiction", "contradicts the others together: no run satisfies all".into()),
    };
    OracleRemark { property: remark.property, kind, message }
}

impl Answer {
    /// All automata in the Hanoi format, one after the other.
    ///
    /// What prefixes do not decide is written as the automaton of the endless runs that keep it.
    pub fn hoa(&self) -> String {
        let names = |monitor: &Monitor, oracle: &Oracle| monitor.names(oracle, &|span| self.sources.one_line(span));
        let mut text = String::new();
        for (monitor, oracle, title) in self.all().filter(|(_, oracle, _)| oracle.class() == Class::Safety) {
            text += &interplay_formats::hoa::write(oracle, &title, &names(monitor, oracle));
        }
        for monitor in self.monitors.monitors.iter().filter(|monitor| monitor.class() != Class::Safety) {
            for (oracle, automaton) in keeping(self.monitors.instance().model(), monitor) {
                text += &interplay_formats::hoa::write_endless(&automaton, &monitor.name, &names(monitor, oracle));
            }
        }
        text
    }

    /// All automata for Graphviz, one after the other.
    pub fn dot(&self) -> String {
        self.each(interplay_formats::dot::oracle)
    }

    /// The picture of the only automaton; otherwise how many there are.
    pub fn picture(&self) -> Result<Picture, usize> {
        let all: Vec<(&Monitor, &Oracle, String)> = self.all().collect();
        let [(monitor, oracle, title)] = &all[..] else { return Err(all.len()) };
        let names = monitor.names(oracle, &|span| self.sources.one_line(span));
        Ok(picture(oracle, title, &names))
    }

    fn each(&self, write: impl Fn(&Oracle, &str, &[String]) -> String) -> String {
        let text = |(monitor, oracle, title): (&Monitor, &Oracle, String)| {
            write(oracle, &title, &monitor.names(oracle, &|span| self.sources.one_line(span)))
        };
        self.all().map(text).collect()
    }

    fn all(&self) -> impl Iterator<Item = (&Monitor, &Oracle, String)> {
        self.monitors.monitors.iter().flat_map(|monitor| {
            let several = monitor.oracles().count() > 1;
            monitor.oracles().enumerate().map(move |(index, oracle)| {
                let title = if several { format!("{}.{}", monitor.name, index + 1) } else { monitor.name.clone() };
                (monitor, oracle, title)
            })
        })
    }
}

/// For each part that prefixes do not decide, the automaton of the endless runs that keep it.
fn keeping<'m>(model: &Model, monitor: &'m Monitor) -> Vec<(&'m Oracle, Refutation)> {
    let Some(reading) = monitor.reading() else { return Vec::new() };
    let automaton = |(part, oracle, _): (Part, &'m Oracle, Refutation)| {
        let mut formula = reading.formula.clone();
        let opposite = Part { id: formula.not(part.id, formula.span(part.id)), ..part };
        let (diagrams, letters) = alphabet(model, &formula.atoms);
        Some((oracle, Refutation::new(&formula, opposite, diagrams, letters, MOST_STATES).ok()?))
    };
    monitor.refutations().unwrap_or_default().into_iter().filter_map(automaton).collect()
}

fn picture(oracle: &Oracle, title: &str, names: &[String]) -> Picture {
    // The first state is where it begins; the violation comes last.
    let mut order: Vec<u32> = (1..oracle.len() as u32).collect();
    order.sort_by_key(|state| *state != oracle.initial());
    order.push(Oracle::BAD);
    let place = |state: u32| order.iter().position(|each| *each == state).expect("all states are there");
    let node = |state: &u32| PictureNode {
        name: if *state == Oracle::BAD { "violated".into() } else { format!("{state}") },
        lines: Vec::new(),
        kind: NodeKind::Active,
        ending: match *state {
            Oracle::BAD => Ending::Stuck,
            state if oracle.is_safe(state) => Ending::Final,
            _ => Ending::Open,
        },
        group: None,
    };
    let arcs = edges(oracle).into_iter().filter(|edge| edge.from != Oracle::BAD);
    let arc = |edge: interplay_temporal::Edge| PictureArc {
        from: place(edge.from),
        to: place(edge.to),
        label: condition(&edge.letters, names),
        kind: ArcKind::Input,
    };
    Picture {
        title: title.into(),
        nodes: order.iter().map(node).collect(),
        arcs: arcs.map(arc).collect(),
        groups: Vec::new(),
        initial: vec![place(oracle.initial())],
        extent: Extent::Complete,
    }
}
