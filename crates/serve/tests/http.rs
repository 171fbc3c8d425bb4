//! Who may ask, and what is answered: the workbench without a browser.

use crate::common::{LOCK, ask, look, path, raw, workbench};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn only_whoever_knows_the_token_and_comes_from_here_is_answered() {
    let (served, _memory) = workbench();
    let here = path(&served, "");
    assert_eq!(raw(&served.address, "GET", &here, "", "").0, 200);
    for (path, headers) in [("/", ""), ("/0123456789abcdef0123456789abcdef/", ""), ("/../", ""), ("/page.js", "")] {
        assert_eq!(raw(&served.address, "GET", path, headers, "").0, 404, "{path}");
    }
    assert_eq!(raw(&served.address, "GET", &here, "Host: evil.example\r\n", "").0, 403, "another name leads here");
    let question = path(&served, "api/check");
    let json = "Content-Type: application/json\r\n";
    let body = json!({ "text": LOCK }).to_string();
    assert_eq!(raw(&served.address, "POST", &question, json, &body).0, 200);
    for headers in ["Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        let headers = format!("{json}{headers}");
        assert_eq!(raw(&served.address, "POST", &question, &headers, &body).0, 403, "{headers}");
    }
    assert_eq!(raw(&served.address, "POST", &question, "Content-Type: text/plain\r\n", &body).0, 415);
    for garbage in ["", "{", "[]", "{\"text\": 1}"] {
        assert_eq!(raw(&served.address, "POST", &question, json, garbage).0, 400, "{garbage}");
    }
    let (_, head, _) = raw(&served.address, "GET", &here, "", "");
    assert!(head.contains("default-src 'none'") && head.contains("nosniff"), "{head}");
}

#[test]
fn the_text_is_checked_formatted_completed_and_saved_without_losing_anybodys() {
    let (served, memory) = workbench();
    let opened = look(&served, "api/open");
    assert_eq!(opened["text"], LOCK);
    let (_, checked) = ask(&served, "api/check", &json!({ "text": LOCK.replace("wrong += 1", "wrnog += 1") }));
    assert_eq!(checked["diagnostics"][0]["code"], "N001", "{checked}");
    assert_eq!(checked["diagnostics"][0]["fixes"][0]["text"], "wrong", "{checked}");
    let (_, checked) = ask(&served, "api/check", &json!({ "text": LOCK }));
    assert_eq!((&checked["system"], &checked["setups"]), (&json!("Lock"), &json!(["small"])));
    let (_, formatted) = ask(&served, "api/format", &json!({ "text": LOCK.replace("not open and", "not   open and") }));
    assert!(formatted["text"].as_str().is_some_and(|text| text.contains("not open and wrong")), "{formatted}");
    assert_eq!(ask(&served, "api/format", &json!({ "text": "system {" })).0, 422);
    let at = LOCK.find("wrong < 3").expect("it is there") + 2;
    let (_, offered) = ask(&served, "api/complete", &json!({ "text": LOCK, "at": at }));
    assert!(offered.to_string().contains("\"wrong\""), "{offered}");
    let (_, hover) = ask(&served, "api/hover", &json!({ "text": LOCK, "at": at }));
    assert!(hover["text"].as_str().is_some_and(|text| text.contains("0..3")), "{hover}");
    // Places beyond the text are places at its end.
    assert_eq!(ask(&served, "api/hover", &json!({ "text": "ä", "at": 99 })).0, 200);

    let changed = format!("{LOCK}// mine\n");
    let (status, saved) = ask(&served, "api/save", &json!({ "text": changed, "base": opened["base"] }));
    assert_eq!((status, memory.get("lock.play")), (200, changed.clone()));
    memory.put("lock.play", "// somebody else's\n");
    let (status, refused) = ask(&served, "api/save", &json!({ "text": changed, "base": saved["base"] }));
    assert_eq!((status, memory.get("lock.play").as_str()), (409, "// somebody else's\n"), "{refused}");
}

#[test]
fn the_simulator_goes_on_back_and_another_way() {
    let (served, _memory) = workbench();
    let walk = |steps: &[&str]| ask(&served, "api/walk", &json!({ "text": LOCK, "steps": steps })).1;
    let texts = |place: &serde_json::Value| {
        let choices = place["choices"].as_array().cloned().unwrap_or_default();
        choices.iter().filter_map(|each| each["text"].as_str().map(String::from)).collect::<Vec<_>>()
    };
    let start = walk(&[]);
    assert_eq!(texts(&start), ["enter(1)", "enter(2)", "silence"], "{start}");
    let wrong = walk(&["enter(1)"]);
    assert!(wrong["changes"][0][0].as_str().is_some_and(|line| line.contains("wrong")), "{wrong}");
    assert_eq!(texts(&walk(&["enter(1)", "enter(2)"])), ["shut", "silence"]);
    assert_eq!(texts(&walk(&["enter(1)"])), texts(&wrong), "back again");
    let stuck = walk(&["enter(1)", "shut", "enter(1)"]);
    assert_eq!((&stuck["stuck"], &stuck["steps"]), (&json!("shut"), &json!(["enter(1)"])), "{stuck}");
    assert!(wrong["scenario"].as_str().is_some_and(|text| text.contains("enter(1)")), "{wrong}");
    assert_eq!(ask(&served, "api/walk", &json!({ "text": "system {", "steps": [] })).0, 422);
    assert_eq!(ask(&served, "api/walk", &json!({ "text": LOCK, "setup": "smal" })).0, 422);
}

/// Asks until a run has ended.
fn ended(served: &interplay_serve::Served, id: &serde_json::Value) -> serde_json::Value {
    let since = Instant::now();
    loop {
        let standing = look(served, &format!("api/run/{id}"));
        if standing["done"] == true {
            return standing;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "{standing}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn runs_are_started_watched_and_stopped() {
    let (served, _memory) = workbench();
    let run = |kind: &str| json!({ "kind": kind, "text": LOCK, "seconds": 30, "sut": "model:lock.play" });
    let (_, begun) = ask(&served, "api/run", &run("explore"));
    let explored = ended(&served, &begun["id"]);
    assert_eq!(explored["verdict"], "fail", "{explored}");
    let way = &explored["ways"][0];
    assert_eq!(way["steps"], json!(["enter(1)", "enter(1)", "enter(1)"]), "{explored}");
    let (status, head, report) =
        raw(&served.address, "GET", &path(&served, &format!("report/{}", begun["id"])), "", "");
    assert!(status == 200 && report.contains("patient") && head.contains("sandbox"), "{head}");

    let endless = "system Grows\nvar n: Int = 0\ninput up { n += 1 }\nproperty small: always n >= 0\n";
    let (_, begun) = ask(&served, "api/run", &json!({ "kind": "explore", "text": endless, "seconds": 600 }));
    std::thread::sleep(Duration::from_millis(100));
    raw(&served.address, "DELETE", &path(&served, &format!("api/run/{}", begun["id"])), "", "");
    assert_eq!(ended(&served, &begun["id"])["verdict"], "inconclusive", "stopped is no pass");

    for wrong in [
        json!({ "kind": "explore", "text": LOCK, "seconds": 0 }),
        json!({ "kind": "explore", "text": LOCK, "seconds": 1e9 }),
    ] {
        assert_eq!(ask(&served, "api/run", &wrong).0, 422);
    }
    let (_, begun) = ask(&served, "api/run", &json!({ "kind": "test", "text": LOCK, "seconds": 5 }));
    assert_eq!(ended(&served, &begun["id"])["verdict"], "refused", "no implementation is named");
    assert!(look(&served, "api/run/99")["error"].is_string());
}
