//! Rules: loops over parameters, the guard, the body, and the successor that comes out.

use super::code::{Code, Result};
use super::each::{Each, Turn};
use crate::kind::Kind;
use crate::{Unsupported, runtime};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use interplay_model::{
    ActionId, BinaryOperator as Op, Direction, Discipline, DomainTarget, Expr, ExprKind, LocalId, Origin, Relation,
    Rule, StatementKind, Trigger, Type,
};
use interplay_semantics::Value;

impl<'a> Code<'a, '_> {
    /// The whole function: judge the row, then all rules.
    pub(super) fn program(&mut self) -> Result<()> {
        let model = self.input.kinds.instance.model();
        if model.discipline == Discipline::Synchronous {
            return Err(Unsupported::new("a synchronous system"));
        }
        if model.relations.iter().any(|relation| !matches!(relation, Relation::Exclusive { .. })) {
            return Err(Unsupported::new("a relation between outputs that is not `exclusive`"));
        }
        self.judge()?;
        for (index, action) in model.actions.iter().enumerate() {
            let rules: Vec<&Rule> =
                model.rules.iter().filter(|rule| rule.trigger == Trigger::Action(ActionId(index))).collect();
            let Some(first) = rules.first() else { continue };
            let alone = rules.iter().all(|rule| rule.component == first.component);
            let reaction = if alone {
                rules.iter().try_for_each(|rule| self.rule(rule, ActionId(index)))
            } else {
                self.reaction(&rules, ActionId(index))
            };
            reaction
                .map_err(|unsupported| Unsupported { span: unsupported.span.or(Some(action.span)), ..unsupported })?;
        }
        Ok(())
    }

    /// Invariants of the row itself.
    fn judge(&mut self) -> Result<()> {
        let end = self.block();
        let zero = self.constant(0);
        let violated = self.variable(zero);
        for (bit, invariant) in self.input.invariants.iter().enumerate() {
            let next = self.block();
            self.skip = next;
            let holds = self.closed(invariant)?;
            self.when(holds, next);
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

    fn rule(&mut self, rule: &Rule, action: ActionId) -> Result<()> {
        let instance = self.input.kinds.instance;
        let direction = instance.model().actions[action.0].direction;
        if direction == Direction::Input && instance.setup().is_some_and(|setup| setup.without.contains(&action)) {
            return Ok(());
        }
        if rule.result.is_some()
            && !rule.body.iter().any(|statement| matches!(statement.kind, StatementKind::Return(_)))
        {
            return Err(Unsupported::new("a result that `ensures` describes"));
        }
        self.result = instance.model().actions[action.0].result.clone();
        let done = self.block();
        self.skip = done;
        self.base = self.row;
        let mut turns = Vec::new();
        self.with_locals(&rule.locals, |code| {
            code.location(rule)?;
            code.no_correction(rule, direction);
            code.bind(rule, action, &mut turns)?;
            code.limits(rule, action)?;
            code.fire(rule, action)?;
            let skip = code.skip;
            code.jump(skip);
            Ok(())
        })?;
        while let Some(turn) = turns.pop() {
            self.close(turn);
        }
        self.at(done);
        self.base = self.row;
        Ok(())
    }

    /// The body of a loop ended with a jump already: what is left is the step to the next value.
    pub(super) fn close(&mut self, turn: (Turn, cranelift_codegen::ir::Block)) {
        let (turn, outer) = turn;
        let dead = self.block();
        self.at(dead);
        self.end(turn);
        self.jump(outer);
        self.skip = outer;
    }

    pub(super) fn location(&mut self, rule: &Rule) -> Result<()> {
        let model = self.input.kinds.instance.model();
        let ends: Vec<_> = (0..model.locations.len())
            .filter(|id| model.locations[*id].end && model.locations[*id].component == rule.component)
            .map(interplay_model::LocationId)
            .collect();
        let skip = self.skip;
        if let Some(from) = &rule.from {
            let here = self.is_at(rule.component.0, from);
            self.unless(here, skip);
        } else if !ends.is_empty() {
            let over = self.is_at(rule.component.0, &ends);
            self.when(over, skip);
        }
        Ok(())
    }

    /// `overwrites none`: what a node has received is not given again.
    pub(super) fn no_correction(&mut self, rule: &Rule, direction: Direction) {
        let Origin::Collect(node) = rule.origin else { return };
        let instance = self.input.kinds.instance;
        if direction != Direction::Input || instance.setup().is_none_or(|setup| setup.overwrites != Some(0)) {
            return;
        }
        let event =
            instance.model().nodes[node.0].events.iter().find(|event| rule.trigger == Trigger::Action(event.action));
        let Some(event) = event else { return };
        let skip = self.skip;
        if let Ok((word, kind)) = self.read_variable(event.received)
            && let Ok((there, ..)) = self.some_word(word, &kind)
        {
            self.when(there, skip);
        }
    }

    /// Conjuncts from left to right; each may fix a parameter.
    pub(super) fn bind(
        &mut self,
        rule: &Rule,
        action: ActionId,
        turns: &mut Vec<(Turn, cranelift_codegen::ir::Block)>,
    ) -> Result<()> {
        let unknown: Vec<LocalId> = (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect();
        for condition in &rule.guard {
            let free = self.free(condition, &unknown);
            match self.fixes(condition, &free) {
                Some((local, Op::Equal, value)) => self.fix(rule, action, local, value)?,
                Some((local, _, from)) => {
                    let each = self.each(from)?;
                    self.open(rule, action, local, each, turns)?;
                }
                None => {
                    for local in free {
                        self.open_domain(rule, action, local, turns)?;
                    }
                    let skip = self.skip;
                    self.check(condition, skip)?;
                }
            }
        }
        for local in unknown {
            if !self.is_bound(local) {
                self.open_domain(rule, action, local, turns)?;
            }
        }
        Ok(())
    }

    /// Parameters that a condition mentions and that have no value yet, in their order.
    fn free(&self, condition: &Expr, unknown: &[LocalId]) -> Vec<LocalId> {
        let mut mentioned = Vec::new();
        condition.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                mentioned.push(local);
            }
        });
        unknown.iter().copied().filter(|local| mentioned.contains(local) && !self.is_bound(*local)).collect()
    }

    /// `p == e`, `e == p`, `p in e` with everything but `p` known.
    fn fixes<'e>(&self, condition: &'e Expr, free: &[LocalId]) -> Option<(LocalId, Op, &'e Expr)> {
        let [local] = free else { return None };
        let ExprKind::Binary { operator: operator @ (Op::Equal | Op::In), left, right } = &condition.kind else {
            return None;
        };
        let is = |expr: &Expr| expr.kind == ExprKind::Local(*local);
        let known = |expr: &Expr| self.free(expr, free).is_empty();
        match operator {
            _ if is(left) && known(right) => Some((*local, *operator, right)),
            Op::Equal if is(right) && known(left) => Some((*local, *operator, left)),
            _ => None,
        }
    }

    fn fix(&mut self, rule: &Rule, action: ActionId, local: LocalId, value: &Expr) -> Result<()> {
        let kind = self.kind_of(&rule.locals[local.0].ty)?;
        let natural = self.natural(value).unwrap_or_else(|_| kind.clone());
        let word = self.expr(value, &natural)?;
        self.give(rule, action, local, word, &natural)
    }

    /// Binds a parameter to a word from the guard, if the parameter can have it.
    fn give(&mut self, rule: &Rule, action: ActionId, local: LocalId, word: Word, from: &Kind) -> Result<()> {
        let kind = self.kind_of(&rule.locals[local.0].ty)?;
        let (word, fits) = self.try_coerce(word, from, &kind)?;
        let skip = self.skip;
        if let Some(fits) = fits {
            self.unless(fits, skip);
        }
        self.set_local(local, word, kind.clone());
        self.in_domain(rule, action, local, word, &kind)
    }

    /// Inputs take only values of a domain that the setup declares for them.
    fn in_domain(&mut self, rule: &Rule, action: ActionId, local: LocalId, word: Word, kind: &Kind) -> Result<()> {
        let instance = self.input.kinds.instance;
        let input = instance.model().actions[action.0].direction == Direction::Input;
        if !input || local.0 >= rule.params || !self.has_domain(action, local.0, &rule.locals[local.0].ty) {
            return Ok(());
        }
        let values = self.domain_words(action, local.0, kind)?;
        let mut any = self.constant(0);
        for value in values {
            let same = self.is(IntCC::Equal, word, value);
            any = self.builder.ins().bor(any, same);
        }
        let skip = self.skip;
        self.unless(any, skip);
        Ok(())
    }

    /// A domain of the parameter or of its named type; those of `Int` and `String` only say what to try.
    fn has_domain(&self, action: ActionId, index: usize, ty: &Type) -> bool {
        let instance = self.input.kinds.instance;
        let named = |target: DomainTarget| match (target, ty) {
            (DomainTarget::Parameter(other, at), _) => other == action && at == index,
            (DomainTarget::Alias(id), Type::Alias(alias)) => id == *alias,
            (DomainTarget::Enum(id), Type::Enum(known)) => id == *known,
            (DomainTarget::Record(id), Type::Record(known)) => id == *known,
            (DomainTarget::Object(id), Type::Object(known)) => id == *known,
            _ => false,
        };
        instance.setup().is_some_and(|setup| setup.domains.iter().any(|domain| named(domain.target)))
    }

    /// Opens a loop in which a parameter has the values of a collection.
    fn open(
        &mut self,
        rule: &Rule,
        action: ActionId,
        local: LocalId,
        each: Each,
        turns: &mut Vec<(Turn, cranelift_codegen::ir::Block)>,
    ) -> Result<()> {
        let turn = self.begin(each)?;
        let outer = std::mem::replace(&mut self.skip, turn.next);
        let (word, kind) = (turn.word, turn.kind.clone());
        turns.push((turn, outer));
        self.give(rule, action, local, word, &kind)
    }

    fn open_domain(
        &mut self,
        rule: &Rule,
        action: ActionId,
        local: LocalId,
        turns: &mut Vec<(Turn, cranelift_codegen::ir::Block)>,
    ) -> Result<()> {
        let ty = &rule.locals[local.0].ty;
        let kind = self.kind_of(ty)?;
        let each = match self.input.kinds.instance.model().types.strip(ty) {
            Type::Object(id) if !self.has_domain(action, local.0, ty) => {
                let bound = self.object_count(*id);
                Each::Below { bound, kind: kind.clone() }
            }
            _ if local.0 < rule.params => {
                Each::List { words: self.domain_words(action, local.0, &kind)?, kind: kind.clone() }
            }
            _ => self.each_of_type(ty)?,
        };
        let turn = self.begin(each)?;
        let outer = std::mem::replace(&mut self.skip, turn.next);
        let word = turn.word;
        turns.push((turn, outer));
        self.set_local(local, word, kind);
        Ok(())
    }

    /// The values that the setup gives a parameter; they must not depend on the state.
    fn domain_words(&mut self, action: ActionId, index: usize, kind: &Kind) -> Result<Vec<u64>> {
        let instance = self.input.kinds.instance;
        if instance.setup().is_some_and(|setup| setup.domains.iter().any(|domain| reads_state(&domain.values.expr))) {
            return Err(Unsupported::new("a domain that depends on the state"));
        }
        let ty = &instance.model().actions[action.0].params[index].ty;
        if mentions_objects(instance.model(), ty) {
            return Err(Unsupported::new("a parameter that contains objects"));
        }
        let values = instance
            .parameter_values(action, index, &self.input.initial[0])
            .map_err(|error| Unsupported::new(error.message))?;
        self.encode_all(values, kind)
    }

    fn encode_all(&mut self, values: Vec<Value>, kind: &Kind) -> Result<Vec<u64>> {
        let words = values.iter().map(|value| kind.encode(value, self.input.store));
        words.collect::<Option<Vec<u64>>>().ok_or_else(|| Unsupported::new("a domain with values outside the type"))
    }

    /// All values of a type, for binders.
    pub(super) fn each_of_type(&mut self, ty: &Type) -> Result<Each> {
        let kind = self.kind_of(ty)?;
        let instance = self.input.kinds.instance;
        if let Type::Object(id) = instance.model().types.strip(ty) {
            let bound = self.object_count(*id);
            return Ok(Each::Below { bound, kind });
        }
        if mentions_objects(instance.model(), ty) {
            return Err(Unsupported::new("values that contain objects"));
        }
        let values = instance
            .values_of(ty, &self.input.initial[0], "the binder", Default::default())
            .map_err(|error| Unsupported::new(error.message))?;
        Ok(Each::List { words: self.encode_all(values, &kind)?, kind })
    }

    pub(super) fn limits(&mut self, rule: &Rule, action: ActionId) -> Result<()> {
        let instance = self.input.kinds.instance;
        let limits =
            instance.setup().into_iter().flat_map(|setup| &setup.limits).filter(|limit| limit.action == action);
        for limit in limits {
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

    /// The body on a copy of the row, and the successor.
    fn fire(&mut self, rule: &Rule, action: ActionId) -> Result<()> {
        self.begin_label(rule, action);
        self.begin_outputs();
        self.body(rule)?;
        self.succeed(action)
    }

    /// The body on a copy of the row.
    pub(super) fn body(&mut self, rule: &Rule) -> Result<()> {
        self.copy_row(self.row, self.fresh);
        self.base = self.fresh;
        self.writing = true;
        self.statements(&rule.body, rule.component.0)?;
        self.writing = false;
        for condition in &rule.ensures {
            let skip = self.skip;
            self.check(condition, skip)?;
        }
        self.base = self.row;
        Ok(())
    }

    pub(super) fn copy_row(&mut self, from: Word, to: Word) {
        for word in 0..self.input.layout.words {
            let old = self.load(from, 8 * word as i32);
            self.store(old, to, 8 * word as i32);
        }
    }

    pub(super) fn begin_outputs(&mut self) {
        if !self.input.kinds.instance.model().relations.is_empty() {
            self.call("emit_clear", &[]);
        }
    }

    /// Outputs must not exclude each other; then the filters of the setup, and the successor is written.
    pub(super) fn succeed(&mut self, action: ActionId) -> Result<()> {
        if !self.input.kinds.instance.model().relations.is_empty() {
            let fine = self.call("emit_fine", &[]);
            self.require(fine);
        }
        self.base = self.fresh;
        for keep in self.input.kinds.instance.setup().into_iter().flat_map(|setup| &setup.keep) {
            let holds = self.closed(keep)?;
            let skip = self.skip;
            self.unless(holds, skip);
        }
        self.base = self.row;
        let direction = self.input.kinds.instance.model().actions[action.0].direction;
        self.set_flag(if direction == Direction::Input { runtime::INPUTS } else { runtime::OTHERS });
        self.write_successor();
        Ok(())
    }

    pub(super) fn begin_label(&mut self, rule: &Rule, action: ActionId) {
        if !self.input.labels {
            return;
        }
        let zero = self.constant(0);
        let label = self.variable(zero);
        self.label = Some(label);
        let mut words = vec![self.constant(action.0 as u64 + (1 << 32))];
        words.extend(
            (0..rule.params).filter_map(|index| self.local(LocalId(index))).map(|(word, _)| word).collect::<Vec<_>>(),
        );
        self.hash_label(&words);
    }

    fn write_successor(&mut self) {
        let words = self.input.layout.words;
        let size = 8 * (words + usize::from(self.input.labels)) as i64;
        let out = self.load_frame(runtime::OUT);
        let after = self.builder.ins().iadd_imm_s(out, size);
        let end = self.load_frame(runtime::END);
        let full = self.compare(IntCC::UnsignedGreaterThan, after, end);
        let (grow, room) = (self.block(), self.block());
        self.builder.ins().brif(full, grow, &[], room, &[]);
        self.builder.set_cold_block(grow);
        self.at(grow);
        let needed = self.constant(size as u64);
        self.call("grow", &[needed]);
        self.jump(room);
        self.at(room);
        let out = self.load_frame(runtime::OUT);
        for word in 0..words {
            let new = self.load(self.fresh, 8 * word as i32);
            self.store(new, out, 8 * word as i32);
        }
        if let Some(label) = self.label {
            let hash = self.get(label);
            self.store(hash, out, 8 * words as i32);
        }
        let after = self.builder.ins().iadd_imm_s(out, size);
        self.store_frame(after, runtime::OUT);
    }
}

fn reads_state(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= matches!(
            part.kind,
            ExprKind::Variable(_)
                | ExprKind::At { .. }
                | ExprKind::ObjectCount(_)
                | ExprKind::ObjectAll(_)
                | ExprKind::Call { .. }
        );
    });
    found
}

fn mentions_objects(model: &interplay_model::Model, ty: &Type) -> bool {
    match model.types.strip(ty) {
        Type::Object(_) => true,
        Type::Tuple(parts) => parts.iter().any(|part| mentions_objects(model, part)),
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => mentions_objects(model, inner),
        Type::Map(key, value) => mentions_objects(model, key) || mentions_objects(model, value),
        Type::Record(id) => model.types.records[id.0].fields.iter().any(|(_, ty)| mentions_objects(model, ty)),
        Type::Enum(id) => model.types.enums[id.0]
            .variants
            .iter()
            .flat_map(|variant| &variant.payload)
            .any(|ty| mentions_objects(model, ty)),
        _ => false,
    }
}
