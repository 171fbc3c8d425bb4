//! Names, fields and calls: what a word stands for where it is used.

use super::{
    Lower, builtins,
    context::{Context, Events},
    symbols::{Symbol, TypeSymbol, Use},
};
use interplay_diagnostics::{Code, Diagnostic, Span, amount, did_you_mean};
use interplay_model::{ActionId, Direction, EnumId, Expr, ExprKind, Role, Type};
use interplay_syntax::ast::{self, ExprKind as Tree, Name};

impl<'a> Lower<'a> {
    pub(super) fn name(&mut self, context: &mut Context, name: &'a str, span: Span, expected: Option<&Type>) -> Expr {
        if name.is_empty() {
            return Expr::error(span);
        }
        self.offer_values(context, span, expected);
        if let Some((local, declared)) = context.frame.find_declared(name) {
            self.mention(span, declared, Role::Reads);
            return Expr::new(ExprKind::Local(local), context.frame.locals[local.0].ty.clone(), span);
        }
        if let Some(id) = context.remembered(name) {
            self.mention_symbol(span, Symbol::Variable(id), Role::Reads);
            return Expr::new(ExprKind::Variable(id), self.model.variables[id.0].ty.clone(), span);
        }
        if let Some((enumeration, variant)) = self.expected_variant(name, expected) {
            self.mention_variant(span, enumeration, variant);
            return self.variant(context, enumeration, variant, &[], span);
        }
        match self.symbols.value(name) {
            Some(symbol) => self.symbol(context, symbol, name, span),
            None => self.free_name(context, name, span),
        }
    }

    fn expected_variant(&self, name: &str, expected: Option<&Type>) -> Option<(EnumId, usize)> {
        let Type::Enum(wanted) = self.base(expected?) else { return None };
        self.symbols.variants.get(name)?.iter().copied().find(|(enumeration, _)| *enumeration == wanted)
    }

    fn symbol(&mut self, context: &mut Context, symbol: Symbol, name: &'a str, span: Span) -> Expr {
        self.used.insert(Use::Value(symbol));
        self.mention_symbol(span, symbol, Role::Reads);
        match symbol {
            Symbol::Constant(id) => Expr::new(ExprKind::Constant(id), self.model.constants[id.0].ty.clone(), span),
            Symbol::Variable(id) => {
                self.require_state(context, name, span);
                Expr::new(ExprKind::Variable(id), self.model.variables[id.0].ty.clone(), span)
            }
            Symbol::Definition(_) => self.call_definition(context, symbol, name, &[], span),
            Symbol::Action(id) => self.happens(context, id, None, span),
            Symbol::Proc(_) => {
                self.report(
                    Diagnostic::new(Code::N008, span, format!("`{name}` is a `proc` and has no value"))
                        .help("use a `def` for values"),
                );
                Expr::error(span)
            }
        }
    }

    fn require_state(&mut self, context: &Context, name: &str, span: Span) {
        if !context.state {
            self.report(
                Diagnostic::new(
                    Code::S011,
                    span,
                    format!("`{name}` is a variable, but only constants are allowed here"),
                )
                .help("the value must be known before the system runs"),
            );
        }
    }

    /// A variant that no expected type pointed to, or a mistake.
    fn free_name(&mut self, context: &mut Context, name: &'a str, span: Span) -> Expr {
        let variants = self.symbols.variants.get(name).cloned().unwrap_or_default();
        match variants[..] {
            [(enumeration, variant)] => {
                self.mention_variant(span, enumeration, variant);
                self.variant(context, enumeration, variant, &[], span)
            }
            [] if name == "silence" && context.events == Events::All => Expr::new(ExprKind::Silence, Type::Bool, span),
            [] => {
                self.unknown_name(context, name, span);
                Expr::error(span)
            }
            _ => {
                let enums: Vec<_> =
                    variants.iter().map(|(id, _)| format!("`{}.{name}`", self.model.types.enums[id.0].name)).collect();
                self.report(
                    Diagnostic::new(Code::T002, span, format!("ambiguous variant `{name}`: several enums have it"))
                        .help(format!("say which one: {}", enums.join(" or "))),
                );
                Expr::error(span)
            }
        }
    }

