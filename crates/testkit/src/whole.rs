//! Small systems over the whole language, for those who look at all their states: few values, bounded growth, and in each
//! specification only some of the features, so that all of them meet in pairs.
//!
//! Two of three specifications are *careful*: nothing in them goes wrong by itself, because a model that does leaves little to
//! say about anything else. In the others partial operations stand wherever an expression can.

use crate::actions::Direction;
use crate::expressions::{Expression, Hint, Level};
use crate::types::Type;
use crate::{Generator, Scope};

/// What one specification is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    pub(crate) careful: bool,
    /// About one theme: what may have no value stands in every condition, behind what it needs.
    pub(crate) focused: bool,
    /// Numbers, Booleans and enums only, without loops, results and collections: what everybody understands.
    plain: bool,
    collections: bool,
    internal: bool,
    /// Types without end to which the setups give values.
    open: bool,
    objects: bool,
    pub(crate) observers: bool,
    pub(crate) formulas: bool,
    /// The variables that the component which is being written may write; otherwise all.
    pub(crate) writes: Option<Vec<(String, Type)>>,
}

impl Features {
    /// Of a specification about one theme.
    pub(crate) fn focused() -> Features {
        Features { careful: true, focused: true, ..Features::default() }
    }
}

/// A small specification of any discipline, the same one for the same seed.
pub fn generate_whole(seed: u64) -> String {
    let mut generator = Generator::new(seed, 1);
    let dice = &mut generator.dice;
    let plain = dice.percent(40);
    let features = Features {
        careful: dice.percent(66),
        focused: false,
        plain,
        collections: !plain && dice.percent(60),
        internal: dice.percent(35),
        open: !plain && dice.percent(25),
        objects: !plain && dice.percent(10),
        observers: dice.percent(35),
        formulas: dice.percent(75),
        writes: None,
    };
    generator.size = 1 + dice.below(4) as u32;
    generator.types.mixing = !features.careful && dice.percent(10);
    generator.reactive = false;
    let discipline = if plain { dice.below(13).saturating_sub(3) } else { dice.below(10) };
    generator.whole = Some(features);
    match discipline {
        0..5 => generator.small("system Generated"),
        5..8 => {
            generator.reactive = true;
            generator.small("system Generated reactive");
        }
        _ => {
            generator.reactive = true;
            generator.small_synchronous();
        }
    }
    generator.text
}

impl Generator {
    fn small(&mut self, head: &str) {
        self.line(head);
        self.declare_bounds();
        self.small_types();
        self.declare_constants();
        self.declare_variables(2);
        self.declare_definitions();
        self.declare_actions();
        self.declare_procs();
        self.own_rules();
        self.setters();
        self.services();
        self.judges();
        self.setups();
    }

    fn small_synchronous(&mut self) {
        self.line("system Generated synchronous");
        self.declare_bounds();
        self.small_types();
        self.declare_constants();
        self.declare_variables(2);
        self.declare_definitions();
        self.declare_signals();
        self.declare_procs();
        self.steps();
        self.judges();
        self.setups();
    }

    pub(crate) fn judges(&mut self) {
        self.properties();
        let features = self.whole.clone().unwrap_or_default();
        if features.formulas {
            self.formulas();
        }
        if features.observers {
            self.observer();
        }
        self.goals();
    }

    pub(crate) fn is_careful(&self) -> bool {
        self.whole.as_ref().is_some_and(|features| features.careful)
    }

    pub(crate) fn is_focused(&self) -> bool {
        self.whole.as_ref().is_some_and(|features| features.focused)
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.whole.as_ref().is_some_and(|features| features.plain)
    }

    pub(crate) fn has_internal(&self) -> bool {
        self.whole.as_ref().is_some_and(|features| features.internal)
    }

    /// What may be written here. Components that share variables are for those who are not careful.
    pub(crate) fn writable(&self) -> Vec<(String, Type)> {
        let own = self.whole.as_ref().and_then(|features| features.writes.clone());
        own.filter(|own| !own.is_empty()).unwrap_or_else(|| self.variables.clone())
    }

    /// A component, which writes what it declares if it has to be careful.
    pub(crate) fn within_component(&mut self, inside: impl FnOnce(&mut Generator)) {
        let before = self.variables.len();
        if self.is_careful() {
            self.declare_variables(1);
        }
        let own = self.variables[before..].to_vec();
        let careful = self.is_careful();
        if let Some(features) = self.whole.as_mut().filter(|_| careful) {
            features.writes = Some(own);
        }
        inside(self);
        if let Some(features) = &mut self.whole {
            features.writes = None;
        }
    }

