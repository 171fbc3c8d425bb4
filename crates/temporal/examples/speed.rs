//! How fast the twenty properties of the protection switch are built, compared with each other, and judged:
//! `cargo run --release -p interplay-temporal --example speed`.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::{ActionId, Direction};
use interplay_semantics::{Event, Instance, Label};
use interplay_temporal::{Monitors, Reader, Step, hygiene};
use std::time::Instant;

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/aps/aps.play");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), &text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems).expect("the example is right");
    let instance = Instance::new(model.into(), None).expect("no constant is missing");

    let start = Instant::now();
    let monitors = Monitors::new(&instance, None);
    println!("{} oracles built in {:?}", monitors.monitors.len(), start.elapsed());
    let start = Instant::now();
    let remarks = hygiene(&monitors.monitors);
    println!("{} remarks in {:?}: {remarks:?}", remarks.len(), start.elapsed());

    let labels = walk(&instance, 100_000);
    let (mut states, mut reader) = (monitors.start(None).expect("it starts"), Reader::default());
    let start = Instant::now();
    let (mut steps, mut outside) = (0u64, 0);
    while start.elapsed().as_secs_f64() < 2.0 {
        for label in &labels {
            outside += u32::from(monitors.outside(Step::new(label), &mut reader).is_some());
            monitors.step_with(&mut states, Step::new(label), &mut reader).expect("nothing can go wrong");
        }
        steps += labels.len() as u64;
        let open = states.iter().filter(|state| state.verdict == interplay_temporal::Verdict::Violated).count();
        assert_eq!((open, outside), (0, 0), "the model keeps its properties");
        states = monitors.start(None).expect("it starts");
    }
    println!(
        "{:.0} steps per second, all properties and relations together",
        steps as f64 / start.elapsed().as_secs_f64()
    );
}

/// A random run of the model.
fn walk(instance: &Instance, length: usize) -> Vec<Label> {
    let inputs: Vec<ActionId> = (0..instance.model().actions.len())
        .map(ActionId)
        .filter(|action| instance.model().actions[action.0].direction == Direction::Input)
        .collect();
    let mut state = instance.initial().expect("it starts").remove(0);
    let mut dice = 7u64;
    let mut labels = Vec::new();
    while labels.len() < length {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let choice = (dice >> 33) as usize % (inputs.len() + 1);
        let event = inputs.get(choice).map(|action| Event::new(*action, Vec::new()));
        let transitions = instance.transitions(&state).into_iter().filter_map(Result::ok);
        let fits = |label: &Label| matches!(label, Label::Step { inputs, .. } if inputs.iter().eq(event.iter()));
        let Some(next) = transitions.into_iter().find(|next| fits(&next.label)) else { continue };
        labels.push(next.label);
        state = next.target;
    }
    labels
}
