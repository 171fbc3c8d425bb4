//! The values that a name runs through: those that a setup gives to a parameter or a type, or all of a type.
//!
//! What does not depend on the state is a list that is made now. Values that contain objects are listed for as many objects as
//! a row has room for, and those that nobody has made yet are left out when the code runs.

use super::code::{Code, Result};
use super::each::{Each, Turn};
use crate::Unsupported;
use crate::kind::Kind;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use interplay_model::{
    ActionId, Direction, Domain, DomainTarget, Expr, ExprKind, LocalId, Model, ObjectId, Rule, Trigger, Type,
};
use interplay_semantics::{State, Value};

/// Loops that are open, with where to go when each is done.
pub(super) type Turns = Vec<(Turn, Block)>;

/// More values of one type are left to the interpreter.
const MOST_VALUES: usize = 1 << 14;

impl<'a> Code<'a, '_> {
    /// Runs `write`, which may open loops, and closes them.
    pub(super) fn scoped(&mut self, write: impl FnOnce(&mut Self, &mut Turns) -> Result<()>) -> Result<()> {
        let done = self.block();
        let outer = std::mem::replace(&mut self.skip, done);
        let mut turns = Turns::new();
        write(self, &mut turns)?;
        self.jump(self.skip);
        while let Some((turn, after)) = turns.pop() {
            let dead = self.block();
            self.at(dead);
            self.end(turn);
            self.jump(after);
        }
        self.skip = outer;
        self.at(done);
        Ok(())
    }

    /// Opens a loop; gives the word at hand.
    pub(super) fn open(&mut self, each: Each, turns: &mut Turns) -> Result<(Word, Kind)> {
        let turn = self.begin(each)?;
        let outer = std::mem::replace(&mut self.skip, turn.next);
        let value = (turn.word, turn.kind.clone());
        turns.push((turn, outer));
        Ok(value)
    }

    /// Opens a loop in which a parameter, a choice or a result has all values of its domain.
    pub(super) fn open_domain(&mut self, rule: &Rule, local: LocalId, turns: &mut Turns) -> Result<()> {
        let ty = &rule.locals[local.0].ty;
        let parameter = match rule.trigger {
            Trigger::Action(action) if local.0 < rule.params => Some((action, local.0)),
            _ => None,
        };
        let (word, kind) = self.open_values(ty, parameter, turns)?;
        self.set_local(local, word, kind);
        Ok(())
    }

    /// All values of a type, or of a parameter, in the kind of the type.
    pub(super) fn open_values(
        &mut self,
        ty: &Type,
        parameter: Option<(ActionId, usize)>,
        turns: &mut Turns,
    ) -> Result<(Word, Kind)> {
        let kind = self.kind_of(ty)?;
        if let Some(domain) = self.declared(ty, parameter).filter(|domain| reads_state(&domain.values.expr)) {
            let each = self.with_locals(&domain.values.locals, |code| code.each(&domain.values.expr))?;
            let (word, from) = self.open(each, turns)?;
            let fitting = self.try_coerce(word, &from, &kind)?;
            return Ok((self.require_fit(fitting), kind));
        }
        let each = self.each_value_of(ty, parameter)?;
        let (word, kind) = self.open(each, turns)?;
        let skip = self.skip;
        self.unless_made(word, &kind, ty, skip);
        Ok((word, kind))
    }

    /// All values of a parameter, if they are the same in every state.
    pub(super) fn constant_domain(&mut self, ty: &Type, action: ActionId, index: usize) -> Result<Option<Each>> {
        let parameter = Some((action, index));
        let instance = self.input.kinds.instance;
        let changes = self.declared(ty, parameter).is_some_and(|domain| reads_state(&domain.values.expr));
        if changes || self.any_state_domain(ty) || !objects_in(instance.model(), ty).is_empty() {
            return Ok(None);
        }
        // Where there are none, whoever asks for them gets an error, and that may depend on the state.
        if instance.parameter_values(action, index, &self.input.initial[0]).is_err() {
            return Ok(None);
        }
        self.each_value_of(ty, parameter).map(Some)
    }

    /// All values of a type, for binders; some may contain objects that nobody has made yet.
    pub(super) fn each_of_type(&mut self, ty: &Type) -> Result<Each> {
        if self.declared(ty, None).is_some_and(|domain| reads_state(&domain.values.expr)) {
            return Err(Unsupported::new("a binder over a domain that depends on the state"));
        }
        self.each_value_of(ty, None)
    }

    fn each_value_of(&mut self, ty: &Type, parameter: Option<(ActionId, usize)>) -> Result<Each> {
        let kind = self.kind_of(ty)?;
        let instance = self.input.kinds.instance;
        if let (Type::Object(id), None) = (instance.model().types.strip(ty), self.declared(ty, parameter)) {
            let bound = self.object_count(*id);
            return Ok(Each::Below { bound, kind });
        }
        if self.any_state_domain(ty) {
            return Err(Unsupported::new("a part with a domain that depends on the state"));
        }
        let full = self.with_all_objects();
        let values = match parameter {
            Some((action, index)) => instance.parameter_values(action, index, &full),
            None => instance.values_of(ty, &full, "the value", Default::default()),
        };
        let words = match values {
            Ok(values) if values.len() > MOST_VALUES => return Err(Unsupported::new("so many values of one type")),
            Ok(values) => self.words_of(&values, &kind)?,
            // Whoever asks gets this error, in every state.
            Err(_) => {
                let never = self.constant(0);
                self.require(never);
                Vec::new()
            }
        };
        Ok(Each::List { words, kind })
    }

    pub(super) fn words_of(&mut self, values: &[Value], kind: &Kind) -> Result<Vec<u64>> {
        let words = values.iter().map(|value| kind.encode(value, self.input.store));
        words.collect::<Option<Vec<u64>>>().ok_or_else(|| Unsupported::new("a domain with values outside the type"))
    }

    /// An initial state in which as many objects are made as a row has room for.
    fn with_all_objects(&self) -> State {
        let mut state = self.input.initial[0].clone();
        state.objects = self.input.kinds.objects.iter().map(|count| *count as u32).collect();
        state
    }

    /// Goes to `target` if the value contains an object that does not exist.
    pub(super) fn unless_made(&mut self, word: Word, kind: &Kind, ty: &Type, target: Block) {
        let model = self.input.kinds.instance.model();
        if matches!(model.types.strip(ty), Type::Object(_)) {
            return;
        }
        for id in objects_in(model, ty) {
            let count = self.object_count(id);
            let (kind, object) = (self.kind_number(kind), self.constant(id.0 as u64));
            let made = self.call("made", &[word, kind, object, count]);
            self.unless(made, target);
        }
    }

    /// Inputs take only values of a domain that the setup declares for them.
    pub(super) fn in_domain(&mut self, rule: &Rule, local: LocalId, word: Word, kind: &Kind) -> Result<()> {
        let instance = self.input.kinds.instance;
        let Trigger::Action(action) = rule.trigger else { return Ok(()) };
        let ty = &rule.locals[local.0].ty;
        if instance.model().actions[action.0].direction != Direction::Input || local.0 >= rule.params {
            return Ok(());
        }
        // Domains of `Int` and `String` only say what to try.
        let named = !matches!(ty, Type::Int | Type::String);
        let own = |domain: &&Domain| named || matches!(domain.target, DomainTarget::Parameter(..));
        let Some(domain) = self.declared(ty, Some((action, local.0))).filter(own) else { return Ok(()) };
        let skip = self.skip;
        if reads_state(&domain.values.expr) {
            let zero = self.constant(0);
            let found = self.variable(zero);
            let each = self.with_locals(&domain.values.locals, |code| code.each(&domain.values.expr))?;
            let turn = self.begin(each)?;
            let fitting = self.try_coerce(turn.word, &turn.kind, kind)?;
            let value = self.require_fit(fitting);
            let same = self.compare(IntCC::Equal, value, word);
            let so_far = self.get(found);
            let any = self.builder.ins().bor(so_far, same);
            self.put(found, any);
            self.end(turn);
            let found = self.get(found);
            self.unless(found, skip);
            return Ok(());
        }
        let Each::List { words, .. } = self.each_value_of(ty, Some((action, local.0)))? else { return Ok(()) };
        let mut any = self.constant(0);
        for value in words {
            let same = self.is(IntCC::Equal, word, value);
            any = self.builder.ins().bor(any, same);
        }
        self.unless(any, skip);
        Ok(())
    }

    /// Whether a parameter or choice that runs through its domain has every value there that any rule may give it.
    pub(super) fn runs_through_all(&self, rule: &Rule, local: LocalId) -> bool {
        let instance = self.input.kinds.instance;
        let ty = &rule.locals[local.0].ty;
        if let Trigger::Action(action) = rule.trigger
            && local.0 < rule.params
            && instance.model().actions[action.0].direction == Direction::Input
            && !matches!(ty, Type::Int | Type::String)
            && self.declared(ty, Some((action, local.0))).is_some()
        {
            return true;
        }
        let parameter = match rule.trigger {
            Trigger::Action(action) if local.0 < rule.params => Some((action, local.0)),
            _ => None,
        };
        self.is_whole(ty, parameter)
    }

    /// The type has finitely many values, and the setup does not choose among them.
    fn is_whole(&self, ty: &Type, parameter: Option<(ActionId, usize)>) -> bool {
        if self.declared(ty, parameter).is_some() {
            return false;
        }
        let model = self.input.kinds.instance.model();
        match ty {
            Type::Alias(id) => self.is_whole(&model.types.aliases[id.0].ty, None),
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) | Type::Unknown => false,
            _ => parts(model, ty).iter().all(|part| self.is_whole(part, None)),
        }
    }

    /// What the setup says of a parameter or of its type as a whole; a later entry wins.
    fn declared(&self, ty: &Type, parameter: Option<(ActionId, usize)>) -> Option<&'a Domain> {
        let domains = || self.input.kinds.instance.setup().into_iter().flat_map(|setup| setup.domains.iter().rev());
        let own = parameter.and_then(|(action, index)| {
            domains().find(|domain| domain.target == DomainTarget::Parameter(action, index))
        });
        own.or_else(|| target(ty).and_then(|target| domains().find(|domain| domain.target == target)))
    }

    /// Some part of the type, inside its names, has a domain that depends on the state.
    fn any_state_domain(&self, ty: &Type) -> bool {
        if self.declared(ty, None).is_some_and(|domain| reads_state(&domain.values.expr)) {
            return true;
        }
        let types = &self.input.kinds.instance.model().types;
        match ty {
            Type::Alias(id) => self.any_state_domain(&types.aliases[id.0].ty),
            _ => parts(self.input.kinds.instance.model(), ty).iter().any(|part| self.any_state_domain(part)),
        }
    }
}

