//! Events per second and core on the Teller: `cargo test --release -p interplay-services --test throughput -- --ignored --nocapture`.

mod common;

use common::{specification, teller};
use interplay_adapter::{Address, Implementation, Limits, Settings, connect};
use interplay_services::{Compared, Config, Driver, Driving, External, ModelService, Service, search_one};
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

/// Events per second of a search, against round trips per second with nothing around them, in turns so that both meet the same load.
#[test]
#[ignore = "a measurement"]
fn a_python_service_is_searched_nearly_as_fast_as_it_answers() {
    let instance = specification(TELLER, "paper");
    let command = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/teller/good/run");
    let address = Address::Command(vec![command.into()]);
    let settings = Settings { enabled: true, ..Settings::default() };
    let start = || connect(&address, instance.shared_model().clone(), &settings, &Limits::default());
    let limit = Duration::from_secs(5);
    let mut bare = start().expect("python3 is there");
    bare.reset(limit).unwrap();
    let round_trips = AtomicU64::new(0);
    let boxed = || start().map(|connection| Box::new(connection) as Box<dyn Implementation>);
    let external = External::new(&boxed, limit, &round_trips).unwrap();
    let mut service = Compared::new(ModelService::new(&instance, &()).unwrap(), external);
    let config =
        Config { driving: Driving { driver: Driver::Simple, ..Driving::default() }, depth: 8, ..Config::default() };
    let (mut asked, mut asking, mut events, mut searching) = (0, 0.0, 0, 0.0);
    for _ in 0..10 {
        let started = Instant::now();
        for _ in 0..4_000 {
            bare.enabled(limit).unwrap();
        }
        asked += 4_000;
        asking += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let outcome = search_one(&mut service, &config);
        assert_eq!(outcome.findings, []);
        events += outcome.statistics.events;
        searching += started.elapsed().as_secs_f64();
    }
    let (bare, search) = (f64::from(asked) / asking, events as f64 / searching);
    let messages = round_trips.load(Ordering::Relaxed) as f64 / searching;
    println!("bare: {bare:.0} round trips/s; search: {search:.0} events/s, {messages:.0} round trips/s");
    println!("events per bare round trip: {:.0} %", 100.0 * search / bare);
    assert!(search >= 0.7 * bare, "{search} of {bare}");
}
