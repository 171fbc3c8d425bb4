//! A machine as a specification: the text that `interplay check` accepts. Whoever prints it lays it out.

mod setups;

pub use setups::LeftOut;
pub(crate) use setups::needs_its_guard;

use super::hazards::{may_be_unset, may_fail};
use super::logic::{all, conjuncts, equal_to, small};
use super::machine::{Machine, Step, reads_state, slots_of, tidy};
use super::update::{Update, replace};
use super::words::Words;
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Closed, Direction, Expr, ExprKind, Local, LocalId, Model, Owner, Shared, Type, VariableId,
};
use interplay_semantics::show_name;
use std::collections::{BTreeMap, BTreeSet};

/// The text of a specification; `about` says in a sentence what it is.
pub fn write(machine: &Machine, about: &str) -> Result<String, Refused> {
    let writer = Writer::new(machine);
    writer.has_no_bare_events()?;
    let mut text = String::new();
    for line in about.lines() {
        text += &format!("//! {line}\n");
    }
    text += &format!("system {}\n\n", show_name(&machine.model.name));
    text += &writer.declarations();
    text += &format!("\nstart {}\n", show_name(&machine.places[machine.start].name));
    for (index, place) in machine.places.iter().enumerate().filter(|(index, _)| !machine.is_end(*index)) {
        let rules: Vec<String> = machine.steps_from(index).map(|step| writer.rule(step)).collect::<Result<_, _>>()?;
        let rules = if rules.is_empty() { String::new() } else { format!("\n{}\n", rules.join("\n")) };
        text += &format!("\nat {} {{{rules}}}\n", show_name(&place.name));
    }
    text += &writer.judged();
    Ok(text)
}

/// What the text of the specification does not say, though the specification that it is made of does; one sentence each.
pub fn left_out(machine: &Machine) -> Vec<LeftOut> {
    Writer::new(machine).left_out()
}

/// One step for a picture: the event with its condition, and what it changes.
pub fn show_step(machine: &Machine, step: &Step) -> String {
    let writer = Writer::new(machine);
    let Ok(rule) = writer.rule(step) else { return show_name(&machine.model.actions[step.action.0].name) };
    let rule = rule.strip_prefix("on ").unwrap_or(&rule);
    let rule = rule.rsplit_once(" -> ").map_or(rule, |(rule, _)| rule);
    rule.to_string()
}

struct Writer<'w> {
    machine: &'w Machine,
    /// By variable; those of observers may have to step aside.
    variables: Vec<String>,
    /// What a local must not be called.
    taken: BTreeSet<String>,
}

