//! The service on a terminal: it says where it stands and what it needs, and takes what is typed, in any order, several things in one
//! line. Words like `back` are commands unless the service has an input of that name; with a stroke (`/back`) they always are.

use crate::desk::Desk;
use crate::view::{View, hint};
use crate::{api, words};
use interplay_services::{Entry, Prompt};
use std::fmt::Write;
use std::io::{self, BufRead, Write as _};

type Lines = Box<dyn FnMut(&str) -> io::Result<Option<String>>>;
type Say = Box<dyn FnMut(&str) -> io::Result<()>>;

/// Where lines come from, and where answers go to.
pub struct Terminal {
    /// The next line, after a prompt; nothing when there are no more.
    pub lines: Lines,
    pub say: Say,
    /// Whether the reader of the answers sees what was typed.
    pub echoes: bool,
    /// One JSON document per turn, instead of text.
    pub json: bool,
}

impl Terminal {
    /// Standard input and output, as they are.
    pub fn standard() -> Terminal {
        // `print!` would panic where nobody reads any more, or the disk is full.
        let say = |text: &str| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        let lines = move |prompt: &str| {
            say(prompt)?;
            let mut line = String::new();
            Ok((io::stdin().lock().read_line(&mut line)? > 0).then_some(line))
        };
        Terminal { lines: Box::new(lines), say: Box::new(say), echoes: true, json: false }
    }
}

impl Desk {
    /// Serves on a terminal, in a thread of its own, where it is made; when it is left, everything ends.
    pub fn terminal(&self, make: impl FnOnce() -> io::Result<Terminal> + Send + 'static) -> io::Result<()> {
        let desk = self.clone();
        let work = move || {
            if let Ok(terminal) = make() {
                let _ = Conversing { desk: desk.clone(), terminal, session: String::new(), turn: 0 }.converse();
            }
            desk.stop();
        };
        std::thread::Builder::new().name("terminal".into()).stack_size(STACK).spawn(work)?;
        Ok(())
    }
}

/// The thread only waits and writes.
const STACK: usize = 1 << 20;

const HELP: &str = "  \
  Type one input or several: name John, amt 100. Inputs that are not needed yet wait.
  Type an input again to correct it. An empty line lets the service continue by itself, if it can.
  back [PLACE]   go back to an earlier place   again     start again
  forget         discard the waiting inputs    state     show the state
  leave          end this conversation         help      show this text
  /back is the command even if the service has an input `back`.
";

struct Conversing {
    desk: Desk,
    terminal: Terminal,
    session: String,
    /// Up to where everything was told.
    turn: usize,
}

impl Conversing {
    fn converse(&mut self) -> io::Result<()> {
        let Some(opened) = self.desk.ask(|sessions| sessions.open()) else { return Ok(()) };
        match opened {
            Ok(session) => self.session = session,
            Err(problem) => return self.complain(&problem),
        }
        loop {
            let Some(view) = self.view() else { return Ok(()) };
            self.show(&view)?;
            let prompt = if self.terminal.json { "" } else { "> " };
            let Some(line) = (self.terminal.lines)(prompt)? else { return Ok(()) };
            if !self.terminal.echoes && !self.terminal.json {
                self.say(&format!("{prompt}{}\n", escape(line.trim_end())))?;
            }
            if !self.obey(line.trim(), &view)? {
                return Ok(());
            }
        }
    }

    fn view(&self) -> Option<View> {
        let (session, turn) = (self.session.clone(), self.turn);
        self.desk.ask(move |sessions| sessions.view(&session, turn))?
    }

