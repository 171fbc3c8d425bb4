//! A protection switch: it listens to a working line or to a protection line, whichever carries the better signal, unless an
//! operator says otherwise. The requirements are `../aps.play`; this is one way to meet them, in four later versions too,
//! and with faults to order.

use interplay_sdk::Adapter;

/// The switch at the end of two lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Switch {
    version: Version,
    fault: Option<Fault>,
    working: Port,
    protection: Port,
    selected: Line,
    request: Option<Request>,
    /// Nobody may use the protection line (since version MR3).
    locked_out: bool,
    /// For how many ticks the working line has been well while the selector was elsewhere (since version MR4).
    waited: u32,
}

/// What the study asked for, one modification request after the other; each version has what the earlier ones have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    Original,
    /// `clear` ends what an operator asked for.
    Clear,
    /// `exercise` tries the way to the protection line without using it.
    Exercise,
    /// `lockout` keeps everybody from the protection line, until `clear`.
    Lockout,
    /// Some ticks after the working line is well again, the selector returns to it.
    WaitToRestore,
}

/// Mistakes that a programmer of such a switch could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The report that the protection line has failed is lost.
    LostProtectionFailure,
    /// The last line in service can be removed.
    RemovesLastLine,
    /// A command outlives the removal of its line.
    KeepsRequest,
    /// The selector returns to the working line as soon as that is in service again.
    RevertsOnRestore,
    /// A failed line cannot be forced.
    ForceChecksQuality,
    /// A conditional switch to a failed line is not refused.
    ConditionalToFailed,
    /// A conditional switch is not refused while the other line is forced.
    ConditionalBeatsForce,
    /// A conditional switch stays in effect when its line fails.
    ConditionalSticky,
    /// Only a failure moves the selector, a degraded line does not.
    NoDegradeSwitch,
    /// A line that is just as bad counts as better.
    SwitchesToEqual,
    /// The selector returns to the working line as soon as that is well.
    Revertive,
    /// Nothing but a command leads back from the protection line.
    NeverBackToWorking,
    /// A better line is taken even when it is out of service.
    IgnoresService,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Port {
    quality: Quality,
    in_service: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Working,
    Protection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Quality {
    Normal,
    Degraded,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Request {
    Force(Line),
    Conditional(Line),
}

#[derive(Clone, Copy, Debug)]
enum Signal {
    Report(Line, Quality),
    Remove(Line),
    Restore(Line),
    Force(Line),
    Conditional(Line),
    Clear,
    Exercise,
    Lockout,
    Tick,
}

/// How many ticks the working line must be well before the selector returns to it.
const TICKS_TO_RESTORE: u32 = 3;

use Line::{Protection, Working};
use Quality::{Degraded, Failed, Normal};

/// The names of the signals, and the version that brought each.
const SIGNALS: [(&str, Version, Signal); 18] = [
    ("wN", Version::Original, Signal::Report(Working, Normal)),
    ("wD", Version::Original, Signal::Report(Working, Degraded)),
    ("wF", Version::Original, Signal::Report(Working, Failed)),
    ("pN", Version::Original, Signal::Report(Protection, Normal)),
    ("pD", Version::Original, Signal::Report(Protection, Degraded)),
    ("pF", Version::Original, Signal::Report(Protection, Failed)),
    ("removeW", Version::Original, Signal::Remove(Working)),
    ("removeP", Version::Original, Signal::Remove(Protection)),
    ("restoreW", Version::Original, Signal::Restore(Working)),
    ("restoreP", Version::Original, Signal::Restore(Protection)),
    ("forceW", Version::Original, Signal::Force(Working)),
    ("forceP", Version::Original, Signal::Force(Protection)),
    ("condW", Version::Original, Signal::Conditional(Working)),
    ("condP", Version::Original, Signal::Conditional(Protection)),
    ("clear", Version::Clear, Signal::Clear),
    ("exercise", Version::Exercise, Signal::Exercise),
    ("lockout", Version::Lockout, Signal::Lockout),
    ("tick", Version::WaitToRestore, Signal::Tick),
];

impl Switch {
    /// The name is that of a folder beside this one: `good`, `good-mr1`, `faulty-revertive`.
    pub fn named(name: &str) -> Option<Switch> {
        let version = VERSIONS.iter().find(|(known, _)| *known == name).map(|&(_, version)| version);
        let fault = FAULTS.iter().find(|(known, _)| *known == name).map(|&(_, fault)| fault);
        (version.is_some() || fault.is_some()).then(|| Switch::new(version.unwrap_or(Version::Original), fault))
    }

    pub fn new(version: Version, fault: Option<Fault>) -> Switch {
        let port = Port { quality: Normal, in_service: true };
        Switch {
            version,
            fault,
            working: port,
            protection: port,
            selected: Working,
            request: None,
            locked_out: false,
            waited: 0,
        }
    }

    /// The names of the input signals of this version.
    pub fn inputs(&self) -> Vec<&'static str> {
        SIGNALS.iter().filter(|(_, since, _)| *since <= self.version).map(|&(name, ..)| name).collect()
    }

    /// The names of the output signals of this version.
    pub fn outputs(&self) -> Vec<&'static str> {
        let mut names = vec!["selW", "selP", "reject"];
        if self.version >= Version::Exercise {
            names.push("exercised");
        }
        names
    }

    /// One reaction: the input signals of the step, by name, are answered by output signals. Unknown names are ignored.
    pub fn step(&mut self, inputs: &[&str]) -> Vec<&'static str> {
        let mut outputs = Vec::new();
        for (name, since, signal) in SIGNALS {
            if since <= self.version && inputs.contains(&name) {
                outputs.extend(self.react(signal));
            }
        }
        self.select();
        outputs.push(if self.selected == Working { "selW" } else { "selP" });
        outputs
    }

    fn react(&mut self, signal: Signal) -> Option<&'static str> {
        let taken = match signal {
            Signal::Report(line, quality) => {
                self.report(line, quality);
                true
            }
            Signal::Remove(line) => self.remove(line),
            Signal::Restore(line) => {
                self.restore(line);
                true
            }
            Signal::Force(line) => self.force(line),
            Signal::Conditional(line) => self.conditional(line),
            Signal::Clear => {
                self.clear();
                true
            }
            Signal::Exercise => return Some(if self.can_exercise() { "exercised" } else { "reject" }),
            Signal::Lockout => self.lockout(),
            Signal::Tick => {
                self.tick();
                true
            }
        };
        (!taken).then_some("reject")
    }

    fn report(&mut self, line: Line, quality: Quality) {
        let lost = self.has(Fault::LostProtectionFailure) && (line, quality) == (Protection, Failed);
        if !lost {
            self.port_mut(line).quality = quality;
        }
    }

    /// One line always stays in service, and one that may be used.
    fn remove(&mut self, line: Line) -> bool {
        let other = line.other();
        let last = !self.port(other).in_service || (self.locked_out && other == Protection);
        if last && !self.has(Fault::RemovesLastLine) {
            return false;
        }
        self.port_mut(line).in_service = false;
        if self.requested() == Some(line) && !self.has(Fault::KeepsRequest) {
            self.request = None;
        }
        true
    }

    fn restore(&mut self, line: Line) {
        self.port_mut(line).in_service = true;
        if self.has(Fault::RevertsOnRestore) && line == Working && self.request.is_none() {
            self.selected = Working;
        }
    }

    fn force(&mut self, line: Line) -> bool {
        let too_bad = self.has(Fault::ForceChecksQuality) && self.port(line).quality == Failed;
        if !self.port(line).in_service || self.is_locked_out(line) || too_bad {
            return false;
        }
        self.request = Some(Request::Force(line));
        true
    }

    fn conditional(&mut self, line: Line) -> bool {
        let too_bad = self.port(line).quality == Failed && !self.has(Fault::ConditionalToFailed);
        let forced_away = self.request == Some(Request::Force(line.other())) && !self.has(Fault::ConditionalBeatsForce);
        if !self.port(line).in_service || self.is_locked_out(line) || too_bad || forced_away {
            return false;
        }
        // A line that is forced already needs no condition.
        if !matches!(self.request, Some(Request::Force(_))) {
            self.request = Some(Request::Conditional(line));
        }
        true
    }

    fn clear(&mut self) {
        self.request = None;
        self.locked_out = false;
        self.waited = 0;
    }

    /// The way to the protection line can be tried while nobody needs it and nobody wants anything else.
    fn can_exercise(&self) -> bool {
        self.request.is_none() && !self.locked_out && self.selected == Working && self.usable(Protection)
    }

    fn lockout(&mut self) -> bool {
        if !self.working.in_service {
            return false;
        }
        self.locked_out = true;
        if self.requested() == Some(Protection) {
            self.request = None;
        }
        self.selected = Working;
        true
    }

    fn tick(&mut self) {
        let well = self.working.in_service && self.working.quality == Normal;
        let away = self.selected == Protection && self.request.is_none();
        self.waited = if well && away { self.waited + 1 } else { 0 };
        if self.waited == TICKS_TO_RESTORE {
            self.waited = 0;
            self.selected = Working;
        }
    }

    /// The selector, after everything in this step has been noticed.
    fn select(&mut self) {
        let given_up = matches!(self.request, Some(Request::Conditional(line)) if !self.usable(line));
        if given_up && !self.has(Fault::ConditionalSticky) {
            self.request = None;
        }
        match self.requested() {
            Some(line) => self.selected = line,
            None => self.select_the_better(),
        }
        if self.working != (Port { quality: Normal, in_service: true }) {
            self.waited = 0;
        }
    }

    fn select_the_better(&mut self) {
        let spare = self.selected.other();
        let better = self.is_better(spare, self.selected);
        let available = self.port(spare).in_service && !self.is_locked_out(spare);
        let leave = !self.port(self.selected).in_service || (available && better);
        if leave || (self.has(Fault::IgnoresService) && better) {
            self.selected = spare;
        }
    }

    /// The selector leaves a line only for one that is strictly better.
    fn is_better(&self, line: Line, than: Line) -> bool {
        let (new, old) = (self.port(line).quality, self.port(than).quality);
        match self.fault {
            Some(Fault::NoDegradeSwitch) => old == Failed && new != Failed,
            Some(Fault::SwitchesToEqual) => new <= old && old != Normal,
            Some(Fault::Revertive) if line == Working && new == Normal => true,
            Some(Fault::NeverBackToWorking) if line == Working => false,
            _ => new < old,
        }
    }

    fn requested(&self) -> Option<Line> {
        match self.request {
            Some(Request::Force(line) | Request::Conditional(line)) => Some(line),
            None => None,
        }
    }

    fn usable(&self, line: Line) -> bool {
        self.port(line).in_service && self.port(line).quality != Failed
    }

    fn is_locked_out(&self, line: Line) -> bool {
        self.locked_out && line == Protection
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn port(&self, line: Line) -> Port {
        match line {
            Working => self.working,
            Protection => self.protection,
        }
    }

    fn port_mut(&mut self, line: Line) -> &mut Port {
        match line {
            Working => &mut self.working,
            Protection => &mut self.protection,
        }
    }
}

