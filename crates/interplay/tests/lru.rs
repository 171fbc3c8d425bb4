//! A cache with a planted fault: the failure that the face is measured by (CONTRIBUTING), and the cache without it.

use interplay::{FailureKind, Test, check, spec, system};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Pairs, the one used least recently first.
struct Lru {
    pairs: VecDeque<(i64, i64)>,
    capacity: usize,
    /// The planted fault: a key that is put again keeps its place.
    forgets: bool,
}

#[system]
impl Lru {
    fn new(forgets: bool) -> Lru {
        Lru { pairs: VecDeque::new(), capacity: 3, forgets }
    }

    fn put(&mut self, key: i64, value: i64) {
        if let Some(at) = self.pairs.iter().position(|pair| pair.0 == key) {
            if self.forgets {
                self.pairs[at].1 = value;
                return;
            }
            self.pairs.remove(at);
        } else if self.pairs.len() == self.capacity {
            self.pairs.pop_front();
        }
        self.pairs.push_back((key, value));
    }

    fn get(&mut self, key: i64) -> Option<i64> {
        let at = self.pairs.iter().position(|pair| pair.0 == key)?;
        let pair = self.pairs.remove(at)?;
        self.pairs.push_back(pair);
        Some(pair.1)
    }

    fn len(&self) -> usize {
        self.pairs.len()
    }
}

#[test]
fn the_cache_keeps_to_its_specification() {
    check(spec!("lru.play"), || Lru::new(false));
}

#[test]
fn the_planted_fault_is_found_soon_and_told_shortly() {
    let started = Instant::now();
    let failure = Test::new(spec!("lru.play")).without_regressions().run(|| Lru::new(true)).expect_err("it forgets");
    let took = started.elapsed();
    assert_eq!(failure.kind(), FailureKind::Wrong, "{failure}");
    assert_eq!(failure.trace().len(), 6, "{failure}");
    let story = failure.to_string();
    assert!(story.contains("<-- wrong") && story.contains("the state before it"), "{story}");
    println!("{story}\nfound, shrunk and told in {took:?}");
    // A tenth of a second on a machine that does nothing else.
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// The same cache by a model in Rust, which counts how often it is asked.
mod in_rust {
    use super::Lru;
    use interplay::{Model, Test};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Clone, Default)]
    struct Pairs(Arc<AtomicU64>);

    #[derive(serde::Deserialize)]
    enum Call {
        Put { key: i64, value: i64 },
        Get { key: i64 },
        Len,
    }

    #[derive(serde::Serialize)]
    #[serde(untagged)]
    enum Answer {
        Nothing,
        Value(Option<i64>),
        Size(usize),
    }

    impl Model for Pairs {
        type State = Vec<(i64, i64)>;
        type Input = Call;
        type Answer = Answer;

        fn initial(&self) -> Vec<Vec<(i64, i64)>> {
            vec![Vec::new()]
        }

        fn apply(&self, pairs: &Vec<(i64, i64)>, call: &Call) -> Vec<(Answer, Vec<(i64, i64)>)> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let without = |key: i64| pairs.iter().copied().filter(move |pair| pair.0 != key);
            let found = |key: i64| pairs.iter().copied().find(|pair| pair.0 == key);
            vec![match *call {
                Call::Len => (Answer::Size(pairs.len()), pairs.clone()),
                Call::Get { key } => match found(key) {
                    None => (Answer::Value(None), pairs.clone()),
                    Some(pair) => (Answer::Value(Some(pair.1)), without(key).chain([pair]).collect()),
                },
                Call::Put { key, value } => {
                    let full = found(key).is_none() && pairs.len() == 3;
                    let next = without(key).skip(usize::from(full)).chain([(key, value)]).collect();
                    (Answer::Nothing, next)
                }
            }]
        }
    }

    #[test]
    fn a_model_in_rust_is_asked_for_what_is_given() {
        let model = Pairs::default();
        let words = interplay::Spec::text(
            "system Lru  input put(key: 1..5, value: 0..9)  input get(key: 1..5) -> Option<Int>  input len() -> Int",
        );
        let test = || Test::new(words.clone()).model(model.clone()).runs(8).strategy(interplay::Strategy::Uniform);
        let report = test().run(|| Lru::new(false)).expect("the cache is right");
        let asked = model.0.load(Ordering::Relaxed);
        // Beyond the input that is given, a few are asked for to know which may be given.
        assert!(asked < 60 * report.steps, "{asked} questions for {} steps", report.steps);
        let failure = test().runs(100).without_regressions().run(|| Lru::new(true)).expect_err("it forgets");
        assert_eq!(failure.trace().len(), 6, "{failure}");
    }
}
