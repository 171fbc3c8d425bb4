//! The Teller as a service in Rust: the same graph as `examples/teller/teller.play`.
#![allow(dead_code, reason = "every test file uses another part")]

use interplay_services::{END, Graph, LabelId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    John,
    Mary,
    Checking,
    Savings,
    MoneyMarket,
    Dollars(i64),
}

use Value::*;

#[derive(Clone, Debug, Default)]
pub(crate) struct Bank {
    checking: i64,
    savings: i64,
}

impl Bank {
    fn account(&mut self, account: Value) -> &mut i64 {
        if account == Checking { &mut self.checking } else { &mut self.savings }
    }

    fn covers(&self, account: Value, amount: i64) -> bool {
        amount <= if account == Checking { self.checking } else { self.savings }
    }
}

fn valid(account: Value) -> bool {
    matches!(account, Checking | Savings)
}

fn dollars(value: Value) -> i64 {
    match value {
        Dollars(amount) => amount,
        other => panic!("{other:?} is not an amount"),
    }
}

pub(crate) fn teller() -> Graph<Bank, Value> {
    let mut graph = Graph::new(Bank::default);
    let start_service = graph.signal("startService");
    let start_deposit = graph.signal("startDeposit");
    let start_withdrawal = graph.signal("startWithdrawal");
    let start_transfer = graph.signal("startTransfer");
    let quit = graph.signal("quit");
    let name = graph.input("name", [John, Mary]);
    let pin = graph.input("pin", [John, Mary]);
    let src = graph.input("src", [Checking, Savings, MoneyMarket]);
    let tgt = graph.input("tgt", [Checking, Savings, MoneyMarket]);
    let amt = graph.input("amt", [Dollars(0), Dollars(100)]);

    let welcome = graph.choice("Welcome");
    let login = graph.collect("Login", &[name, pin]);
    let menu = graph.choice("Menu");
    let deposit = graph.collect("Deposit", &[tgt, amt]);
    let withdrawal = graph.collect("Withdrawal", &[src, amt]);
    let transfer = graph.collect("Transfer", &[src, tgt, amt]);

    graph.start(welcome);
    graph.on(welcome, start_service).goto(login);
    graph.check(login, &[name, pin], move |_, got| got[name] == got[pin]);
    graph.done(login).goto(menu);
    graph.on(menu, start_deposit).goto(deposit);
    graph.on(menu, start_withdrawal).goto(withdrawal);
    graph.on(menu, start_transfer).goto(transfer);
    graph.on(menu, quit).goto(END);

    graph.check(deposit, &[tgt], move |_, got| valid(got[tgt]));
    graph.check(deposit, &[amt], move |_, got| dollars(got[amt]) > 0);
    graph.done(deposit).run(move |bank, got| *bank.account(got[tgt]) += dollars(got[amt])).goto(menu);

    graph.check(withdrawal, &[src], move |_, got| valid(got[src]));
    graph.check(withdrawal, &[amt], move |_, got| dollars(got[amt]) > 0);
    graph.check(withdrawal, &[src, amt], move |bank, got| bank.covers(got[src], dollars(got[amt])));
    graph.done(withdrawal).run(move |bank, got| *bank.account(got[src]) -= dollars(got[amt])).goto(menu);

    graph.check(transfer, &[src], move |_, got| valid(got[src]));
    graph.check(transfer, &[tgt], move |_, got| valid(got[tgt]));
    graph.check(transfer, &[amt], move |_, got| dollars(got[amt]) > 0);
    graph.check(transfer, &[src, amt], move |bank, got| bank.covers(got[src], dollars(got[amt])));
    graph.check(transfer, &[src, tgt], move |_, got| got[src] != got[tgt]);
    let moves = move |bank: &mut Bank, got: &interplay_services::Got<Value>| {
        *bank.account(got[src]) -= dollars(got[amt]);
        *bank.account(got[tgt]) += dollars(got[amt]);
    };
    graph.done(transfer).run(moves).goto(menu);
    graph.snapshots(|bank| format!("{bank:?}"));
    graph
}

pub(crate) fn labels(graph: &Graph<Bank, Value>, names: &[&str]) -> Vec<LabelId> {
    names.iter().map(|name| graph.label_named(name).expect("the teller has it")).collect()
}

/// The specification of the same service.
pub(crate) fn specification(text: &str, setup: &str) -> interplay_semantics::Instance {
    let mut problems = interplay_diagnostics::Diagnostics::default();
    let tree = interplay_syntax::parse(interplay_diagnostics::FileId(0), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems).expect("the specification is right");
    let setup = model.setup_named(setup);
    interplay_semantics::Instance::new(model.into(), setup).expect("the setup is right")
}