fn target(ty: &Type) -> Option<DomainTarget> {
    match ty {
        Type::Int => Some(DomainTarget::Int),
        Type::String => Some(DomainTarget::String),
        Type::Alias(id) => Some(DomainTarget::Alias(*id)),
        Type::Enum(id) => Some(DomainTarget::Enum(*id)),
        Type::Record(id) => Some(DomainTarget::Record(*id)),
        Type::Object(id) => Some(DomainTarget::Object(*id)),
        _ => None,
    }
}

pub(super) fn reads_state(expr: &Expr) -> bool {
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

/// The types inside a type.
fn parts(model: &Model, ty: &Type) -> Vec<Type> {
    match model.types.strip(ty) {
        Type::Tuple(parts) => parts.clone(),
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => vec![(**inner).clone()],
        Type::Map(key, value) => vec![(**key).clone(), (**value).clone()],
        Type::Record(id) => model.types.records[id.0].fields.iter().map(|(_, ty)| ty.clone()).collect(),
        Type::Enum(id) => {
            model.types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// The types of objects that values of a type may contain.
pub(super) fn objects_in(model: &Model, ty: &Type) -> Vec<ObjectId> {
    if let Type::Object(id) = model.types.strip(ty) {
        return vec![*id];
    }
    let mut found: Vec<ObjectId> = parts(model, ty).iter().flat_map(|part| objects_in(model, part)).collect();
    found.sort();
    found.dedup();
    found
}
