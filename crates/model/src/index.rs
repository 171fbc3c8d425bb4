//! Questions about a text: which name is declared where, who uses it and how, and what type an expression has.
//!
//! The lowering resolves every name once, and when an [`Index`] is wanted it notes there what it found: a [`Mention`] leads
//! from a place in the text to the [`Declaration`] that it stands for. Nobody resolves a name a second time. A text with
//! mistakes has an index too: of all that could be understood. Declarations are known by the place of their name.
//!
//! Without an index (every command but the editor's) the price is one comparison per name.

mod declared;
mod offers;

use crate::{Type, TypeTable};
use interplay_diagnostics::{Point, Span};
pub use offers::Wanted;
pub use offers::{Offer, OfferKind};

/// All that is known about the names of a text.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// In the order of the text.
    pub declarations: Vec<Declaration>,
    /// In the order of the text; of nested ones the outer first.
    pub mentions: Vec<Mention>,
    /// The type of every expression, in the order of the text; of nested ones the outer first.
    pub expressions: Vec<(Span, Type)>,
    /// Rules, definitions and what else has a body, in the order of the text: where a mention stands.
    pub bodies: Vec<Body>,
    pub types: TypeTable,
    /// Names that became visible, with their types, while the text was lowered.
    pub seen: Vec<(Span, String, Type)>,
    /// The place of a name that is being typed, and what the text would understand there.
    pub wanted: Option<Wanted>,
}

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub name: String,
    pub kind: DeclarationKind,
    /// The name itself.
    pub span: Span,
    /// What a reader must see to know how to use it: `dial(u: User, to: User)`.
    pub head: Span,
    /// The whole declaration.
    pub extent: Span,
    pub doc: String,
    pub ty: Option<Type>,
    /// The declaration around it: the enum of a variant, the action of a parameter.
    pub parent: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeclarationKind {
    System,
    Component,
    Alias,
    Enum,
    Variant,
    Record,
    Field,
    Object,
    Constant,
    Variable,
    Definition,
    Proc,
    Input,
    Output,
    Internal,
    Parameter,
    Local,
    Location,
    Observer,
    Property,
    Scenario,
    Goal,
    Setup,
}

impl DeclarationKind {
    /// As the user would say it.
    pub fn word(self) -> &'static str {
        match self {
            DeclarationKind::System => "system",
            DeclarationKind::Component => "component",
            DeclarationKind::Alias => "type",
            DeclarationKind::Enum => "enum",
            DeclarationKind::Variant => "variant",
            DeclarationKind::Record => "record",
            DeclarationKind::Field => "field",
            DeclarationKind::Object => "object",
            DeclarationKind::Constant => "const",
            DeclarationKind::Variable => "var",
            DeclarationKind::Definition => "def",
            DeclarationKind::Proc => "proc",
            DeclarationKind::Input => "input",
            DeclarationKind::Output => "output",
            DeclarationKind::Internal => "internal",
            DeclarationKind::Parameter => "parameter",
            DeclarationKind::Local => "local name",
            DeclarationKind::Location => "location",
            DeclarationKind::Observer => "observer",
            DeclarationKind::Property => "property",
            DeclarationKind::Scenario => "scenario",
            DeclarationKind::Goal => "goal",
            DeclarationKind::Setup => "setup",
        }
    }

    pub fn is_action(self) -> bool {
        matches!(self, DeclarationKind::Input | DeclarationKind::Output | DeclarationKind::Internal)
    }
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    pub span: Span,
    /// The name in its declaration; `None` for what the language itself brings: `Int`, `sum`, `.length`, `end`.
    pub declared: Option<Span>,
    pub role: Role,
}

/// What a mention does with what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Declares,
    Reads,
    Writes,
    /// A rule that reacts to an action.
    Handles,
    Emits,
}

/// A part of the text that does or says something, with a name that a reader recognises: `on dial`, `property safe`.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub span: Span,
    pub title: String,
}

impl Index {
    /// The declaration whose name stands at exactly this place.
    pub fn declaration(&self, span: Span) -> Option<&Declaration> {
        let at = self.declarations.partition_point(|declaration| declaration.span < span);
        self.declarations.get(at).filter(|declaration| declaration.span == span)
    }

    /// The mentions of the name that stands here: more than one if it was understood in several ways.
    pub fn at(&self, point: Point) -> Vec<Mention> {
        let here = |mention: &&Mention| contains(mention.span, point);
        let found: Vec<Mention> = self.mentions.iter().filter(here).copied().collect();
        let shortest = found.iter().map(|mention| mention.span.end - mention.span.start).min();
        let mut found: Vec<Mention> =
            found.into_iter().filter(|each| Some(each.span.end - each.span.start) == shortest).collect();
        found.dedup_by_key(|mention| mention.declared);
        found
    }

    /// Everywhere where the declared thing is named, its declaration included.
    pub fn mentions_of(&self, declared: Span) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |mention| mention.declared == Some(declared))
    }

    /// The smallest expression around a place, with its type.
    pub fn expression_at(&self, point: Point) -> Option<(Span, &Type)> {
        let around = self.expressions.iter().filter(|(span, _)| contains(*span, point));
        around.min_by_key(|(span, _)| span.end - span.start).map(|(span, ty)| (*span, ty))
    }

    /// The rule, definition or judge that a place belongs to.
    pub fn body_at(&self, point: Point) -> Option<&Body> {
        let around = self.bodies.iter().filter(|body| contains(body.span, point));
        around.min_by_key(|body| body.span.end - body.span.start)
    }

    /// The parts of a declaration: variants, fields, parameters, what stands in a component.
    pub fn parts(&self, declared: Span) -> impl Iterator<Item = &Declaration> {
        self.declarations.iter().filter(move |declaration| declaration.parent == Some(declared))
    }

    pub fn mention(&mut self, span: Span, declared: Option<Span>, role: Role) {
        self.mentions.push(Mention { span, declared, role });
    }

    /// How much was noted so far, to return to by [`Index::forget`].
    pub fn mark(&self) -> (usize, usize, usize) {
        (self.mentions.len(), self.expressions.len(), self.seen.len())
    }

    pub fn forget(&mut self, (mentions, expressions, seen): (usize, usize, usize)) {
        self.mentions.truncate(mentions);
        self.expressions.truncate(expressions);
        self.seen.truncate(seen);
    }
}

/// The end belongs to it: a cursor stands behind the last letter too.
fn contains(span: Span, point: Point) -> bool {
    span.file == point.file && span.start <= point.offset && point.offset <= span.end
}
