//! The logic of a service, as an interface sees it: what can be said, where it stands, what it asks for, and taking what was said.
//!
//! A specification ([`crate::Played`]) and a service built in Rust ([`crate::Session`]) both look like this. Values are texts here,
//! because that is what people type and what pages send; the logic reads them.

use crate::Problem;
use serde_json::{Map, Value as Json};

pub trait Logic {
    fn name(&self) -> String;

    /// Everything that can be said at all, always in the same order.
    fn inputs(&self) -> Vec<Input>;

    /// Brings it into its initial state. The same things said again lead to the same place.
    fn reset(&mut self) -> Result<Vec<Happening>, Problem>;

    fn standing(&mut self) -> Result<Standing, Problem>;

    /// How it would be written, if these words mean something; otherwise what is wrong with them.
    fn read(&mut self, said: &Said) -> Result<String, String>;

    /// Takes an event that it asks for. What was said is read again, so that it may be repeated after a reset.
    fn take(&mut self, said: &Said) -> Result<Reaction, Problem>;

    /// Lets it go on by itself for a while.
    fn go_on(&mut self) -> Result<Vec<Happening>, Problem> {
        Ok(Vec::new())
    }
}

/// Something that can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    /// For people; often empty.
    pub doc: String,
    pub params: Vec<Param>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamKind {
    OneOf(Vec<String>),
    /// An integer, between these if they are there.
    Number(Option<(i64, i64)>),
    Text,
    /// Anything else, and how to write it.
    Other(String),
}

/// One event as it was said: an input by its place in [`Logic::inputs`], and a text for each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub input: usize,
    pub values: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The node; empty if the service has no places.
    pub place: String,
    /// Nothing is asked for any more, and that is meant.
    pub ended: bool,
    pub prompts: Vec<Prompt>,
    /// Everything was said, but this is wrong with it.
    pub wrong: Option<Wrong>,
    /// It could go on by itself.
    pub moving: bool,
    /// What there is to see.
    pub state: Vec<String>,
}

/// What the service asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub input: usize,
    /// What was said before: then it is optional, a correction.
    pub given: Option<Vec<String>>,
}

/// A check that keeps the service where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong, in a sentence; empty if nobody wrote one.
    pub check: String,
    /// What to correct.
    pub inputs: Vec<usize>,
}

/// What the service did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// In the syntax of specifications.
    pub text: String,
    pub action: String,
    pub args: Map<String, Json>,
}

/// What became of something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reaction {
    Taken {
        /// What the input returned, if it returns something.
        result: Option<String>,
        happened: Vec<Happening>,
    },
    /// It is asked for, but not so.
    Refused(String),
}

impl Standing {
    pub fn prompt(&self, input: usize) -> Option<&Prompt> {
        self.prompts.iter().find(|prompt| prompt.input == input)
    }

    /// How many inputs the present node has received.
    pub fn received(&self) -> usize {
        self.prompts.iter().filter(|prompt| prompt.given.is_some()).count()
    }
}

impl<L: Logic + ?Sized> Logic for Box<L> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn inputs(&self) -> Vec<Input> {
        (**self).inputs()
    }

    fn reset(&mut self) -> Result<Vec<Happening>, Problem> {
        (**self).reset()
    }

    fn standing(&mut self) -> Result<Standing, Problem> {
        (**self).standing()
    }

    fn read(&mut self, said: &Said) -> Result<String, String> {
        (**self).read(said)
    }

    fn take(&mut self, said: &Said) -> Result<Reaction, Problem> {
        (**self).take(said)
    }

    fn go_on(&mut self) -> Result<Vec<Happening>, Problem> {
        (**self).go_on()
    }
}
