// Tests of @SYSTEM@, written by `interplay suite`. Run with `SUT="node adapter.mjs" node --test THIS_FILE`.
//
// SUT is the command that starts the adapter (it speaks the adapter protocol), WAIT the seconds to wait for an output. An
// implementation that does something else that the specification allows leaves the test: it is skipped, and says nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test from "node:test";

const SUT = process.env.SUT ?? @COMMAND@;
const WAIT = Number(process.env.WAIT ?? "2") * 1000;

/** One run of the adapter. */
class Implementation {
  lines = [];
  waiting = [];
  number = 0;
  wake = () => {};

  static async start(settings) {
    const own = new Implementation();
    own.process = spawn(SUT, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
    own.process.stdin.on("error", () => {});
    const put = (message) => {
      own.lines.push(message);
      own.wake();
    };
    const reader = createInterface({ input: own.process.stdout });
    reader.on("line", (line) => put(JSON.parse(line)));
    reader.on("close", () => put({ type: "error", message: "the adapter has ended" }));
    own.say({ type: "configure", seed: 0, ...settings });
    await own.ask({ type: "reset" }, ["ready"]);
    own.waiting.length = 0;
    return own;
  }

  say(message) {
    this.process.stdin.write(JSON.stringify(message) + "\n");
  }

  async next(wait) {
    if (this.lines.length === 0) {
      let timer;
      await new Promise((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, wait);
      });
      clearTimeout(timer);
    }
    const message = this.lines.shift();
    if (message?.type === "error") throw new Error(message.message);
    return message;
  }

  /** The answer; outputs that come before it are kept. */
  async ask(message, kinds) {
    const id = ++this.number;
    this.say({ ...message, id });
    for (;;) {
      const answer = await this.next(60_000);
      assert.ok(answer, `no answer to ${JSON.stringify(message)}`);
      if (answer.type === "output") this.waiting.push(answer);
      else if (kinds.includes(answer.type) && answer.id === id) return answer;
    }
  }

  /** The next output, or nothing if none comes. */
  async output(wait) {
    while (this.waiting.length === 0) {
      const message = await this.next(wait);
      if (!message || message.type === "output") return message;
    }
    return this.waiting.shift();
  }

  close() {
    this.process.stdin.end();
    this.process.kill();
  }
}

/** Whether a value is the one that is wanted; objects are called as the implementation first called them. */
function same(wanted, seen, names) {
  if (wanted !== null && typeof wanted === "object" && "$object" in wanted) {
    const ours = wanted.$object;
    if (!names.has(ours) && ![...names.values()].includes(seen)) names.set(ours, seen);
    return names.get(ours) === seen;
  }
  if (Array.isArray(wanted)) {
    return Array.isArray(seen) && wanted.length === seen.length && wanted.every((each, at) => same(each, seen[at], names));
  }
  if (wanted !== null && typeof wanted === "object") {
    return seen !== null && typeof seen === "object"
      && Object.keys(wanted).every((key) => key in seen && same(wanted[key], seen[key], names));
  }
  return wanted === seen;
}

function theirs(value, names) {
  if (Array.isArray(value)) return value.map((each) => theirs(each, names));
  if (value === null || typeof value !== "object") return value;
  if ("$object" in value) return names.get(value.$object) ?? value.$object;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, theirs(each, names)]));
}

/** Goes on if the output is the wanted one; `"open"` if it is another one that is allowed. */
function judge(output, wanted, also, names) {
  const fits = (event) => {
    const tried = new Map(names);
    const fit = output.action === event.action && same(event.args, output.args ?? {}, tried);
    if (fit) tried.forEach((value, key) => names.set(key, value));
    return fit;
  };
  if (wanted && fits(wanted)) return "goes on";
  if (also.some(fits)) return "open";
  assert.fail(`${JSON.stringify(output)} is not allowed here; expected ${JSON.stringify(wanted ?? null)}`);
}

/** The same for what an input gives back. */
function judgeResult(result, item, names) {
  const known = new Map(names);
  if (same(item.result, result, names)) return "goes on";
  if (item.results.some((other) => same(other, result, new Map(known)))) return "open";
  assert.fail(`${JSON.stringify(item.give)} must not give ${JSON.stringify(result)}; expected ${JSON.stringify(item.result)}`);
}

/** The same for all outputs of a step or reaction, in any order. */
function judgeStep(seen, item, names) {
  const fits = (events) => {
    const tried = new Map(names);
    const left = [...seen];
    for (const event of events) {
      const at = left.findIndex((each) => each.action === event.action && same(event.args, each.args ?? {}, tried));
      if (at < 0) return false;
      left.splice(at, 1);
    }
    if (left.length === 0) tried.forEach((value, key) => names.set(key, value));
    return left.length === 0;
  };
  if (fits(item.outputs)) return "goes on";
  if (item.also.some(fits)) return "open";
  assert.fail(`${JSON.stringify(seen)} is not allowed for ${JSON.stringify(item.step ?? "the input")}; expected ${JSON.stringify(item.outputs)}`);
}

async function play(context, settings, items) {
  const implementation = await Implementation.start(settings);
  const names = new Map();
  try {
    for (const item of items) {
      if (item.step) {
        const answer = await implementation.ask({ type: "step", inputs: theirs(item.step, names) }, ["stepped"]);
        if (judgeStep(answer.outputs, item, names) === "open") return context.skip("something else is allowed too");
        continue;
      }
      if (item.outputs) {
        const most = Math.max(...[item.outputs, ...item.also].map((events) => events.length));
        const seen = [];
        while (seen.length < most) {
          const output = await implementation.output(WAIT);
          if (!output) break;
          seen.push(output);
        }
        if (judgeStep(seen, item, names) === "open") return context.skip("something else is allowed too");
        continue;
      }
      if (item.give) {
        const args = theirs(item.give.args, names);
        const answer = await implementation.ask({ type: "input", action: item.give.action, args }, ["accepted", "refused"]);
        for (const early of implementation.waiting) {
          if (judge(early, null, item.also, names) === "open") return context.skip("something else is allowed too");
        }
        assert.equal(answer.type, "accepted", `${JSON.stringify(item.give)} is refused: ${answer.reason}`);
        if ("result" in item && judgeResult(answer.result ?? null, item, names) === "open") {
          return context.skip("something else is allowed too");
        }
        continue;
      }
      const output = await implementation.output(WAIT);
      if (output) {
        if (judge(output, item.see, item.also, names) === "open") return context.skip("something else is allowed too");
      } else if (item.see && item.quiet) {
        return context.skip("nothing came, which is allowed too");
      } else {
        assert.ok(!item.see, `nothing came; expected ${JSON.stringify(item.see)}`);
      }
    }
  } finally {
    implementation.close();
  }
}

@TESTS@
