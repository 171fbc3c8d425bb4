//! The language on a page, for an agent: as a file that agents find by themselves, and as the answer of `explain`.

/// The page, as Markdown with a head that says when to read it.
pub const SKILL: &str = include_str!("../skill/SKILL.md");

/// Under this name it is installed.
pub const SKILL_NAME: &str = "interplay";

/// Whether a file is one of ours, perhaps of another version: it may be replaced.
pub fn is_skill(text: &str) -> bool {
    let head = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")).map(|(head, _)| head);
    head.is_some_and(|head| head.lines().any(|line| line.trim() == format!("name: {SKILL_NAME}")))
}
