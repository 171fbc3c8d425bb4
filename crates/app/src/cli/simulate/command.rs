//! What can be typed while stepping.

/// A command, read from a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'l> {
    /// An empty line shows the menu again.
    Menu,
    /// A number of the menu.
    Choose(usize),
    Take(&'l str),
    Back(usize),
    Goto(usize),
    State,
    Path,
    Print(&'l str),
    Random(usize),
    Save(&'l str),
    Help,
    Quit,
    /// What is wrong with it.
    Wrong(String),
}

pub(super) const HELP: &str = "  \
  NUMBER        take that step                 EVENT         take it: post(Client#0, \"hi\")
  back [N]      go back N steps (1)            goto N        go to the place after N steps
  state         show the state                 print EXPR    show the value of an expression
  random [N]    take N random steps (1)        take EVENT    an event with the name of a command
  path          the way here as a scenario     save FILE     write it to a file
  menu          show the choices again         quit
";

pub(super) fn read(line: &str) -> Command<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let number = |then: fn(usize) -> Command<'static>, default: Option<usize>| match (rest.parse(), rest, default) {
        (Ok(number), _, _) => then(number),
        (Err(_), "", Some(default)) => then(default),
        _ => Command::Wrong(format!("`{word}` takes a number")),
    };
    match (word, rest) {
        ("" | "menu", "") => Command::Menu,
        ("state", "") => Command::State,
        ("path", "") => Command::Path,
        ("help" | "?", "") => Command::Help,
        ("quit" | "exit" | "q", "") => Command::Quit,
        ("back", _) => number(Command::Back, Some(1)),
        ("goto", _) => number(Command::Goto, None),
        ("random", _) => number(Command::Random, Some(1)),
        ("print", "") => Command::Wrong("`print` takes an expression".into()),
        ("print", rest) => Command::Print(rest),
        ("save", "") => Command::Wrong("`save` takes the name of a file".into()),
        ("save", rest) => Command::Save(rest),
        ("take", rest) => Command::Take(rest),
        _ => line.parse().map_or(Command::Take(line), Command::Choose),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_words_and_events_are_told_apart() {
        assert_eq!(read(" 3 "), Command::Choose(3));
        assert_eq!(read("back"), Command::Back(1));
        assert_eq!(read("back 2"), Command::Back(2));
        assert_eq!(read("back x"), Command::Wrong("`back` takes a number".into()));
        assert_eq!(read("post(Client#0, \"hi\")"), Command::Take("post(Client#0, \"hi\")"));
        assert_eq!(read("take state"), Command::Take("state"));
        assert_eq!(read("print a + b"), Command::Print("a + b"));
        assert_eq!(read(""), Command::Menu);
    }
}
