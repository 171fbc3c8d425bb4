#!/usr/bin/env node
// Connects a lock to Interplay. `Lock` stands for the system under test: replace what its methods do by calls to yours.
//
// The kit beside this file, `interplay.mjs`, speaks the protocol; standard output belongs to it.

import { Refused, System, serve } from "./interplay.mjs";

class Lock extends System {
  static title = "lock";
  static inputs = ["enter(code)", "shut"];
  static outputs = ["opened", "refused", "alarm"];

  // Every reset makes a new one.
  locked = true;
  blocked = false;
  mistakes = 0;

  enter({ code }) {
    if (this.blocked || !this.locked) throw new Refused("the lock takes no code now");
    if (code === 1234) {
      this.mistakes = 0;
      this.locked = false;
      this.emit("opened");
    } else if (this.mistakes === 2) {
      this.blocked = true;
      this.emit("alarm");
    } else {
      this.mistakes += 1;
      this.emit("refused");
    }
  }

  shut() {
    if (this.locked) throw new Refused("the lock is shut already");
    this.locked = true;
  }

  /** Called before the next reset and at the end: stop here what was started. */
  close() {}
}

serve(Lock);