impl Writer<'_> {
    fn new(machine: &Machine) -> Writer<'_> {
        let model = &machine.model;
        let mut taken: BTreeSet<String> = model.constants.iter().map(|each| each.name.clone()).collect();
        taken.extend(model.definitions.iter().map(|each| each.name.clone()));
        taken.extend(model.actions.iter().map(|each| each.name.clone()));
        taken.extend(model.types.enums.iter().flat_map(|each| &each.variants).map(|each| each.name.clone()));
        let mut variables = Vec::new();
        for variable in &model.variables {
            let owner = match variable.owner {
                Owner::Observer(id) => Some(&model.observers[id.0].name),
                _ => None,
            };
            let mut name = variable.name.clone();
            if let Some(owner) = owner.filter(|_| taken.contains(&name)) {
                name = format!("{owner}_{name}");
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            variables.push(name);
        }
        Writer { machine, variables, taken }
    }

    fn model(&self) -> &Model {
        &self.machine.model
    }

    /// What a `collect` node received is written as a variable, and the type of an event without parameters has no words.
    fn has_no_bare_events(&self) -> Result<(), Refused> {
        let used = self.used_variables();
        let bare = Type::Option(Type::Tuple([].into()).into());
        let mut variables = self.model().variables.iter().enumerate();
        match variables.find(|(index, variable)| used.contains(index) && variable.ty == bare) {
            Some((_, variable)) => refused(
                variable.span,
                "not supported: a `collect` node that takes an event without parameters cannot be written as rules",
            ),
            None => Ok(()),
        }
    }

    fn declarations(&self) -> String {
        let model = self.model();
        let words = Words { model, locals: &[], variables: &self.variables, places: &self.machine.places };
        let mut text = String::new();
        let params = |types: &[(String, Type)]| -> String {
            let each = types.iter().map(|(name, ty)| format!("{}: {}", show_name(name), words.ty(ty)));
            each.collect::<Vec<_>>().join(", ")
        };
        for object in &model.types.objects {
            text += &format!("object {}\n", show_name(&object.name));
        }
        for alias in &model.types.aliases {
            text += &format!("type {} = {}\n", show_name(&alias.name), words.ty(&alias.ty));
        }
        for each in &model.types.enums {
            let variant = |variant: &interplay_model::Variant| {
                let payload: Vec<String> = variant.payload.iter().map(|ty| words.ty(ty)).collect();
                let payload = if payload.is_empty() { String::new() } else { format!("({})", payload.join(", ")) };
                show_name(&variant.name) + &payload
            };
            let variants: Vec<String> = each.variants.iter().map(variant).collect();
            text += &format!("enum {} {{ {} }}\n", show_name(&each.name), variants.join(", "));
        }
        for record in &model.types.records {
            text += &format!("record {} {{ {} }}\n", show_name(&record.name), params(&record.fields));
        }
        for constant in &model.constants {
            let value = constant.value.as_ref().map_or(String::new(), |value| format!(" = {}", self.closed(value)));
            text += &format!("const {}: {}{value}\n", show_name(&constant.name), words.ty(&constant.ty));
        }
        for condition in &model.initial {
            text += &format!("init {}\n", self.closed(condition));
        }
        text.push('\n');
        let used = self.used_variables();
        for (index, variable) in model.variables.iter().enumerate().filter(|(index, _)| used.contains(index)) {
            let value = variable.value.as_ref().map_or(String::new(), |value| format!(" = {}", self.closed(value)));
            text += &format!("var {}: {}{value}\n", show_name(&self.variables[index]), words.ty(&variable.ty));
        }
        for definition in model.definitions.iter().filter(|definition| !definition.events && !definition.temporal) {
            text += &self.definition(definition);
        }
        text.push('\n');
        for action in &model.actions {
            let word = match action.direction {
                Direction::Input => "input",
                Direction::Output if action.optional => "may output",
                Direction::Output => "output",
                Direction::Internal => "internal",
            };
            let types: Vec<(String, Type)> =
                action.params.iter().map(|param| (param.name.clone(), param.ty.clone())).collect();
            let own = if types.is_empty() { String::new() } else { format!("({})", params(&types)) };
            let used = self.machine.steps.iter().any(|step| self.model().actions[step.action.0].name == action.name);
            if action.direction != Direction::Internal || used {
                text += &format!("{word} {}{own}\n", show_name(&action.name));
            }
        }
        text
    }

    /// A definition that reads no state; the others are written out where they are used.
    fn definition(&self, definition: &interplay_model::Definition) -> String {
        if reads_state(self.model(), definition) {
            return String::new();
        }
        let names = self.names(&definition.locals);
        let words =
            Words { model: self.model(), locals: &names, variables: &self.variables, places: &self.machine.places };
        let param = |(local, name): (&Local, &String)| format!("{}: {}", show_name(name), words.ty(&local.ty));
        let params: Vec<String> = definition.locals.iter().zip(&names).take(definition.params).map(param).collect();
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let ty = words.ty(&definition.body.ty);
        format!("def {}{params}: {ty} = {}\n", show_name(&definition.name), words.expr(&definition.body))
    }

    fn used_variables(&self) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        let mut see = |expr: &Expr| {
            expr.walk(&mut |part| {
                if let ExprKind::Variable(VariableId(index)) = part.kind {
                    used.insert(index);
                }
            });
        };
        for step in &self.machine.steps {
            see(&step.guard);
            step.update.values().for_each(&mut see);
        }
        let model = self.model();
        model.initial.iter().chain(&model.accepting).for_each(|closed| see(&closed.expr));
        for setup in &model.setups {
            setup.keep.iter().for_each(|closed| see(&closed.expr));
            setup.limits.iter().for_each(|limit| see(&limit.condition));
            setup.domains.iter().for_each(|domain| see(&domain.values.expr));
            setup.weights.iter().for_each(|weight| see(&weight.weight.expr));
            let groups = setup.groups.iter().flat_map(|group| [Some(&group.by), group.when.as_ref()]);
            groups.chain(setup.waits.iter().map(|wait| wait.when.as_ref())).flatten().for_each(|of| see(&of.expr));
        }
        used.extend(self.machine.steps.iter().flat_map(|step| step.update.keys()).map(|id| id.0));
        loop {
            let before = used.len();
            for index in used.clone() {
                if let Some(closed) = &self.model().variables[index].value {
                    closed.expr.walk(&mut |part| {
                        if let ExprKind::Variable(VariableId(index)) = part.kind {
                            used.insert(index);
                        }
                    });
                }
            }
            if used.len() == before {
                return used;
            }
        }
    }

    fn closed(&self, closed: &Closed) -> String {
        let names = self.names(&closed.locals);
        Words { model: self.model(), locals: &names, variables: &self.variables, places: &self.machine.places }
            .expr(&closed.expr)
    }

    /// Names for the slots of a frame, no two equal and none that means something else.
    fn names(&self, locals: &[Local]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for local in locals {
            let base = if local.name.is_empty() || local.name == "_" { "value" } else { &local.name };
            let free = |name: &String| !self.taken.contains(name) && !names.contains(name);
            let mut all = std::iter::once(base.to_string()).chain((2..).map(|number| format!("{base}_{number}")));
            let name = all.find(free).expect("numbers have no end");
            names.push(name);
        }
        names
    }

    fn rule(&self, step: &Step) -> Result<String, Refused> {
        let mut locals = step.locals.clone();
        let Some(mut statements) = ordered(self.model(), &step.update, &mut locals) else {
            return refused(step.span, "not supported: an exchange of variables that may be unset");
        };
        let names = self.names(&locals);
        let words =
            Words { model: self.model(), locals: &names, variables: &self.variables, places: &self.machine.places };
        let mut guard = conjuncts(step.guard.clone());
        let params = self.machine.params(step.action);
        // Only where something is chosen the order matters.
        let given = if step.chosen.is_empty() {
            BTreeMap::new()
        } else {
            given(self.model(), &mut guard, &step.update, params)
        };
        let chosen = self.chosen(step, &mut guard, &words)?;
        let mentioned = |local: usize| {
            let mut found = false;
            let mut see = |part: &Expr| found |= part.kind == ExprKind::Local(LocalId(local));
            step.guard.walk(&mut see);
            step.update.values().for_each(|value| value.walk(&mut see));
            found
        };
        let argument = |index: usize| match given.get(&index) {
            Some(value) if is_literal(value) => words.expr(value),
            Some(value) => format!("=({})", words.expr(value)),
            None if mentioned(index) => show_name(&names[index]),
            None => "_".into(),
        };
        let args: Vec<String> = (0..params).map(argument).collect();
        let args = if args.iter().all(|arg| arg == "_") { String::new() } else { format!("({})", args.join(", ")) };
        let mut text = format!("on {}{args}{chosen}", show_name(&self.model().actions[step.action.0].name));
        match &guard[..] {
            [] => {}
            [only] => text += &format!(" when {}", words.expr(only)),
            several => {
                let parts: Vec<String> = several.iter().map(|part| words.conjunct(part)).collect();
                text += &format!(" when {}", parts.join(" and "));
            }
        }
        if !statements.is_empty() {
            let said: Vec<String> = statements
                .drain(..)
                .map(|(place, value)| match place {
                    Written::Variable(id) => format!("{} = {}", show_name(&self.variables[id.0]), words.expr(&value)),
                    Written::Let(id) => format!("let {} = {}", show_name(&names[id.0]), words.expr(&value)),
                })
                .collect();
            text += &format!(" {{ {} }}", said.join("  "));
        }
        if step.to != step.from {
            let end = self.machine.is_end(step.to);
            text += &format!(" -> {}", if end { "end".into() } else { show_name(&self.machine.places[step.to].name) });
        }
        Ok(text)
    }

    /// `choose` of what the system chooses; the conjunct that says from where leaves the guard. It is read before the rest of
    /// the guard, so what stood in front of it goes with it where it protects it.
    fn chosen(&self, step: &Step, guard: &mut Vec<Expr>, words: &Words) -> Result<String, Refused> {
        let mut text = String::new();
        for (index, local) in step.chosen.iter().enumerate() {
            let from = guard.iter().position(|part| {
                matches!(&part.kind, ExprKind::Binary { operator: BinaryOperator::In, left, .. } if left.kind == ExprKind::Local(*local))
            });
            let slot = &step.locals[local.0];
            let from = match (from, small(self.model(), &slot.ty)) {
                (Some(at), _) => {
                    let ExprKind::Binary { right, .. } = guard.remove(at).kind else { continue };
                    self.known_first(step, &guard[..at], &right, *local)?;
                    self.protected(step, &guard[..at], right.take(), &step.chosen[index..], words)?
                }
                (_, Some(values)) => {
                    let values: Vec<String> = values.iter().map(|value| words.expr(value)).collect();
                    format!("{{{}}}", values.join(", "))
                }
                _ => return refused(step.span, format!("the values of the choice `{}` cannot be written", slot.name)),
            };
            text += &format!(" choose {} in {from}", show_name(&words.locals[local.0]));
        }
        Ok(text)
    }

    /// The values are read before the guard, where a parameter of the event is known only if its type is small.
    fn known_first(&self, step: &Step, before: &[Expr], values: &Expr, local: LocalId) -> Result<(), Refused> {
        let asked: BTreeSet<LocalId> = before.iter().flat_map(slots_of).collect();
        let read = match may_fail(self.model(), values) {
            true => asked.clone(),
            false => slots_of(values),
        };
        let mut params = read.intersection(&asked).filter(|slot| slot.0 < self.machine.params(step.action)).peekable();
        let name = |slot: &LocalId| step.locals[slot.0].name.as_str();
        let open = |slot: &LocalId| small(self.model(), &step.locals[slot.0].ty).is_none();
        if params.peek().is_none() || !open(&local) && !params.clone().any(open) {
            return Ok(());
        }
        let param = params.next().map_or("", name);
        refused(step.span, format!("`{}` is chosen by `{param}`, which would be known only after it", name(&local)))
    }

    /// The values, or none where what stood before them does not hold.
    fn protected(
        &self,
        step: &Step,
        before: &[Expr],
        values: Expr,
        later: &[LocalId],
        words: &Words,
    ) -> Result<String, Refused> {
        if before.is_empty() || !may_fail(self.model(), &values) {
            return Ok(words.expr(&values));
        }
        let unknown = |part: &Expr| slots_of(part).iter().any(|slot| later.contains(slot));
        if before.iter().any(unknown) {
            return refused(step.span, "a choice depends on another one that is made after it");
        }
        let nothing = match self.model().types.strip(&values.ty) {
            Type::Seq(_) => ExprKind::Seq([].into()),
            Type::Map(..) => ExprKind::Map([].into()),
            _ => ExprKind::Set([].into()),
        };
        let nothing = Expr::new(nothing, values.ty.clone(), Span::default());
        let parts = [all(before.to_vec()), values, nothing].map(Shared::new);
        let ty = parts[1].ty.clone();
        let [condition, then, otherwise] = parts;
        Ok(words.expr(&Expr::new(ExprKind::If { condition, then, otherwise }, ty, Span::default())))
    }
}

