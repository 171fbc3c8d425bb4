//! Outcomes to be told: a small failure, a large campaign, and one in which every text is hostile.

use interplay_answers::{
    ChartKind, ChartLine, LogBreach, LogLine, LogNote, LogProperty, LogRow, LogUnknown, LogVerdict, LogViolation, Mark,
    Monitored, Reason, Remark, TestCoverage, TestEffort, TestFailure, TestProperty, TestRepeated, TestShrunk, TestStop,
    TestTrouble, Tested, Verdict,
};
use interplay_diagnostics::{Sources, Span};

pub(crate) const TEXT: &str = "system Lock

var wrong: 0..2 = 0

input enter(code: 1..9)
output denied
output alarm

at Waiting {
    on enter(code) if code == 7 -> Open
    on enter(code) if code != 7 -> Refusing
}
at Refusing {
    do alarm if wrong == 2 { wrong = 0 } -> Waiting
    do denied if wrong < 2 { wrong += 1 } -> Waiting
}
";

pub(crate) fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("lock.play", TEXT);
    sources
}

pub(crate) fn span(sources: &Sources, needle: &str) -> Span {
    let (file, _) = sources.files().next().expect("there is one");
    sources.span_of(file, needle)
}

pub(crate) fn marks(sources: &Sources) -> Vec<Mark> {
    let rule = |needle: &str, count, why: Option<&str>| Mark {
        span: span(sources, needle),
        count,
        why: why.map(String::from),
        blamed: false,
    };
    vec![
        rule("on enter(code) if code == 7 -> Open", Some(0), Some("a rule of the input `enter` never fired")),
        rule("on enter(code) if code != 7 -> Refusing", Some(12), None),
        rule("do alarm if wrong == 2 { wrong = 0 } -> Waiting", Some(3), None),
        rule("do denied if wrong < 2 { wrong += 1 } -> Waiting", Some(9), None),
    ]
}

pub(crate) fn line(kind: ChartKind, text: &str, changes: &[&str]) -> ChartLine {
    ChartLine { kind, text: text.into(), changes: changes.iter().map(|change| (*change).into()).collect() }
}

pub(crate) fn failure(sources: &Sources) -> TestFailure {
    TestFailure {
        title: "unexpected output `alarm`; expected `denied` or `silence`".into(),
        kind: "output",
        signature: "unexpected output alarm: condition 1 of rule 1".into(),
        count: 2,
        chart: vec![
            line(ChartKind::Input, "enter(1)", &["at Waiting -> Refusing"]),
            line(ChartKind::Output, "denied", &["at Refusing -> Waiting", "wrong: 0 -> 1"]),
            line(ChartKind::Nothing, "silence", &[]),
            line(ChartKind::Input, "enter(2)", &["at Waiting -> Refusing"]),
            line(ChartKind::Output, "alarm", &[]),
        ],
        expected: vec!["denied".into(), "silence".into()],
        states: vec![vec!["at Refusing".into(), "wrong = 1".into()], vec!["at Waiting".into(), "wrong = 1".into()]],
        state_count: 2,
        reasons: vec![Reason {
            text: "`wrong == 2` does not hold".into(),
            span: Some(span(sources, "wrong == 2")),
            values: vec![("wrong".into(), "1".into())],
        }],
        scenario: "scenario failure {\n    enter(1)\n    denied\n}\n".into(),
        token: "ip1.WyJsb2NrLnBsYXkiXQ".into(),
        file: Some(".interplay/lock/1.json".into()),
        length: 4,
        original: 9,
        shrinking: 43,
        shrunk: TestShrunk::Wholly,
        repeated: TestRepeated::Always,
        earlier_runs: 0,
        failed: 5,
        tried: 5,
        silence: None,
    }
}

pub(crate) fn tested(sources: &Sources, failures: Vec<TestFailure>) -> Tested {
    Tested {
        system: "Lock".into(),
        setup: Some("tests".into()),
        implementation: "./adapter.py".into(),
        seed: 1,
        strategy: "coverage".into(),
        runs: 20,
        steps: 616,
        stop: TestStop::Done,
        failures,
        gone: Vec::new(),
        properties: vec![TestProperty {
            name: "calm".into(),
            verdict: Verdict::Pass,
            because: "not violated".into(),
            remarkable: true,
        }],
        coverage: TestCoverage {
            rules: (3, 4),
            locations: (2, 2),
            guards: (5, 8),
            pairs: 7,
            states: 6,
            transitions: 11,
            missed: vec![Remark {
                message: "a rule of the input `enter` never fired".into(),
                span: Some(span(sources, "on enter(code) if code == 7 -> Open")),
            }],
            never_given: Vec::new(),
            ..TestCoverage::default()
        },
        efforts: vec![
            effort("kept failures", 2, Some(16), (0, 2, 0)),
            effort("coverage", 18, Some(600), (5, 1, 1)),
            effort("shrinking", 43, None, (1, 0, 0)),
        ],
        goals: Vec::new(),
        remarks: Vec::new(),
        trouble: None,
        problem: None,
        ends: interplay_answers::TestEnds { finished: 20, ..Default::default() },
        waiting: Default::default(),
        seconds: 0.25,
        replay: false,
    }
}

