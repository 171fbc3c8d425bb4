//! The parallel product of two specifications: what both can see happens in both at once, everything else in one of them.
//!
//! Types, constants and definitions of the same name must be the same; variables keep apart. What is an input of the one and an
//! output of the other is an output of both together.

use super::logic::all;
use super::machine::{Machine, Step, append, moved};
use super::words::Words;
use super::{Refused, refused};
use interplay_model::{
    ActionId, AliasId, Binder, Closed, ComponentId, ConstantId, DefinitionId, Direction, EnumId, Expr, ExprKind, Local,
    Model, ObjectId, Owner, Range, RangeId, RecordId, Source, Type, VariableId,
};
use std::collections::BTreeMap;

pub fn join(left: Machine, right: &Machine) -> Result<Machine, Refused> {
    let mut entering = Entering::new(left.model.clone(), &right.model);
    entering.declarations()?;
    let steps: Vec<Step> = right.steps.iter().map(|step| entering.step(step)).collect();
    let shared: Vec<bool> = entering.shared(&left.model);
    let mut joint = Machine { model: entering.into, places: Vec::new(), start: 0, steps: Vec::new() };
    let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut waiting = vec![(left.start, right.start)];
    number(&mut joint, &mut numbers, (left.start, right.start), &left, right);
    while let Some((one, two)) = waiting.pop() {
        let from = numbers[&(one, two)];
        let mut found: Vec<(Step, (usize, usize))> = Vec::new();
        for step in left.steps_from(one).filter(|step| !shared[step.action.0]) {
            found.push((step.clone(), (step.to, two)));
        }
        for step in steps.iter().filter(|step| step.from == two && !shared[step.action.0]) {
            found.push((step.clone(), (one, step.to)));
        }
        for first in left.steps_from(one).filter(|step| shared[step.action.0]) {
            for second in steps.iter().filter(|step| step.from == two && step.action == first.action) {
                let params = joint.params(first.action);
                let mut locals = first.locals.clone();
                let slots = append(&mut locals, &second.locals, params);
                let mut step = Step { locals, ..first.clone() };
                step.chosen.extend(second.chosen.iter().map(|id| slots[id.0]));
                step.guard = all([first.guard.clone(), moved(&second.guard, &slots)]);
                step.update.extend(second.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))));
                found.push((step, (first.to, second.to)));
            }
        }
        for (step, target) in found {
            let Some(step) = step.simplified(&joint.model) else { continue };
            if !numbers.contains_key(&target) {
                number(&mut joint, &mut numbers, target, &left, right);
                waiting.push(target);
            }
            joint.steps.push(Step { from, to: numbers[&target], ..step });
        }
    }
    Ok(joint.merged())
}

fn number(
    joint: &mut Machine,
    numbers: &mut BTreeMap<(usize, usize), usize>,
    (one, two): (usize, usize),
    left: &Machine,
    right: &Machine,
) {
    let (one_name, two_name) = (&left.places[one].name, &right.places[two].name);
    let place = joint.place(&format!("{one_name}_{two_name}"), Some(one_name.clone()));
    numbers.insert((one, two), place);
}

/// A model that enters another: where its declarations are there.
struct Entering<'e> {
    into: Model,
    from: &'e Model,
    aliases: Vec<AliasId>,
    enums: Vec<EnumId>,
    records: Vec<RecordId>,
    objects: Vec<ObjectId>,
    ranges: Vec<RangeId>,
    constants: Vec<ConstantId>,
    variables: Vec<VariableId>,
    definitions: Vec<DefinitionId>,
    actions: Vec<ActionId>,
}

