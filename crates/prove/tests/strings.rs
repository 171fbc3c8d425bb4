//! Strings that are all known are one of few values for the solver; others are not counted.

use crate::support::{config, instance, model, property, told};
use interplay_prove::{Engine, prove};

const GUESTS: &str = "
system Guests
type Name = String
enum Bill { of(Name), shared }
const first: Seq<Name> = [\"ann\", \"bob\"]
var inside: Set<Name> = {}
var host: Map<Name, Name> = {}
var bills: Map<Name, Set<Bill>> = {}
input enter(who: Name, by: Name) requires who not in inside and (by in inside or inside.is_empty and who == first[0]) {
    inside += {who}
    host[who] = by
    bills[by] = bills.get(by, {}) + { of(z) for z in {who} & inside }
}
input leave(who: Name) requires who in inside { inside -= {who}  host -= {who} }
property all_in: possible inside.size == 3
property unhosted: never for some who in inside: who not in host
property bob_first: possible inside == {\"bob\"} and \"ann\" not in host
property stranger: possible \"dan\" in inside
setup three { domain Name = { \"ann\", \"bob\", \"cid\" } }
";

fn ask(setup: Option<&str>, name: &str) -> String {
    let model = model(&[GUESTS]);
    told(&prove(&instance(&model, setup), &property(&model, name), &config(&Engine::ALL)))
}

#[test]
fn sets_and_maps_of_known_strings_are_told() {
    assert_eq!(ask(Some("three"), "all_in").matches("enter(").count(), 3);
    assert!(ask(Some("three"), "unhosted").starts_with("never: "));
    assert!(ask(Some("three"), "bob_first").ends_with("leave(\"ann\")"));
    assert!(ask(Some("three"), "stranger").starts_with("never: "));
}

/// Without a domain any string may come: the set cannot be taken apart, and nobody says that strangers stay outside.
#[test]
fn strings_from_outside_are_not_counted() {
    assert!(!ask(None, "stranger").starts_with("never: "));
    assert!(ask(None, "all_in").starts_with("unsupported: "));
}
