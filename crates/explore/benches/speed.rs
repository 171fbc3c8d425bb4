//! How fast are the visited sets by themselves, and the reference interpreter under the search?
//!
//! `cargo bench -p interplay-explore` prints millions of inserts per second of processor time, and states per second.

#[path = "../tests/support/mod.rs"]
mod support;

use interplay_explore::{Config, Ending, Expanded, Findings, Layers, Property, Rows, Step, StepKind, System, explore};
use interplay_semantics::ModelError;
use interplay_visited::{Memory, Room, visited};

fn main() {
    for (name, memory, width) in [
        ("exact, 1 word", Memory::Exact, 1),
        ("exact, 4 words", Memory::Exact, 4),
        ("fingerprints of 4 words", Memory::Compact, 4),
        ("bits of 4 words", Memory::Bitstate { bytes: 1 << 27, hashes: 3 }, 4),
    ] {
        for threads in [1, 2] {
            inserts(name, memory, width, threads);
        }
    }
    for (layers, threads) in [(Layers::Keep, 1), (Layers::Forget, 1), (Layers::Forget, 2)] {
        grid(layers, threads);
    }
    for (example, setup) in
        [("telephone", "pots_3"), ("chat", "three_clients_pending_7_ungrouped"), ("teller", "paper")]
    {
        states(example, setup);
    }
}

/// 24 million rows, a third of them new.
fn inserts(name: &str, memory: Memory, width: usize, threads: u64) {
    const ROWS: u64 = 24_000_000;
    let set = visited(memory, width, Room { alone: threads == 1, ..Room::default() }).unwrap();
    let start = processor_seconds();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let set = &set;
            scope.spawn(move || {
                let (mut batch, mut fresh) = (Vec::new(), Rows::default());
                for number in 0..ROWS / threads {
                    let number = (number * threads + thread) % (ROWS / 3);
                    let row = number.wrapping_mul(0x2545_F491_4F6C_DD1D);
                    batch.extend((0..width as u64).map(|word| row ^ word));
                    if batch.len() >= 512 * width {
                        fresh.clear();
                        set.insert(&batch, &mut fresh).unwrap();
                        batch.clear();
                    }
                }
            });
        }
    });
    let seconds = processor_seconds() - start;
    let speed = ROWS as f64 / seconds / 1e6;
    let bytes = set.bytes() as f64 / (ROWS / 3) as f64;
    println!("{name:<24} {threads} threads: {speed:6.1} M inserts per second of processor time, {bytes:.1} bytes/row");
}

/// Six counters that turn at 14, packed into one word: hardly any work besides the search itself.
struct Grid;

impl System for Grid {
    type Worker = ();
    type State = u64;
    type Label = usize;

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn initial(&self, _: &mut (), rows: &mut Rows) -> Result<(), ModelError> {
        rows.push(&[0]);
        Ok(())
    }

    fn expand(&self, _: &mut (), row: &[u64], targets: &mut Rows) -> Expanded {
        for counter in 0..6 {
            let one = 1 << (8 * counter);
            let at_end = row[0] >> (8 * counter) & 0xFF == 13;
            targets.words.push(if at_end { row[0] - 13 * one } else { row[0] + one });
        }
        Expanded { inputs: true, ..Expanded::default() }
    }

    fn steps(&self, _: &mut (), _: &[u64]) -> Vec<Result<Step<usize>, ModelError>> {
        Vec::new()
    }

    fn state(&self, row: &[u64]) -> u64 {
        row[0]
    }

    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn ending(&self, _: &[u64]) -> Result<Ending, ModelError> {
        Ok(Ending { accepting: true, meant: true, stuck: true })
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        vec![row[0].to_string()]
    }

    fn show_label(&self, label: &usize) -> String {
        label.to_string()
    }

    fn direction(&self, _: &usize) -> StepKind {
        StepKind::Input
    }
}

fn grid(layers: Layers, threads: usize) {
    let start = processor_seconds();
    let outcome = explore(&Grid, &Config { layers, threads, ..Config::default() });
    let seconds = processor_seconds() - start;
    assert_eq!(outcome.states, 14u64.pow(6));
    let speed = |count: u64| count as f64 / seconds / 1e6;
    let (states, transitions) = (speed(outcome.states), speed(outcome.transitions));
    println!(
        "packed grid, {layers:?} layers, {threads} threads: {states:.1} M states and {transitions:.1} M transitions per second of processor time"
    );
}

fn states(example: &str, setup: &str) {
    let model = support::example(example);
    for threads in [1, 2] {
        let system = support::plain(&model, setup);
        let config = Config { threads, findings: Findings::Continue, states: Some(20_000), ..Config::default() };
        let start = processor_seconds();
        let outcome = explore(&system, &config);
        let seconds = (processor_seconds() - start).max(0.01);
        let (states, transitions) = (outcome.states as f64 / seconds, outcome.transitions as f64 / seconds);
        println!(
            "{example} {setup}, {threads} threads: {states:.0} states and {transitions:.0} transitions per second of processor time"
        );
    }
}

/// Of all threads, from the operating system (Linux); other programs on the machine do not count.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("this runs on Linux");
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: f64 = fields[11..13].iter().map(|field| field.parse::<f64>().unwrap_or(0.0)).sum();
    ticks / 100.0
}
