//! A server as a process of its own, which says on standard output where it listens. It ends with us: when we end it, and
//! also when we are ended ourselves, because it watches its standard input.

use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts this program again, with other arguments.
    pub(crate) fn start(args: &[&str]) -> io::Result<Server> {
        let program = std::env::current_exe()?;
        let mut process = Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        match line.trim().parse() {
            Ok(address) => Ok(Server { process, address }),
            Err(_) => {
                let _ = process.kill().and_then(|()| process.wait());
                Err(io::Error::other(format!("the server does not say where it listens, but `{}`", line.trim())))
            }
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// For the server itself: whoever started it holds the other end, and may die without saying so.
pub(crate) fn end_with_standard_input() {
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    std::process::exit(0);
}
