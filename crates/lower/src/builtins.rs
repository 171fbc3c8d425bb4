//! Operations on values: one table of what exists for which type, used for fields, methods and functions alike.

use super::{Lower, context::Context};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{Builtin, Expr, ExprKind, Offer, OfferKind, Type};
use interplay_syntax::ast::{self, ExprKind as Tree, Name};

/// What is called without a receiver.
pub(super) const FUNCTIONS: [&str; 5] = ["sum", "min", "max", "count", "abs"];

pub(super) fn function(name: &str) -> Option<Builtin> {
    Some(match name {
        "sum" => Builtin::Sum,
        "min" => Builtin::Min,
        "max" => Builtin::Max,
        "count" => Builtin::Count,
        "abs" => Builtin::Abs,
        _ => return None,
    })
}

/// What an operation takes besides its receiver, and what it gives.
struct Operation {
    name: &'static str,
    function: Builtin,
    args: Vec<Type>,
    result: Type,
}

/// All operations of a type (without names for it at the top).
fn operations(ty: &Type) -> Vec<Operation> {
    use Builtin::*;
    let operation = |name, function, args: &[Type], result: &Type| Operation {
        name,
        function,
        args: args.to_vec(),
        result: result.clone(),
    };
    let (int, bool) = (&Type::Int, &Type::Bool);
    match ty {
        Type::String => vec![operation("length", Size, &[], int), operation("is_empty", IsEmpty, &[], bool)],
        Type::Option(inner) => vec![
            operation("get", OptionGet, &[], inner),
            operation("or", OptionOr, &[Type::clone(inner)], inner),
            operation("is_some", IsSome, &[], bool),
            operation("is_none", IsNone, &[], bool),
        ],
        Type::Seq(inner) => vec![
            operation("length", Size, &[], int),
            operation("size", Size, &[], int),
            operation("is_empty", IsEmpty, &[], bool),
            operation("first", First, &[], inner),
            operation("last", Last, &[], inner),
            operation("rest", Rest, &[], ty),
            operation("front", Front, &[], ty),
            operation("reverse", Reverse, &[], ty),
            operation("starts_with", StartsWith, std::slice::from_ref(ty), bool),
            operation("contains", Contains, &[Type::clone(inner)], bool),
            operation("take", Take, &[Type::Int], ty),
            operation("drop", Drop, &[Type::Int], ty),
            operation("elements", Elements, &[], &Type::Set(inner.clone())),
        ],
        Type::Set(inner) => vec![
            operation("size", Size, &[], int),
            operation("is_empty", IsEmpty, &[], bool),
            operation("contains", Contains, &[Type::clone(inner)], bool),
            operation("subset_of", SubsetOf, std::slice::from_ref(ty), bool),
            operation("only", Only, &[], inner),
            operation("elements", Elements, &[], &Type::Seq(inner.clone())),
        ],
        Type::Map(key, value) => vec![
            operation("size", Size, &[], int),
            operation("is_empty", IsEmpty, &[], bool),
            operation("get", MapGet, &[Type::clone(key), Type::clone(value)], value),
            operation("find", MapFind, &[Type::clone(key)], &Type::Option(value.clone())),
            operation("keys", Keys, &[], &Type::Set(key.clone())),
            operation("values", Values, &[], &Type::Seq(value.clone())),
        ],
        _ => Vec::new(),
    }
}

/// What can stand after the dot behind a value of this type.
pub(super) fn operation_offers(ty: &Type) -> Vec<Offer> {
    let offer =
        |each: Operation| Offer::new(each.name, OfferKind::Operation).of_type(&each.result).taking(each.args.len());
    operations(ty).into_iter().map(offer).collect()
}

