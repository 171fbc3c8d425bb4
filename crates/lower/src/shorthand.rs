//! Operations of the library that are short for other words of the language, written out when they are read: whoever understands
//! those words understands them.

use super::Lower;
use super::context::Context;
use super::operators::pair;
use super::symbols::{Symbol, Use};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::{
    BinaryOperator, Binder, Builtin, Comprehension, DefinitionId, Expr, ExprKind, Local, LocalId, Operation, Role,
    Shape, Shorthand, Source, Type,
};
use interplay_syntax::ast::{self, ExprKind as Tree};

impl<'a> Lower<'a> {
    pub(super) fn shorthand(
        &mut self,
        context: &mut Context,
        (row, short): (&'static Operation, Shorthand),
        of: Expr,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        if !self.count_arguments(row.name(), 1, args.len(), span) {
            return Expr::error(span);
        }
        let written = match short {
            Shorthand::Merge => {
                return self.combine(context, BinaryOperator::Add, of, &args[0], span);
            }
            Shorthand::Without => return self.without(context, of, &args[0], span),
            Shorthand::Any => self.asked_of_all(context, false, of, &args[0], span),
            Shorthand::All => self.asked_of_all(context, true, of, &args[0], span),
            Shorthand::LeastBy => self.extreme_by(context, Builtin::Min, of, &args[0], span),
            Shorthand::GreatestBy => self.extreme_by(context, Builtin::Max, of, &args[0], span),
            Shorthand::MapValues => self.map_values(context, of, &args[0], span),
        };
        written.unwrap_or_else(|| Expr::error(span))
    }

    /// `s - {x}`
    fn without(&mut self, context: &mut Context, of: Expr, arg: &'a ast::Expr, span: Span) -> Expr {
        let member = self.member_type(&of);
        let arg = self.check_expr(context, arg, &member, Some((of.span, "the elements are".to_string())));
        let ty = of.ty.clone();
        let one = Expr::new(ExprKind::Set([arg].into()), Type::Set(member.into()), span);
        pair(BinaryOperator::Subtract, of, one, ty, span)
    }

    /// `for some x in s: holds(x)`
    fn asked_of_all(
        &mut self,
        context: &mut Context,
        every: bool,
        of: Expr,
        arg: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let member = self.member_type(&of);
        let (definition, ty) = self.given_definition(context, arg, &member)?;
        if self.base(&ty) != Type::Bool {
            let found = self.show_type(&ty);
            self.report(Diagnostic::new(
                Code::T001,
                arg.span,
                format!("expected a definition that gives Bool, found {found}"),
            ));
            return None;
        }
        let (binder, item) = run_over(context, of, member, span);
        let body = Expr::new(ExprKind::Call { definition, args: [item].into() }, ty, span);
        let kind = ExprKind::Quantified { every, binders: [binder].into(), condition: None, body: body.into() };
        Some(Expr::new(kind, Type::Bool, span))
    }

    /// `min([(key(x), x) for x in s]).1`
    fn extreme_by(
        &mut self,
        context: &mut Context,
        function: Builtin,
        of: Expr,
        arg: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let member = self.member_type(&of);
        let (definition, ty) = self.given_definition(context, arg, &member)?;
        let (binder, item) = run_over(context, of, member.clone(), span);
        let key = Expr::new(ExprKind::Call { definition, args: [item.clone()].into() }, ty.clone(), span);
        let both = Type::Tuple([ty, member.clone()].into());
        let item = Expr::new(ExprKind::Tuple([key, item].into()), both.clone(), span);
        let pairs = Comprehension { shape: Shape::Seq, item, value: None, binders: [binder].into(), condition: None };
        let pairs = Expr::new(ExprKind::Comprehension(pairs.into()), Type::Seq(both.clone().into()), span);
        let best = Expr::new(ExprKind::Builtin { function, args: [pairs].into() }, both, span);
        Some(Expr::new(ExprKind::Field { of: best.into(), index: 1 }, member, span))
    }

    /// `{ k: change(m[k]) for k in m }`
    fn map_values(&mut self, context: &mut Context, of: Expr, arg: &'a ast::Expr, span: Span) -> Option<Expr> {
        let Type::Map(key, value) = self.base(&of.ty) else { return None };
        let (definition, ty) = self.given_definition(context, arg, &value)?;
        let (binder, item) = run_over(context, of.clone(), key.clone().take(), span);
        let old = ExprKind::Index { of: of.into(), index: item.clone().into() };
        let old = Expr::new(old, value.take(), span);
        let new = Expr::new(ExprKind::Call { definition, args: [old].into() }, ty.clone(), span);
        let pairs =
            Comprehension { shape: Shape::Map, item, value: Some(new), binders: [binder].into(), condition: None };
        Some(Expr::new(ExprKind::Comprehension(pairs.into()), Type::Map(key, ty.into()), span))
    }

    /// The name of a definition with one parameter of this type, and the type of what it gives.
    fn given_definition(
        &mut self,
        context: &mut Context,
        arg: &'a ast::Expr,
        member: &Type,
    ) -> Option<(DefinitionId, Type)> {
        let named = match &arg.kind {
            Tree::Name(name) if context.frame.find(name).is_none() => Some((name, self.symbols.value(name))),
            _ => None,
        };
        let Some((name, Some(symbol @ Symbol::Definition(id)))) = named else {
            let definitions: Vec<&str> = self.model.definitions.iter().map(|each| each.name.as_str()).collect();
            let near = named.and_then(|(name, _)| did_you_mean(name, definitions));
            let help = near.unwrap_or_else(|| "declare it: `def good(x: Int): Bool = x > 0`".into());
            self.report(
                Diagnostic::new(Code::T004, arg.span, "expected the name of a definition with one parameter")
                    .help(help),
            );
            return None;
        };
        self.used.insert(Use::Value(symbol));
        self.mention_symbol(arg.span, symbol, Role::Reads);
        let (wanted, ty) = self.callable(context, id, name, arg.span)?;
        let [(wanted, declared)] = &wanted[..] else {
            let count = interplay_diagnostics::amount(wanted.len(), "parameter");
            self.report(Diagnostic::new(Code::T003, arg.span, format!("`{name}` has {count}; one is needed here")));
            return None;
        };
        if self.unify(wanted, member).is_none() {
            let (wanted, found) = (self.show_type(wanted), self.show_type(member));
            self.report(
                Diagnostic::new(Code::T001, arg.span, format!("`{name}` takes {wanted}; the elements are {found}"))
                    .note(*declared, "the parameter is declared here"),
            );
            return None;
        }
        Some((id, ty))
    }
}

/// A binder over a collection, and what it binds.
fn run_over(context: &mut Context, of: Expr, member: Type, span: Span) -> (Binder, Expr) {
    let local: LocalId = context.frame.slot(Local { name: "each".into(), ty: member.clone(), span });
    (Binder { local, source: Source::In(of) }, Expr::new(ExprKind::Local(local), member, span))
}
