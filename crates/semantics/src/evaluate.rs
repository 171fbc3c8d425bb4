//! The value of an expression. One arm per kind of expression; arithmetic is in `operators`, methods are in
//! `builtins`, binders in `iterate`.
//!
//! Evaluation is total up to a [`ModelError`]: loops are bounded by their collections, and the depth of the recursion
//! by the depth of the text, because definitions do not call themselves.

use crate::context::Context;
use crate::used::Use;
use crate::{Label, ModelError, Result, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, BinaryOperator, DefinitionId, Expr, ExprKind, Pattern};
use std::borrow::Cow;
use std::mem::replace;

impl<'a> Context<'a> {
    pub(crate) fn evaluate(&mut self, expr: &Expr) -> Result<Value> {
        use ExprKind::*;
        match &expr.kind {
            Local(id) => Ok(self.local(*id)),
            Variable(id) => self.variable(*id, expr.span),
            Constant(id) => self.instance.constant(*id),
            Comprehension(comprehension) => self.comprehension(comprehension, expr.span),
            Quantified { every, binders, condition, body } => {
                Ok(self.quantified(*every, (binders, condition.as_deref()), body, expr.span)?.into())
            }
            Not(inner) => Ok((!self.holds(inner)?).into()),
            Negate(inner) => self.negate(inner, expr.span),
            Binary { operator, left, right } => self.binary(*operator, left, right, expr.span),
            If { condition, then, otherwise } => {
                let holds = self.holds(condition)?;
                self.note(Use::Branch { condition: condition.span, holds });
                self.evaluate(if holds { then } else { otherwise })
            }
            Match { value, arms } => {
                let found = self.evaluate(value)?;
                let body = self.matching(&found, arms, value.span);
                self.evaluate(body)
            }
            Is { value, pattern } => {
                let value = self.evaluate(value)?;
                Ok(self.matches(pattern, &value).into())
            }
            Field { of, index } => Ok(field(&self.evaluate(of)?, *index)),
            Index { of, index } => self.index(of, index, expr),
            Builtin { function, args } => self.builtin(*function, args, expr),
            Call { definition, args } => self.call(*definition, args, expr.span),
            At { .. } | Old(_) | New(_) | ObjectCount(_) | ObjectAll(_) => self.state_of_the_system(expr),
            Happens { .. } | SignalValue { .. } | Silence => self.event(expr),
            Temporal { .. } => panic!("temporal words are judged by monitors, never evaluated in one state"),
            Error => panic!("a model with mistakes is not run"),
            _ => self.written_out(expr),
        }
    }

    /// Literals, and values put together from their parts.
    fn written_out(&mut self, expr: &Expr) -> Result<Value> {
        use ExprKind::*;
        Ok(match &expr.kind {
            Bool(value) => Value::Bool(*value),
            Int(value) => Value::Int(*value),
            String(text) => Value::String(text.clone()),
            None => Value::none(),
            Some(inner) => Value::some(self.evaluate(inner)?),
            Variant { variant, args, .. } => Value::Variant { variant: *variant, args: self.all(args)?.into() },
            Record { fields: parts, .. } | Tuple(parts) => Value::tuple(self.all(parts)?),
            Seq(items) => Value::Seq(self.all(items)?.into()),
            Set(items) => Value::set(self.all(items)?),
            Map(pairs) => self.map(pairs)?,
            other => unreachable!("{other:?} is not written out"),
        })
    }

    /// Locations and objects, now and before.
    fn state_of_the_system(&mut self, expr: &Expr) -> Result<Value> {
        Ok(match &expr.kind {
            ExprKind::At { component, locations } => {
                self.now.location(*component).is_some_and(|here| locations.contains(&here)).into()
            }
            ExprKind::Old(inner) => self.old(inner)?,
            ExprKind::New(object) => self.create(*object),
            ExprKind::ObjectCount(object) => Value::Int(self.now.count(*object).into()),
            ExprKind::ObjectAll(object) => Value::set(self.now.all(*object)),
            other => unreachable!("{other:?} does not speak of the state"),
        })
    }

    /// What happens in this step.
    fn event(&mut self, expr: &Expr) -> Result<Value> {
        match &expr.kind {
            ExprKind::Happens { action, args } => self.happens(*action, args).map(Value::Bool),
            ExprKind::SignalValue { action, param } => self.signal_value(*action, *param, expr.span),
            ExprKind::Silence => Ok((self.label == Some(&Label::Silence)).into()),
            other => unreachable!("{other:?} does not speak of events"),
        }
    }

    /// The value of a condition.
    pub(crate) fn holds(&mut self, expr: &Expr) -> Result<bool> {
        Ok(self.evaluate(expr)?.as_bool())
    }

