//! The declarations of a text, from its tree, and their types, from what the lowering made of them.

use super::{Body, Declaration, DeclarationKind as Kind, Index, Mention, Role};
use crate::{Model, Type};
use interplay_diagnostics::Span;
use interplay_syntax::ast::{self, Direction, Item, ItemKind, LocationItem, Name};
use std::collections::{HashMap, HashSet};

impl Index {
    /// Adds what the trees declare, with the types that the model knows, and puts everything in the order of the text.
    pub fn finish(&mut self, files: &[ast::File], model: &Model) {
        // A location of the system may be described in several files; the first one declares it.
        let mut places = HashSet::new();
        for file in files {
            self.file(file, &mut places);
        }
        let mut types = types_of(model);
        let known: HashSet<Span> = self.declarations.iter().map(|declaration| declaration.span).collect();
        for (span, name, ty) in std::mem::take(&mut self.seen) {
            if types.insert(span, ty).is_none() && !known.contains(&span) {
                self.local(span, name);
            }
        }
        for declaration in &mut self.declarations {
            declaration.ty = types.remove(&declaration.span);
        }
        self.field_types(model);
        let declares =
            |each: &Declaration| Mention { span: each.span, declared: Some(each.span), role: Role::Declares };
        self.mentions.extend(self.declarations.iter().map(declares));
        self.types = model.types.clone();
        self.put_in_order();
    }

    fn put_in_order(&mut self) {
        self.declarations.sort_by_key(|declaration| declaration.span);
        self.declarations.dedup_by_key(|declaration| declaration.span);
        self.mentions.sort_by_key(|mention| (outer_first(mention.span), mention.declared, mention.role));
        self.mentions.dedup();
        // A block that is lowered again has its types again; they differ only where the text is wrong.
        self.expressions.sort_by_key(|(span, _)| outer_first(*span));
        self.expressions.dedup_by_key(|(span, _)| *span);
        self.bodies.sort_by_key(|body| outer_first(body.span));
    }

    fn local(&mut self, span: Span, name: String) {
        let (head, extent, parent) = (span, span, None);
        let (kind, doc, ty) = (Kind::Local, String::new(), None);
        self.declarations.push(Declaration { name, kind, span, head, extent, doc, ty, parent });
    }

    fn field_types(&mut self, model: &Model) {
        let records: HashMap<Span, &crate::Record> =
            model.types.records.iter().map(|record| (record.span, record)).collect();
        for field in self.declarations.iter_mut().filter(|each| each.kind == Kind::Field) {
            let record = field.parent.and_then(|parent| records.get(&parent));
            let declared = record.and_then(|record| record.fields.iter().find(|(name, _)| *name == field.name));
            field.ty = declared.map(|(_, ty)| ty.clone());
        }
    }

    fn declare(&mut self, kind: Kind, name: &Name, head: Span, extent: Span, doc: &str, parent: Option<Span>) {
        if name.text.is_empty() {
            return;
        }
        let (name, span, doc, ty) = (name.text.clone(), name.span, doc.to_string(), None);
        self.declarations.push(Declaration { name, kind, span, head, extent, doc, ty, parent });
    }

