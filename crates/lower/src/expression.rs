//! Expressions: from the tree to typed ones. Types flow both ways: what is expected helps to understand `{}`, `none`
//! or the name of a variant, and what is found is compared with what was expected.

use super::{Lower, context::Context};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{BinaryOperator, Binder, Comprehension, Expr, ExprKind, Shape, Shared, Source, Type};
use interplay_syntax::ast::{self, ExprKind as Tree, Literal};

/// Why a type is expected: a place in the text and what it says there.
pub(super) type Because = Option<(Span, String)>;

/// What two expressions of one type are to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    Branches,
    Compared,
}

impl<'a> Lower<'a> {
    /// The expression, which must have this type.
    pub(super) fn check_expr(
        &mut self,
        context: &mut Context,
        tree: &'a ast::Expr,
        expected: &Type,
        because: Because,
    ) -> Expr {
        let because = because.map(|(span, text)| (span, format!("{text}: {}", self.show_type(expected))));
        let outer = std::mem::replace(&mut context.because, because);
        let expr = self.check_part(context, tree, expected);
        context.because = outer;
        expr
    }

    /// Part of an expression (an element, a key) whose type is expected for the same reason as the whole.
    fn check_part(&mut self, context: &mut Context, tree: &'a ast::Expr, expected: &Type) -> Expr {
        let compares = std::mem::take(&mut context.compares);
        let mut expr = self.infer(context, tree, Some(expected));
        match self.unify(&expr.ty, expected) {
            Some(ty) => {
                if !matches!(self.base(expected), Type::Int) {
                    expr.ty = ty;
                } else if self.certainly_within(&expr, expected) {
                    expr.ty = expected.clone();
                }
                if !compares {
                    self.check_constant_range(&expr, expected);
                }
                expr
            }
            None => {
                self.mismatch(&expr, expected, context.because.clone());
                Expr::error(tree.span)
            }
        }
    }

    /// A literal that lies in a range of literals has the type of the range; so a set of such is a set over the range.
    fn certainly_within(&self, expr: &Expr, expected: &Type) -> bool {
        let Type::Range(id) = self.model.types.strip(expected) else { return false };
        let range = &self.model.types.ranges[id.0];
        match (expr.as_int(), range.low.as_int(), range.high.as_int()) {
            (Some(value), Some(low), Some(high)) => (low..=high).contains(&value),
            _ => false,
        }
    }

    /// `var x: 0..7 = 9`, where that can be seen at once.
    fn check_constant_range(&mut self, expr: &Expr, expected: &Type) {
        let Type::Range(id) = self.model.types.strip(expected) else { return };
        let range = &self.model.types.ranges[id.0];
        if let (Some(value), Some(low), Some(high)) = (expr.as_int(), range.low.as_int(), range.high.as_int())
            && !(low..=high).contains(&value)
        {
            let at = range.span;
            self.report(
                Diagnostic::new(Code::T008, expr.span, format!("{value} is outside the range {low}..{high}"))
                    .note(at, "the range is declared here"),
            );
        }
    }

    fn mismatch(&mut self, expr: &Expr, expected: &Type, because: Because) {
        let (found, wanted) = (self.show_type(&expr.ty), self.show_type(expected));
        let mut diagnostic = Diagnostic::new(Code::T001, expr.span, format!("expected {wanted}, found {found}"))
            .label(format!("this is {found}"));
        if let Some((span, text)) = because {
            diagnostic = diagnostic.note(span, text);
        }
        let help = self.mismatch_help(&expr.ty, expected);
        self.report(diagnostic.maybe_help(help));
    }