    fn small_types(&mut self) {
        let features = self.whole.clone().unwrap_or_default();
        if features.open {
            let name = self.fresh("T");
            let ty = if self.dice.percent(70) { Type::Int } else { Type::String };
            self.line(format!("type {name} = {}", self.types.show(&ty)));
            self.types.open.push(self.types.aliases.len());
            self.types.aliases.push((name, ty));
        }
        if features.objects {
            let name = self.fresh("Thing");
            self.line(format!("object {name}"));
            self.types.objects.push(name);
        }
        for chance in [40, 10] {
            if self.dice.percent(chance) {
                let ty = self.range();
                let name = self.fresh("T");
                self.line(format!("type {name} = {}", self.types.show(&ty)));
                self.types.aliases.push((name, ty));
            }
        }
        if self.dice.percent(40) {
            self.declare_enum();
        }
        if !features.plain && self.dice.percent(35) {
            self.declare_record();
        }
    }

    /// A type that is not built of others on the spot.
    pub(crate) fn small_type(&mut self) -> Type {
        match self.dice.below(24) {
            0..9 => Type::Bool,
            9 if !self.is_plain() => Type::Int,
            10 if !self.is_plain() => Type::String,
            _ => self.range(),
        }
    }

    /// Of few values, or a small collection.
    pub(crate) fn small_variable(&mut self) -> Type {
        let collections = self.whole.as_ref().is_some_and(|features| features.collections);
        for _ in 0..4 {
            let ty = self.some_type(if collections { 2 } else { 1 });
            let small = self.types.count(&ty).is_some_and(|count| count <= 16);
            let grows = matches!(self.types.strip(&ty), Type::Seq(_) | Type::Map(..) | Type::Set(_));
            if small || collections && grows {
                return ty;
            }
        }
        self.range()
    }

    pub(crate) fn small_parameter(&mut self) -> Type {
        let open: Vec<usize> = self.types.open.clone();
        match self.dice.any(&open) {
            Some(id) if self.dice.percent(60) => {
                let id = *id;
                let inner = Box::new(Type::Alias(id));
                match self.dice.below(6) {
                    0 => Type::Option(inner),
                    1 => Type::Tuple(vec![*inner, Type::Bool]),
                    2 => Type::Set(inner),
                    _ => *inner,
                }
            }
            _ => self.finite_type(4),
        }
    }

    /// A part of something that can be named, or another value if it is not there.
    pub(crate) fn safe_projection(
        &mut self,
        scope: &Scope,
        (name, holder): (String, &Type),
        depth: u32,
    ) -> Option<Expression> {
        let text = match self.types.strip(holder).clone() {
            Type::Option(inner) => format!("{name}.or({})", self.arguments(scope, &[*inner], depth)),
            Type::Map(key, value) => format!("{name}.get({})", self.arguments(scope, &[*key, *value], depth)),
            _ => return None,
        };
        Some(Expression::operand(text))
    }

    /// Writes a place so that states stay few: numbers stay small, collections short.
    pub(crate) fn small_assignment(&mut self, scope: &Scope) {
        if let Some(thing) = self.dice.any(&self.types.objects.clone()).cloned()
            && scope.makes
            && self.dice.percent(40)
        {
            return self.make(&thing);
        }
        let (place, ty) = self.place(scope);
        let depth = self.depth() - 1;
        let line = match self.types.strip(&ty).clone() {
            _ if self.dice.percent(20) && self.types.has_literal(&ty) => format!("{place} = {}", self.value(&ty)),
            Type::Int | Type::Range(..) | Type::Bounded(..) => self.small_number(scope, &place, &ty, depth),
            Type::Seq(_) => {
                let added = self.construction(scope, &ty, 1, Hint::Given).at(Level::Open);
                match self.dice.below(3) {
                    0 => format!("if {place}.length < 2 {{ {place} += {added} }}"),
                    1 => format!("{place} = ({place} + {added}).take(2)"),
                    _ => format!("{place} = {added}"),
                }
            }
            Type::Set(_) if self.dice.percent(60) => {
                let operator = *self.dice.pick(&["+=", "-="]);
                format!("{place} {operator} {}", self.expression(scope, &ty, depth, Hint::Given).text)
            }
            Type::Map(key, _) if self.dice.percent(30) => {
                let keys = Type::Set(key);
                format!("{place} -= {}", self.expression(scope, &keys, 1, Hint::Given).text)
            }
            _ => format!("{place} = {}", self.expression(scope, &ty, depth, Hint::Given).text),
        };
        self.line(line);
    }

    fn small_number(&mut self, scope: &Scope, place: &str, ty: &Type, depth: u32) -> String {
        let bounded = self.types.strip(ty) != &Type::Int;
        match self.dice.below(8) {
            0 | 1 => format!("if {place} < 2 {{ {place} += 1 }}"),
            2 => format!("if {place} > 1 {{ {place} -= 1 }}"),
            3 if bounded && !self.is_careful() => format!("{place} += 1"),
            4 if bounded && !self.is_careful() => {
                format!("{place} = {}", self.expression(scope, &Type::Int, depth, Hint::Given).text)
            }
            5 => format!("{place} = 3 - {}", if self.dice.percent(70) { place } else { "1" })
                .replace("3 - ", if self.dice.percent(50) { "3 - " } else { "0 + " }),
            _ => {
                let value = self.expression(scope, &Type::Int, depth, Hint::Given).at(Level::Product);
                format!("{place} = 1 + {value} % 2")
            }
        }
    }

