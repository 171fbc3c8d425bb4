//! Every text in the skill file is what it says: right, or wrong with the code that stands beside it.

use interplay_mcp::{SKILL, is_skill};
use interplay_workbench::check;
use std::path::Path;

#[test]
fn every_specification_in_the_skill_is_right_or_wrong_as_told() {
    let blocks: Vec<(&str, &str)> = SKILL
        .split("```play")
        .skip(1)
        .filter_map(|rest| rest.split_once("```")?.0.split_once('\n'))
        .map(|(words, text)| (words.trim(), text))
        .collect();
    assert!(blocks.len() >= 7, "the skill shows the language");
    for (words, text) in blocks {
        let checked = check::run(&["skill.play".into()], &|_: &Path| Ok(text.as_bytes().to_vec()));
        let codes: Vec<&str> = checked.diagnostics.iter().map(|each| each.code.name()).collect();
        match words.strip_prefix("wrong ") {
            Some(code) => assert!(codes.contains(&code), "{codes:?}\n{text}"),
            None => assert!(codes.is_empty(), "{:?}\n{text}", checked.diagnostics),
        }
    }
}

#[test]
fn the_skill_is_short_and_says_when_to_read_it() {
    assert!(SKILL.lines().count() <= 300);
    assert!(is_skill(SKILL));
    assert!(SKILL.contains("\ndescription: "));
    for other in ["", "name: interplay", "---\nname: other\n---\n", "---\nname: interplay"] {
        assert!(!is_skill(other), "{other:?}");
    }
}
