//! A test for build servers: JUnit XML. The whole campaign is a suite; conformance is one case, and so is each property.

use crate::tested_chart::chart;
use crate::{TestFailure, Tested, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

pub fn tested_junit(tested: &Tested) -> String {
    let time = Duration::from_secs_f64(tested.seconds.max(0.0));
    let mut suite = TestSuite::new(tested.system.clone());
    suite.set_time(time);
    if tested.failures.is_empty() {
        let status = match (&tested.trouble, tested.verdict()) {
            (Some(trouble), _) => status(NonSuccessKind::Error, &trouble.message, &trouble.exchange.join("\n")),
            (None, Verdict::Pass) => TestCaseStatus::success(),
            (None, _) => status(NonSuccessKind::Error, "inconclusive", tested.stop.word()),
        };
        suite.add_test_case(case("keeps to the model", &tested.system, status, time));
    }
    for failure in &tested.failures {
        let status = status(NonSuccessKind::Failure, &failure.title, &details(failure));
        suite.add_test_case(case(&failure.signature, &tested.system, status, time));
    }
    for property in tested.properties.iter().filter(|property| property.verdict == Verdict::Pass) {
        suite.add_test_case(case(&property.name, &tested.system, TestCaseStatus::success(), Duration::ZERO));
    }
    let mut report = Report::new(format!("interplay test {}", tested.system));
    report.add_test_suite(suite);
    report.to_string().unwrap_or_default()
}

fn case(name: &str, class: &str, status: TestCaseStatus, time: Duration) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class).set_time(time);
    case
}

fn status(kind: NonSuccessKind, message: &str, details: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_description(details);
    status
}

fn details(failure: &TestFailure) -> String {
    let expected = failure.expected.join(" or ");
    format!(
        "{}\nexpected instead: {expected}\nagain: interplay replay {}\n",
        chart(&failure.chart, true),
        failure.token
    )
}
