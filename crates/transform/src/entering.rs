//! The declarations of a specification that enters another one: where each of them is there, and that those of the same name
//! say the same.

use super::machine::{Step, reads_state};
use super::{Refused, alike};
use interplay_model::{
    ActionId, AliasId, Binder, Closed, ComponentId, ConstantId, DefinitionId, Direction, EnumId, Expr, ExprKind, Local,
    Model, ObjectId, Owner, Range, RangeId, RecordId, Source, Type, VariableId,
};

/// A model that enters another: where its declarations are there.
pub(super) struct Entering<'e> {
    pub(super) into: Model,
    pub(super) from: &'e Model,
    pub(super) aliases: Vec<AliasId>,
    pub(super) enums: Vec<EnumId>,
    pub(super) records: Vec<RecordId>,
    pub(super) objects: Vec<ObjectId>,
    ranges: Vec<RangeId>,
    pub(super) constants: Vec<ConstantId>,
    variables: Vec<VariableId>,
    definitions: Vec<DefinitionId>,
    pub(super) actions: Vec<ActionId>,
}

impl<'e> Entering<'e> {
    pub(super) fn new(into: Model, from: &'e Model) -> Entering<'e> {
        // What is there already is found by name; new ones come behind it.
        fn places<'n>(own: impl Iterator<Item = &'n String>, other: impl Iterator<Item = &'n String>) -> Vec<usize> {
            let own: Vec<&String> = own.collect();
            let mut next = own.len();
            let place = |name: &String| {
                let found = own.iter().position(|known| *known == name);
                found.unwrap_or_else(|| {
                    next += 1;
                    next - 1
                })
            };
            other.map(place).collect()
        }
        macro_rules! numbered {
            ($id:ident, $own:expr, $other:expr) => {
                places($own.iter().map(|each| &each.name), $other.iter().map(|each| &each.name))
                    .into_iter()
                    .map($id)
                    .collect()
            };
        }
        let types = (&into.types, &from.types);
        let aliases = numbered!(AliasId, types.0.aliases, types.1.aliases);
        let enums = numbered!(EnumId, types.0.enums, types.1.enums);
        let records = numbered!(RecordId, types.0.records, types.1.records);
        let objects = numbered!(ObjectId, types.0.objects, types.1.objects);
        let constants = numbered!(ConstantId, into.constants, from.constants);
        let mut next = into.definitions.len();
        let known = |each: &interplay_model::Definition| {
            let found = into.definitions.iter().position(|own| own.name == each.name);
            // What reads the state belongs to its own specification.
            found.filter(|_| !reads_state(from, each))
        };
        let definitions = from
            .definitions
            .iter()
            .map(|each| {
                DefinitionId(known(each).unwrap_or_else(|| {
                    next += 1;
                    next - 1
                }))
            })
            .collect();
        let mut next = into.actions.len();
        let visible = |own: &&interplay_model::Action| own.direction != Direction::Internal;
        let actions = from
            .actions
            .iter()
            .map(|each| {
                let found = into.actions.iter().position(|own| own.name == each.name);
                let found = found.filter(|_| visible(&each)).filter(|index| visible(&&into.actions[*index]));
                ActionId(found.unwrap_or_else(|| {
                    next += 1;
                    next - 1
                }))
            })
            .collect();
        let after = |own: usize, other: usize| own..own + other;
        let ranges = after(types.0.ranges.len(), types.1.ranges.len()).map(RangeId).collect();
        let variables = after(into.variables.len(), from.variables.len()).map(VariableId).collect();
        Entering { aliases, enums, records, objects, ranges, constants, variables, definitions, actions, into, from }
    }

    /// Adds what is not there, and compares what is.
    pub(super) fn declarations(&mut self) -> Result<(), Refused> {
        alike::kinds(&self.into, self.from)?;
        self.types()?;
        self.values()?;
        self.actions()
    }

