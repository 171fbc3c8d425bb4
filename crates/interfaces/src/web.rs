//! The service over HTTP: a web page for people and a JSON API for programs, behind one address.
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page of a conversation that begins with the first thing said, or of the shared one |
//! | `GET /s/SESSION`, `POST /s/SESSION` | the page of a session, and what its form says |
//! | `GET /api` | what the service is called and what can be said |
//! | `POST /api/sessions`, `GET`, `DELETE /api/sessions/SESSION` | begin, look, end |
//! | `POST /api/sessions/SESSION/events`, `/back`, `/again`, `/forget` | say something, go back, begin anew, forget what waits |

use crate::desk::{Desk, Sessions, unguessable};
use crate::page::{self, Wish};
use crate::view::View;
use crate::{api, connections, guard};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::Markup;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

/// A request has at most so many bytes.
const MOST_BYTES: usize = 64 << 10;
/// And takes at most so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service that is reachable; dropping this leaves it so.
pub struct Web {
    address: SocketAddr,
}

impl Web {
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

#[derive(Clone)]
struct Here {
    desk: Desk,
    address: SocketAddr,
    /// What the first page shows, before there is a session.
    token: String,
}

impl Desk {
    /// Serves on a socket, in a thread of its own, until the program ends.
    pub fn web(&self, listener: TcpListener) -> io::Result<Web> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = unguessable().map_err(io::Error::other)?;
        let router = router(Here { desk: self.clone(), address, token });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let work = move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                connections::serve(listener, router).await;
                io::Result::Ok(())
            })
        };
        std::thread::Builder::new().name("web".into()).spawn(work)?;
        Ok(Web { address })
    }
}

fn router(here: Here) -> Router {
    Router::new()
        .route("/", get(first_page).post(first_form))
        .route("/s/{session}", get(session_page).post(session_form))
        .route("/page.css", get(async || file("text/css; charset=utf-8", include_str!("page.css"))))
        .route("/page.js", get(async || file("text/javascript; charset=utf-8", include_str!("page.js"))))
        .route("/api", get(describe))
        .route("/api/sessions", post(begin))
        .route("/api/sessions/{session}", get(look).delete(end))
        .route("/api/sessions/{session}/events", post(give))
        .route("/api/sessions/{session}/back", post(back))
        .route("/api/sessions/{session}/again", post(again))
        .route("/api/sessions/{session}/forget", post(forget))
        .fallback(async || Failure(StatusCode::NOT_FOUND, "page not found".into()))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(here.clone(), guarded))
        .with_state(here)
}

/// Only what is meant for here and comes from here; and browsers are told not to believe anything else.
async fn guarded(State(here): State<Here>, request: Request, next: Next) -> Response {
    let mut response = match guard::refusal(request.method(), request.headers(), here.address) {
        Some(why) => Failure(StatusCode::FORBIDDEN, why.into()).into_response(),
        // A body that comes in drops does not keep anybody busy for ever.
        None => tokio::time::timeout(PATIENCE, next.run(request)).await.unwrap_or_else(|_| {
            Failure(StatusCode::REQUEST_TIMEOUT, "the request took too long".into()).into_response()
        }),
    };
    let headers = response.headers_mut();
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
                  form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// What is wrong, as an object for programs; pages are made of it where a browser asks.
struct Failure(StatusCode, String);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        json_response(self.0, &json!({ "error": self.1 }))
    }
}

fn json_response(status: StatusCode, document: &Json) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], format!("{document}\n")).into_response()
}

fn html_response(status: StatusCode, page: Markup) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], page.into_string()).into_response()
}

impl Failure {
    fn page(&self) -> Response {
        html_response(self.0, page::message("Error", &self.1))
    }
}

impl Here {
    /// The answer of the desk; trouble with it is a failure.
    async fn ask<T: Send + 'static>(
        &self,
        work: impl for<'l> FnOnce(&mut Sessions<'l>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let gone = || Failure(StatusCode::SERVICE_UNAVAILABLE, "the service does not answer".into());
        self.desk.ask_soon(work).await.ok_or_else(gone)?
    }
}

fn view(sessions: &mut Sessions<'_>, session: &str, since: usize) -> Result<View, Failure> {
    let unknown = || Failure(StatusCode::NOT_FOUND, "no such session; it may have ended".into());
    sessions.view(session, since).ok_or_else(unknown)
}

fn broken(problem: String) -> Failure {
    Failure(StatusCode::INTERNAL_SERVER_ERROR, problem)
}

async fn first_page(State(here): State<Here>) -> Response {
    let token = here.token.clone();
    let made = here.ask(move |sessions| {
        if sessions.is_shared() {
            let session = sessions.open().map_err(broken)?;
            return Ok(Redirect::to(&format!("/s/{session}")).into_response());
        }
        let view = View { token, ..sessions.view_unsaid().map_err(broken)? };
        Ok(html_response(StatusCode::OK, page::page(&view, "/", false, None)))
    });
    made.await.unwrap_or_else(|failure| failure.page())
}

/// The first thing that is said opens the session.
async fn first_form(State(here): State<Here>, Form(fields): Form<Vec<(String, String)>>) -> Response {
    let token = here.token.clone();
    let made = here.ask(move |sessions| {
        check_token(&fields, &token)?;
        let session = sessions.open().map_err(broken)?;
        submit(sessions, &session, &fields)
    });
    made.await.unwrap_or_else(|failure| failure.page())
}

