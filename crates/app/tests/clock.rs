//! The clock on the wall is set while something runs, by hours forwards and backwards: no verdict, limit or duration notices it.
#![cfg(target_os = "linux")]

use crate::lock::LOCK;
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The time of day is somewhere else whenever somebody asks for it. All other clocks are as they are.
const JUMPING: &str = r"
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void) {
    static unsigned asked;
    unsigned now = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    long hours = now * 7919 % 97 + 2;
    return (now % 2 ? hours : -hours) * 3600;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = syscall(SYS_clock_gettime, clock, time);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += jump();
    return failed;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec, time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
";

/// A property of the lock.
const SOON: &str = "property soon: always (enter(_) implies within 1000ms (opened or shown(_)))\n";

const COUNTER: &str = "system Counter\nvar a: Int = 0\nvar b: Int = 0\ninput more { a += 1 }\ninput other { b += 1 }\n";

/// Says of each output that it came at another time, far from the one before.
const ADAPTER: &str = r#"
echo '{"type":"hello","name":"lock","protocol":1}'
time=5000000000
while read line; do
  id=${line##*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"reset"'*) echo "{\"type\":\"ready\",\"id\":$id}";;
    *'"input"'*) echo "{\"type\":\"accepted\",\"id\":$id}"; echo "{\"type\":\"output\",\"action\":\"opened\",\"time\":$time}"
                 time=$((7000000000 - time));;
  esac
done
"#;

/// Is ready, and says nothing more.
const STALLS: &str = r#"
echo '{"type":"hello","name":"lock","protocol":1}'; read line; read line; echo '{"type":"ready","id":1}'; exec sleep 600
"#;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    let lock = format!("{LOCK}{SOON}");
    let twice = lock.replace("on opened -> Closed", "on opened -> Closed on opened");
    for (name, text) in [
        ("lock.play", &*lock),
        ("twice.play", &twice),
        ("counter.play", COUNTER),
        ("adapter.sh", ADAPTER),
        ("stalls.sh", STALLS),
        ("jump.c", JUMPING),
    ] {
        fs::write(path.join(name), text).expect("it can be written");
    }
    path
}

/// The library that lets the clock jump, if one can be made here.
fn jumping(place: &Path) -> Option<PathBuf> {
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o", "jump.so", "jump.c"]).current_dir(place).status();
    let library = place.join("jump.so");
    let hour = |_| {
        let date = Command::new("date").arg("+%s").env("LD_PRELOAD", &library).output().ok()?;
        Some(String::from_utf8_lossy(&date.stdout).trim().parse::<u64>().ok()? / 3600)
    };
    let now = Command::new("date").arg("+%s").output().ok()?;
    let now = String::from_utf8_lossy(&now.stdout).trim().parse::<u64>().ok()? / 3600;
    (built.is_ok_and(|status| status.success()) && (0..3).filter_map(hour).any(|then| then.abs_diff(now) > 1))
        .then_some(library)
}

fn interplay(place: &Path, clock: Option<&Path>, words: &[&str], typed: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.args(words).current_dir(place);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(library) = clock {
        command.env("LD_PRELOAD", library);
    }
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    for line in typed.lines() {
        stdin.write_all(format!("{line}\n").as_bytes()).expect("it reads");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// What was said, without how long it took; that is no more than the time from here to there.
fn told(output: &Output, most: Duration) -> Vec<Json> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut told: Vec<Json> =
        serde_json::Deserializer::from_str(&text).into_iter().map(|each| each.expect("JSON")).collect();
    assert!(!told.is_empty(), "{output:?}");
    for document in told.iter_mut().filter_map(Json::as_object_mut) {
        if let Some(seconds) = document.remove("seconds") {
            let seconds = seconds.as_f64().expect("a number");
            assert!((0.0..=most.as_secs_f64()).contains(&seconds), "{seconds} s, but it ran {most:?}");
        }
        for other in ["states_per_second", "bytes_per_state", "waiting"] {
            document.remove(other);
        }
        for failure in document.get_mut("failures").and_then(Json::as_array_mut).into_iter().flatten() {
            failure["silence"] = Json::Null;
        }
        for strategy in document.get_mut("strategies").and_then(Json::as_array_mut).into_iter().flatten() {
            strategy["seconds"] = Json::Null;
        }
    }
    told
}

#[test]
fn nobody_notices_that_the_clock_is_set() {
    let place = folder("clock");
    let Some(library) = jumping(&place) else {
        eprintln!("left out: no C compiler makes a library here that sets the clock of a program");
        return;
    };
    let log = "{\"action\":\"enter\",\"args\":[1],\"time\":0}\n{\"action\":\"opened\",\"time\":900000}\n\
               {\"action\":\"enter\",\"args\":[2],\"time\":1000000}\n{\"action\":\"opened\",\"time\":9000000}\n";
    let mistaken = "--seed 1 --json --no-store --continue --runs 30 --sut model:twice.play";
    let right = "--seed 1 --json --no-store --property soon --runs 5 --steps 10 --sut";
    let adapter = [right.split(' ').collect(), vec!["sh adapter.sh"]].concat();
    for (command, more, typed, code) in [
        ("test lock.play", mistaken.split(' ').collect(), "", 1),
        ("test lock.play", adapter, "", 0),
        ("explore lock.play", vec!["--json"], "", 0),
        ("monitor lock.play", vec!["-", "--json"], log, 1),
    ] {
        let words: Vec<&str> = command.split(' ').chain(more).collect();
        let began = Instant::now();
        let [usual, jumped] = [None, Some(library.as_path())].map(|clock| interplay(&place, clock, &words, typed));
        assert_eq!((usual.status.code(), jumped.status.code()), (Some(code), Some(code)), "{usual:?} {jumped:?}");
        let [mut usual, mut jumped] = [usual, jumped].map(|output| told(&output, began.elapsed()));
        if words.contains(&"sh adapter.sh") {
            // When an output comes is up to the adapter, so not every run is the same as the one before.
            [usual, jumped] = [usual, jumped]
                .map(|told| ["verdict", "properties", "failures"].map(|key| told[0][key].clone()).into());
        }
        assert_eq!(usual, jumped, "{words:?}");
    }
}

#[test]
fn limits_of_time_end_when_they_should() {
    let place = folder("clock-limits");
    let Some(library) = jumping(&place) else { return };
    let timed = |words: &str, sut: Option<&str>| {
        let began = Instant::now();
        let words: Vec<&str> = words.split(' ').chain(sut).collect();
        let output = interplay(&place, Some(&library), &words, "");
        let took = began.elapsed();
        (output.status.code(), told(&output, took).remove(0), took)
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (code, told, took) = timed("explore counter.play --json --timeout 500ms", None);
            assert_eq!((code, told["stop"].as_str()), (Some(3), Some("time")), "{told}");
            assert!(took >= Duration::from_millis(500));
        });
        scope.spawn(|| {
            let words = "test lock.play --seed 1 --json --no-store --for 500ms --sut";
            let (code, told, took) = timed(words, Some("sh adapter.sh"));
            assert_eq!((code, told["verdict"].as_str()), (Some(0), Some("pass")), "{told}");
            assert!(took >= Duration::from_millis(500) && told["runs"].as_u64() > Some(0), "{told}");
        });
        scope.spawn(|| {
            let (code, told, _) = timed("test lock.play --seed 1 --json --no-store --sut", Some("sh stalls.sh"));
            assert_eq!((code, told["failures"][0]["kind"].as_str()), (Some(1), Some("hang")), "{told}");
        });
    });
}
