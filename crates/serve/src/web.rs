//! The page over HTTP: who may ask, and which question is answered where.
//!
//! | request | answer |
//! |---|---|
//! | `GET /TOKEN/` | the page; `page.css`, `page.js` beside it |
//! | `GET /TOKEN/api/open` | the text on the disk |
//! | `POST /TOKEN/api/check`, `format`, `save`, `complete`, `hover` | about the text that is sent along |
//! | `POST /TOKEN/api/walk` | where a way through the simulator leads |
//! | `POST /TOKEN/api/run`, `GET`, `DELETE /TOKEN/api/run/ID` | begin, watch, stop |
//! | `GET /TOKEN/report/ID` | the report of a run: one file that can be kept |

use crate::jobs::{Jobs, Wanted};
use crate::text::Asked;
use crate::walk::{Walks, Way};
use crate::{Desk, jobs};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use interplay_interfaces::{refused_request, serve_connections, unguessable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

/// A text may be large, but not without end.
const MOST_BYTES: usize = 16 << 20;
/// Expressions may be deep, and every phase walks them.
const STACK: usize = 256 << 20;

/// A workbench that is reachable, until the program ends.
pub struct Served {
    /// For a browser, with the token.
    pub address: String,
}

#[derive(Clone)]
struct Here {
    desk: Desk,
    jobs: Arc<Jobs>,
    walks: Arc<Walks>,
    address: SocketAddr,
}

/// Serves on a socket, in a thread of its own.
pub fn serve(desk: Desk, listener: TcpListener) -> io::Result<Served> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let token = unguessable().map_err(io::Error::other)?;
    let here = Here { desk, jobs: Arc::default(), walks: Arc::default(), address };
    let router = router(here, &token);
    let runtime = tokio::runtime::Builder::new_current_thread().thread_stack_size(STACK).enable_all().build()?;
    let work = move || {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            serve_connections(listener, router).await;
            io::Result::Ok(())
        })
    };
    std::thread::Builder::new().name("web".into()).spawn(work)?;
    Ok(Served { address: format!("http://{address}/{token}/") })
}

fn router(here: Here, token: &str) -> Router {
    let at = |rest: &str| format!("/{token}/{rest}");
    Router::new()
        .route(&at(""), get(async || file("text/html; charset=utf-8", include_str!("../web/index.html"))))
        .route(&at("page.css"), get(async || file("text/css; charset=utf-8", include_str!("../web/page.css"))))
        .route(&at("page.js"), get(async || file("text/javascript; charset=utf-8", include_str!("../dist/page.js"))))
        .route(&at("api/open"), get(open))
        .route(&at("api/check"), post(check))
        .route(&at("api/format"), post(formatted))
        .route(&at("api/save"), post(save))
        .route(&at("api/complete"), post(complete))
        .route(&at("api/hover"), post(hover))
        .route(&at("api/walk"), post(walk))
        .route(&at("api/run"), post(begin))
        .route(&at("api/run/{id}"), get(watch).delete(stop))
        .route(&at("report/{id}"), get(report))
        .fallback(async || {
            Failure(StatusCode::NOT_FOUND, "page not found; the address that was printed has a token".into())
        })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(here.clone(), guarded))
        .with_state(here)
}

const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; \
    img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// A report is one file with all that it needs, and may load nothing.
const REPORT: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads";

/// Only what is meant for here and comes from here; and browsers are told not to believe anything else.
async fn guarded(State(here): State<Here>, request: Request, next: Next) -> Response {
    let mut response = match refused_request(request.method(), request.headers(), here.address) {
        Some(why) => Failure(StatusCode::FORBIDDEN, why.into()).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// What is wrong, for the page to show.
struct Failure(StatusCode, String);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let text = format!("{}\n", json!({ "error": self.1 }));
        (self.0, [(header::CONTENT_TYPE, "application/json")], text).into_response()
    }
}

fn unusable(why: String) -> Failure {
    Failure(StatusCode::UNPROCESSABLE_ENTITY, why)
}

fn said(answer: &impl Serialize) -> Result<Response, Failure> {
    let text = serde_json::to_string(answer).map_err(|error| unusable(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// The body of a request, which must say that it is JSON: a form of another site cannot.
fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Failure> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let problem = "the request must have `Content-Type: application/json`";
        return Err(Failure(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem.into()));
    }
    serde_json::from_slice(body).map_err(|error| Failure(StatusCode::BAD_REQUEST, format!("not understood: {error}")))
}

/// Answers beside the thread that takes requests, so that a hard question keeps no other waiting; one that breaks down breaks nothing else.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let broken = |_| {
        Failure(StatusCode::INTERNAL_SERVER_ERROR, "this question broke down; that is a mistake in Interplay".into())
    };
    tokio::task::spawn_blocking(work).await.map_err(broken)
}

async fn open(State(here): State<Here>) -> Result<Response, Failure> {
    let name = here.desk.file.display().to_string();
    let opened = aside(move || here.desk.opened()).await?;
    said(&opened.map_err(|error| unusable(format!("{name} cannot be read: {error}")))?)
}

async fn check(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let asked: Asked = read(&headers, &body)?;
    said(&aside(move || here.desk.checked(&asked)).await?)
}

async fn formatted(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let asked: Asked = read(&headers, &body)?;
    let text = aside(move || here.desk.formatted(&asked)).await?.map_err(unusable)?;
    said(&json!({ "text": text }))
}

async fn save(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let asked: Asked = read(&headers, &body)?;
    let base = aside(move || here.desk.saved(&asked)).await?.map_err(|why| Failure(StatusCode::CONFLICT, why))?;
    said(&json!({ "base": base }))
}

async fn complete(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let asked: Asked = read(&headers, &body)?;
    said(&aside(move || here.desk.completed(&asked)).await?)
}

async fn hover(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let asked: Asked = read(&headers, &body)?;
    said(&aside(move || here.desk.hovered(&asked)).await?)
}

async fn walk(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let way: Way = read(&headers, &body)?;
    said(&aside(move || here.walks.place(&here.desk, &way)).await?.map_err(unusable)?)
}

async fn begin(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    let wanted: Wanted = read(&headers, &body)?;
    let id = here.jobs.begin(&here.desk, wanted).map_err(unusable)?;
    said(&json!({ "id": id }))
}

fn unknown() -> Failure {
    Failure(StatusCode::NOT_FOUND, "no such run; only the last ones are kept".into())
}

async fn watch(State(here): State<Here>, Path(id): Path<u64>) -> Result<Response, Failure> {
    let standing: jobs::Standing = here.jobs.standing(id).ok_or_else(unknown)?;
    said(&standing)
}

async fn stop(State(here): State<Here>, Path(id): Path<u64>) -> Result<Response, Failure> {
    here.jobs.stop(id);
    said(&json!({}))
}

async fn report(State(here): State<Here>, Path(id): Path<u64>) -> Result<Response, Failure> {
    let report = here.jobs.report(id).ok_or_else(unknown)?;
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT)),
    ];
    Ok((head, report).into_response())
}