    /// Does what a line says; says whether the conversation goes on.
    fn obey(&mut self, line: &str, view: &View) -> io::Result<bool> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = match word.strip_prefix('/') {
            Some(command) => command,
            None if words::find(word, &view.inputs).is_some() => "",
            None => word,
        };
        let (session, rest) = (self.session.clone(), rest.trim().to_string());
        match command {
            "leave" | "quit" | "exit" if rest.is_empty() => return Ok(false),
            "help" | "?" if rest.is_empty() => self.say(HELP)?,
            "state" if rest.is_empty() => {
                let lines: String = view.standing.state.iter().map(|line| format!("  {}\n", escape(line))).collect();
                self.say(if lines.is_empty() { "  no state to show\n" } else { &lines })?;
            }
            "forget" if rest.is_empty() => {
                self.desk.ask(move |sessions| sessions.session(&session).map(|session| session.talk.forget()));
            }
            "again" if rest.is_empty() => {
                self.desk.ask(move |sessions| sessions.session(&session).map(|session| session.talk.again()));
            }
            "back" => {
                let place = (!rest.is_empty()).then_some(rest);
                let went = self.desk.ask(move |sessions| {
                    sessions.session(&session).is_some_and(|session| session.talk.back(place.as_deref()))
                });
                if went != Some(true) {
                    let places = view.places.join(", ");
                    let help = if places.is_empty() { String::new() } else { format!("; there are: {places}") };
                    self.complain(&format!("no such place to go back to{help}"))?;
                }
            }
            _ => match words::read(line, &view.inputs) {
                Ok(said) => {
                    self.desk.ask(move |sessions| sessions.session(&session).map(|session| session.talk.give(said)));
                }
                Err(problem) => self.complain(&format!("{problem}\nhelp: `help` lists the commands"))?,
            },
        }
        Ok(true)
    }

    fn show(&mut self, view: &View) -> io::Result<()> {
        self.turn = view.turn;
        let text = if self.terminal.json { format!("{}\n", api::document(view)) } else { told(view) };
        self.say(&text)
    }

    fn complain(&mut self, problem: &str) -> io::Result<()> {
        let text = match self.terminal.json {
            true => format!("{}\n", serde_json::json!({ "error": problem })),
            false => format!("error: {}\n", escape(problem)),
        };
        self.say(&text)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        (self.terminal.say)(text)
    }
}

/// What happened, and where the service stands now.
fn told(view: &View) -> String {
    let mut text = String::new();
    for entry in &view.log {
        let line = match entry {
            Entry::Taken { result: None, .. } => continue,
            Entry::Taken { text, result: Some(result) } => format!("  {text} gives {result}"),
            Entry::Happened(happening) => format!("  < {}", happening.text),
            Entry::Refused { text, reason } => format!("  not accepted: {text}: {reason}"),
            Entry::Waits { text } => format!("  waits: {text}"),
            Entry::Back { place } if place.is_empty() => "  went back".into(),
            Entry::Back { place } => format!("  went back to {place}"),
            Entry::Again => "  started again".into(),
            Entry::Broken { message } => format!("  error: {message}"),
        };
        line_of(&mut text, &line);
    }
    if view.broken.is_some() {
        line_of(&mut text, "  the conversation has ended: `back` or `again`");
        return text;
    }
    let standing = &view.standing;
    line_of(&mut text, if standing.place.is_empty() { &view.service } else { &standing.place });
    let (needed, optional) = view.prompts();
    needed.iter().for_each(|prompt| line_of(&mut text, &format!("  needed    {}", asked(view, prompt))));
    optional.iter().for_each(|prompt| line_of(&mut text, &format!("  optional  {}", asked(view, prompt))));
    if let Some(wrong) = view.wrong() {
        line_of(&mut text, &format!("  wrong     {wrong}"));
    }
    view.waiting.iter().for_each(|waits| line_of(&mut text, &format!("  waiting   {waits}")));
    if standing.moving {
        line_of(&mut text, "  the service can continue by itself: empty line");
    }
    if standing.ended {
        line_of(&mut text, "  the conversation has ended: `back`, `again` or `leave`");
    } else if standing.prompts.is_empty() && !standing.moving {
        line_of(&mut text, "  no input is possible here: `back` or `again`");
    }
    text
}

fn line_of(text: &mut String, line: &str) {
    writeln!(text, "{}", escape(line)).expect("writing to a string");
}

/// `amt dollars (a whole number)`, and what was said already.
fn asked(view: &View, prompt: &Prompt) -> String {
    let input = view.input(prompt);
    let mut text = input.name.clone();
    for param in &input.params {
        text += &format!(" {} ({})", param.name, hint(&param.kind));
    }
    match &prompt.given {
        Some(given) if !given.is_empty() => format!("{text}, now {}", given.join(" ")),
        _ => text,
    }
}

/// Signs that would move the cursor are shown, not obeyed.
fn escape(text: &str) -> String {
    let odd = |letter: char| letter.is_control() && letter != '\n';
    text.chars().map(|letter| if odd(letter) { '\u{fffd}' } else { letter }).collect()
}
