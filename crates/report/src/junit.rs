//! Test cases for build servers: JUnit XML. The whole command is a suite.

use crate::{Case, Cases};
use interplay_answers::Verdict;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

pub fn junit(cases: &Cases) -> String {
    let mut suite = TestSuite::new(cases.system.clone());
    suite.set_time(duration(cases.seconds));
    suite.add_test_cases(cases.cases.iter().map(|each| case(each, &cases.system)));
    let mut report = Report::new(format!("interplay {} {}", cases.command, cases.system));
    report.add_test_suite(suite);
    report.to_string().unwrap_or_default()
}

/// What was not decided is an error: nobody may take it for a pass.
fn case(case: &Case, class: &str) -> TestCase {
    let status = match case.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        verdict => {
            let kind = if verdict == Verdict::Fail { NonSuccessKind::Failure } else { NonSuccessKind::Error };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_message(case.message.as_str()).set_type(case.kind.word()).set_description(case.details.as_str());
            status
        }
    };
    let mut junit = TestCase::new(case.name.as_str(), status);
    junit.set_classname(class).set_time(duration(case.seconds));
    junit
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.max(0.0))
}
