//! The workflow of `examples/ci` is YAML, its commands run on a new project, and they write what later steps upload.

use std::path::{Path, PathBuf};
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

fn steps() -> Vec<Yaml> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci/github-actions.yml");
    let text = std::fs::read_to_string(file).expect("it is there");
    let documents = YamlLoader::load_from_str(&text).expect("it is YAML");
    assert_eq!(documents.len(), 1);
    documents[0]["jobs"]["lock"]["steps"].as_vec().expect("a job has steps").clone()
}

/// What `interplay new lock` makes, with the program in the path.
fn project() -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("the folder can be made");
    let made = Command::new(env!("CARGO_BIN_EXE_interplay")).args(["new", "lock"]).current_dir(&place).status();
    assert!(made.is_ok_and(|status| status.success()));
    place.join("lock")
}

#[test]
fn the_commands_of_the_workflow_run() {
    let place = project();
    let program = Path::new(env!("CARGO_BIN_EXE_interplay")).parent().expect("it lies in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let steps = steps();
    let commands = steps.iter().filter(|step| step["name"].as_str() != Some("Install Interplay"));
    let mut ran = 0;
    for command in commands.filter_map(|step| step["run"].as_str()) {
        // As the server runs it: the first command that fails ends the step.
        let output = Command::new("bash").args(["-e", "-c", command]).env("PATH", &path).current_dir(&place).output();
        let output = output.expect("bash is there");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{command}\n{said}");
        ran += 1;
    }
    assert_eq!(ran, 5);
    let read = |name: &str| std::fs::read_to_string(place.join("reports").join(name)).expect(name);
    for name in ["check.sarif", "explore.sarif", "test.sarif"] {
        let sarif: serde_json::Value = serde_json::from_str(&read(name)).expect(name);
        assert_eq!((&sarif["version"], &sarif["runs"][0]["results"]), (&"2.1.0".into(), &serde_json::json!([])));
    }
    for name in ["explore.xml", "test.xml"] {
        assert!(read(name).contains("<testcase ") && !read(name).contains("<failure"), "{}", read(name));
    }
    for name in ["explore.html", "test.html"] {
        assert!(read(name).contains("id=\"verdict\">pass<"), "{name}");
    }
}

#[test]
fn the_files_that_are_uploaded_are_those_that_are_written() {
    let steps = steps();
    let uploads: Vec<&str> =
        steps.iter().filter_map(|step| step["with"]["path"].as_str().or(step["with"]["sarif_file"].as_str())).collect();
    assert_eq!(uploads, ["reports", "reports"]);
    assert!(
        steps
            .iter()
            .filter(|step| step["uses"].as_str().is_some_and(|name| name.contains("upload")))
            .all(|step| step["if"].as_str() == Some("always()")),
        "also when something failed"
    );
}
