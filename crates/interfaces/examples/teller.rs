//! A service built in Rust, on a terminal and as a web page with a JSON API, sharing one conversation:
//! `cargo run -p interplay-interfaces --example teller`.

use interplay_interfaces::{Logic, Terminal, open};
use interplay_services::{END, Graph};

/// Cents in the account, and what amounts are read as.
fn teller() -> Graph<u64, u64> {
    let mut graph: Graph<u64, u64> = Graph::new(|| 0);
    let (deposit, withdraw, leave) = (graph.signal("deposit"), graph.signal("withdraw"), graph.signal("leave"));
    let (amount, pin) = (graph.input("amount", [0, 100]), graph.input("pin", [1234, 0]));
    let menu = graph.choice("Menu");
    let pay_in = graph.collect("Deposit", &[amount]);
    let pay_out = graph.collect("Withdrawal", &[amount, pin]);
    graph.start(menu);
    graph.on(menu, deposit).goto(pay_in);
    graph.on(menu, withdraw).when(|balance, _| *balance > 0).goto(pay_out);
    graph.on(menu, leave).goto(END);
    graph.check(pay_in, &[amount], move |_, got| got[amount] > 0).says("an amount is more than nothing");
    graph.done(pay_in).run(move |balance, got| *balance += got[amount]).goto(menu);
    graph.check(pay_out, &[pin], move |_, got| got[pin] == 1234).says("this is not your pin");
    graph.check(pay_out, &[amount], move |balance, got| got[amount] <= *balance).says("there is not so much money");
    graph.done(pay_out).run(move |balance, got| *balance -= got[amount]).goto(menu);
    // Tests try the values above; people may write any number.
    for label in [amount, pin] {
        graph.reads(label, |text| text.parse().map_err(|_| format!("`{text}` is no number")));
    }
    graph.named("Teller");
    graph.shows(|balance| vec![format!("{balance} in the account")]);
    graph
}

fn main() -> std::io::Result<()> {
    let graph = teller();
    let (reception, desk) = open(|| Ok(Box::new(graph.session()) as Box<dyn Logic>), true);
    let web = desk.web(std::net::TcpListener::bind("127.0.0.1:0")?)?;
    println!("http://{}/", web.address());
    desk.terminal(|| Ok(Terminal::standard()))?;
    reception.serve(None);
    Ok(())
}
