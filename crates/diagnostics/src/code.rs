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
    F001 Error "cannot read a file"
    F002 Error "file is not UTF-8 text"
    F003 Error "circular import"
    F004 Error "specification too large"
    // Syntax.
    P001 Error "syntax error"
    P002 Error "unclosed bracket"
    P003 Error "invalid character"
    P004 Error "invalid string"
    P005 Error "number too large"
    P006 Error "nested too deeply"
    P007 Error "misplaced declaration"
    // Names.
    N001 Error "unknown name"
    N002 Error "duplicate declaration"
    N003 Warning "shadowed name"
    N004 Error "unknown type"
    N005 Error "unknown action"
    N006 Error "unknown location"
    N007 Error "unknown field or operation"
    N008 Error "wrong kind of name"
    // Types.
    T001 Error "type mismatch"
    T002 Error "type cannot be inferred"
    T003 Error "wrong number of arguments"
    T004 Error "operation not defined for this type"
    T005 Error "`match` is not exhaustive"
    T006 Warning "unreachable case or statement"
    T007 Error "place cannot be assigned"
    T008 Error "value outside its range"
    // Structure.
    S006 Error "observer is not deterministic"
    S008 Error "recursive definition"
    S009 Error "not allowed in this kind of system"
    S010 Error "missing or misplaced return value"
    S011 Error "expression not allowed here"
    S013 Error "no initial location"
    S014 Error "duplicate entry in a setup"
    S015 Error "no system, or empty file"
    S016 Error "not a safety property"
    S017 Error "property too complex for an oracle"
    // Suspicious, but allowed.
    W001 Warning "unused declaration"
    W002 Warning "guard can never hold"
    W003 Warning "unreachable location"
    W004 Warning "overlapping checks"
    W005 Warning "variable never gets a value"
    W007 Warning "parameter without a finite domain"
    W012 Warning "action can never happen"
    W018 Warning "comparison that its range decides"
    W019 Warning "formula that hardly means what it says"
    // The model itself, while it runs.
    M001 Error "read of an unset value"
    M002 Error "integer overflow"
    M003 Error "division by zero"
    M004 Error "value outside its range"
    M005 Error "index out of bounds"
    M006 Error "conflict between components"
    M007 Error "assertion violated"
    M008 Error "missing element"
    M009 Error "infinitely many values"
    M010 Error "constant without a value"
    M011 Error "no initial state"
    M012 Error "relation between signals violated"
    M013 Error "sequence or string too long"
    M014 Error "no result satisfies `ensures`"
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
            Code::S006 => Fault::Run,
            code if code.name().starts_with('M') => Fault::Run,
            _ => Fault::Text,
        }
    }

    /// Reads a code as the user types it, in any letter case. Errors of the structure (`S016`) were once called like warnings
    /// (`W016`); that name still finds them.
    pub fn parse(text: &str) -> Option<Code> {
        let text = text.trim().to_ascii_uppercase();
        let named = |name: &str| Code::ALL.iter().copied().find(|code| code.name() == name);
        named(&text).or_else(|| named(&format!("S{}", text.strip_prefix('W')?)))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
