// The npm package `fastpriorityqueue`.

import { System, serve } from "../../../sdk/javascript/interplay.mjs";
import { load } from "./packages.mjs";

const FastPriorityQueue = await load("fastpriorityqueue");

class Queue extends System {
  static inputs = ["add(x)", "poll", "peek", "remove_many(from, to)", "size"];
  queue = new FastPriorityQueue();

  add({ x }) { this.queue.add(x); }
  poll() { return this.queue.poll(); }
  peek() { return this.queue.peek(); }
  remove_many({ from, to }) { return this.queue.removeMany((item) => from <= item && item <= to).sort(); }
  size() { return this.queue.size; }
}

serve(Queue);