    pub(super) fn unknown_name(&mut self, context: &Context, name: &str, span: Span) {
        let mut help = did_you_mean(name, self.known_names(context));
        if self.symbols.types.contains_key(name) {
            help = Some(format!(
                "`{name}` is a type; values are written `{name}.variant`, `{name}(field: ...)` or `new {name}`"
            ));
        }
        if self.symbols.locations.keys().any(|(_, location)| *location == name) {
            help = Some(format!("`{name}` is a location: write `at {name}`"));
        }
        self.report(Diagnostic::new(Code::N001, span, format!("unknown name `{name}`")).maybe_help(help));
    }

    fn known_names<'b>(&'b self, context: &'b Context) -> impl Iterator<Item = &'b str> {
        context.frame.names().chain(self.symbols.values.keys().copied()).chain(self.symbols.variants.keys().copied())
    }

    fn variant(
        &mut self,
        context: &mut Context,
        enumeration: EnumId,
        variant: usize,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        self.used.insert(Use::Type(TypeSymbol::Enum(enumeration)));
        let declared = self.model.types.enums[enumeration.0].variants[variant].clone();
        let wanted: Vec<(Type, Span)> = declared.payload.iter().map(|ty| (ty.clone(), declared.span)).collect();
        let Some(args) = self.arguments(context, &declared.name, &wanted, args, span) else { return Expr::error(span) };
        Expr::new(ExprKind::Variant { enumeration, variant, args: args.into() }, Type::Enum(enumeration), span)
    }

