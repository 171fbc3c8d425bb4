//! Lines of one shape have one pattern, and it matches all of them.

use interplay_logs::{Patterns, Read, Reader, Shapes};

#[test]
fn what_is_proposed_matches_the_lines_it_was_made_of() {
    let lines = [
        "12:00:01 user ann logs in from 10.0.0.1",
        "12:00:02 user bob logs in from 10.0.0.9",
        "12:00:03 payment of 20 by \"ann b\" accepted",
        "12:00:04 payment of 7 by \"bob\" accepted",
        "12:00:05 user ann logs in from 10.0.0.7",
    ];
    let mut shapes = Shapes::default();
    lines.iter().for_each(|line| shapes.add(line));
    let shapes = shapes.sorted();
    assert_eq!(shapes.iter().map(|shape| shape.count).collect::<Vec<_>>(), [3, 2]);
    let file: String = shapes.iter().map(|shape| shape.pattern()).collect();
    let mut reader =
        Reader::new(Patterns::parse(&file).unwrap_or_else(|problems| panic!("{problems:?}\n{file}")).into());
    for line in lines {
        assert!(matches!(&reader.feed(line)[..], [Read::Event { .. }]), "{line}\n{file}");
    }
    assert!(file.contains("event = \"user_logs\"") && file.contains("event = \"payment_accepted\""), "{file}");
}
