//! The declared names, and what was used of them.

use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, AliasId, ComponentId, ConstantId, DefinitionId, EnumId, LocationId, NodeId, ObjectId, RecordId,
    VariableId,
};
use interplay_syntax::ast;
use std::collections::HashMap;

/// What a name in an expression may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Constant(ConstantId),
    Variable(VariableId),
    Definition(DefinitionId),
    Action(ActionId),
    Proc(usize),
}

/// What a name in a type may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypeSymbol {
    Alias(AliasId),
    Enum(EnumId),
    Record(RecordId),
    Object(ObjectId),
}

/// Something that was declared is used: for the warning about what never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    Value(Symbol),
    Type(TypeSymbol),
}

#[derive(Default)]
pub(crate) struct Symbols<'a> {
    pub(crate) values: HashMap<&'a str, (Symbol, Span)>,
    pub(crate) types: HashMap<&'a str, (TypeSymbol, Span)>,
    pub(crate) variants: HashMap<&'a str, Vec<(EnumId, usize)>>,
    pub(crate) components: HashMap<&'a str, ComponentId>,
    pub(crate) locations: HashMap<(ComponentId, &'a str), LocationId>,
    /// Names of observers, properties, scenarios, goals and setups, each kind apart.
    pub(crate) judges: HashMap<(&'static str, &'a str), Span>,
    pub(crate) definitions: Vec<DeclaredDefinition<'a>>,
    pub(crate) procs: Vec<DeclaredProc<'a>>,
    pub(crate) actions: Vec<&'a ast::Action>,
    /// The fields of records in the order of [`interplay_model::TypeTable::records`].
    pub(crate) records: Vec<&'a [ast::Param]>,
    /// Entry and exit blocks by location.
    pub(crate) blocks: Vec<LocationBlocks<'a>>,
    /// `collect` items in the order of [`interplay_model::Model::nodes`].
    pub(crate) collects: Vec<&'a ast::Item>,
}

pub(crate) struct DeclaredDefinition<'a> {
    pub(crate) name: &'a ast::Name,
    pub(crate) extent: Span,
    pub(crate) params: &'a [ast::Param],
    pub(crate) ty: Option<&'a ast::Type>,
    pub(crate) body: &'a ast::Expr,
    pub(crate) progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Waiting,
    Working,
    Done,
}

pub(crate) struct DeclaredProc<'a> {
    pub(crate) name: &'a ast::Name,
    pub(crate) params: &'a [ast::Param],
    pub(crate) body: &'a ast::Block,
    pub(crate) extent: Span,
    pub(crate) component: ComponentId,
}

#[derive(Default)]
pub(crate) struct LocationBlocks<'a> {
    pub(crate) entry: Vec<&'a ast::Block>,
    pub(crate) exit: Vec<&'a ast::Block>,
    pub(crate) node: Option<NodeId>,
}

impl<'a> Symbols<'a> {
    pub(crate) fn constant(&self, name: &ast::Name) -> Option<ConstantId> {
        match self.values.get(name.text.as_str()) {
            Some((Symbol::Constant(id), span)) if *span == name.span => Some(*id),
            _ => None,
        }
    }

    /// The variable declared at exactly this place (a second one of the same name was refused).
    pub(crate) fn variable(&self, name: &ast::Name) -> Option<VariableId> {
        match self.values.get(name.text.as_str()) {
            Some((Symbol::Variable(id), span)) if *span == name.span => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn value(&self, name: &str) -> Option<Symbol> {
        self.values.get(name).map(|(symbol, _)| *symbol)
    }
}
