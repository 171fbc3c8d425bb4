//! Does a `match` cover all cases, and can each case be reached? The classical matrix algorithm: a vector of patterns is
//! *useful* after others if some vector of values matches it and none of the others.

use super::Lower;
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{Expr, Pattern, Type};

/// A constructor of values, as far as patterns can tell them apart.
#[derive(Clone, PartialEq)]
enum Head {
    Bool(bool),
    None,
    Some,
    Variant(usize),
    Tuple,
    /// A number or string, by its text.
    Literal(String),
}

impl Lower<'_> {
    /// Reports missing cases and cases that come too late.
    pub(super) fn check_cases(&mut self, value: &Expr, patterns: &[(&Pattern, Span)], span: Span) {
        // What is wrong with the value was told already.
        if self.is_open(&value.ty) {
            return;
        }
        let types = [value.ty.clone()];
        let mut rows: Vec<Vec<Pattern>> = Vec::new();
        for (pattern, at) in patterns {
            let row = vec![(*pattern).clone()];
            if self.missing(&rows, &row, &types).is_none() {
                self.report(
                    Diagnostic::new(Code::T006, *at, "unreachable case: earlier cases cover it")
                        .help("remove this case, or move it up"),
                );
            }
            rows.push(row);
        }
        if let Some(witness) = self.missing(&rows, &[Pattern::Wildcard], &types) {
            self.report(
                Diagnostic::new(Code::T005, span, format!("no case covers `{}`", witness[0]))
                    .note(value.span, format!("this is {}", self.show_type(&value.ty)))
                    .help("add the case, or `_ => ...` for all others"),
            );
        }
    }

    /// A vector of values (as text) that `row` matches and no row before does.
    fn missing(&self, rows: &[Vec<Pattern>], row: &[Pattern], types: &[Type]) -> Option<Vec<String>> {
        let Some((first, rest)) = row.split_first() else { return rows.is_empty().then(Vec::new) };
        let ty = self.base(&types[0]);
        match head(first) {
            Some(head) => self.missing_under(rows, &head, first, rest, &ty, &types[1..]),
            None => {
                let used: Vec<Head> = rows.iter().filter_map(|row| head(&row[0])).collect();
                let all = self.heads(&ty);
                match all {
                    Some(all) if all.iter().all(|head| used.contains(head)) => all
                        .iter()
                        .find_map(|head| self.missing_under(rows, head, &Pattern::Wildcard, rest, &ty, &types[1..])),
                    all => {
                        let others: Vec<Vec<Pattern>> =
                            rows.iter().filter(|row| head(&row[0]).is_none()).map(|row| row[1..].to_vec()).collect();
                        let found = self.missing(&others, rest, &types[1..])?;
                        let unused = all.and_then(|all| all.into_iter().find(|head| !used.contains(head)));
                        let name = unused.map_or("_".to_string(), |head| {
                            let arity = self.fields(&head, &ty).len();
                            self.show_head(&head, &ty, &vec!["_".to_string(); arity])
                        });
                        Some(std::iter::once(name).chain(found).collect())
                    }
                }
            }
        }
    }

    fn missing_under(
        &self,
        rows: &[Vec<Pattern>],
        head: &Head,
        first: &Pattern,
        rest: &[Pattern],
        ty: &Type,
        types: &[Type],
    ) -> Option<Vec<String>> {
        let fields = self.fields(head, ty);
        let specialised: Vec<Vec<Pattern>> =
            rows.iter().filter_map(|row| specialise(row, head, fields.len())).collect();
        let row = specialise(
            &std::iter::once(first.clone()).chain(rest.iter().cloned()).collect::<Vec<_>>(),
            head,
            fields.len(),
        )?;
        let arity = fields.len();
        let types: Vec<Type> = fields.into_iter().chain(types.iter().cloned()).collect();
        let found = self.missing(&specialised, &row, &types)?;
        let name = self.show_head(head, ty, &found[..arity]);
        Some(std::iter::once(name).chain(found[arity..].iter().cloned()).collect())
    }

    /// All constructors of a type, if there are finitely many.
    fn heads(&self, ty: &Type) -> Option<Vec<Head>> {
        match ty {
            Type::Bool => Some(vec![Head::Bool(false), Head::Bool(true)]),
            Type::Option(_) => Some(vec![Head::None, Head::Some]),
            Type::Enum(id) => Some((0..self.model.types.enums[id.0].variants.len()).map(Head::Variant).collect()),
            Type::Tuple(_) => Some(vec![Head::Tuple]),
            _ => None,
        }
    }

    fn fields(&self, head: &Head, ty: &Type) -> Vec<Type> {
        match (head, ty) {
            (Head::Some, Type::Option(inner)) => vec![Type::clone(inner)],
            (Head::Variant(variant), Type::Enum(id)) => self.model.types.enums[id.0].variants[*variant].payload.clone(),
            (Head::Tuple, Type::Tuple(parts)) => parts.to_vec(),
            _ => Vec::new(),
        }
    }

    fn show_head(&self, head: &Head, ty: &Type, args: &[String]) -> String {
        let args = args.join(", ");
        match (head, ty) {
            (Head::Bool(value), _) => value.to_string(),
            (Head::None, _) => "none".into(),
            (Head::Some, _) => format!("some({args})"),
            (Head::Variant(variant), Type::Enum(id)) => {
                let name = &self.model.types.enums[id.0].variants[*variant].name;
                if args.is_empty() { name.clone() } else { format!("{name}({args})") }
            }
            (Head::Tuple, _) => format!("({args})"),
            (Head::Literal(text), _) => text.clone(),
            (Head::Variant(_), _) => "_".into(),
        }
    }
}

fn head(pattern: &Pattern) -> Option<Head> {
    Some(match pattern {
        Pattern::Wildcard | Pattern::Bind(_) => return None,
        Pattern::Bool(value) => Head::Bool(*value),
        Pattern::Int(value) => Head::Literal(value.to_string()),
        Pattern::String(value) => Head::Literal(format!("{value:?}")),
        Pattern::None => Head::None,
        Pattern::Some(_) => Head::Some,
        Pattern::Variant { variant, .. } => Head::Variant(*variant),
        Pattern::Tuple(_) => Head::Tuple,
    })
}

/// The row for values built by `head`, or `None` if it matches none of them.
fn specialise(row: &[Pattern], wanted: &Head, arity: usize) -> Option<Vec<Pattern>> {
    let (first, rest) = row.split_first()?;
    let mut args = match (first, head(first)) {
        (_, None) => Vec::new(),
        (_, Some(found)) if found != *wanted => return None,
        (Pattern::Some(inner), _) => vec![(**inner).clone()],
        (Pattern::Variant { args, .. } | Pattern::Tuple(args), _) => args.to_vec(),
        _ => Vec::new(),
    };
    // As many as the type has: a pattern may not fit it, which was told elsewhere.
    args.resize(arity, Pattern::Wildcard);
    Some(args.into_iter().chain(rest.iter().cloned()).collect())
}
