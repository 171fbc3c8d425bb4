//! Order, arithmetic and the algebra of collections, on values.

use crate::context::Context;
use crate::iterate::too_many;
use crate::{LIMIT, ModelError, Result, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{BinaryOperator, Expr, Type};
use std::sync::Arc;

impl Context<'_> {
    /// An operator that needs both sides. The types are only for the message.
    pub(crate) fn operate(
        &self,
        operator: BinaryOperator,
        (left, left_type): (&Value, &Type),
        (right, right_type): (&Value, &Type),
        span: Span,
    ) -> Result<Value> {
        use BinaryOperator::*;
        let sides = |code: Code, message: &str| {
            ModelError::new(code, span, message)
                .value("left", self.show(left_type, left))
                .value("right", self.show(right_type, right))
        };
        match (operator, left, right) {
            (Iff | Equal, _, _) => Ok((left == right).into()),
            (NotEqual, _, _) => Ok((left != right).into()),
            (Less, _, _) => Ok((left < right).into()),
            (LessEqual, _, _) => Ok((left <= right).into()),
            (Greater, _, _) => Ok((left > right).into()),
            (GreaterEqual, _, _) => Ok((left >= right).into()),
            (Range, Value::Int(low), Value::Int(high)) => range(*low, *high, span),
            (Divide | Remainder, _, Value::Int(0)) => Err(sides(Code::M003, "division by zero")),
            (_, Value::Int(left), Value::Int(right)) => arithmetic(operator, *left, *right)
                .map(Value::Int)
                .ok_or_else(|| sides(Code::M002, &format!("integer overflow: {left} {} {right}", mark(operator)))),
            (Add, Value::Seq(left), Value::Seq(right)) if left.len() + right.len() > LIMIT => {
                Err(too_long("elements", span))
            }
            (Add, Value::String(left), Value::String(right)) if left.len() + right.len() > LIMIT => {
                Err(too_long("bytes", span))
            }
            _ => Ok(combine(operator, left, right)),
        }
    }

    pub(crate) fn negate(&mut self, inner: &Expr, span: Span) -> Result<Value> {
        let value = self.evaluate(inner)?.as_int();
        let overflow = || ModelError::new(Code::M002, span, format!("integer overflow: -({value})"));
        value.checked_neg().map(Value::Int).ok_or_else(overflow)
    }
}

/// `low..high`, empty if they are the wrong way round.
fn range(low: i64, high: i64, span: Span) -> Result<Value> {
    let size = i128::from(high) - i128::from(low) + 1;
    if size > LIMIT as i128 {
        return Err(too_many(span));
    }
    Ok(Value::set((low..=high).map(Value::Int)))
}

/// What doubles with every step would take all memory after a few dozen.
pub(crate) fn too_long(parts: &str, span: Span) -> ModelError {
    ModelError::new(Code::M013, span, format!("together these have more than {LIMIT} {parts}"))
}

fn arithmetic(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
    match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::Divide => left.checked_div_euclid(right),
        BinaryOperator::Remainder => left.checked_rem_euclid(right),
        other => panic!("the types say that {other:?} is not applied to integers"),
    }
}

/// `+`, `-` and `&` on strings, sequences, sets and maps.
fn combine(operator: BinaryOperator, left: &Value, right: &Value) -> Value {
    use BinaryOperator::*;
    match (operator, left, right) {
        (Add, Value::String(left), Value::String(right)) => Value::string(&format!("{left}{right}")),
        (Add, Value::Seq(left), Value::Seq(right)) => Value::seq(left.iter().chain(&**right).cloned()),
        (Add, Value::Set(left), Value::Set(right)) => Value::Set(Arc::new(&**left | &**right)),
        (Subtract, Value::Set(left), Value::Set(right)) => Value::Set(Arc::new(&**left - &**right)),
        (Intersect, Value::Set(left), Value::Set(right)) => Value::Set(Arc::new(&**left & &**right)),
        (Add, Value::Map(left), Value::Map(right)) => {
            Value::map(left.iter().chain(&**right).map(|(key, value)| (key.clone(), value.clone())))
        }
        (Subtract, Value::Map(left), Value::Set(keys)) => {
            let kept = left.iter().filter(|(key, _)| !keys.contains(key));
            Value::map(kept.map(|(key, value)| (key.clone(), value.clone())))
        }
        _ => panic!("the types say that {operator:?} is defined for {left:?} and {right:?}"),
    }
}

fn mark(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        _ => "%",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean() {
        assert_eq!(arithmetic(BinaryOperator::Divide, -7, 2), Some(-4));
        assert_eq!(arithmetic(BinaryOperator::Remainder, -7, 2), Some(1));
        assert_eq!(arithmetic(BinaryOperator::Divide, i64::MIN, -1), None);
    }

    #[test]
    fn the_right_map_wins_and_keys_are_taken_away() {
        let left = Value::map([(1.into(), false.into()), (2.into(), false.into())]);
        let right = Value::map([(2.into(), true.into())]);
        let sum = combine(BinaryOperator::Add, &left, &right);
        assert_eq!(sum, Value::map([(1.into(), false.into()), (2.into(), true.into())]));
        assert_eq!(combine(BinaryOperator::Subtract, &sum, &Value::set([1.into()])), right);
    }

    #[test]
    fn a_huge_range_is_refused_and_a_reversed_one_is_empty() {
        assert_eq!(range(0, i64::MAX, Span::default()).unwrap_err().code, Code::M009);
        assert_eq!(range(3, 1, Span::default()), Ok(Value::set([])));
    }
}
