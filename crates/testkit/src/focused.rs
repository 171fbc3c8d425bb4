//! Specifications about one theme each: few variables, few actions, and the theme in every place in which it can stand. What is rare in
//! a system over the whole language is here in each of them, and meets what is said about it: properties, observers, goals, setups.
//!
//! A theme is a part of the language, not a text: which types, values, actions and conditions there are is left to the dice.

use crate::actions::{Action, Direction};
use crate::types::Type;
use crate::whole::Features;
use crate::{Generator, Scope};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Types without end that have a domain, deep inside others.
    Values,
    /// Whoever judges may have no value, though the system always has one.
    Judges,
    /// Components that write the same variable, or parts of it.
    Parts,
    /// Conditions on where it starts.
    Starts,
    /// Conditions that protect each other, and promises about results.
    Guards,
    /// Several steps with the same label, internal ones between them.
    Choices,
    /// What a setup gives and what it keeps.
    Drives,
    /// Formulas with bounds, several of them about the same events.
    Promises,
    /// Services that gather inputs in any order.
    Collects,
    /// Values that may be renamed, and loops over them.
    Renames,
    /// What a setup asks of an input that its guard protects.
    Offers,
    /// How a run ends, what is pending then, and whether that is meant.
    Ends,
    /// What an input answers, and those who listen to it.
    Answers,
    /// What a formula remembers of a state that nobody saw.
    Memories,
    /// Setups that leave next to nothing.
    Nothing,
}

/// In the order in which seeds go through them; those in which less can go wrong at a time come twice.
const THEMES: [Theme; 20] = [
    Theme::Values,
    Theme::Choices,
    Theme::Guards,
    Theme::Collects,
    Theme::Judges,
    Theme::Parts,
    Theme::Drives,
    Theme::Choices,
    Theme::Promises,
    Theme::Guards,
    Theme::Starts,
    Theme::Renames,
    Theme::Offers,
    Theme::Ends,
    Theme::Memories,
    Theme::Answers,
    Theme::Offers,
    Theme::Ends,
    Theme::Memories,
    Theme::Nothing,
];

/// Every second one is about a theme, the others are over the whole language.
pub fn generate_any(seed: u64) -> String {
    if seed.is_multiple_of(2) { crate::generate_whole(seed) } else { generate_focused(seed) }
}

/// A small specification about one theme, the same one for the same seed; seeds that follow each other have different themes.
pub fn generate_focused(seed: u64) -> String {
    let mut generator = Generator::new(seed, 1);
    generator.reactive = false;
    generator.whole = Some(Features::focused());
    match THEMES[theme(seed)] {
        Theme::Values => generator.about_values(),
        Theme::Judges => generator.about_judges(),
        Theme::Parts => generator.about_parts(),
        Theme::Starts => generator.about_starts(),
        Theme::Guards => generator.about_guards(),
        Theme::Choices => generator.about_choices(false),
        Theme::Drives => generator.about_drives(),
        Theme::Promises => generator.about_choices(true),
        Theme::Collects => generator.about_collects(),
        Theme::Renames => generator.about_renames(),
        Theme::Offers => generator.about_offers(),
        Theme::Ends => generator.about_ends(),
        Theme::Answers => generator.about_answers(),
        Theme::Memories => generator.about_memories(),
        Theme::Nothing => generator.about_nothing(),
    }
    generator.text
}

/// Every round begins one theme later, so that whoever looks at a seed's last digits sees all of them.
fn theme(seed: u64) -> usize {
    let turn = seed / 2;
    (turn + turn / THEMES.len() as u64) as usize % THEMES.len()
}

impl Generator {
    fn features(&mut self) -> &mut Features {
        self.whole.get_or_insert_default()
    }

    /// Of two disciplines; the third has other rules.
    pub(crate) fn head_line(&mut self, reactive: u32) {
        self.reactive = self.dice.percent(reactive);
        self.line(if self.reactive { "system Generated reactive" } else { "system Generated" });
        self.declare_bounds();
    }

    pub(crate) fn new_alias(&mut self, ty: Type, open: bool) -> Type {
        let name = self.fresh("T");
        self.line(format!("type {name} = {}", self.types.show(&ty)));
        let id = self.types.aliases.len();
        if open {
            self.types.open.push(id);
        }
        self.types.aliases.push((name, ty));
        Type::Alias(id)
    }

    pub(crate) fn new_variable(&mut self, ty: Type) -> String {
        let name = self.fresh("v");
        let value = self.value(&ty);
        self.line(format!("var {name}: {} = {value}", self.types.show(&ty)));
        self.variables.push((name.clone(), ty));
        name
    }

    pub(crate) fn known_action(
        &mut self,
        direction: Direction,
        params: Vec<(String, Type)>,
        own: bool,
    ) -> (Action, String) {
        let name = self.fresh(match direction {
            Direction::Input => "in",
            Direction::Output => "out",
            Direction::Internal => "tau",
        });
        let mut action = Action::signal(name, direction, params);
        action.own = own;
        self.actions.push(action.clone());
        let head = self.head(&action);
        (action, head)
    }

