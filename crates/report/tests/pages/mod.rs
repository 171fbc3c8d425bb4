//! The report: what stands on its pages, that no text becomes markup, and that it works in a real browser.

mod browser;
mod outcomes;
use crate::graphs::pictures;

use interplay_answers::{Drawn, Tested};
use interplay_diagnostics::Sources;
use interplay_report::{
    Background, Plot, Series, cases_sarif, escape, junit, monitored_cases, monitored_html, tested_cases, tested_html,
};
use outcomes::{HOSTILE, failure, hostile, log, long, marks, sources, tested};

fn behind(sources: &Sources) -> Background<'_> {
    let mut behind = Background::new(sources, "lock.play");
    behind.marks = marks(sources);
    let picture = pictures::chat();
    let visited = (0..picture.nodes.len()).map(|index| index % 2 == 0).collect();
    behind.graph = Some(Drawn::new(picture, visited));
    let points = (0..50).map(|index| (f64::from(index) / 10.0, f64::from(index * index))).collect();
    behind.plots.push(Plot {
        title: "Over time".into(),
        across: "seconds".into(),
        up: "steps".into(),
        series: vec![Series { name: "steps".into(), points }],
        logarithmic: false,
    });
    behind
}

fn page(make: impl Fn(&Sources) -> Tested) -> String {
    let sources = sources();
    tested_html(&make(&sources), behind(&sources))
}

/// The text of the page without its script, style and data.
fn visible(page: &str) -> String {
    let mut rest = page;
    let mut text = String::new();
    while let Some(start) = rest.find("<script").into_iter().chain(rest.find("<style")).min() {
        text += &rest[..start];
        let end = if rest[start..].starts_with("<script") { "</script>" } else { "</style>" };
        rest = rest[start..].split_once(end).map_or("", |(_, after)| after);
    }
    text + rest
}

#[test]
fn the_verdict_comes_first_and_everything_is_linked() {
    let page = page(|sources| tested(sources, vec![failure(sources)]));
    let place = |needle: &str| page.find(needle).unwrap_or_else(|| panic!("{needle} is missing"));
    assert!(place("id=\"verdict\">fail<") < place("id=\"failure-1\""));
    assert!(place(">observed<") < place("id=\"failure-1\""));
    assert!(place("id=\"failure-1\"") < place("id=\"coverage\""));
    let table = &page[place("id=\"strategies\"")..];
    let who = [">kept failures<", ">coverage<", ">shrinking<"].map(|who| table.find(who).expect(who));
    assert!(who.is_sorted(), "a row for everybody who chose");
    for part in
        ["wrong: 0 -&gt; 1", "wrong = 1", "nearest to the observation", "interplay replay ip1.", "12×", ">never<"]
    {
        assert!(page.contains(part), "{part}");
    }
    let visible = visible(&page);
    let links = visible.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
    for link in links {
        assert!(visible.contains(&format!("id=\"{link}\"")), "#{link} leads nowhere");
    }
}

#[test]
fn nothing_is_fetched() {
    let page = page(|sources| tested(sources, vec![failure(sources)]));
    for word in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn no_text_becomes_markup() {
    let page = page(hostile);
    let visible = visible(&page);
    for part in ["<img", "<script", "onerror=\"", "<iframe srcdoc", "\u{202e}", "\u{1b}", "\u{0}"] {
        assert!(!visible.contains(part), "{part:?}");
    }
    assert_eq!(page.matches("</script>").count(), 2, "the data of the graph and the script");
    assert_eq!(page.matches("</style>").count(), 1);
    // It can be read all the same.
    assert!(visible.contains("&lt;img src=x onerror=&quot;"));
    for text in HOSTILE {
        let shown = escape(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(visible.contains(&shown), "{shown}");
    }
}

#[test]
fn a_thousand_steps_and_two_thousand_states_fit_into_five_megabytes() {
    let sources = sources();
    let mut behind = behind(&sources);
    behind.graph = Some(Drawn::new(pictures::large(2_000), vec![true; 700]));
    let page = tested_html(&long(&sources, 1_000), behind);
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<li id=\"f1-").count(), 1_000);
}

#[test]
fn a_log_has_a_page_too() {
    let sources = sources();
    let (monitored, notes) = log();
    let page = monitored_html("Lock", "log.jsonl", &monitored, &notes, Background::new(&sources, "lock.play"));
    for part in [">fail<", "id=\"violation-1\"", "always not alarm", "&lt;b&gt;me&lt;/b&gt;", "knock", "it is not JSON"]
    {
        assert!(page.contains(part), "{part}");
    }
    let cases = junit(&monitored_cases("Lock", &monitored, &notes, 1.5));
    let document = roxmltree::Document::parse(&cases).expect("JUnit is XML");
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((count("testcase"), count("failure"), count("error")), (3, 1, 1));
}

#[test]
fn build_servers_learn_each_failure_with_its_conversation() {
    let sources = sources();
    let cases = tested_cases(&tested(&sources, vec![failure(&sources)]));
    let text = junit(&cases);
    let document = roxmltree::Document::parse(&text).expect("JUnit is XML");
    let failed = document.descendants().find(|node| node.has_tag_name("failure")).expect("there is a failure");
    assert_eq!(failed.attribute("message"), Some("unexpected output `alarm`; expected `denied` or `silence`"));
    assert!(failed.text().is_some_and(|text| text.contains("<-- wrong") && text.contains("interplay replay ip1.")));
    let sarif = cases_sarif(&sources, &cases);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "conformance");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 14);
    let passed = cases_sarif(&sources, &tested_cases(&tested(&sources, Vec::new())));
    assert_eq!(passed["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn hostile_texts_make_valid_xml() {
    let text = junit(&tested_cases(&hostile(&sources())));
    assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
}