/// The first parts of a guard that say which value a parameter has leave it for the pattern, which is read before any choice. A
/// parameter that is mentioned elsewhere keeps its name.
fn given(model: &Model, guard: &mut Vec<Expr>, update: &Update, params: usize) -> BTreeMap<usize, Expr> {
    let mut given = BTreeMap::new();
    let value = |part: &Expr| {
        let named = (0..params).find_map(|index| Some((index, equal_to(part, LocalId(index))?)));
        named.filter(|(_, value)| slots_of(value).is_empty())
    };
    let mut certain = true;
    while let Some((index, value)) = guard.first().and_then(value) {
        // Patterns are read in the order of the parameters, which is nothing to values that cannot go wrong.
        certain &= !may_fail(model, &value);
        let in_order = given.last_key_value().is_none_or(|(last, _)| *last < index);
        if !certain && !in_order {
            break;
        }
        if guard[1..].iter().chain(update.values()).any(|part| slots_of(part).contains(&LocalId(index))) {
            break;
        }
        given.insert(index, value);
        guard.remove(0);
    }
    given
}

fn is_literal(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::String(_))
}

enum Written {
    Variable(VariableId),
    Let(LocalId),
}

/// The new values one after the other, so that none is overwritten while another still needs it.
/// `None` if the old value of one that may be unset would have to be kept.
fn ordered(model: &Model, update: &Update, locals: &mut Vec<Local>) -> Option<Vec<(Written, Expr)>> {
    let mut left: Vec<(VariableId, Expr)> =
        update.iter().map(|(variable, value)| (*variable, tidy(model, value))).collect();
    let mut statements = Vec::new();
    let reads = |value: &Expr, variable: VariableId| {
        let mut found = false;
        value.walk(&mut |part| found |= part.kind == ExprKind::Variable(variable));
        found
    };
    while !left.is_empty() {
        let free = (0..left.len())
            .find(|at| left.iter().enumerate().all(|(other, (_, value))| other == *at || !reads(value, left[*at].0)));
        if let Some(at) = free {
            let (variable, value) = left.remove(at);
            statements.push((Written::Variable(variable), value));
            continue;
        }
        // Each is needed by another: the old value of one is kept.
        let (variable, _) = left.iter().find(|(variable, _)| !may_be_unset(model, *variable))?.clone();
        let ty = model.variables[variable.0].ty.clone();
        let local = LocalId(locals.len());
        locals.push(Local { name: "before".into(), ty: ty.clone(), span: Span::default() });
        let old = Expr::new(ExprKind::Variable(variable), ty.clone(), Span::default());
        statements.insert(0, (Written::Let(local), old));
        let kept = Expr::new(ExprKind::Local(local), ty, Span::default());
        for (_, value) in &mut left {
            *value = replace(value, &|part| (part.kind == ExprKind::Variable(variable)).then(|| kept.clone()));
        }
    }
    Some(statements)
}
