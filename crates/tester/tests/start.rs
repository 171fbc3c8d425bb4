//! A property may be violated before anything happens: then every run fails, at once.

use crate::common::{instance, model, tester};
use interplay_adapter::ModelImplementation;
use interplay_tester::{Choices, Coverage, End, FailureKind};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

#[test]
fn what_is_violated_at_the_start_fails() {
    let checked = model(&["
system Begun
var n: 0..2 = 0
input go { n = 1 }
property later: always (n == 1)
"]);
    let specification = instance(&checked, None);
    let mut tester = tester(&specification, Some(5), ModelImplementation::new(specification.clone(), 1));
    let run = tester.run(&mut Coverage::default(), &mut Choices::of_run(1, 0), &GO_ON);
    match run.end {
        End::Failed(failure) => assert_eq!(failure.kind, FailureKind::Property("later".into())),
        other => panic!("{other:?}"),
    }
}
