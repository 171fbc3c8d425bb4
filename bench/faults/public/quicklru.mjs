// The npm package `quick-lru`, with a clock of our own.

import { System, serve } from "../../../sdk/javascript/interplay.mjs";
import { load } from "./packages.mjs";

const QuickLRU = await load("quick-lru");
let now = 1000;
Date.now = () => now;

class Cache extends System {
  static inputs = ["set(k, v)", "get(k)", "peek(k)", "has(k)", "delete(k)", "tick"];
  cache = new QuickLRU({ maxSize: 10, maxAge: 3 });

  set({ k, v }) { this.cache.set(k, v); }
  get({ k }) { return this.cache.get(k); }
  peek({ k }) { return this.cache.peek(k); }
  has({ k }) { return this.cache.has(k); }
  delete({ k }) { this.cache.delete(k); }
  tick() { now += 1; }
}

serve(Cache);