    fn types(&mut self) -> Result<(), Refused> {
        let from = self.from;
        for range in &from.types.ranges {
            let range = Range { low: self.expr(&range.low), high: self.expr(&range.high), span: range.span };
            self.into.types.ranges.push(range);
        }
        for (each, AliasId(at)) in from.types.aliases.iter().zip(self.aliases.clone()) {
            let new = interplay_model::Alias { ty: self.ty(&each.ty), ..each.clone() };
            match self.into.types.aliases.get(at) {
                Some(own) => self.same("type", &each.name, own, each, alike::alias)?,
                None => self.into.types.aliases.push(new),
            }
        }
        for (each, EnumId(at)) in from.types.enums.iter().zip(self.enums.clone()) {
            let mut new = each.clone();
            for variant in &mut new.variants {
                variant.payload = variant.payload.iter().map(|ty| self.ty(ty)).collect();
            }
            match self.into.types.enums.get(at) {
                Some(own) => self.same("enum", &each.name, own, each, alike::enumeration)?,
                None => self.into.types.enums.push(new),
            }
        }
        for (each, RecordId(at)) in from.types.records.iter().zip(self.records.clone()) {
            let fields = each.fields.iter().map(|(name, ty)| (name.clone(), self.ty(ty))).collect();
            let new = interplay_model::Record { fields, ..each.clone() };
            match self.into.types.records.get(at) {
                Some(own) => self.same("record", &each.name, own, each, alike::record)?,
                None => self.into.types.records.push(new),
            }
        }
        for (each, ObjectId(at)) in from.types.objects.iter().zip(self.objects.clone()) {
            if self.into.types.objects.get(at).is_none() {
                self.into.types.objects.push(each.clone());
            }
        }
        Ok(())
    }

    fn values(&mut self) -> Result<(), Refused> {
        let from = self.from;
        for (each, ConstantId(at)) in from.constants.iter().zip(self.constants.clone()) {
            let (ty, value) = (self.ty(&each.ty), each.value.as_ref().map(|closed| self.closed(closed)));
            let new = interplay_model::Constant { ty, value, ..each.clone() };
            match self.into.constants.get(at) {
                Some(own) => self.same("const", &each.name, own, each, alike::constant)?,
                None => self.into.constants.push(new),
            }
        }
        // Variables first: definitions may read them.
        for each in &from.variables {
            let owner = Owner::Component(ComponentId(0));
            let (ty, value) = (self.ty(&each.ty), each.value.as_ref().map(|closed| self.closed(closed)));
            let mut new = interplay_model::Variable { ty, value, owner, ..each.clone() };
            let named = |own: &&interplay_model::Variable| own.name == each.name && alike::of_the_system(own);
            if let Some(own) = self.into.variables.iter().find(named).filter(|_| alike::of_the_system(each)) {
                self.same("var", &each.name, own, each, alike::variable)?;
            }
            while self.into.variables.iter().any(|own| own.name == new.name) {
                new.name += "_2";
            }
            self.into.variables.push(new);
        }
        for (each, DefinitionId(at)) in from.definitions.iter().zip(self.definitions.clone()) {
            let (body, locals) = (self.expr(&each.body), self.locals(&each.locals));
            let mut new = interplay_model::Definition { body, locals, ..each.clone() };
            match self.into.definitions.get(at) {
                Some(own) => self.same("def", &each.name, own, each, alike::definition)?,
                None => {
                    while self.into.definitions.iter().any(|own| own.name == new.name) {
                        new.name += "_2";
                    }
                    self.into.definitions.push(new);
                }
            }
        }
        for condition in &from.initial {
            let condition = self.closed(condition);
            let known = |own: &Closed| own.expr.clone().without_places() == condition.expr.clone().without_places();
            if !self.into.initial.iter().any(known) {
                self.into.initial.push(condition);
            }
        }
        Ok(())
    }

    fn actions(&mut self) -> Result<(), Refused> {
        let from = self.from;
        for (each, ActionId(at)) in from.actions.iter().zip(self.actions.clone()) {
            let mut new = each.clone();
            for param in &mut new.params {
                param.ty = self.ty(&param.ty);
            }
            match self.into.actions.get(at) {
                Some(own) => {
                    self.same("action", &each.name, own, each, alike::action)?;
                    alike::order(&self.names(), own, &new)?;
                    alike::owed(&self.names(), own, &new)?;
                    if own.direction != new.direction {
                        let own = &mut self.into.actions[at];
                        (own.direction, own.optional) = (Direction::Output, own.optional || new.optional);
                    }
                }
                None => {
                    while self.into.actions.iter().any(|own| own.name == new.name) {
                        new.name += "_2";
                    }
                    self.into.actions.push(new);
                }
            }
        }
        Ok(())
    }

