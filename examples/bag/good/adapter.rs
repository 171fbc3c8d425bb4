//! Connects the bag to Interplay: a call starts a thread, and the end of the thread is an event. Several calls may be under way.

use crate::bag::{Bag, FAULTS};
use interplay_sdk::{Adapter, Args, Emitter, Reply, json, refused};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Longer than a test listens before it makes the next call.
const DELAY: Duration = Duration::from_millis(60);

pub fn adapter(name: &str) -> Option<Adapter<Threads>> {
    let fault = FAULTS.iter().find(|(known, _)| *known == name).map(|&(_, fault)| fault);
    if fault.is_none() && name != "good" {
        return None;
    }
    let capacity = Rc::new(Cell::new(2));
    let configured = capacity.clone();
    let adapter = Adapter::new(&format!("bag, {name}"), move |emit| {
        Ok(Threads { emit, bag: Arc::new(Bag::new(capacity.get(), DELAY, fault)), busy: Arc::default() })
    })
    .configure(move |settings| {
        if let Some(slots) = settings["constants"]["capacity"].as_u64() {
            configured.set(slots as usize);
        }
    })
    .input("Call(t, op, x)", Threads::call)
    .output("Ret(t, op, x, res)");
    Some(adapter)
}

/// The threads of one run, and what they share.
pub struct Threads {
    emit: Emitter,
    bag: Arc<Bag>,
    busy: Arc<Mutex<BTreeSet<i64>>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Add,
    Delete,
    Lookup,
}

impl Threads {
    fn call(&mut self, args: &Args) -> Reply<()> {
        let (thread, operation, item): (i64, Operation, i64) = (args.get("t")?, args.get("op")?, args.get("x")?);
        if !self.busy.lock().unwrap_or_else(PoisonError::into_inner).insert(thread) {
            return Err(refused(format!("thread {thread} has a call under way")));
        }
        let (bag, busy, emit) = (self.bag.clone(), self.busy.clone(), self.emit.clone());
        thread::spawn(move || {
            let result = match operation {
                Operation::Add => bag.add(item),
                Operation::Delete => bag.delete(item),
                Operation::Lookup => bag.lookup(item),
            };
            busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&thread);
            emit.emit("Ret", json!({ "t": thread, "op": operation, "x": item, "res": result }));
        });
        Ok(())
    }
}