    /// Something that is not always there.
    pub(crate) fn holder(&mut self) -> Type {
        let inner = Box::new(Type::Range(0, 2));
        match self.dice.below(7) {
            0 => Type::Option(inner),
            1 => Type::Set(inner),
            2 => Type::Seq(inner),
            3 => Type::Map(Box::new(Type::Range(1, 2)), inner),
            4 => Type::Tuple(vec![*inner, Type::Option(Box::new(Type::Range(0, 2)))]),
            5 => Type::Map(Box::new(Type::Bool), Box::new(Type::Option(inner))),
            _ => *inner,
        }
    }

    /// The rules are careful, and those who judge are not.
    fn careless_judges(&mut self) {
        self.features().careful = false;
        self.judges();
    }

    fn about_judges(&mut self) {
        self.head_line(35);
        for _ in 0..1 + self.dice.below(2) {
            let ty = self.holder();
            self.new_variable(ty);
        }
        // What the rules read has a value; this one is read by those who judge.
        let mut unset = None;
        if self.dice.percent(30) {
            let (name, input) = (self.fresh("v"), self.fresh("in"));
            self.line(format!("var {name}: 0..2"));
            self.line(format!("input {input} {{ {name} = 1 }}"));
            unset = Some((name, Type::Range(0, 2)));
        }
        self.declare_actions();
        self.own_rules();
        self.setters();
        self.services();
        self.variables.extend(unset);
        let dice = &mut self.dice;
        let (formulas, observers) = (dice.percent(60), dice.percent(40));
        (self.features().formulas, self.features().observers) = (formulas, observers);
        self.invariant();
        self.careless_judges();
        self.features().careful = true;
        self.setups();
    }

    /// One condition on every state, with something in it that may have no value.
    fn invariant(&mut self) {
        let partial = self.partial(&Scope::default());
        let Some((needs, says)) = partial else { return };
        let word = *self.dice.pick(&["always", "never", "possible"]);
        let said = match self.dice.below(4) {
            0 => format!("{needs} and {says}"),
            1 => format!("not ({needs}) or {says}"),
            _ => says,
        };
        let name = self.fresh("holds");
        self.line(format!("property {name}: {word} ({said})"));
    }

    /// A condition that has no value in some states, and what it needs to have one.
    pub(crate) fn partial(&mut self, scope: &Scope) -> Option<(String, String)> {
        let (needs, part, ty) = self.partial_value(scope)?;
        let relation = *self.dice.pick(&["==", "!=", "==", "<=", ">"]);
        Some((needs, format!("{part} {relation} {}", self.value(&ty))))
    }

    /// What is needed, the part that is there then, and its type.
    pub(crate) fn partial_value(&mut self, scope: &Scope) -> Option<(String, String, Type)> {
        let readable = self.readable(scope);
        let constant = |name: &String| self.constants.iter().any(|(own, _)| own == name);
        let found: Vec<(String, Type)> =
            readable.into_iter().filter(|(name, ty)| self.is_holder(ty) && !constant(name)).collect();
        let (name, ty) = self.dice.any(&found)?.clone();
        Some(match self.types.strip(&ty).clone() {
            Type::Option(inner) => (format!("{name}.is_some"), format!("{name}.get"), *inner),
            Type::Seq(inner) => match self.dice.below(3) {
                0 => (format!("{name}.length > 1"), format!("{name}[1]"), *inner),
                1 => (format!("not {name}.is_empty"), format!("{name}.last"), *inner),
                _ => (format!("{name}.length > 0"), format!("{name}.first"), *inner),
            },
            Type::Set(inner) => match self.dice.below(3) {
                0 => (format!("{name}.size == 1"), format!("{name}.only"), *inner),
                1 => (format!("{name} != {{}}"), format!("max({name})"), *inner),
                _ => (format!("not {name}.is_empty"), format!("min({name})"), *inner),
            },
            Type::Map(key, inner) => {
                let key = self.value(&key);
                (format!("{key} in {name}"), format!("{name}[{key}]"), *inner)
            }
            ty => match self.dice.below(3) {
                0 => (format!("{name} < 2"), format!("{name} + 9_223_372_036_854_775_806"), Type::Int),
                1 => (format!("{name} != 0"), format!("1 % {name}"), ty),
                _ => (format!("{name} > 0"), format!("2 / {name}"), ty),
            },
        })
    }

    /// A value of it may be missing, and one that is there is compared with a literal.
    fn is_holder(&self, ty: &Type) -> bool {
        let plain = |ty: &Type| match self.types.strip(ty) {
            Type::Bool => false,
            Type::Enum(id) => self.types.enums[*id].1.iter().all(|(_, payload)| payload.is_empty()),
            other => matches!(other, Type::Int | Type::Range(..) | Type::Bounded(..) | Type::String),
        };
        let key = |ty: &Type| matches!(self.types.strip(ty), Type::Bool) || plain(ty);
        match self.types.strip(ty) {
            Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => plain(inner),
            Type::Map(keys, inner) => key(keys) && plain(inner),
            other => matches!(other, Type::Range(0, _) | Type::Bounded(0, _)),
        }
    }

