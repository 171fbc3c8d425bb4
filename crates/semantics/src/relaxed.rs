//! Could a value that the domains of the setup leave out explain what was observed? The system again, with nothing known of such values.
//!
//! What may depend on one is found by following data and decisions: locals that run through a limited domain, variables that are written with them or
//! where they decided, locations that are entered so. Conditions on those are dropped in the *loose* system, which allows whatever any value could allow; rules with such
//! conditions are dropped in the *certain* one, which does only what every value makes it do. So what the loose one forbids is wrong with
//! every value, and what the certain one does is owed with every value. The price: values that were observed to differ are not told apart any more.
//!
//! There is none for systems in which a result, an emitted output or an assertion depends on such a value: then anything might be explained.

use crate::bind::{conjuncts, mentions};
use crate::outside::yields;
use crate::{Event, Instance, Label, Result, State};
use interplay_model::{
    ActionId, ComponentId, Direction, Discipline, Expr, ExprKind, LocalId, Model, PathStep, Rule, RuleId, Statement,
    StatementKind, Trigger, VariableId,
};
use std::collections::BTreeSet;

/// The same system when nothing is known of the values that a setup leaves out: it takes more, and never less.
#[derive(Clone, Debug)]
pub struct Relaxed {
    loose: Instance,
    certain: Instance,
}

impl Instance {
    /// The system without what depends on values that its domains leave out.
    pub fn relaxed(&self) -> Option<Relaxed> {
        let model = self.model();
        if self.is_moved() || model.discipline != Discipline::Asynchronous {
            return None;
        }
        let mut hidden = Hidden { instance: self, variables: BTreeSet::new(), components: BTreeSet::new() };
        hidden.variables = (0..model.variables.len())
            .filter(|index| model.variables[*index].value.is_none() && self.is_limited(&model.variables[*index].ty))
            .map(VariableId)
            .collect();
        while hidden.spread()? {}
        let ends = |component: &ComponentId| {
            model.locations.iter().any(|location| location.end && location.component == *component)
        };
        if hidden.components.iter().any(ends) {
            return None;
        }
        Some(Relaxed { loose: self.with_model(hidden.loose()), certain: self.with_model(hidden.certain()) })
    }
}

impl Relaxed {
    /// Where it may be before anything has happened.
    pub fn start(&self) -> Result<BTreeSet<State>> {
        self.loose.closure(&self.loose.initial()?.into_iter().collect())
    }

    /// Where the system may be after this step, with whatever value.
    pub fn after(&self, states: &BTreeSet<State>, label: &Label) -> Result<BTreeSet<State>> {
        self.loose.after(states, label)
    }

