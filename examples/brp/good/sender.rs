//! The sender of the bounded retransmission protocol: it sends a file chunk by chunk over a line that may lose everything,
//! each chunk a limited number of times. The requirements are `../brp_complete.play`; time is somebody else's business.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    fault: Option<Fault>,
    /// How often one chunk is sent before the sender gives up.
    max: u32,
    file: BTreeMap<i64, i64>,
    /// The chunk to send next; goes on over several requests.
    head: i64,
    /// The current request ends before this chunk.
    last: i64,
    /// How often the chunk was sent.
    sent: u32,
    /// Alternates, so that the receiver knows a repetition from a new chunk.
    bit: bool,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Nothing to do.
    Idle,
    /// The line will be free in a moment.
    Sending,
    /// A chunk is under way.
    Waiting,
    /// The user will be told in a moment.
    Completing,
}

/// What the sender puts on the line, or tells its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    Chunk { data: i64, bit: bool },
    Ok,
    NotOk,
    DontKnow,
}

/// What has to happen for the sender to go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// A moment, until the line or the user is ready.
    Pause,
    /// The time in which a chunk should be acknowledged.
    TimeOut,
}

/// The mutants of the study, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The bit stays the same after an acknowledgement.
    BitNotToggled,
    /// A chunk is sent once more than allowed.
    OnceTooOften,
    /// It gives up one time-out too early.
    GivesUpEarly,
    /// It says NOT_OK where the last chunk may have arrived.
    NotOkOnLast,
    /// It says OK although the last acknowledgement is missing.
    OkWithoutAck,
    /// After an acknowledgement the old chunk goes out again, with the new bit.
    OldChunkNewBit,
    /// When a chunk was sent often enough it waits for ever.
    Blocks,
    /// The number of times is not set back by an acknowledgement.
    CountNotReset,
    /// It says OK after the first acknowledgement.
    PrematureOk,
    /// It says OK twice.
    SecondOk,
    /// A repetition has the other bit.
    RepetitionTogglesBit,
    /// A request for nothing new is taken and ignored: more than was asked for, and no fault.
    ExtraService,
    /// An acknowledgement after the time-out is ignored.
    IgnoresLateAck,
}

/// The mutants, by the names of their folders.
pub const FAULTS: [(&str, Fault); 13] = [
    ("faulty-m1", Fault::BitNotToggled),
    ("faulty-m2", Fault::OnceTooOften),
    ("faulty-m3", Fault::GivesUpEarly),
    ("faulty-m4", Fault::NotOkOnLast),
    ("faulty-m5", Fault::OkWithoutAck),
    ("faulty-m6", Fault::OldChunkNewBit),
    ("faulty-m7", Fault::Blocks),
    ("faulty-m8", Fault::CountNotReset),
    ("faulty-m9", Fault::PrematureOk),
    ("faulty-m10", Fault::SecondOk),
    ("faulty-m11", Fault::RepetitionTogglesBit),
    ("faulty-m12", Fault::ExtraService),
    ("faulty-m13", Fault::IgnoresLateAck),
];

impl Sender {
    pub fn new(fault: Option<Fault>, max: u32, file: BTreeMap<i64, i64>) -> Sender {
        Sender { fault, max, file, head: 0, last: 0, sent: 0, bit: false, place: Place::Idle }
    }

    /// The user wants the file to be sent up to this chunk.
    pub fn request(&mut self, last: i64) -> Result<(), &'static str> {
        if self.place != Place::Idle {
            return Err("busy");
        }
        if last <= self.head {
            return if self.fault == Some(Fault::ExtraService) { Ok(()) } else { Err("sent already") };
        }
        (self.last, self.sent, self.place) = (last, 0, Place::Sending);
        Ok(())
    }

    /// The receiver has a chunk. If none is under way, this is an echo of an earlier one.
    pub fn acknowledge(&mut self) {
        let late = self.place == Place::Sending && self.sent > 0 && self.fault != Some(Fault::IgnoresLateAck);
        if self.place == Place::Waiting || late {
            let before = self.clone();
            let last = self.head + 1 == self.last;
            (self.head, self.bit, self.sent) = (self.head + 1, !self.bit, 0);
            self.place = if last { Place::Completing } else { Place::Sending };
            if !last {
                self.spoil_acknowledgement(&before);
            }
        }
    }

    fn spoil_acknowledgement(&mut self, before: &Sender) {
        let late = before.place == Place::Sending;
        match self.fault {
            Some(Fault::BitNotToggled) => self.bit = before.bit,
            Some(Fault::OldChunkNewBit) if !late => (self.head, self.last) = (before.head, before.last - 1),
            Some(Fault::CountNotReset) if !late => self.sent = before.sent,
            Some(Fault::PrematureOk) if !late => (self.head, self.place) = (self.last, Place::Completing),
            _ => {}
        }
    }

    /// What the sender waits for, apart from its user and the receiver.
    pub fn timer(&self) -> Option<Timer> {
        match self.place {
            Place::Idle => None,
            Place::Sending | Place::Completing => Some(Timer::Pause),
            Place::Waiting => {
                let gives_up = self.sent == self.limit() && self.fault != Some(Fault::Blocks);
                (self.sent < self.limit() || gives_up).then_some(Timer::TimeOut)
            }
        }
    }

    /// The timer has run out.
    pub fn expire(&mut self) -> Vec<Message> {
        match self.place {
            Place::Idle => vec![],
            Place::Sending => {
                (self.sent, self.place) = (self.sent + 1, Place::Waiting);
                vec![Message::Chunk { data: self.file.get(&self.head).copied().unwrap_or(-1), bit: self.bit }]
            }
            Place::Waiting if self.sent < self.limit() => {
                self.bit ^= self.fault == Some(Fault::RepetitionTogglesBit);
                self.place = Place::Sending;
                vec![]
            }
            Place::Waiting => {
                self.place = Place::Completing;
                vec![]
            }
            Place::Completing => {
                self.place = Place::Idle;
                self.complete()
            }
        }
    }

    fn complete(&self) -> Vec<Message> {
        match (self.last - self.head, self.fault) {
            (0, Some(Fault::SecondOk)) => vec![Message::Ok, Message::Ok],
            (0, _) => vec![Message::Ok],
            (1, Some(Fault::NotOkOnLast)) => vec![Message::NotOk],
            (1, Some(Fault::OkWithoutAck)) => vec![Message::Ok],
            // The last chunk or its acknowledgement was lost: who knows.
            (1, _) => vec![Message::DontKnow],
            _ => vec![Message::NotOk],
        }
    }

    fn limit(&self) -> u32 {
        match self.fault {
            Some(Fault::OnceTooOften) => self.max + 1,
            Some(Fault::GivesUpEarly) => self.max.saturating_sub(1),
            _ => self.max,
        }
    }
}
