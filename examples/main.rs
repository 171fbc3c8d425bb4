//! `implementation SYSTEM NAME`: an implementation behind the adapter protocol, by the folder that it belongs to, such as
//! `implementation aps faulty-revertive`. The scripts `run` in these folders call it.

use interplay_examples::{aps, bag_threads, brp, brp_sender, brp_server, chat, chat_server, daisy_users, elevator};
use interplay_sdk::Adapter;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match start(&args.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn start(args: &[&str]) -> io::Result<()> {
    match *args {
        ["aps", name] => serve(aps::adapter(name)),
        ["elevator", name] => serve(elevator::adapter(name)),
        ["chat", name] => serve(chat::adapter(name).transpose()?),
        ["chat-server", name] => chat_server::serve(fault(&chat_server::FAULTS, name)),
        ["brp", name] => serve(brp::adapter(name).transpose()?),
        ["brp-sender", name] => brp_server::serve(fault(&brp_sender::FAULTS, name)),
        ["bag", name] => serve(bag_threads::adapter(name)),
        ["daisy", "good"] => daisy_users::adapter().serve(),
        ["daisy", name] => serve(daisy_users::adapter_for_threads(name)),
        _ => Err(unknown()),
    }
}

fn serve<S>(adapter: Option<Adapter<S>>) -> io::Result<()> {
    adapter.ok_or_else(unknown)?.serve()
}

/// No fault for the correct ones.
fn fault<F: Copy>(faults: &[(&str, F)], name: &str) -> Option<F> {
    faults.iter().find(|(known, _)| *known == name).map(|&(_, fault)| fault)
}

fn unknown() -> io::Error {
    io::Error::other("usage: implementation SYSTEM NAME, where examples/SYSTEM/NAME is a folder with a script `run`")
}
