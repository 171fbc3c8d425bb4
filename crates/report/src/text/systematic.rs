//! What `test --systematic` tells on a terminal.

use crate::escape;
use interplay_answers::{Systematic, SystematicFinding, SystematicStop, SystematicTable, Verdict};
use interplay_diagnostics::amount;
use std::fmt::Write;

/// So many of the last messages; JSON has all that are known.
const SHOWN: usize = 12;

pub fn systematic_text(done: &Systematic) -> String {
    let mut text = String::new();
    for finding in &done.findings {
        text += &finding_text(finding, done);
    }
    text += &summary(done);
    for (node, _) in done.nodes.iter().filter(|(_, why)| why.is_none()) {
        let _ = writeln!(text, "warning: the published driver may miss behaviours after the node `{}`", escape(node));
    }
    for remark in &done.remarks {
        let _ = writeln!(text, "{}", escape(remark));
    }
    text
}

fn finding_text(finding: &SystematicFinding, done: &Systematic) -> String {
    let mut text = format!("{}\n", escape(&finding.message));
    if !finding.events.is_empty() {
        let _ = writeln!(text, "  after {}:", amount(finding.events.len(), "event"));
        for line in finding.scenario.lines() {
            let _ = writeln!(text, "    {}", escape(line));
        }
    }
    if !finding.evidence.is_empty() {
        text += "  the last messages:\n";
        for line in &finding.evidence[finding.evidence.len().saturating_sub(SHOWN)..] {
            let _ = writeln!(text, "    {}", escape(line));
        }
    }
    if finding.runs > 1 {
        let _ = writeln!(text, "  found in {} runs; this is the shortest", finding.runs);
    }
    if let Some(again) = done.again(finding) {
        let _ = writeln!(text, "  replay: {}", escape(&again));
    }
    text + "\n"
}

fn summary(done: &Systematic) -> String {
    let work = &done.work;
    let speed = if work.events > 0 && done.seconds > 0.0 {
        format!(", {:.0} events/s", done.events_per_second())
    } else {
        String::new()
    };
    let what = match done.verdict() {
        Verdict::Pass if done.properties.is_empty() => {
            format!("no property was checked; no other fault in {}", done.searched())
        }
        Verdict::Pass => format!("no fault in {}", done.searched()),
        Verdict::Fail => amount(done.findings.len(), "finding"),
        Verdict::Inconclusive => "no fault so far".to_string(),
    };
    let why = match done.stop {
        SystematicStop::Exhausted => String::new(),
        SystematicStop::FirstFinding => "; stopped at the first finding (`--continue` to go on)".into(),
        SystematicStop::Impossible => "; nothing to search".into(),
        SystematicStop::Paths => "; stopped at the run limit".into(),
        SystematicStop::Time => "; stopped at the time limit".into(),
        SystematicStop::Interrupted => "; interrupted".into(),
    };
    let mut text = format!("{what}{why}\n");
    let matching = match done.matching {
        true => format!("{}, {}, ", amount(work.states, "state"), amount(work.transitions, "step")),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "driver {}: {matching}{}, {} in {:.2} s{speed}",
        done.driver,
        amount(work.paths, "run"),
        amount(work.events, "event"),
        done.seconds
    );
    let mut ends = Vec::new();
    for (count, what) in [
        (work.ended, "reached an end of the service"),
        (work.cut, if work.cut == 1 { "was cut at the depth limit" } else { "were cut at the depth limit" }),
        (work.stuck, "could continue only by a correction"),
        (work.refused, "ended with a refused input"),
        (work.halted, if work.halted == 1 { "was abandoned by the driver" } else { "were abandoned by the driver" }),
    ] {
        if count > 0 {
            ends.push(format!("{count} {what}"));
        }
    }
    if !ends.is_empty() {
        let _ = writeln!(text, "{}", ends.join(", "));
    }
    if work.misdirected > 0 {
        let _ = writeln!(text, "{} sent to a node that did not wait for it", amount(work.misdirected, "event"));
    }
    text
}

pub fn systematic_table_text(table: &SystematicTable) -> String {
    let mut text = format!("{}\n{:>5}", escape(&table.title), "depth");
    for driver in &table.drivers {
        let _ = write!(text, "{:>14}{:>10}", driver, "seconds");
    }
    text += "\n";
    for row in &table.rows {
        let _ = write!(text, "{:>5}", row.depth);
        for cell in &row.cells {
            let _ = match cell {
                Some((paths, seconds)) => write!(text, "{paths:>14}{seconds:>10.4}"),
                None => write!(text, "{:>14}{:>10}", "-", "-"),
            };
        }
        text += "\n";
    }
    text
}
