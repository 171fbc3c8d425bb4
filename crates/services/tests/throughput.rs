//! Events per second and core on the Teller: `cargo test --release -p interplay-services --test all throughput -- --ignored --nocapture`.

use crate::common::{specification, teller};
use interplay_adapter::{Address, Implementation, Limits, Settings, connect};
use interplay_services::{Compared, Config, Driver, Driving, External, ModelService, Service, search_one};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TELLER: &str = include_str!("../../../examples/teller/teller.play");

/// Runs for about a second.
fn rate<S: Service>(what: &str, service: &mut S, driver: Driver, depth: usize) -> f64 {
    let config = Config { driving: Driving { driver, ..Driving::default() }, depth, ..Config::default() };
    let (start, mut events) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < 1.0 {
        events += search_one(service, &config).statistics.events;
    }
    let rate = events as f64 / start.elapsed().as_secs_f64();
    println!("{what}, {driver} at depth {depth}: {rate:.0} events/s");
    rate
}

#[test]
#[ignore = "a measurement"]
fn a_million_events_per_second_and_core() {
    let (graph, instance) = (teller(), specification(TELLER, "paper"));
    let mut rates = Vec::new();
    for driver in [Driver::Simple, Driver::Published, Driver::Planned] {
        rates.push(rate("Rust service", &mut graph.session(), driver, 13));
        rates.push(rate("specification", &mut ModelService::new(&instance, &()).unwrap(), driver, 13));
    }
    if !cfg!(debug_assertions) {
        assert!(rates.iter().all(|rate| *rate >= 1e6), "{rates:?}");
    }
}

/// A line as long as an input.
const LINE: &[u8] = b"{\"type\":\"input\",\"id\":123456,\"action\":\"tgt\",\"args\":{\"account\":\"checking\"}}\n";
/// The shortest program in Python that answers.
const ECHO: &str = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line); sys.stdout.buffer.flush()";

/// So many lines to the echo and back, one after the other.
fn echo(child: &mut Child, trips: u32) {
    let (Some(write), Some(read)) = (&mut child.stdin, &mut child.stdout) else { return };
    let mut buffer = [0; 4096];
    for _ in 0..trips {
        write.write_all(LINE).expect("it reads");
        let mut count = 0;
        while count < LINE.len() {
            count += read.read(&mut buffer).expect("it answers");
        }
    }
}

/// Events per second of a search, against round trips per second with nothing around them, in turns so that all meet the same load:
/// questions to the same service, and lines to a program that only sends them back.
#[test]
#[ignore = "a measurement"]
fn a_python_service_is_searched_nearly_as_fast_as_it_answers() {
    let instance = specification(TELLER, "paper");
    let command = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/teller/good/run");
    let address = Address::Command(vec![command.into()]);
    let settings = Settings { enabled: true, ..Settings::default() };
    let start = || connect(&address, instance.shared_model().clone(), &settings, &Limits::default());
    let limit = Duration::from_secs(5);
    let mut asked = start().expect("python3 is there");
    asked.reset(limit).unwrap();
    let mut bare = Command::new("python3");
    let mut bare =
        bare.args(["-c", ECHO]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 is there");
    let round_trips = AtomicU64::new(0);
    let boxed = || start().map(|connection| Box::new(connection) as Box<dyn Implementation>);
    let external = External::new(&boxed, instance.model(), limit, &round_trips).unwrap();
    let mut service = Compared::new(ModelService::new(&instance, &()).unwrap(), external);
    let config =
        Config { driving: Driving { driver: Driver::Simple, ..Driving::default() }, depth: 8, ..Config::default() };
    const TRIPS: u32 = 2_000;
    let timed = |work: &mut dyn FnMut()| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64()
    };
    let (mut echoing, mut asking, mut searching, mut events) = (0.0, 0.0, 0.0, 0);
    echo(&mut bare, 1);
    for _ in 0..20 {
        echoing += timed(&mut || echo(&mut bare, TRIPS)) / f64::from(TRIPS);
        asking += timed(&mut || (0..TRIPS).for_each(|_| drop(asked.enabled(limit).unwrap()))) / f64::from(TRIPS);
        searching += timed(&mut || {
            let outcome = search_one(&mut service, &config);
            assert_eq!(outcome.findings, []);
            events += outcome.statistics.events;
        });
    }
    drop(bare.stdin.take());
    bare.wait().unwrap();
    let (echoes, answers, search) = (20.0 / echoing, 20.0 / asking, events as f64 / searching);
    let messages = round_trips.load(Ordering::Relaxed) as f64 / searching;
    println!("an echo in Python: {echoes:.0} round trips/s; questions to the service: {answers:.0} round trips/s");
    println!("search: {search:.0} events/s, {messages:.0} round trips/s");
    println!("events per echo: {:.0} %, per question: {:.0} %", 100.0 * search / echoes, 100.0 * search / answers);
    assert!(search >= 0.7 * answers, "{search} of {answers}");
}
