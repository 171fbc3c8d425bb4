//! `raises`: an input that may fail instead of returning.
//!
//! Engines know nothing of it. What comes back from such an input is a case of an enum of its own: `returned`, with the value if
//! there is one, or one case for each exception. `return e` gives the first, `raise Overdrawn` one of the others, and a block that does neither
//! returns. The enum has no name that a specification could use; [`Enum::is_outcome`] marks it, so that values are shown and
//! exchanged as users write them (`-> 7`, `-> Overdrawn`).

use super::{Lower, context::Context};
use interplay_diagnostics::{Code, Diagnostic, Span, did_you_mean};
use interplay_model::*;
use interplay_syntax::ast;

/// The case of an outcome that is no exception, which is always the first.
pub(super) const RETURNED: &str = "returned";

impl<'a> Lower<'a> {
    /// The type of what comes back, for an action that raises something. What it returns is known later.
    pub(super) fn declare_outcome(&mut self, action: &'a ast::Action) -> Option<Type> {
        let first = action.raises.first()?;
        let id = EnumId(self.model.types.enums.len());
        self.symbols.variants.entry(RETURNED).or_default().push((id, 0));
        let mut variants = vec![Variant { name: RETURNED.into(), payload: Vec::new(), span: first.span }];
        for name in &action.raises {
            match variants.iter().find(|variant| variant.name == name.text).map(|variant| variant.span) {
                Some(other) => self.declared_twice(name, other),
                None => {
                    self.symbols.variants.entry(&name.text).or_default().push((id, variants.len()));
                    variants.push(Variant { name: name.text.clone(), payload: Vec::new(), span: name.span });
                }
            }
        }
        let name = format!("outcome of {}", action.name.text);
        self.model.types.enums.push(Enum { name, variants, is_outcome: true, span: first.span });
        Some(Type::Enum(id))
    }

    /// The type of an action's result, where it returns the `value`: the outcome that was declared, or the value itself.
    pub(super) fn outcome_of(&mut self, declared: Option<Type>, value: Option<Type>) -> Option<Type> {
        let Some(Type::Enum(id)) = declared else { return value };
        self.model.types.enums[id.0].variants[0].payload = value.into_iter().collect();
        Some(Type::Enum(id))
    }

    /// The outcome of an action, if it raises something.
    pub(super) fn outcome(&self, action: ActionId) -> Option<EnumId> {
        match self.model.actions[action.0].result {
            Some(Type::Enum(id)) if self.model.types.enums[id.0].is_outcome => Some(id),
            _ => None,
        }
    }

    /// What `return` gives back: the declared type, which stands inside of an outcome.
    pub(super) fn returned_type(&self, action: ActionId) -> Option<Type> {
        match self.outcome(action) {
            Some(id) => self.model.types.enums[id.0].variants[0].payload.first().cloned(),
            None => self.model.actions[action.0].result.clone(),
        }
    }

    /// A value that is returned, as what comes back.
    pub(super) fn returning(&self, action: ActionId, value: Option<Expr>, span: Span) -> Option<Expr> {
        match self.outcome(action) {
            Some(id) => Some(case(id, 0, value.into_iter().collect(), span)),
            None => value,
        }
    }

    /// `raise Overdrawn`
    pub(super) fn raise(&mut self, context: &Context, name: &ast::Name, span: Span) -> Option<StatementKind> {
        let raised = context.action.and_then(|action| self.named_outcome(action, &name.text));
        let raised = raised.filter(|(_, variant)| *variant > 0);
        if raised.is_none() {
            self.not_raised(context.action, name);
        }
        raised.map(|(id, variant)| StatementKind::Return(case(id, variant, Vec::new(), span)))
    }

    /// The outcome of this name: an exception, or `returned` if there is no value.
    fn named_outcome(&self, action: ActionId, name: &str) -> Option<(EnumId, usize)> {
        let id = self.outcome(action)?;
        let named = |each: &Variant| each.name == name && each.payload.is_empty();
        Some((id, self.model.types.enums[id.0].variants.iter().position(named)?))
    }

    /// An outcome in a scenario, if it is called by its name: `-> Overdrawn`.
    pub(super) fn outcome_expression(&self, action: ActionId, tree: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Name(name) = &tree.kind else { return None };
        let (id, variant) = self.named_outcome(action, name)?;
        Some(case(id, variant, Vec::new(), tree.span))
    }

    fn not_raised(&mut self, action: Option<ActionId>, name: &ast::Name) {
        let inputs = action.filter(|action| self.model.actions[action.0].direction == Direction::Input);
        let Some(action) = inputs else {
            let message = "only a rule of an input can `raise`";
            self.report(Diagnostic::new(Code::S010, name.span, message));
            return;
        };
        let known: Vec<String> = self.outcome(action).map_or(Vec::new(), |id| {
            self.model.types.enums[id.0].variants.iter().skip(1).map(|variant| variant.name.clone()).collect()
        });
        let (at, input) = (self.model.actions[action.0].span, &self.model.actions[action.0].name);
        let help = did_you_mean(&name.text, known.iter().map(String::as_str))
            .unwrap_or_else(|| format!("declare it: `input {input}(...) raises {}`", name.text));
        let message = format!("`{input}` does not declare that it raises `{}`", name.text);
        self.report(Diagnostic::new(Code::S010, name.span, message).note(at, "declared here").help(help));
    }

    /// An input that returns no value, and does not raise anything on this way, returns.
    pub(super) fn return_at_the_end(&mut self, action: ActionId, body: Vec<Statement>, span: Span) -> Vec<Statement> {
        if self.returned_type(action).is_some()
            || self.outcome(action).is_none()
            || super::returns::always_returns(&body)
        {
            return body;
        }
        let returned = self.returning(action, None, span).map(StatementKind::Return);
        let ending = returned.map(|kind| Statement { kind, span });
        self.leave_at_return(body.into_iter().chain(ending).collect())
    }

    /// What comes back is said by `return` and `raise`, not by conditions on it.
    pub(super) fn refuse_condition_on_outcome(&mut self, span: Span) {
        let message = "the result of an input that raises something cannot be described by a condition";
        let help = "choose it: `choose x in SET`, then `return x`; a second rule may `raise`";
        self.report(Diagnostic::new(Code::S010, span, message).help(help));
    }
}

fn case(enumeration: EnumId, variant: usize, args: Vec<Expr>, span: Span) -> Expr {
    Expr::new(ExprKind::Variant { enumeration, variant, args: args.into() }, Type::Enum(enumeration), span)
}
