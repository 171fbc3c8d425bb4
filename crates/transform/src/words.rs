//! Expressions, types and names in specification syntax, so that the result of an operation can be read as a specification again.

use super::machine::Place;
use interplay_model::{
    BinaryOperator, Binder, Builtin, ComponentId, Comprehension, Expr, ExprKind, LocalId, LocationId, Model, Pattern,
    Shape, Source, Type,
};
use interplay_semantics::{Value, show_name, show_value};

/// What the locals of a rule are called.
pub(crate) struct Words<'w> {
    pub(crate) model: &'w Model,
    pub(crate) locals: &'w [String],
    /// By variable.
    pub(crate) variables: &'w [String],
    /// Where the specification may be, to say `at`; none if that is said by its own locations.
    pub(crate) places: &'w [Place],
}

/// How tightly a text binds; a part that binds less than its place needs stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Open,
    Iff,
    Implies,
    Or,
    And,
    Not,
    Compare,
    Range,
    Add,
    Intersect,
    Multiply,
    Minus,
    Tight,
}

impl Words<'_> {
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        self.at(expr, Binds::Open)
    }

    /// A part of a list that is joined by `and`.
    pub(crate) fn conjunct(&self, expr: &Expr) -> String {
        self.at(expr, Binds::And)
    }

    fn at(&self, expr: &Expr, needed: Binds) -> String {
        let (text, binds) = self.say(expr);
        if binds < needed { format!("({text})") } else { text }
    }

    fn list<'e>(&self, parts: impl IntoIterator<Item = &'e Expr>) -> String {
        parts.into_iter().map(|part| self.expr(part)).collect::<Vec<_>>().join(", ")
    }

    fn say(&self, expr: &Expr) -> (String, Binds) {
        use ExprKind::*;
        let tight = |text: std::string::String| (text, Binds::Tight);
        match &expr.kind {
            Bool(value) => tight(value.to_string()),
            Int(value) => (value.to_string(), if *value < 0 { Binds::Minus } else { Binds::Tight }),
            String(text) => tight(show_value(self.model, &Type::String, &Value::String(text.clone()))),
            Local(id) => tight(show_name(&self.locals[id.0])),
            Variable(id) => tight(show_name(&self.variables[id.0])),
            Constant(id) => tight(show_name(&self.model.constants[id.0].name)),
            None => tight("none".into()),
            Some(inner) => tight(format!("some({})", self.expr(inner))),
            Variant { enumeration, variant, args } => {
                let enumeration = &self.model.types.enums[enumeration.0];
                let name =
                    format!("{}.{}", show_name(&enumeration.name), show_name(&enumeration.variants[*variant].name));
                tight(if args.is_empty() { name } else { format!("{name}({})", self.list(args)) })
            }
            Record { record, fields } => {
                let record = &self.model.types.records[record.0];
                let field = |(value, (name, _)): (&Expr, &(std::string::String, Type))| {
                    format!("{}: {}", show_name(name), self.expr(value))
                };
                let fields: Vec<_> = fields.iter().zip(&record.fields).map(field).collect();
                tight(format!("{}({})", show_name(&record.name), fields.join(", ")))
            }
            Tuple(parts) => tight(format!("({})", self.list(parts))),
            Seq(items) => tight(format!("[{}]", self.list(items))),
            Set(items) => tight(format!("{{{}}}", self.list(items))),
            Map(pairs) if pairs.is_empty() => tight("{}".into()),
            Map(pairs) => {
                let pair = |(key, value): &(Expr, Expr)| format!("{}: {}", self.expr(key), self.expr(value));
                tight(format!("{{ {} }}", pairs.iter().map(pair).collect::<Vec<_>>().join(", ")))
            }
            Comprehension(of) => {
                let inside = self.comprehension(of);
                tight(if of.shape == Shape::Seq { format!("[{inside}]") } else { format!("{{ {inside} }}") })
            }
            Quantified { every, binders, condition, body } => {
                let word = if *every { "every" } else { "some" };
                let condition =
                    condition.as_ref().map_or(std::string::String::new(), |each| format!(" where {}", self.expr(each)));
                (format!("for {word} {}{condition}: {}", self.binders(binders), self.expr(body)), Binds::Open)
            }
            Not(inner) => (format!("not {}", self.at(inner, Binds::Compare)), Binds::Not),
            Negate(inner) => (format!("-{}", self.at(inner, Binds::Tight)), Binds::Minus),
            Binary { operator, left, right } => self.binary(*operator, left, right),
            If { condition, then, otherwise } => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.at(part, Binds::Iff));
                (format!("if {condition} then {then} else {otherwise}"), Binds::Open)
            }
            Match { value, arms } => {
                let arm = |(pattern, body): &(Pattern, Expr)| {
                    format!("{} => {}", self.pattern(pattern, &value.ty), self.expr(body))
                };
                let arms: Vec<_> = arms.iter().map(arm).collect();
                (format!("match {} {{ {} }}", self.at(value, Binds::Tight), arms.join(", ")), Binds::Open)
            }
            Is { value, pattern } => {
                let (pattern, value) = (self.pattern(pattern, &value.ty), self.at(value, Binds::Range));
                (format!("{value} is {pattern}"), Binds::Compare)
            }
            Field { of, index } => {
                let name = match self.model.types.strip(&of.ty) {
                    Type::Record(id) => show_name(&self.model.types.records[id.0].fields[*index].0),
                    _ => index.to_string(),
                };
                tight(format!("{}.{name}", self.at(of, Binds::Tight)))
            }
            Index { of, index } => tight(format!("{}[{}]", self.at(of, Binds::Tight), self.expr(index))),
            Builtin { function, args } => tight(self.builtin(*function, args)),
            Call { definition, args } => {
                let name = show_name(&self.model.definitions[definition.0].name);
                tight(if args.is_empty() { name } else { format!("{name}({})", self.list(args)) })
            }
            ObjectCount(id) => tight(format!("{}.count", show_name(&self.model.types.objects[id.0].name))),
            ObjectAll(id) => tight(format!("{}.all", show_name(&self.model.types.objects[id.0].name))),
            At { component, locations } => self.located(*component, locations),
            // The machine has resolved or refused these.
            New(_) | Old(_) | Happens { .. } | SignalValue { .. } | Silence | Temporal { .. } | Error => {
                tight("true".into())
            }
        }
    }

    /// `at` the places at which the component is at one of the locations.
    fn located(&self, component: ComponentId, locations: &[LocationId]) -> (String, Binds) {
        let here = |place: &&Place| {
            let at = place.at.as_ref().and_then(|at| *at.get(component.0)?);
            at.is_some_and(|at| locations.contains(&at))
        };
        let names: Vec<String> = match self.places {
            [] => locations
                .iter()
                .map(|id| self.model.locations.get(id.0).map_or(format!("location {}", id.0), |own| own.name.clone()))
                .collect(),
            places => places.iter().filter(here).map(|place| show_name(&place.name)).collect(),
        };
        match &names[..] {
            [] => ("false".into(), Binds::Tight),
            [only] => (format!("at {only}"), Binds::Compare),
            several => {
                let each: Vec<String> = several.iter().map(|name| format!("at {name}")).collect();
                (each.join(" or "), Binds::Or)
            }
        }
    }

    fn binary(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> (String, Binds) {
        use BinaryOperator::*;
        let (word, binds) = match operator {
            Iff => ("iff", Binds::Iff),
            Implies => ("implies", Binds::Implies),
            Or => ("or", Binds::Or),
            And => ("and", Binds::And),
            Equal => ("==", Binds::Compare),
            NotEqual => ("!=", Binds::Compare),
            Less => ("<", Binds::Compare),
            LessEqual => ("<=", Binds::Compare),
            Greater => (">", Binds::Compare),
            GreaterEqual => (">=", Binds::Compare),
            In => ("in", Binds::Compare),
            NotIn => ("not in", Binds::Compare),
            Range => ("..", Binds::Range),
            Add => ("+", Binds::Add),
            Subtract => ("-", Binds::Add),
            Intersect => ("&", Binds::Add),
            Multiply => ("*", Binds::Multiply),
            Divide => ("/", Binds::Multiply),
            Remainder => ("%", Binds::Multiply),
            Since | Until | Unless | Release | LeadsTo => ("since", Binds::Open),
        };
        let next = |binds| match binds {
            Binds::Iff => Binds::Implies,
            Binds::Implies => Binds::Or,
            Binds::Or => Binds::And,
            Binds::And => Binds::Not,
            Binds::Compare => Binds::Range,
            Binds::Range => Binds::Add,
            Binds::Add => Binds::Intersect,
            Binds::Intersect => Binds::Multiply,
            _ => Binds::Minus,
        };
        // Chains of these need no parentheses on the left.
        let left_binds =
            if matches!(binds, Binds::And | Binds::Or | Binds::Add | Binds::Multiply) { binds } else { next(binds) };
        let space = if binds == Binds::Range { "" } else { " " };
        let (left, right) = (self.at(left, left_binds), self.at(right, next(binds)));
        (format!("{left}{space}{word}{space}{right}"), binds)
    }

    fn comprehension(&self, of: &Comprehension) -> String {
        let value = of.value.as_ref().map_or(String::new(), |value| format!(": {}", self.expr(value)));
        let condition = of.condition.as_ref().map_or(String::new(), |each| format!(" where {}", self.expr(each)));
        format!("{}{value} for {}{condition}", self.at(&of.item, Binds::Iff), self.binders(&of.binders))
    }

    fn binders(&self, binders: &[Binder]) -> String {
        let binder = |binder: &Binder| {
            let name = show_name(&self.locals[binder.local.0]);
            match &binder.source {
                Source::In(from) => format!("{name} in {}", self.at(from, Binds::Range)),
                Source::Domain(ty) => format!("{name}: {}", self.ty(ty)),
            }
        };
        binders.iter().map(binder).collect::<Vec<_>>().join(", ")
    }

    fn builtin(&self, function: Builtin, args: &[Expr]) -> String {
        let of = |name: &str| format!("{}.{name}", self.at(&args[0], Binds::Tight));
        let with = |name: &str| format!("{}({})", of(name), self.list(&args[1..]));
        let plain = |name: &str| match &args[0].kind {
            ExprKind::Comprehension(inner) if inner.shape == Shape::Seq => {
                format!("{name}({})", self.comprehension(inner))
            }
            _ => format!("{name}({})", self.list(args)),
        };
        let name = function.name(self.model.types.strip(&args[0].ty));
        match (function.is_function(), args.len()) {
            (true, _) => plain(name),
            (_, 1) => of(name),
            _ => with(name),
        }
    }

    fn pattern(&self, pattern: &Pattern, ty: &Type) -> String {
        let ty = self.model.types.strip(ty);
        let all = |patterns: &[Pattern], types: &[Type]| {
            let each = |(pattern, ty): (&Pattern, &Type)| self.pattern(pattern, ty);
            patterns.iter().zip(types).map(each).collect::<Vec<_>>().join(", ")
        };
        match (pattern, ty) {
            (Pattern::Wildcard, _) => "_".into(),
            (Pattern::Bind(LocalId(index)), _) => show_name(&self.locals[*index]),
            (Pattern::Bool(value), _) => value.to_string(),
            (Pattern::Int(value), _) => value.to_string(),
            (Pattern::String(text), _) => show_value(self.model, &Type::String, &Value::String(text.clone())),
            (Pattern::None, _) => "none".into(),
            (Pattern::Some(inner), Type::Option(ty)) => format!("some({})", self.pattern(inner, ty)),
            (Pattern::Variant { variant, args }, Type::Enum(id)) => {
                let enumeration = &self.model.types.enums[id.0];
                let variant = &enumeration.variants[*variant];
                let name = format!("{}.{}", show_name(&enumeration.name), show_name(&variant.name));
                if args.is_empty() { name } else { format!("{name}({})", all(args, &variant.payload)) }
            }
            (Pattern::Tuple(parts), Type::Tuple(types)) => format!("({})", all(parts, types)),
            _ => "_".into(),
        }
    }

    pub(crate) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Range(id) => {
                let range = &self.model.types.ranges[id.0];
                format!("{}..{}", self.at(&range.low, Binds::Add), self.at(&range.high, Binds::Add))
            }
            Type::Tuple(parts) => {
                format!("({})", parts.iter().map(|part| self.ty(part)).collect::<Vec<_>>().join(", "))
            }
            Type::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Type::Seq(inner) => format!("Seq<{}>", self.ty(inner)),
            Type::Set(inner) => format!("Set<{}>", self.ty(inner)),
            Type::Map(key, value) => format!("Map<{}, {}>", self.ty(key), self.ty(value)),
            Type::Alias(id) => show_name(&self.model.types.aliases[id.0].name),
            Type::Enum(id) => show_name(&self.model.types.enums[id.0].name),
            Type::Record(id) => show_name(&self.model.types.records[id.0].name),
            Type::Object(id) => show_name(&self.model.types.objects[id.0].name),
            Type::Bool => "Bool".into(),
            Type::Int | Type::Unknown => "Int".into(),
            Type::String => "String".into(),
        }
    }
}