    /// One more object, if there are not too many.
    fn make(&mut self, thing: &str) {
        let holds = |ty: &Type| match self.types.strip(ty) {
            Type::Object(id) => self.types.objects[*id] == *thing,
            _ => false,
        };
        let places: Vec<String> =
            self.writable().iter().filter(|(_, ty)| holds(ty)).map(|(name, _)| name.clone()).collect();
        match self.dice.any(&places).cloned() {
            Some(place) => self.line(format!("if {thing}.count < 2 {{ {place} = new {thing} }}")),
            None => {
                let name = self.fresh("x");
                self.line(format!("if {thing}.count < 2 {{ let {name} = new {thing} }}"));
            }
        }
    }

    pub(crate) fn small_setups(&mut self) {
        let open = !self.types.open.is_empty();
        if !(open || self.dice.percent(60)) {
            return;
        }
        let first = self.fresh("setup");
        self.braces(&format!("setup {first}"), "", |generator| {
            generator.open_domains();
            generator.small_entries();
        });
        if self.dice.percent(20) {
            let second = self.fresh("setup");
            let extends = if open || self.dice.percent(70) { format!(" extends {first}") } else { String::new() };
            self.braces(&format!("setup {second}{extends}"), "", Generator::small_entries);
        }
    }

    fn open_domains(&mut self) {
        for id in self.types.open.clone() {
            let (name, ty) = self.types.aliases[id].clone();
            let values = match ty {
                Type::Int => ["{0, 1}", "{1, 2}", "0..1"],
                _ => ["{\"\", \"a\"}", "{\"a\", \"b\"}", "{\"b\"}"],
            };
            let values = *self.dice.pick(&values);
            self.line(format!("domain {name} = {values}"));
        }
    }

    pub(crate) fn small_entries(&mut self) {
        self.constant_entries();
        let inputs: Vec<_> =
            self.actions.iter().filter(|action| action.direction == Direction::Input).cloned().collect();
        for (name, ty) in [("Int", Type::Int), ("String", Type::String)] {
            if self.dice.percent(8) {
                self.domain(name, &ty);
            }
        }
        for (index, (name, ty)) in self.types.aliases.clone().into_iter().enumerate() {
            if !self.types.open.contains(&index) && self.dice.percent(20) {
                self.domain(&name, &ty);
            }
        }
        let params: Vec<(String, Type)> = inputs
            .iter()
            .flat_map(|input| input.params.iter().map(|(param, ty)| (format!("{}.{param}", input.name), ty.clone())))
            .filter(|(_, ty)| self.types.has_literal(ty))
            .collect();
        if let Some((name, ty)) = self.dice.any(&params).cloned()
            && self.dice.percent(15)
        {
            self.domain(&name, &ty);
        }
        if self.dice.percent(20) {
            let input = self.dice.pick(&inputs).clone();
            let scope = Scope { locals: input.params, ..Scope::default() };
            let condition = self.condition(&scope, 2).text;
            self.line(format!("limit {}: {condition}", input.name));
        }
        if self.dice.percent(15) {
            let condition = self.condition(&Scope::default(), 2).text;
            self.line(format!("keep {condition}"));
        }
        if self.dice.percent(10) {
            let ty = self.present_type(&Scope::default());
            let grouped = self.expression(&Scope::default(), &ty, 1, Hint::Absent).text;
            self.line(format!("group {grouped}"));
        }
        if self.dice.percent(10) && inputs.len() > 1 {
            self.line(format!("without {}", inputs[0].name));
        }
        let aliases: Vec<usize> = (0..self.types.enums.len()).collect();
        if let Some(id) = self.dice.any(&aliases).copied()
            && self.dice.percent(15)
        {
            self.line(format!("interchangeable {}", self.types.enums[id].0));
        }
        self.judging();
    }

    /// How an implementation is judged.
    fn judging(&mut self) {
        let choices: [(u32, &[&str]); 5] = [
            (60, &["conformance ioco", "conformance uioco", "conformance alternating", "conformance ioco"]),
            (30, &["refusals fail", "refusals ignore", "refusals unspecified"]),
            (50, &["silence judged 10ms", "silence unjudged", "silence judged 5ms"]),
            (8, &["transit queue 1", "transit queue 2"]),
            (10, &["overwrites none", "overwrites 1"]),
        ];
        for (chance, lines) in choices {
            // Elsewhere outputs belong to a step, and nothing overtakes them.
            if lines[0].starts_with("transit") && self.reactive {
                continue;
            }
            if self.dice.percent(chance) {
                let line = *self.dice.pick(lines);
                self.line(line);
            }
        }
    }
}