impl<'e> Entering<'e> {
    fn new(into: Model, from: &'e Model) -> Entering<'e> {
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
        let definitions = numbered!(DefinitionId, into.definitions, from.definitions);
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
    fn declarations(&mut self) -> Result<(), Refused> {
        let from = self.from;
        for range in &from.types.ranges {
            let range = Range { low: self.expr(&range.low), high: self.expr(&range.high), span: range.span };
            self.into.types.ranges.push(range);
        }
        for (each, AliasId(at)) in from.types.aliases.iter().zip(self.aliases.clone()) {
            let alias = interplay_model::Alias { ty: self.ty(&each.ty), ..each.clone() };
            match self.into.types.aliases.get(at) {
                Some(own) => self.same(&each.name, &own.ty.clone(), &alias.ty, each.span)?,
                None => self.into.types.aliases.push(alias),
            }
        }
        for (each, EnumId(at)) in from.types.enums.iter().zip(self.enums.clone()) {
            let mut new = each.clone();
            for variant in &mut new.variants {
                variant.payload = variant.payload.iter().map(|ty| self.ty(ty)).collect();
            }
            match self.into.types.enums.get(at) {
                Some(own) => {
                    let shape = |of: &interplay_model::Enum| -> Vec<(String, usize)> {
                        of.variants.iter().map(|variant| (variant.name.clone(), variant.payload.len())).collect()
                    };
                    if shape(own) != shape(&new) {
                        return different(&each.name, each.span);
                    }
                }
                None => self.into.types.enums.push(new),
            }
        }
        for (each, RecordId(at)) in from.types.records.iter().zip(self.records.clone()) {
            let fields: Vec<(String, Type)> =
                each.fields.iter().map(|(name, ty)| (name.clone(), self.ty(ty))).collect();
            match self.into.types.records.get(at) {
                Some(own) if own.fields.len() != fields.len() => return different(&each.name, each.span),
                Some(_) => {}
                None => self.into.types.records.push(interplay_model::Record { fields, ..each.clone() }),
            }
        }
        for (each, ObjectId(at)) in from.types.objects.iter().zip(self.objects.clone()) {
            if self.into.types.objects.get(at).is_none() {
                self.into.types.objects.push(each.clone());
            }
        }
        for (each, ConstantId(at)) in from.constants.iter().zip(self.constants.clone()) {
            let (ty, value) = (self.ty(&each.ty), each.value.as_ref().map(|closed| self.closed(closed)));
            match self.into.constants.get(at) {
                Some(own) => self.same(&each.name, &own.ty.clone(), &ty, each.span)?,
                None => self.into.constants.push(interplay_model::Constant { ty, value, ..each.clone() }),
            }
        }
        for (each, DefinitionId(at)) in from.definitions.iter().zip(self.definitions.clone()) {
            let new = interplay_model::Definition {
                body: self.expr(&each.body),
                locals: self.locals(&each.locals),
                ..each.clone()
            };
            match self.into.definitions.get(at) {
                Some(own) if own.body.clone().without_places() != new.body.clone().without_places() => {
                    return different(&each.name, each.span);
                }
                Some(_) => {}
                None => self.into.definitions.push(new),
            }
        }
        for each in &from.variables {
            let mut name = each.name.clone();
            while self.into.variables.iter().any(|own| own.name == name) {
                name += "_2";
            }
            let owner = Owner::Component(ComponentId(0));
            let (ty, value) = (self.ty(&each.ty), each.value.as_ref().map(|closed| self.closed(closed)));
            self.into.variables.push(interplay_model::Variable { name, ty, value, owner, ..each.clone() });
        }
        for condition in &from.initial {
            let condition = self.closed(condition);
            let known = |own: &Closed| own.expr.clone().without_places() == condition.expr.clone().without_places();
            if !self.into.initial.iter().any(known) {
                self.into.initial.push(condition);
            }
        }
        for (each, ActionId(at)) in from.actions.iter().zip(self.actions.clone()) {
            let mut new = each.clone();
            for param in &mut new.params {
                param.ty = self.ty(&param.ty);
            }
            match self.into.actions.get(at).cloned() {
                Some(own) => {
                    if own.params.len() != new.params.len() {
                        return different(&each.name, each.span);
                    }
                    for (one, other) in own.params.iter().zip(&new.params) {
                        self.same(&each.name, &one.ty, &other.ty, each.span)?;
                    }
                    if own.direction != new.direction {
                        self.into.actions[at].direction = Direction::Output;
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

    fn same(&self, name: &str, one: &Type, other: &Type, span: interplay_diagnostics::Span) -> Result<(), Refused> {
        let words = Words { model: &self.into, locals: &[], variables: &[] };
        if words.ty(one) == words.ty(other) { Ok(()) } else { different(name, span) }
    }

    /// By action: both specifications see it.
    fn shared(&self, left: &Model) -> Vec<bool> {
        let both = |index: usize| index < left.actions.len() && self.actions.contains(&ActionId(index));
        (0..self.into.actions.len()).map(both).collect()
    }

    fn step(&self, step: &Step) -> Step {
        Step {
            action: self.actions[step.action.0],
            locals: self.locals(&step.locals),
            guard: self.expr(&step.guard),
            update: step.update.iter().map(|(id, value)| (self.variables[id.0], self.expr(value))).collect(),
            ..step.clone()
        }
    }

    fn locals(&self, locals: &[Local]) -> Vec<Local> {
        locals.iter().map(|local| Local { ty: self.ty(&local.ty), ..local.clone() }).collect()
    }

    fn closed(&self, closed: &Closed) -> Closed {
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
            Type::Option(inner) => Type::Option(Box::new(self.ty(inner))),
            Type::Seq(inner) => Type::Seq(Box::new(self.ty(inner))),
            Type::Set(inner) => Type::Set(Box::new(self.ty(inner))),
            Type::Map(key, value) => Type::Map(Box::new(self.ty(key)), Box::new(self.ty(value))),
            Type::Bool | Type::Int | Type::String | Type::Unknown => ty.clone(),
        }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let mut new = expr.clone();
        self.enter(&mut new);
        new
    }

    fn enter(&self, expr: &mut Expr) {
        expr.ty = self.ty(&expr.ty);
        let binders = |binders: &mut Vec<Binder>| {
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
            ExprKind::ObjectCount(id) | ExprKind::ObjectAll(id) => *id = self.objects[id.0],
            ExprKind::Quantified { binders: own, .. } => binders(own),
            ExprKind::Comprehension(of) => binders(&mut of.binders),
            _ => {}
        }
        expr.children_mut(&mut |child| self.enter(child));
    }
}

fn different<T>(name: &str, span: interplay_diagnostics::Span) -> Result<T, Refused> {
    refused(span, format!("`{name}` is declared differently in the two specifications"))
}
