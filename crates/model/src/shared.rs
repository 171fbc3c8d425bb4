//! Parts of a tree that many trees may have in common: a copy of an expression or of a type copies one pointer, however
//! large it is. [`Expr`](crate::Expr), [`Type`](crate::Type) and [`Statement`](crate::Statement) are made of these.
//!
//! Reading is as with a `Box`. Writing copies the one node that is written to, if another tree has it too, and never what
//! hangs below it, so that an operation on a specification pays for what it changes. The price is a counter per node, and
//! that who takes a part out of its tree ([`Shared::take`]) may have to copy that node.
//!
//! ```
//! use interplay_model::{Shared, Type};
//!
//! let ints = Type::Seq(Type::Int.into());
//! let mut pair: Shared<[Type]> = [ints.clone(), ints].into();
//! let kept = pair.clone();
//! pair[0] = Type::Bool;
//! assert_eq!((&kept[0], &pair[1]), (&Type::Seq(Type::Int.into()), &kept[1]));
//! ```

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// One value, or with `Shared<[T]>` a list of them.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shared<T: ?Sized>(Arc<T>);

impl<T> Shared<T> {
    pub fn new(value: T) -> Shared<T> {
        Shared(Arc::new(value))
    }
}

impl<T: Clone> Shared<T> {
    /// The value itself, copied only if another tree has it too.
    pub fn take(self) -> T {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<T: Clone> Shared<[T]> {
    /// Lets the list be changed as one that can grow and shrink.
    pub fn edit(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        let mut parts = self.to_vec();
        change(&mut parts);
        *self = parts.into();
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(self.0.clone())
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: Clone> DerefMut for Shared<[T]> {
    fn deref_mut(&mut self) -> &mut [T] {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared::new(value)
    }
}

impl<T> From<Vec<T>> for Shared<[T]> {
    fn from(parts: Vec<T>) -> Shared<[T]> {
        Shared(parts.into())
    }
}

impl<T, const N: usize> From<[T; N]> for Shared<[T]> {
    fn from(parts: [T; N]) -> Shared<[T]> {
        Shared(Arc::new(parts))
    }
}

impl<T: Clone> From<&[T]> for Shared<[T]> {
    fn from(parts: &[T]) -> Shared<[T]> {
        Shared(parts.into())
    }
}

impl<T> FromIterator<T> for Shared<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Shared<[T]> {
        Shared(parts.into_iter().collect())
    }
}

impl<T> Default for Shared<[T]> {
    fn default() -> Shared<[T]> {
        Shared(Arc::new([]))
    }
}

impl<'a, T> IntoIterator for &'a Shared<[T]> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Shared<[T]> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
