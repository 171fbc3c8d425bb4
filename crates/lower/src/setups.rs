//! Setups: how to drive and how to judge.

use super::{
    Lower,
    context::Context,
    symbols::{Symbol, TypeSymbol, Use},
};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::*;
use interplay_syntax::ast::{self, Item, ItemKind, Name, SetupEntryKind as Entry, SilenceEntry};
use std::collections::HashMap;

impl<'a> Lower<'a> {
    pub(super) fn lower_setups(&mut self, items: &[(ComponentId, &'a Item)]) {
        let mut waiting: Vec<(&'a Item, &'a Name, Option<&'a Name>, &'a [ast::SetupEntry])> = Vec::new();
        for (_, item) in items {
            if let ItemKind::Setup { name, extends, entries } = &item.kind {
                if let Some(base) = extends {
                    self.note_setup(base);
                }
                waiting.push((item, name, extends.as_ref(), entries));
            }
        }
        let names: Vec<&str> = waiting.iter().map(|(_, name, ..)| name.text.as_str()).collect();
        let mut done: HashMap<&str, Setup> = HashMap::new();
        loop {
            let before = waiting.len();
            waiting.retain(|(item, name, extends, entries)| {
                let base = match extends {
                    None => None,
                    Some(base) if done.contains_key(base.text.as_str()) => Some(done[base.text.as_str()].clone()),
                    Some(base) if names.contains(&base.text.as_str()) => return true,
                    Some(base) => {
                        let help = did_you_mean(&base.text, names.iter().copied());
                        self.report(
                            Diagnostic::new(Code::N001, base.span, format!("unknown setup `{}`", base.text))
                                .maybe_help(help),
                        );
                        None
                    }
                };
                let setup = self.setup(item, name, base, entries);
                done.insert(&name.text, setup);
                false
            });
            if waiting.len() == before {
                break;
            }
        }
        for (_, name, ..) in &waiting {
            self.report(Diagnostic::new(Code::S008, name.span, format!("the setup `{}` extends itself", name.text)));
        }
        self.model.setups = names.iter().filter_map(|name| done.remove(name)).collect();
    }

    fn setup(&mut self, item: &'a Item, name: &'a Name, base: Option<Setup>, entries: &'a [ast::SetupEntry]) -> Setup {
        let mut setup = base.unwrap_or_else(|| empty_setup(item.span));
        setup.name = name.text.clone();
        setup.doc = item.doc.clone();
        setup.span = item.span;
        let mut said: HashMap<&'static str, Span> = HashMap::new();
        for entry in entries {
            if let Some(word) = single(&entry.kind)
                && let Some(first) = said.insert(word, entry.span)
            {
                self.said_twice(word, entry.span, first);
            }
            self.setup_entry(&mut setup, entry);
        }
        setup
    }

    fn said_twice(&mut self, word: &str, span: Span, first: Span) {
        self.report(
            Diagnostic::new(Code::S014, span, format!("this setup contains `{word}` twice"))
                .note(first, "first here")
                .help("keep one of them"),
        );
    }

    fn setup_entry(&mut self, setup: &mut Setup, entry: &'a ast::SetupEntry) {
        let state = || Context::state(ComponentId(0));
        match &entry.kind {
            Entry::Const { name, value } => self.setup_constant(setup, name, value),
            Entry::Domain { name, parameter, values } => {
                self.domain(setup, name, parameter.as_ref(), values, entry.span)
            }
            Entry::Limit { action, condition } => self.limit(setup, action, condition, entry.span),
            Entry::Without { actions } => setup.without.extend(self.inputs(actions)),
            Entry::Keep { condition } => {
                let closed = self.closed_condition(state(), condition);
                setup.keep.push(closed);
            }
            Entry::Group { by, when } => {
                let mut context = state();
                let by = self.infer(&mut context, by, None);
                let by = Closed { expr: by, locals: context.frame.locals };
                let when = when.as_ref().map(|when| self.closed_condition(state(), when));
                setup.groups.push(Group { by, when });
            }
            Entry::Interchangeable { types } => {
                let targets = types.iter().filter_map(|name| self.domain_target(name)).collect::<Vec<_>>();
                setup.interchangeable.extend(targets);
            }
            Entry::Weight { action, weight, bag } => {
                let Some(action) = self.input(action) else { return };
                let weight = self.closed_as(state(), weight, &Type::Int, "a weight is", entry.span);
                setup.weights.retain(|known| known.action != action);
                setup.weights.push(Weight { action, weight, bag: *bag });
            }
            Entry::Wait { time, when } => {
                let when = when.as_ref().map(|when| self.closed_condition(state(), when));
                setup.waits.push(Wait { time: *time, when });
            }
            Entry::Cleanup { actions } => setup.cleanup = self.inputs(actions),
            Entry::Conformance(name) => {
                let words = [
                    ("uioco", Conformance::Uioco),
                    ("ioco", Conformance::Ioco),
                    ("alternating", Conformance::Alternating),
                    ("none", Conformance::None),
                ];
                setup.conformance = self.word(name, &words).unwrap_or_default();
            }
            Entry::Refusals(name) => {
                let words =
                    [("fail", Refusals::Fail), ("ignore", Refusals::Ignore), ("unspecified", Refusals::Unspecified)];
                setup.refusals = self.word(name, &words).unwrap_or_default();
            }
            Entry::Silence(said) => {
                setup.silence = match said {
                    SilenceEntry::Learnt => Silence::Learnt,
                    SilenceEntry::Judged(time) => Silence::Judged(*time),
                    SilenceEntry::Unjudged => Silence::Unjudged,
                }
            }
            Entry::Transit(count) => setup.transit = self.transit(*count, entry.span),
            Entry::Arcs(name) => {
                setup.arcs =
                    self.word(name, &[("pruned", Arcs::Pruned), ("parallel", Arcs::Parallel)]).unwrap_or_default();
            }
            Entry::Finish(name) => {
                setup.finish = self
                    .word(name, &[("anywhere", Finish::Anywhere), ("accepting", Finish::Accepting)])
                    .unwrap_or_default();
            }
            Entry::Overwrites(count) => setup.overwrites = count.map(|count| self.number(count, entry.span) as u32),
            Entry::Run { tests, steps } => {
                setup.tests = Some(self.number(*tests, entry.span));
                setup.steps = Some(self.number(*steps, entry.span));
            }
            Entry::Seed(seed) => setup.seed = Some(self.number(*seed, entry.span)),
            Entry::Timeout(time) => setup.timeout = Some(*time),
            Entry::States(count) => setup.states = Some(self.number(*count, entry.span)),
            Entry::Depth(count) => setup.depth = Some(self.number(*count, entry.span)),
        }
    }

    /// An output that comes in one step with its input is not overtaken by another input.
    fn transit(&mut self, count: i64, span: Span) -> u32 {
        let word = match self.model.discipline {
            Discipline::Asynchronous => return self.number(count, span) as u32,
            Discipline::Reactive => "reactive",
            Discipline::Synchronous => "synchronous",
        };
        if count != 0 {
            let message = format!("`transit` is not allowed in a {word} system: its outputs belong to a step");
            let help = "remove `transit`, or write `transit immediate`";
            self.report(Diagnostic::new(Code::T008, span, message).help(help));
        }
        0
    }

    fn number(&mut self, value: i64, span: Span) -> u64 {
        if value < 0 {
            self.report(Diagnostic::new(Code::T008, span, "this number is negative"));
        }
        value.max(0) as u64
    }

    fn word<T: Copy>(&mut self, name: &Name, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| *word == name.text).map(|(_, value)| *value);
        if found.is_none() && !name.text.is_empty() {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            self.report(
                Diagnostic::new(Code::N001, name.span, format!("unknown value `{}`", name.text))
                    .help(format!("write one of {}", known.join(", "))),
            );
        }
        found
    }

    fn setup_constant(&mut self, setup: &mut Setup, name: &'a Name, value: &'a ast::Expr) {
        self.offer_constants(name.span);
        let Some(symbol @ Symbol::Constant(id)) = self.symbols.value(&name.text) else {
            let constants = self.model.constants.iter().map(|constant| constant.name.as_str());
            let help = did_you_mean(&name.text, constants);
            self.report(
                Diagnostic::new(Code::N001, name.span, format!("unknown constant `{}`", name.text)).maybe_help(help),
            );
            return;
        };
        self.mention_symbol(name.span, symbol, Role::Writes);
        let (ty, at) = (self.model.constants[id.0].ty.clone(), self.model.constants[id.0].span);
        let closed = self.closed_as(Context::constant(), value, &ty, &format!("`{}` is declared", name.text), at);
        setup.constants.retain(|(known, _)| *known != id);
        setup.constants.push((id, closed));
    }

    fn domain(
        &mut self,
        setup: &mut Setup,
        name: &'a Name,
        parameter: Option<&'a Name>,
        values: &'a ast::Expr,
        span: Span,
    ) {
        let target = match parameter {
            None => self.domain_target(name),
            Some(parameter) => self.parameter(name, parameter),
        };
        let Some(target) = target else { return };
        let element = self.target_type(target);
        let mut context = Context::state(ComponentId(0));
        let hint = Type::Set(element.clone().into());
        let values = self.infer(&mut context, values, Some(&hint));
        let member = self.member_type(&values);
        if self.unify(&member, &element).is_none() {
            let (found, wanted) = (self.show_type(&member), self.show_type(&element));
            self.report(Diagnostic::new(
                Code::T001,
                values.span,
                format!("expected values of type {wanted}, found {found}"),
            ));
        }
        if let Some(first) = setup.domains.iter().find(|domain| {
            domain.target == target && domain.span.file == span.file && in_setup(setup.span, domain.span)
        }) {
            self.said_twice(&format!("domain {}", name.text), span, first.span);
        }
        setup.domains.retain(|domain| domain.target != target);
        setup.domains.push(Domain { target, values: Closed { expr: values, locals: context.frame.locals }, span });
    }

    fn domain_target(&mut self, name: &'a Name) -> Option<DomainTarget> {
        self.offer_types(name.span, &["Int", "String"], |_| true);
        if matches!(name.text.as_str(), "Int" | "String") {
            self.mention_built_in(name.span);
        }
        match name.text.as_str() {
            "Int" => return Some(DomainTarget::Int),
            "String" => return Some(DomainTarget::String),
            "" => return None,
            _ => {}
        }
        let Some((symbol, _)) = self.symbols.types.get(name.text.as_str()).copied() else {
            let help = did_you_mean(&name.text, self.symbols.types.keys().copied().chain(["Int", "String"]))
                .unwrap_or_else(|| "a domain is for a type or, as `action.parameter`, for one parameter".into());
            self.report(Diagnostic::new(Code::N004, name.span, format!("unknown type `{}`", name.text)).help(help));
            return None;
        };
        self.used.insert(Use::Type(symbol));
        self.mention_type(name.span, symbol);
        Some(match symbol {
            TypeSymbol::Alias(id) => DomainTarget::Alias(id),
            TypeSymbol::Enum(id) => DomainTarget::Enum(id),
            TypeSymbol::Record(id) => DomainTarget::Record(id),
            TypeSymbol::Object(id) => DomainTarget::Object(id),
        })
    }

    fn parameter(&mut self, action: &'a Name, parameter: &'a Name) -> Option<DomainTarget> {
        let id = self.action(action, Role::Reads)?;
        self.offer_parameters(parameter.span, id);
        let params = self.model.actions[id.0].params.clone();
        let index = params.iter().position(|param| param.name == parameter.text);
        if index.is_none() {
            self.unknown_field(
                &format!("the action `{}`", action.text),
                parameter,
                params.iter().map(|param| param.name.as_str()),
            );
        }
        if let Some(index) = index {
            self.mention(parameter.span, params[index].span, Role::Reads);
        }
        index.map(|index| DomainTarget::Parameter(id, index))
    }

    fn target_type(&self, target: DomainTarget) -> Type {
        match target {
            DomainTarget::Int => Type::Int,
            DomainTarget::String => Type::String,
            DomainTarget::Alias(id) => Type::Alias(id),
            DomainTarget::Enum(id) => Type::Enum(id),
            DomainTarget::Record(id) => Type::Record(id),
            DomainTarget::Object(id) => Type::Object(id),
            DomainTarget::Parameter(action, index) => self.model.actions[action.0].params[index].ty.clone(),
        }
    }

    fn limit(&mut self, setup: &mut Setup, name: &'a Name, condition: &'a ast::Expr, span: Span) {
        let Some(action) = self.input(name) else { return };
        let mut context = self.rule_context(ComponentId(0), Some(action), None);
        context.new = false;
        context.result = None;
        self.show_params(&mut context, action);
        let condition = self.condition(&mut context, condition);
        setup.limits.push(Limit { action, locals: context.frame.locals, condition, span });
    }

    fn inputs(&mut self, names: &'a [Name]) -> Vec<ActionId> {
        names.iter().filter_map(|name| self.input(name)).collect()
    }

    /// Only inputs can be driven.
    fn input(&mut self, name: &'a Name) -> Option<ActionId> {
        self.offer_actions(name.span, |direction| direction == Direction::Input);
        let id = self.action(name, Role::Reads)?;
        if self.model.actions[id.0].direction == Direction::Input {
            return Some(id);
        }
        self.report(
            Diagnostic::new(Code::N008, name.span, format!("`{}` is not an input", name.text))
                .help("a setup can restrict only inputs; the system chooses its outputs"),
        );
        None
    }
}

fn in_setup(setup: Span, entry: Span) -> bool {
    setup.file == entry.file && setup.start <= entry.start && entry.end <= setup.end
}

/// Entries that may stand only once.
fn single(entry: &Entry) -> Option<&'static str> {
    Some(match entry {
        Entry::Cleanup { .. } => "cleanup",
        Entry::Conformance(_) => "conformance",
        Entry::Refusals(_) => "refusals",
        Entry::Silence(_) => "silence",
        Entry::Transit(_) => "transit",
        Entry::Arcs(_) => "arcs",
        Entry::Finish(_) => "finish",
        Entry::Overwrites(_) => "overwrites",
        Entry::Run { .. } => "run",
        Entry::Seed(_) => "seed",
        Entry::Timeout(_) => "timeout",
        Entry::States(_) => "states",
        Entry::Depth(_) => "depth",
        _ => return None,
    })
}

fn empty_setup(span: Span) -> Setup {
    Setup {
        name: String::new(),
        doc: String::new(),
        constants: Vec::new(),
        domains: Vec::new(),
        limits: Vec::new(),
        without: Vec::new(),
        keep: Vec::new(),
        groups: Vec::new(),
        interchangeable: Vec::new(),
        weights: Vec::new(),
        waits: Vec::new(),
        cleanup: Vec::new(),
        conformance: Conformance::default(),
        refusals: Refusals::default(),
        silence: Silence::default(),
        transit: 0,
        finish: Finish::default(),
        arcs: Arcs::default(),
        overwrites: None,
        tests: None,
        steps: None,
        seed: None,
        timeout: None,
        states: None,
        depth: None,
        span,
    }
}
