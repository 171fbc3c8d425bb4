//! The real programs of the examples, each a process behind the protocol: the right ones are never blamed, each fault is found.
//! They wait most of the time, so that many of them run at once. The figures for a hundred seeds are measured by the tests
//! that are ignored: `cargo test -p interplay-tester --test all live -- --ignored --nocapture`.

use crate::common::{example, instance, model, tester};
use interplay_adapter::{Address, Settings, connect};
use interplay_model::ConstantId;
use interplay_semantics::Instance;
use interplay_tester::{Choices, Coverage, End, Failure, Line, ShrinkHost, Strategy, Tester, Uniform, shrink};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn specification(path: &str, setup: &str) -> Instance {
    let text = example(path);
    let imported = text.lines().filter_map(|line| line.strip_prefix("import \"")?.strip_suffix('"'));
    let folder = path.split('/').next().unwrap_or_default();
    let libraries: Vec<String> = imported.map(|name| example(&format!("{folder}/{name}"))).collect();
    let own: String =
        text.lines().filter(|line| !line.starts_with("import ")).map(|line| format!("{line}\n")).collect();
    let texts: Vec<&str> = [own.as_str()].into_iter().chain(libraries.iter().map(String::as_str)).collect();
    instance(&model(&texts), Some(setup))
}

/// Starts `examples/FOLDER/run`.
fn start<'t>(folder: &str, instance: &Instance, steps: Option<u64>, seed: u64) -> Tester<'t> {
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder).join("run");
    let address = Address::Command(vec![run.display().to_string()]);
    let all = instance.model().constants.iter().enumerate();
    let constants = all.filter_map(|(id, each)| Some((each.name.clone(), instance.constant(ConstantId(id)).ok()?)));
    let settings = Settings { seed, constants: constants.collect(), ..Settings::default() };
    let connection = connect(&address, instance.shared_model().clone(), &settings, &Default::default());
    let connection = connection.unwrap_or_else(|trouble| panic!("{folder}: {}", trouble.message));
    tester(instance, steps, connection)
}

/// The first failure in some runs, and after how many steps.
fn first(
    tester: &mut Tester<'_>,
    strategy: &mut dyn Strategy,
    seed: u64,
    runs: u64,
) -> (u64, Option<(Failure, Vec<interplay_tester::Turn>)>) {
    let mut steps = 0;
    for run in 0..runs {
        let ran = tester.run(strategy, &mut Choices::of_run(seed, run), &GO_ON);
        steps += ran.steps;
        match ran.end {
            End::Failed(failure) => return (steps, Some((*failure, ran.turns))),
            End::Broken(trouble) => panic!("{}", trouble.message),
            End::Halted(halt) => panic!("{halt:?}"),
            _ => {}
        }
    }
    (steps, None)
}

