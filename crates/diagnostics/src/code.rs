//! The stable codes. Each has a page under `codes/`: what it means, a text that provokes it, and a corrected one.
//! The tests check both texts of every page, so a code without a working page cannot exist.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

impl Severity {
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($($code:ident $severity:ident $title:literal)*) => {
        /// The name of a kind of mistake. It never changes its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($code),* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            pub fn name(self) -> &'static str {
                match self { $(Code::$code => stringify!($code)),* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }

            /// What it is about, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$code => $title),* }
            }

            /// The page that explains it.
            pub fn page(self) -> &'static str {
                match self { $(Code::$code => include_str!(concat!("../codes/", stringify!($code), ".md"))),* }
            }
        }
    };
}

codes! {
    // Files.
    F001 Error "a file cannot be read"
    F002 Error "a file is not UTF-8 text"
    F003 Error "files import each other in a circle"
    F004 Error "a specification is too large"
    // Syntax.
    P001 Error "something else was expected here"
    P002 Error "a bracket is not closed"
    P003 Error "a character means nothing here"
    P004 Error "a string is not closed or has a bad escape"
    P005 Error "a number is too large"
    P006 Error "expressions are nested too deeply"
    P007 Error "a declaration does not belong here"
    // Names.
    N001 Error "an unknown name"
    N002 Error "a name is declared twice"
    N003 Warning "a name hides another"
    N004 Error "an unknown type"
    N005 Error "an unknown action"
    N006 Error "an unknown location"
    N007 Error "an unknown field or operation"
    N008 Error "a name of another kind"
    // Types.
    T001 Error "two types do not fit"
    T002 Error "a type cannot be inferred"
    T003 Error "a wrong number of arguments"
    T004 Error "an operation is not defined for a type"
    T005 Error "a `match` does not cover all cases"
    T006 Warning "a case or a statement can never be reached"
    T007 Error "a place that cannot be written"
    T008 Error "a value lies outside its range"
    // Well-formedness.
    W001 Warning "a declaration is never used"
    W002 Warning "a guard can never hold"
    W003 Warning "a location can never be reached"
    W004 Warning "two checks claim the same events for different targets"
    W005 Warning "a variable is read but never given a value"
    W006 Error "an observer is not deterministic"
    W007 Warning "a parameter has no finite domain"
    W008 Error "a definition uses itself"
    W009 Error "this does not fit the system's discipline"
    W010 Error "a return value is missing or misplaced"
    W011 Error "an expression is not allowed here"
    W012 Warning "an action can never happen"
    W013 Error "a starting location is missing"
    W014 Error "a setup says something twice or in conflict"
    W015 Error "a system has no name or no content"
    W016 Error "no finite run can break a property"
    W017 Error "a property is beyond what an oracle can watch"
    // The model itself, while it runs.
    M001 Error "a value is read that was never set"
    M002 Error "an integer leaves 64 bits"
    M003 Error "a division by zero"
    M004 Error "a value leaves its range"
    M005 Error "an index lies outside a sequence"
    M006 Error "two components contradict each other"
    M007 Error "an assertion does not hold"
    M008 Error "an empty collection has no such element"
    M009 Error "a search for values has no end"
    M010 Error "a constant has no value"
    M011 Error "there is no initial state"
    M012 Error "a relation between signals is broken"
    M013 Error "a sequence or a text becomes too long"
    M014 Error "a rule allows no result"
}

/// Whose fault it is that there is no good answer; exit codes and verdicts follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text is wrong: nothing can be run.
    Text,
    /// A run of the model goes wrong. That is a finding, as a violated property is.
    Run,
    /// The setup leaves something open: values without end, or a constant without a value. So nobody knows the answer.
    Setup,
}

impl Code {
    pub fn fault(self) -> Fault {
        match self {
            Code::M009 | Code::M010 => Fault::Setup,
            // An observer that turns out to have two ways goes wrong in the run that shows it.
            Code::W006 => Fault::Run,
            code if code.name().starts_with('M') => Fault::Run,
            _ => Fault::Text,
        }
    }

    /// Reads a code as the user types it, in any letter case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name().eq_ignore_ascii_case(text.trim()))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
