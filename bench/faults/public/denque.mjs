// The npm package `denque`.

import { System, serve } from "../../../sdk/javascript/interplay.mjs";
import { load } from "./packages.mjs";

const Denque = await load("denque");

class Queue extends System {
  static inputs = ["push(x)", "unshift(x)", "pop", "shift", "remove(place, number)", "all"];
  queue = new Denque();

  push({ x }) { this.queue.push(x); }
  unshift({ x }) { this.queue.unshift(x); }
  pop() { return this.queue.pop(); }
  shift() { return this.queue.shift(); }
  remove({ place, number }) { return this.queue.remove(place, number); }
  all() { return this.queue.toArray(); }
}

serve(Queue);
