//! Operations on values: calls of what the [library](crate::library) lists, typed by the signatures there.

use super::{Lower, context::Context};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::library_parts;
use interplay_model::{Builtin, Expr, ExprKind, LIBRARY, Meaning, Offer, OfferKind, Operation, Shared, Type};
use interplay_syntax::ast::{self, ExprKind as Tree, Name};
use std::collections::BTreeMap;

/// The names of all functions that are called without a receiver.
pub(super) fn functions<'n>() -> impl Iterator<Item = &'n str> {
    LIBRARY.iter().filter(|row| row.receiver().is_none()).map(|row| -> &'n str { row.name() })
}

/// The function of this name.
pub(super) fn function(name: &str) -> Option<Builtin> {
    let row = LIBRARY.iter().find(|row| row.receiver().is_none() && row.name() == name)?;
    match row.meaning {
        Meaning::Value(function) => Some(function),
        Meaning::Short(_) => None,
    }
}

/// What can stand after the dot behind a value of this type.
pub(super) fn operation_offers(lower: &Lower<'_>, ty: &Type) -> Vec<Offer> {
    let offer = |(row, letters): (&'static Operation, Letters)| {
        let result = letters.fill(row.result());
        Offer::new(row.name(), OfferKind::Operation).of_type(&result).taking(row.params().len())
    };
    operations(lower, ty).map(offer).collect()
}

/// All operations of a type (without names for it at the top), with what the letters of their signatures stand for.
fn operations<'l>(lower: &'l Lower<'_>, ty: &'l Type) -> impl Iterator<Item = (&'static Operation, Letters)> + 'l {
    LIBRARY.iter().filter_map(move |row| {
        let mut letters = Letters::default();
        letters.learn(lower, row.receiver()?, ty).then_some((row, letters))
    })
}

/// What the letters of a signature stand for, as far as that is known.
#[derive(Clone, Default)]
struct Letters(BTreeMap<&'static str, Type>);

impl Letters {
    /// Whether a type has the shape that a signature asks for.
    fn learn(&mut self, lower: &Lower<'_>, wanted: &'static str, ty: &Type) -> bool {
        let (head, inside) = taken_apart(wanted);
        let ty = lower.model.types.strip(ty);
        let known = match (head, ty) {
            (_, Type::Unknown) => return inside.is_empty(),
            ("Option", Type::Option(inner)) | ("Seq", Type::Seq(inner)) | ("Set", Type::Set(inner)) => vec![inner],
            ("Map", Type::Map(key, value)) => vec![key, value],
            ("", Type::Tuple(parts)) if parts.len() == inside.len() => {
                return inside.iter().zip(parts).all(|(part, ty)| self.learn(lower, part, ty));
            }
            ("Option" | "Seq" | "Set" | "Map" | "", _) => return false,
            ("Int", ty) => return matches!(ty, Type::Int | Type::Range(_)),
            ("String", ty) => return *ty == Type::String,
            ("Bool", ty) => return *ty == Type::Bool,
            (letter, ty) => {
                let known = self.0.entry(letter).or_insert(Type::Unknown);
                *known = lower.unify(known, ty).unwrap_or_else(|| known.clone());
                return true;
            }
        };
        inside.iter().zip(known).all(|(part, ty)| self.learn_inside(lower, part, ty))
    }

    /// Names of types are kept where a letter stands for the whole.
    fn learn_inside(&mut self, lower: &Lower<'_>, wanted: &'static str, ty: &Type) -> bool {
        if self.0.contains_key(wanted) || taken_apart(wanted).1.is_empty() && wanted.len() == 1 {
            let known = self.0.entry(wanted).or_insert(Type::Unknown);
            *known = lower.unify(known, ty).unwrap_or_else(|| known.clone());
            return true;
        }
        self.learn(lower, wanted, ty)
    }

    fn fill(&self, signature: &'static str) -> Type {
        let (head, inside) = taken_apart(signature);
        let mut parts = inside.into_iter().map(|part| self.fill(part));
        let mut part = || Shared::new(parts.next().unwrap_or(Type::Unknown));
        match head {
            "Bool" => Type::Bool,
            "Int" => Type::Int,
            "String" => Type::String,
            "Option" => Type::Option(part()),
            "Seq" => Type::Seq(part()),
            "Set" => Type::Set(part()),
            "Map" => Type::Map(part(), part()),
            "" => Type::Tuple(parts.collect()),
            letter => self.0.get(letter).cloned().unwrap_or(Type::Unknown),
        }
    }
}

/// `Map<K, V>` is `Map` of `K` and `V`; a tuple has no head.
fn taken_apart(signature: &'static str) -> (&'static str, Vec<&'static str>) {
    let split = signature.split_once(['<', '(']);
    split.map_or((signature, Vec::new()), |(head, rest)| (head, library_parts(&rest[..rest.len() - 1])))
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
            _ => match self.operation(&of, field) {
                Some((row, letters)) if row.params().is_empty() => {
                    let Meaning::Value(function) = row.meaning else { return Expr::error(span) };
                    Expr::new(ExprKind::Builtin { function, args: [of].into() }, letters.fill(row.result()), span)
                }
                Some((row, _)) => {
                    self.count_arguments(&field.text, row.params().len(), 0, span);
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
        if self.base(&of.ty) == Type::Unknown {
            args.iter().for_each(|arg| drop(self.infer(context, arg, None)));
            return Expr::error(span);
        }
        let Some((row, mut letters)) = self.operation(&of, method) else { return Expr::error(span) };
        let function = match row.meaning {
            Meaning::Value(function) => function,
            Meaning::Short(short) => return self.shorthand(context, (row, short), of, args, span),
        };
        let wanted: Vec<(Type, Span)> = row.params().iter().map(|ty| (letters.fill(ty), of.span)).collect();
        let Some(rest) = self.arguments(context, &method.text, &wanted, args, span) else { return Expr::error(span) };
        for (param, arg) in row.params().iter().zip(&rest) {
            letters.learn_inside(self, param, &arg.ty);
        }
        let args = std::iter::once(of).chain(rest).collect();
        Expr::new(ExprKind::Builtin { function, args }, letters.fill(row.result()), span)
    }

    fn operation(&mut self, of: &Expr, name: &Name) -> Option<(&'static Operation, Letters)> {
        let found = operations(self, &of.ty).find(|(row, _)| row.name() == name.text);
        match found {
            Some(_) => self.mention_built_in(name.span),
            None => {
                let names: Vec<&str> = operations(self, &of.ty).map(|(row, _)| row.name()).collect();
                let ty = self.show_type(&of.ty);
                self.unknown_field(&ty, name, names.into_iter());
            }
        }
        found
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
        let several = args.len() > 1 && matches!(function, Builtin::Min | Builtin::Max);
        if several {
            return self.extreme_of(context, function, args, span);
        }
        if matches!(function, Builtin::Pow | Builtin::Subsets | Builtin::Maps) {
            return self.listed_function(context, function, name, args, span);
        }
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

    /// A function that takes what its signature says.
    fn listed_function(
        &mut self,
        context: &mut Context,
        function: Builtin,
        name: &'a Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let listed = LIBRARY.iter().find(|row| row.meaning == Meaning::Value(function));
        let Some(row) = listed else { return Expr::error(span) };
        let mut letters = Letters::default();
        let wanted: Vec<(Type, Span)> = row.params().iter().map(|ty| (letters.fill(ty), name.span)).collect();
        let Some(args) = self.arguments(context, &name.text, &wanted, args, span) else { return Expr::error(span) };
        for (param, arg) in row.params().iter().zip(&args) {
            letters.learn_inside(self, param, &arg.ty);
        }
        Expr::new(ExprKind::Builtin { function, args: args.into() }, letters.fill(row.result()), span)
    }

    /// `min(a, b)` is `min([a, b])`.
    fn extreme_of(&mut self, context: &mut Context, function: Builtin, args: &'a [ast::Expr], span: Span) -> Expr {
        let all = self.elements(context, args, span, None, interplay_model::Shape::Seq);
        let element = self.member_type(&all);
        let ty = if matches!(self.base(&element), Type::Int) { Type::Int } else { element };
        Expr::new(ExprKind::Builtin { function, args: [all].into() }, ty, span)
    }
}
