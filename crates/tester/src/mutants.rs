//! Small mistakes in a specification, one at a time: what a programmer could get wrong. Played as implementations they say how
//! strong a test is.
//!
//! All places where a change is possible are walked in one order; the mutant with the number `n` is made by walking a copy and
//! changing the `n`-th of them. So nothing is said twice, and the price is one walk for each mutant.

use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Expr, ExprKind, LocationId, Model, Owner, RuleId, Statement, StatementKind, Type, TypeTable,
};

pub struct Mutant {
    pub model: Model,
    /// What was changed, after the text of the place: `dropped`, `` `<` becomes `<=` ``.
    pub change: String,
    pub span: Span,
    /// The rule that was changed; `None` for a definition or an initial value, which all rules share.
    pub rule: Option<RuleId>,
}

/// How many mutants there are.
pub fn mutant_count(model: &Model) -> usize {
    changed(model, usize::MAX).1.next
}

/// The mutant with this number, in the order of the rules.
pub fn mutant(model: &Model, number: usize) -> Option<Mutant> {
    let (changed, editor) = changed(model, number);
    editor.made.map(|(change, span, rule)| Mutant { model: changed, change, span, rule })
}

fn changed(model: &Model, wanted: usize) -> (Model, Editor<'_>) {
    let mut changed = model.clone();
    let mut editor = Editor { wanted, next: 0, made: None, rule: None, types: &model.types };
    editor.model(&mut changed);
    (changed, editor)
}

/// Walks a model and makes one change.
struct Editor<'m> {
    wanted: usize,
    next: usize,
    made: Option<(String, Span, Option<RuleId>)>,
    rule: Option<RuleId>,
    types: &'m TypeTable,
}

impl Editor<'_> {
    /// A change is possible here; whether it is the one to make.
    fn here(&mut self, span: Span, change: impl Into<String>) -> bool {
        let here = self.next == self.wanted;
        self.next += 1;
        if here {
            self.made = Some((change.into(), span, self.rule));
        }
        here
    }

    fn model(&mut self, model: &mut Model) {
        let others: Vec<Option<LocationId>> = (0..model.locations.len()).map(|at| another(model, at)).collect();
        let names: Vec<String> = model.locations.iter().map(|location| location.name.clone()).collect();
        for (index, rule) in model.rules.iter_mut().enumerate() {
            self.rule = Some(RuleId(index));
            if self.here(rule.span, "the rule is dropped") {
                rule.guard.insert(0, Expr::new(ExprKind::Bool(false), Type::Bool, rule.span));
            }
            self.conditions(&mut rule.guard);
            self.block(&mut rule.body, &others, &names);
            self.conditions(&mut rule.ensures);
        }
        self.rule = None;
        for definition in model.definitions.iter_mut().filter(|each| !each.events && !each.temporal) {
            self.expression(&mut definition.body);
        }
        let of_system = |owner: &Owner| !matches!(owner, Owner::Observer(_));
        for variable in model.variables.iter_mut().filter(|variable| of_system(&variable.owner)) {
            if let Some(value) = &mut variable.value {
                self.expression(&mut value.expr);
            }
        }
    }

    fn conditions(&mut self, conditions: &mut Vec<Expr>) {
        for index in 0..conditions.len() {
            let span = conditions[index].span;
            if self.here(span, "dropped") {
                conditions.remove(index);
                return;
            }
            if !has_opposite(&conditions[index]) && self.here(span, "negated") {
                negate(&mut conditions[index]);
            }
            self.expression(&mut conditions[index]);
        }
    }

    fn block(&mut self, block: &mut Vec<Statement>, others: &[Option<LocationId>], names: &[String]) {
        for index in 0..block.len() {
            let Statement { kind, span } = &mut block[index];
            let span = *span;
            let drops =
                matches!(kind, StatementKind::Assign { .. } | StatementKind::Emit { .. } | StatementKind::Goto(_));
            if drops && self.here(span, "dropped") {
                block.remove(index);
                return;
            }
            match kind {
                StatementKind::Assign { value, .. }
                | StatementKind::Let { value, .. }
                | StatementKind::Return(value) => self.expression(value),
                StatementKind::If { condition, .. } => {
                    if !has_opposite(condition) && self.here(condition.span, "negated") {
                        negate(condition);
                    }
                    self.expression(condition);
                }
                StatementKind::Match { value, .. } => self.expression(value),
                StatementKind::For { condition, .. } => {
                    condition.iter_mut().for_each(|condition| self.expression(condition));
                }
                StatementKind::Emit { args, .. } => args.iter_mut().for_each(|arg| self.expression(arg)),
                StatementKind::Goto(target) => {
                    if let Some(other) = others[target.0]
                        && self.here(span, format!("goes to `{}`", names[other.0]))
                    {
                        *target = other;
                    }
                }
                StatementKind::Assert(_) => {}
            }
            block[index].edit_blocks(|inner| self.block(inner, others, names));
        }
    }

    fn expression(&mut self, expr: &mut Expr) {
        let (span, is_number) = (expr.span, matches!(self.types.strip(&expr.ty), Type::Int | Type::Range(_)));
        match &mut expr.kind {
            ExprKind::Binary { operator, .. } => {
                if let Some(other) = instead(*operator, is_number)
                    && self.here(span, format!("`{}` becomes `{}`", sign(*operator), sign(other)))
                {
                    *operator = other;
                }
            }
            ExprKind::Int(value) => {
                for other in [value.checked_add(1), value.checked_sub(1)].into_iter().flatten() {
                    if self.here(span, format!("becomes {other}")) {
                        *value = other;
                        return;
                    }
                }
            }
            ExprKind::Bool(value) if self.here(span, format!("becomes {}", !*value)) => *value = !*value,
            ExprKind::Not(inner) if self.here(span, "the `not` is dropped") => {
                *expr = (**inner).clone();
                return;
            }
            ExprKind::If { condition, .. } if !has_opposite(condition) && self.here(condition.span, "negated") => {
                negate(condition);
            }
            ExprKind::Variant { enumeration, variant, args } if args.is_empty() => {
                let variants = &self.types.enums[enumeration.0].variants;
                let plain = |at: &usize| variants[*at].payload.is_empty();
                let next = (1..variants.len()).map(|step| (*variant + step) % variants.len()).find(plain);
                if let Some(next) = next
                    && self.here(span, format!("becomes `{}`", variants[next].name))
                {
                    *variant = next;
                }
            }
            _ => {}
        }
        expr.children_mut(&mut |child| self.expression(child));
    }
}