async fn session_page(State(here): State<Here>, Path(session): Path<String>) -> Response {
    let made = here.ask(move |sessions| {
        let (view, shared) = (view(sessions, &session, 0)?, sessions.is_shared());
        Ok(html_response(StatusCode::OK, page::page(&view, &format!("/s/{session}"), shared, None)))
    });
    made.await.unwrap_or_else(|failure| failure.page())
}

async fn session_form(
    State(here): State<Here>,
    Path(session): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let made = here.ask(move |sessions| {
        let token = view(sessions, &session, 0)?.token;
        check_token(&fields, &token)?;
        submit(sessions, &session, &fields)
    });
    made.await.unwrap_or_else(|failure| failure.page())
}

fn check_token(fields: &[(String, String)], token: &str) -> Result<(), Failure> {
    match fields.iter().any(|(name, value)| name == "token" && value == token) {
        true => Ok(()),
        false => Err(Failure(StatusCode::FORBIDDEN, "this form is not from a page of this service".into())),
    }
}

/// Does what a form says and shows the page anew; or shows what is wrong with it.
fn submit(sessions: &mut Sessions<'_>, session: &str, fields: &[(String, String)]) -> Result<Response, Failure> {
    let (view, shared) = (view(sessions, session, 0)?, sessions.is_shared());
    let address = format!("/s/{session}");
    let turn = fields.iter().find(|(name, _)| name == "turn").map(|(_, value)| value.as_str());
    let wish = match turn == Some(view.turn.to_string().as_str()) {
        true => page::wish(fields, &view),
        false => Err("the conversation has continued elsewhere; this is its current state".into()),
    };
    let talk = &mut sessions.session(session).expect("it was just looked at").talk;
    match wish {
        Err(problem) => {
            let page = page::page(&view, &address, shared, Some(&problem));
            return Ok(html_response(StatusCode::UNPROCESSABLE_ENTITY, page));
        }
        Ok(Wish::Give(said)) => talk.give(said),
        Ok(Wish::Again) => talk.again(),
        Ok(Wish::Forget) => talk.forget(),
        Ok(Wish::Back) => _ = talk.back(None),
    }
    Ok(Redirect::to(&address).into_response())
}

async fn describe(State(here): State<Here>) -> Result<Response, Failure> {
    here.ask(|sessions| {
        let shared = sessions.is_shared();
        let view = sessions.view_unsaid().map_err(broken)?;
        Ok(json_response(StatusCode::OK, &api::description(&view, shared)))
    })
    .await
}

async fn begin(State(here): State<Here>, headers: HeaderMap, body: Bytes) -> Result<Response, Failure> {
    read(&headers, &body)?;
    here.ask(|sessions| {
        let session = sessions.open().map_err(broken)?;
        Ok(json_response(StatusCode::CREATED, &api::document(&view(sessions, &session, 0)?)))
    })
    .await
}

async fn look(
    State(here): State<Here>,
    Path(session): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Failure> {
    let since = query.get("since").map_or(Ok(0), |text| text.parse());
    let since = since.map_err(|_| Failure(StatusCode::BAD_REQUEST, "`since` must be a number".into()))?;
    here.ask(move |sessions| Ok(json_response(StatusCode::OK, &api::document(&view(sessions, &session, since)?)))).await
}

async fn end(State(here): State<Here>, Path(session): Path<String>) -> Result<Response, Failure> {
    here.ask(move |sessions| {
        view(sessions, &session, 0)?;
        match sessions.close(&session) {
            true => Ok(StatusCode::NO_CONTENT.into_response()),
            false => Err(Failure(StatusCode::CONFLICT, "the shared session cannot be ended".into())),
        }
    })
    .await
}

async fn give(
    State(here): State<Here>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let body = read(&headers, &body)?;
    here.ask(move |sessions| {
        let before = view(sessions, &session, 0)?;
        let wrong = |problem| Failure(StatusCode::BAD_REQUEST, problem);
        let said = api::events(&body, &before.inputs).map_err(wrong)?;
        after(sessions, &session, |talk| talk.give(said))
    })
    .await
}

async fn back(
    State(here): State<Here>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let body = read(&headers, &body)?;
    here.ask(move |sessions| {
        let mut went = false;
        let answer = after(sessions, &session, |talk| went = talk.back(body["place"].as_str()))?;
        match went {
            true => Ok(answer),
            false => Err(Failure(StatusCode::CONFLICT, "no such place to go back to".into())),
        }
    })
    .await
}

async fn again(
    State(here): State<Here>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    read(&headers, &body)?;
    here.ask(move |sessions| after(sessions, &session, |talk| talk.again())).await
}

async fn forget(
    State(here): State<Here>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    read(&headers, &body)?;
    here.ask(move |sessions| after(sessions, &session, |talk| talk.forget())).await
}

/// Does something with a conversation and tells what happened.
fn after<'l>(
    sessions: &mut Sessions<'l>,
    name: &str,
    work: impl FnOnce(&mut crate::desk::Talk<'l>),
) -> Result<Response, Failure> {
    let turn = view(sessions, name, 0)?.turn;
    work(&mut sessions.session(name).expect("it was just looked at").talk);
    Ok(json_response(StatusCode::OK, &api::document(&view(sessions, name, turn)?)))
}

/// The body of a request, which must say that it is JSON: a form of another site cannot.
fn read(headers: &HeaderMap, body: &[u8]) -> Result<Json, Failure> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let problem = "the request must have `Content-Type: application/json`";
        return Err(Failure(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem.into()));
    }
    if body.is_empty() {
        return Ok(json!({}));
    }
    serde_json::from_slice(body).map_err(|error| Failure(StatusCode::BAD_REQUEST, format!("not JSON: {error}")))
}
