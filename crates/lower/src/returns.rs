//! `return` leaves its block. Engines know nothing of it: the model is written so that nothing of the block follows.
//!
//! What stands after a statement that may return is moved into those of its branches that do not, so that `if a { return 1 } rest` becomes
//! `if a { return 1 } else { rest }`. The move to another location, with its exit and entry blocks, is no part of the block
//! and comes in any case. The price is that a branch in the middle may double what follows it, and that a loop cannot be left.

use super::Lower;
use super::statement::EXPANSION_LIMIT;
use interplay_diagnostics::{Code, Diagnostic};
use interplay_model::{Shared, Statement, StatementKind};

impl Lower<'_> {
    /// The same statements, of which none comes after a `return`.
    pub(super) fn leave_at_return(&mut self, mut statements: Vec<Statement>) -> Vec<Statement> {
        let Some(at) = statements.iter().position(may_return) else { return statements };
        let rest = statements.split_off(at + 1);
        if let (false, Some(last)) = (rest.is_empty(), statements.last_mut()) {
            self.move_inside(last, &rest);
        }
        statements
    }

    fn move_inside(&mut self, statement: &mut Statement, rest: &[Statement]) {
        let branches: Vec<&mut Shared<[Statement]>> = match &mut statement.kind {
            StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
            StatementKind::Match { arms, .. } => arms.iter_mut().map(|(_, body)| body).collect(),
            _ => return self.never_reached(&rest[0]),
        };
        for branch in branches.into_iter().filter(|branch| !always_returns(branch)) {
            self.expanded += rest.len();
            if self.expanded > EXPANSION_LIMIT {
                return self.too_many_ways(&rest[0]);
            }
            *branch = self.leave_at_return([&**branch, rest].concat()).into();
        }
    }

    fn never_reached(&mut self, statement: &Statement) {
        let message = "unreachable statement after `return`";
        self.report(
            Diagnostic::new(Code::T006, statement.span, message).help("remove it, or write it before the `return`"),
        );
    }

    fn too_many_ways(&mut self, statement: &Statement) {
        let message = "this block has too many paths without `return`";
        self.report(
            Diagnostic::new(Code::S008, statement.span, message).help("compute the value first, and `return` it once"),
        );
    }

    /// A loop cannot be left from inside.
    pub(super) fn refuse_return_in_loop(&mut self, body: &[Statement]) {
        if let Some(statement) = body.iter().find(|statement| may_return(statement)) {
            self.report(
                Diagnostic::new(Code::S010, statement.span, "`return` is not allowed inside `for`")
                    .help("compute the value after the loop, or with a comprehension: `[x for x in xs if ...]`"),
            );
        }
    }
}

fn may_return(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| found |= matches!(inner.kind, StatementKind::Return(_)));
    found
}

/// Every way through the statements ends in `return`.
pub(super) fn always_returns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::If { then, otherwise, .. } => always_returns(then) && always_returns(otherwise),
        StatementKind::Match { arms, .. } => arms.iter().all(|(_, body)| always_returns(body)),
        _ => false,
    })
}
