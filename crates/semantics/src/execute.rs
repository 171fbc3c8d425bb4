//! What statements do: they write to the context's own copy of the state, and leave a record of the spots they wrote, the
//! outputs they emitted, and the value they returned.

use crate::bind::conjuncts;
use crate::context::Context;
use crate::membership::check_range;
use crate::spot::{Part, Spot};
use crate::used::Use;
use crate::{Event, ModelError, Result, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, Expr, LocalId, PathStep, Place, Statement, StatementKind, Type};
use std::collections::BTreeSet;

/// The record of one run of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Execution {
    pub(crate) written: BTreeSet<Spot>,
    /// A bag: what is emitted twice is heard twice.
    pub(crate) emitted: Vec<Event>,
    pub(crate) returned: Option<Value>,
    /// The slot that `result` reads, if the action returns something.
    pub(crate) result: Option<LocalId>,
}

impl Execution {
    /// One statement after the other, each seeing what the ones before it wrote.
    pub(crate) fn run(&mut self, context: &mut Context, block: &[Statement]) -> Result<()> {
        block.iter().try_for_each(|statement| self.statement(context, statement))
    }

    fn statement(&mut self, context: &mut Context, statement: &Statement) -> Result<()> {
        match &statement.kind {
            StatementKind::Assign { place, value } => self.assign(context, place, value, statement.span),
            StatementKind::Let { local, value } => {
                let value = context.evaluate(value)?;
                context.bind(*local, value);
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                let holds = context.holds(condition)?;
                context.note(Use::Branch { condition: condition.span, holds });
                self.run(context, if holds { then } else { otherwise })
            }
            StatementKind::Match { value, arms } => {
                let found = context.evaluate(value)?;
                let block = context.matching(&found, arms, value.span);
                self.run(context, block)
            }
            StatementKind::For { local, from, condition, body } => {
                let values = context.elements(from)?;
                let from = from.span;
                values
                    .into_iter()
                    .try_for_each(|value| self.turn(context, (*local, value, from), condition.as_ref(), body))
            }
            StatementKind::Emit { action, args } => self.emit(context, *action, args, statement.span),
            StatementKind::Return(value) => self.give_back(context, value),
            StatementKind::Assert(condition) => assert_holds(context, condition),
            StatementKind::Goto(location) => {
                let component = context.model().locations[location.0].component;
                context.now.to_mut().locations[component.0] = Some(*location);
                Ok(())
            }
        }
    }

    fn assign(&mut self, context: &mut Context, place: &Place, value: &Expr, span: Span) -> Result<()> {
        let path = place.path.iter().map(|step| match step {
            PathStep::Index(index) => context.evaluate(index).map(Part::Key),
            PathStep::Field(index) => Ok(Part::Field(*index)),
        });
        let spot = Spot { variable: place.variable, path: path.collect::<Result<_>>()? };
        let value = context.evaluate(value)?;
        let model = context.model();
        check_keys(context, &spot, span)?;
        check_range(context.instance, &place.ty, &value, &spot.show(model), span)?;
        spot.write(model, context.slot_mut(place.variable), value, span)?;
        self.written.insert(spot);
        Ok(())
    }

    /// One turn of a loop.
    fn turn(
        &mut self,
        context: &mut Context,
        (local, value, from): (LocalId, Value, Span),
        condition: Option<&Expr>,
        body: &[Statement],
    ) -> Result<()> {
        context.turn(body.first().map_or(Span::default(), |statement| statement.span))?;
        context.bind(local, value);
        match condition.map_or(Ok(true), |condition| context.holds(condition))? {
            true => {
                context.note(Use::Loop { from });
                self.run(context, body)
            }
            false => Ok(()),
        }
    }

    fn emit(&mut self, context: &mut Context, action: ActionId, args: &[Expr], span: Span) -> Result<()> {
        let args = context.all(args)?;
        let declared = &context.model().actions[action.0];
        for (param, value) in declared.params.iter().zip(&args) {
            check_range(context.instance, &param.ty, value, &format!("{}.{}", declared.name, param.name), span)?;
        }
        self.emitted.push(Event::new(action, args));
        Ok(())
    }

    /// Gives the result. Nothing of the block comes after it (the model is written so); the move to the next location may.
    fn give_back(&mut self, context: &mut Context, expr: &Expr) -> Result<()> {
        let value = context.evaluate(expr)?;
        if let Some(local) = self.result {
            let declared = &context.locals[local.0];
            check_range(context.instance, &declared.ty, &value, "result", expr.span)?;
            context.bind(local, value.clone());
        }
        self.returned = Some(value);
        Ok(())
    }
}

/// A key that is written lies in the keys of its map.
fn check_keys(context: &Context, spot: &Spot, span: Span) -> Result<()> {
    let types = &context.model().types;
    let mut ty = &context.model().variables[spot.variable.0].ty;
    for part in &spot.path {
        ty = match (part, types.strip(ty)) {
            (Part::Key(key), Type::Map(keys, inner)) => {
                check_range(context.instance, keys, key, &spot.show(context.model()), span)?;
                inner
            }
            (Part::Key(_), Type::Seq(inner)) => inner,
            (Part::Field(index), Type::Tuple(parts)) => &parts[*index],
            (Part::Field(index), Type::Record(id)) => &types.records[id.0].fields[*index].1,
            _ => return Ok(()),
        };
    }
    Ok(())
}

fn assert_holds(context: &mut Context, condition: &Expr) -> Result<()> {
    for conjunct in conjuncts(condition) {
        if !context.holds(conjunct)? {
            let mut error = ModelError::new(Code::M007, conjunct.span, "assertion violated");
            error.values = context.known();
            return Err(error);
        }
    }
    Ok(())
}
