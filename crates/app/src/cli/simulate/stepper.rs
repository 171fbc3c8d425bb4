//! The conversation with whoever steps: show what can happen, do what is asked, show what changed.

use super::command::{self, Command};
use super::lines::Lines;
use super::{Arguments, walk};
use crate::exit::Exit;
use crate::{files, print};
use interplay_answers::Findings;
use interplay_report::{Colour, escape};
use interplay_workbench::{Choice, ChosenSetup, Context, Dice, Group, Menu, Problem, Refusal, Session, Typed};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// More choices of one group are counted, not listed.
const LISTED: usize = 40;

struct Stepper {
    context: Context,
    session: Session,
    menu: Menu,
    dice: Dice,
    seed: u64,
    /// With `--json` nothing is said until the end.
    silent: bool,
}

pub(super) fn run(
    arguments: &Arguments,
    context: Context,
    session: Session,
    setup: &ChosenSetup,
    seed: u64,
) -> anyhow::Result<Exit> {
    let menu = session.menu();
    let mut stepper = Stepper { context, session, menu, dice: Dice::new(seed), seed, silent: arguments.shared.json };
    stepper.converse(&mut Lines::open()?)?;
    if arguments.shared.json {
        print::json(&walk::document(&stepper.session, setup, seed, "the commands ended"))?;
    }
    Ok(Exit::Met)
}

impl Stepper {
    fn converse(&mut self, lines: &mut Lines) -> anyhow::Result<()> {
        self.show_states()?;
        self.show_menu()?;
        loop {
            let prompt = format!("{}> ", self.session.depth());
            let Some(line) = lines.next(&prompt)? else { return Ok(()) };
            if !lines.echoes() {
                self.say(&format!("{prompt}{}\n", escape(&line)))?;
            }
            match command::read(&line) {
                Command::Quit => return Ok(()),
                command => self.obey(command)?,
            }
        }
    }

    fn obey(&mut self, command: Command<'_>) -> anyhow::Result<()> {
        match command {
            Command::Menu => self.show_menu()?,
            Command::Choose(number) => match number.checked_sub(1).and_then(|index| self.menu.choices.get(index)) {
                Some(choice) => self.forward(&choice.clone())?,
                None => self.complain(&format!("no choice {number}"))?,
            },
            Command::Take(event) => self.take(event)?,
            Command::Back(steps) => {
                self.session.back(steps);
                self.arrive()?;
            }
            Command::Goto(position) => match self.session.goto(position) {
                true => self.arrive()?,
                false => self.complain(&format!("choose a position from 0 to {}", self.session.last()))?,
            },
            Command::State => self.show_states()?,
            Command::Path => self.say(&self.session.scenario("path"))?,
            Command::Print(expression) => self.print(expression)?,
            Command::Random(steps) => self.random(steps)?,
            Command::Save(file) => self.save(Path::new(file))?,
            Command::Help => self.say(command::HELP)?,
            Command::Wrong(problem) => self.complain(&problem)?,
            Command::Quit => unreachable!("the conversation ends before"),
        }
        Ok(())
    }

    fn forward(&mut self, choice: &Choice) -> io::Result<()> {
        self.step(choice)?;
        self.show_menu()
    }

    /// Takes a step and shows what it changed.
    fn step(&mut self, choice: &Choice) -> io::Result<()> {
        self.session.forward(choice);
        self.menu = self.session.menu();
        let lines: String = self.session.difference().iter().map(|line| format!("  {}\n", escape(line))).collect();
        self.say(if lines.is_empty() { "  nothing changed\n" } else { &lines })
    }

    /// A typed event; if it may mean several steps, they become the menu.
    fn take(&mut self, event: &str) -> io::Result<()> {
        let Some(choices) = self.understood(|session, context| session.steps(context, event))? else { return Ok(()) };
        match &choices[..] {
            [] => self.complain("not possible here"),
            [only] => self.forward(only),
            _ => {
                self.say("several steps match:\n")?;
                self.menu = Menu { choices, problems: Vec::new() };
                self.show_menu()
            }
        }
    }

    fn print(&mut self, expression: &str) -> io::Result<()> {
        let values = self.understood(|session, context| session.evaluate(context, expression))?;
        let text: String = values.into_iter().flatten().map(|value| format!("{}\n", escape(&value))).collect();
        self.say(&text)
    }

    fn random(&mut self, steps: usize) -> io::Result<()> {
        self.say(&format!("seed {}\n", self.seed))?;
        for _ in 0..steps {
            let Some(choice) = self.dice.choose(&self.menu).cloned() else {
                self.complain("no step is possible here")?;
                break;
            };
            self.say(&format!("{}\n", escape(&choice.text)))?;
            self.step(&choice)?;
        }
        self.show_menu()
    }

