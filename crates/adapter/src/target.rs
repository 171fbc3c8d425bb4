//! What the user names as the implementation under test: a command, an address, a binding, or another specification.

#[cfg(feature = "bindings")]
use crate::bound::Bound;
use crate::connection::Connection;
#[cfg(feature = "http")]
use crate::http::Http;
use crate::process::Process;
use crate::stream::Stream;
use crate::transport::{Limits, Transport};
use crate::{Settings, Trouble, tcp};
use interplay_model::Model;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Adapter(Address),
    /// A file that says how the system is talked to, and values of its variables.
    Binding(PathBuf, Vec<(String, String)>),
    /// A specification, to be played as the implementation.
    Model(PathBuf),
}

/// Where an adapter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A program to start, with its arguments.
    Command(Vec<String>),
    /// `host:port`
    Tcp(String),
    /// With `http://`
    Http(String),
    /// A system that a file says how to talk to.
    #[cfg(feature = "bindings")]
    Bound(Arc<interplay_binding::Binding>),
}

impl Target {
    /// `model:FILE`, `FILE.toml` (with `name=value` behind it for its variables), `tcp://HOST:PORT`, `http://...`, or a command with its arguments, quoted
    /// as for a shell.
    pub fn parse(text: &str) -> Result<Target, String> {
        if let Some(file) = text.strip_prefix("model:") {
            return Ok(Target::Model(file.into()));
        }
        let address = Address::parse(text)?;
        match &address {
            Address::Command(words) if words[0].ends_with(".toml") => binding(words),
            _ => Ok(Target::Adapter(address)),
        }
    }
}

fn binding(words: &[String]) -> Result<Target, String> {
    let var = |word: &String| {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is not a variable of the binding\nhelp: write {} name=value", words[0]))?;
        Ok((name.to_string(), value.to_string()))
    };
    let vars = words[1..].iter().map(var).collect::<Result<_, String>>()?;
    Ok(Target::Binding(words[0].as_str().into(), vars))
}

impl Address {
    pub fn parse(text: &str) -> Result<Address, String> {
        if let Some(address) = text.strip_prefix("tcp://") {
            let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
            return match port {
                Some(_) => Ok(Address::Tcp(address.trim_end_matches('/').into())),
                None => Err(format!("{text} has no port: write tcp://HOST:PORT")),
            };
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Address::Http(text.into()));
        }
        match shlex::split(text) {
            Some(words) if !words.is_empty() => Ok(Address::Command(words)),
            Some(_) => Err("the command is empty: name a program that speaks the adapter protocol".into()),
            None => Err(format!("a quotation mark in the command is not closed: {text}")),
        }
    }
}

/// Starts or reaches an adapter, waits for its `hello` and sends the settings. One whose names and types do not fit the specification is refused.
pub fn connect(
    address: &Address,
    model: Arc<Model>,
    settings: &Settings,
    limits: &Limits,
) -> Result<Connection, Trouble> {
    connect_unseen(address, model, settings, limits)?.fitting()
}

/// Whatever it announces.
pub(crate) fn connect_unseen(
    address: &Address,
    model: Arc<Model>,
    settings: &Settings,
    limits: &Limits,
) -> Result<Connection, Trouble> {
    Connection::open(reach(address, limits)?, model, settings, limits)
}

/// Starts or reaches an adapter.
pub(crate) fn reach(address: &Address, limits: &Limits) -> Result<Box<dyn Transport>, Trouble> {
    let transport: Result<Box<dyn Transport>, String> = match address {
        Address::Command(words) => Process::start(words, limits).map(|process| Box::new(process) as _),
        #[cfg(feature = "bindings")]
        Address::Bound(binding) => Bound::start(binding, limits).map(|bound| Box::new(bound) as _),
        Address::Tcp(address) => tcp::connect(address, limits).map(|stream| Box::new(stream) as _),
        #[cfg(not(feature = "http"))]
        Address::Http(address) => Err(format!("{address}: this program was built without HTTP (feature `http`)")),
        #[cfg(feature = "http")]
        Address::Http(address) => Http::connect(address, limits).map(|http| Box::new(http) as _),
    };
    transport.map_err(Trouble::not_started)
}

/// Talks to an adapter at the other end of two pipes or of a socket: one in a thread of the same program, for instance.
pub fn connect_to(
    read: impl Into<OwnedFd>,
    write: impl Into<OwnedFd>,
    model: Arc<Model>,
    settings: &Settings,
    limits: &Limits,
) -> Result<Connection, Trouble> {
    let stream = Stream::new(read.into(), write.into()).map_err(|error| Trouble::not_started(error.to_string()))?;
    Connection::open(Box::new(stream), model, settings, limits)?.fitting()
}
