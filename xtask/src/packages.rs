//! What a registry asks of the crates that are published: a description, a licence, versions of the crates that they need, and only such
//! as are published themselves. Packing them (`--pack`) takes longer and asks the registry.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What is wrong.
pub(crate) fn run(root: &Path, pack: bool) -> Vec<String> {
    let packages = match packages(root) {
        Ok(packages) => packages,
        Err(problem) => return vec![problem],
    };
    let published: Vec<&Value> =
        packages.iter().filter(|package| package["publish"] != Value::Array(Vec::new())).collect();
    let names: BTreeSet<&str> = published.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut problems: Vec<String> = published.iter().flat_map(|package| wrong(package, &names)).collect();
    if pack && problems.is_empty() {
        problems.extend(packed(root, &names));
    }
    problems
}

fn packages(root: &Path) -> Result<Vec<Value>, String> {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(["metadata", "--format-version", "1", "--no-deps"]).current_dir(root).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    metadata["packages"].as_array().cloned().ok_or("cargo metadata tells no packages".into())
}

fn wrong(package: &Value, published: &BTreeSet<&str>) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or("?");
    let said = |field: &str| package[field].as_str().is_some_and(|text| !text.trim().is_empty());
    let missing = ["description", "license"].into_iter().filter(|field| !said(field));
    let mut problems: Vec<String> = missing.map(|field| format!("{name}: Cargo.toml has no {field}")).collect();
    for needed in package["dependencies"].as_array().into_iter().flatten().filter(|needed| !needed["path"].is_null()) {
        let (other, dev) = (needed["name"].as_str().unwrap_or("?"), needed["kind"] == "dev");
        let versioned = needed["req"] != "*";
        match (published.contains(other), versioned) {
            // A crate that only tests need is left out when it has no version.
            (_, false) if dev => {}
            (false, _) => problems.push(format!("{name} needs {other}, which is not published")),
            (true, false) => problems.push(format!("{name} needs {other} without a version")),
            (true, true) => {}
        }
    }
    problems
}

/// Cargo writes each of them as the registry would get it; nothing is built.
fn packed(root: &Path, names: &BTreeSet<&str>) -> Option<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--locked"]).current_dir(root);
    names.iter().for_each(|name| _ = cargo.args(["--package", name]));
    match cargo.output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!("cargo package: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Some(format!("cargo package: {error}")),
    }
}
