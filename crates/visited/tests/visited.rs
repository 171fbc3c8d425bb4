//! Visited sets against the plain set of the standard library, with several threads at once.

use interplay_visited::{Assurance, Full, Memory, Room, Rows, visited};
use std::collections::HashSet;
use std::sync::Mutex;

/// The same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) ^ (self.0 << 13)
    }
}

/// Rows of which many are equal, in an order of its own for each seed.
fn rows(width: usize, seed: u64, count: usize, different: u64) -> Vec<u64> {
    let mut numbers = Numbers(seed);
    let mut words = Vec::new();
    for _ in 0..count {
        let number = numbers.next() % different;
        words.extend((0..width as u64).map(|index| number.wrapping_mul(index * index + 1) / (index + 1)));
    }
    words
}

/// Every row is fresh for exactly one of the threads.
fn stress(memory: Memory, width: usize, threads: u64) {
    let set = visited(memory, width, Room { alone: threads == 1, ..Room::default() }).unwrap();
    let all_fresh: Mutex<Vec<Vec<u64>>> = Mutex::default();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (set, all_fresh) = (&set, &all_fresh);
            scope.spawn(move || {
                let mut fresh = Rows::default();
                for batch in rows(width, thread, 200_000, 150_000).chunks(width * (1 + 97 * (thread as usize + 1))) {
                    set.insert(batch, &mut fresh).unwrap();
                }
                let mut all = all_fresh.lock().unwrap();
                all.extend(fresh.iter(width).map(<[u64]>::to_vec));
            });
        }
    });
    let expected: HashSet<Vec<u64>> = (0..threads)
        .flat_map(|thread| rows(width, thread, 200_000, 150_000).chunks(width).map(<[u64]>::to_vec).collect::<Vec<_>>())
        .collect();
    let fresh = all_fresh.into_inner().unwrap();
    assert_eq!(fresh.len(), expected.len(), "{memory:?} of width {width} with {threads} threads");
    assert_eq!(fresh.into_iter().collect::<HashSet<_>>(), expected);
}

#[test]
fn every_new_row_is_fresh_once() {
    for threads in [1, 2, 4] {
        stress(Memory::Exact, 1, threads);
        stress(Memory::Exact, 2, threads);
        stress(Memory::Exact, 7, threads);
        stress(Memory::Compact, 1, threads);
        stress(Memory::Compact, 3, threads);
    }
}

/// Several threads make room together; nothing gets lost on the way.
#[test]
fn a_large_set_that_threads_share_keeps_all_rows() {
    const EACH: u64 = 1_500_000;
    for (memory, width) in [(Memory::Exact, 1), (Memory::Exact, 2), (Memory::Compact, 2)] {
        let set = visited(memory, width, Room { alone: false, ..Room::default() }).unwrap();
        let add = |thread: u64| {
            let mut fresh = Rows::default();
            for from in (0..EACH).step_by(500) {
                let numbers =
                    (from..from + 500).map(|number| (thread * EACH + number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                let rows: Vec<u64> = numbers.flat_map(|number| std::iter::repeat_n(number, width)).collect();
                set.insert(&rows, &mut fresh).unwrap();
            }
            fresh.count(width) as u64
        };
        for expected in [EACH, 0] {
            let counts = std::thread::scope(|scope| {
                let threads = [0, 1].map(|thread| scope.spawn(move || add(thread)));
                threads.map(|thread| thread.join().unwrap())
            });
            assert_eq!(counts, [expected; 2], "{memory:?} of width {width}");
        }
    }
}

#[test]
fn zero_and_the_largest_number_are_rows_too() {
    for memory in [Memory::Exact, Memory::Compact] {
        let set = visited(memory, 1, Room::default()).unwrap();
        let mut fresh = Rows::default();
        set.insert(&[0, u64::MAX, 0, 1, u64::MAX], &mut fresh).unwrap();
        assert_eq!(fresh.words, [0, u64::MAX, 1]);
    }
}

#[test]
fn bits_forget_as_many_states_as_they_say() {
    let words = rows(2, 1, 400_000, u64::MAX);
    let different = words.chunks(2).collect::<HashSet<_>>().len() as f64;
    for (bytes, hashes) in [(1 << 20, 3), (1 << 18, 2), (1 << 17, 3)] {
        let set = visited(Memory::Bitstate { bytes, hashes }, 2, Room::default()).unwrap();
        let mut fresh = Rows::default();
        set.insert(&words, &mut fresh).unwrap();
        let seen = fresh.count(2) as f64;
        let Assurance::Bitstate { coverage } = set.assurance(seen as u64) else { panic!("bits tell their coverage") };
        assert!((coverage - seen / different).abs() < 0.02, "told {coverage}, was {}", seen / different);
    }
}

#[test]
fn a_limit_is_an_answer_and_not_an_end() {
    for (memory, width) in [(Memory::Exact, 1), (Memory::Exact, 3), (Memory::Compact, 2)] {
        let set = visited(memory, width, Room { limit: 1 << 22, alone: true }).unwrap();
        let words: Vec<u64> = (1..10_000_000).collect();
        let mut fresh = Rows::default();
        let end = words.chunks(width * 1000).find_map(|batch| set.insert(batch, &mut fresh).err());
        assert_eq!(end, Some(Full), "{memory:?} of width {width}");
        // A block of the arena may be larger than what is left.
        assert!(set.bytes() <= (1 << 22) + (9 << 20), "{} bytes", set.bytes());
        assert!(fresh.count(width) > 20_000);
    }
}

#[test]
fn the_chance_of_an_omission_is_told() {
    let set = visited(Memory::Compact, 1, Room::default()).unwrap();
    let Assurance::Compact { omission } = set.assurance(1_000_000_000) else { panic!("it is compact") };
    assert!((0.02..0.03).contains(&omission), "{omission}");
}
