//! Rules: loops over parameters, the guard, and the body; what comes out of them is in `successor`.

use super::code::{Answer, Code, Result};
use super::domain::Turns;
use super::each::Each;
use crate::runtime;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use cranelift_frontend::Variable;
use interplay_model::{
    ActionId, BinaryOperator as Op, Direction, Discipline, Expr, ExprKind, LocalId, Model, Rule, StatementKind, Trigger,
};
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use interplay_rows::Watcher;

/// Longer code takes too long to be made: it is left to the interpreter.
pub(super) const MOST_INSTRUCTIONS: usize = 30_000;

/// What can be done for a row apart from the rest.
#[derive(Clone, Copy)]
pub(super) enum Task {
    /// The invariants.
    Judge,
    /// The step of a synchronous system.
    Step,
    Action(ActionId),
    /// Nothing happens, and somebody notices it.
    Silence,
}

/// What one way of a rule says about the return value.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Open,
    Allowed(Word),
    Exact(Word),
}

impl<'a> Code<'a, '_> {
    /// All there is to do for a row, in order: judge it, then all rules.
    pub(super) fn tasks(model: &Model) -> Vec<Task> {
        let step = (model.discipline == Discipline::Synchronous).then_some(Task::Step);
        let begins = |action: &ActionId| match (model.discipline, model.actions[action.0].direction) {
            (Discipline::Asynchronous, _) => true,
            (Discipline::Reactive, direction) => direction != Direction::Output,
            (Discipline::Synchronous, direction) => direction == Direction::Internal,
        };
        let actions = (0..model.actions.len()).map(ActionId).filter(begins).map(Task::Action);
        [Task::Judge].into_iter().chain(step).chain(actions).chain([Task::Silence]).collect()
    }

    pub(super) fn task(&mut self, task: Task) -> Result<()> {
        let action = match task {
            Task::Judge => return self.judge(),
            Task::Step => return self.synchronous(),
            Task::Silence => {
                self.silence();
                return Ok(());
            }
            Task::Action(action) => action,
        };
        let model = self.input.kinds.instance.model();
        let rules: Vec<&Rule> = model.rules.iter().filter(|rule| rule.trigger == Trigger::Action(action)).collect();
        if rules.is_empty() {
            return Ok(());
        }
        let span = Some(model.actions[action.0].span);
        self.own = self.hears_silence() && model.actions[action.0].is_owed();
        let done = self.action(action, &rules);
        self.own = false;
        done.map_err(|unsupported| Unsupported { span: unsupported.span.or(span), ..unsupported })
    }

    fn action(&mut self, action: ActionId, rules: &[&Rule]) -> Result<()> {
        let instance = self.input.kinds.instance;
        let input = instance.model().actions[action.0].direction == Direction::Input;
        if instance.is_excluded(action) {
            return Ok(());
        }
        let done = self.block();
        (self.skip, self.base) = (done, self.row);
        if input {
            self.no_correction(action)?;
        }
        let alone = rules.iter().all(|rule| rule.component == rules[0].component);
        if rules.iter().any(|rule| !self.finds_all_events(rule)) {
            self.every_event(rules, action)?;
        } else if alone {
            rules.iter().try_for_each(|rule| self.rule(rule, action))?;
        } else {
            self.reaction(rules, action)?;
        }
        self.jump(done);
        self.at(done);
        self.base = self.row;
        Ok(())
    }

    /// What those who judge say about the row itself.
    fn judge(&mut self) -> Result<()> {
        let end = self.block();
        let zero = self.constant(0);
        let violated = self.variable(zero);
        for (bit, watcher) in self.input.watch.watchers.iter().enumerate() {
            let next = self.block();
            self.skip = next;
            match watcher {
                Watcher::Always(condition) => {
                    let holds = self.closed(condition)?;
                    self.when(holds, next);
                }
                Watcher::Formula(watched) => self.unless_broken(watched, next),
                Watcher::Observer { id, location } => self.unless_decided(*id, *location, next),
            }
            let so_far = self.get(violated);
            let more = self.builder.ins().bor_imm_s(so_far, 1 << bit);
            self.put(violated, more);
            self.jump(next);
            self.at(next);
        }
        let violated = self.get(violated);
        self.store_frame(violated, runtime::VIOLATED);
        self.jump(end);
        self.at(end);
        Ok(())
    }

    /// An event that the guard of one rule yields concerns all of them, also those whose own guard would not have yielded it.
    fn every_event(&mut self, rules: &[&Rule], action: ActionId) -> Result<()> {
        let alone = rules.iter().all(|rule| rule.component == rules[0].component);
        for leading in rules {
            self.scoped(|code, turns| {
                code.bound(leading, &[], turns, &mut |code, _| {
                    code.limits(leading, action)?;
                    let params: Vec<_> = (0..leading.params).filter_map(|index| code.local(LocalId(index))).collect();
                    if !alone {
                        return code.react(rules, leading, action, params);
                    }
                    rules.iter().try_for_each(|rule| code.rule_for(rule, action, &params, false))
                })
            })?;
        }
        Ok(())
    }

    /// The only component that an action concerns reacts to it. If its first parameter has a few values, whatever they
    /// are, then the rule is written for each of them.
    fn rule(&mut self, rule: &Rule, action: ActionId) -> Result<()> {
        let Some(each) = self.first_parameter(rule, action)? else {
            return self.rule_for(rule, action, &[], true);
        };
        self.turns(each, &mut |code, word, kind, _| code.rule_for(rule, action, &[(word, kind.clone())], true))
    }

    /// The values of the first parameter, if the guard does not yield it.
    fn first_parameter(&mut self, rule: &Rule, action: ActionId) -> Result<Option<Each>> {
        let first = LocalId(0);
        if rule.params == 0 {
            return Ok(None);
        }
        let unknown: Vec<LocalId> = (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect();
        // A value for it beforehand must not change what a condition yields, for it or for others.
        let yields = |condition: &Expr| {
            let is_fixed = |local: &LocalId| fixes(condition, &[*local]).is_some();
            mentions(condition, first) && unknown.iter().any(is_fixed)
        };
        if rule.guard.iter().flat_map(conjuncts).any(yields) {
            return Ok(None);
        }
        self.constant_domain(&rule.locals[0].ty, action, 0)
    }

    /// The same, when the first parameters have values; the limits of the setup may have been judged before.
    fn rule_for(&mut self, rule: &Rule, action: ActionId, params: &[(Word, Kind)], limited: bool) -> Result<()> {
        self.way(
            rule,
            params,
            &mut |code| {
                if limited {
                    code.limits(rule, action)?;
                }
                code.begin_label(rule, action);
                code.begin_outputs(Some((action, rule)));
                Ok(())
            },
            &mut |code, given| {
                let word = match given {
                    Given::Open => None,
                    Given::Allowed(word) | Given::Exact(word) => Some(word),
                };
                code.results(action, word)
            },
        )
    }

    /// One way to go for each binding and each result: `bound` runs before the body, `then` after it, with the copy of the row
    /// as the body left it.
    pub(super) fn way(
        &mut self,
        rule: &Rule,
        params: &[(Word, Kind)],
        bound: &mut dyn FnMut(&mut Self) -> Result<()>,
        then: &mut dyn FnMut(&mut Self, Given) -> Result<()>,
    ) -> Result<()> {
        self.scoped(|code, turns| {
            code.bound(rule, params, turns, &mut |code, _| {
                // Bit 0: the rule is to happen; bit 1: `ensures` allows something.
                let allowed = (!rule.ensures.is_empty()).then(|| {
                    let zero = code.constant(0);
                    code.variable(zero)
                });
                code.scoped(|code, turns| {
                    // Whatever is begun is begun anew for every result.
                    code.results_before(rule, turns)?;
                    bound(code)?;
                    if let Some(allowed) = allowed {
                        let so_far = code.get(allowed);
                        let begun = code.builder.ins().bor_imm_s(so_far, 1);
                        code.put(allowed, begun);
                    }
                    code.run(rule, allowed, then)
                })?;
                // An enabled rule that allows nothing is wrong.
                if let Some(allowed) = allowed {
                    let allowed = code.get(allowed);
                    let fine = code.is(IntCC::NotEqual, allowed, 1);
                    code.require(fine);
                }
                Ok(())
            })
        })
    }

    /// The guard: `then` is written for every binding of parameters and choices for which it holds.
    pub(super) fn bound(
        &mut self,
        rule: &Rule,
        params: &[(Word, Kind)],
        turns: &mut Turns,
        then: &mut dyn FnMut(&mut Self, &mut Turns) -> Result<()>,
    ) -> Result<()> {
        if self.tables.written + self.instructions() > MOST_INSTRUCTIONS {
            return Err(Unsupported::new("too many combinations of rules and values"));
        }
        self.base = self.row;
        self.with_locals(&rule.locals, |code| {
            for (index, (word, kind)) in params.iter().enumerate() {
                code.set_local(LocalId(index), *word, kind.clone());
            }
            code.location(rule);
            let unknown: Vec<LocalId> = (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect();
            code.bind(rule, &rule.guard.iter().collect::<Vec<_>>(), &unknown, turns)?;
            for local in unknown {
                if !code.is_bound(local) {
                    code.open_domain(rule, local, turns)?;
                }
            }
            then(code, turns)
        })
    }

    /// A block that reads `result` runs once for every result that can be told before it.
    fn results_before(&mut self, rule: &Rule, turns: &mut Turns) -> Result<()> {
        let reads = |local: LocalId| {
            let mut found = false;
            for statement in &rule.body {
                statement.expressions(&mut |expr| found |= mentions(expr, local));
            }
            found
        };
        let Some(local) = rule.result.filter(|local| reads(*local)) else { return Ok(()) };
        let known: Vec<&Expr> =
            rule.ensures.iter().filter(|condition| mentions(condition, local) && condition.looks_back()).collect();
        self.bind(rule, &known, &[local], turns)?;
        if !self.is_bound(local) {
            self.open_domain(rule, local, turns)?;
        }
        Ok(())
    }

    /// The body on a copy of the row, then `ensures` for every result that it may fix.
    fn run(
        &mut self,
        rule: &Rule,
        allowed: Option<Variable>,
        then: &mut dyn FnMut(&mut Self, Given) -> Result<()>,
    ) -> Result<()> {
        self.copy_row(self.row, self.fresh);
        self.base = self.fresh;
        self.answer = None;
        let mut before = None;
        if let Some(local) = rule.result {
            let zero = self.constant(0);
            let kind = self.kind_of(&rule.locals[local.0].ty)?;
            before = self.local(local);
            let (word, returned) =
                (self.variable(before.as_ref().map_or(zero, |(word, _)| *word)), self.variable(zero));
            if before.is_some() {
                self.set_local_variable(local, word, kind.clone());
            }
            self.answer = Some(Answer { local, kind, word, returned });
        }
        self.writing = true;
        let done = self.statements(&rule.body, rule.component.0);
        self.writing = false;
        done?;
        let Some(answer) = self.answer.take() else { return self.ensured(rule, None, allowed, then) };
        let returns = |statement: &interplay_model::Statement| matches!(statement.kind, StatementKind::Return(_));
        let always = rule.body.iter().any(returns);
        let mut sometimes = false;
        rule.body.iter().for_each(|statement| statement.walk(&mut |inner| sometimes |= returns(inner)));
        let returned = self.get(answer.returned);
        let (gave, open, end) = (self.block(), self.block(), self.block());
        self.builder.ins().brif(returned, gave, &[], open, &[]);
        self.at(gave);
        if sometimes {
            self.set_local_variable(answer.local, answer.word, answer.kind.clone());
            self.base = self.fresh;
            self.ensured(rule, Some(&answer), allowed, then)?;
        }
        self.jump(end);
        self.at(open);
        if !always {
            match before {
                Some(_) => self.set_local_variable(answer.local, answer.word, answer.kind.clone()),
                None => self.unset_local(answer.local),
            }
            self.base = self.fresh;
            self.ensured(rule, None, allowed, then)?;
        }
        self.jump(end);
        self.at(end);
        Ok(())
    }

    /// `ensures` is judged after the body, and may fix the result.
    fn ensured(
        &mut self,
        rule: &Rule,
        returned: Option<&Answer>,
        allowed: Option<Variable>,
        then: &mut dyn FnMut(&mut Self, Given) -> Result<()>,
    ) -> Result<()> {
        self.scoped(|code, turns| {
            let asked = rule.result.filter(|local| rule.ensures.iter().any(|condition| mentions(condition, *local)));
            let unknown: Vec<LocalId> = asked.into_iter().collect();
            code.bind(rule, &rule.ensures.iter().collect::<Vec<_>>(), &unknown, turns)?;
            let given = match (returned, rule.result.and_then(|local| code.local(local))) {
                (Some(answer), _) => Given::Exact(code.get(answer.word)),
                (None, Some((word, _))) => Given::Allowed(word),
                (None, None) => Given::Open,
            };
            code.base = code.row;
            if let Some(allowed) = allowed {
                let both = code.constant(3);
                code.put(allowed, both);
            }
            then(code, given)
        })?;
        self.base = self.row;
        Ok(())
    }

    pub(super) fn location(&mut self, rule: &Rule) {
        let model = self.input.kinds.instance.model();
        let ends: Vec<_> = (0..model.locations.len())
            .filter(|id| model.locations[*id].end && model.locations[*id].component == rule.component)
            .map(interplay_model::LocationId)
            .collect();
        let skip = self.skip;
        if let Some(from) = &rule.from {
            let from: Vec<_> = from.iter().copied().filter(|location| !ends.contains(location)).collect();
            let here = self.is_at(rule.component.0, &from);
            self.unless(here, skip);
        } else if !ends.is_empty() {
            let over = self.is_at(rule.component.0, &ends);
            self.when(over, skip);
        }
    }

    /// `overwrites none`: what a node has received is not given again.
    fn no_correction(&mut self, action: ActionId) -> Result<()> {
        let instance = self.input.kinds.instance;
        if !instance.forbids_corrections() {
            return Ok(());
        }
        for node in &instance.model().nodes {
            for event in node.events.iter().filter(|event| event.action == action) {
                let component = instance.model().locations[node.location.0].component;
                let next = self.block();
                let here = self.is_at(component.0, &[node.location]);
                self.unless(here, next);
                let (word, kind) = self.read_variable(event.received)?;
                let (there, ..) = self.some_word(word, &kind)?;
                let skip = self.skip;
                self.when(there, skip);
                self.jump(next);
                self.at(next);
            }
        }
        Ok(())
    }

    /// Conjuncts from left to right; each may fix an unknown local.
    fn bind(&mut self, rule: &Rule, conditions: &[&Expr], unknown: &[LocalId], turns: &mut Turns) -> Result<()> {
        for condition in conditions.iter().flat_map(|condition| conjuncts(condition)) {
            let free = self.free(condition, unknown);
            match fixes(condition, &free) {
                Some((local, Op::Equal, value)) => {
                    let (word, kind) = self.value(value)?;
                    self.give(rule, local, word, &kind)?;
                }
                Some((local, _, from)) => {
                    let each = self.each(from)?;
                    let (word, kind) = self.open(each, turns)?;
                    self.give(rule, local, word, &kind)?;
                }
                None => {
                    for local in free {
                        self.open_domain(rule, local, turns)?;
                    }
                    let skip = self.skip;
                    self.check(condition, skip)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the guard yields every event for which it holds and that any rule may yield: not if a parameter or choice runs
    /// through a domain that is smaller than its type.
    fn finds_all_events(&self, rule: &Rule) -> bool {
        let unknown: Vec<LocalId> = (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect();
        let mut bound: Vec<LocalId> = Vec::new();
        let mut all = true;
        for condition in rule.guard.iter().flat_map(conjuncts) {
            let free: Vec<LocalId> =
                unknown.iter().copied().filter(|local| mentions(condition, *local) && !bound.contains(local)).collect();
            if fixes(condition, &free).is_none() {
                all &= free.iter().all(|local| self.runs_through_all(rule, *local));
            }
            bound.extend(free);
        }
        all && unknown.iter().all(|local| bound.contains(local) || self.runs_through_all(rule, *local))
    }

    /// Locals that a condition mentions and that have no value yet, in their order.
    fn free(&self, condition: &Expr, unknown: &[LocalId]) -> Vec<LocalId> {
        unknown.iter().copied().filter(|local| mentions(condition, *local) && !self.is_bound(*local)).collect()
    }

    /// Binds a local to a word from the guard, if the local can have it.
    fn give(&mut self, rule: &Rule, local: LocalId, word: Word, from: &Kind) -> Result<()> {
        let kind = self.kind_of(&rule.locals[local.0].ty)?;
        let (word, fits) = self.try_coerce(word, from, &kind)?;
        let skip = self.skip;
        if let Some(fits) = fits {
            self.unless(fits, skip);
        }
        self.set_local(local, word, kind.clone());
        self.in_domain(rule, local, word, &kind)
    }

    pub(super) fn limits(&mut self, rule: &Rule, action: ActionId) -> Result<()> {
        let instance = self.input.kinds.instance;
        for limit in instance.limits_of(action) {
            let params: Vec<(Word, Kind)> = (0..rule.params).filter_map(|index| self.local(LocalId(index))).collect();
            let word = self.with_locals(&limit.locals, |code| {
                for (index, (word, kind)) in params.into_iter().enumerate() {
                    code.set_local(LocalId(index), word, kind);
                }
                code.test(&limit.condition)
            })?;
            let skip = self.skip;
            self.unless(word, skip);
        }
        Ok(())
    }
}

/// `p == e`, `e == p`, `p in e` with everything but `p` known.
fn fixes<'e>(condition: &'e Expr, free: &[LocalId]) -> Option<(LocalId, Op, &'e Expr)> {
    let [local] = free else { return None };
    let ExprKind::Binary { operator: operator @ (Op::Equal | Op::In), left, right } = &condition.kind else {
        return None;
    };
    let is = |expr: &Expr| expr.kind == ExprKind::Local(*local);
    match operator {
        _ if is(left) && !mentions(right, *local) => Some((*local, *operator, right)),
        Op::Equal if is(right) && !mentions(left, *local) => Some((*local, *operator, left)),
        _ => None,
    }
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: Op::And, left, right } => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(other) if other == local));
    found
}
