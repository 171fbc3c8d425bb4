//! Connects Daisy to Interplay, in two ways: for one user, whose calls return before the next (`../daisy.play`), and for several
//! users, each in a thread, whose calls and returns are events (`../daisy_threads.play`).

use crate::daisy::{Attributes, Daisy, FAULTS, TooLarge};
use interplay_sdk::{Adapter, Args, Emitter, Problem, Reply, json, refused};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Longer than a test listens before it makes the next call.
const DELAY: Duration = Duration::from_millis(25);

/// One user.
pub fn adapter() -> Adapter<Daisy> {
    let (handles, configured) = handles();
    Adapter::new("daisy", move |_| Ok(Daisy::new(0, &handles.borrow(), Duration::ZERO, None)))
        .configure(move |settings| configure(&configured, settings))
        .input("creat(dir, name)", |daisy, args| told(daisy.creat(args.get("dir")?, &text(args, "name")?)))
        .input("mkdir(dir, name)", |daisy, args| told(daisy.mkdir(args.get("dir")?, &text(args, "name")?)))
        .input("lookup(dir, name)", |daisy, args| Ok(daisy.lookup(args.get("dir")?, &text(args, "name")?)))
        .input("unlink(dir, name)", |daisy, args| Ok(daisy.unlink(args.get("dir")?, &text(args, "name")?)))
        .input("read(handle, offset, n)", |daisy, args| {
            Ok(daisy.read(args.get("handle")?, args.get("offset")?, args.get("n")?))
        })
        .input("write(handle, offset, bytes)", |daisy, args| {
            told(daisy.write(args.get("handle")?, args.get("offset")?, &args.get::<Vec<u8>>("bytes")?))
        })
        .input("get_attr(handle)", |daisy, args| Ok(daisy.get_attr(args.get("handle")?)))
        .input("set_attr(handle, attributes)", |daisy, args| {
            told(daisy.set_attr(args.get("handle")?, args.get("attributes")?))
        })
}

/// Several users.
pub fn adapter_for_threads(name: &str) -> Option<Adapter<Users>> {
    let fault = FAULTS.iter().find(|(known, _)| *known == name).map(|&(_, fault)| fault);
    if fault.is_none() && name != "good-threads" {
        return None;
    }
    let (handles, configured) = handles();
    let adapter = Adapter::new(&format!("daisy, {name}"), move |emit| {
        Ok(Users { emit, daisy: Arc::new(Daisy::new(0, &handles.borrow(), DELAY, fault)), busy: Arc::default() })
    })
    .configure(move |settings| configure(&configured, settings))
    .input("call(t, request)", Users::call)
    .output("ret(t, answer)");
    Some(adapter)
}

/// The constant `handles` of the specification, for whoever makes a file system and for whoever hears of another value.
fn handles() -> (Handles, Handles) {
    let handles = Handles::new(vec![1, 2, 3].into());
    (handles.clone(), handles)
}

type Handles = Rc<RefCell<Vec<i64>>>;

fn configure(handles: &Handles, settings: &interplay_sdk::Value) {
    if let Ok(given) = Vec::deserialize(&settings["constants"]["handles"]) {
        *handles.borrow_mut() = given;
    }
}

fn text(args: &Args, name: &str) -> Reply<String> {
    args.get(name)
}

fn told<T>(answer: Result<T, TooLarge>) -> Reply<T> {
    answer.map_err(|TooLarge(why)| refused(why))
}

/// The threads of one run, and what they share.
pub struct Users {
    emit: Emitter,
    daisy: Arc<Daisy>,
    busy: Arc<Mutex<BTreeSet<i64>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    Creat(i64, String),
    Mkdir(i64, String),
    Lookup(i64, String),
    Unlink(i64, String),
    Read(i64, usize, usize),
    Write(i64, usize, Vec<u8>),
    GetAttr((i64,)),
    SetAttr(i64, Attributes),
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Handle((Option<i64>,)),
    Done((bool,)),
    Data((Option<Vec<u8>>,)),
    Written((Option<usize>,)),
    Attr((Option<Attributes>,)),
    TooLarge,
}

impl Users {
    fn call(&mut self, args: &Args) -> Reply<()> {
        let (thread, request): (i64, Request) = (args.get("t")?, args.get("request")?);
        if !self.busy.lock().unwrap_or_else(PoisonError::into_inner).insert(thread) {
            return Err(refused(format!("user {thread} has a call under way")));
        }
        let (daisy, busy, emit) = (self.daisy.clone(), self.busy.clone(), self.emit.clone());
        let work = move || {
            let answer = answer(&daisy, request).unwrap_or(Answer::TooLarge);
            busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&thread);
            emit.emit("ret", json!({ "t": thread, "answer": answer }));
        };
        thread::Builder::new().spawn(work).map_err(|error| Problem::Failed(error.to_string()))?;
        Ok(())
    }
}

fn answer(daisy: &Daisy, request: Request) -> Result<Answer, TooLarge> {
    Ok(match request {
        Request::Creat(directory, name) => Answer::Handle((daisy.creat(directory, &name)?,)),
        Request::Mkdir(directory, name) => Answer::Handle((daisy.mkdir(directory, &name)?,)),
        Request::Lookup(directory, name) => Answer::Handle((daisy.lookup(directory, &name),)),
        Request::Unlink(directory, name) => Answer::Done((daisy.unlink(directory, &name),)),
        Request::Read(handle, offset, n) => Answer::Data((daisy.read(handle, offset, n),)),
        Request::Write(handle, offset, bytes) => Answer::Written((daisy.write(handle, offset, &bytes)?,)),
        Request::GetAttr((handle,)) => Answer::Attr((daisy.get_attr(handle),)),
        Request::SetAttr(handle, attributes) => Answer::Done((daisy.set_attr(handle, attributes)?,)),
    })
}
