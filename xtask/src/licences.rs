//! The licences of all dependencies, compared with the list in `deny.toml`, and where they come from.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What is wrong.
pub(crate) fn run(root: &Path) -> Vec<String> {
    match packages(root).and_then(|packages| Ok((packages, allowed(root)?))) {
        Err(problem) => vec![problem],
        Ok((packages, allowed)) => packages.iter().filter_map(|package| problem(package, &allowed)).collect(),
    }
}

fn allowed(root: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(root.join("deny.toml")).map_err(|error| format!("deny.toml: {error}"))?;
    let policy: toml::Table = text.parse().map_err(|error| format!("deny.toml: {error}"))?;
    let allow = policy.get("licenses").and_then(|licenses| licenses.get("allow")).and_then(toml::Value::as_array);
    let allow = allow.ok_or("deny.toml: `licenses.allow` is no list")?;
    Ok(allow.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
}

/// All that the lock file names.
fn packages(root: &Path) -> Result<Vec<Value>, String> {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    metadata["packages"].as_array().cloned().ok_or("cargo metadata tells no packages".into())
}

fn problem(package: &Value, allowed: &[String]) -> Option<String> {
    let name = package["name"].as_str().unwrap_or("?");
    let licence = package["license"].as_str().unwrap_or("");
    let from = package["source"].as_str().unwrap_or("registry+");
    match () {
        () if !from.starts_with("registry+") => Some(format!("{name} does not come from the registry: {from}")),
        () if !is_allowed(licence, allowed) => {
            Some(format!("{name} has the licence `{licence}`, which deny.toml does not allow"))
        }
        () => None,
    }
}

/// One of the alternatives has only parts that are allowed. The old `MIT/Apache-2.0` means `OR`.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let plain = licence.replace(['(', ')'], " ").replace('/', " OR ");
    plain.split(" OR ").any(|choice| choice.split(" AND ").all(|part| allowed.iter().any(|each| each == part.trim())))
}

#[test]
fn alternatives_and_parts() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned()];
    assert!(
        is_allowed("MIT", &allowed) && is_allowed("GPL-3.0 OR MIT", &allowed) && is_allowed("GPL-3.0/Zlib", &allowed)
    );
    assert!(!is_allowed("MIT AND GPL-3.0", &allowed) && !is_allowed("", &allowed));
}
