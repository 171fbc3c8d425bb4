//! A small service in Rust, served for a test.

use interplay_interfaces::{Desk, Logic, open};
use interplay_services::{END, Graph};
use std::net::{SocketAddr, TcpListener};

/// A guest book: whoever enters says a name and a number, in any order.
fn guest_book() -> Graph<Vec<String>, String> {
    let mut graph: Graph<Vec<String>, String> = Graph::new(Vec::new);
    let (enter, leave) = (graph.signal("enter"), graph.signal("leave"));
    let name = graph.input("name", ["Ann".to_string()]);
    let guests = graph.input("guests", ["1", "2", "9"].map(String::from));
    graph.reads(name, |text| if text.is_empty() { Err("a name has letters".into()) } else { Ok(text.into()) });
    let (door, book) = (graph.choice("Door"), graph.collect("Book", &[name, guests]));
    graph.start(door);
    graph.on(door, enter).goto(book);
    graph.on(door, leave).goto(END);
    graph.check(book, &[guests], move |_, got| got[guests] != "9").says("there is no room for nine");
    graph.done(book).run(move |all, got| all.push(format!("{} with {}", got[name], got[guests]))).goto(door);
    graph.named("Guest book");
    graph.shows(|all| all.clone());
    graph
}

/// Serves it at a free port, until the end of the test.
pub(crate) fn serve(shared: bool) -> (SocketAddr, Desk) {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let graph = guest_book();
        let (reception, desk) = open(|| Ok(Box::new(graph.session()) as Box<dyn Logic>), shared);
        let web = desk.web(TcpListener::bind("127.0.0.1:0").expect("there is a port")).expect("it serves");
        send.send((web.address(), desk)).expect("the test waits");
        reception.serve(None);
    });
    receive.recv().expect("it starts")
}