    /// Arguments against what is declared.
    pub(super) fn arguments(
        &mut self,
        context: &mut Context,
        name: &str,
        wanted: &[(Type, Span)],
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Vec<Expr>> {
        if !self.count_arguments(name, wanted.len(), args.len(), span) {
            args.iter().for_each(|arg| drop(self.infer(context, arg, None)));
            return None;
        }
        let check = |(arg, (ty, at)): (&'a ast::Expr, &(Type, Span))| {
            self.check_expr(context, arg, ty, Some((*at, format!("`{name}` is declared with"))))
        };
        Some(args.iter().zip(wanted).map(check).collect())
    }

    pub(super) fn count_arguments(&mut self, name: &str, wanted: usize, given: usize, span: Span) -> bool {
        if wanted != given {
            let wanted = amount(wanted, "argument");
            self.report(Diagnostic::new(Code::T003, span, format!("`{name}` takes {wanted}, not {given}")));
        }
        wanted == given
    }

    pub(super) fn call(
        &mut self,
        context: &mut Context,
        name: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        self.offer_values(context, name.span, expected);
        if let Some((enumeration, variant)) = self.expected_variant(&name.text, expected) {
            self.mention_variant(name.span, enumeration, variant);
            return self.variant(context, enumeration, variant, args, span);
        }
        match self.symbols.value(&name.text) {
            Some(symbol @ Symbol::Definition(_)) => {
                self.used.insert(Use::Value(symbol));
                self.mention_symbol(name.span, symbol, Role::Reads);
                self.call_definition(context, symbol, &name.text, args, span)
            }
            Some(Symbol::Action(id)) => {
                self.used.insert(Use::Value(Symbol::Action(id)));
                self.mention_symbol(name.span, Symbol::Action(id), Role::Reads);
                self.happens(context, id, Some(args), span)
            }
            Some(symbol) => {
                self.symbol(context, symbol, &name.text, name.span);
                let help =
                    if args.len() == 1 { Some(format!("write `{}[...]` for an element", name.text)) } else { None };
                self.report(
                    Diagnostic::new(Code::N008, name.span, format!("`{}` cannot be called", name.text))
                        .maybe_help(help),
                );
                Expr::error(span)
            }
            None => self.free_call(context, name, args, span),
        }
    }

    fn free_call(&mut self, context: &mut Context, name: &'a Name, args: &'a [ast::Expr], span: Span) -> Expr {
        if let Some([(enumeration, variant)]) = self.symbols.variants.get(name.text.as_str()).map(|list| &list[..]) {
            let (enumeration, variant) = (*enumeration, *variant);
            self.mention_variant(name.span, enumeration, variant);
            return self.variant(context, enumeration, variant, args, span);
        }
        if let Some(function) = builtins::function(&name.text) {
            self.mention_built_in(name.span);
            return self.builtin_function(context, function, name, args, span);
        }
        if let Some((TypeSymbol::Record(_), _)) = self.symbols.types.get(name.text.as_str()) {
            self.report(
                Diagnostic::new(Code::T003, span, format!("the fields of `{}` must be named", name.text))
                    .help(format!("write `{}(field: value, ...)`", name.text)),
            );
            return Expr::error(span);
        }
        args.iter().for_each(|arg| drop(self.infer(context, arg, None)));
        let help = did_you_mean(&name.text, self.known_names(context).chain(builtins::FUNCTIONS));
        self.report(
            Diagnostic::new(Code::N001, name.span, format!("unknown function `{}`", name.text)).maybe_help(help),
        );
        Expr::error(span)
    }

    fn call_definition(
        &mut self,
        context: &mut Context,
        symbol: Symbol,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let Symbol::Definition(id) = symbol else { return Expr::error(span) };
        self.definition(id.0);
        let definition = &self.model.definitions[id.0];
        let wanted: Vec<(Type, Span)> = if definition.locals.is_empty() {
            vec![(Type::Unknown, definition.span); definition.params]
        } else {
            definition.locals[..definition.params].iter().map(|local| (local.ty.clone(), local.span)).collect()
        };
        let (ty, events, temporal) = (definition.body.ty.clone(), definition.events, definition.temporal);
        if temporal && !context.temporal {
            return self.not_here(span, &format!("`{name}` is temporal and is allowed only in properties"));
        }
        if events && context.events == Events::None {
            return self.not_here(span, &format!("`{name}` refers to the events of a step, which are not known here"));
        }
        let Some(args) = self.arguments(context, name, &wanted, args, span) else { return Expr::error(span) };
        Expr::new(ExprKind::Call { definition: id, args: args.into() }, ty, span)
    }

    /// The name of an action as a condition: it happens in this step.
    fn happens(&mut self, context: &mut Context, id: ActionId, args: Option<&'a [ast::Expr]>, span: Span) -> Expr {
        let action = self.model.actions[id.0].clone();
        let allowed = match context.events {
            Events::None => false,
            Events::Inputs => action.direction == Direction::Input,
            Events::All => action.direction != Direction::Internal,
        };
        if !allowed {
            let message = format!("`{}` is an action: events are not known here", action.name);
            return self.not_here(span, &message);
        }
        let args = match args {
            None => vec![None; action.params.len()],
            Some(args) => match self.event_arguments(context, id, args, span) {
                Some(args) => args,
                None => return Expr::error(span),
            },
        };
        Expr::new(ExprKind::Happens { action: id, args: args.into() }, Type::Bool, span)
    }

    /// Arguments of an event; `_` is absent.
    pub(super) fn event_arguments(
        &mut self,
        context: &mut Context,
        id: ActionId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let action = self.model.actions[id.0].clone();
        if !self.count_arguments(&action.name, action.params.len(), args.len(), span) {
            self.for_the_index(|lower| args.iter().for_each(|arg| drop(lower.infer(context, arg, None))));
            return None;
        }
        let check = |(arg, param): (&'a ast::Expr, &interplay_model::Param)| match arg.kind {
            Tree::Wildcard => None,
            _ => Some(self.check_expr(
                context,
                arg,
                &param.ty,
                Some((param.span, format!("`{}` is declared", param.name))),
            )),
        };
        Some(args.iter().zip(&action.params).map(check).collect())
    }

    pub(super) fn record(
        &mut self,
        context: &mut Context,
        name: &'a Name,
        fields: &'a [(Name, ast::Expr)],
        span: Span,
    ) -> Expr {
        self.offer_types(name.span, &[], |symbol| matches!(symbol, TypeSymbol::Record(_)));
        let Some((TypeSymbol::Record(id), _)) = self.symbols.types.get(name.text.as_str()).copied() else {
            let records = self.model.types.records.iter().map(|record| record.name.as_str());
            let help = did_you_mean(&name.text, records);
            self.report(
                Diagnostic::new(Code::N004, name.span, format!("unknown record `{}`", name.text)).maybe_help(help),
            );
            return Expr::error(span);
        };
        self.used.insert(Use::Type(TypeSymbol::Record(id)));
        self.mention_type(name.span, TypeSymbol::Record(id));
        let declared = self.model.types.records[id.0].clone();
        let mut values: Vec<Option<Expr>> = vec![None; declared.fields.len()];
        for (field, value) in fields {
            self.offer_fields(field.span, id);
            match declared.fields.iter().position(|(known, _)| *known == field.text) {
                Some(index) => {
                    self.mention_field(field.span, id, index);
                    let because = Some((declared.span, format!("`{}` has the field `{}`", name.text, field.text)));
                    values[index] = Some(self.check_expr(context, value, &declared.fields[index].1, because));
                }
                None => self.unknown_field(&name.text, field, declared.fields.iter().map(|(name, _)| name.as_str())),
            }
        }
        let missing: Vec<_> = declared
            .fields
            .iter()
            .zip(&values)
            .filter(|(_, value)| value.is_none())
            .map(|((name, _), _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            self.report(Diagnostic::new(Code::T003, span, format!("`{}` lacks {}", name.text, missing.join(", "))));
            return Expr::error(span);
        }
        Expr::new(
            ExprKind::Record { record: id, fields: values.into_iter().flatten().collect() },
            Type::Record(id),
            span,
        )
    }

    pub(super) fn unknown_field<'b>(&mut self, of: &str, field: &Name, known: impl Iterator<Item = &'b str>) {
        let known: Vec<&str> = known.collect();
        let help = did_you_mean(&field.text, known.iter().copied()).or_else(|| {
            (!known.is_empty()).then(|| {
                format!("it has {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
            })
        });
        self.report(Diagnostic::new(Code::N007, field.span, format!("{of} has no `{}`", field.text)).maybe_help(help));
    }

    pub(super) fn field(
        &mut self,
        context: &mut Context,
        of: &'a ast::Expr,
        field: &'a Name,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        if let Tree::Name(name) = &of.kind
            && context.frame.find(name).is_none()
        {
            match self.symbols.value(name) {
                Some(Symbol::Action(id)) => return self.event_field(context, id, field, of.span, span),
                None if self.symbols.types.contains_key(name.as_str()) => {
                    return self.type_field(context, (name, of.span), field, &[], span);
                }
                _ => {}
            }
        }
        let of = self.infer(context, of, None);
        self.value_field(of, field, span, expected)
    }

    /// `Mode.idle`, `Shape.circle(1)`, `Client.count`, `Client.all`
    fn type_field(
        &mut self,
        context: &mut Context,
        (name, at): (&'a str, Span),
        field: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let (symbol, _) = self.symbols.types[name];
        self.used.insert(Use::Type(symbol));
        self.mention_type(at, symbol);
        self.offer_of_type(field.span, symbol);
        match symbol {
            TypeSymbol::Enum(id) => {
                let variants: Vec<String> =
                    self.model.types.enums[id.0].variants.iter().map(|variant| variant.name.clone()).collect();
                match variants.iter().position(|known| *known == field.text) {
                    Some(variant) => {
                        self.mention_variant(field.span, id, variant);
                        self.variant(context, id, variant, args, span)
                    }
                    None => {
                        self.unknown_field(&format!("the enum `{name}`"), field, variants.iter().map(String::as_str));
                        Expr::error(span)
                    }
                }
            }
            TypeSymbol::Object(id) if field.text == "count" && args.is_empty() => {
                self.mention_built_in(field.span);
                self.require_state(context, name, span);
                Expr::new(ExprKind::ObjectCount(id), Type::Int, span)
            }
            TypeSymbol::Object(id) if field.text == "all" && args.is_empty() => {
                self.mention_built_in(field.span);
                self.require_state(context, name, span);
                Expr::new(ExprKind::ObjectAll(id), Type::Set(Type::Object(id).into()), span)
            }
            TypeSymbol::Object(_) => {
                self.unknown_field(&format!("the object type `{name}`"), field, ["count", "all"].into_iter());
                Expr::error(span)
            }
            TypeSymbol::Alias(_) | TypeSymbol::Record(_) => {
                self.report(Diagnostic::new(
                    Code::N008,
                    span,
                    format!("`{name}` is a type and has no `{}`", field.text),
                ));
                Expr::error(span)
            }
        }
    }

    /// `amt.dollars`: what a `collect` node received, or the parameter of a signal.
    fn event_field(&mut self, context: &mut Context, id: ActionId, field: &'a Name, at: Span, span: Span) -> Expr {
        self.used.insert(Use::Value(Symbol::Action(id)));
        self.mention_symbol(at, Symbol::Action(id), Role::Reads);
        self.offer_parameters(field.span, id);
        let action = self.model.actions[id.0].clone();
        let Some(param) = action.params.iter().position(|param| param.name == field.text) else {
            self.unknown_field(
                &format!("the action `{}`", action.name),
                field,
                action.params.iter().map(|param| param.name.as_str()),
            );
            return Expr::error(span);
        };
        let ty = action.params[param].ty.clone();
        self.mention(field.span, action.params[param].span, Role::Reads);
        if let Some(node) = context.node {
            return self.received(node, id, param, ty, at, span);
        }
        let signals = context.events != Events::None && action.signal;
        if !signals {
            let message = format!(
                "`{}.{}` is allowed only in a `collect` that waits for `{}`",
                action.name, field.text, action.name
            );
            return self.not_here(span, &message);
        }
        Expr::new(ExprKind::SignalValue { action: id, param }, ty, span)
    }

    pub(super) fn method(
        &mut self,
        context: &mut Context,
        of: &'a ast::Expr,
        method: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        if let Tree::Name(name) = &of.kind
            && context.frame.find(name).is_none()
            && self.symbols.value(name).is_none()
            && self.symbols.types.contains_key(name.as_str())
        {
            return self.type_field(context, (name, of.span), method, args, span);
        }
        let of = self.infer(context, of, None);
        self.value_method(context, of, method, args, span, expected)
    }

    pub(super) fn index(&mut self, context: &mut Context, of: &'a ast::Expr, index: &'a ast::Expr, span: Span) -> Expr {
        let of = self.infer(context, of, None);
        let (wanted, ty) = match self.base(&of.ty) {
            Type::Seq(inner) => (Type::Int, inner.take()),
            Type::Map(key, value) => (key.take(), value.take()),
            Type::Unknown => (Type::Unknown, Type::Unknown),
            _ => {
                let found = self.show_type(&of.ty);
                self.report(
                    Diagnostic::new(Code::T004, span, format!("`[...]` needs a sequence or a map, found {found}"))
                        .note(of.span, format!("this is {found}")),
                );
                return Expr::error(span);
            }
        };
        let index = self.check_expr(context, index, &wanted, Some((of.span, "the keys are".to_string())));
        Expr::new(ExprKind::Index { of: of.into(), index: index.into() }, ty, span)
    }

    pub(super) fn new_object(&mut self, context: &mut Context, name: &'a Name, span: Span) -> Expr {
        self.offer_types(name.span, &[], |symbol| matches!(symbol, TypeSymbol::Object(_)));
        let Some((TypeSymbol::Object(id), _)) = self.symbols.types.get(name.text.as_str()).copied() else {
            let objects = self.model.types.objects.iter().map(|object| object.name.as_str());
            let help =
                did_you_mean(&name.text, objects).or_else(|| Some(format!("declare it: `object {}`", name.text)));
            self.report(
                Diagnostic::new(Code::N004, name.span, format!("unknown object type `{}`", name.text)).maybe_help(help),
            );
            return Expr::error(span);
        };
        self.used.insert(Use::Type(TypeSymbol::Object(id)));
        self.mention_type(name.span, TypeSymbol::Object(id));
        if !context.new {
            return self.not_here(span, "`new` is allowed only in statements: `let c = new Client`");
        }
        Expr::new(ExprKind::New(id), Type::Object(id), span)
    }

    /// `at Place, Door.Open`
    pub(super) fn at(&mut self, context: &Context, places: &'a [(Option<Name>, Name)], span: Span) -> Expr {
        let mut found: Option<(interplay_model::ComponentId, Vec<interplay_model::LocationId>)> = None;
        for (component, place) in places {
            let component = match component {
                None => {
                    self.offer_components(place.span);
                    context.component
                }
                Some(name) => match self.symbols.components.get(name.text.as_str()).copied() {
                    Some(id) => {
                        self.mention(name.span, self.model.components[id.0].span, Role::Reads);
                        id
                    }
                    None => {
                        let help = did_you_mean(&name.text, self.symbols.components.keys().copied());
                        self.report(
                            Diagnostic::new(Code::N001, name.span, format!("unknown component `{}`", name.text))
                                .maybe_help(help),
                        );
                        return Expr::error(span);
                    }
                },
            };
            let Some(location) = self.find_location(component, place) else { return Expr::error(span) };
            match &mut found {
                Some((known, locations)) if *known == component => locations.push(location),
                Some(_) => {
                    return self.not_here(
                        span,
                        "all locations of one `at` must belong to one component: write `at A or at B`",
                    );
                }
                None => found = Some((component, vec![location])),
            }
        }
        let Some((component, locations)) = found else { return Expr::error(span) };
        if !context.state {
            return self.not_here(span, "`at` is not allowed here: the location is not known");
        }
        Expr::new(ExprKind::At { component, locations: locations.into() }, Type::Bool, span)
    }

    pub(super) fn find_location(
        &mut self,
        component: interplay_model::ComponentId,
        name: &'a Name,
    ) -> Option<interplay_model::LocationId> {
        if name.text.is_empty() {
            return None;
        }
        self.offer_locations(name.span, component);
        if let Some(id) = self.symbols.locations.get(&(component, name.text.as_str())).copied() {
            match &self.model.locations[id.0] {
                location if location.end => self.mention_built_in(name.span),
                location => self.mention(name.span, location.span, Role::Reads),
            }
            return Some(id);
        }
        if name.text == "end" {
            self.mention_built_in(name.span);
            return Some(self.end_location(component, name));
        }
        let here = self.symbols.locations.keys().filter(|(owner, _)| *owner == component).map(|(_, name)| *name);
        let help =
            did_you_mean(&name.text, here).unwrap_or_else(|| format!("declare it: `at {} {{ ... }}`", name.text));
        self.report(Diagnostic::new(Code::N006, name.span, format!("unknown location `{}`", name.text)).help(help));
        None
    }

    fn end_location(&mut self, component: interplay_model::ComponentId, name: &'a Name) -> interplay_model::LocationId {
        let location = interplay_model::Location {
            name: "end".into(),
            component,
            end: true,
            kind: interplay_model::LocationKind::Plain,
            doc: String::new(),
            span: name.span,
        };
        self.new_location(location, "end")
    }
}
