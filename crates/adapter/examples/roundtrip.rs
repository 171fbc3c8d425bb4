//! What the protocol costs: inputs per second through an adapter, against the bare round trips of equally long lines through the
//! same pipes. `cargo run --release -p interplay-adapter --example roundtrip`
//!
//! The program plays all parts: without arguments it measures, with `echo` it sends lines back, with `adapter` it is a system
//! made with the kit, and `trips N` makes so many bare round trips and no more, for who measures from outside (`bench/testing`). Rounds alternate, so that the machine's moods hit both alike.

use interplay_adapter::{Address, Answer, Connection, Implementation, Limits, Settings, connect};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;
use interplay_sdk::Adapter;
use interplay_semantics::Event;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 301;
const TRIPS: usize = 200;
const LIMIT: Duration = Duration::from_secs(10);
/// As long as an input message and its answer.
const LINE: &[u8] = b"{\"type\":\"input\",\"id\":123456,\"action\":\"press\",\"args\":{\"floor\":3}}\n";

fn main() -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("echo") => echo(),
        Some("adapter") => adapter(),
        Some("trips") => trips(),
        _ => measure(),
    }
}

fn echo() -> io::Result<()> {
    let (mut read, mut write) = (BufReader::new(io::stdin()), io::stdout());
    let mut line = String::new();
    while read.read_line(&mut line)? > 0 {
        write.write_all(line.as_bytes())?;
        write.flush()?;
        line.clear();
    }
    Ok(())
}

fn adapter() -> io::Result<()> {
    let press = |pressed: &mut i64, args: &interplay_sdk::Args| {
        *pressed = pressed.wrapping_add(args.get::<i64>("floor")?);
        Ok(())
    };
    let lift = Adapter::new("lift", |_| Ok(0)).input("press(floor)", press);
    (1..=20).fold(lift, |lift, number| lift.input(&format!("press{number}(floor)"), press)).serve()
}

fn trips() -> io::Result<()> {
    let count: usize = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(TRIPS);
    let program = std::env::current_exe()?;
    let mut bare = Command::new(program).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    for _ in 0..count / TRIPS {
        bare_trips(&mut bare)?;
    }
    drop(bare.stdin.take());
    bare.wait().map(|_| ())
}

fn measure() -> io::Result<()> {
    let program = std::env::current_exe()?.display().to_string();
    let mut bare = Command::new(&program).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let model = lift();
    let address = Address::Command(vec![program, "adapter".into()]);
    let lift = connect(&address, model.clone(), &Settings::default(), &Limits::default());
    let mut lift = lift.map_err(|trouble| io::Error::other(trouble.message))?;
    lift.reset(LIMIT).map_err(|trouble| io::Error::other(trouble.message))?;
    let press = Event::new(model.action_named("press").expect("it is declared"), vec![3.into()]);
    let mut rates: Vec<(f64, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        rates.push((bare_trips(&mut bare)?, inputs(&mut lift, &press)?));
    }
    drop(bare.stdin.take());
    bare.wait()?;
    let (bare, inputs) = (median(rates.iter().map(|rate| rate.0)), median(rates.iter().map(|rate| rate.1)));
    let share = median(rates.iter().map(|rate| rate.1 / rate.0));
    println!("bare round trips   {bare:8.0} per second");
    println!("inputs             {inputs:8.0} per second");
    println!("share              {:8.0} %   (median of {ROUNDS} rounds of {TRIPS})", 100.0 * share);
    Ok(())
}

/// The simplest exchange there is: one write, one read, no limit of time.
fn bare_trips(child: &mut Child) -> io::Result<f64> {
    let (Some(write), Some(read)) = (&mut child.stdin, &mut child.stdout) else { return Ok(f64::NAN) };
    let mut buffer = [0; 4096];
    let start = Instant::now();
    for _ in 0..TRIPS {
        write.write_all(LINE)?;
        let mut count = 0;
        while count < LINE.len() {
            count += read.read(&mut buffer[count..])?;
        }
    }
    Ok(TRIPS as f64 / start.elapsed().as_secs_f64())
}

fn inputs(lift: &mut Connection, press: &Event) -> io::Result<f64> {
    let start = Instant::now();
    for _ in 0..TRIPS {
        let answer = lift.input(press, LIMIT).map_err(|trouble| io::Error::other(trouble.message))?;
        assert_eq!(answer, Answer::Accepted(None));
    }
    Ok(TRIPS as f64 / start.elapsed().as_secs_f64())
}

fn lift() -> Arc<Model> {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), "system Lift  input press(floor: Int) {}", &mut problems);
    interplay_lower::check(&[tree], &mut problems).expect("the text is right").into()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
