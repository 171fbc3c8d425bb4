//! The JSON API and the form, over a real socket: sessions, several events at once, corrections, going back, and what is refused.

use crate::common::serve;
use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// One request; the status and the body.
fn request(address: SocketAddr, head: &str, headers: &[&str], body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let own: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let text = format!("{head} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{own}\r\n{body}");
    stream.write_all(text.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.into()))
}

fn host(address: SocketAddr) -> String {
    format!("Host: {address}")
}

/// A request of the API from a program.
fn api(address: SocketAddr, head: &str, body: &Json) -> (u16, Json) {
    let headers = [host(address), "Content-Type: application/json".into()];
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let (status, body) = request(address, head, &headers, &body.to_string());
    (status, serde_json::from_str(&body).unwrap_or(Json::Null))
}

fn begin(address: SocketAddr) -> String {
    let (status, begun) = api(address, "POST /api/sessions", &json!({}));
    assert_eq!(status, 201, "{begun}");
    begun["session"].as_str().expect("it has a name").into()
}

fn names(list: &Json) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|each| each["action"].as_str().expect("a name")).collect()
}

#[test]
fn a_conversation_of_a_program() {
    let (address, _desk) = serve(false);
    let (_, about) = api(address, "GET /api", &json!({}));
    assert_eq!(
        (about["service"].as_str(), names(&about["inputs"])),
        (Some("Guest book"), vec!["enter", "leave", "name", "guests"])
    );
    let session = begin(address);
    let events = format!("POST /api/sessions/{session}/events");
    // The name waits for the door.
    let said = json!({ "events": [{ "action": "name", "args": { "value": "Zoë" } }, { "action": "enter" }] });
    let (status, view) = api(address, &events, &said);
    assert_eq!((status, view["place"].as_str()), (200, Some("Book")), "{view}");
    assert_eq!(view["log"], json!([{ "taken": "enter" }, { "taken": "name(\"Zoë\")" }]));
    assert_eq!((names(&view["needed"]), names(&view["optional"])), (vec!["guests"], vec!["name"]));
    let (_, view) = api(address, &events, &json!({ "events": [{ "action": "guests", "args": { "value": "many" } }] }));
    assert_eq!(view["log"][0]["reason"], "unknown value `many`; the values are: 1, 2, 9");
    let (_, view) = api(address, &events, &json!({ "events": [{ "action": "guests", "args": { "value": 9 } }] }));
    assert_eq!(view["wrong"], json!({ "check": "there is no room for nine", "actions": ["guests"] }));
    let (_, view) = api(address, &events, &json!({ "events": [{ "action": "guests", "args": { "value": "2" } }] }));
    assert_eq!((view["place"].as_str(), &view["state"]), (Some("Door"), &json!(["Zoë with 2"])));
    let (_, view) = api(address, &format!("POST /api/sessions/{session}/back"), &json!({ "place": "Book" }));
    assert_eq!((view["place"].as_str(), &view["state"], &view["optional"]), (Some("Book"), &json!([]), &json!([])));
    let (status, _) = api(address, &format!("POST /api/sessions/{session}/back"), &json!({ "place": "Cellar" }));
    assert_eq!(status, 409);
    let (_, view) = api(address, &format!("POST /api/sessions/{session}/again"), &json!({}));
    assert_eq!((view["place"].as_str(), &view["log"]), (Some("Door"), &json!([{ "again": true }])));
    let (_, view) = api(address, &events, &json!({ "events": [{ "action": "leave" }] }));
    assert_eq!((&view["ended"], &view["needed"]), (&json!(true), &json!([])));
    assert_eq!(api(address, &format!("DELETE /api/sessions/{session}"), &json!({})).0, 204);
    assert_eq!(api(address, &format!("GET /api/sessions/{session}"), &json!({})).0, 404);
}

#[test]
fn sessions_are_apart_unless_they_are_shared() {
    for shared in [false, true] {
        let (address, _desk) = serve(shared);
        let (one, other) = (begin(address), begin(address));
        assert_eq!(one == other, shared);
        api(address, &format!("POST /api/sessions/{one}/events"), &json!({ "events": [{ "action": "enter" }] }));
        let (_, view) = api(address, &format!("GET /api/sessions/{other}?since=0"), &json!({}));
        assert_eq!(view["place"], if shared { "Book" } else { "Door" });
    }
}

