//! Questions about every example: each name is indexed, and giving each of them another name changes nothing else.

use interplay_ask::{self as ask, Edit, Understood};
use interplay_diagnostics::{Diagnostic, Point, Span};
use interplay_semantics::Instance;
use interplay_specification::Loader;
use interplay_syntax::Highlight;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(root).expect("there are examples").filter_map(Result::ok);
    let mut files: Vec<PathBuf> = folders
        .filter_map(|folder| std::fs::read_dir(folder.path()).ok())
        .flat_map(|files| files.filter_map(Result::ok).map(|file| file.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "play"))
        .collect();
    files.sort();
    assert!(files.len() > 20, "{}", files.len());
    files
}

fn understood(path: &Path) -> Understood {
    ask::understand(path, &|path: &Path| std::fs::read(path))
}

#[test]
fn every_name_of_every_example_is_indexed() {
    let mut count = 0;
    for path in examples() {
        let text = understood(&path);
        let mentioned: BTreeSet<Span> = text.index.mentions.iter().map(|mention| mention.span).collect();
        // A library that stands alone does not know its importer's names.
        for file in text.files.iter().filter(|_| !text.is_library) {
            let source = &text.sources.file(*file).text;
            for (token, highlight) in interplay_syntax::highlight(source) {
                let span = Span::new(*file, token.range());
                let is_name = highlight == Highlight::Name && token.text(source) != "_";
                assert!(
                    !is_name || mentioned.contains(&span),
                    "{} `{}`",
                    text.sources.locate(span),
                    token.text(source)
                );
                count += usize::from(is_name);
            }
        }
        for mention in &text.index.mentions {
            let declared = mention.declared.map(|span| (span, text.index.declaration(span).is_some()));
            assert!(declared.is_none_or(|(_, known)| known), "{} leads nowhere", text.sources.locate(mention.span));
        }
    }
    assert!(count > 5_000, "{count} names");
}

#[test]
fn another_name_changes_nothing_else() {
    for path in examples() {
        let text = understood(&path);
        let before = codes(&text.diagnostics);
        for declaration in text.index.declarations.iter().filter(|_| !text.is_library) {
            let point = Point { file: declaration.span.file, offset: declaration.span.start };
            let edits = match text.rename(point, "renamed_thing") {
                Ok(edits) => edits,
                Err(problem) => panic!("{} `{}`: {problem}", text.sources.locate(declaration.span), declaration.name),
            };
            let files = changed(&text, edits);
            let after = ask::understand(&path, &|path: &Path| read(&files, path));
            assert_eq!(codes(&after.diagnostics), before, "{} `{}`", path.display(), declaration.name);
        }
    }
}

/// All names at once, each by another; then the system has as many states and transitions as before.
#[test]
fn other_names_leave_the_behaviour_alone() {
    let mut compared = 0;
    for path in examples() {
        let text = understood(&path);
        if text.is_library {
            continue;
        }
        let names = text.index.declarations.iter().enumerate();
        let edits = names.flat_map(|(number, declaration)| {
            let point = Point { file: declaration.span.file, offset: declaration.span.start };
            text.rename(point, &format!("n{number}")).expect("it can be renamed")
        });
        let files = changed(&text, edits.collect());
        let before = figures(&path, &|path: &Path| std::fs::read(path));
        let after = figures(&path, &|path: &Path| read(&files, path));
        assert_eq!(before, after, "{}", path.display());
        compared += usize::from(before.iter().any(|(states, _)| *states > 1));
    }
    assert!(compared > 10, "{compared} examples move");
}

/// States and transitions of the first 300 states under each setup.
fn figures(path: &Path, read: &interplay_specification::ReadFile<'_>) -> Vec<(usize, usize)> {
    let model = std::sync::Arc::new(Loader::new(read).load(path).model.expect("the example is right"));
    let setups = (0..model.setups.len()).map(|id| Some(interplay_model::SetupId(id))).chain([None]);
    setups.map(|setup| Instance::new(model.clone(), setup).map_or((0, 0), |instance| reachable(&instance))).collect()
}

fn reachable(instance: &Instance) -> (usize, usize) {
    let mut queue: Vec<_> = instance.initial().unwrap_or_default().into_iter().take(300).collect();
    let mut seen: BTreeSet<String> = queue.iter().map(|state| format!("{state:?}")).collect();
    let (mut next, mut transitions) = (0, 0);
    while next < queue.len() && next < 40 {
        for step in instance.transitions(&queue[next].clone()).into_iter().take(200).flatten() {
            transitions += 1;
            if seen.len() < 300 && seen.insert(format!("{:?}", step.target)) {
                queue.push(step.target);
            }
        }
        next += 1;
    }
    (seen.len(), transitions)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let mut codes: Vec<_> = diagnostics.iter().map(|each| each.code.name()).collect();
    codes.sort_unstable();
    codes
}

fn changed(text: &Understood, mut edits: Vec<Edit>) -> HashMap<String, String> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut files: HashMap<_, String> = text.sources.files().map(|(id, file)| (id, file.text.clone())).collect();
    for edit in edits {
        files.get_mut(&edit.span.file).expect("it is known").replace_range(edit.span.range(), &edit.text);
    }
    files.into_iter().map(|(id, changed)| (text.sources.file(id).name.clone(), changed)).collect()
}

fn read(files: &HashMap<String, String>, path: &Path) -> io::Result<Vec<u8>> {
    let text = files.iter().find(|(name, _)| interplay_path(name) == interplay_path(&path.display().to_string()));
    text.map(|(_, text)| text.clone().into_bytes()).ok_or(io::ErrorKind::NotFound.into())
}

/// Names are compared after `..` is worked out.
fn interplay_path(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
