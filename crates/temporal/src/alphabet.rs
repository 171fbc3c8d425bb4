//! Which letters can come at all: what the relations, the discipline and the patterns themselves say about atoms that
//! exclude or imply each other. Whatever is not understood here restricts nothing.

use crate::atom::{Arg, Atom};
use crate::diagram::{Diagram, Diagrams, FALSE, TRUE};
use interplay_model::{ActionId, BinaryOperator, Direction, Discipline, Expr, ExprKind, Model, Relation, RelationTerm};
use std::collections::BTreeMap;

/// The possible letters over these atoms, as a function whose variables are the indices of the atoms.
pub fn alphabet(model: &Model, atoms: &[Atom]) -> (Diagrams, Diagram) {
    let mut alphabet = Alphabet { model, atoms, diagrams: Diagrams::default(), helpers: BTreeMap::new() };
    let mut allowed = alphabet.patterns();
    let discipline = alphabet.discipline();
    allowed = alphabet.diagrams.and(allowed, discipline);
    for relation in &model.relations {
        let kept = alphabet.relation(relation);
        allowed = alphabet.diagrams.and(allowed, kept);
    }
    let first_helper = atoms.len() as u32;
    let allowed = alphabet.diagrams.exists(allowed, &|variable| variable >= first_helper);
    (alphabet.diagrams, allowed)
}

struct Alphabet<'m> {
    model: &'m Model,
    atoms: &'m [Atom],
    diagrams: Diagrams,
    /// Variables for actions that no atom asks for; they are hidden in the end.
    helpers: BTreeMap<ActionId, u32>,
}