    pub(crate) fn all(&mut self, exprs: &[Expr]) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.evaluate(expr)).collect()
    }

    /// The first arm whose pattern fits; its names are bound.
    pub(crate) fn matching<'p, T>(&mut self, value: &Value, arms: &'p [(Pattern, T)], place: Span) -> &'p T {
        let case = arms.iter().position(|(pattern, _)| self.matches(pattern, value));
        let case = case.expect("a match covers all cases");
        self.note(Use::Case { value: place, case });
        &arms[case].1
    }

    fn matches(&mut self, pattern: &Pattern, value: &Value) -> bool {
        match (pattern, value) {
            (Pattern::Wildcard, _) => true,
            (Pattern::Bind(local), value) => {
                self.bind(*local, value.clone());
                true
            }
            (Pattern::Bool(expected), Value::Bool(found)) => expected == found,
            (Pattern::Int(expected), Value::Int(found)) => expected == found,
            (Pattern::String(expected), Value::String(found)) => expected == found,
            (Pattern::None, Value::Option(inner)) => inner.is_none(),
            (Pattern::Some(inner), Value::Option(Some(value))) => self.matches(inner, value),
            (Pattern::Variant { variant, args }, Value::Variant { variant: found, args: values }) => {
                variant == found && self.all_match(args, values)
            }
            (Pattern::Tuple(parts), Value::Tuple(values)) => self.all_match(parts, values),
            _ => false,
        }
    }

    fn all_match(&mut self, patterns: &[Pattern], values: &[Value]) -> bool {
        patterns.iter().zip(values).all(|(pattern, value)| self.matches(pattern, value))
    }

    fn map(&mut self, pairs: &[(Expr, Expr)]) -> Result<Value> {
        let pairs: Result<Vec<_>> =
            pairs.iter().map(|(key, value)| Ok((self.evaluate(key)?, self.evaluate(value)?))).collect();
        pairs.map(Value::map)
    }

    fn index(&mut self, of: &Expr, index: &Expr, whole: &Expr) -> Result<Value> {
        let (collection, key) = (self.evaluate(of)?, self.evaluate(index)?);
        let found = match &collection {
            Value::Map(pairs) => pairs.get(&key).cloned(),
            Value::Seq(items) => usize::try_from(key.as_int()).ok().and_then(|index| items.get(index).cloned()),
            other => panic!("the types say that this can be indexed: {other:?}"),
        };
        found.ok_or_else(|| {
            let place = self.describe(whole);
            match &collection {
                Value::Seq(items) => ModelError::new(
                    Code::M005,
                    whole.span,
                    format!("index out of bounds: `{place}`, length {}", items.len()),
                ),
                _ => ModelError::new(Code::M001, whole.span, format!("`{place}` is unset")),
            }
        })
    }

    fn call(&mut self, id: DefinitionId, args: &[Expr], span: Span) -> Result<Value> {
        self.turn(span)?;
        let definition = &self.model().definitions[id.0];
        let mut frame: Vec<_> = self.all(args)?.into_iter().map(Some).collect();
        frame.resize(definition.locals.len(), None);
        let outer = (replace(&mut self.frame, frame), replace(&mut self.locals, &definition.locals));
        let result = self.evaluate(&definition.body);
        (self.frame, self.locals) = outer;
        result
    }

    fn old(&mut self, inner: &Expr) -> Result<Value> {
        let now = replace(&mut self.now, Cow::Borrowed(self.before));
        let result = self.evaluate(inner);
        self.now = now;
        result
    }

    fn happens(&mut self, action: ActionId, args: &[Option<Expr>]) -> Result<bool> {
        let wanted: Result<Vec<Option<Value>>> =
            args.iter().map(|arg| arg.as_ref().map(|arg| self.evaluate(arg)).transpose()).collect();
        let wanted = wanted?;
        let fits = |given: &[Value]| {
            wanted.iter().zip(given).all(|(want, have)| want.as_ref().is_none_or(|want| want == have))
        };
        let mut events = self.label.iter().flat_map(|label| label.events());
        Ok(events.any(|event| event.action == action && fits(&event.args)))
    }

    fn signal_value(&self, action: ActionId, param: usize, span: Span) -> Result<Value> {
        let event = self.label.and_then(|label| label.event_of(action));
        event.map(|event| event.args[param].clone()).ok_or_else(|| {
            let action = &self.model().actions[action.0];
            let message = format!("`{}.{}` is unset: the signal is absent", action.name, action.params[param].name);
            ModelError::new(Code::M001, span, message).help(format!("ask first: `{} and ...`", action.name))
        })
    }

    /// Logic looks at the right side only if needed; membership in a range does not write the range out.
    fn binary(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr, span: Span) -> Result<Value> {
        use BinaryOperator::*;
        match operator {
            And => Ok((self.holds(left)? && self.holds(right)?).into()),
            Or => Ok((self.holds(left)? || self.holds(right)?).into()),
            Implies => Ok((!self.holds(left)? || self.holds(right)?).into()),
            In => Ok(self.member(left, right)?.into()),
            NotIn => Ok((!self.member(left, right)?).into()),
            Since | Until | Unless | Release | LeadsTo => {
                panic!("temporal words are judged by monitors, never evaluated in one state")
            }
            _ => {
                let (left_value, right_value) = (self.evaluate(left)?, self.evaluate(right)?);
                self.operate(operator, (&left_value, &left.ty), (&right_value, &right.ty), span)
            }
        }
    }

    fn member(&mut self, left: &Expr, right: &Expr) -> Result<bool> {
        let needle = self.evaluate(left)?;
        if let ExprKind::Binary { operator: BinaryOperator::Range, left: low, right: high } = &right.kind {
            let (low, high) = (self.evaluate(low)?, self.evaluate(high)?);
            return Ok(low <= needle && needle <= high);
        }
        Ok(self.evaluate(right)?.contains(&needle))
    }
}

fn field(value: &Value, index: usize) -> Value {
    match value {
        Value::Tuple(parts) => parts[index].clone(),
        other => panic!("the types say that this has fields: {other:?}"),
    }
}