#[test]
fn what_comes_from_elsewhere_is_refused() {
    let (address, _desk) = serve(false);
    let session = begin(address);
    let (head, body) = (format!("POST /api/sessions/{session}/events"), r#"{"events":[{"action":"enter"}]}"#);
    let (here, json_type) = (host(address), "Content-Type: application/json");
    let refused =
        |headers: &[&str], expected: u16| assert_eq!(request(address, &head, headers, body).0, expected, "{headers:?}");
    refused(&[&here, json_type, "Origin: http://evil.example"], 403);
    refused(&[&here, json_type, "Origin: null"], 403);
    refused(&[&here, json_type, "Sec-Fetch-Site: cross-site"], 403);
    refused(&["Host: evil.example", json_type], 403);
    refused(&[json_type], 403);
    refused(&[&here, "Content-Type: text/plain"], 415);
    refused(&[&here, "Content-Type: application/x-www-form-urlencoded"], 415);
    refused(&[&here, json_type, &format!("Origin: http://{address}")], 200);
    // A form of another site does not know the token.
    let form = ["Content-Type: application/x-www-form-urlencoded", here.as_str()];
    let (status, page) = request(address, &format!("POST /s/{session}"), &form, "event=0&turn=0");
    assert!(status == 403 && page.contains("is not from a page"), "{status} {page}");
    assert_eq!(request(address, "POST /", &form, "event=0&turn=0&token=x").0, 403);
}

#[test]
fn a_form_needs_no_script_and_everything_is_escaped() {
    let (address, _desk) = serve(true);
    let here = host(address);
    let session = begin(address);
    let page = |session: &str| request(address, &format!("GET /s/{session}"), &[&here], "").1;
    let hidden = |page: &str, name: &str| -> String {
        let after =
            page.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_else(|| panic!("no {name}: {page}"));
        after.split('"').next().unwrap_or_default().into()
    };
    let post = |fields: &str| {
        let text = page(&session);
        let body = format!("token={}&turn={}&{fields}", hidden(&text, "token"), hidden(&text, "turn"));
        let form = ["Content-Type: application/x-www-form-urlencoded", here.as_str()];
        request(address, &format!("POST /s/{session}"), &form, &body)
    };
    assert_eq!(post("event=0").0, 303);
    assert_eq!(post("do=send").0, 422, "no input: fill in a field, or type an input");
    assert_eq!(post("v2.0=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%27&do=send").0, 303);
    let text = page(&session);
    assert!(!text.contains("<script>alert") && text.contains("&lt;script&gt;alert(1)"), "{text}");
    assert_eq!(post("say=guests+9&do=send").0, 303);
    assert!(page(&session).contains("there is no room for nine"));
    assert_eq!(post("do=back").0, 303);
    assert!(page(&session).contains("went back to Book"));
    // A page that is not up to date changes nothing.
    let form = ["Content-Type: application/x-www-form-urlencoded", here.as_str()];
    let stale = format!("token={}&turn=0&do=again", hidden(&page(&session), "token"));
    let (status, answer) = request(address, &format!("POST /s/{session}"), &form, &stale);
    assert!(status == 422 && answer.contains("continued elsewhere"), "{status}");
}

#[test]
fn bad_requests_get_a_message_and_hurt_nobody() {
    let (address, _desk) = serve(false);
    let session = begin(address);
    let events = format!("POST /api/sessions/{session}/events");
    for (body, part) in [
        (json!([]), "`events`"),
        (json!({ "events": [{}] }), "has no `action`"),
        (json!({ "events": [{ "action": "dance" }] }), "the inputs are: enter"),
        (json!({ "events": [{ "action": "name" }] }), "lacks its argument `value`"),
        (json!({ "events": vec![json!({ "action": "enter" }); 1001] }), "at most 1000"),
    ] {
        let (status, answer) = api(address, &events, &body);
        assert!(status == 400 && answer["error"].to_string().contains(part), "{status} {answer}");
    }
    let headers = [host(address), "Content-Type: application/json".into()];
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    assert_eq!(request(address, &events, &headers, "{\"events\":").0, 400);
    assert_eq!(request(address, &events, &headers, &"x".repeat(100_000)).0, 413);
    assert_eq!(request(address, "GET /nowhere", &headers, "").0, 404);
    assert_eq!(request(address, "PUT /api", &headers, "").0, 405);
    assert_eq!(request(address, "GET /s/unknown", &headers, "").0, 404);
    assert_eq!(request(address, &format!("GET /api/sessions/{session}?since=x"), &headers, "").0, 400);
    let (_, view) = api(address, &format!("GET /api/sessions/{session}"), &json!({}));
    assert_eq!((view["turn"].as_u64(), view["place"].as_str()), (Some(0), Some("Door")), "nothing was done");
}

/// Sends this and gives the status; what the other side does not want to read any more is not sent.
fn raw(address: SocketAddr, parts: impl IntoIterator<Item = Vec<u8>>) -> u16 {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    stream.set_write_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let _ = parts.into_iter().try_for_each(|part| stream.write_all(&part));
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).unwrap_or(0);
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    answer.split(' ').nth(1).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[test]
fn every_part_of_a_request_has_a_limit() {
    let (address, _desk) = serve(false);
    let session = begin(address);
    let (here, json_type) = (host(address), "Content-Type: application/json");
    let head = |path: &str, more: &str| format!("POST {path} HTTP/1.1\r\n{here}\r\n{more}\r\n\r\n").into_bytes();
    let events = format!("/api/sessions/{session}/events");
    // A body that does not say how long it is, and does not end.
    let chunk = [b"8000\r\n".to_vec(), vec![b' '; 0x8000], b"\r\n".to_vec()].concat();
    let endless = head(&events, &format!("{json_type}\r\nTransfer-Encoding: chunked"));
    assert_eq!(raw(address, std::iter::once(endless).chain(std::iter::repeat_n(chunk, 1000))), 413);
    let form = head("/", &format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}", 1 << 20));
    assert_eq!(raw(address, [form, vec![b'a'; 1 << 20]]), 413);
    let many = std::iter::repeat_n(b"X-More: and more\r\n".to_vec(), 1_000_000);
    assert!((400..500).contains(&raw(address, std::iter::once(b"GET / HTTP/1.1\r\n".to_vec()).chain(many))));
    let long = format!("GET /{} HTTP/1.1\r\n{here}\r\n\r\n", "x".repeat(1 << 20)).into_bytes();
    assert!((400..500).contains(&raw(address, [long])));
    let (_, view) = api(address, &format!("GET /api/sessions/{session}"), &json!({}));
    assert_eq!((view["turn"].as_u64(), view["place"].as_str()), (Some(0), Some("Door")), "it goes on");
}

/// A head that comes byte by byte does not come in time, however many there are; everybody else is served meanwhile.
#[test]
fn whoever_trickles_is_dropped_and_keeps_nobody_waiting() {
    let (address, _desk) = serve(false);
    let mut slow: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(address).expect("it listens")).collect();
    // One says nothing at all.
    let silent = slow.pop().expect("there are some");
    let line = format!("GET / HTTP/1.1\r\n{}\r\nX-Long: ", host(address)).into_bytes();
    let began = Instant::now();
    for byte in line.into_iter().chain(std::iter::repeat(b'x')) {
        slow.retain_mut(|stream| stream.write_all(&[byte]).is_ok());
        if slow.is_empty() {
            break;
        }
        let head = "GET /api";
        assert_eq!(request(address, head, &[&host(address)], "").0, 200, "with {} slow ones", slow.len());
        assert!(began.elapsed() < Duration::from_secs(60), "{} are still there", slow.len());
        std::thread::sleep(Duration::from_millis(100));
    }
    silent.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    assert_eq!((&silent).read(&mut [0; 64]).ok(), Some(0), "the silent one is dropped, too");
}

#[test]
fn a_thousand_sessions_are_kept_and_the_oldest_is_forgotten() {
    let (address, _desk) = serve(false);
    let first = begin(address);
    let second = begin(address);
    for _ in 0..998 {
        begin(address);
    }
    assert_eq!(api(address, &format!("GET /api/sessions/{first}"), &json!({})).0, 200);
    begin(address);
    assert_eq!(api(address, &format!("GET /api/sessions/{first}"), &json!({})).0, 200, "it was just used");
    assert_eq!(api(address, &format!("GET /api/sessions/{second}"), &json!({})).0, 404);
}
