//! Searches that do not fit into memory, and searches that are taken up again: they say the same as others.

use crate::support::{example, instance, text};
use interplay_explore::{
    Config, Disk, Findings, Grouped, Keep, Outcome, RustModel, RustProperty, RustSystem, Stop, Strategy, System,
    explore,
};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A disk that is full after so many bytes.
struct Small {
    files: Mutex<BTreeMap<u64, Vec<u8>>>,
    left: AtomicU64,
}

impl Small {
    fn new(bytes: u64) -> Small {
        Small { files: Mutex::default(), left: AtomicU64::new(bytes) }
    }
}

impl Disk for Small {
    fn create(&self) -> io::Result<u64> {
        let mut files = self.files.lock().unwrap();
        let file = files.keys().max().map_or(0, |last| last + 1);
        files.insert(file, Vec::new());
        Ok(file)
    }

    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        let left = self.left.load(Ordering::Relaxed).checked_sub(bytes.len() as u64);
        self.left.store(left.ok_or(io::ErrorKind::StorageFull)?, Ordering::Relaxed);
        self.files.lock().unwrap().get_mut(&file).unwrap().extend_from_slice(bytes);
        Ok(())
    }

    fn read(&self, file: u64, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        let from = from as usize;
        bytes.copy_from_slice(&self.files.lock().unwrap()[&file][from..from + bytes.len()]);
        Ok(())
    }

    fn remove(&self, file: u64) {
        self.files.lock().unwrap().remove(&file);
    }
}

/// A folder that fails from the so-manieth file on, as if the program had been killed there.
#[derive(Default)]
struct Folder {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    written: AtomicU64,
    most: u64,
}

impl Keep for Folder {
    fn due(&self) -> bool {
        true
    }

    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.written.fetch_add(1, Ordering::Relaxed) == self.most {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        self.files.lock().unwrap().insert(name.into(), bytes);
        Ok(())
    }

    fn read(&self, name: &str) -> io::Result<Option<Box<dyn Read>>> {
        let bytes = self.files.lock().unwrap().get(name).cloned();
        Ok(bytes.map(|bytes| Box::new(io::Cursor::new(bytes)) as Box<dyn Read>))
    }

    fn remove(&self, name: &str) {
        self.files.lock().unwrap().remove(name);
    }
}

/// Everything that must be the same.
fn told<Y: System<State: std::fmt::Debug, Label: std::fmt::Debug>>(
    outcome: &Outcome<Y::State, Y::Label>,
) -> Vec<String> {
    let counts = (outcome.states, outcome.transitions, outcome.depth, outcome.terminal, outcome.not_accepting);
    let kinds = (outcome.active, outcome.passive, outcome.stop, &outcome.growth);
    let mut lines = vec![format!("{counts:?} {kinds:?} {:?}", outcome.verdicts)];
    lines.extend(outcome.findings.iter().map(|finding| format!("{:?} {:?}", finding.shortest, finding.trace)));
    lines
}

/// Four counters: wide layers, each state reached in many ways.
struct Counters(u8);

impl RustModel for Counters {
    type State = [u8; 4];
    type Action = String;

    fn initial(&self) -> Vec<[u8; 4]> {
        vec![[0; 4]]
    }

    fn actions(&self, state: &[u8; 4]) -> Vec<(String, [u8; 4])> {
        let up = |index: usize| {
            let mut next = *state;
            next[index] = (next[index] + 1) % self.0;
            (format!("up {index}"), next)
        };
        (0..4).map(up).collect()
    }

    fn properties(&self) -> Vec<RustProperty<[u8; 4]>> {
        vec![RustProperty::always("below", |state: &[u8; 4]| {
            state.iter().map(|each| u32::from(*each)).sum::<u32>() < 33
        })]
    }
}