    /// The condition behind what it needs, or alone if nobody has to be careful.
    pub(crate) fn protected(&mut self, scope: &Scope) -> Option<String> {
        let careful = self.is_careful();
        let (needs, says) = self.partial(scope)?;
        Some(match self.dice.below(if careful { 3 } else { 5 }) {
            0 => format!("{needs} and {says}"),
            1 => format!("({needs} implies {says})"),
            2 => format!("(not ({needs}) or {says})"),
            _ => says,
        })
    }

    fn about_parts(&mut self) {
        self.head_line(30);
        let careful = self.dice.percent(60);
        self.features().careful = careful;
        if self.dice.percent(30) {
            self.declare_record();
        }
        if self.dice.percent(30) {
            self.declare_enum();
        }
        for _ in 0..1 + self.dice.below(2) {
            let few = |generator: &mut Generator| match generator.dice.below(8) {
                0 => Type::Tuple(vec![Type::Range(0, 2), Type::Bool]),
                1 => Type::Map(Box::new(Type::Range(1, 2)), Box::new(Type::Tuple(vec![Type::Bool, Type::Bool]))),
                2 => Type::Map(Box::new(Type::Bool), Box::new(Type::Range(0, 2))),
                3 => Type::Set(Box::new(Type::Range(1, 2))),
                4 => Type::Option(Box::new(Type::Range(1, 2))),
                5 => Type::Range(0, 2),
                _ => generator.small_variable(),
            };
            let ty = few(self);
            let ty = if self.types.has_literal(&ty) { ty } else { Type::Range(0, 2) };
            self.new_variable(ty);
        }
        let mut triggers = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let params = match self.dice.percent(40) {
                true => vec![(self.fresh("p"), self.finite_type(3))],
                false => Vec::new(),
            };
            let (action, head) = self.known_action(Direction::Input, params, false);
            self.line(head);
            triggers.push(action);
        }
        self.setters();
        for _ in 0..2 + self.dice.below(2) {
            let name = self.fresh("Part");
            self.braces(&format!("component {name}"), "", |generator| {
                for _ in 0..1 + generator.dice.below(2) {
                    let trigger = generator.dice.pick(&triggers).clone();
                    generator.writing_rule(&trigger);
                }
            });
        }
        let formulas = self.dice.percent(30);
        self.features().formulas = formulas;
        self.judges();
        self.setups();
    }

    /// `on a(p) when c { place = value }`
    fn writing_rule(&mut self, trigger: &Action) {
        let params: Vec<(String, Type)> = trigger.params.iter().map(|(_, ty)| (self.fresh("p"), ty.clone())).collect();
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let args = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let scope = Scope { locals: params.clone(), ..Scope::default() };
        let guard = match self.dice.percent(35) {
            true => format!(" when {}", self.condition(&scope, 1).text),
            false => String::new(),
        };
        self.braces(&format!("on {}{args}{guard}", trigger.name), "", |generator| {
            for _ in 0..1 + generator.dice.below(2) {
                let (place, ty) = generator.place(&scope);
                match generator.dice.percent(60) && generator.types.has_literal(&ty) {
                    true => {
                        let value = generator.value(&ty);
                        generator.line(format!("{place} = {value}"));
                    }
                    false => generator.small_assignment(&scope),
                }
            }
        });
    }

    fn about_starts(&mut self) {
        self.head_line(35);
        let mut starting = Vec::new();
        let alias = self.dice.percent(40).then(|| self.new_alias(Type::Range(0, 2), false));
        for _ in 0..1 + self.dice.below(3) {
            let ty = match (&alias, self.dice.below(5)) {
                (Some(alias), 0..3) => alias.clone(),
                (_, 3) => Type::Bool,
                _ => Type::Range(self.dice.between(0, 1), 2),
            };
            let name = self.fresh("v");
            self.line(format!("var {name}: {}", self.types.show(&ty)));
            starting.push((name, ty));
        }
        if self.dice.percent(40) {
            self.new_variable(Type::Range(0, 2));
        }
        let careful = self.dice.percent(40);
        for index in 0..1 + self.dice.below(2) {
            let scope = Scope { locals: starting.clone(), ..Scope::default() };
            self.features().careful = careful;
            let one = self.condition(&scope, 2).text;
            let (first, ty) = self.dice.pick(&starting).clone();
            let value = self.value(&ty);
            let relation = *self.dice.pick(&["==", "<=", ">=", ">", "<", "!="]);
            let line = match self.dice.below(5) {
                0 => format!("init {one}"),
                1 => format!("init {first} {relation} {value} and ({one})"),
                2 => format!("init ({one}) or {first} {relation} {value}"),
                _ => format!("init {first} {relation} {value}"),
            };
            self.line(line);
            if index == 0 {
                // Whoever is in no condition is unset.
                let all: Vec<String> = starting.iter().map(|(name, _)| format!("{name} == {name}")).collect();
                self.line(format!("init {}", all.join(" and ")));
            }
        }
        self.features().careful = true;
        self.variables.extend(starting);
        self.declare_actions();
        self.own_rules();
        self.setters();
        self.services();
        self.invariant();
        self.judges();
        self.setups();
    }
}