    fn mismatch_help(&self, found: &Type, expected: &Type) -> Option<String> {
        let help = match (self.base(found), self.base(expected)) {
            (Type::Option(inner), wanted) if *inner != Type::Unknown && self.unify(&inner, &wanted).is_some() => {
                "the option may be `none`: use `.or(default)`, or `.get` where it is never `none`"
            }
            (given, Type::Option(inner)) if self.unify(&given, &inner).is_some() => "write `some(...)` around it",
            (given, Type::Set(inner)) if self.unify(&given, &inner).is_some() => {
                "write `{ ... }` around it to make a set of one"
            }
            (given, Type::Seq(inner)) if self.unify(&given, &inner).is_some() => {
                "write `[ ... ]` around it to make a sequence of one"
            }
            (Type::Seq(a), Type::Set(b)) if self.unify(&a, &b).is_some() => "use `.elements` to make it a set",
            (Type::Set(a), Type::Seq(b)) if self.unify(&a, &b).is_some() => "use `.elements` to make it a sequence",
            (Type::Int, Type::Bool) => "compare it, e.g. `... > 0`",
            _ => return None,
        };
        Some(help.to_string())
    }

    /// The expression with the type found for it; `expected` is only a hint.
    pub(super) fn infer(&mut self, context: &mut Context, tree: &'a ast::Expr, expected: Option<&Type>) -> Expr {
        let expr = self.infer_kind(context, tree, expected);
        self.note_type(&expr);
        expr
    }

    fn infer_kind(&mut self, context: &mut Context, tree: &'a ast::Expr, expected: Option<&Type>) -> Expr {
        let span = tree.span;
        match &tree.kind {
            Tree::Literal(literal) => literal_expr(literal, span),
            Tree::Name(name) => self.name(context, name, span, expected),
            Tree::None => {
                let ty = expected.map(|ty| self.base(ty)).filter(|ty| matches!(ty, Type::Option(_)));
                Expr::new(ExprKind::None, ty.unwrap_or(Type::Option(Type::Unknown.into())), span)
            }
            Tree::Some(inner) => {
                let hint = self.element_hint(expected);
                let inner = self.infer(context, inner, hint.as_ref());
                let ty = Type::Option(inner.ty.clone().into());
                Expr::new(ExprKind::Some(inner.into()), ty, span)
            }
            Tree::Wildcard => self.not_here(span, "`_` is allowed only as an argument of an event"),
            Tree::Result => self.result(context, span),
            Tree::Old(inner) => self.old(context, inner, span, expected),
            Tree::New(name) => self.new_object(context, name, span),
            Tree::At(places) => self.at(context, places, span),
            Tree::Call { name, args } => self.call(context, name, args, span, expected),
            Tree::Record { name, fields } => self.record(context, name, fields, span),
            Tree::Field { of, field } => self.field(context, of, field, span, expected),
            Tree::Method { of, method, args } => self.method(context, of, method, args, span, expected),
            Tree::Index { of, index } => self.index(context, of, index, span),
            Tree::Unary { operator, operand } => self.unary(context, *operator, operand, span),
            Tree::Binary { operator, left, right } => self.binary(context, *operator, left, right, span, expected),
            Tree::Is { value, pattern } => self.is(context, value, pattern, span),
            Tree::If { condition, then, otherwise } => {
                self.if_then_else(context, condition, then, otherwise, span, expected)
            }
            Tree::Match { value, arms } => self.match_expr(context, value, arms, span, expected),
            Tree::Quantified { quantifier, binders, condition, body } => {
                self.quantified(context, *quantifier, binders, condition.as_deref(), body, span)
            }
            Tree::Tuple(parts) => self.tuple(context, parts, span, expected),
            Tree::Seq(parts) => self.elements(context, parts, span, expected, Shape::Seq),
            Tree::Set(parts) => self.elements(context, parts, span, expected, Shape::Set),
            Tree::Braces => self.braces(span, expected),
            Tree::Map(pairs) => self.map(context, pairs, span, expected),
            Tree::SeqComprehension(comprehension) => {
                self.comprehension(context, comprehension, None, Shape::Seq, span, expected)
            }
            Tree::SetComprehension(comprehension) => {
                self.comprehension(context, comprehension, None, Shape::Set, span, expected)
            }
            Tree::MapComprehension { value, comprehension } => {
                self.comprehension(context, comprehension, Some(value), Shape::Map, span, expected)
            }
            Tree::Temporal { operator, operand } => self.temporal(context, *operator, operand, span),
            Tree::Error => Expr::error(span),
        }
    }

