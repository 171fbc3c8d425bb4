//! What the implementation announced, compared with the specification before the first input: an output that it does not know
//! can never come, and an input that it does not know would be blamed on it as a refusal.

use interplay_adapter::{Hello, Implementation, Trouble, TroubleKind, differences, unannounced};
use interplay_model::{Direction, Refusals};
use interplay_semantics::{Instance, show_name};
use interplay_tester::Conduct;
use std::sync::Mutex;

pub(crate) struct Announced<'a> {
    instance: &'a Instance,
    differences: Mutex<Vec<String>>,
}

impl<'a> Announced<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Announced<'a> {
        Announced { instance, differences: Mutex::default() }
    }

    /// The implementation, if it knows the inputs that it must not refuse.
    pub(crate) fn compared(&self, implementation: Box<dyn Implementation>) -> Result<Box<dyn Implementation>, Trouble> {
        let hello = implementation.hello();
        if let Some(input) = self.refused_input(hello) {
            let message = format!(
                "the adapter lacks the input `{input}`; add it to the adapter, or write `without {input}` in the setup"
            );
            return Err(Trouble { exchange: implementation.exchange(), ..Trouble::new(TroubleKind::Unknown, message) });
        }
        let found = differences(self.instance.model(), hello);
        *self.differences.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = found;
        Ok(implementation)
    }

    /// One that may be given, although the adapter does not know it, and whose refusal would be a failure.
    fn refused_input(&self, hello: &Hello) -> Option<String> {
        let conduct = Conduct::new(self.instance, None);
        if !conduct.judged || conduct.refusals != Refusals::Fail {
            return None;
        }
        let model = self.instance.model();
        let given = unannounced(model, hello).into_iter().filter(|id| !self.instance.is_excluded(*id));
        let mut inputs = given.map(|id| &model.actions[id.0]).filter(|action| action.direction == Direction::Input);
        inputs.next().map(|action| show_name(&action.name))
    }

    /// The rest, one sentence each.
    pub(crate) fn differences(&self) -> Vec<String> {
        self.differences.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}
