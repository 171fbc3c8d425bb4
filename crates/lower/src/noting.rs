//! What the lowering tells the [`Index`](interplay_model::Index), if there is one: mentions of names, types of expressions, and what
//! could stand where a name is being typed.

use super::{
    Lower, builtins,
    context::{Context, Events},
    symbols::{Symbol, TypeSymbol},
};
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, ComponentId, DeclarationKind as Kind, Direction, EnumId, Expr, Offer, OfferKind, RecordId, Role, Type,
};
use interplay_syntax::ast::Name;

impl<'a> Lower<'a> {
    pub(super) fn mention(&mut self, span: Span, declared: Span, role: Role) {
        if let Some(index) = &mut self.index {
            index.mention(span, Some(declared), role);
        }
    }

    /// A word of the language that stands where names stand: `Int`, `sum`, `.length`.
    pub(super) fn mention_built_in(&mut self, span: Span) {
        if let Some(index) = &mut self.index {
            index.mention(span, None, Role::Reads);
        }
    }

    pub(super) fn mention_symbol(&mut self, span: Span, symbol: Symbol, role: Role) {
        if self.index.is_some() {
            let declared = self.declared_at(symbol);
            self.mention(span, declared, role);
        }
    }

    fn declared_at(&self, symbol: Symbol) -> Span {
        match symbol {
            Symbol::Constant(id) => self.model.constants[id.0].span,
            Symbol::Variable(id) => self.model.variables[id.0].span,
            Symbol::Definition(id) => self.model.definitions[id.0].span,
            Symbol::Action(id) => self.model.actions[id.0].span,
            Symbol::Proc(index) => self.symbols.procs[index].name.span,
        }
    }

    pub(super) fn mention_type(&mut self, span: Span, symbol: TypeSymbol) {
        let types = &self.model.types;
        let declared = match symbol {
            TypeSymbol::Alias(id) => types.aliases[id.0].span,
            TypeSymbol::Enum(id) => types.enums[id.0].span,
            TypeSymbol::Record(id) => types.records[id.0].span,
            TypeSymbol::Object(id) => types.objects[id.0].span,
        };
        self.mention(span, declared, Role::Reads);
    }

    pub(super) fn mention_variant(&mut self, span: Span, enumeration: EnumId, variant: usize) {
        let declared = self.model.types.enums[enumeration.0].variants[variant].span;
        self.mention(span, declared, Role::Reads);
    }

    pub(super) fn mention_field(&mut self, span: Span, record: RecordId, field: usize) {
        if let Some(declared) = self.symbols.records.get(record.0).and_then(|fields| fields.get(field)) {
            self.mention(span, declared.name.span, Role::Reads);
        }
    }

    /// A local that can be seen from here on under this name.
    pub(super) fn note_local(&mut self, name: &Name, ty: &Type) {
        if let Some(index) = &mut self.index {
            index.seen.push((name.span, name.text.clone(), ty.clone()));
        }
    }

    pub(super) fn note_type(&mut self, expr: &Expr) {
        if let Some(index) = &mut self.index
            && expr.ty != Type::Unknown
        {
            index.expressions.push((expr.span, expr.ty.clone()));
        }
    }

    /// Looks at what no rule leads to, for the index alone: nothing is reported.
    pub(super) fn for_the_index(&mut self, look: impl FnOnce(&mut Self)) {
        if self.index.is_some() {
            let before = std::mem::take(self.diagnostics);
            look(self);
            *self.diagnostics = before;
        }
    }

    /// Blocks of locations are lowered where rules enter and leave them; here are those that none does.
    pub(super) fn note_blocks_of_locations(&mut self) {
        self.for_the_index(|lower| {
            for id in 0..lower.symbols.blocks.len() {
                let component = lower.model.locations[id].component;
                let blocks = lower.symbols.blocks[id].entry.iter().chain(&lower.symbols.blocks[id].exit);
                let blocks: Vec<_> = blocks.copied().filter(|block| lower.is_in_focus(block.span)).collect();
                for block in blocks {
                    let mut context = Context { new: true, ..Context::state(component) };
                    lower.block(&mut context, block);
                }
            }
        });
    }

    /// What is asked about is one place of the text; the rest is only declared.
    pub(super) fn is_in_focus(&self, span: Span) -> bool {
        self.index.as_ref().is_none_or(|index| index.wanted.is_none() || index.wants(span))
    }

    // What could stand here.

    pub(super) fn wants(&self, span: Span) -> bool {
        self.index.as_ref().is_some_and(|index| index.wants(span))
    }

    fn offer(&mut self, offers: Vec<Offer>) {
        if let Some(index) = &mut self.index {
            index.offer(offers);
        }
    }