    /// Something stands where it must not.
    pub(super) fn not_here(&mut self, span: Span, message: &str) -> Expr {
        self.report(Diagnostic::new(Code::S011, span, message));
        Expr::error(span)
    }

    /// The element type of an expected option, sequence or set.
    fn element_hint(&self, expected: Option<&Type>) -> Option<Type> {
        match self.base(expected?) {
            Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => Some(inner.take()),
            _ => None,
        }
    }

    fn result(&mut self, context: &mut Context, span: Span) -> Expr {
        match context.result {
            Some(_) if context.action.is_some_and(|action| self.outcome(action).is_some()) => {
                self.refuse_condition_on_outcome(span);
                Expr::error(span)
            }
            Some(local) => Expr::new(ExprKind::Local(local), context.frame.locals[local.0].ty.clone(), span),
            None if context.frame.find("result").is_some() || self.symbols.value("result").is_some() => {
                self.name(context, "result", span, None)
            }
            None => self.not_here(
                span,
                "`result` is allowed only in `ensures` and in the block of an input that returns a value",
            ),
        }
    }

    fn old(&mut self, context: &mut Context, inner: &'a ast::Expr, span: Span, expected: Option<&Type>) -> Expr {
        if !context.old {
            return self.not_here(span, "`old(...)` is allowed only in `ensures`");
        }
        let inner = self.infer(context, inner, expected);
        let ty = inner.ty.clone();
        Expr::new(ExprKind::Old(inner.into()), ty, span)
    }

    fn if_then_else(
        &mut self,
        context: &mut Context,
        condition: &'a ast::Expr,
        then: &'a ast::Expr,
        otherwise: &'a ast::Expr,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let condition = self.condition(context, condition);
        let (then, otherwise, ty) = self.balance(context, then, otherwise, expected, Pair::Branches);
        Expr::new(
            ExprKind::If { condition: condition.into(), then: then.into(), otherwise: otherwise.into() },
            ty,
            span,
        )
    }

    /// Two expressions of one type; each may help to understand the other.
    pub(super) fn balance(
        &mut self,
        context: &mut Context,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        expected: Option<&Type>,
        pair: Pair,
    ) -> (Expr, Expr, Type) {
        let because = match pair {
            Pair::Branches => "the other branch is",
            Pair::Compared => "it is compared with",
        };
        let first = if is_literal(left) {
            self.infer_quietly(context, left, expected)
        } else {
            self.infer(context, left, expected)
        };
        if is_literal(left) && (self.is_open(&first.ty) || matches!(first.kind, ExprKind::Error)) {
            let second = self.infer(context, right, expected);
            context.compares = pair == Pair::Compared;
            let first = self.check_expr(context, left, &second.ty, Some((right.span, because.to_string())));
            let ty = self.unify(&first.ty, &second.ty).unwrap_or(Type::Unknown);
            return (first, second, ty);
        }
        context.compares = pair == Pair::Compared;
        let second = self.check_expr(context, right, &first.ty, Some((left.span, because.to_string())));
        let ty = self.unify(&first.ty, &second.ty).unwrap_or(Type::Unknown);
        (first, second, ty)
    }

    /// A first look that reports nothing if it fails: the same expression is looked at again with more knowledge.
    fn infer_quietly(&mut self, context: &mut Context, tree: &'a ast::Expr, expected: Option<&Type>) -> Expr {
        let before = std::mem::take(self.diagnostics);
        let noted = self.index.as_ref().map(|index| index.mark());
        let expr = self.infer(context, tree, expected);
        let found = std::mem::replace(self.diagnostics, before);
        let failed = matches!(expr.kind, ExprKind::Error) && found.has_errors();
        if !failed {
            self.diagnostics.extend(found.iter().cloned());
        } else if let (Some(index), Some(noted)) = (&mut self.index, noted) {
            index.forget(noted);
        }
        expr
    }

