//! Patterns of `match` and `is`.

use super::{Lower, context::Context, symbols::TypeSymbol};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{EnumId, Expr, ExprKind, Pattern, Type};
use interplay_syntax::ast::{self, Literal, PatternKind as Tree};

impl<'a> Lower<'a> {
    /// Names in the pattern become visible.
    pub(super) fn pattern(&mut self, context: &mut Context, tree: &'a ast::Pattern, ty: &Type) -> Pattern {
        let base = self.base(ty);
        if matches!(tree.kind, Tree::Name(_)) {
            self.offer_variants(tree.span, &base);
        }
        match &tree.kind {
            Tree::Wildcard | Tree::Error => Pattern::Wildcard,
            Tree::Name(name) => match self.variant_of(&base, name) {
                Some((id, variant)) => {
                    self.mention_variant(tree.span, id, variant);
                    self.variant_pattern(context, id, variant, &[], tree.span)
                }
                None => {
                    let name = ast::Name { text: name.clone(), span: tree.span };
                    Pattern::Bind(self.bind(context, &name, ty.clone()))
                }
            },
            Tree::Literal(literal) => self.literal_pattern(literal, &base, tree.span),
            Tree::Equal(_) => {
                self.not_here(tree.span, "`=e` is allowed only in the pattern of a rule");
                Pattern::Wildcard
            }
            Tree::None => {
                self.option_type(&base, tree.span);
                Pattern::None
            }
            Tree::Some(inner) => {
                let ty = self.option_type(&base, tree.span);
                Pattern::Some(self.pattern(context, inner, &ty).into())
            }
            Tree::Variant { enumeration, name, args } => {
                self.named_variant(context, enumeration.as_ref(), name, args, &base, tree.span)
            }
            Tree::Tuple(parts) => self.tuple_pattern(context, parts, &base, tree.span),
        }
    }

    fn variant_of(&self, base: &Type, name: &str) -> Option<(EnumId, usize)> {
        let Type::Enum(id) = base else { return None };
        let variants = &self.model.types.enums[id.0].variants;
        variants.iter().position(|variant| variant.name == name).map(|variant| (*id, variant))
    }

    fn literal_pattern(&mut self, literal: &Literal, base: &Type, span: Span) -> Pattern {
        let (pattern, ty) = match literal {
            Literal::Bool(value) => (Pattern::Bool(*value), Type::Bool),
            Literal::Int(value) => (Pattern::Int(*value), Type::Int),
            Literal::String(value) => (Pattern::String(value.as_str().into()), Type::String),
        };
        self.pattern_fits(&ty, base, span);
        pattern
    }

    fn pattern_fits(&mut self, ty: &Type, base: &Type, span: Span) -> bool {
        let fits = self.unify(ty, base).is_some();
        if !fits {
            let (found, wanted) = (self.show_type(ty), self.show_type(base));
            self.report(Diagnostic::new(Code::T001, span, format!("the value is {wanted}, the pattern is {found}")));
        }
        fits
    }

    fn option_type(&mut self, base: &Type, span: Span) -> Type {
        match base {
            Type::Option(inner) => Type::clone(inner),
            _ => {
                self.pattern_fits(&Type::Option(Type::Unknown.into()), base, span);
                Type::Unknown
            }
        }
    }

    fn named_variant(
        &mut self,
        context: &mut Context,
        enumeration: Option<&'a ast::Name>,
        name: &'a ast::Name,
        args: &'a [ast::Pattern],
        base: &Type,
        span: Span,
    ) -> Pattern {
        let Type::Enum(id) = base else {
            if *base != Type::Unknown {
                let found = self.show_type(base);
                self.report(Diagnostic::new(Code::T001, span, format!("the value is {found}, not an enum")));
            }
            return Pattern::Wildcard;
        };
        let declared = self.model.types.enums[id.0].clone();
        if let Some(written) = enumeration
            && written.text != declared.name
        {
            self.report(Diagnostic::new(
                Code::T001,
                written.span,
                format!("the value is {}, the pattern is {}", declared.name, written.text),
            ));
            return Pattern::Wildcard;
        }
        if let Some(written) = enumeration {
            self.mention_type(written.span, TypeSymbol::Enum(*id));
        }
        self.offer_variants(name.span, base);
        match self.variant_of(base, &name.text) {
            Some((id, variant)) => {
                self.mention_variant(name.span, id, variant);
                self.variant_pattern(context, id, variant, args, span)
            }
            None => {
                self.unknown_field(
                    &format!("the enum `{}`", declared.name),
                    name,
                    declared.variants.iter().map(|variant| variant.name.as_str()),
                );
                Pattern::Wildcard
            }
        }
    }

    fn variant_pattern(
        &mut self,
        context: &mut Context,
        id: EnumId,
        variant: usize,
        args: &'a [ast::Pattern],
        span: Span,
    ) -> Pattern {
        let declared = self.model.types.enums[id.0].variants[variant].clone();
        if !self.count_arguments(&declared.name, declared.payload.len(), args.len(), span) {
            return Pattern::Wildcard;
        }
        let args = args.iter().zip(&declared.payload).map(|(arg, ty)| self.pattern(context, arg, ty)).collect();
        Pattern::Variant { variant, args }
    }

    fn tuple_pattern(&mut self, context: &mut Context, parts: &'a [ast::Pattern], base: &Type, span: Span) -> Pattern {
        let types = match base {
            Type::Tuple(types) if types.len() == parts.len() => types.clone(),
            _ => {
                self.pattern_fits(&Type::Tuple(vec![Type::Unknown; parts.len()].into()), base, span);
                vec![Type::Unknown; parts.len()].into()
            }
        };
        Pattern::Tuple(parts.iter().zip(&types).map(|(part, ty)| self.pattern(context, part, ty)).collect())
    }

    /// `e is some(_)`: a question, so names in it are seen nowhere.
    pub(super) fn is(
        &mut self,
        context: &mut Context,
        value: &'a ast::Expr,
        pattern: &'a ast::Pattern,
        span: Span,
    ) -> Expr {
        let value = self.infer(context, value, None);
        let depth = context.frame.enter();
        let pattern = self.pattern(context, pattern, &value.ty);
        context.frame.leave(depth);
        Expr::new(ExprKind::Is { value: value.into(), pattern: pattern.into() }, Type::Bool, span)
    }

    pub(super) fn match_expr(
        &mut self,
        context: &mut Context,
        value: &'a ast::Expr,
        arms: &'a [(ast::Pattern, ast::Expr)],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let value = self.infer(context, value, None);
        let mut ty = expected.cloned().unwrap_or(Type::Unknown);
        let mut lowered: Vec<(Pattern, Expr)> = Vec::new();
        for (pattern, body) in arms {
            let depth = context.frame.enter();
            let pattern = self.pattern(context, pattern, &value.ty);
            let because = lowered.first().map(|(_, first)| (first.span, "the first case is".to_string()));
            let body = self.check_expr(context, body, &ty, because);
            context.frame.leave(depth);
            ty = self.unify(&ty, &body.ty).unwrap_or(ty);
            lowered.push((pattern, body));
        }
        let patterns: Vec<(&Pattern, Span)> =
            lowered.iter().zip(arms).map(|((pattern, _), (tree, _))| (pattern, tree.span)).collect();
        self.check_cases(&value, &patterns, span);
        Expr::new(ExprKind::Match { value: value.into(), arms: lowered.into() }, ty, span)
    }
}
