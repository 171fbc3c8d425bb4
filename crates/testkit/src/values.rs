//! Values written down: initial values, constants, domains.

use crate::Generator;
use crate::types::Type;

impl Generator {
    /// A value of the type, for a place where the text says the type. The type must have one.
    pub(crate) fn value(&mut self, ty: &Type) -> String {
        match self.types.strip(ty).clone() {
            Type::Bool => self.dice.percent(50).to_string(),
            Type::Int => self.dice.between(-3, 9).to_string(),
            Type::Range(low, high) => self.dice.between(low, high.min(low + 8)).to_string(),
            // The constant is at least 2.
            Type::Bounded(low, _) => self.dice.between(low, 2).to_string(),
            Type::String => self.string(),
            Type::Enum(id) => self.variant_value(id),
            Type::Record(id) => {
                let (name, fields) = self.types.records[id].clone();
                let fields: Vec<String> =
                    fields.iter().map(|(field, ty)| format!("{field}: {}", self.value(ty))).collect();
                format!("{name}({})", fields.join(", "))
            }
            Type::Tuple(parts) => format!("({})", self.values(&parts)),
            Type::Option(inner) if self.dice.percent(50) && self.types.has_literal(&inner) => {
                format!("some({})", self.value(&inner))
            }
            Type::Option(_) => "none".into(),
            Type::Seq(inner) => format!("[{}]", self.some_values(&inner)),
            Type::Set(inner) => format!("{{{}}}", self.some_values(&inner)),
            Type::Map(key, value) => self.map_value(&key, &value),
            Type::Object(_) | Type::Alias(_) => unreachable!("the caller asks whether there is a literal"),
        }
    }

    pub(crate) fn string(&mut self) -> String {
        self.dice.pick(&["\"\"", "\"a\"", "\"b\"", "\"größe\""]).to_string()
    }

    fn values(&mut self, types: &[Type]) -> String {
        types.iter().map(|ty| self.value(ty)).collect::<Vec<_>>().join(", ")
    }

    fn variant_value(&mut self, id: usize) -> String {
        let variants: Vec<(String, Vec<Type>)> = self.types.enums[id].1.clone();
        let possible: Vec<_> =
            variants.into_iter().filter(|(_, payload)| payload.iter().all(|ty| self.types.has_literal(ty))).collect();
        let (name, payload) = self.dice.pick(&possible).clone();
        if payload.is_empty() { name } else { format!("{name}({})", self.values(&payload)) }
    }

    fn some_values(&mut self, ty: &Type) -> String {
        let count = if self.types.has_literal(ty) { self.dice.below(4) } else { 0 };
        (0..count).map(|_| self.value(ty)).collect::<Vec<_>>().join(", ")
    }

    fn map_value(&mut self, key: &Type, value: &Type) -> String {
        let count = if self.types.has_literal(key) && self.types.has_literal(value) { self.dice.below(4) } else { 0 };
        let pairs: Vec<String> = (0..count).map(|_| format!("{}: {}", self.value(key), self.value(value))).collect();
        if pairs.is_empty() { "{}".into() } else { format!("{{ {} }}", pairs.join(", ")) }
    }
}
