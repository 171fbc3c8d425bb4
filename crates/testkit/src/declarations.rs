//! Constants, variables, definitions and properties.

use crate::expressions::{Expression, Hint, Level};
use crate::types::Type;
use crate::{Generator, Scope};

/// A definition that expressions may call.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) params: Vec<Type>,
    pub(crate) ty: Type,
}

impl Generator {
    pub(crate) fn declare_bounds(&mut self) {
        if self.dice.percent(25) {
            let name = self.fresh("c");
            let value = self.dice.between(2, 4);
            self.line(format!("const {name}: Int = {value}"));
            self.bounds.push(name.clone());
            self.constants.push((name, Type::Int));
        }
    }

    pub(crate) fn declare_constants(&mut self) {
        for _ in 0..self.dice.below(3) {
            let ty = self.some_type(1);
            if self.types.has_literal(&ty) {
                let name = self.fresh("c");
                let value = self.value(&ty);
                self.line(format!("const {name}: {} = {value}", self.types.show(&ty)));
                self.constants.push((name, ty));
            }
        }
    }

    pub(crate) fn declare_variables(&mut self, most: usize) {
        for _ in 0..1 + self.dice.below(most) {
            let ty = if self.whole.is_some() { self.small_variable() } else { self.some_type(2) };
            let (name, shown) = (self.fresh("v"), self.types.show(&ty));
            let given = if self.whole.is_some() { 85 } else { 94 };
            match self.types.has_literal(&ty) && self.dice.percent(given) {
                true => {
                    let value = self.value(&ty);
                    self.line(format!("var {name}: {shown} = {value}"));
                }
                false => {
                    self.line(format!("var {name}: {shown}"));
                    self.initial_condition(&name, &ty);
                }
            }
            self.variables.push((name, ty));
        }
    }

    /// A variable without a value stays unset, or starts with any value that a condition allows.
    fn initial_condition(&mut self, name: &str, ty: &Type) {
        let few = self.types.count(ty).is_some_and(|count| count <= 6) && self.types.has_literal(ty);
        if self.whole.is_some() && !self.is_careful() && few && self.dice.percent(15) {
            // It may be partial, or hold for no value.
            let condition = self.condition(&Scope { locals: vec![(name.into(), ty.clone())], ..Scope::default() }, 1);
            return self.line(format!("init {}", condition.text));
        }
        if few && (self.is_careful() || self.dice.percent(70)) {
            let value = self.value(ty);
            match self.dice.below(3) {
                0 => self.line(format!("init {name} in {{{value}}}")),
                1 => self.line(format!("init {name} <= {value}")),
                _ => self.line(format!("init {name} == {name}")),
            }
        }
    }

    pub(crate) fn declare_definitions(&mut self) {
        for _ in 0..self.dice.below(self.size as usize / 3 + 2) {
            let params: Vec<(String, Type)> =
                (0..self.dice.below(3)).map(|_| (self.fresh("p"), self.some_type(1))).collect();
            let ty = if self.dice.percent(40) { Type::Bool } else { self.some_type(1) };
            let scope = Scope { locals: params.clone(), ..Scope::default() };
            let depth = self.depth();
            let body = self.expression(&scope, &ty, depth, Hint::Given).text;
            let name = self.fresh("d");
            let shown = self.params(&params);
            self.line(format!("def {name}{shown}: {} = {body}", self.types.show(&ty)));
            let params = params.into_iter().map(|(_, ty)| ty).collect();
            self.definitions.push(Definition { name, params, ty });
        }
    }

    /// `(p: Int, q: Bool)`, or nothing if there are none.
    pub(crate) fn params(&self, params: &[(String, Type)]) -> String {
        let shown: Vec<String> = params.iter().map(|(name, ty)| format!("{name}: {}", self.types.show(ty))).collect();
        if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) }
    }

    /// Invariants: conditions on one state.
    pub(crate) fn properties(&mut self) {
        for _ in 0..self.dice.below(3) {
            let depth = self.depth();
            let Expression { text, .. } = self.condition(&Scope::default(), depth);
            let name = self.fresh("holds");
            self.line(format!("property {name}: always ({text})"));
        }
        if self.dice.percent(10) {
            let condition = self.condition(&Scope::default(), 1).at(Level::Open);
            self.line(format!("accepting {condition}"));
        }
    }
}