impl Alphabet<'_> {
    /// The action happens, with whatever arguments.
    fn presence(&mut self, action: ActionId) -> Diagram {
        let wanted = Atom::presence(action, self.model.actions[action.0].params.len());
        let variable = match self.atoms.iter().position(|atom| *atom == wanted) {
            Some(index) => index as u32,
            None => {
                let next = (self.atoms.len() + self.helpers.len()) as u32;
                *self.helpers.entry(action).or_insert(next)
            }
        };
        self.diagrams.variable(variable)
    }

    /// A special pattern implies the general one; different values of one argument exclude each other.
    fn patterns(&mut self) -> Diagram {
        let mut allowed = TRUE;
        for (index, atom) in self.atoms.iter().enumerate() {
            let Atom::Event { action, args } = atom else { continue };
            let here = self.diagrams.variable(index as u32);
            let present = self.presence(*action);
            let implied = self.diagrams.implies(here, present);
            allowed = self.diagrams.and(allowed, implied);
            for (other_index, other) in self.atoms.iter().enumerate().filter(|(other, _)| *other != index) {
                let Atom::Event { action: other_action, args: other_args } = other else { continue };
                if action != other_action {
                    continue;
                }
                let there = self.diagrams.variable(other_index as u32);
                let law = if implies(args, other_args) {
                    self.diagrams.implies(here, there)
                } else if self.once_per_step(*action) && exclude(args, other_args) {
                    let both = self.diagrams.and(here, there);
                    self.diagrams.not(both)
                } else {
                    TRUE
                };
                allowed = self.diagrams.and(allowed, law);
            }
        }
        allowed
    }

    fn once_per_step(&self, action: ActionId) -> bool {
        match self.model.discipline {
            Discipline::Asynchronous | Discipline::Synchronous => true,
            Discipline::Reactive => self.model.actions[action.0].direction == Direction::Input,
        }
    }

    /// One event per step, or one input; nothing happens in silence.
    fn discipline(&mut self) -> Diagram {
        let mut actions: Vec<ActionId> = self
            .atoms
            .iter()
            .filter_map(|atom| match atom {
                Atom::Event { action, .. } => Some(*action),
                _ => None,
            })
            .collect();
        actions.sort_unstable();
        actions.dedup();
        let position = |wanted: Atom| self.atoms.iter().position(|atom| *atom == wanted);
        let (silence, between) = (position(Atom::Silence), position(Atom::Between));
        let mut allowed = TRUE;
        for nothing in [silence, between].into_iter().flatten() {
            let silent = self.diagrams.variable(nothing as u32);
            for action in &actions {
                let present = self.presence(*action);
                let both = self.diagrams.and(silent, present);
                let law = self.diagrams.not(both);
                allowed = self.diagrams.and(allowed, law);
            }
        }
        if let (Some(silence), Some(between)) = (silence, between) {
            let (silence, between) = (self.diagrams.variable(silence as u32), self.diagrams.variable(between as u32));
            let both = self.diagrams.and(silence, between);
            let law = self.diagrams.not(both);
            allowed = self.diagrams.and(allowed, law);
        }
        let alone: Vec<ActionId> = match self.model.discipline {
            Discipline::Synchronous => Vec::new(),
            Discipline::Asynchronous => actions,
            Discipline::Reactive => {
                actions.retain(|action| self.model.actions[action.0].direction == Direction::Input);
                actions
            }
        };
        let present: Vec<Diagram> = alone.into_iter().map(|action| self.presence(action)).collect();
        let law = self.counted(&present, false);
        self.diagrams.and(allowed, law)
    }

    fn relation(&mut self, relation: &Relation) -> Diagram {
        match relation {
            Relation::Exclusive { terms, .. } => self.terms(terms, false),
            Relation::ExactlyOne { terms, .. } => self.terms(terms, self.model.discipline == Discipline::Synchronous),
            Relation::Condition(closed) => match self.model.discipline {
                Discipline::Synchronous => self.condition(&closed.expr).unwrap_or(TRUE),
                _ => TRUE,
            },
        }
    }

    fn terms(&mut self, terms: &[RelationTerm], needed: bool) -> Diagram {
        if terms.iter().any(|term| !term.args.is_empty()) {
            return TRUE;
        }
        let present: Vec<Diagram> = terms.iter().map(|term| self.presence(term.action)).collect();
        self.counted(&present, needed)
    }

    /// At most one of them, or exactly one.
    fn counted(&mut self, parts: &[Diagram], needed: bool) -> Diagram {
        let (mut none, mut one) = (TRUE, FALSE);
        for part in parts.iter().rev() {
            one = self.diagrams.choose(*part, none, one);
            none = self.diagrams.choose(*part, FALSE, none);
        }
        if needed { one } else { self.diagrams.or(none, one) }
    }

    /// A condition on plain signals; `None` if it speaks of anything else.
    fn condition(&mut self, expr: &Expr) -> Option<Diagram> {
        Some(match &expr.kind {
            ExprKind::Bool(value) => {
                if *value {
                    TRUE
                } else {
                    FALSE
                }
            }
            ExprKind::Happens { action, args } if args.iter().all(Option::is_none) => self.presence(*action),
            ExprKind::Not(inner) => {
                let inner = self.condition(inner)?;
                self.diagrams.not(inner)
            }
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                match operator {
                    BinaryOperator::And => self.diagrams.and(left, right),
                    BinaryOperator::Or => self.diagrams.or(left, right),
                    BinaryOperator::Implies => self.diagrams.implies(left, right),
                    BinaryOperator::Iff => {
                        let opposite = self.diagrams.not(right);
                        self.diagrams.choose(left, right, opposite)
                    }
                    _ => return None,
                }
            }
            ExprKind::Call { definition, args } if args.is_empty() => {
                let body = &self.model.definitions[definition.0].body;
                self.condition(body)?
            }
            _ => return None,
        })
    }
}

/// A function of plain signals.
pub(crate) fn is_plain(model: &Model, expr: &Expr) -> bool {
    Alphabet { model, atoms: &[], diagrams: Diagrams::default(), helpers: BTreeMap::new() }.condition(expr).is_some()
}

/// Every event of the first pattern fits the second.
fn implies(special: &[Arg], general: &[Arg]) -> bool {
    special.iter().zip(general).all(|(special, general)| *general == Arg::Any || special == general)
}

/// No event fits both.
fn exclude(left: &[Arg], right: &[Arg]) -> bool {
    left.iter().zip(right).any(|pair| matches!(pair, (Arg::Is(one), Arg::Is(other)) if one != other))
}