    fn save(&mut self, file: &Path) -> io::Result<()> {
        let name = file.file_stem().map_or("saved".into(), |stem| stem.to_string_lossy().into_owned());
        match files::create(file, &self.session.scenario(&name)) {
            Ok(()) => self.say(&format!("saved; play it with --script {}\n", escape(&file.display().to_string()))),
            Err(error) => self.complain(&format!("{} cannot be written: {error}", file.display())),
        }
    }

    /// Shows where the session is after a jump.
    fn arrive(&mut self) -> io::Result<()> {
        self.menu = self.session.menu();
        self.show_states()?;
        self.show_menu()
    }

    /// The meaning of a typed text; otherwise it is told what is wrong with it.
    fn understood<T>(&mut self, ask: impl FnOnce(&Session, &mut Context) -> Typed<T>) -> io::Result<Option<T>> {
        match ask(&self.session, &mut self.context) {
            Typed::Understood(meaning) => return Ok(Some(meaning)),
            Typed::Wrong(refusal) => self.complain(&short(&refusal))?,
            Typed::Unfit(why) => self.complain(why)?,
            Typed::Broken(problem) => self.say(&show_problem(&self.context, &self.session, &problem, 0))?,
        }
        Ok(None)
    }

    fn show_states(&self) -> io::Result<()> {
        let mut text = String::new();
        let states = self.session.show_states();
        for (number, state) in states.iter().enumerate() {
            if states.len() > 1 {
                writeln!(text, "state {} of {}", number + 1, states.len()).expect("writing to a string");
            }
            for line in state {
                writeln!(text, "  {}", escape(line)).expect("writing to a string");
            }
        }
        self.say(&text)
    }

    fn show_menu(&self) -> io::Result<()> {
        self.say(&show_menu(&self.context, &self.session, &self.menu))
    }

    fn complain(&self, problem: &str) -> io::Result<()> {
        self.say(&format!("{}: {}\n", print::error_word(), escape(problem)))
    }

    fn say(&self, text: &str) -> io::Result<()> {
        if self.silent { Ok(()) } else { print::answer(text) }
    }
}

fn show_menu(context: &Context, session: &Session, menu: &Menu) -> String {
    let mut text = String::new();
    let mut group: Option<Group> = None;
    let mut listed = 0;
    for (index, choice) in menu.choices.iter().enumerate() {
        if group != Some(choice.group) {
            writeln!(text, "{}", print::bold(choice.group.word())).expect("writing to a string");
            (group, listed) = (Some(choice.group), 0);
        }
        listed += 1;
        if listed <= LISTED {
            writeln!(text, "{:4}  {}", index + 1, escape(&choice.text)).expect("writing to a string");
        }
        let last = menu.choices.get(index + 1).is_none_or(|next| next.group != choice.group);
        if last && listed > LISTED {
            writeln!(text, "      {} more; type the event", listed - LISTED).expect("writing to a string");
        }
    }
    for (problem, more) in by_place(&menu.problems) {
        text += &match problem.wants_a_value() {
            true => format!("{}\n", print::dim(&escape(&wish(problem)))),
            false => show_problem(context, session, problem, more),
        };
    }
    if menu.choices.is_empty() && menu.problems.is_empty() {
        text += "no event is possible here\n";
    }
    text
}

/// The first problem of each place, and how many more there are like it; wishes come last.
fn by_place(problems: &[Problem]) -> Vec<(&Problem, usize)> {
    let mut places: Vec<(&Problem, usize)> = Vec::new();
    for problem in problems {
        let place = |other: &Problem| (other.diagnostic.code, other.diagnostic.span);
        match places.iter_mut().find(|(first, _)| place(first) == place(problem)) {
            Some((_, more)) => *more += 1,
            None => places.push((problem, 0)),
        }
    }
    places.sort_by_key(|(problem, _)| problem.wants_a_value());
    places
}

/// A parameter without a finite domain is no mistake while somebody is there to type its value.
fn wish(problem: &Problem) -> String {
    format!("type an event with its values: {}", problem.diagnostic.message)
}

/// A mistake of the model, with its place and the way to it, and how often it happens here with other values.
pub(super) fn show_problem(context: &Context, session: &Session, problem: &Problem, more: usize) -> String {
    let findings = Findings::new(&context.sources, std::slice::from_ref(&problem.diagnostic));
    let mut text = interplay_report::diagnostics(&findings, Colour::Always);
    if more > 0 {
        text += &format!("and with {more} other combinations of values\n\n");
    }
    let steps = session.steps_so_far().into_iter().chain(problem.step.clone());
    let way: Vec<String> = steps.map(|step| format!("  {}\n", escape(&step))).collect();
    if !way.is_empty() {
        text += &format!("after\n{}\n", way.concat());
    }
    text
}

/// The place of a mistake in one typed line is plain to see.
fn short(refusal: &Refusal) -> String {
    let Refusal::Specification { diagnostics, .. } = refusal else { return refusal.to_string() };
    let told = diagnostics.iter().take(3).map(|each| match &each.help {
        Some(help) => format!("{}; {help}", each.message),
        None => each.message.clone(),
    });
    told.collect::<Vec<_>>().join("\n")
}