fn effort(who: &str, runs: u64, steps: Option<u64>, (sets, rules, failures): (u64, u64, u64)) -> TestEffort {
    TestEffort { who: who.into(), runs, steps, sets, rules, failures, seconds: 0.08 }
}

/// A conversation of so many steps that ends badly.
pub(crate) fn long(sources: &Sources, steps: usize) -> Tested {
    let step = |index: usize| match index % 3 {
        0 => line(ChartKind::Input, &format!("enter({})", index % 9 + 1), &["at Waiting -> Refusing"]),
        1 => {
            line(ChartKind::Output, "denied", &["at Refusing -> Waiting", &format!("wrong: {index} -> {}", index + 1)])
        }
        _ => line(ChartKind::Nothing, "silence", &[]),
    };
    let mut chart: Vec<ChartLine> = (0..steps - 1).map(step).collect();
    chart.push(line(ChartKind::Output, "alarm", &[]));
    let failure = TestFailure { chart, length: steps, original: steps, ..failure(sources) };
    Tested { steps: steps as u64, runs: 1, ..tested(sources, vec![failure]) }
}

/// What an implementation might say to get into the page.
pub(crate) const HOSTILE: &[&str] = &[
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\" onmouseover=\"document.title='owned'\" x=\"",
    "' onfocus='document.title=\"owned\"' autofocus='",
    "<!-- --><![CDATA[ ]]>&lt;&amp;&#60;script&#62;",
    "javascript:document.title='owned'",
    "\u{202e}txt.exe\u{0}\u{1b}[31m\u{9b}\u{7f}",
    "</style><style>body{display:none}</style>",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
    "{{data}} ${alert(1)} \\u003cscript\\u003e \u{2028}\u{2029}",
];

pub(crate) fn hostile(sources: &Sources) -> Tested {
    let all = || HOSTILE.iter().map(|text| (*text).to_string()).collect::<Vec<_>>();
    let text = HOSTILE.concat();
    let failure = TestFailure {
        title: text.clone(),
        signature: text.clone(),
        chart: HOSTILE.iter().map(|each| line(ChartKind::Output, each, HOSTILE)).collect(),
        expected: all(),
        states: vec![all()],
        state_count: 3,
        reasons: vec![Reason {
            text: text.clone(),
            span: Some(span(sources, "wrong == 2")),
            values: vec![(text.clone(), text.clone())],
        }],
        scenario: text.clone(),
        token: text.clone(),
        file: Some(text.clone()),
        ..failure(sources)
    };
    Tested {
        system: text.clone(),
        setup: Some(text.clone()),
        implementation: text.clone(),
        strategy: text.clone(),
        gone: all(),
        goals: all(),
        remarks: all(),
        properties: vec![TestProperty {
            name: text.clone(),
            verdict: Verdict::Fail,
            because: text.clone(),
            remarkable: true,
        }],
        trouble: Some(TestTrouble {
            message: text.clone(),
            code: None,
            chart: vec![line(ChartKind::Input, &text, &[])],
            exchange: all(),
        }),
        ..tested(sources, vec![failure])
    }
}

pub(crate) fn log() -> (Monitored, Vec<LogNote>) {
    let monitored = Monitored {
        properties: vec![
            LogProperty {
                name: "calm".into(),
                verdict: LogVerdict::Violated,
                violations: 1,
                vacuous: false,
                instances: None,
            },
            LogProperty {
                name: "quiet".into(),
                verdict: LogVerdict::Open,
                violations: 0,
                vacuous: true,
                instances: None,
            },
        ],
        runs: 1,
        steps: 9,
        lines: 10,
        broken_lines: 1,
        unknown: vec![(LogUnknown::Action("knock".into()), 2)],
        ..Monitored::default()
    };
    let violation = LogViolation {
        property: "calm".into(),
        doc: "No alarm without three mistakes.".into(),
        instance: vec![("who".into(), "\"<b>me</b>\"".into())],
        line: LogLine { number: 8, connection: None, session: None },
        step: 7,
        time: Some(1042),
        steps: vec![(6, "enter(1)".into()), (7, "alarm".into())],
        breach: LogBreach::Property,
        why: vec![
            LogRow { formula: "always not alarm".into(), depth: 0, truths: "+-".into() },
            LogRow { formula: "not alarm".into(), depth: 1, truths: "+-".into() },
        ],
    };
    let problem = LogNote::Problem {
        line: LogLine { number: 3, connection: None, session: None },
        message: "it is not JSON".into(),
    };
    (monitored, vec![problem, LogNote::Violation(Box::new(violation))])
}