/// Works on all items, so many at once.
fn together<T: Sync>(items: &[T], at_once: usize, work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// The budget of the paper against the server with a thread for each delivery: how long the shrunk conversation is.
fn race(chat: &Instance, seed: u64) -> Option<usize> {
    let mut tester = start("chat/faulty-thread-per-delivery", chat, Some(10), seed);
    let (_, found) = first(&mut tester, &mut Coverage::default(), seed, 10);
    let (failure, turns) = found?;
    let began = std::time::Instant::now();
    let shrunk = shrink(&mut tester, failure, turns, &ShrinkHost::quiet(&GO_ON));
    println!(
        "seed {seed}: {} lines, {} runs in {:?}, {} of {} fail, cut short {}",
        shrunk.failure.lines.len(),
        shrunk.runs,
        began.elapsed(),
        shrunk.failed,
        shrunk.tried,
        shrunk.cut_short
    );
    Some(shrunk.failure.lines.iter().filter(|line| **line != Line::Waited).count())
}

/// How many seeds find the race, and how many of those are shrunk to the seven lines that it needs.
fn races(seeds: u64, at_once: usize) -> (usize, usize) {
    let chat = specification("chat/chat.play", "online");
    let lengths = Mutex::new(Vec::new());
    together(&(0..seeds).collect::<Vec<u64>>(), at_once, |seed| {
        let length = race(&chat, *seed);
        lengths.lock().expect("nobody panicked").extend(length);
    });
    let lengths = lengths.into_inner().expect("nobody panicked");
    (lengths.len(), lengths.iter().filter(|length| **length == 7).count())
}

#[test]
fn the_race_of_the_chat_server_is_found_and_shrunk() {
    let (found, shortest) = races(6, 6);
    assert!(found >= 5, "{found} of 6 seeds");
    // Shrinking has a limit of time, which a busy machine may reach.
    assert!(shortest + 1 >= found, "{shortest} of {found} are as short as possible");
}

#[test]
#[ignore = "a measurement"]
fn the_race_in_a_hundred_seeds() {
    let (found, shortest) = races(100, 6);
    println!("found in {found} of 100 seeds, {shortest} shrunk to 7 lines");
    assert!(found >= 95 && shortest == found);
}

/// Campaigns against the right servers; each seed is one.
fn quiet_campaigns(seeds: u64, at_once: usize) {
    let chat = specification("chat/chat.play", "online");
    let servers = ["chat/good-rust", "chat/good-python"];
    let all: Vec<(&str, u64)> = servers.iter().flat_map(|server| (0..seeds).map(move |seed| (*server, seed))).collect();
    together(&all, at_once, |(server, seed)| {
        let mut tester = start(server, &chat, Some(10), *seed);
        let (_, found) = first(&mut tester, &mut Coverage::default(), *seed, 10);
        assert!(found.is_none(), "{server} with seed {seed}: {:?}", found.map(|(failure, _)| failure));
    });
}

#[test]
fn the_right_servers_are_never_blamed() {
    quiet_campaigns(3, 6);
}

#[test]
#[ignore = "a measurement"]
fn no_false_alarm_in_a_hundred_campaigns_on_a_busy_machine() {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        quiet_campaigns(50, 4);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn all_mutants_of_the_sender_are_found_but_the_one_that_conforms() {
    let brp = specification("brp/brp_complete.play", "online");
    let folders: Vec<String> = (1..=13).map(|m| format!("brp/faulty-m{m}")).chain(["brp/good".into()]).collect();
    together(&folders, folders.len(), |folder| {
        let mut tester = start(folder, &brp, Some(30), 1);
        let is_right = folder.ends_with("good") || folder.ends_with("m12");
        let (_, found) = first(&mut tester, &mut Coverage::default(), 1, if is_right { 8 } else { 200 });
        assert_eq!(found.is_none(), is_right, "{folder}: {:?}", found.map(|(failure, _)| failure));
    });
}

/// A server that nobody here wrote, and clients of it that make mistakes.
#[test]
fn the_real_redis_is_not_blamed_and_mistakes_of_its_clients_are_found() {
    if std::process::Command::new("redis-server").arg("--version").output().is_err() {
        return println!("there is no redis-server here: `setup/redis` installs it");
    }
    let redis = specification("redis/redis.play", "online");
    let folders =
        ["redis/good", "redis/faulty-never-watches", "redis/faulty-pushes-in-front", "redis/faulty-keeps-all"];
    together(&folders, folders.len(), |folder| {
        let mut tester = start(folder, &redis, Some(80), 1);
        let is_right = folder.ends_with("good");
        let (_, found) = first(&mut tester, &mut Coverage::default(), 1, if is_right { 3 } else { 30 });
        assert_eq!(found.is_none(), is_right, "{folder}: {:?}", found.map(|(failure, _)| failure));
    });
}

/// Calls and returns that overlap are right if some order of the moments between explains them: the states that fit all of it
/// are followed, so this judges by linearizability.
#[test]
fn forgotten_locks_are_found_and_the_right_locks_are_not_blamed() {
    let bag = specification("bag/bag.play", "online");
    let daisy = specification("daisy/daisy_threads.play", "online");
    let all = [
        ("bag/faulty-add-without-check", &bag, 60),
        ("bag/faulty-delete-without-check", &bag, 60),
        ("bag/good", &bag, 3),
        ("daisy/faulty-seek-without-lock", &daisy, 60),
        ("daisy/faulty-create-without-lock", &daisy, 60),
        ("daisy/good-threads", &daisy, 6),
    ];
    together(&all, all.len(), |(folder, instance, runs)| {
        let mut tester = start(folder, instance, Some(100), 1);
        let (_, found) = first(&mut tester, &mut Coverage::default(), 1, *runs);
        assert_eq!(found.is_some(), folder.contains("faulty"), "{folder}: {:?}", found.map(|(failure, _)| failure));
    });
}

/// These need more than two calls at the right moment; with one item of the bag moving, or a directory with two names.
#[test]
#[ignore = "a measurement"]
fn rare_races_are_found_too() {
    let bag = specification("bag/bag.play", "online");
    let daisy = specification("daisy/daisy_threads.play", "online");
    let rare = [
        ("bag/faulty-lookup-one-by-one", &bag),
        ("daisy/faulty-allocate-without-lock", &daisy),
        ("daisy/faulty-lookup-without-lock", &daisy),
    ];
    for (folder, instance) in rare {
        let (steps, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
        together(&(0..8).collect::<Vec<u64>>(), 8, |seed| {
            let mut tester = start(folder, instance, Some(100), *seed);
            for part in 0..100 {
                if found.load(Ordering::Relaxed) > 0 {
                    break;
                }
                let (took, failure) = first(&mut tester, &mut Coverage::default(), seed * 100 + part, 4);
                steps.fetch_add(took as usize, Ordering::Relaxed);
                found.fetch_add(usize::from(failure.is_some()), Ordering::Relaxed);
            }
        });
        println!("{folder}: {} steps", steps.into_inner());
        assert!(found.into_inner() > 0, "{folder}");
    }
}

/// The whole of it against uniform choices, on the real senders: steps until each mutant is found.
#[test]
#[ignore = "a measurement"]
fn the_default_strategy_against_uniform_on_real_senders() {
    let brp = specification("brp/brp_complete.play", "online");
    let mutants: Vec<u64> = (1..=13).filter(|m| *m != 12).collect();
    let ratios = Mutex::new(Vec::new());
    together(&mutants, mutants.len(), |m| {
        let mean = |make: fn() -> Box<dyn Strategy>| {
            let mut tester = start(&format!("brp/faulty-m{m}"), &brp, Some(30), 1);
            let mut one = |seed| {
                // Each begins without what the one before has learnt.
                tester.table.forget_visits();
                first(&mut tester, &mut *make(), seed, 100).0
            };
            let steps: u64 = (0..5).map(&mut one).sum();
            steps as f64 / 5.0
        };
        let (ours, uniform) = (mean(|| Box::new(Coverage::default())), mean(|| Box::new(Uniform)));
        println!("m{m}: coverage {ours:.1}, uniform {uniform:.1}");
        ratios.lock().expect("nobody panicked").push((ours / uniform).ln());
    });
    let ratios = ratios.into_inner().expect("nobody panicked");
    println!("geometric mean of the ratio: {:.3}", (ratios.iter().sum::<f64>() / ratios.len() as f64).exp());
}
