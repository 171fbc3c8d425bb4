//! Enumerations whose values are words. A word is written once: people read it, JSON has it, the schema lists it.

/// An enumeration with a word for each value, as `word()` and in JSON. A macro, because an attribute for JSON and a
/// function for people would be two places that may differ.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $word:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            /// As people and programs read it.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }
        }
    )*};
}

pub(crate) use words;