    /// Both declarations say the same, each told in the words of its own specification: what the other one speaks of may not have
    /// entered yet.
    fn same<T>(
        &self,
        kind: &str,
        name: &str,
        own: &T,
        other: &T,
        tell: fn(&Model, &T) -> String,
    ) -> Result<(), Refused> {
        let (one, two) = (tell(&self.into, own), tell(self.from, other));
        if one == two { Ok(()) } else { alike::different(&self.names(), kind, name, &one, &two) }
    }

    /// What the two specifications are called.
    pub(super) fn names(&self) -> (String, String) {
        (self.into.name.clone(), self.from.name.clone())
    }

    /// By action: both specifications see it.
    pub(super) fn shared(&self, left: &Model) -> Vec<bool> {
        let both = |index: usize| index < left.actions.len() && self.actions.contains(&ActionId(index));
        (0..self.into.actions.len()).map(both).collect()
    }

    pub(super) fn step(&self, step: &Step) -> Step {
        Step {
            action: self.actions[step.action.0],
            locals: self.locals(&step.locals),
            guard: self.expr(&step.guard),
            update: step.update.iter().map(|(id, value)| (self.variables[id.0], self.expr(value))).collect(),
            ..step.clone()
        }
    }

    pub(super) fn locals(&self, locals: &[Local]) -> Vec<Local> {
        locals.iter().map(|local| Local { ty: self.ty(&local.ty), ..local.clone() }).collect()
    }

    pub(super) fn closed(&self, closed: &Closed) -> Closed {
        Closed { expr: self.expr(&closed.expr), locals: self.locals(&closed.locals) }
    }

    fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Range(id) => Type::Range(self.ranges[id.0]),
            Type::Alias(id) => Type::Alias(self.aliases[id.0]),
            Type::Enum(id) => Type::Enum(self.enums[id.0]),
            Type::Record(id) => Type::Record(self.records[id.0]),
            Type::Object(id) => Type::Object(self.objects[id.0]),
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            Type::Option(inner) => Type::Option(self.ty(inner).into()),
            Type::Seq(inner) => Type::Seq(self.ty(inner).into()),
            Type::Set(inner) => Type::Set(self.ty(inner).into()),
            Type::Map(key, value) => Type::Map(self.ty(key).into(), self.ty(value).into()),
            Type::Bool | Type::Int | Type::String | Type::Unknown => ty.clone(),
        }
    }

    pub(super) fn expr(&self, expr: &Expr) -> Expr {
        let mut new = expr.clone();
        self.enter(&mut new);
        new
    }

    fn enter(&self, expr: &mut Expr) {
        expr.ty = self.ty(&expr.ty);
        let binders = |binders: &mut [Binder]| {
            for binder in binders {
                if let Source::Domain(ty) = &mut binder.source {
                    *ty = self.ty(ty);
                }
            }
        };
        match &mut expr.kind {
            ExprKind::Variable(id) => *id = self.variables[id.0],
            ExprKind::Constant(id) => *id = self.constants[id.0],
            ExprKind::Variant { enumeration, .. } => *enumeration = self.enums[enumeration.0],
            ExprKind::Record { record, .. } => *record = self.records[record.0],
            ExprKind::Call { definition, .. } => *definition = self.definitions[definition.0],
            ExprKind::At { component, locations } => {
                component.0 += self.into.components.len();
                locations.iter_mut().for_each(|location| location.0 += self.into.locations.len());
            }
            ExprKind::ObjectCount(id) | ExprKind::ObjectAll(id) => *id = self.objects[id.0],
            ExprKind::Quantified { binders: own, .. } => binders(own),
            ExprKind::Comprehension(of) => binders(&mut of.binders),
            _ => {}
        }
        expr.children_mut(&mut |child| self.enter(child));
    }
}
