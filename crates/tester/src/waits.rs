//! How long to listen. A setup may say it; otherwise it is learnt from how long the implementation takes to speak.

use interplay_model::Silence;
use std::time::Duration;

/// Before anything was learnt.
const FIRST: Duration = Duration::from_millis(20);
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(1);
/// For an output that must come: so long, or so many times what it ever took.
const OWED: Duration = Duration::from_secs(1);
const OWED_TIMES: u32 = 20;
/// For an output that a conversation needs to go on: so long, or so many times what is usual there.
const PATIENT: Duration = Duration::from_millis(50);
const PATIENT_TIMES: u32 = 10;

#[derive(Clone, Debug)]
pub struct Waits {
    silence: Option<Duration>,
    /// The slowest answer so far, if there was one.
    slowest: Option<Duration>,
    /// How often silence turned out to be a pause.
    pub pauses: u64,
}

impl Waits {
    pub fn new(silence: Silence) -> Waits {
        let silence = match silence {
            Silence::Judged(time) => Some(Duration::from_micros(time)),
            Silence::Unjudged => None,
        };
        Waits { silence, slowest: None, pauses: 0 }
    }

    /// Silence is an observation.
    pub fn judged(&self) -> bool {
        self.silence.is_some()
    }

    /// Something came after so long.
    pub fn learn(&mut self, took: Duration) {
        self.slowest = Some(self.slowest.map_or(took, |slowest| slowest.max(took)));
    }

    /// Before choosing an input: what the setup says, in microseconds, or what was learnt.
    pub fn listen(&self, setup: Option<u64>) -> Duration {
        let learnt = self.slowest.map_or(FIRST, |slowest| (slowest * 2).clamp(SHORTEST, LONGEST));
        let wait = setup.map_or(learnt, Duration::from_micros);
        self.silence.map_or(wait, |silence| wait.max(silence))
    }

    /// For something without which a conversation cannot be repeated: longer than it took when it was first held.
    pub fn patient(&self, wait: Option<Duration>) -> Duration {
        (wait.unwrap_or_default() * PATIENT_TIMES).clamp(PATIENT, self.owed())
    }

    /// For nothing: after so long without anything the system rests.
    pub fn rest(&self) -> Duration {
        self.silence.unwrap_or(PATIENT).max(self.patient(None))
    }

    /// For something that has to come; also the second look before silence is called a failure.
    pub fn owed(&self) -> Duration {
        let learnt = self.slowest.unwrap_or_default() * OWED_TIMES;
        learnt.max(OWED).max(self.silence.unwrap_or_default() * 4)
    }
}