#[test]
fn a_search_on_disk_says_the_same() {
    for findings in [Findings::Continue, Findings::StopAtFirst] {
        let plain = Config { findings, ..Config::default() };
        let expected = explore(&RustSystem::new(Counters(14)), &plain);
        for bytes in [1 << 17, 1 << 18, 1 << 19] {
            let disk = Small::new(u64::MAX);
            let config = Config { disk: Some(&disk), bytes: Some(bytes), ..plain.clone() };
            let outcome = explore(&RustSystem::new(Counters(14)), &config);
            assert!(outcome.spilled, "{bytes} bytes are too few");
            assert!(outcome.bytes <= bytes, "{} of {bytes} bytes", outcome.bytes);
            assert_eq!(told::<RustSystem<Counters>>(&outcome), told::<RustSystem<Counters>>(&expected), "{bytes}");
        }
    }
}

/// Where not even the initial states fit, nothing is said of the others.
#[test]
fn too_little_memory_for_the_start_is_no_end() {
    let model = text("system S var n: Set<0..40> = {} input add(k: 0..40) { n = n + {k} } property p: always false");
    for bytes in [1, 64, 1 << 10] {
        let disk = Small::new(u64::MAX);
        let config = Config { disk: Some(&disk), bytes: Some(bytes), depth: Some(1), ..Config::default() };
        let system = interplay_explore::Interpreted::new(instance(&model, ""), None);
        let outcome = explore(&system, &config);
        assert!(outcome.stop != Stop::Exhausted, "{bytes}: {} states", outcome.states);
    }
}

#[test]
fn the_limit_of_states_ends_a_search_on_disk() {
    let disk = Small::new(u64::MAX);
    for most in [20_000, 30_000] {
        let base =
            Config { disk: Some(&disk), bytes: Some(1 << 17), findings: Findings::Continue, ..Config::default() };
        let outcome = explore(&RustSystem::new(Counters(14)), &Config { states: Some(most), ..base });
        assert_eq!((outcome.stop, outcome.spilled), (Stop::States, true));
        assert!((most..most + 8000).contains(&outcome.states), "{} of {most} states", outcome.states);
    }
}

#[test]
fn several_threads_count_the_same_on_disk() {
    let plain = Config { findings: Findings::Continue, threads: 2, ..Config::default() };
    let expected = explore(&RustSystem::new(Counters(14)), &plain);
    let disk = Small::new(u64::MAX);
    let config = Config { disk: Some(&disk), bytes: Some(1 << 18), ..plain };
    let outcome = explore(&RustSystem::new(Counters(14)), &config);
    let counts =
        |outcome: &Outcome<_, _>| (outcome.states, outcome.transitions, outcome.depth, outcome.verdicts.clone());
    assert_eq!(counts(&outcome), counts(&expected));
    assert_eq!(outcome.findings[0].trace.as_ref().map(|trace| trace.steps.len()), Some(33));
}

#[test]
fn a_full_disk_ends_the_search_with_what_is_known() {
    for (bytes, states) in [(0, 1000), (20_000, 1000), (100_000, 5000)] {
        let disk = Small::new(bytes);
        let config =
            Config { disk: Some(&disk), bytes: Some(1 << 17), findings: Findings::Continue, ..Config::default() };
        let outcome = explore(&RustSystem::new(Counters(14)), &config);
        assert_eq!(outcome.stop, Stop::Disk);
        assert!(outcome.trouble.is_some());
        assert!((states..14u64.pow(4)).contains(&outcome.states), "{} states", outcome.states);
    }
}

#[test]
fn without_a_disk_memory_ends_the_search() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        let config = Config { bytes: Some(1 << 17), findings: Findings::Continue, strategy, ..Config::default() };
        let outcome = explore(&RustSystem::new(Counters(14)), &config);
        assert_eq!(outcome.stop, Stop::Memory, "{strategy:?}");
        assert!(outcome.states < 14u64.pow(4));
    }
}

