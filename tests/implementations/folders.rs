//! Every folder of an implementation has a script that starts it, and says what its specification says.

use crate::common::{instance, root, start};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The specification of each implementation; none if it is tested elsewhere.
fn specification(folder: &str) -> Option<(&'static str, &'static str)> {
    Some(match folder.split('/').next().unwrap_or_default() {
        "aps" => ("aps/aps.play", "one_signal_per_step"),
        "elevator" => ("elevator/elevator.play", "building"),
        "chat" => ("chat/chat.play", "online"),
        "brp" => ("brp/brp_complete.play", "two_chunks"),
        "bag" => ("bag/bag.play", "online"),
        "daisy" if folder == "daisy/good" => ("daisy/daisy.play", "online"),
        "daisy" => ("daisy/daisy_threads.play", "online"),
        _ => return None,
    })
}

fn folders() -> Vec<String> {
    let mut found = Vec::new();
    for system in fs::read_dir(root().join("examples")).expect("examples are there").flatten() {
        for folder in fs::read_dir(system.path()).into_iter().flatten().flatten() {
            let name = folder.file_name().to_string_lossy().into_owned();
            if folder.path().is_dir() && (name.starts_with("good") || name.starts_with("faulty-")) {
                found.push(format!("{}/{name}", system.file_name().to_string_lossy()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_folder_has_a_script_that_announces_what_the_specification_has() {
    let mut count = 0;
    for folder in folders() {
        let run = root().join("examples").join(&folder).join("run");
        let mode = fs::metadata(&run).unwrap_or_else(|error| panic!("{folder}/run: {error}")).permissions().mode();
        assert!(mode & 0o111 != 0, "{folder}/run cannot be executed");
        let Some((specification, setup)) = specification(&folder) else { continue };
        count += 1;
        let connection = start(&folder, &instance(specification, setup));
        let differences = connection.differences();
        // The modification requests of the protection switch bring signals that its first specification does not have.
        assert!(differences.is_empty() || folder.starts_with("aps/good-mr"), "{folder}: {differences:#?}");
    }
    assert!(count >= 60, "only {count} folders");
}
