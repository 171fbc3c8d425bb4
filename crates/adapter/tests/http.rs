//! Adapters at HTTP addresses that misbehave: every answer has a limit of size and of time, and nobody is sent elsewhere.

use crate::common::*;
use interplay_adapter::{Address, Settings, Trouble, TroubleKind, connect};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// What a server does with the first request, `hello`, and how that is told. The server ends with the connection.
fn greeted_by(answer: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + 'static) -> Trouble {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = Address::Http(format!("http://{}/", listener.local_addr().expect("an address")));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = answer(&mut stream);
        }
    });
    connect(&address, model(DOOR), &Settings::default(), &impatient()).err().expect("it cannot be talked to")
}

fn head(length: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{length}\r\n\r\n")
}

#[test]
fn silence_has_a_limit_of_time() {
    let started = Instant::now();
    let silent = greeted_by(|_| {
        std::thread::sleep(Duration::from_secs(3600));
        Ok(())
    });
    assert_eq!(silent.kind, TroubleKind::NoAnswer, "{silent:?}");
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn drops_that_never_end_have_a_limit_of_time() {
    let dripping = greeted_by(|stream| {
        stream.write_all(head("Content-Length: 1000000").as_bytes())?;
        loop {
            stream.write_all(b" ")?;
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    assert_eq!(dripping.kind, TroubleKind::NoAnswer, "{dripping:?}");
}

#[test]
fn long_lines_and_bodies_without_end_have_a_limit_of_size() {
    let long_line = greeted_by(|stream| {
        stream.write_all(head("Content-Length: 2000001").as_bytes())?;
        stream.write_all(&[b'x'; 2_000_000])?;
        stream.write_all(b"\n")
    });
    assert!(long_line.kind == TroubleKind::Garbage && long_line.message.contains("longer than"), "{long_line:?}");
    let endless = greeted_by(|stream| {
        stream.write_all(head("Connection: close").as_bytes())?;
        loop {
            stream.write_all(&[b'\n'; 1 << 16])?;
        }
    });
    assert_eq!(endless.kind, TroubleKind::Flood, "it ends by its size, not by its time: {endless:?}");
    let flood = greeted_by(|stream| {
        stream.write_all(head("Connection: close").as_bytes())?;
        let line = b"{\"type\":\"gossip\"}\n".repeat(1 << 10);
        (0..200).try_for_each(|_| stream.write_all(&line))
    });
    assert_eq!(flood.kind, TroubleKind::Flood, "{flood:?}");
    let heads = greeted_by(|stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
        loop {
            stream.write_all(b"X-More: and more and more and more\r\n")?;
        }
    });
    assert_ne!(heads.kind, TroubleKind::NoAnswer, "{heads:?}");
}

#[test]
fn what_is_not_an_answer_is_told() {
    let broken = greeted_by(|stream| stream.write_all(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"));
    assert!(broken.message.contains("status 500"), "{broken:?}");
    let elsewhere = greeted_by(|stream| {
        stream.write_all(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    });
    assert!(elsewhere.message.contains("status 302"), "nobody is sent elsewhere: {elsewhere:?}");
    let nonsense = greeted_by(|stream| stream.write_all(b"220 mail.example SMTP\r\n"));
    assert_eq!(nonsense.kind, TroubleKind::Died, "{nonsense:?}");
}
