//! An adapter that listens on a TCP address: the same lines over a connection.

use crate::stream::Stream;
use crate::transport::Limits;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};

/// Connects to `host:port`; the error says why that is not possible.
pub(crate) fn connect(address: &str, limits: &Limits) -> Result<Stream, String> {
    let failed =
        |error: io::Error| format!("cannot connect to tcp://{address}: {error}; does the adapter listen there?");
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs().map_err(failed)? {
        match TcpStream::connect_timeout(&address, limits.start) {
            Ok(stream) => return lines(stream).map_err(failed),
            Err(error) => last = error,
        }
    }
    Err(failed(last))
}

fn lines(stream: TcpStream) -> io::Result<Stream> {
    stream.set_nodelay(true)?;
    Stream::new(stream.try_clone()?.into(), stream.into())
}
