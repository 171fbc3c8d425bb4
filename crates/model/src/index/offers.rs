//! What could stand at a place where a name is being typed. The lowering says so itself, at the moment when it would look
//! the name up, so that what is offered is what would be understood.

use super::{DeclarationKind, Index, contains};
use crate::Type;
use interplay_diagnostics::{Point, Span};

/// A name that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub name: String,
    pub kind: OfferKind,
    pub ty: Option<Type>,
    /// Where it is declared.
    pub declared: Option<Span>,
    /// How many arguments it takes, if it takes any.
    pub arguments: usize,
    /// It has the type that is expected here.
    pub fits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    Declared(DeclarationKind),
    /// A type or function of the language.
    BuiltIn,
    /// `.length`
    Operation,
}

/// The place that is asked about, and what was found for it.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub(crate) at: Point,
    pub offers: Vec<Offer>,
}

impl Offer {
    pub fn new(name: impl Into<String>, kind: OfferKind) -> Offer {
        Offer { name: name.into(), kind, ty: None, declared: None, arguments: 0, fits: false }
    }

    pub fn declared(name: &str, kind: DeclarationKind, span: Span) -> Offer {
        Offer { declared: Some(span), ..Offer::new(name, OfferKind::Declared(kind)) }
    }

    pub fn of_type(self, ty: &Type) -> Offer {
        Offer { ty: Some(ty.clone()), ..self }
    }

    pub fn taking(self, arguments: usize) -> Offer {
        Offer { arguments, ..self }
    }
}

impl Index {
    /// An index that asks what could stand at a place.
    pub fn asking(at: Point) -> Index {
        Index { wanted: Some(Wanted { at, offers: Vec::new() }), ..Index::default() }
    }

    pub fn wants(&self, span: Span) -> bool {
        self.wanted.as_ref().is_some_and(|wanted| contains(span, wanted.at))
    }

    pub fn offer(&mut self, offers: impl IntoIterator<Item = Offer>) {
        if let Some(wanted) = &mut self.wanted {
            for offer in offers {
                if !wanted.offers.iter().any(|known| known.name == offer.name && known.declared == offer.declared) {
                    wanted.offers.push(offer);
                }
            }
        }
    }
}