    /// A value: locals, then what is declared, then variants, types as prefixes and functions.
    pub(super) fn offer_values(&mut self, context: &Context, span: Span, expected: Option<&Type>) {
        if !self.wants(span) {
            return;
        }
        let mut offers = self.visible_locals(context);
        for (name, id) in &context.memory {
            let variable = &self.model.variables[id.0];
            offers.push(Offer::declared(name, Kind::Variable, variable.span).of_type(&variable.ty));
        }
        offers.extend(
            self.model
                .constants
                .iter()
                .map(|each| Offer::declared(&each.name, Kind::Constant, each.span).of_type(&each.ty)),
        );
        if context.state {
            offers.extend(self.declared_variables());
        }
        for each in &self.model.definitions {
            let offer = Offer::declared(&each.name, Kind::Definition, each.span).taking(each.params);
            offers.push(if each.body.ty == Type::Unknown { offer } else { offer.of_type(&each.body.ty) });
        }
        if context.events != Events::None || context.node.is_some() {
            offers.extend(self.action_offers(|direction| direction != Direction::Internal));
        }
        offers.extend(self.variants(None));
        offers.extend(self.declared_types(|symbol| !matches!(symbol, TypeSymbol::Alias(_))));
        offers.extend(builtins::FUNCTIONS.map(|name| Offer::new(name, OfferKind::BuiltIn).taking(1)));
        for offer in &mut offers {
            offer.fits = matches!((&offer.ty, expected), (Some(ty), Some(wanted))
                if *wanted != Type::Unknown && *ty != Type::Unknown && self.unify(ty, wanted).is_some());
        }
        self.offer(offers);
    }

    fn visible_locals(&self, context: &Context) -> Vec<Offer> {
        let visible = context.frame.visible();
        visible
            .map(|(name, local, span)| {
                Offer::declared(name, Kind::Local, span).of_type(&context.frame.locals[local.0].ty)
            })
            .collect()
    }

    fn declared_variables(&self) -> impl Iterator<Item = Offer> {
        let own = self.model.variables.iter().filter(|each| matches!(each.owner, interplay_model::Owner::Component(_)));
        own.map(|each| Offer::declared(&each.name, Kind::Variable, each.span).of_type(&each.ty))
    }

    fn variants(&self, of: Option<EnumId>) -> Vec<Offer> {
        let enums = self.model.types.enums.iter().enumerate().map(|(id, each)| (EnumId(id), each));
        let wanted = enums.filter(|(id, _)| of.is_none_or(|of| of == *id));
        wanted
            .flat_map(|(id, each)| {
                each.variants.iter().map(move |variant| {
                    let offer = Offer::declared(&variant.name, Kind::Variant, variant.span);
                    offer.of_type(&Type::Enum(id)).taking(variant.payload.len())
                })
            })
            .collect()
    }

    fn declared_types(&self, keep: impl Fn(TypeSymbol) -> bool) -> Vec<Offer> {
        let mut offers: Vec<Offer> = self
            .symbols
            .types
            .iter()
            .filter(|(_, (symbol, _))| keep(*symbol))
            .map(|(name, (symbol, span))| {
                let kind = match symbol {
                    TypeSymbol::Alias(_) => Kind::Alias,
                    TypeSymbol::Enum(_) => Kind::Enum,
                    TypeSymbol::Record(_) => Kind::Record,
                    TypeSymbol::Object(_) => Kind::Object,
                };
                Offer::declared(name, kind, *span)
            })
            .collect();
        offers.sort_by_key(|offer| offer.declared);
        offers
    }

    fn action_offers(&self, keep: impl Fn(Direction) -> bool) -> Vec<Offer> {
        let actions = self.model.actions.iter().filter(|action| keep(action.direction));
        actions
            .map(|action| {
                let kind = match action.direction {
                    Direction::Input => Kind::Input,
                    Direction::Output => Kind::Output,
                    Direction::Internal => Kind::Internal,
                };
                Offer::declared(&action.name, kind, action.span).taking(action.params.len())
            })
            .collect()
    }

    /// Only the first who asks knows which directions fit.
    pub(super) fn offer_actions(&mut self, span: Span, keep: impl Fn(Direction) -> bool) {
        let first = || {
            self.index.as_ref().and_then(|index| index.wanted.as_ref()).is_some_and(|wanted| wanted.offers.is_empty())
        };
        if self.wants(span) && first() {
            let offers = self.action_offers(keep);
            self.offer(offers);
        }
    }

    pub(super) fn offer_types(&mut self, span: Span, built_in: &[&str], keep: impl Fn(TypeSymbol) -> bool) {
        if self.wants(span) {
            let mut offers = self.declared_types(keep);
            offers.extend(built_in.iter().map(|name| Offer::new(*name, OfferKind::BuiltIn)));
            self.offer(offers);
        }
    }