    fn tuple(&mut self, context: &mut Context, parts: &'a [ast::Expr], span: Span, expected: Option<&Type>) -> Expr {
        let hints = match expected.map(|ty| self.base(ty)) {
            Some(Type::Tuple(types)) if types.len() == parts.len() => types,
            _ => vec![Type::Unknown; parts.len()].into(),
        };
        let parts: Vec<Expr> =
            parts.iter().zip(&hints).map(|(part, hint)| self.infer(context, part, Some(hint))).collect();
        let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
        Expr::new(ExprKind::Tuple(parts.into()), ty, span)
    }

    /// `[a, b]` and `{a, b}`
    pub(super) fn elements(
        &mut self,
        context: &mut Context,
        parts: &'a [ast::Expr],
        span: Span,
        expected: Option<&Type>,
        shape: Shape,
    ) -> Expr {
        let mut element = self.element_hint(expected).unwrap_or(Type::Unknown);
        let mut items: Vec<Expr> = Vec::new();
        for part in parts {
            let item = match items.first() {
                Some(first) => {
                    let because = Some((first.span, "the first element is".to_string()));
                    self.check_expr(context, part, &element, because)
                }
                None => self.check_part(context, part, &element),
            };
            element = self.unify(&element, &item.ty).unwrap_or(element);
            items.push(item);
        }
        match shape {
            Shape::Seq => Expr::new(ExprKind::Seq(items.into()), Type::Seq(element.into()), span),
            _ => Expr::new(ExprKind::Set(items.into()), Type::Set(element.into()), span),
        }
    }

    /// `{}` is a set or a map: what is expected decides.
    fn braces(&mut self, span: Span, expected: Option<&Type>) -> Expr {
        match expected.map(|ty| self.base(ty)) {
            Some(ty @ Type::Map(..)) => Expr::new(ExprKind::Map([].into()), ty, span),
            Some(ty @ Type::Set(_)) => Expr::new(ExprKind::Set([].into()), ty, span),
            Some(Type::Unknown) | None => Expr::new(ExprKind::Set([].into()), Type::Unknown, span),
            Some(_) => Expr::new(ExprKind::Set([].into()), Type::Set(Type::Unknown.into()), span),
        }
    }

