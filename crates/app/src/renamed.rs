//! Names of commands and options that have changed: the old ones still work, and say the new one. The table is the one that
//! CHANGELOG.md prints for those who migrate.

use std::ffi::OsString;

/// Commands: the old name and the new one. What was an option of a command may be a command now.
const COMMANDS: &[(&str, &str)] = &[
    ("hide", "remove-internal"),
    ("derive", "test-case"),
    ("complete --inputs", "complete-inputs"),
    ("complete --advice", "complete-inputs --advice"),
    ("complete", "canonical-tester"),
];

/// Options: the command (by its new name), the old name and the new one.
const OPTIONS: &[(&str, &str, &str)] = &[("new", "--sut", "--language")];

/// The command line in today's names, and a remark for each old one.
pub(crate) fn todays(words: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let mut remarks = Vec::new();
    let is_command = |word: &OsString| word.to_str().is_some_and(|word| !word.starts_with('-'));
    let Some(at) = words.iter().skip(1).position(is_command).map(|at| at + 1) else { return (words, remarks) };
    if let Some((old, new)) = COMMANDS.iter().find(|(old, _)| is(&words[at..], old)) {
        remarks.push(format!("`interplay {old}` is called `interplay {new}` now"));
        words.retain(|word| !old.split(' ').skip(1).any(|option| word == option));
        words.splice(at..=at, new.split(' ').map(OsString::from));
    }
    let options: Vec<_> = OPTIONS.iter().filter(|(command, ..)| words[at] == *command).collect();
    for word in words.iter_mut().skip(at + 1).take_while(|word| *word != "--") {
        for (command, old, new) in &options {
            let Some(rest) = word.to_str().and_then(|word| word.strip_prefix(old)) else { continue };
            if rest.is_empty() || rest.starts_with('=') {
                remarks.push(format!("the option `{old}` of `interplay {command}` is called `{new}` now"));
                *word = format!("{new}{rest}").into();
                break;
            }
        }
    }
    (words, remarks)
}

/// Whether these words are the command, with its option if it names one.
fn is(words: &[OsString], command: &str) -> bool {
    let mut parts = command.split(' ');
    parts.next().is_some_and(|name| words[0] == name) && parts.all(|option| words.iter().any(|word| word == option))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> (String, usize) {
        let (words, remarks) = todays(line.split(' ').map(OsString::from));
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), remarks.len())
    }

    #[test]
    fn old_names_become_new_ones_and_are_told() {
        assert_eq!(told("interplay -q new lock --sut python"), ("interplay -q new lock --language python".into(), 1));
        assert_eq!(told("interplay new lock --sut=rust"), ("interplay new lock --language=rust".into(), 1));
    }

    #[test]
    fn commands_too_and_options_that_are_commands_now() {
        assert_eq!(told("interplay hide a.play"), ("interplay remove-internal a.play".into(), 1));
        assert_eq!(told("interplay -v derive a.play"), ("interplay -v test-case a.play".into(), 1));
        assert_eq!(told("interplay complete a.play"), ("interplay canonical-tester a.play".into(), 1));
        assert_eq!(told("interplay complete a.play --inputs"), ("interplay complete-inputs a.play".into(), 1));
        assert_eq!(told("interplay complete a.play --advice"), ("interplay complete-inputs --advice a.play".into(), 1));
    }

    #[test]
    fn other_words_stay() {
        for line in ["interplay", "interplay test a.play --sut new", "interplay new --sute", "interplay new -- --sut"] {
            assert_eq!(told(line), (line.into(), 0));
        }
    }
}
