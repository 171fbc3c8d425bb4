//! Types and parameters.
//!
//! A type may be a range, whose bounds are expressions; a name or a parenthesis can therefore start either. The token after
//! it decides: only a bound is followed by an operator.

use super::{Parsed, Parser};
use crate::ast::{Expr, Param, Type, TypeKind};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn type_(&mut self) -> Parsed<Type> {
        self.nested(|parser| {
            let start = parser.cursor.position;
            let kind = parser.type_kind()?;
            Ok(Type { kind, span: parser.span_from(start) })
        })
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        match self.kind() {
            TokenKind::Name if self.item_interrupts() => Err(self.expected("a type")),
            TokenKind::Name if is_bound_operator(self.cursor.kind_ahead(1)) => self.range_type(),
            TokenKind::Name => self.named_type(),
            TokenKind::OpenParen if self.range_follows_parenthesis() => self.range_type(),
            TokenKind::OpenParen => self.tuple_type(),
            TokenKind::Int | TokenKind::Minus => self.range_type(),
            TokenKind::OpenSquare => {
                Err(self.expected_with_help("a type", Some("write `Seq<T>` for a sequence of `T`".into())))
            }
            _ => Err(self.expected("a type")),
        }
    }

    fn range_type(&mut self) -> Parsed<TypeKind> {
        let low = self.bound()?;
        self.expect(TokenKind::DotDot, "`..` of a range")?;
        Ok(TypeKind::Range(Box::new(low), Box::new(self.bound()?)))
    }

    fn range_follows_parenthesis(&self) -> bool {
        let closing = self.cursor.partner(self.cursor.position);
        closing.is_some_and(|closing| is_bound_operator(self.cursor.lexeme(closing + 1).token.kind))
    }

    fn tuple_type(&mut self) -> Parsed<TypeKind> {
        let opener = self.cursor.position;
        let mut list = self.list(Self::type_);
        match list.elements.len() {
            0 => {
                if !list.broken {
                    self.nothing_between("a type", opener);
                }
                Ok(TypeKind::Error)
            }
            1 => Ok(list.elements.remove(0).kind),
            _ => Ok(TypeKind::Tuple(list.elements)),
        }
    }

    fn named_type(&mut self) -> Parsed<TypeKind> {
        let name = self.take_name().text;
        if !self.at(TokenKind::Less) {
            return Ok(plain_type(name));
        }
        match name.as_str() {
            "Option" => Ok(TypeKind::Option(self.one_argument()?)),
            "Seq" => Ok(TypeKind::Seq(self.one_argument()?)),
            "Set" => Ok(TypeKind::Set(self.one_argument()?)),
            "Map" => self.map_type(),
            _ => {
                let help = "the types with parameters are `Option<T>`, `Seq<T>`, `Set<T>` and `Map<K, V>`";
                Err(self.expected_with_help("the end of the type", Some(help.into())))
            }
        }
    }

    fn one_argument(&mut self) -> Parsed<Box<Type>> {
        self.bump();
        let argument = self.type_()?;
        self.close_angle()?;
        Ok(Box::new(argument))
    }

    fn map_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        let key = self.type_()?;
        self.expect(TokenKind::Comma, "`,` between the type of the keys and that of the values")?;
        let value = self.type_()?;
        self.close_angle()?;
        Ok(TypeKind::Map(Box::new(key), Box::new(value)))
    }

    fn close_angle(&mut self) -> Parsed<()> {
        if self.at(TokenKind::GreaterEqual) {
            self.cursor.split_first_byte(TokenKind::Assign);
            return Ok(());
        }
        self.expect(TokenKind::Greater, "`>`")
    }

    /// A bound of a range: sums and products, but neither comparisons nor another range.
    fn bound(&mut self) -> Parsed<Expr> {
        self.sum()
    }

    /// `(x: Int, y: Bool)`, or nothing at all.
    pub(super) fn optional_params(&mut self) -> Vec<Param> {
        if self.at(TokenKind::OpenParen) { self.list(Self::param).elements } else { Vec::new() }
    }

    pub(super) fn param(&mut self) -> Parsed<Param> {
        let name = self.name()?;
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `name: Type`");
        Ok(Param { name, ty: self.type_in_list() })
    }

    /// The list around it skips what could not be read of the type; the name before it is kept.
    fn type_in_list(&mut self) -> Type {
        let start = self.cursor.position;
        let failed = |parser: &mut Self| {
            parser.silent_at = Some(parser.cursor.position);
            while !matches!(parser.kind(), TokenKind::Comma | TokenKind::End) && !parser.kind().is_closing() {
                parser.skip_one();
                parser.silent_at = Some(parser.cursor.position);
            }
            Type { kind: TypeKind::Error, span: parser.span_from(start) }
        };
        self.type_().unwrap_or_else(|_| failed(self))
    }
}

fn plain_type(name: String) -> TypeKind {
    match name.as_str() {
        "Bool" => TypeKind::Bool,
        "Int" => TypeKind::Int,
        "String" => TypeKind::String,
        _ => TypeKind::Named(name),
    }
}

fn is_bound_operator(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, DotDot | Plus | Minus | Star | Slash | Percent | Dot | OpenParen | OpenSquare)
}
