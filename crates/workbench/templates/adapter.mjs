#!/usr/bin/env node
// Connects a lock to Interplay. One line is one JSON message, in both directions; standard error is free for logs.
//
// `Lock` stands for the system under test: replace it by calls to yours. Everything below it is protocol.

import { createInterface } from "node:readline";

class Refused extends Error {}

/** The implementation. `send` is called for every output, at any time. */
class Lock {
  locked = true;
  blocked = false;
  mistakes = 0;

  constructor(send) {
    this.send = send;
  }

  enter({ code }) {
    if (this.blocked || !this.locked) throw new Refused("the lock takes no code now");
    if (code === 1234) {
      this.mistakes = 0;
      this.locked = false;
      this.send("opened");
    } else if (this.mistakes === 2) {
      this.blocked = true;
      this.send("alarm");
    } else {
      this.mistakes += 1;
      this.send("refused");
    }
  }

  shut() {
    if (this.locked) throw new Refused("the lock is shut already");
    this.locked = true;
  }
}

const actions = [
  { name: "enter", direction: "input", parameters: ["code"] },
  { name: "shut", direction: "input", parameters: [] },
  { name: "opened", direction: "output", parameters: [] },
  { name: "refused", direction: "output", parameters: [] },
  { name: "alarm", direction: "output", parameters: [] },
];

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const output = (action, args = {}) => say({ type: "output", action, args });

/** Passes one input to the system and says what became of it; its outputs come after that. */
async function give(system, { id, action, args = {} }) {
  const outputs = [];
  system.send = (name, values) => outputs.push([name, values]);
  try {
    if (!actions.some((each) => each.name === action && each.direction === "input")) {
      throw new Refused(`there is no input ${action}`);
    }
    const result = (await system[action](args)) ?? null;
    say({ type: "accepted", id, result });
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    say({ type: "refused", id, reason: problem.message });
  }
  system.send = output;
  for (const [name, values] of outputs) output(name, values);
}

say({ type: "hello", name: "lock", protocol: 1, actions });
let system = new Lock(output);
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const message = JSON.parse(line);
    if (message.type === "reset") {
      system = new Lock(output);
      say({ type: "ready", id: message.id });
    } else if (message.type === "input") {
      await give(system, message);
    } else if (message.type === "bye") {
      break;
    }
  } catch (problem) {
    // Whatever went wrong here is not a verdict on the system.
    say({ type: "error", message: String(problem) });
  }
}
