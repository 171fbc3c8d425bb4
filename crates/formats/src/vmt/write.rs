//! VMT out: `:init`, `:trans` and one `:invar-property`.

use interplay_prove::Symbolic;

/// Current and next states are pairs of symbols; what is free in the start and in the steps is an input.
pub fn write(system: &Symbolic) -> String {
    let mut text = system.heading();
    for (index, leaf) in system.leaves().enumerate() {
        let (here, next, sort) = (&leaf.name, &leaf.next, &leaf.sort);
        text += &format!("(declare-fun {here} () {sort})\n(declare-fun {next} () {sort})\n");
        text += &format!("(define-fun .sv{index} () {sort} (! {here} :next {next}))\n");
    }
    for (name, sort) in system.free() {
        text += &format!("(declare-fun {name} () {sort})\n");
    }
    text += &format!("(define-fun .init () Bool (! {} :init true))\n", system.start());
    text += &format!("(define-fun .trans () Bool (! {} :trans true))\n", system.transition());
    text + &format!("(define-fun .prop () Bool (! {} :invar-property 0))\n", system.promise())
}
