//! The file and its declarations.

use interplay_diagnostics::{Code, Diagnostic};

use super::{Parsed, Parser};
use crate::ast::{Discipline, Expr, File, Header, Import, Item, ItemKind, Name, Param, Polarity, Type, Variant};
use crate::token::TokenKind;

/// The words that start a declaration. They are ordinary names everywhere else; `at` alone is reserved.
pub(crate) const ITEM_WORDS: &[&str] = &[
    "type",
    "enum",
    "record",
    "object",
    "const",
    "var",
    "init",
    "def",
    "proc",
    "input",
    "output",
    "internal",
    "may",
    "exclusive",
    "exactly",
    "relation",
    "start",
    "choice",
    "collect",
    "on",
    "component",
    "accepting",
    "observer",
    "property",
    "fair",
    "strongly",
    "scenario",
    "goal",
    "setup",
];

impl Parser<'_> {
    pub(super) fn whole_file(&mut self) -> File {
        let mut file = File { imports: Vec::new(), header: None, items: Vec::new(), doc: self.cursor.file_doc() };
        // A file with so many mistakes is not a specification; the rest of it would only take time.
        while !self.at(TokenKind::End) && self.reports <= super::REPORT_LIMIT {
            let start = self.cursor.position;
            if self.file_part(&mut file).is_err() {
                self.recover_in_file(start);
            }
        }
        file
    }

    /// What is indented further than the file is the inside of something whose opening brace was not understood, and a
    /// closing brace behind it belongs to the same mistake.
    fn recover_in_file(&mut self, start: usize) {
        let semicolon = self.at(TokenKind::Semicolon);
        self.recover_to(start, self.cursor.lexeme(0).indent);
        if !semicolon {
            self.eat(TokenKind::CloseBrace);
        }
    }

    fn file_part(&mut self, file: &mut File) -> Parsed<()> {
        match self.kind() {
            TokenKind::Name if self.at_word("import") => self.import(file),
            TokenKind::Name if self.at_word("system") => self.header(file),
            _ => self.item().map(|item| file.items.push(item)),
        }
    }

    fn import(&mut self, file: &mut File) -> Parsed<()> {
        let start = self.cursor.position;
        if file.header.is_some() || !file.items.is_empty() {
            self.misplaced("`import` must come first", "move it to the start of the file");
        }
        self.bump();
        if !matches!(self.kind(), TokenKind::String | TokenKind::OpenString) {
            return Err(self.expected("the name of a file between quotes"));
        }
        let path = self.take_string();
        file.imports.push(Import { path, span: self.span_from(start) });
        Ok(())
    }

    /// A late header is reported and understood, a second one only reported.
    fn header(&mut self, file: &mut File) -> Parsed<()> {
        let start = self.cursor.position;
        if file.header.is_some() {
            self.misplaced("second `system` in one file", "a file describes one system: move this one to another file");
        } else if !file.items.is_empty() {
            self.misplaced(
                "`system` must come before all declarations",
                "move it to the start of the file, after the imports",
            );
        }
        self.bump();
        let name = self.name_of("the name of the system")?;
        let discipline = self.discipline();
        let header = Header { name, discipline, span: self.span_from(start) };
        file.header.get_or_insert(header);
        Ok(())
    }

    fn discipline(&mut self) -> Discipline {
        match () {
            _ if self.eat_word("reactive") => Discipline::Reactive,
            _ if self.eat_word("synchronous") => Discipline::Synchronous,
            _ => Discipline::Asynchronous,
        }
    }

    fn misplaced(&mut self, message: &str, help: &str) {
        let diagnostic = Diagnostic::new(Code::P007, self.here(), message).help(help);
        self.report(diagnostic);
    }

    pub(super) fn item(&mut self) -> Parsed<Item> {
        let start = self.cursor.position;
        let doc = self.cursor.doc_before(start);
        let kind = self.item_kind()?;
        Ok(Item { doc, span: self.span_from(start), kind })
    }

    fn item_kind(&mut self) -> Parsed<ItemKind> {
        if self.at(TokenKind::At) {
            return self.at_item();
        }
        if !self.at(TokenKind::Name) {
            return Err(self.no_item());
        }
        match self.cursor.text_ahead(0) {
            "type" => self.type_item(),
            "enum" => self.enum_item(),
            "record" => self.record_item(),
            "object" => self.object_item(),
            "const" => {
                let (name, ty, value) = self.typed_name()?;
                Ok(ItemKind::Const { name, ty, value })
            }
            "var" => {
                let (name, ty, value) = self.typed_name()?;
                let from = if self.eat(TokenKind::In) { Some(self.expression_here()) } else { None };
                Ok(ItemKind::Var { name, ty, value, from })
            }
            "init" => Ok(ItemKind::Init { condition: self.condition_after_word() }),
            "def" => self.def_item(),
            "proc" => self.proc_item(),
            "input" | "output" | "internal" | "may" => self.actions(),
            "exclusive" | "exactly" | "relation" => self.relation(),
            "start" => self.start_item(),
            "choice" => self.choice_item(),
            "collect" => self.collect_item(),
            "on" => Ok(ItemKind::On(self.on_rule()?)),
            "component" => self.component_item(),
            "accepting" => Ok(ItemKind::Accepting { condition: self.condition_after_word() }),
            "observer" => self.observer_item(),
            "property" => self.property_item(),
            "fair" | "strongly" => self.fair_item(),
            "scenario" => self.scenario_item(),
            "goal" => self.goal_item(),
            "setup" => self.setup_item(),
            _ => Err(self.no_item()),
        }
    }

    fn condition_after_word(&mut self) -> Expr {
        self.bump();
        self.expression_here()
    }

    fn type_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the type")?;
        self.assign_mark()?;
        Ok(ItemKind::Type { name, ty: self.type_here() })
    }

    fn enum_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the enumeration")?;
        self.at_list("`{` and the variants")?;
        Ok(ItemKind::Enum { name, variants: self.list(Self::variant).elements })
    }

    fn variant(&mut self) -> Parsed<Variant> {
        let name = self.name_of("the name of a variant")?;
        let payload = if self.at(TokenKind::OpenParen) { self.list(Self::type_).elements } else { Vec::new() };
        Ok(Variant { name, payload })
    }

    fn record_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the record")?;
        self.at_list("`{` and the fields")?;
        Ok(ItemKind::Record { name, fields: self.list(Self::param).elements })
    }

    fn at_list(&mut self, what: &str) -> Parsed<()> {
        if self.at(TokenKind::OpenBrace) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Makes sure that an opening brace follows; if it does not, but what belongs behind it, only the brace is missing.
    pub(super) fn at_braces(&mut self, what: &str) -> Parsed<()> {
        if self.at(TokenKind::OpenBrace) {
            return Ok(());
        }
        let reported = self.expected(what);
        if self.skip_to_brace() || self.content_follows() { Ok(()) } else { Err(reported) }
    }

    /// Goes to an opening brace on the same line, if it is near.
    fn skip_to_brace(&mut self) -> bool {
        const NEAR: usize = 30;
        let here = self.cursor.position;
        let mut line = (here..here + NEAR).take_while(|&at| !self.cursor.lexeme(at).first_on_line);
        let brace = line.find(|&at| self.cursor.lexeme(at).token.kind == TokenKind::OpenBrace);
        self.cursor.position = brace.unwrap_or(here);
        brace.is_some()
    }

    /// Does a word follow on the same line, or on one that is indented further?
    pub(super) fn content_follows(&self) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        let inside = !here.first_on_line || self.cursor.previous().is_some_and(|before| here.indent > before.indent);
        inside && (self.at(TokenKind::Name) || self.kind().is_reserved())
    }

    fn object_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        Ok(ItemKind::Object { names: self.separated(Self::name)? })
    }

    /// The name of a variable or constant, its type, and its value if it has one.
    fn typed_name(&mut self) -> Parsed<(Name, Type, Option<Expr>)> {
        self.bump();
        let name = self.name()?;
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `name: Type`");
        let ty = if self.at(TokenKind::Assign) { self.missing_type() } else { self.type_here() };
        let has_value = matches!(self.kind(), TokenKind::Assign | TokenKind::ColonAssign | TokenKind::Equal);
        if has_value {
            self.assign_mark()?;
        }
        let value = has_value.then(|| self.expression_here());
        Ok((name, ty, value))
    }

    /// `var x = 1`: the missing `:` was reported already.
    fn missing_type(&mut self) -> Type {
        self.expected("a type");
        Type { kind: crate::ast::TypeKind::Error, span: self.here() }
    }

    fn def_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the definition")?;
        let params = self.optional_params();
        let ty = self.eat(TokenKind::Colon).then(|| self.type_here());
        self.assign_mark()?;
        Ok(ItemKind::Def { name, params, ty, body: self.formula_here() })
    }

    fn proc_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the procedure")?;
        if !self.at(TokenKind::OpenParen) {
            self.expected_with_help(
                "`(`",
                Some("parentheses are needed even without parameters: `proc name() { ... }`".into()),
            );
        }
        let params = self.optional_params();
        Ok(ItemKind::Proc { name, params, body: self.block()? })
    }

    fn start_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        Ok(ItemKind::Start { location: self.name_of("the name of a location")? })
    }

    fn component_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the component")?;
        self.at_braces("`{` and declarations")?;
        Ok(ItemKind::Component { name, items: self.nested_items(Self::component_member) })
    }

    fn component_member(&mut self) -> Parsed<Item> {
        match () {
            _ if self.at_word("system") => Err(self.misplaced_header("`system` is not allowed in a component")),
            _ if self.at_word("import") => Err(self.misplaced_header("`import` is not allowed in a component")),
            _ => self.item(),
        }
    }

    fn misplaced_header(&mut self, message: &str) -> super::Reported {
        self.misplaced(message, "move it to the start of the file");
        self.bump();
        super::Reported
    }

    /// Components in components count as nesting, as blocks do.
    fn nested_items(&mut self, member: fn(&mut Self) -> Parsed<Item>) -> Vec<Item> {
        if self.depth >= super::NESTING_LIMIT {
            self.too_deep();
            self.skip_one();
            return Vec::new();
        }
        self.depth += 1;
        let items = self.item_members(member);
        self.depth -= 1;
        items
    }

    /// Like [`Parser::members`], but declarations belong here, so that only the end of the file shows a missing brace.
    fn item_members(&mut self, member: fn(&mut Self) -> Parsed<Item>) -> Vec<Item> {
        let opener = self.cursor.position;
        self.eat(TokenKind::OpenBrace);
        let mut items = Vec::new();
        while !self.eat(TokenKind::CloseBrace) {
            if self.at(TokenKind::End) {
                self.unclosed(opener);
                break;
            }
            let start = self.cursor.position;
            match member(self) {
                Ok(item) => items.push(item),
                Err(_) => self.recover(start),
            }
        }
        items
    }

    fn observer_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the observer")?;
        let polarity = match self.kind() {
            TokenKind::Never => Polarity::Never,
            TokenKind::Possible => Polarity::Possible,
            _ => return Err(self.expected("`never` or `possible`")),
        };
        self.bump();
        self.at_braces("`{` and what it observes")?;
        Ok(ItemKind::Observer { name, polarity, items: self.members(Self::observer_member, Self::foreign_to_observer) })
    }

    fn foreign_to_observer(&self) -> bool {
        self.starts_item() && !self.at(TokenKind::At) && !self.at_any_word(&["var", "start"])
    }

    fn observer_member(&mut self) -> Parsed<Item> {
        if self.at(TokenKind::At) || self.at_any_word(&["var", "start"]) {
            return self.item();
        }
        if self.foreign_to_observer() {
            return Err(self.misplaced_item("an observer", "`var`, `start` and `at`"));
        }
        Err(self.expected("`var`, `start` or `at`"))
    }

    fn property_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the property")?;
        let mut assuming = Vec::new();
        if self.eat_word("assuming") {
            assuming.push(self.formula_here());
            while self.eat(TokenKind::Comma) {
                assuming.push(self.formula_here());
            }
        }
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `property name: formula`");
        Ok(ItemKind::Property { name, assuming, formula: self.formula_here() })
    }

    /// An expression in which `release` and `leads to` are operators.
    fn formula_here(&mut self) -> Expr {
        let around = std::mem::replace(&mut self.in_formula, true);
        let formula = self.expression_here();
        self.in_formula = around;
        formula
    }

    /// `fair a, b`, `strongly fair c`
    fn fair_item(&mut self) -> Parsed<ItemKind> {
        let strongly = self.eat_word("strongly");
        if !self.eat_word("fair") {
            return Err(self.expected_with_help("`fair`", Some("write `strongly fair action`".into())));
        }
        let mut actions = vec![self.name_of("the name of an action")?];
        while self.eat(TokenKind::Comma) {
            actions.push(self.name_of("the name of an action")?);
        }
        Ok(ItemKind::Fair { strongly, actions })
    }

    fn goal_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the goal")?;
        let params: Vec<Param> = self.optional_params();
        let mut under = Vec::new();
        if self.eat_word("under") {
            under.push(self.name_of("the name of a setup")?);
            while self.eat(TokenKind::Comma) {
                under.push(self.name_of("the name of a setup")?);
            }
        }
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `goal name: condition`");
        let condition = self.expression_here();
        let mut after = Vec::new();
        while self.eat_word("after") {
            after.push(self.expression_here());
        }
        Ok(ItemKind::Goal { name, params, under, condition, after })
    }
}
