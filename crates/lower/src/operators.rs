//! Operators, and the temporal words.

use super::expression::Pair;
use super::{Lower, context::Context};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, TemporalOperator, Type};
use interplay_syntax::ast::{self, UnaryOperator};

impl<'a> Lower<'a> {
    pub(super) fn unary(
        &mut self,
        context: &mut Context,
        operator: UnaryOperator,
        operand: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        match operator {
            UnaryOperator::Not => {
                let operand = self.condition(context, operand);
                Expr::new(ExprKind::Not(operand.into()), Type::Bool, span)
            }
            UnaryOperator::Minus => {
                let operand = self.check_expr(context, operand, &Type::Int, None);
                Expr::new(ExprKind::Negate(operand.into()), Type::Int, span)
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        context: &mut Context,
        operator: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        match operator {
            Op::Iff | Op::Implies | Op::Or | Op::And => {
                let (left, right) = (self.condition(context, left), self.condition(context, right));
                pair(operator, left, right, Type::Bool, span)
            }
            Op::Since | Op::Until | Op::Unless | Op::Release | Op::LeadsTo => {
                self.require_temporal(context, span, operator_word(operator));
                let (left, right) = (self.condition(context, left), self.condition(context, right));
                pair(operator, left, right, Type::Bool, span)
            }
            Op::Equal | Op::NotEqual => {
                let (left, right, _) = self.balance(context, left, right, None, Pair::Compared);
                pair(operator, left, right, Type::Bool, span)
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                let (left, right, _) = self.balance(context, left, right, None, Pair::Compared);
                pair(operator, left, right, Type::Bool, span)
            }
            Op::In | Op::NotIn => self.membership(context, operator, left, right, span),
            Op::Range => {
                let left = self.check_expr(context, left, &Type::Int, None);
                let right = self.check_expr(context, right, &Type::Int, None);
                pair(operator, left, right, Type::Set(Type::Int.into()), span)
            }
            Op::Multiply | Op::Divide | Op::Remainder => {
                let left = self.check_expr(context, left, &Type::Int, None);
                let right = self.check_expr(context, right, &Type::Int, None);
                pair(operator, left, right, Type::Int, span)
            }
            Op::Add | Op::Subtract | Op::Intersect => {
                let left = self.infer(context, left, expected);
                self.combine(context, operator, left, right, span)
            }
        }
    }

    fn membership(
        &mut self,
        context: &mut Context,
        operator: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let right = self.infer(context, right, None);
        let member = self.member_type(&right);
        let because = Some((right.span, "the elements are".to_string()));
        let left = self.check_expr(context, left, &member, because);
        pair(operator, left, right, Type::Bool, span)
    }

    /// `+ - &` on what the left side is; also for `+=` and `-=`.
    pub(super) fn combine(
        &mut self,
        context: &mut Context,
        operator: Op,
        left: Expr,
        right: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let base = self.base(&left.ty);
        let because = Some((left.span, "the left side is".to_string()));
        let wanted = match (&base, operator) {
            (Type::Int, Op::Add | Op::Subtract) => Type::Int,
            (Type::String, Op::Add) | (Type::Seq(_), Op::Add) => left.ty.clone(),
            (Type::Set(_), _) => left.ty.clone(),
            (Type::Map(..), Op::Add) => left.ty.clone(),
            (Type::Map(key, _), Op::Subtract) => Type::Set(key.clone()),
            (Type::Unknown, _) => Type::Unknown,
            _ => {
                self.infer(context, right, None);
                return self.undefined(operator, &left, span);
            }
        };
        let right = self.check_expr(context, right, &wanted, because);
        let ty = match base {
            Type::Int => Type::Int,
            Type::Map(..) if operator == Op::Subtract => left.ty.clone(),
            _ => self.unify(&left.ty, &right.ty).unwrap_or(Type::Unknown),
        };
        pair(operator, left, right, ty, span)
    }

    fn undefined(&mut self, operator: Op, left: &Expr, span: Span) -> Expr {
        let found = self.show_type(&left.ty);
        let word = operator_word(operator);
        self.report(
            Diagnostic::new(Code::T004, span, format!("`{word}` is not defined for {found}"))
                .note(left.span, format!("this is {found}"))
                .help("`+` joins integers, strings, sequences, sets and maps; `-` takes from integers, sets and maps; `&` is for sets"),
        );
        Expr::error(span)
    }

    pub(super) fn temporal(
        &mut self,
        context: &mut Context,
        operator: TemporalOperator,
        operand: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let allowed = self.require_temporal(context, span, temporal_word(operator));
        let operand = self.condition(context, operand);
        if !allowed {
            return Expr::error(span);
        }
        Expr::new(ExprKind::Temporal { operator, operand: operand.into() }, Type::Bool, span)
    }

    fn require_temporal(&mut self, context: &Context, span: Span, word: &str) -> bool {
        if !context.temporal {
            self.report(
                Diagnostic::new(
                    Code::S011,
                    span,
                    format!("the temporal operator `{word}` is allowed only in properties"),
                )
                .help("remember the past in a variable, or move the condition into a `property`"),
            );
        }
        context.temporal
    }
}

pub(super) fn pair(operator: Op, left: Expr, right: Expr, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Binary { operator, left: left.into(), right: right.into() }, ty, span)
}

pub(super) fn operator_word(operator: Op) -> &'static str {
    match operator {
        Op::Iff => "iff",
        Op::Implies => "implies",
        Op::Or => "or",
        Op::And => "and",
        Op::Since => "since",
        Op::Until => "until",
        Op::Unless => "unless",
        Op::Release => "release",
        Op::LeadsTo => "leads to",
        Op::Equal => "==",
        Op::NotEqual => "!=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Greater => ">",
        Op::GreaterEqual => ">=",
        Op::In => "in",
        Op::NotIn => "not in",
        Op::Range => "..",
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Intersect => "&",
        Op::Multiply => "*",
        Op::Divide => "/",
        Op::Remainder => "%",
    }
}

fn temporal_word(operator: TemporalOperator) -> &'static str {
    match operator {
        TemporalOperator::Always => "always",
        TemporalOperator::Eventually => "eventually",
        TemporalOperator::Never => "never",
        TemporalOperator::Possible => "possible",
        TemporalOperator::Once => "once",
        TemporalOperator::Historically => "historically",
        TemporalOperator::Previously(_) => "previously",
        TemporalOperator::Next(_) => "next",
        TemporalOperator::WithinSteps(_) | TemporalOperator::WithinTime(_) => "within",
    }
}
