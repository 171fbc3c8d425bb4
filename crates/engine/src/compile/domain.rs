//! The values that a name runs through: those that a setup gives to a parameter or a type, or all of a type.
//!
//! What does not depend on the state is a list that is made now. Values that contain objects are listed for as many objects as
//! a row has room for, and those that nobody has made yet are left out when the code runs.

use super::code::{Code, Result};
use super::each::{Each, Turn};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word};
use interplay_model::{ActionId, LocalId, Model, ObjectId, Rule, Trigger, Type};
use interplay_rows::Kind;
use interplay_rows::Unsupported;
use interplay_semantics::{Asked, State, Value};

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
        let (word, kind) = self.open_values(ty, self.asked(rule, local), turns)?;
        self.set_local(local, word, kind);
        Ok(())
    }

    /// How the values of a parameter, a choice or a result are asked for.
    fn asked(&self, rule: &Rule, local: LocalId) -> Asked {
        match rule.trigger {
            Trigger::Action(action) if local.0 < rule.params => self.input.kinds.instance.asked_for(action, local.0),
            _ => Asked::ANYWHERE,
        }
    }

    /// All values of a type, or of a parameter, in the kind of the type.
    pub(super) fn open_values(&mut self, ty: &Type, asked: Asked, turns: &mut Turns) -> Result<(Word, Kind)> {
        let kind = self.kind_of(ty)?;
        let instance = self.input.kinds.instance;
        if let Some(domain) = instance.declared_domain(ty, asked).filter(|domain| domain.values.expr.may_read_state()) {
            let each = self.with_locals(&domain.values.locals, |code| code.each(&domain.values.expr))?;
            let (word, from) = self.open(each, turns)?;
            let fitting = self.try_coerce(word, &from, &kind)?;
            return Ok((self.require_fit(fitting), kind));
        }
        let each = self.each_value_of(ty, asked)?;
        let (word, kind) = self.open(each, turns)?;
        let skip = self.skip;
        self.unless_made(word, &kind, ty, skip);
        Ok((word, kind))
    }

    /// All values of a parameter, if they are the same in every state.
    pub(super) fn constant_domain(&mut self, ty: &Type, action: ActionId, index: usize) -> Result<Option<Each>> {
        let instance = self.input.kinds.instance;
        let asked = instance.asked_for(action, index);
        let changes = instance.declared_domain(ty, asked).is_some_and(|domain| domain.values.expr.may_read_state());
        if changes || self.any_state_domain(ty, asked) || !objects_in(instance.model(), ty).is_empty() {
            return Ok(None);
        }
        // Where there are none, whoever asks for them gets an error, and that may depend on the state.
        if instance.given_values(action, index, &self.input.initial[0]).is_err() {
            return Ok(None);
        }
        self.each_value_of(ty, asked).map(Some)
    }

    /// All values of a type, for binders; some may contain objects that nobody has made yet.
    pub(super) fn each_of_type(&mut self, ty: &Type) -> Result<Each> {
        let declared = self.input.kinds.instance.declared_domain(ty, Asked::ANYWHERE);
        if declared.is_some_and(|domain| domain.values.expr.may_read_state()) {
            return Err(Unsupported::new("a binder over a domain that depends on the state"));
        }
        self.each_value_of(ty, Asked::ANYWHERE)
    }

    fn each_value_of(&mut self, ty: &Type, asked: Asked) -> Result<Each> {
        let kind = self.kind_of(ty)?;
        let instance = self.input.kinds.instance;
        if let (Type::Object(id), None) = (instance.model().types.strip(ty), instance.declared_domain(ty, asked)) {
            let bound = self.object_count(*id);
            return Ok(Each::Below { bound, kind });
        }
        if self.any_state_domain(ty, asked) {
            return Err(Unsupported::new("a part with a domain that depends on the state"));
        }
        let full = self.with_all_objects();
        let values = match asked.parameter {
            Some((action, index)) if asked.given => instance.given_values(action, index, &full),
            Some((action, index)) => instance.parameter_values(action, index, &full),
            None => instance.values_of(ty, &full, "the value", Default::default()),
        };
        let words = match values {
            Ok(values) if values.len() > MOST_VALUES => return Err(Unsupported::new("too many values of one type")),
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

    /// Inputs take only values of a domain that the setup declares for them, also inside their types.
    pub(super) fn in_domain(&mut self, rule: &Rule, local: LocalId, word: Word, kind: &Kind) -> Result<()> {
        let instance = self.input.kinds.instance;
        let asked = self.asked(rule, local);
        let ty = &rule.locals[local.0].ty;
        let Some(domain) = instance.restricting_domain(ty, asked) else {
            return match self.restricts_inside(ty, asked.inside()) {
                true => Err(Unsupported::new("a guard that gives values whose parts have a domain")),
                false => Ok(()),
            };
        };
        let skip = self.skip;
        if domain.values.expr.may_read_state() {
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
        let Each::List { words, .. } = self.each_value_of(ty, asked)? else { return Ok(()) };
        let mut any = self.constant(0);
        for value in words {
            let same = self.is(IntCC::Equal, word, value);
            any = self.builder.ins().bor(any, same);
        }
        self.unless(any, skip);
        Ok(())
    }

    /// A type inside this one has a domain that forbids values that a guard gives.
    fn restricts_inside(&self, ty: &Type, asked: Asked) -> bool {
        let instance = self.input.kinds.instance;
        let model = instance.model();
        let inside = match ty {
            Type::Alias(id) => vec![model.types.aliases[id.0].ty.clone()],
            _ => parts(model, ty),
        };
        let restricts = |part| instance.restricting_domain(part, asked).is_some() || self.restricts_inside(part, asked);
        inside.iter().any(restricts)
    }

    /// Whether a parameter or choice that runs through its domain has every value there that any rule may give it.
    pub(super) fn runs_through_all(&self, rule: &Rule, local: LocalId) -> bool {
        let ty = &rule.locals[local.0].ty;
        let asked = self.asked(rule, local);
        self.input.kinds.instance.restricting_domain(ty, asked).is_some() || self.is_whole(ty, asked)
    }

    /// The type has finitely many values, and the setup does not choose among them.
    fn is_whole(&self, ty: &Type, asked: Asked) -> bool {
        let instance = self.input.kinds.instance;
        if instance.declared_domain(ty, asked).is_some() {
            return false;
        }
        let inside = asked.inside();
        let model = instance.model();
        match ty {
            Type::Alias(id) => self.is_whole(&model.types.aliases[id.0].ty, inside),
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) | Type::Unknown => false,
            _ => parts(model, ty).iter().all(|part| self.is_whole(part, inside)),
        }
    }

    /// Some part of the type, inside its names, has a domain that depends on the state.
    fn any_state_domain(&self, ty: &Type, asked: Asked) -> bool {
        let instance = self.input.kinds.instance;
        if let Some(domain) = instance.declared_domain(ty, asked) {
            return domain.values.expr.may_read_state();
        }
        let inside = asked.inside();
        let model = instance.model();
        match ty {
            Type::Alias(id) => self.any_state_domain(&model.types.aliases[id.0].ty, inside),
            _ => parts(model, ty).iter().any(|part| self.any_state_domain(part, inside)),
        }
    }
}

/// The types inside a type.
fn parts(model: &Model, ty: &Type) -> Vec<Type> {
    match model.types.strip(ty) {
        Type::Tuple(parts) => parts.to_vec(),
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