    /// Wherever it is, it does something by itself that can be heard, with every value.
    pub fn owes(&self, states: &BTreeSet<State>) -> Result<bool> {
        for state in states {
            if self.certain.rests(state)? || self.loose.diverges(state)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Wherever it is, it takes these inputs, with every value.
    pub fn takes(&self, states: &BTreeSet<State>, inputs: &[Event]) -> Result<bool> {
        for state in states {
            if !self.certain.accepts(state, inputs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What may depend on a value that is left out.
struct Hidden<'h> {
    instance: &'h Instance,
    variables: BTreeSet<VariableId>,
    /// Their locations.
    components: BTreeSet<ComponentId>,
}

impl Hidden<'_> {
    fn model(&self) -> &Model {
        self.instance.model()
    }

    /// Follows every rule once; whether something is new. `None` if it reaches what is seen.
    fn spread(&mut self) -> Option<bool> {
        let before = (self.variables.len(), self.components.len());
        for rule in self.instance.model().rules.iter() {
            let mut locals = self.locals(rule);
            // Whether a rule is taken is followed, step by step; only beside those of other components it may be taken or not.
            let decides = self.has_company(rule) && self.decides(rule, &locals);
            self.write(rule, &rule.body, &mut locals, decides)?;
        }
        Some(before != (self.variables.len(), self.components.len()))
    }

    /// Another component may take part in the same step.
    fn has_company(&self, rule: &Rule) -> bool {
        self.model().rules_for(rule.trigger).any(|(_, other)| other.component != rule.component)
    }

    /// The locals of a rule that are chosen from limited domains, or by conditions on what is hidden.
    fn locals(&self, rule: &Rule) -> BTreeSet<LocalId> {
        let direction = |action: ActionId| self.model().actions[action.0].direction;
        let own = matches!(rule.trigger, Trigger::Action(action) if direction(action) == Direction::Internal);
        let chosen = (0..if own { rule.params } else { 0 }).map(LocalId).chain(rule.chosen.iter().copied());
        let chosen: Vec<LocalId> = chosen.collect();
        let mut hidden = BTreeSet::new();
        for local in &chosen {
            let told = rule.guard.iter().flat_map(conjuncts).any(|part| yields(part, *local));
            if !told && self.instance.is_limited(&rule.locals[local.0].ty) {
                hidden.insert(*local);
            }
        }
        // One that is compared with a hidden one says something about it.
        loop {
            let before = hidden.len();
            for part in rule.guard.iter().flat_map(conjuncts) {
                if self.reads(part, &hidden) {
                    hidden.extend(chosen.iter().copied().filter(|local| mentions(part, *local)));
                }
            }
            if hidden.len() == before {
                return hidden;
            }
        }
    }

    /// Whether the rule can be taken, or what it returns, depends on what is hidden.
    fn decides(&self, rule: &Rule, locals: &BTreeSet<LocalId>) -> bool {
        rule.guard.iter().chain(&rule.ensures).any(|part| self.reads(part, locals))
            || rule.from.is_some() && self.components.contains(&rule.component)
    }

    fn write(&mut self, rule: &Rule, body: &[Statement], locals: &mut BTreeSet<LocalId>, decided: bool) -> Option<()> {
        for statement in body {
            match &statement.kind {
                StatementKind::Assign { place, value } => {
                    let index = |step: &PathStep| matches!(step, PathStep::Index(at) if self.reads(at, locals));
                    if decided && makes(value) {
                        return None;
                    }
                    if decided || self.reads(value, locals) || place.path.iter().any(index) {
                        self.variables.insert(place.variable);
                    }
                }
                StatementKind::Let { local, value } => {
                    if decided && makes(value) {
                        return None;
                    }
                    if decided || self.reads(value, locals) {
                        locals.insert(*local);
                    }
                }
                StatementKind::If { condition, then, otherwise } => {
                    let decided = decided || self.reads(condition, locals);
                    self.write(rule, then, locals, decided)?;
                    self.write(rule, otherwise, locals, decided)?;
                }
                StatementKind::Match { value, arms } => {
                    let decided = decided || self.reads(value, locals);
                    for (_, body) in arms {
                        self.write(rule, body, locals, decided)?;
                    }
                }
                StatementKind::For { local, from, condition, body } => {
                    let reads = self.reads(from, locals) || condition.as_ref().is_some_and(|it| self.reads(it, locals));
                    if reads {
                        locals.insert(*local);
                    }
                    self.write(rule, body, locals, decided || reads)?;
                }
                StatementKind::Goto(_) if decided => _ = self.components.insert(rule.component),
                StatementKind::Goto(_) => {}
                StatementKind::Emit { args, .. } => {
                    if decided || args.iter().any(|arg| self.reads(arg, locals)) {
                        return None;
                    }
                }
                // A result is seen; what is behind a return in a block may or may not happen.
                StatementKind::Return(value) | StatementKind::Assert(value) => {
                    if decided || self.reads(value, locals) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// The expression reads something hidden, or runs through a limited domain itself.
    fn reads(&self, expr: &Expr, locals: &BTreeSet<LocalId>) -> bool {
        let mut found = self.instance.runs_through(expr);
        expr.walk(&mut |part| {
            found |= match &part.kind {
                ExprKind::Local(local) => locals.contains(local),
                ExprKind::Variable(variable) => self.variables.contains(variable),
                ExprKind::At { component, .. } => self.components.contains(component),
                ExprKind::Call { definition, .. } => {
                    self.reads(&self.model().definitions[definition.0].body, &BTreeSet::new())
                }
                _ => false,
            };
        });
        found
    }

    /// Without the conditions on what is hidden.
    fn loose(&self) -> Model {
        let mut model = self.model().clone();
        model.initial.retain(|closed| !self.reads(&closed.expr, &BTreeSet::new()));
        for rule in &mut model.rules {
            let locals = self.locals(rule);
            let known = |conditions: &[Expr]| -> Vec<Expr> {
                let parts = conditions.iter().flat_map(conjuncts);
                parts.filter(|part| !self.reads(part, &locals)).cloned().collect()
            };
            (rule.guard, rule.ensures) = (known(&rule.guard), known(&rule.ensures));
            if self.components.contains(&rule.component) {
                rule.from = None;
            }
        }
        model
    }

    /// Without the rules that hang on it.
    fn certain(&self) -> Model {
        let mut model = self.model().clone();
        let hangs = |rule: &RuleId| {
            let rule = &self.model().rules[rule.0];
            self.decides(rule, &self.locals(rule))
        };
        let mut index = 0;
        model.rules.retain(|_| {
            index += 1;
            !hangs(&RuleId(index - 1))
        });
        model
    }
}

/// A new object is made.
fn makes(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::New(_)));
    found
}
