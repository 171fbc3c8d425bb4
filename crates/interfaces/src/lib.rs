//! How do people use a service? On a terminal, on a web page, as a JSON API; several at once, with one logic behind them.
//!
//! All interfaces talk to one [`Desk`], which passes on what they want to the thread that has the conversations, one thing after the
//! other; so a logic needs no locks, may borrow, and several interfaces can share one conversation. The price: a service that takes long to
//! react keeps everybody waiting.
//!
//! ```no_run
//! use interplay_interfaces::{Logic, Terminal, open};
//! use interplay_services::{END, Graph};
//! # fn main() -> std::io::Result<()> {
//! let mut graph: Graph<u32, u32> = Graph::new(|| 0);
//! let (order, size) = (graph.signal("order"), graph.input("size", [1, 2]));
//! let (menu, form) = (graph.choice("Menu"), graph.collect("Form", &[size]));
//! graph.start(menu);
//! graph.on(menu, order).goto(form);
//! graph.done(form).run(move |sum, got| *sum += got[size]).goto(END);
//!
//! let (reception, desk) = open(|| Ok(Box::new(graph.session()) as Box<dyn Logic>), true);
//! let web = desk.web(std::net::TcpListener::bind("127.0.0.1:0")?)?;
//! println!("http://{}/", web.address());
//! desk.terminal(|| Ok(Terminal::standard()))?;
//! reception.serve(None); // until the terminal is left
//! # Ok(())
//! # }
//! ```

mod desk;
mod view;

// What people type, and what they see.
mod terminal;
mod words;

// What browsers and programs send, and what they get.
mod api;
mod connections;
mod guard;
mod page;
mod web;

pub use connections::serve as serve_connections;
pub use desk::{Desk, Reception, open, unguessable};
pub use guard::refusal as refused_request;
pub use interplay_services::{Logic, Problem};
pub use terminal::Terminal;
pub use web::Web;
