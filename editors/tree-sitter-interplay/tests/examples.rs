//! Every example is read without an error, and the queries fit the grammar.

use std::path::{Path, PathBuf};
use tree_sitter::{Node, Parser, Query};

fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            examples(&path, found);
        } else if path.extension().is_some_and(|end| end == "play") {
            found.push(path);
        }
    }
}

fn mistakes(node: Node<'_>, found: &mut Vec<String>) {
    if node.is_error() || node.is_missing() {
        let at = node.start_position();
        found.push(format!("{}:{} {}", at.row + 1, at.column + 1, node.kind()));
    }
    for child in (0..node.child_count()).filter_map(|at| node.child(at as u32)) {
        mistakes(child, found);
    }
}

#[test]
fn every_example_is_read_without_an_error() {
    let mut files = Vec::new();
    examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut files);
    files.sort();
    assert!(files.len() > 20, "{}", files.len());
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_interplay::LANGUAGE.into()).expect("the versions fit");
    let mut all = String::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let tree = parser.parse(&text, None).expect("there is always a tree");
        let mut found = Vec::new();
        mistakes(tree.root_node(), &mut found);
        found.iter().take(3).for_each(|each| all += &format!("{}:{each}\n", file.display()));
    }
    assert!(all.is_empty(), "{all}");
}

#[test]
fn the_queries_fit_the_grammar() {
    Query::new(&tree_sitter_interplay::LANGUAGE.into(), tree_sitter_interplay::HIGHLIGHTS).expect("the query is right");
}
