//! Blocks of statements, the places they write, and procs.

use crate::expressions::{Expression, Hint, Level};
use crate::types::Type;
use crate::{Generator, Scope};

impl Generator {
    pub(crate) fn declare_procs(&mut self) {
        for _ in 0..self.dice.below(self.size as usize / 4 + 2) {
            let params: Vec<(String, Type)> =
                (0..self.dice.below(3)).map(|_| (self.fresh("p"), self.some_type(1))).collect();
            let name = self.fresh("act");
            let shown: Vec<String> =
                params.iter().map(|(name, ty)| format!("{name}: {}", self.types.show(ty))).collect();
            // A proc may be called in a loop.
            let scope = Scope { locals: params.clone(), makes: true, looping: true, ..Scope::default() };
            self.braces(&format!("proc {name}({})", shown.join(", ")), "", |generator| generator.statements(&scope, 1));
            self.procs.push((name, params.into_iter().map(|(_, ty)| ty).collect()));
        }
    }

    /// Statements that a step may do, one after the other.
    pub(crate) fn statements(&mut self, scope: &Scope, depth: u32) {
        let mut scope = scope.clone();
        for _ in 0..1 + self.dice.below(1 + self.size.min(4) as usize / 2) {
            self.statement(&mut scope, depth);
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32) {
        match self.dice.below(20) {
            0..2 => self.let_statement(scope),
            2..4 if depth > 0 => self.if_statement(scope, depth - 1),
            4 if depth > 0 => self.match_statement(scope, depth - 1),
            5..7 if depth > 0 && !scope.looping && !self.is_plain() => self.for_statement(scope, depth - 1),
            7 if !self.procs.is_empty() => {
                let (name, params) = self.dice.pick(&self.procs.clone()).clone();
                let args = self.arguments(scope, &params, 1);
                self.line(format!("{name}({args})"));
            }
            8 if !self.is_careful() && self.dice.percent(15) => {
                let condition = self.condition(scope, 1).text;
                self.line(format!("assert {condition}"));
            }
            9..12 if self.reactive => self.emit(scope),
            _ => self.assignment(scope),
        }
    }

    fn let_statement(&mut self, scope: &mut Scope) {
        let ty = if self.dice.percent(60) { self.present_type(scope) } else { self.some_type(1) };
        let depth = self.depth();
        let value = self.expression(scope, &ty, depth, Hint::Absent).text;
        let name = self.fresh("x");
        self.line(format!("let {name} = {value}"));
        scope.locals.push((name, ty));
    }

    fn if_statement(&mut self, scope: &Scope, depth: u32) {
        let condition = self.condition(scope, 2).text;
        self.line(format!("if {condition} {{"));
        self.inner(scope, depth);
        if self.dice.percent(25) {
            let condition = self.condition(scope, 1).text;
            self.line(format!("}} else if {condition} {{"));
            self.inner(scope, depth);
        }
        if self.dice.percent(40) {
            self.line("} else {");
            self.inner(scope, depth);
        }
        self.line("}");
    }

    fn inner(&mut self, scope: &Scope, depth: u32) {
        self.indent += 1;
        self.statements(scope, depth);
        self.indent -= 1;
    }

    fn match_statement(&mut self, scope: &Scope, depth: u32) {
        let ty = self.present_type(scope);
        let value = self.expression(scope, &ty, 1, Hint::Absent).part();
        let cases = self.cases(&ty);
        self.braces(&format!("match {value}"), "", |generator| {
            for (pattern, names) in cases {
                if generator.dice.percent(20) {
                    generator.line(format!("{pattern} => {{}}"));
                    continue;
                }
                let scope = scope.with(names);
                generator.braces(&format!("{pattern} =>"), "", |generator| generator.statements(&scope, depth));
            }
        });
    }

    /// A loop has few turns: over few possible values, or over the first ones.
    fn for_statement(&mut self, scope: &Scope, depth: u32) {
        let (from, ty) = self.collection(scope, 1);
        let few = self.types.count(&ty).is_some_and(|count| count <= 8);
        let from = match few {
            true => from.part(),
            false => format!("[ x for x in {} ].take(3)", from.part()),
        };
        let name = self.fresh("x");
        let scope = Scope { looping: true, ..scope.with([(name.clone(), ty)]) };
        let filter = match self.dice.percent(30) {
            true => format!(" where {}", self.condition(&scope, 1).part()),
            false => String::new(),
        };
        self.braces(&format!("for {name} in {from}{filter}"), "", |generator| generator.statements(&scope, depth));
    }

    fn emit(&mut self, scope: &Scope) {
        let outputs: Vec<_> = self.actions.iter().filter(|action| action.is_output()).cloned().collect();
        let Some(output) = self.dice.any(&outputs).cloned() else { return self.assignment(scope) };
        let types: Vec<Type> = output.params.iter().map(|(_, ty)| ty.clone()).collect();
        let args = self.arguments(scope, &types, 2);
        self.line(match args.is_empty() {
            true => format!("emit {}", output.name),
            false => format!("emit {}({args})", output.name),
        });
    }

    fn assignment(&mut self, scope: &Scope) {
        if self.whole.is_some() {
            return self.small_assignment(scope);
        }
        let (place, ty) = self.place(scope);
        let depth = self.depth();
        let line = match self.types.strip(&ty).clone() {
            _ if self.dice.percent(15) && self.types.has_literal(&ty) => format!("{place} = {}", self.value(&ty)),
            Type::Int | Type::Range(..) | Type::Bounded(..) if self.dice.percent(50) => {
                let operator = *self.dice.pick(&["+=", "-="]);
                let value = match self.dice.percent(60) {
                    true => "1".into(),
                    false => self.expression(scope, &Type::Int, depth, Hint::Given).text,
                };
                match self.dice.percent(50) {
                    true => format!("if {place} in 1..2 {{ {place} {operator} {value} }}"),
                    false => format!("{place} {operator} {value}"),
                }
            }
            Type::Range(..) | Type::Bounded(..) if self.dice.percent(70) => {
                format!("{place} = {}", self.within_range(scope, depth).text)
            }
            Type::Seq(_) if self.dice.percent(40) => {
                format!("{place} += {}", self.construction(scope, &ty, 1, Hint::Given).at(Level::Open))
            }
            Type::Set(_) if self.dice.percent(50) => {
                let operator = *self.dice.pick(&["+=", "-="]);
                format!("{place} {operator} {}", self.expression(scope, &ty, depth, Hint::Given).text)
            }
            Type::Map(..) if self.dice.percent(20) => {
                format!("{place} += {}", self.expression(scope, &ty, depth, Hint::Given).text)
            }
            Type::Map(key, _) if self.dice.percent(25) => {
                let keys = Type::Set(key);
                format!("{place} -= {}", self.expression(scope, &keys, 1, Hint::Given).text)
            }
            _ => format!("{place} = {}", self.expression(scope, &ty, depth, Hint::Given).text),
        };
        self.line(line);
    }

    /// Any integer, or one that lies in every range.
    pub(crate) fn within_range(&mut self, scope: &Scope, depth: u32) -> Expression {
        let value = self.expression(scope, &Type::Int, depth, Hint::Given);
        match self.dice.percent(70) {
            true => Expression::new(format!("1 + {} % 2", value.at(Level::Product)), Level::Sum),
            false => value,
        }
    }

    /// A variable, or a part of one.
    pub(crate) fn place(&mut self, scope: &Scope) -> (String, Type) {
        let (mut place, mut ty) = self.dice.pick(&self.writable()).clone();
        while self.dice.percent(50) {
            (place, ty) = match self.types.strip(&ty).clone() {
                Type::Seq(_) if self.is_careful() => return (place, ty),
                // Of what is not there no part can be written.
                Type::Map(_, value) if self.is_careful() && !self.types.fields(&value).is_empty() => {
                    return (place, ty);
                }
                Type::Seq(inner) => (format!("{place}[{}]", self.arguments(scope, &[Type::Int], 1)), *inner),
                Type::Map(key, value) => (format!("{place}[{}]", self.arguments(scope, &[*key], 1)), *value),
                other => match self.dice.any(&self.types.fields(&other)) {
                    Some((field, inner)) => (format!("{place}.{field}"), inner.clone()),
                    None => return (place, ty),
                },
            };
        }
        (place, ty)
    }

    /// Sets a variable to a value that is written down, which cannot fail.
    pub(crate) fn plain_assignment(&mut self) -> Option<String> {
        let possible: Vec<_> = self.writable().iter().filter(|(_, ty)| self.types.has_literal(ty)).cloned().collect();
        let (name, ty) = self.dice.any(&possible)?.clone();
        Some(format!("{name} = {}", self.value(&ty)))
    }
}