const QUEUES: &str = "
    system Queues
    enum Word { yes, no }
    record Note { word: Word, twice: Bool }
    object Guest
    var known: Set<Guest> = {}
    var waiting: Seq<Note> = []
    var seen: Map<Word, Int> = {}
    var last: (Int, String) = (0, \"none\")
    var open: Option<Bool> = none
    start Early
    input hello() -> Guest requires Guest.count < 2 { let guest = new Guest known += {guest} return guest }
    input put(word: Word, twice: Bool) { waiting += [Note(word: word, twice: twice)] open = some(twice) }
    output tell(word: Word) requires not waiting.is_empty and word == waiting.first.word {
        waiting = waiting.rest
        seen[word] = seen.get(word, 0) + 1
        last = (last.0 - 1, \"told\")
    }
    internal late
    at Early { on late -> Late }
    at Late { }
    property few: always waiting.length < 3
    property both: possible seen.size == 2
    observer order never { start Here at Here { on tell(yes) -> There } at There { on tell(no) -> bad } }
    setup small { keep waiting.length <= 3 and last.0 > -3 }
";

/// Kept after every layer, killed after each number of files, and taken up again.
#[test]
fn a_search_that_was_killed_is_taken_up_again() {
    let queues = text(QUEUES);
    let plain = Config { findings: Findings::Continue, ..Config::default() };
    let system = || interplay_explore::Interpreted::new(instance(&queues, "small"), None);
    let expected = explore(&system(), &plain);
    assert!(expected.states > 1000 && expected.findings.len() == 3, "{} states", expected.states);
    for most in [1, 2, 3, 4, 9, 14] {
        let mut folder = Folder { most, ..Folder::default() };
        let killed = explore(&system(), &Config { keep: Some(&folder), ..plain.clone() });
        assert_eq!(killed.stop, Stop::Disk);
        folder.most = u64::MAX;
        let disk = Small::new(u64::MAX);
        // The states of the interpreter stay in memory.
        for bytes in [None, Some(1 << 23)] {
            let config = Config { keep: Some(&folder), disk: Some(&disk), bytes, ..plain.clone() };
            let outcome = explore(&system(), &config);
            type Told = interplay_explore::Interpreted;
            assert_eq!(told::<Told>(&outcome), told::<Told>(&expected), "killed after {most} files");
        }
    }
}

#[test]
fn compiled_and_grouped_searches_are_taken_up_again() {
    let chat = example("chat");
    let setup = "three_clients_pending_7";
    let compiled = || interplay_explore::Compiled::new(instance(&chat, setup), Some(&[])).expect("it is understood");
    let arcs = interplay_explore::Arcs::Redirect;
    for grouped in [false, true] {
        let explored = |config: &Config<'_>| match (compiled(), grouped) {
            (system, true) => explore(&Grouped::new(&system, arcs), config),
            (system, false) => explore(&system, config),
        };
        let expected = explored(&Config::default());
        let mut folder = Folder { most: 9, ..Folder::default() };
        assert_eq!(explored(&Config { keep: Some(&folder), ..Config::default() }).stop, Stop::Disk);
        folder.most = u64::MAX;
        let outcome = explored(&Config { keep: Some(&folder), ..Config::default() });
        type Told = interplay_explore::Compiled;
        assert_eq!(told::<Told>(&outcome), told::<Told>(&expected));
    }
}

#[test]
fn a_damaged_checkpoint_is_told() {
    let queues = text(QUEUES);
    let system = || interplay_explore::Interpreted::new(instance(&queues, "small"), None);
    let folder = Folder { most: u64::MAX, ..Folder::default() };
    let config = Config { keep: Some(&folder), depth: Some(4), findings: Findings::Continue, ..Config::default() };
    explore(&system(), &config);
    for name in ["search.json", "layers-1"] {
        let whole = folder.files.lock().unwrap()[name].clone();
        for length in [0, whole.len() / 2, whole.len() - 1] {
            folder.files.lock().unwrap().insert(name.into(), whole[..length].to_vec());
            let outcome = explore(&system(), &config);
            assert_eq!(outcome.stop, Stop::Disk, "{name} cut to {length} of {}", whole.len());
        }
        folder.files.lock().unwrap().insert(name.into(), whole);
    }
}
