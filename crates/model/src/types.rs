//! Types, and the tables of declared ones.

use crate::{AliasId, EnumId, Expr, ObjectId, RangeId, RecordId, Shared};
use interplay_diagnostics::Span;

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    Int,
    /// Integers between two constants; an `Int` wherever it is read, checked wherever it is written.
    Range(RangeId),
    String,
    /// A declared name for another type; kept because a setup may give it a domain.
    Alias(AliasId),
    Enum(EnumId),
    Record(RecordId),
    Object(ObjectId),
    Tuple(Shared<[Type]>),
    Option(Shared<Type>),
    Seq(Shared<Type>),
    Set(Shared<Type>),
    Map(Shared<Type>, Shared<Type>),
    /// Not known: the element of `[]`, or the type of something that was reported as wrong. It fits everything.
    Unknown,
}

/// The declared types.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    pub aliases: Vec<Alias>,
    pub enums: Vec<Enum>,
    pub records: Vec<Record>,
    pub objects: Vec<Object>,
    pub ranges: Vec<Range>,
}

#[derive(Clone, Debug)]
pub struct Alias {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub variants: Vec<Variant>,
    /// Not declared by an `enum`, but by the `raises` of an action: the first case is what it returns, the others are exceptions.
    pub is_outcome: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    pub payload: Vec<Type>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub span: Span,
}

/// Bounds are expressions over constants, because a setup may override those.
#[derive(Clone, Debug)]
pub struct Range {
    pub low: Expr,
    pub high: Expr,
    pub span: Span,
}

impl TypeTable {
    /// The type itself, with declared names for it removed at the top.
    pub fn strip<'a>(&'a self, mut ty: &'a Type) -> &'a Type {
        while let Type::Alias(alias) = ty {
            ty = &self.aliases[alias.0].ty;
        }
        ty
    }

    /// Its values are made of objects, which are made during a run.
    pub fn has_objects(&self, ty: &Type) -> bool {
        let any = |types: &[Type]| types.iter().any(|ty| self.has_objects(ty));
        match self.strip(ty) {
            Type::Object(_) => true,
            Type::Option(inner) | Type::Set(inner) | Type::Seq(inner) => self.has_objects(inner),
            Type::Map(key, value) => self.has_objects(key) || self.has_objects(value),
            Type::Tuple(parts) => any(parts),
            Type::Record(id) => self.records[id.0].fields.iter().any(|(_, ty)| self.has_objects(ty)),
            Type::Enum(id) => self.enums[id.0].variants.iter().any(|variant| any(&variant.payload)),
            _ => false,
        }
    }

    /// The cases of what comes back from an action that `raises` something.
    pub fn outcome(&self, ty: &Type) -> Option<&Enum> {
        match ty {
            Type::Enum(id) => Some(&self.enums[id.0]).filter(|each| each.is_outcome),
            _ => None,
        }
    }

    /// As the user writes it.
    pub fn show(&self, ty: &Type) -> String {
        self.show_with(ty, &|id| format!("a range of Int (declared as `{}`)", self.show_range(id)))
    }

    /// The same, where the caller knows how to write a range.
    pub fn show_with(&self, ty: &Type, range: &dyn Fn(RangeId) -> String) -> String {
        let show = |ty: &Type| self.show_with(ty, range);
        match ty {
            Type::Bool => "Bool".into(),
            Type::Int => "Int".into(),
            Type::Range(id) => range(*id),
            Type::String => "String".into(),
            Type::Alias(id) => self.aliases[id.0].name.clone(),
            Type::Enum(id) => self.enums[id.0].name.clone(),
            Type::Record(id) => self.records[id.0].name.clone(),
            Type::Object(id) => self.objects[id.0].name.clone(),
            Type::Tuple(parts) => {
                format!("({})", parts.iter().map(show).collect::<Vec<_>>().join(", "))
            }
            Type::Option(inner) => format!("Option<{}>", show(inner)),
            Type::Seq(inner) => format!("Seq<{}>", show(inner)),
            Type::Set(inner) => format!("Set<{}>", show(inner)),
            Type::Map(key, value) => format!("Map<{}, {}>", show(key), show(value)),
            Type::Unknown => "_".into(),
        }
    }

    fn show_range(&self, id: RangeId) -> String {
        let range = &self.ranges[id.0];
        let bound = |expr: &Expr| expr.as_int().map_or("..".to_string(), |value| value.to_string());
        format!("{}..{}", bound(&range.low), bound(&range.high))
    }
}
