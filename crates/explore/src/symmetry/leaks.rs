//! Does a value of a class become one of another type? A type that is declared as another name for `Int` or `String` has its values
//! in common with it; what is stored or compared as a plain number would not be renamed with the others.

use super::classes::Class;
use super::mentions::{contains, other_statements};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Model, PathStep, Statement, StatementKind, Type};

pub(super) fn check(model: &Model, class: &Class) -> Result<(), String> {
    let leaks = Leaks { model, class };
    let variables = model.variables.iter().filter_map(|variable| Some((&variable.ty, variable.value.as_ref()?)));
    let bodies = model.rules.iter().flat_map(|rule| &rule.body);
    let mut found = variables.into_iter().any(|(ty, value)| leaks.mixes(ty, &value.expr.ty));
    for statement in bodies.chain(other_statements(model)) {
        statement.walk(&mut |statement| found |= leaks.statement(statement));
    }
    super::mentions::each_expression_of_model(model, &mut |expr| {
        expr.walk(&mut |part| found |= leaks.expression(part));
    });
    match found {
        true => {
            Err(format!("values of `{}` cannot be renamed: they are mixed with values of another type", class.name))
        }
        false => Ok(()),
    }
}

struct Leaks<'l> {
    model: &'l Model,
    class: &'l Class,
}

impl Leaks<'_> {
    /// One of the types has values of the class inside and the other has not, and both are known.
    fn mixes(&self, one: &Type, two: &Type) -> bool {
        let known = |ty: &Type| !contains(self.model, ty, &Type::Unknown);
        known(one) && known(two) && self.concerns(one) != self.concerns(two)
    }

    fn concerns(&self, ty: &Type) -> bool {
        contains(self.model, ty, &self.class.ty)
    }

    fn statement(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Assign { place, value } => {
                let mut ty = self.model.variables[place.variable.0].ty.clone();
                let mut leaks = false;
                for step in &place.path {
                    let PathStep::Index(index) = step else { return leaks || self.mixes(&place.ty, &value.ty) };
                    let Type::Map(key, inner) = self.model.types.strip(&ty).clone() else { break };
                    leaks |= self.mixes(&key, &index.ty);
                    ty = inner.take();
                }
                leaks || self.mixes(&place.ty, &value.ty)
            }
            StatementKind::Emit { action, args } => {
                let params = &self.model.actions[action.0].params;
                params.iter().zip(args).any(|(param, arg)| self.mixes(&param.ty, &arg.ty))
            }
            _ => false,
        }
    }

    fn expression(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Binary { operator: BinaryOperator::Equal | BinaryOperator::NotEqual, left, right } => {
                self.mixes(&left.ty, &right.ty)
            }
            ExprKind::Binary { operator: BinaryOperator::In | BinaryOperator::NotIn, left, right } => {
                self.element(&right.ty).is_some_and(|element| self.mixes(&left.ty, element))
            }
            ExprKind::Binary {
                operator: BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Intersect,
                left,
                right,
            } => self.mixes(&left.ty, &right.ty),
            ExprKind::Index { of, index } => match self.model.types.strip(&of.ty) {
                Type::Map(key, _) => self.mixes(key, &index.ty),
                _ => false,
            },
            ExprKind::Builtin { function: Builtin::Contains | Builtin::MapGet | Builtin::MapFind, args } => {
                self.element(&args[0].ty).is_some_and(|element| self.mixes(element, &args[1].ty))
            }
            ExprKind::Builtin { function: Builtin::IndexOf | Builtin::Occurrences | Builtin::RemoveFirst, args } => {
                self.element(&args[0].ty).is_some_and(|element| self.mixes(element, &args[1].ty))
            }
            ExprKind::Builtin { function: Builtin::Insert | Builtin::Update, args } => {
                self.element(&args[0].ty).is_some_and(|element| self.mixes(element, &args[2].ty))
            }
            ExprKind::Call { definition, args } => {
                let definition = &self.model.definitions[definition.0];
                let params = definition.locals.iter().zip(args);
                self.mixes(&part.ty, &definition.body.ty)
                    || params.into_iter().any(|(param, arg)| self.mixes(&param.ty, &arg.ty))
            }
            ExprKind::If { then, otherwise, .. } => self.mixes(&then.ty, &otherwise.ty),
            _ => false,
        }
    }

    /// Of a sequence or set, or the key of a map.
    fn element<'t>(&'t self, ty: &'t Type) -> Option<&'t Type> {
        match self.model.types.strip(ty) {
            Type::Seq(inner) | Type::Set(inner) | Type::Map(inner, _) => Some(inner),
            _ => None,
        }
    }
}
