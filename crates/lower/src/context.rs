//! Where an expression stands: what it may speak of, and the locals it can see.

use super::Lower;
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{ActionId, ComponentId, Local, LocalId, LocationId, NodeId, ObserverId, Type, VariableId};
use interplay_syntax::ast;

/// The surroundings of an expression or statement.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) component: ComponentId,
    /// May read variables, locations and objects.
    pub(crate) state: bool,
    /// Which events of the step it may speak of.
    pub(crate) events: Events,
    /// May use temporal operators.
    pub(crate) temporal: bool,
    /// Statements: may make objects.
    pub(crate) new: bool,
    /// `ensures`: may look at the state before.
    pub(crate) old: bool,
    pub(crate) result: Option<LocalId>,
    /// Inside a `collect`: `amt.dollars` is what was received.
    pub(crate) node: Option<NodeId>,
    /// Inside an observer: its variables may be written, the system's only read.
    pub(crate) observer: Option<ObserverId>,
    /// The observer's own variables.
    pub(crate) memory: Vec<(String, VariableId)>,
    /// The action whose block this is, for `return`.
    pub(crate) action: Option<ActionId>,
    /// Where a rule applies, for the exit blocks of `->`.
    pub(crate) from: Option<Vec<LocationId>>,
    /// The procs that are being expanded.
    pub(crate) procs: Vec<usize>,
    /// Why the expression at hand is expected to have its type.
    pub(crate) because: Option<(Span, String)>,
    pub(crate) frame: Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Events {
    None,
    /// Input signals, in rules on `step`.
    Inputs,
    All,
}

/// The locals of one owner and which of them can be seen now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) locals: Vec<Local>,
    /// A name, what it stands for, and where it was given that name.
    scope: Vec<(String, LocalId, Span)>,
}

impl Context {
    /// No state at all: values of constants, bounds of ranges.
    pub(crate) fn constant() -> Context {
        Context {
            component: ComponentId(0),
            state: false,
            events: Events::None,
            temporal: false,
            new: false,
            old: false,
            result: None,
            node: None,
            observer: None,
            memory: Vec::new(),
            action: None,
            from: None,
            procs: Vec::new(),
            because: None,
            frame: Frame::default(),
        }
    }

    /// Guards, filters, goals: reads the state.
    pub(crate) fn state(component: ComponentId) -> Context {
        Context { component, state: true, ..Context::constant() }
    }

    /// Properties.
    pub(crate) fn formula() -> Context {
        Context { events: Events::All, temporal: true, ..Context::state(ComponentId(0)) }
    }

    /// A definition may speak of anything; who uses it decides.
    pub(crate) fn definition() -> Context {
        Context::formula()
    }
}

impl Context {
    /// A variable of the observer that this stands in.
    pub(crate) fn remembered(&self, name: &str) -> Option<VariableId> {
        self.memory.iter().find(|(known, _)| known == name).map(|(_, id)| *id)
    }
}

impl Frame {
    /// A slot without a name.
    pub(crate) fn slot(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId(self.locals.len() - 1)
    }

    pub(crate) fn show(&mut self, name: &ast::Name, local: LocalId) {
        self.scope.push((name.text.clone(), local, name.span));
    }

    pub(crate) fn find(&self, name: &str) -> Option<LocalId> {
        self.find_declared(name).map(|(local, _)| local)
    }

    /// With the place where it was given its name.
    pub(crate) fn find_declared(&self, name: &str) -> Option<(LocalId, Span)> {
        self.scope.iter().rev().find(|(known, ..)| known == name).map(|(_, local, span)| (*local, *span))
    }

    /// The nearest first; what is hidden by a nearer one is left out.
    pub(crate) fn visible(&self) -> impl Iterator<Item = (&str, LocalId, Span)> {
        let hidden = |at: usize, name: &str| self.scope[at + 1..].iter().any(|(nearer, ..)| nearer == name);
        let names = self.scope.iter().enumerate().rev().filter(move |(at, (name, ..))| !hidden(*at, name));
        names.map(|(_, (name, local, span))| (name.as_str(), *local, *span))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.scope.iter().map(|(name, ..)| name.as_str())
    }

    /// How deep the scope is, to return to by [`Frame::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.scope.len()
    }

    pub(crate) fn leave(&mut self, depth: usize) {
        self.scope.truncate(depth);
    }

    /// Hides all names, for the body of a proc; give the result to [`Frame::restore`].
    pub(crate) fn hide(&mut self) -> Vec<(String, LocalId, Span)> {
        std::mem::take(&mut self.scope)
    }

    pub(crate) fn restore(&mut self, scope: Vec<(String, LocalId, Span)>) {
        self.scope = scope;
    }
}

impl<'a> Lower<'a> {
    /// Declares a local that can be seen from here on; warns if it hides another name.
    pub(crate) fn bind(&mut self, context: &mut Context, name: &ast::Name, ty: Type) -> LocalId {
        let local = context.frame.slot(Local { name: name.text.clone(), ty, span: name.span });
        self.show(context, name, local);
        local
    }

    pub(crate) fn show(&mut self, context: &mut Context, name: &ast::Name, local: LocalId) {
        if name.text.is_empty() {
            return;
        }
        self.warn_if_hiding(context, name);
        self.note_local(name, &context.frame.locals[local.0].ty);
        context.frame.show(name, local);
    }

    fn warn_if_hiding(&mut self, context: &Context, name: &ast::Name) {
        let hidden = match context.frame.find(&name.text) {
            Some(local) => Some(context.frame.locals[local.0].span),
            None => self
                .symbols
                .values
                .get(name.text.as_str())
                .filter(|(symbol, _)| self.can_be_read(*symbol))
                .map(|(_, span)| *span),
        };
        if let Some(hidden) = hidden {
            self.report(
                Diagnostic::new(Code::N003, name.span, format!("`{}` shadows another `{}`", name.text, name.text))
                    .note(hidden, "the hidden one")
                    .help("choose another name"),
            );
        }
    }

    /// Actions and procs are no values: a parameter may well be called like one.
    fn can_be_read(&self, symbol: super::symbols::Symbol) -> bool {
        use super::symbols::Symbol::*;
        matches!(symbol, Constant(_) | Variable(_) | Definition(_))
    }
}