/// The next location of the same component at which something can happen.
fn another(model: &Model, at: usize) -> Option<LocationId> {
    let (count, component) = (model.locations.len(), model.locations[at].component);
    let mut after = (1..count).map(|step| (at + step) % count);
    after.find(|other| model.locations[*other].component == component && !model.locations[*other].end).map(LocationId)
}

/// Its operator has an opposite, so that negating it would say the same twice.
fn has_opposite(expr: &Expr) -> bool {
    use BinaryOperator::*;
    match &expr.kind {
        ExprKind::Binary { operator, .. } => matches!(operator, Equal | NotEqual | In | NotIn),
        ExprKind::Not(_) | ExprKind::Bool(_) => true,
        _ => false,
    }
}

fn negate(expr: &mut Expr) {
    expr.kind = ExprKind::Not(expr.clone().into());
}

/// What could stand there by mistake.
fn instead(operator: BinaryOperator, is_number: bool) -> Option<BinaryOperator> {
    use BinaryOperator::*;
    Some(match operator {
        Or => And,
        And => Or,
        Equal => NotEqual,
        NotEqual => Equal,
        Less => LessEqual,
        LessEqual => Less,
        Greater => GreaterEqual,
        GreaterEqual => Greater,
        In => NotIn,
        NotIn => In,
        Add if is_number => Subtract,
        Subtract if is_number => Add,
        _ => return None,
    })
}

fn sign(operator: BinaryOperator) -> &'static str {
    use BinaryOperator::*;
    match operator {
        Or => "or",
        And => "and",
        Equal => "==",
        NotEqual => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        In => "in",
        NotIn => "not in",
        Add => "+",
        Subtract => "-",
        _ => "",
    }
}
