//! The first pass: every declared name gets its id, before anything is looked into.

use super::{
    Lower,
    symbols::{DeclaredDefinition, DeclaredProc, LocationBlocks, Progress, Symbol, TypeSymbol},
};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::*;
use interplay_syntax::ast::{self, Item, ItemKind, LocationItem, Name};

impl<'a> Lower<'a> {
    /// Gives all items with the component they stand in.
    pub(super) fn declare(&mut self, files: &'a [ast::File]) -> Vec<(ComponentId, &'a Item)> {
        let mut items = Vec::new();
        for file in files {
            self.flatten(ComponentId(0), &file.items, &mut items);
        }
        for (component, item) in &items {
            self.declare_item(*component, item);
        }
        for (component, item) in &items {
            self.declare_locations(*component, item);
        }
        items
    }

    fn flatten(&mut self, component: ComponentId, items: &'a [Item], all: &mut Vec<(ComponentId, &'a Item)>) {
        for item in items {
            all.push((component, item));
            if let ItemKind::Component { name, items } = &item.kind {
                let id = self.declare_component(name);
                self.flatten(id, items, all);
            }
        }
    }

    fn declare_component(&mut self, name: &'a Name) -> ComponentId {
        let id = ComponentId(self.model.components.len());
        if self.symbols.components.insert(&name.text, id).is_some() {
            self.report(Diagnostic::new(
                Code::N002,
                name.span,
                format!("the component `{}` is declared twice", name.text),
            ));
        }
        self.model.components.push(Component {
            name: name.text.clone(),
            start: None,
            entry: Vec::new(),
            entry_locals: Vec::new(),
            span: name.span,
        });
        id
    }

    fn declare_item(&mut self, component: ComponentId, item: &'a Item) {
        match &item.kind {
            ItemKind::Type { name, .. } => {
                let id = AliasId(self.model.types.aliases.len());
                self.model.types.aliases.push(Alias { name: name.text.clone(), ty: Type::Unknown, span: name.span });
                self.declare_type(name, TypeSymbol::Alias(id));
            }
            ItemKind::Enum { name, variants } => self.declare_enum(name, variants),
            ItemKind::Record { name, fields } => {
                let id = RecordId(self.model.types.records.len());
                self.symbols.records.push(fields);
                self.model.types.records.push(Record { name: name.text.clone(), fields: Vec::new(), span: name.span });
                self.declare_type(name, TypeSymbol::Record(id));
            }
            ItemKind::Object { names } => {
                for name in names {
                    let id = ObjectId(self.model.types.objects.len());
                    self.model.types.objects.push(Object { name: name.text.clone(), span: name.span });
                    self.declare_type(name, TypeSymbol::Object(id));
                }
            }
            ItemKind::Const { name, .. } => {
                let id = ConstantId(self.model.constants.len());
                let (doc, span) = (item.doc.clone(), name.span);
                self.model.constants.push(Constant {
                    name: name.text.clone(),
                    doc,
                    ty: Type::Unknown,
                    value: None,
                    span,
                });
                self.declare_value(name, Symbol::Constant(id));
            }
            ItemKind::Var { name, .. } => {
                let id = self.new_variable(name, &item.doc, Owner::Component(component));
                self.declare_value(name, Symbol::Variable(id));
            }
            ItemKind::Def { name, params, ty, body } => {
                let id = DefinitionId(self.model.definitions.len());
                self.model.definitions.push(Definition {
                    name: name.text.clone(),
                    doc: item.doc.clone(),
                    params: params.len(),
                    locals: Vec::new(),
                    body: Expr::error(name.span),
                    events: false,
                    temporal: false,
                    span: name.span,
                });
                let progress = Progress::Waiting;
                self.symbols.definitions.push(DeclaredDefinition {
                    name,
                    extent: item.span,
                    params,
                    ty: ty.as_ref(),
                    body,
                    progress,
                });
                self.declare_value(name, Symbol::Definition(id));
            }
            ItemKind::Proc { name, params, body } => {
                let id = self.symbols.procs.len();
                self.symbols.procs.push(DeclaredProc { name, params, body, extent: item.span, component });
                self.declare_value(name, Symbol::Proc(id));
            }
            ItemKind::Setup { name, .. } => self.declare_judge("setup", name),
            ItemKind::Actions { direction, optional, signal, actions } => {
                for action in actions {
                    self.declare_action(component, item, (*direction, *optional), *signal, action);
                }
            }
            _ => {}
        }
    }

    fn declare_enum(&mut self, name: &'a Name, variants: &'a [ast::Variant]) {
        let id = EnumId(self.model.types.enums.len());
        let mut seen: Vec<&Name> = Vec::new();
        for (index, variant) in variants.iter().enumerate() {
            match seen.iter().find(|other| other.text == variant.name.text) {
                Some(other) => self.declared_twice(&variant.name, other.span),
                None => self.symbols.variants.entry(&variant.name.text).or_default().push((id, index)),
            }
            seen.push(&variant.name);
        }
        let variants = variants
            .iter()
            .map(|variant| Variant { name: variant.name.text.clone(), payload: Vec::new(), span: variant.name.span })
            .collect();
        self.model.types.enums.push(Enum { name: name.text.clone(), variants, is_outcome: false, span: name.span });
        self.declare_type(name, TypeSymbol::Enum(id));
    }

    fn declare_action(
        &mut self,
        component: ComponentId,
        item: &'a Item,
        (direction, optional): (ast::Direction, bool),
        signal: bool,
        action: &'a ast::Action,
    ) {
        let id = ActionId(self.model.actions.len());
        let synchronous = self.model.discipline == Discipline::Synchronous;
        if signal && !synchronous {
            self.report(
                Diagnostic::new(Code::S009, action.name.span, "`signal` is allowed only in a synchronous system")
                    .help("write `system NAME synchronous`, or remove `signal`"),
            );
        }
        if optional && direction == ast::Direction::Output && self.model.discipline != Discipline::Asynchronous {
            self.report(
                Diagnostic::new(Code::S009, action.name.span, "`may` is allowed only in an asynchronous system")
                    .help("remove `may`, and write a second rule that does not emit the output"),
            );
        }
        let result = self.declare_outcome(action);
        self.model.actions.push(Action {
            name: action.name.text.clone(),
            doc: item.doc.clone(),
            direction,
            optional,
            signal: synchronous,
            params: Vec::new(),
            result,
            component,
            span: action.name.span,
        });
        self.symbols.actions.push(action);
        self.declare_value(&action.name, Symbol::Action(id));
    }

    pub(super) fn new_variable(&mut self, name: &Name, doc: &str, owner: Owner) -> VariableId {
        let (ty, value, span) = (Type::Unknown, None, name.span);
        self.model.variables.push(Variable { name: name.text.clone(), doc: doc.to_string(), ty, value, owner, span });
        VariableId(self.model.variables.len() - 1)
    }

    fn declare_value(&mut self, name: &'a Name, symbol: Symbol) {
        if name.text.is_empty() {
            return;
        }
        match self.symbols.values.get(name.text.as_str()) {
            Some((_, first)) => self.declared_twice(name, *first),
            None => drop(self.symbols.values.insert(&name.text, (symbol, name.span))),
        }
    }

    fn declare_type(&mut self, name: &'a Name, symbol: TypeSymbol) {
        if name.text.is_empty() {
            return;
        }
        match self.symbols.types.get(name.text.as_str()) {
            Some((_, first)) => self.declared_twice(name, *first),
            None => drop(self.symbols.types.insert(&name.text, (symbol, name.span))),
        }
    }

    /// Observers, properties, scenarios, goals, setups: one name space for each kind.
    pub(super) fn declare_judge(&mut self, kind: &'static str, name: &'a Name) {
        if let Some(first) = self.symbols.judges.insert((kind, &name.text), name.span) {
            self.declared_twice(name, first);
        }
    }

    pub(super) fn declared_twice(&mut self, name: &Name, first: Span) {
        self.report(
            Diagnostic::new(Code::N002, name.span, format!("`{}` is declared twice", name.text))
                .note(first, "declared here first")
                .help("rename one of them"),
        );
    }

    fn declare_locations(&mut self, component: ComponentId, item: &'a Item) {
        match &item.kind {
            ItemKind::At { locations, body } => {
                for name in locations {
                    let id = self.location(component, name, LocationKind::Plain, item);
                    self.remember_blocks(id, body);
                }
            }
            ItemKind::Choice { name, body } => {
                let id = self.node(component, name, LocationKind::Choice, item);
                self.remember_blocks(id, body);
            }
            ItemKind::Collect { name, body, .. } => {
                let node = NodeId(self.symbols.collects.len());
                self.symbols.collects.push(item);
                let id = self.node(component, name, LocationKind::Collect(node), item);
                self.symbols.blocks[id.0].node = Some(node);
                for part in body {
                    match part {
                        ast::CollectItem::Entry(block) => self.symbols.blocks[id.0].entry.push(block),
                        ast::CollectItem::Exit(block) => self.symbols.blocks[id.0].exit.push(block),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// A service node stands in one place; a plain location may be described in several.
    fn node(&mut self, component: ComponentId, name: &'a Name, kind: LocationKind, item: &Item) -> LocationId {
        if let Some(first) = self.symbols.locations.get(&(component, name.text.as_str())) {
            self.declared_twice(name, self.model.locations[first.0].span);
        }
        self.symbols.locations.remove(&(component, name.text.as_str()));
        self.location(component, name, kind, item)
    }

    fn location(&mut self, component: ComponentId, name: &'a Name, kind: LocationKind, item: &Item) -> LocationId {
        if let Some(id) = self.symbols.locations.get(&(component, name.text.as_str())) {
            return *id;
        }
        let (doc, end) = (item.doc.clone(), false);
        self.new_location(Location { name: name.text.clone(), component, end, kind, doc, span: name.span }, &name.text)
    }

    pub(super) fn new_location(&mut self, location: Location, name: &'a str) -> LocationId {
        let id = LocationId(self.model.locations.len());
        self.symbols.locations.insert((location.component, name), id);
        self.model.locations.push(location);
        self.symbols.blocks.push(LocationBlocks::default());
        id
    }

    fn remember_blocks(&mut self, id: LocationId, body: &'a [LocationItem]) {
        for part in body {
            match part {
                LocationItem::Entry(block) => self.symbols.blocks[id.0].entry.push(block),
                LocationItem::Exit(block) => self.symbols.blocks[id.0].exit.push(block),
                LocationItem::Rule(_) => {}
            }
        }
    }
}
