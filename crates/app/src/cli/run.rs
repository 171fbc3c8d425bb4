//! `interplay run`: a specification as a service that people use, on a terminal, on a web page and as a JSON API.

use super::explore::amount;
use super::simulate::lines::Lines;
use super::simulate::{fresh_seed, refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_interfaces::Terminal;
use interplay_report::escape;
use interplay_workbench::{Refusal, Runnable, open, runnable};
use serde_json::json;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

/// Run a specification as a service: on a terminal, as a web page, as a JSON API, or all at once
///
/// Inputs are taken in any order; several may be said at once and wait until they are asked for; what was said can be
/// corrected; `back` leads to an earlier place. The setup gives constants; what it would give to a test is not asked. Outputs of
/// the system are shown; what it leaves open is decided by dice. The web page and the API are at the same address, which is on
/// this machine only unless another one is named. Ctrl-C ends everything.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay run teller.play\n  \
                        interplay run teller.play --web --terminal --shared\n  \
                        echo 'startService name John pin John' | interplay run teller.play")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The setup to run under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Serve on this terminal; the default if no other interface is named
    #[arg(long)]
    terminal: bool,
    /// Serve a web page, and a JSON API under /api
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7200")]
    web: Option<String>,
    /// One conversation for all interfaces, instead of one for each user
    #[arg(long)]
    shared: bool,
    /// The seed of what the specification leaves open; without it a new one, which is printed if it matters
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// End after so long
    #[arg(long = "for", value_name = "TIME", value_parser = amount::time)]
    time: Option<Duration>,
    /// Print one JSON document per turn, as the JSON API gives it
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let service = match runnable(&context, arguments.setup.as_deref(), seed) {
        Ok(service) => service,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let listener = match arguments.web.as_deref().map(listen).transpose() {
        Ok(listener) => listener,
        Err(problem) => return refuse(&problem),
    };
    let (reception, desk) = interplay_interfaces::open(|| Ok(service.logic()), arguments.shared);
    let web = listener.map(|listener| desk.web(listener)).transpose()?;
    announce(&arguments, &service, &context.model.name, seed, web.map(|web| web.address()))?;
    let stop = desk.clone();
    // Somebody else may watch it already; then Ctrl-C ends the program.
    let _ = ctrlc::set_handler(move || stop.stop());
    if arguments.terminal || arguments.web.is_none() {
        let json = arguments.json;
        desk.terminal(move || terminal(json))?;
    }
    drop(desk);
    reception.serve(arguments.time);
    Ok(Exit::Met)
}

/// A person at a terminal, with editing and history, or a pipe.
fn terminal(json: bool) -> io::Result<Terminal> {
    let mut lines = Lines::open().map_err(io::Error::other)?;
    let echoes = lines.echoes();
    let next = move |prompt: &str| lines.next(prompt).map_err(io::Error::other);
    Ok(Terminal { lines: Box::new(next), say: Box::new(print::answer), echoes, json })
}

fn listen(address: &str) -> Result<TcpListener, String> {
    let address: SocketAddr = address.parse().map_err(|_| {
        format!("`{address}` is no address to listen at\nhelp: write one as 127.0.0.1:7200; port 0 takes a free one")
    })?;
    TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("somebody listens at {address} already\nhelp: `--web 127.0.0.1:0` takes a free port")
        }
        _ => format!("cannot listen at {address}: {error}"),
    })
}

fn announce(
    arguments: &Arguments,
    service: &Runnable,
    system: &str,
    seed: u64,
    web: Option<SocketAddr>,
) -> io::Result<()> {
    let page = web.map(|address| format!("http://{address}/"));
    if arguments.json {
        let api = web.map(|address| format!("http://{address}/api"));
        let document = json!({ "system": system, "setup": service.setup.name, "seed": seed, "web": page, "api": api });
        return print::answer(&format!("{document}\n"));
    }
    let remark = match (&service.setup.remark, &service.setup.name) {
        (Some(remark), _) => format!(", {}", escape(remark)),
        (None, Some(name)) => format!(", using setup `{}`", escape(name)),
        (None, None) => String::new(),
    };
    let mut text = print::headline(&arguments.file.display().to_string(), system, &remark);
    if let Some(page) = page {
        text += &format!("web page: {page}   JSON API: {page}api\n");
    }
    if web.is_some_and(|address| !address.ip().is_loopback()) {
        text += "warning: whoever reaches this address can use the service, and nothing is encrypted\n";
    }
    if arguments.terminal || arguments.web.is_none() {
        text += "say what is needed, in any order; `help` says more\n";
    } else {
        text += "Ctrl-C ends it\n";
    }
    print::answer(&text)
}
