//! Reading a specification with its imports, from files that exist only here.

use interplay_workbench::{Refusal, check, open};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Checks `roots` in a world of these files; also returns which files were read, in order.
fn check_in(world: &[(&str, &str)], roots: &[&str]) -> (check::Answer, Vec<String>) {
    let reads = Mutex::new(Vec::new());
    let read = |path: &Path| {
        reads.lock().expect("nobody panicked").push(path.display().to_string());
        let found = world.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let checked = check::run(&roots.iter().map(PathBuf::from).collect::<Vec<_>>(), &read);
    (checked, reads.into_inner().expect("nobody panicked"))
}

fn messages(checked: &check::Answer) -> Vec<String> {
    checked.diagnostics.iter().map(|each| format!("{} {}", each.code, each.message)).collect()
}

const DOOR: &str = "import \"lib/key.play\" import \"lib/lock.play\" system Door
    var open: Key = start input push { open = other(open) }";
const KEY: &str = "type Key = Bool";
const LOCK: &str = "import \"key.play\" const start: Key = false def other(k: Key): Key = not k";

#[test]
fn imports_are_relative_and_read_once() {
    let world = [("a/door.play", DOOR), ("a/lib/key.play", KEY), ("a/lib/lock.play", LOCK)];
    let (checked, reads) = check_in(&world, &["a/door.play", "./a/../a/door.play"]);
    assert_eq!(messages(&checked), [""; 0]);
    assert_eq!(reads, ["a/door.play", "a/lib/key.play", "a/lib/lock.play"]);
}

#[test]
fn a_missing_import_is_told_where_it_is_asked_for_and_causes_no_further_complaints() {
    let (checked, _) = check_in(&[("a/door.play", DOOR), ("a/lib/key.play", KEY)], &["a/door.play"]);
    assert_eq!(messages(&checked), ["F001 cannot read `a/lib/lock.play`: no such file"]);
    let span = checked.diagnostics[0].span.expect("the import has a place");
    assert_eq!(checked.sources.text(span), "import \"lib/lock.play\"");
}

#[test]
fn a_circle_is_shown_whole_and_once() {
    let world = [("a.play", "import \"b.play\""), ("b.play", "import \"c.play\""), ("c.play", "import \"a.play\"")];
    let (checked, _) = check_in(&world, &["a.play", "b.play", "c.play"]);
    let circles: Vec<String> = messages(&checked).into_iter().filter(|each| each.starts_with("F003")).collect();
    assert_eq!(circles, ["F003 circular import: `a.play` imports `b.play` imports `c.play` imports `a.play`"]);
}

#[test]
fn nothing_is_said_twice_about_a_shared_import() {
    let lib = "const start: Bool = 3";
    let root = "import \"lib.play\" system Door var open: Bool = start input push { open = not open }";
    let (checked, _) = check_in(&[("a.play", root), ("b.play", root), ("lib.play", lib)], &["a.play", "b.play"]);
    assert_eq!(messages(&checked).len(), 1, "{:?}", messages(&checked));
}

#[test]
fn a_wrong_specification_cannot_be_opened() {
    let opened = open(Path::new("x.play"), &|_: &Path| Ok(b"system X var x: Bool = 1 input up { x = not x }".to_vec()));
    let Err(Refusal::Specification { diagnostics, .. }) = opened else { panic!("it is wrong") };
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn a_library_is_checked_as_a_part_of_the_file_that_imports_it() {
    let lib = "def other: Bool = not open";
    let root = "import \"lib.play\" system Door var open: Bool = false input push { open = other }";
    let world = [("door.play", root), ("lib.play", lib)];
    assert_eq!(messages(&check_in(&world, &["lib.play", "door.play"]).0), [""; 0]);
    assert!(check_in(&world, &["lib.play", "door.play"]).0.libraries.is_empty());
    let (alone, _) = check_in(&world, &["lib.play"]);
    assert_eq!(messages(&alone), [""; 0]);
    assert_eq!(alone.libraries, [PathBuf::from("lib.play")]);
}

/// A property that cannot be read has no oracle, and needs none to be told.
#[test]
fn a_mistake_inside_a_property_is_told_once() {
    for property in ["always (a implies )", "always (a implies within 2min a)", "always (a", "((a"] {
        let text = format!("system S\ninput a {{ }}\nproperty z: {property}\n");
        let (checked, _) = check_in(&[("a.play", &text)], &["a.play"]);
        assert_eq!(checked.diagnostics.len(), 1, "{property}: {:?}", messages(&checked));
    }
}

/// Whether one clock is enough is told without running anything.
#[test]
fn a_bound_in_time_inside_another_is_told() {
    let text = "system S\ninput a { }\noutput b { }\nproperty z: always (a implies within 2s (b and within 1s a))\n";
    let (checked, _) = check_in(&[("a.play", text)], &["a.play"]);
    assert_eq!(messages(&checked), ["S017 `z` needs more than one clock for this bound"]);
}
