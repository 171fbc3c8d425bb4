//! `interplay run`: a specification as a service that people use, on a terminal, on a web page and as a JSON API.

use super::explore::amount;
use super::simulate::fresh_seed;
use super::simulate::lines::Lines;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, refuse};
use interplay_answers::{RunDocument, Version};
use interplay_interfaces::Terminal;
use interplay_workbench::run;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

/// Run a specification as a service: terminal, web page, JSON API
///
/// Users send events in any order and several at once; events that are not asked for yet are kept, events can be
/// corrected, and `back` returns to an earlier node. The setup gives the constants. Outputs are shown; nondeterministic
/// choices are random. The web page and the API have the same address, which is local unless you name another. Ctrl-C
/// ends everything.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay run teller.play\n  \
                        interplay run teller.play --web --terminal --shared\n  \
                        echo 'startService name John pin John' | interplay run teller.play")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The setup to use; by default the only one of the specification, or none if there are several; `none` uses none
    #[arg(long)]
    setup: Option<String>,
    /// Serve on this terminal; the default if no other interface is chosen
    #[arg(long)]
    terminal: bool,
    /// Serve a web page, and a JSON API under /api
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7200")]
    web: Option<String>,
    /// Share one conversation between all interfaces, instead of one per user
    #[arg(long)]
    shared: bool,
    /// Seed of nondeterministic choices; by default a new one, which is printed if it matters
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop after this time
    #[arg(long = "for", value_name = "TIME", value_parser = amount::time)]
    time: Option<Duration>,
    /// Print one JSON document per turn, as in the JSON API
    #[arg(long)]
    json: bool,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        let service = run::run(&context, &run::Request { setup: self.setup.clone(), seed }, session)?;
        let listener = self.web.as_deref().map(listen).transpose().map_err(refuse)?;
        let (reception, desk) = interplay_interfaces::open(|| Ok(service.logic()), self.shared);
        let web = listener.map(|listener| desk.web(listener)).transpose()?;
        announce(self, &service, &context.model.name, seed, web.map(|web| web.address()))?;
        let stop = desk.clone();
        // Somebody else may watch it already; then Ctrl-C ends the program.
        let _ = ctrlc::set_handler(move || stop.stop());
        if self.terminal || self.web.is_none() {
            let json = self.json;
            desk.terminal(move || terminal(json))?;
        }
        drop(desk);
        reception.serve(self.time);
        Ok(Exit::Met)
    }
}

fn terminal(json: bool) -> io::Result<Terminal> {
    let mut lines = Lines::open().map_err(io::Error::other)?;
    let echoes = lines.echoes();
    let next = move |prompt: &str| lines.next(prompt).map_err(io::Error::other);
    Ok(Terminal { lines: Box::new(next), say: Box::new(print::answer), echoes, json })
}

fn listen(address: &str) -> Result<TcpListener, String> {
    let address: SocketAddr = address.parse().map_err(|_| {
        format!("`{address}` is not an address\nhelp: write one as 127.0.0.1:7200; port 0 takes a free one")
    })?;
    TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{address} is in use\nhelp: `--web 127.0.0.1:0` takes a free port")
        }
        _ => format!("cannot listen at {address}: {error}"),
    })
}

fn announce(
    arguments: &Arguments,
    service: &run::Answer,
    system: &str,
    seed: u64,
    web: Option<SocketAddr>,
) -> io::Result<()> {
    let page = web.map(|address| format!("http://{address}/"));
    if arguments.json {
        let api = web.map(|address| format!("http://{address}/api"));
        let setup = service.setup.name.as_deref();
        let document = RunDocument { schema: Version, system, setup, seed, web: page, api };
        return print::answer(&print::json_line(&document));
    }
    let remark = print::using(service.setup.remark.as_deref(), service.setup.name.as_deref());
    let mut text = print::headline(&arguments.file, system, &remark);
    if let Some(page) = page {
        text += &format!("web page: {page}   JSON API: {page}api\n");
    }
    if web.is_some_and(|address| !address.ip().is_loopback()) {
        text += "warning: everybody who reaches this address can use the service; the connection is not encrypted\n";
    }
    if arguments.terminal || arguments.web.is_none() {
        text += "send the needed events in any order; `help` lists the commands\n";
    } else {
        text += "Ctrl-C ends the service\n";
    }
    print::answer(&text)
}
