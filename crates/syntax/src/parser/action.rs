//! Actions with their clauses, and relations between them.

use super::{Parsed, Parser};
use crate::ast::{Action, Choose, Direction, ItemKind, Name, Relation, RelationTerm};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `input signal a, b(x: Int) -> Int requires ... { ... }`, `may output c`
    pub(super) fn actions(&mut self) -> Parsed<ItemKind> {
        let optional = self.eat_word("may");
        if optional && !self.at_word("output") {
            let help = "`may` is allowed only before `output`: it declares an optional output";
            self.expected_with_help("`output`", Some(help.into()));
        }
        let direction = match self.cursor.text_ahead(0) {
            "input" => Direction::Input,
            "output" => Direction::Output,
            _ => Direction::Internal,
        };
        self.bump();
        let signal = self.at_word("signal") && self.cursor.kind_ahead(1) == TokenKind::Name && self.eat_word("signal");
        let actions = self.separated(Self::action)?;
        Ok(ItemKind::Actions { direction, optional, signal, actions })
    }

    fn action(&mut self) -> Parsed<Action> {
        let start = self.cursor.position;
        let name = self.name_of("the name of an action")?;
        let params = self.optional_params();
        let arrow = self.eat(TokenKind::Arrow) || self.accept_wrong_result_mark();
        let result = arrow.then(|| self.type_here());
        let (raises, requires, chooses, ensures) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let span = self.span_from(start);
        let mut action = Action { name, params, result, raises, requires, chooses, ensures, body: None, span };
        self.clauses(&mut action)?;
        action.body = self.optional_block()?;
        action.span = self.span_from(start);
        Ok(action)
    }

    fn accept_wrong_result_mark(&mut self) -> bool {
        let help = "write `-> Type` for the result";
        self.accept_slip(TokenKind::FatArrow, "`->`", help) || self.accept_slip(TokenKind::Colon, "`->`", help)
    }

    fn clauses(&mut self, action: &mut Action) -> Parsed<()> {
        loop {
            if self.eat_word("requires") {
                action.requires.push(self.expression_here());
            } else if self.eat_word("ensures") {
                action.ensures.push(self.expression_here());
            } else if self.eat_word("raises") {
                self.raised(&mut action.raises)?;
            } else if self.at_word("choose") {
                action.chooses.push(self.choose()?);
            } else if self.at_word("when") {
                self.expected_with_help(
                    "`requires`",
                    Some("write `requires` in a declaration, `when` in a rule".into()),
                );
                self.bump();
                action.requires.push(self.expression_here());
            } else {
                return Ok(());
            }
        }
    }

    /// `Overdrawn or Frozen`: a comma would start the next declaration.
    fn raised(&mut self, raises: &mut Vec<Name>) -> Parsed<()> {
        raises.push(self.name_of("the name of an exception")?);
        while self.eat(TokenKind::Or) {
            raises.push(self.name_of("the name of an exception")?);
        }
        Ok(())
    }

    /// `choose k in 0..2 where k != x`
    pub(super) fn choose(&mut self) -> Parsed<Choose> {
        self.bump();
        let name = self.name()?;
        self.expect(TokenKind::In, "`in` and a collection")?;
        let from = self.expression_here();
        Ok(Choose { name, from, condition: self.optional_where() })
    }

    pub(super) fn relation(&mut self) -> Parsed<ItemKind> {
        let relation = match self.cursor.text_ahead(0) {
            "exclusive" => {
                self.bump();
                Relation::Exclusive(self.relation_terms()?)
            }
            "exactly" => {
                self.bump();
                self.expect_word("one")?;
                Relation::ExactlyOne(self.relation_terms()?)
            }
            _ => {
                self.bump();
                Relation::Condition(self.expression_here())
            }
        };
        Ok(ItemKind::Relation(relation))
    }

    fn relation_terms(&mut self) -> Parsed<Vec<RelationTerm>> {
        let terms = self.separated(Self::relation_term)?;
        if terms.len() < 2 {
            self.expected_with_help("`,` and another action", Some("a relation has at least two terms".into()));
        }
        Ok(terms)
    }

    fn relation_term(&mut self) -> Parsed<RelationTerm> {
        let action = self.name_of("the name of an action")?;
        Ok(RelationTerm { action, args: self.optional_names() })
    }

    fn optional_names(&mut self) -> Vec<Name> {
        if self.at(TokenKind::OpenParen) { self.list(Self::name).elements } else { Vec::new() }
    }
}