/// The switch behind the adapter protocol.
pub fn adapter(name: &str) -> Option<Adapter<Switch>> {
    let fresh = Switch::named(name)?;
    let (inputs, outputs) = (fresh.inputs(), fresh.outputs());
    let adapter = Adapter::new(&format!("protection switch, {name}"), move |_| Ok(fresh.clone()))
        .step(|switch, inputs| {
            let inputs: Vec<&str> = inputs.keys().map(String::as_str).collect();
            Ok(switch.step(&inputs).into_iter().map(|signal| (signal, ())).collect())
        })
        .snapshot(|switch| format!("{switch:?}"));
    let adapter = inputs.into_iter().fold(adapter, Adapter::signal);
    Some(outputs.into_iter().fold(adapter, Adapter::output))
}

impl Line {
    fn other(self) -> Line {
        match self {
            Working => Protection,
            Protection => Working,
        }
    }
}

/// The correct ones, by the names of their folders.
pub const VERSIONS: [(&str, Version); 5] = [
    ("good", Version::Original),
    ("good-mr1", Version::Clear),
    ("good-mr2", Version::Exercise),
    ("good-mr3", Version::Lockout),
    ("good-mr4", Version::WaitToRestore),
];

/// The faulty ones, by the names of their folders.
pub const FAULTS: [(&str, Fault); 13] = [
    ("faulty-lost-protection-failure", Fault::LostProtectionFailure),
    ("faulty-removes-last-line", Fault::RemovesLastLine),
    ("faulty-keeps-request", Fault::KeepsRequest),
    ("faulty-reverts-on-restore", Fault::RevertsOnRestore),
    ("faulty-force-checks-quality", Fault::ForceChecksQuality),
    ("faulty-conditional-to-failed", Fault::ConditionalToFailed),
    ("faulty-conditional-beats-force", Fault::ConditionalBeatsForce),
    ("faulty-conditional-sticky", Fault::ConditionalSticky),
    ("faulty-no-degrade-switch", Fault::NoDegradeSwitch),
    ("faulty-switches-to-equal", Fault::SwitchesToEqual),
    ("faulty-revertive", Fault::Revertive),
    ("faulty-never-back-to-working", Fault::NeverBackToWorking),
    ("faulty-ignores-service", Fault::IgnoresService),
];
