//! Who may ask? A page of somebody else must not talk to the service through the browser of a user, so every request must be meant
//! for this address, and whatever changes something must come from a page of this address or from no page at all.
//!
//! On a loopback address `Host` must name this machine, which stops names that lead here from elsewhere. On other addresses it
//! may be any name, because only the user knows it.

use axum::http::{HeaderMap, Method, header};
use std::net::SocketAddr;

/// What is wrong with a request, if something is.
pub fn refusal(method: &Method, headers: &HeaderMap, address: SocketAddr) -> Option<&'static str> {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else { return Some("the request has no `Host` header") };
    if address.ip().is_loopback() && !names_this_machine(host, address.port()) {
        return Some("the request is meant for another host");
    }
    if method == Method::GET || method == Method::HEAD {
        return None;
    }
    if let Some(origin) = text(header::ORIGIN)
        && origin != format!("http://{host}")
        && origin != format!("https://{host}")
    {
        return Some("the request comes from a page of another site");
    }
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("?"));
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return Some("the request comes from a page of another site");
    }
    None
}

fn names_this_machine(host: &str, port: u16) -> bool {
    let (name, said) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    said == Some(port) && ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(method: Method, pairs: &[(&'static str, &str)], address: &str) -> Option<&'static str> {
        let headers =
            pairs.iter().map(|(name, value)| (header::HeaderName::from_static(name), value.parse().expect("a header")));
        refusal(&method, &headers.collect(), address.parse().expect("an address"))
    }

    #[test]
    fn a_request_names_this_machine() {
        let here = "127.0.0.1:80";
        for host in ["localhost", "127.0.0.1:80", "LOCALHOST:80", "[::1]", "[::1]:80"] {
            assert_eq!(judged(Method::GET, &[("host", host)], here), None, "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1:81", "localhost:", ""] {
            assert!(judged(Method::GET, &[("host", host)], here).is_some(), "{host}");
        }
        assert!(judged(Method::GET, &[], here).is_some());
        assert_eq!(judged(Method::GET, &[("host", "shop.example")], "192.0.2.1:80"), None);
    }

    #[test]
    fn what_changes_something_comes_from_here() {
        let here = "127.0.0.1:7200";
        let host = ("host", "localhost:7200");
        assert_eq!(judged(Method::POST, &[host], here), None);
        assert_eq!(judged(Method::POST, &[host, ("origin", "http://localhost:7200")], here), None);
        for origin in ["http://evil.example", "null", "http://localhost:7201", "http://localhost:7200.evil.example"] {
            assert!(judged(Method::POST, &[host, ("origin", origin)], here).is_some(), "{origin}");
        }
        assert!(judged(Method::DELETE, &[host, ("sec-fetch-site", "cross-site")], here).is_some());
        assert_eq!(judged(Method::GET, &[host, ("sec-fetch-site", "cross-site")], here), None);
    }
}