    fn map(
        &mut self,
        context: &mut Context,
        pairs: &'a [(ast::Expr, ast::Expr)],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let (mut key, mut value) = match expected.map(|ty| self.base(ty)) {
            Some(Type::Map(key, value)) => (key.take(), value.take()),
            _ => (Type::Unknown, Type::Unknown),
        };
        let mut entries: Vec<(Expr, Expr)> = Vec::new();
        for (left, right) in pairs {
            let because = |part: &str, at: Option<Span>| at.map(|at| (at, format!("the first {part} is")));
            let left = self.check_expr(context, left, &key, because("key", entries.first().map(|(key, _)| key.span)));
            let right =
                self.check_expr(context, right, &value, because("value", entries.first().map(|(_, value)| value.span)));
            key = self.unify(&key, &left.ty).unwrap_or(key);
            value = self.unify(&value, &right.ty).unwrap_or(value);
            entries.push((left, right));
        }
        Expr::new(ExprKind::Map(entries.into()), Type::Map(key.into(), value.into()), span)
    }

    fn comprehension(
        &mut self,
        context: &mut Context,
        tree: &'a ast::Comprehension,
        value: Option<&'a ast::Expr>,
        shape: Shape,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let depth = context.frame.enter();
        let binders = self.binders(context, &tree.binders);
        let condition = tree.condition.as_ref().map(|condition| self.condition(context, condition));
        let (item_hint, value_hint) = match expected.map(|ty| self.base(ty)) {
            Some(Type::Map(key, value)) => (Some(key.take()), Some(value.take())),
            other => (self.element_hint(other.as_ref()), None),
        };
        let item = self.infer(context, &tree.item, item_hint.as_ref());
        let value = value.map(|value| self.infer(context, value, value_hint.as_ref()));
        context.frame.leave(depth);
        let element = Shared::new(item.ty.clone());
        let ty = match (&value, shape) {
            (Some(value), _) => Type::Map(element, value.ty.clone().into()),
            (None, Shape::Seq) => Type::Seq(element),
            (None, _) => Type::Set(element),
        };
        Expr::new(
            ExprKind::Comprehension(Comprehension { shape, item, value, binders: binders.into(), condition }.into()),
            ty,
            span,
        )
    }

    fn quantified(
        &mut self,
        context: &mut Context,
        quantifier: ast::Quantifier,
        binders: &'a [ast::Binder],
        condition: Option<&'a ast::Expr>,
        body: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let depth = context.frame.enter();
        let binders = self.binders(context, binders);
        let condition = condition.map(|condition| self.condition(context, condition).into());
        let body = self.condition(context, body).into();
        context.frame.leave(depth);
        let every = quantifier == ast::Quantifier::Every;
        Expr::new(ExprKind::Quantified { every, binders: binders.into(), condition, body }, Type::Bool, span)
    }

    /// The names stay visible until the caller leaves the scope.
    fn binders(&mut self, context: &mut Context, binders: &'a [ast::Binder]) -> Vec<Binder> {
        let mut lowered = Vec::new();
        for binder in binders {
            let (ty, source) = match &binder.source {
                ast::BinderSource::Type(ty) => {
                    let ty = self.resolve_type(ty);
                    (ty.clone(), Source::Domain(ty))
                }
                ast::BinderSource::In(from) => {
                    let from = self.infer(context, from, None);
                    (self.member_type(&from), Source::In(from))
                }
            };
            lowered.push(Binder { local: self.bind(context, &binder.name, ty), source });
        }
        lowered
    }

    /// What `x in from` ranges over: elements, or the keys of a map.
    pub(super) fn member_type(&mut self, from: &Expr) -> Type {
        match self.base(&from.ty) {
            Type::Set(inner) | Type::Seq(inner) => inner.take(),
            Type::Map(key, _) => key.take(),
            Type::Unknown => Type::Unknown,
            _ => {
                let found = self.show_type(&from.ty);
                self.report(
                    Diagnostic::new(
                        Code::T001,
                        from.span,
                        format!("expected a set, a sequence, a map or a range, found {found}"),
                    )
                    .label(format!("this is {found}")),
                );
                Type::Unknown
            }
        }
    }

    /// What kind of words a lowered expression uses: events of the step, and time.
    pub(super) fn speaks_of(&self, expr: &Expr) -> (bool, bool) {
        let (mut events, mut temporal) = (false, false);
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Happens { .. } | ExprKind::SignalValue { .. } | ExprKind::Silence => events = true,
            ExprKind::Temporal { .. } => temporal = true,
            ExprKind::Binary {
                operator:
                    BinaryOperator::Since
                    | BinaryOperator::Until
                    | BinaryOperator::Unless
                    | BinaryOperator::Release
                    | BinaryOperator::LeadsTo,
                ..
            } => temporal = true,
            ExprKind::Call { definition, .. } => {
                events |= self.model.definitions[definition.0].events;
                temporal |= self.model.definitions[definition.0].temporal;
            }
            _ => {}
        });
        (events, temporal)
    }
}

/// A name, a literal or a collection of such: cheap to look at twice, and understood better the second time.
fn is_literal(tree: &ast::Expr) -> bool {
    match &tree.kind {
        Tree::Literal(_) | Tree::Name(_) | Tree::None | Tree::Braces => true,
        Tree::Some(inner) => is_literal(inner),
        Tree::Tuple(parts) | Tree::Seq(parts) | Tree::Set(parts) | Tree::Call { args: parts, .. } => {
            parts.iter().all(is_literal)
        }
        Tree::Map(pairs) => pairs.iter().all(|(key, value)| is_literal(key) && is_literal(value)),
        _ => false,
    }
}

fn literal_expr(literal: &Literal, span: Span) -> Expr {
    match literal {
        Literal::Bool(value) => Expr::new(ExprKind::Bool(*value), Type::Bool, span),
        Literal::Int(value) => Expr::new(ExprKind::Int(*value), Type::Int, span),
        Literal::String(value) => Expr::new(ExprKind::String(value.as_str().into()), Type::String, span),
    }
}
