//! The schemas of all documents, generated from their types: the list of what has `--json`.

use super::shared::NULLABLE;
use super::*;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// What a command prints with `--json`, as JSON Schema, draft 2020-12.
pub struct DocumentSchema {
    /// Of its file, without the ending.
    pub name: &'static str,
    /// The commands that print it, each without `interplay`.
    pub commands: &'static [&'static str],
    /// The schema itself; all that it refers to is inside.
    pub schema: Value,
}

/// Of all commands, in the order of their names.
pub fn schemas() -> Vec<DocumentSchema> {
    vec![
        of::<AdapterDocument>("adapter-check", &["adapter check"]),
        of::<CheckDocument>("check", &["check"]),
        of::<OneOf<ChangeDocument, AdviceDocument>>("complete", &["canonical-tester", "complete-inputs"]),
        of::<ConformDocument>("conform", &["conform"]),
        of::<DeriveDocument>("derive", &["test-case"]),
        of::<ChangeDocument>("determinise", &["determinise"]),
        of::<ExplainDocument>("explain", &["explain"]),
        of::<ExploreDocument>("explore", &["explore"]),
        of::<ExportDocument>("export", &["export"]),
        of::<ChangeDocument>("hide", &["remove-internal"]),
        of::<ImportDocument>("import", &["import"]),
        of::<MonitorDocument>("monitor", &["monitor"]),
        of::<OracleDocument>("oracle", &["oracle"]),
        of::<PatternsDocument>("patterns-check", &["patterns check"]),
        of::<ChangeDocument>("product", &["product"]),
        of::<RunDocument>("run", &["run"]),
        of::<AddDocument>("scenario-add", &["scenario add"]),
        of::<ConflictsDocument>("scenario-conflicts", &["scenario conflicts"]),
        of::<CoverageDocument>("scenario-coverage", &["scenario coverage"]),
        of::<FindDocument>("scenario-find", &["scenario find"]),
        of::<GeneraliseDocument>("scenario-generalise", &["scenario generalise"]),
        of::<EnactDocument>("scenario-run", &["scenario run --sut"]),
        of::<OneOf<WalkDocument, PlayDocument>>("simulate", &["simulate", "scenario run"]),
        of::<SuiteDocument>("suite", &["suite"]),
        of::<ChangeDocument>("suspend", &["suspend"]),
        of::<TestDocument>("test", &["test", "replay"]),
        of::<TestCaseDocument>("test-case", &["test --case", "test --target"]),
        of::<MutantsDocument>("test-mutants", &["test --mutants"]),
        of::<SystematicDocument>("test-systematic", &["test --systematic"]),
        of::<SystematicTableDocument>("test-systematic-table", &["test --systematic --table"]),
        of::<VerifyDocument>("verify", &["verify"]),
    ]
}

/// A command with two kinds of answers.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum OneOf<A, B> {
    First(A),
    Second(B),
}

fn of<T: JsonSchema>(name: &'static str, commands: &'static [&'static str]) -> DocumentSchema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(exact).transform(&mut schema);
    let titles: Vec<String> = commands.iter().map(|command| format!("interplay {command} --json")).collect();
    let mut first = Schema::default();
    first.insert("$schema".into(), schema.remove("$schema").unwrap_or_default());
    first.insert("$id".into(), format!("{name}.schema.json").into());
    first.insert("title".into(), titles.join(", ").into());
    schema.remove("title");
    first.ensure_object().extend(schema.ensure_object().clone());
    DocumentSchema { name, commands, schema: first.to_value() }
}

/// What the generator says too much or too little: `uint64` and the like are no formats of JSON Schema, and a field that
/// is left out where there is nothing is never null, unless it is [`Nullable`](super::shared::Nullable).
fn exact(schema: &mut Schema) {
    schema.remove("format");
    let object = schema.ensure_object();
    let required = object.get("required").cloned().unwrap_or_default();
    let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        let is_required = required.as_array().is_some_and(|all| all.contains(&name.as_str().into()));
        let Some(property) = property.as_object_mut() else { continue };
        if property.remove(NULLABLE).is_none() && !is_required {
            never_null(property);
            // It stood inside the choice.
            property.remove(NULLABLE);
        }
    }
}

fn never_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|each| each != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}
