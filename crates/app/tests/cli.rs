//! The program from outside: transcripts of a terminal, one file per command (`*.md`), and conversations with the stepper
//! (`step_*.toml`, what is typed in `.stdin`, what is shown in `.stdout`). `TRYCMD=overwrite` rewrites them.

#[test]
fn the_transcripts_are_true() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("tests/cmd/*.toml");
}

#[test]
fn the_commands_of_the_tutorial_are_true() {
    trycmd::TestCases::new().case("../../docs/tutorial/*.md");
}

#[test]
fn the_commands_of_the_how_tos_are_true() {
    trycmd::TestCases::new().case("../../docs/how-to/*.md");
}

#[test]
fn the_commands_of_the_explanations_are_true() {
    trycmd::TestCases::new().case("../../docs/explanation/*.md");
}

#[test]
fn the_reference_tells_every_flag() {
    trycmd::TestCases::new().case("../../docs/reference/commands.md");
}

#[test]
fn the_commands_of_the_skill_are_true() {
    trycmd::TestCases::new().case("../mcp/skill/SKILL.md");
}
