//! Pictures of state graphs: what is drawn, that it is well-formed whatever the texts say, and that it comes in time.

pub(crate) mod pictures;

use expect_test::expect_file;
use interplay_answers::{ArcKind, Picture, PictureGroup};
use interplay_report::{PAGE_STATES, graph_page, graph_svg};
use pictures::{HOSTILE, chat, door, hostile, large};
use std::time::{Duration, Instant};

/// The classes of all elements, in order.
fn classes(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("a picture is well-formed");
    document.descendants().filter_map(|node| node.attribute("class").map(str::to_string)).collect()
}

fn count(svg: &str, wanted: &str) -> usize {
    classes(svg).iter().filter(|class| class.starts_with(wanted)).count()
}

/// A layout that grows too fast would take minutes.
fn not_forever<T>(act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = act();
    assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
    made
}

#[test]
fn a_small_picture_looks_like_this() {
    expect_file!["door.svg"].assert_eq(&graph_svg(&door()));
}

#[test]
fn figure_1_has_seven_ovals_two_diamonds_and_two_unlabelled_timeouts() {
    let svg = graph_svg(&chat());
    assert_eq!((count(&svg, "node active"), count(&svg, "node passive")), (7, 2));
    assert_eq!(["input", "output", "timeout"].map(|kind| count(&svg, &format!("arc {kind}"))), [6, 2, 2]);
    let document = roxmltree::Document::parse(&svg).expect("a picture is well-formed");
    let timeouts = document.descendants().filter(|node| node.attribute("class") == Some("arc timeout"));
    assert!(timeouts.flat_map(|arc| arc.children()).all(|part| part.tag_name().name() != "text"));
    assert!(svg.contains(">?deliver("));
}

#[test]
fn pictures_are_the_same_every_time() {
    assert_eq!(graph_svg(&chat()), graph_svg(&chat()));
    assert_eq!(graph_page(&large(200)), graph_page(&large(200)));
}

#[test]
fn a_picture_of_nothing_is_a_picture() {
    assert_eq!(count(&graph_svg(&Picture::default()), "node"), 0);
    assert!(graph_page(&Picture::default()).contains("0 states, 0 steps"));
}

#[test]
fn states_that_nothing_leads_to_and_empty_groups_do_no_harm() {
    let mut picture = large(30);
    picture.arcs.clear();
    picture.initial.clear();
    picture.groups.push(PictureGroup { name: "empty".into(), inside: Some(0) });
    assert_eq!(count(&graph_svg(&picture), "node"), 30);
}

#[test]
fn every_state_is_drawn_inside_the_picture() {
    for picture in [chat(), door(), large(60), large(400)] {
        let svg = graph_svg(&picture);
        assert_eq!(count(&svg, "node"), picture.nodes.len());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "every place is a number");
    }
}

#[test]
fn hostile_texts_stay_texts_in_the_svg() {
    let svg = graph_svg(&hostile());
    let document = roxmltree::Document::parse(&svg).expect("a picture is well-formed");
    assert!(document.descendants().all(|node| node.tag_name().name() != "script"));
    assert!(svg.contains("&lt;/script&gt;") && !svg.contains('\u{1b}') && svg.contains("\\u{1b}[31m"));
}

#[test]
fn hostile_texts_stay_texts_in_the_page() {
    let (calm, page) = (graph_page(&door()), graph_page(&hostile()));
    for tag in ["<script", "</script", "<!--", "<style", "\"views\":"] {
        assert_eq!(calm.matches(tag).count(), page.matches(tag).count(), "{tag}");
    }
    assert!(!page.contains(HOSTILE));
    assert!(!page.chars().any(|character| character.is_control() && character != '\n'));
    let data =
        page.split_once("id=\"data\">").and_then(|(_, after)| after.split_once("</script>")).expect("there is data").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("the data is JSON");
    assert!(
        data["strings"].as_array().is_some_and(|texts| {
            texts.iter().any(|text| text.as_str().is_some_and(|text| text.starts_with(HOSTILE)))
        })
    );
}

#[test]
fn a_page_asks_for_nothing_from_elsewhere() {
    let page = graph_page(&chat());
    for outside in ["http://", "https://", "src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_page_of_5000_states_is_small_and_comes_soon() {
    let picture = large(PAGE_STATES);
    let page = not_forever(|| graph_page(&picture));
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert!(!page.contains("are too many to show one by one"));
}

#[test]
fn a_larger_page_says_so_and_begins_with_a_projection() {
    let page = graph_page(&large(20_000));
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert!(page.contains("20000 states are too many to show one by one. Only the first 5000 are shown."));
    assert!(page.contains("\"first\":1") && page.contains("\"by phase (3)\"") && page.contains("\"by round (80)\""));
}

#[test]
fn a_dense_picture_does_not_keep_one_waiting() {
    for states in [100, 150, 300, 1_000] {
        not_forever(|| graph_svg(&large(states)));
    }
}

#[test]
fn steps_with_the_same_ends_share_a_line() {
    let mut picture = chat();
    for text in ["a", "b", "c", "d", "e"] {
        picture.arcs.push(interplay_answers::PictureArc {
            from: 0,
            to: 1,
            label: format!("{text}()"),
            kind: ArcKind::Input,
        });
    }
    let svg = graph_svg(&picture);
    assert_eq!(count(&svg, "arc input"), 6);
    assert!(svg.contains("… and 3 more"));
}
