//! Nothing is left behind: no process, no open descriptor, however badly an adapter behaves.

use crate::common::*;
use interplay_adapter::{Implementation, Limits};
use std::time::{Duration, Instant};

/// Nobody else sleeps for so long.
const NAP: &str = "86417";

const HELLO: &str = r#"echo '{"type":"hello"}'"#;

fn nappers() -> usize {
    let processes = std::fs::read_dir("/proc").expect("there are processes").flatten();
    let commands = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    commands.filter(|command| command.windows(NAP.len()).any(|part| part == NAP.as_bytes())).count()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("there are descriptors").count()
}

#[test]
fn two_hundred_broken_adapters_leave_nothing_behind() {
    let scripts = [
        format!("sleep {NAP} & exit 3"),
        format!("sleep {NAP} & sleep {NAP}"),
        format!("(sleep {NAP} &); {HELLO}; sleep {NAP}"),
        format!("{HELLO}; sleep {NAP} & echo garbage; sleep {NAP}"),
        format!("trap '' TERM INT HUP; {HELLO}; exec >&-; sleep {NAP}"),
        format!("{HELLO}; exec <&-; sleep {NAP}"),
        format!("{HELLO}; yes & sleep {NAP}"),
        format!(
            "{HELLO}; sleep {NAP} & sleep {NAP} & read line; read line; echo '{{\"type\":\"ready\",\"id\":1}}'; cat"
        ),
    ];
    let before = descriptors();
    let limits = Limits { start: Duration::from_millis(100), end: Duration::from_millis(20) };
    let troubles: usize = (0..200)
        .filter(|run| match shell(&scripts[run % scripts.len()], &limits) {
            Err(_) => true,
            Ok(mut door) => door.reset(Duration::from_millis(50)).is_err(),
        })
        .count();
    assert!(troubles >= 150, "only {troubles} of 200 were found to be broken");
    // A killed process takes a moment to go, and so does whoever listens to its standard error.
    let start = Instant::now();
    while (nappers() > 0 || descriptors() > before) && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(nappers(), 0, "processes are left");
    assert!(descriptors() <= before, "{before} descriptors before, {} after", descriptors());
}
