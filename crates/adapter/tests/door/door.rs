//! A door that does everything that the protocol knows, for the tests.

use interplay_sdk::{Adapter, Emitter, Reply, Value, json, refused};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

pub(crate) struct Door {
    emitter: Emitter,
    visitors: Vec<u64>,
    next: u64,
    height: Rc<Cell<i64>>,
}

impl Door {
    fn new(emitter: Emitter, height: Rc<Cell<i64>>) -> Door {
        emitter.emit("opened", ());
        Door { emitter, visitors: Vec::new(), next: 100, height }
    }

    fn press(&mut self, floor: i64) -> Reply<()> {
        if floor == 9 {
            return Err(refused("there is no floor 9"));
        }
        assert!(floor != 8, "stuck");
        if floor == 7 {
            "seven".parse::<i64>()?;
        }
        self.emitter.emit("shown", json!({ "floor": floor, "up": true }));
        Ok(())
    }

    fn paint(&mut self, colour: Value) -> Reply<()> {
        self.emitter.emit("shown", json!({ "floor": colour["mixed"][0], "up": false }));
        Ok(())
    }

    fn arrive(&mut self) -> Reply<u64> {
        self.next += 1;
        self.visitors.push(self.next);
        Ok(self.next)
    }

    fn leave(&mut self, visitor: u64) -> Reply<()> {
        self.visitors.retain(|each| *each != visitor);
        let emitter = self.emitter.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(10));
            emitter.emit("greeted", [("visitor", visitor)]);
        });
        Ok(())
    }
}

pub(crate) fn adapter() -> Adapter<Door> {
    let height = Rc::new(Cell::new(0));
    let settings = height.clone();
    Adapter::new("Door", move |emitter| Ok(Door::new(emitter, height.clone())))
        .configure(move |message| settings.set(message["constants"]["height"].as_i64().unwrap_or_default()))
        .input("configured", |door, _| Ok(door.height.get()))
        .input("press(floor)", |door, args| door.press(args.get("floor")?))
        .input("paint(colour)", |door, args| door.paint(args.get("colour")?))
        .input("arrive", |door, _| door.arrive())
        .input("leave(visitor)", |door, args| door.leave(args.get("visitor")?))
        .output("opened")
        .output("shown(floor, up)")
        .output("greeted(visitor)")
        .enabled(|door| {
            let leave = |visitor: &u64| ("leave", json!({ "visitor": visitor }));
            [("press", Value::Null)].into_iter().chain(door.visitors.iter().map(leave)).collect()
        })
        .snapshot(|door| format!("{} visitors", door.visitors.len()))
}