    fn file<'a>(&mut self, file: &'a ast::File, places: &mut HashSet<&'a str>) {
        let system = file.header.as_ref().map(|header| header.name.span);
        if let Some(header) = &file.header {
            self.declare(Kind::System, &header.name, header.span, header.span, &file.doc, None);
        }
        self.items(&file.items, system, places);
    }

    fn items<'a>(&mut self, items: &'a [Item], parent: Option<Span>, places: &mut HashSet<&'a str>) {
        for item in items {
            self.item(item, parent, places);
        }
    }

    fn item<'a>(&mut self, item: &'a Item, parent: Option<Span>, places: &mut HashSet<&'a str>) {
        let (span, doc) = (item.span, item.doc.as_str());
        let whole = |index: &mut Index, kind, name| index.declare(kind, name, span, span, doc, parent);
        match &item.kind {
            ItemKind::Type { name, .. } => whole(self, Kind::Alias, name),
            ItemKind::Enum { name, variants } => {
                whole(self, Kind::Enum, name);
                for variant in variants {
                    let extent = variant.payload.last().map_or(variant.name.span, |ty| variant.name.span.to(ty.span));
                    self.declare(Kind::Variant, &variant.name, extent, extent, "", Some(name.span));
                }
            }
            ItemKind::Record { name, fields } => {
                whole(self, Kind::Record, name);
                self.params(Kind::Field, fields, name);
            }
            ItemKind::Object { names } => names.iter().for_each(|name| whole(self, Kind::Object, name)),
            ItemKind::Const { name, .. } => whole(self, Kind::Constant, name),
            ItemKind::Var { name, .. } => whole(self, Kind::Variable, name),
            ItemKind::Init { .. } => self.body(span, "init".into()),
            ItemKind::Fair { .. } => self.body(span, "fair".into()),
            ItemKind::Accepting { .. } => self.body(span, "accepting".into()),
            ItemKind::Def { name, params, .. } => {
                whole(self, Kind::Definition, name);
                self.params(Kind::Parameter, params, name);
                self.body(span, format!("def {}", name.text));
            }
            ItemKind::Proc { name, params, body } => {
                let head = Span { end: body.span.start, ..span };
                self.declare(Kind::Proc, name, head, span, doc, parent);
                self.params(Kind::Parameter, params, name);
                self.body(span, format!("proc {}", name.text));
            }
            ItemKind::Actions { direction, actions, .. } => {
                actions.iter().for_each(|action| self.action(*direction, action, doc, parent));
            }
            ItemKind::Relation(relation) => self.relation(relation, span),
            ItemKind::Start { .. } => {}
            ItemKind::At { locations, body } => {
                for name in locations {
                    if places.insert(&name.text) {
                        self.declare(Kind::Location, name, name.span, span, doc, parent);
                    }
                }
                let names: Vec<&str> = locations.iter().map(|name| name.text.as_str()).collect();
                self.location(&names.join(", "), body);
            }
            ItemKind::Choice { name, body } => {
                self.declare(Kind::Location, name, name.span, span, doc, parent);
                self.location(&name.text, body);
            }
            ItemKind::Collect { name, events, .. } => {
                let head = events.last().map_or(name.span, |event| name.span.to(event.span));
                self.declare(Kind::Location, name, head, span, doc, parent);
                self.body(span, format!("collect {}", name.text));
            }
            ItemKind::On(rule) => self.rule(rule, None),
            ItemKind::Component { name, items } => {
                self.declare(Kind::Component, name, name.span, span, doc, parent);
                self.items(items, Some(name.span), &mut HashSet::new());
            }
            ItemKind::Observer { name, items, .. } => {
                self.declare(Kind::Observer, name, name.span, span, doc, parent);
                self.items(items, Some(name.span), &mut HashSet::new());
            }
            ItemKind::Property { name, .. } => {
                whole(self, Kind::Property, name);
                self.body(span, format!("property {}", name.text));
            }
            ItemKind::Scenario(scenario) => {
                let name = &scenario.name;
                let head = scenario.params.last().map_or(name.span, |param| name.span.to(param.ty.span));
                self.declare(Kind::Scenario, name, head, span, doc, parent);
                self.params(Kind::Parameter, &scenario.params, name);
                self.body(span, format!("scenario {}", name.text));
            }
            ItemKind::Goal { name, params, .. } => {
                whole(self, Kind::Goal, name);
                self.params(Kind::Parameter, params, name);
                self.body(span, format!("goal {}", name.text));
            }
            ItemKind::Setup { name, .. } => {
                self.declare(Kind::Setup, name, name.span, span, doc, parent);
                self.body(span, format!("setup {}", name.text));
            }
        }
    }

    fn params(&mut self, kind: Kind, params: &[ast::Param], of: &Name) {
        for param in params {
            let extent = param.name.span.to(param.ty.span);
            self.declare(kind, &param.name, extent, extent, "", Some(of.span));
        }
    }

    fn action(&mut self, direction: Direction, action: &ast::Action, doc: &str, parent: Option<Span>) {
        let kind = match direction {
            Direction::Input => Kind::Input,
            Direction::Output => Kind::Output,
            Direction::Internal => Kind::Internal,
        };
        let name = &action.name;
        let last = action.result.as_ref().map(|ty| ty.span).or(action.params.last().map(|param| param.ty.span));
        let head = last.map_or(name.span, |last| name.span.to(last));
        self.declare(kind, name, head, action.span, doc, parent);
        self.params(Kind::Parameter, &action.params, name);
        self.body(action.span, format!("{} {}", kind.word(), name.text));
    }

    /// The names in a relation stand for equal values: the first one declares them.
    fn relation(&mut self, relation: &ast::Relation, span: Span) {
        let terms = match relation {
            ast::Relation::Exclusive(terms) | ast::Relation::ExactlyOne(terms) => terms,
            ast::Relation::Condition(_) => return self.body(span, "relation".into()),
        };
        self.body(span, "relation".into());
        let mut first: HashMap<&str, Span> = HashMap::new();
        for name in terms.iter().flat_map(|term| &term.args) {
            let declared = *first.entry(&name.text).or_insert(name.span);
            match declared == name.span {
                true => self.local(name.span, name.text.clone()),
                false => self.mention(name.span, Some(declared), Role::Reads),
            }
        }
    }

    fn location(&mut self, name: &str, parts: &[LocationItem]) {
        for part in parts {
            match part {
                LocationItem::Entry(block) => self.body(block.span, format!("entry of {name}")),
                LocationItem::Exit(block) => self.body(block.span, format!("exit of {name}")),
                LocationItem::Rule(rule) => self.rule(rule, Some(name)),
            }
        }
    }

    fn rule(&mut self, rule: &ast::Rule, place: Option<&str>) {
        let trigger = match &rule.trigger {
            ast::Trigger::Action { name, .. } => name.text.as_str(),
            ast::Trigger::Step(_) => "step",
            ast::Trigger::Silence(_) => "silence",
            ast::Trigger::Any(_) => "any",
        };
        let at = place.map_or(String::new(), |place| format!(" at {place}"));
        self.body(rule.span, format!("on {trigger}{at}"));
    }

    fn body(&mut self, span: Span, title: String) {
        self.bodies.push(Body { span, title });
    }
}

fn outer_first(span: Span) -> (interplay_diagnostics::FileId, u32, std::cmp::Reverse<u32>) {
    (span.file, span.start, std::cmp::Reverse(span.end))
}

/// The types of what the model declares, by the place of the name. Fields have no place there.
fn types_of(model: &Model) -> HashMap<Span, Type> {
    let constants = model.constants.iter().map(|each| (each.span, each.ty.clone()));
    let variables = model.variables.iter().map(|each| (each.span, each.ty.clone()));
    let definitions = model.definitions.iter().map(|each| (each.span, each.body.ty.clone()));
    let results = model.actions.iter().filter_map(|each| Some((each.span, each.result.clone()?)));
    let params = model.actions.iter().flat_map(|each| &each.params).map(|each| (each.span, each.ty.clone()));
    let aliases = model.types.aliases.iter().map(|each| (each.span, each.ty.clone()));
    let variants =
        model.types.enums.iter().enumerate().flat_map(|(id, each)| {
            each.variants.iter().map(move |variant| (variant.span, Type::Enum(crate::EnumId(id))))
        });
    let all = constants.chain(variables).chain(definitions).chain(results);
    all.chain(params).chain(aliases).chain(variants).collect()
}