impl<'a> Lower<'a> {
    /// `e.length`, `point.x`, `pair.0`
    pub(super) fn value_field(&mut self, of: Expr, field: &'a Name, span: Span, _expected: Option<&Type>) -> Expr {
        self.offer_members(field.span, &of.ty);
        match self.base(&of.ty) {
            Type::Unknown => Expr::error(span),
            Type::Record(id) => {
                let fields = self.model.types.records[id.0].fields.clone();
                match fields.iter().position(|(name, _)| *name == field.text) {
                    Some(index) => {
                        self.mention_field(field.span, id, index);
                        Expr::new(ExprKind::Field { of: of.into(), index }, fields[index].1.clone(), span)
                    }
                    None => {
                        let of = self.show_type(&of.ty);
                        self.unknown_field(
                            &format!("the record `{of}`"),
                            field,
                            fields.iter().map(|(name, _)| name.as_str()),
                        );
                        Expr::error(span)
                    }
                }
            }
            Type::Tuple(parts) => match field.text.parse::<usize>().ok().filter(|index| *index < parts.len()) {
                Some(index) => Expr::new(ExprKind::Field { of: of.into(), index }, parts[index].clone(), span),
                None => {
                    let names: Vec<String> = (0..parts.len()).map(|index| index.to_string()).collect();
                    let of = self.show_type(&of.ty);
                    self.unknown_field(&of, field, names.iter().map(String::as_str));
                    Expr::error(span)
                }
            },
            base => match self.operation(&base, &of, field) {
                Some(operation) if operation.args.is_empty() => Expr::new(
                    ExprKind::Builtin { function: operation.function, args: [of].into() },
                    operation.result,
                    span,
                ),
                Some(operation) => {
                    self.count_arguments(&field.text, operation.args.len(), 0, span);
                    Expr::error(span)
                }
                None => Expr::error(span),
            },
        }
    }

    pub(super) fn value_method(
        &mut self,
        context: &mut Context,
        of: Expr,
        method: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
        _expected: Option<&Type>,
    ) -> Expr {
        self.offer_members(method.span, &of.ty);
        let base = self.base(&of.ty);
        if base == Type::Unknown {
            args.iter().for_each(|arg| drop(self.infer(context, arg, None)));
            return Expr::error(span);
        }
        let Some(operation) = self.operation(&base, &of, method) else { return Expr::error(span) };
        let wanted: Vec<(Type, Span)> = operation.args.iter().map(|ty| (ty.clone(), of.span)).collect();
        let Some(rest) = self.arguments(context, &method.text, &wanted, args, span) else { return Expr::error(span) };
        let result = rest
            .last()
            .filter(|_| matches!(operation.function, Builtin::MapGet | Builtin::OptionOr))
            .map(|arg| arg.ty.clone());
        let ty = result.and_then(|ty| self.unify(&operation.result, &ty)).unwrap_or(operation.result);
        let args = std::iter::once(of).chain(rest).collect();
        Expr::new(ExprKind::Builtin { function: operation.function, args }, ty, span)
    }

    fn operation(&mut self, base: &Type, of: &Expr, name: &Name) -> Option<Operation> {
        let known = operations(base);
        let names: Vec<&str> = known.iter().map(|operation| operation.name).collect();
        match known.iter().position(|operation| operation.name == name.text) {
            Some(index) => {
                self.mention_built_in(name.span);
                known.into_iter().nth(index)
            }
            None => {
                let ty = self.show_type(&of.ty);
                self.unknown_field(&ty, name, names.into_iter());
                None
            }
        }
    }

    /// `sum(e for ...)`, `min(s)`, `abs(e)`
    pub(super) fn builtin_function(
        &mut self,
        context: &mut Context,
        function: Builtin,
        name: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let [arg] = args else {
            self.count_arguments(&name.text, 1, args.len(), span);
            return Expr::error(span);
        };
        if function == Builtin::Abs {
            let arg = self.check_expr(context, arg, &Type::Int, None);
            return Expr::new(ExprKind::Builtin { function, args: [arg].into() }, Type::Int, span);
        }
        if function == Builtin::Count && !matches!(arg.kind, Tree::SeqComprehension(_)) {
            self.report(
                Diagnostic::new(Code::T004, span, "`count` takes a comprehension: `count(x for x in s where ...)`")
                    .help("the number of elements of a collection is its `.size` or `.length`"),
            );
            return Expr::error(span);
        }
        let arg = self.infer(context, arg, None);
        let element = self.member_type(&arg);
        let result = match function {
            Builtin::Sum => self.unify(&element, &Type::Int).map(|_| Type::Int),
            Builtin::Count => Some(Type::Int),
            _ => Some(if matches!(self.base(&element), Type::Int) { Type::Int } else { element.clone() }),
        };
        let Some(ty) = result else {
            let found = self.show_type(&element);
            self.report(Diagnostic::new(Code::T001, arg.span, format!("`sum` adds integers, not {found}")));
            return Expr::error(span);
        };
        Expr::new(ExprKind::Builtin { function, args: [arg].into() }, ty, span)
    }
}
