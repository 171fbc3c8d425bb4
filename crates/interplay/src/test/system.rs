//! The type under test: which inputs it has, and how one is given. Written by `#[system]`, or by hand.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fmt::{Display, Formatter};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// A system that can be tested. `#[system]` on an `impl` block writes it; by hand it is one function that is given an input by its number.
pub trait System: 'static {
    /// The inputs, by the names of the specification.
    const INPUTS: &'static [Input];

    /// Takes one input, the `input`-th of [`System::INPUTS`].
    fn give(&mut self, input: usize, arguments: &mut Arguments) -> Result<Given, Fault>;
}

/// An input that a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// As in the specification.
    pub name: &'static str,
    /// Only their number matters: arguments come in the order of the specification.
    pub parameters: &'static [&'static str],
}

/// The arguments of an input, to be read in order.
#[derive(Debug)]
pub struct Arguments {
    input: String,
    /// The last one first.
    rest: Vec<(String, Json)>,
}

impl Arguments {
    pub(crate) fn new(input: &str, values: Vec<(String, Json)>) -> Arguments {
        Arguments { input: input.into(), rest: values.into_iter().rev().collect() }
    }

    /// The next one, as any type that `serde` can read. One that does not fit is a mistake of the test, not of the system.
    #[allow(clippy::should_implement_trait, reason = "each has a type of its own, which no iterator could say")]
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<T, Fault> {
        let Some((name, value)) = self.rest.pop() else {
            return Err(Fault(Why::Unfit(format!("`{}` has no more arguments in the specification", self.input))));
        };
        T::deserialize(&value).map_err(|error| {
            let (input, ty) = (&self.input, std::any::type_name::<T>());
            let help = "give the parameter another type, or a range in the specification (`n: 0..255`)";
            Fault(Why::Unfit(format!(
                "the argument `{name}` of `{input}` is {value}, which is no {ty}: {error}; {help}"
            )))
        })
    }
}

/// What came of an input that was taken.
#[derive(Debug)]
pub struct Given(pub(crate) Json);

impl Given {
    /// It returned a value.
    pub fn returned(value: &impl Serialize) -> Result<Given, Fault> {
        let written = serde_json::to_value(value);
        written.map(Given).map_err(|error| Fault(Why::Unfit(format!("the result cannot be written: {error}"))))
    }

    /// It returned a value, or did not take the input.
    pub fn unless_refused<T: Serialize, E: Display>(result: Result<T, E>) -> Result<Given, Fault> {
        Given::returned(&result.map_err(refused)?)
    }
}

/// Why an input was not taken.
#[derive(Clone, Debug)]
pub struct Fault(pub(crate) Why);

#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// By the system, which is for the specification to judge.
    Refused(String),
    /// The test and the specification do not fit: no verdict.
    Unfit(String),
}

/// The system does not take this input now; the specification says whether that is right.
pub fn refused(why: impl Display) -> Fault {
    Fault(Why::Refused(why.to_string()))
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (Why::Refused(why) | Why::Unfit(why)) = &self.0;
        f.write_str(why)
    }
}

impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Fault {
        refused(error)
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// Drives an `async` input to its end, on this thread.
#[doc(hidden)]
pub fn finished<F: Future>(work: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}
