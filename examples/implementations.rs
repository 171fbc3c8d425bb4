//! The implementations of the case studies that are written in Rust. Each lies beside its specification, in the folder of the
//! correct one; the faulty ones are the same program with a fault to order, so that nothing else differs.

#[path = "aps/good/aps.rs"]
pub mod aps;
#[path = "elevator/good-rust/elevator.rs"]
pub mod elevator;

#[path = "chat/good-rust/adapter.rs"]
pub mod chat;
#[path = "chat/good-rust/server.rs"]
pub mod chat_server;

#[path = "brp/good/adapter.rs"]
pub mod brp;
#[path = "brp/good/sender.rs"]
pub mod brp_sender;
#[path = "brp/good/server.rs"]
pub mod brp_server;

#[path = "bag/good/bag.rs"]
pub mod bag;
#[path = "bag/good/adapter.rs"]
pub mod bag_threads;

#[path = "daisy/good/daisy.rs"]
pub mod daisy;
#[path = "daisy/good/disk.rs"]
mod daisy_disk;
#[path = "daisy/good/adapter.rs"]
pub mod daisy_users;

mod chance;
mod child;
