//! Do two types fit? `Unknown` fits everything, a range is an `Int`, a declared name is what it stands for.

use super::Lower;
use interplay_model::{Shared, Type};

impl Lower<'_> {
    /// The more precise of two types that fit, or `None`.
    pub(super) fn unify(&self, left: &Type, right: &Type) -> Option<Type> {
        use Type::*;
        if left == right {
            return Some(left.clone());
        }
        match (left, right) {
            (Unknown, other) | (other, Unknown) => Some(other.clone()),
            (Alias(_), _) => self.unify(self.model.types.strip(left), right).map(|ty| self.keep_name(left, ty)),
            (_, Alias(_)) => self.unify(left, self.model.types.strip(right)).map(|ty| self.keep_name(right, ty)),
            (Range(_), Int | Range(_)) | (Int, Range(_)) => Some(Int),
            (Option(a), Option(b)) => Some(Option(self.unify(a, b)?.into())),
            (Seq(a), Seq(b)) => Some(Seq(self.unify(a, b)?.into())),
            (Set(a), Set(b)) => Some(Set(self.unify(a, b)?.into())),
            (Map(k, v), Map(l, w)) => Some(Map(self.unify(k, l)?.into(), self.unify(v, w)?.into())),
            (Tuple(a), Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).map(|(a, b)| self.unify(a, b)).collect::<std::option::Option<Shared<[_]>>>().map(Tuple)
            }
            _ => None,
        }
    }

    /// `Address` stays `Address` when it met the `String` that it stands for.
    fn keep_name(&self, alias: &Type, met: Type) -> Type {
        if self.model.types.strip(alias) == &met { alias.clone() } else { met }
    }

    /// Whether some part of the type is still open.
    pub(super) fn is_open(&self, ty: &Type) -> bool {
        match ty {
            Type::Unknown => true,
            Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => self.is_open(inner),
            Type::Map(key, value) => self.is_open(key) || self.is_open(value),
            Type::Tuple(parts) => parts.iter().any(|part| self.is_open(part)),
            _ => false,
        }
    }

    /// The type without names for it at the top, and ranges as `Int`: what operations look at.
    pub(super) fn base(&self, ty: &Type) -> Type {
        match self.model.types.strip(ty) {
            Type::Range(_) => Type::Int,
            other => other.clone(),
        }
    }

    pub(super) fn show_type(&self, ty: &Type) -> String {
        self.model.types.show(ty)
    }
}