    /// What can stand after the dot behind a value.
    pub(super) fn offer_members(&mut self, span: Span, of: &Type) {
        if !self.wants(span) {
            return;
        }
        let offers = match self.base(of) {
            Type::Record(id) => self.record_fields(id),
            Type::Tuple(parts) => {
                let part =
                    |(index, ty): (usize, &Type)| Offer::new(index.to_string(), OfferKind::Operation).of_type(ty);
                parts.iter().enumerate().map(part).collect()
            }
            base => super::builtins::operation_offers(&base),
        };
        self.offer(offers);
    }

    pub(super) fn offer_fields(&mut self, span: Span, record: RecordId) {
        if self.wants(span) {
            let offers = self.record_fields(record);
            self.offer(offers);
        }
    }

    fn record_fields(&self, id: RecordId) -> Vec<Offer> {
        let types = self.model.types.records[id.0].fields.iter();
        let fields = self.symbols.records.get(id.0).copied().unwrap_or_default();
        let offer = |((name, ty), param): (&(String, Type), &interplay_syntax::ast::Param)| {
            Offer::declared(name, Kind::Field, param.name.span).of_type(ty)
        };
        types.zip(fields).map(offer).collect()
    }

    /// `Mode.idle`, `Client.count`
    pub(super) fn offer_of_type(&mut self, span: Span, symbol: TypeSymbol) {
        if self.wants(span) {
            let offers = match symbol {
                TypeSymbol::Enum(id) => self.variants(Some(id)),
                TypeSymbol::Object(_) => ["count", "all"].map(|name| Offer::new(name, OfferKind::Operation)).into(),
                _ => Vec::new(),
            };
            self.offer(offers);
        }
    }

    pub(super) fn offer_parameters(&mut self, span: Span, action: ActionId) {
        if self.wants(span) {
            let params = self.model.actions[action.0].params.iter();
            let offers = params.map(|each| Offer::declared(&each.name, Kind::Parameter, each.span).of_type(&each.ty));
            let offers = offers.collect();
            self.offer(offers);
        }
    }

    pub(super) fn offer_variants(&mut self, span: Span, base: &Type) {
        if let (true, Type::Enum(id)) = (self.wants(span), base) {
            let offers = self.variants(Some(*id));
            self.offer(offers);
        }
    }

    pub(super) fn offer_variables(&mut self, context: &Context, span: Span) {
        if self.wants(span) {
            let offers = match context.observer {
                None => self.declared_variables().collect(),
                Some(_) => context
                    .memory
                    .iter()
                    .map(|(name, id)| {
                        let variable = &self.model.variables[id.0];
                        Offer::declared(name, Kind::Variable, variable.span).of_type(&variable.ty)
                    })
                    .collect(),
            };
            self.offer(offers);
        }
    }

    pub(super) fn offer_procs(&mut self, span: Span) {
        if self.wants(span) {
            let procs = self.symbols.procs.iter();
            let offers = procs
                .map(|each| Offer::declared(&each.name.text, Kind::Proc, each.name.span).taking(each.params.len()));
            let offers = offers.collect();
            self.offer(offers);
        }
    }

    pub(super) fn offer_locations(&mut self, span: Span, component: ComponentId) {
        if self.wants(span) {
            let own = self.model.locations.iter().filter(|each| each.component == component && !each.end);
            let mut offers: Vec<Offer> =
                own.map(|each| Offer::declared(&each.name, Kind::Location, each.span)).collect();
            offers.push(Offer::new("end", OfferKind::BuiltIn));
            self.offer(offers);
        }
    }

    pub(super) fn offer_components(&mut self, span: Span) {
        if self.wants(span) {
            let components = self.model.components.iter().skip(1);
            let offers = components.map(|each| Offer::declared(&each.name, Kind::Component, each.span)).collect();
            self.offer(offers);
        }
    }

    pub(super) fn offer_names<'b>(&mut self, span: Span, kind: Kind, names: impl Iterator<Item = (&'b str, Span)>) {
        if self.wants(span) {
            self.offer(names.map(|(name, at)| Offer::declared(name, kind, at)).collect());
        }
    }

    /// The name of a setup behind `under` or `extends`.
    pub(super) fn note_setup(&mut self, name: &Name) {
        let setups = self.symbols.judges.iter().filter(|((kind, _), _)| *kind == "setup");
        let mut names: Vec<(&str, Span)> = setups.map(|((_, name), span)| (*name, *span)).collect();
        names.sort_by_key(|(_, span)| *span);
        if let Some((_, declared)) = names.iter().find(|(known, _)| *known == name.text) {
            self.mention(name.span, *declared, Role::Reads);
        }
        self.offer_names(name.span, Kind::Setup, names.into_iter());
    }

    pub(super) fn offer_constants(&mut self, span: Span) {
        if self.wants(span) {
            let constants = self.model.constants.iter();
            let offers = constants.map(|each| Offer::declared(&each.name, Kind::Constant, each.span).of_type(&each.ty));
            let offers = offers.collect();
            self.offer(offers);
        }
    }
}
