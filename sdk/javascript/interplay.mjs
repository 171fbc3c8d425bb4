// Connects an implementation to Interplay: describe it as a class, and `serve` speaks the adapter protocol for it.
//
//     import { Refused, System, serve } from "./interplay.mjs";
//
//     class Lock extends System {
//       static inputs = ["enter(code)"];
//       static outputs = ["opened", "refused(mistakes)"];
//       mistakes = 0;                              // every reset makes a new one
//
//       enter({ code }) {                          // may return a value or a promise, or throw an error
//         if (code === 1234) this.emit("opened");
//         else this.emit("refused", { mistakes: ++this.mistakes });
//       }
//     }
//
//     serve(Lock);
//
// A reset closes the present instance and makes a new one; what a retired instance still emits is dropped, so that a late
// callback cannot disturb the next run. `emit` may be called at any time. Outputs that are emitted while an input is being
// handled are sent after its answer, those from a constructor or from `start` after `ready`.
//
// An error that comes out of an input is a crash of the system, and a failure: Interplay is told its type, text and place.
// `Refused` is none: the system does not take the input now, and Interplay judges whether that is right. Nor is an error that the
// specification names (`input withdraw(n: Int) raises Overdrawn`), by its type, a more general one, its `name` or its `code`. One that has
// another name there stands in `raises`, with the result that it means:
//
//     static raises = [[Overdrawn, "overdrawn"], [Busy, Refused]];
//
// A mistake of the adapter itself (an output that was not declared, an input without a method) is no verdict on the system: it
// ends the test, and is told with its place.
//
// While `serve` runs, `console.log` writes to standard error: standard output belongs to the protocol.

import { createInterface } from "node:readline";

const PROTOCOL = 1;

/** The system does not take this input now. */
export class Refused extends Error {}

/** The adapter is wrong; this says nothing about the system. */
class Mistake extends Error {}

/** What an implementation looks like to Interplay. Each reset makes a new instance. */
export class System {
  /** What Interplay calls it in reports; the name of the class if it is empty. @type {string} */
  static title = "";
  /** The inputs, with the names of their parameters: `["enter(code)", "shut"]`. Each is a method. @type {string[]} */
  static inputs = [];
  /** The outputs, likewise. @type {string[]} */
  static outputs = [];
  /** Errors that belong to the contract, each with the result that it means, or `Refused`. @type {[Function, unknown][]} */
  static raises = [];
  /** What Interplay said in `configure`: `setup`, `seed`, `constants`. @type {Record<string, unknown>} */
  static settings = {};

  /** @type {Outbox} */
  static outbox;
  retired = false;

  /**
   * The system did this. At any time.
   * @param {string} action
   * @param {Record<string, unknown>} [args]
   */
  emit(action, args = {}) {
    /** @type {typeof System} */ (this.constructor).outbox.emit(this, action, args);
  }

  /** Called after construction; `ready` waits for the promise. @returns {void | Promise<void>} */
  start() {}

  /** Called before a reset and at the end: stop what this instance started. @returns {void | Promise<void>} */
  close() {}

  // A synchronous system has the method
  //     step(inputs) -> outputs
  // which takes all inputs of one step, as an object of names and arguments, and returns all outputs: an array of names, or
  // an object of names and arguments.
  //
  // Two more methods are optional: `enabled()` returns the names of the inputs that would be taken now (or pairs of a name
  // and arguments); `snapshot()` returns a string that names the present state.
}

/**
 * Speaks the protocol on standard input and output until it ends. Every reset makes a `new system(...args)`.
 * @param {typeof System} system
 * @param {...unknown} args
 * @returns {Promise<void>}
 */
export async function serve(system, ...args) {
  console.log = console.info = console.debug = console.error;
  process.stdout.on("error", () => process.exit(0)); // Interplay is gone; there is nobody to tell.
  const outbox = new Outbox();
  try {
    const session = new Session(system, () => new system(...args), outbox);
    outbox.say(session.hello());
    await converse(session);
  } catch (problem) {
    // Whatever went wrong here is not a verdict on the system.
    outbox.giveUp(problem);
    console.error(problem);
    process.exitCode = 1;
  }
  process.stdin.destroy();
}

/** Until Interplay takes its leave. @param {Session} session */
async function converse(session) {
  try {
    for await (const line of createInterface({ input: process.stdin })) {
      const message = JSON.parse(line);
      if (message.type === "bye") break;
      await session.answer(message);
    }
  } finally {
    await session.retire();
  }
}

/** One conversation. */
class Session {
  /** @type {System | null} */
  present = null;
  /** Whether answers are to say what would be taken next. */
  along = false;
  /** What they said last, as text. */
  said = "";

  /** @param {typeof System} system @param {() => System} make @param {Outbox} outbox */
  constructor(system, make, outbox) {
    this.system = system;
    this.make = make;
    this.outbox = system.outbox = outbox;
    this.inputs = declared(system.inputs);
    this.outputs = outbox.outputs = declared(system.outputs);
    checkClass(system, this.inputs, this.outputs);
  }

  hello() {
    const features = ["ahead", ...["step", "enabled", "snapshot"].filter((name) => name in this.system.prototype)];
    const list = (direction, group) => [...group].map(([name, parameters]) => ({ name, direction, parameters }));
    const actions = [...list("input", this.inputs), ...list("output", this.outputs)];
    return { type: "hello", name: this.system.title || this.system.name, protocol: PROTOCOL, features, actions };
  }

  async answer(message) {
    const { type, id } = message;
    if (type === "configure") {
      const { type: _, ...settings } = message;
      this.system.settings = settings;
      this.along = Boolean(settings.enabled) && "enabled" in this.system.prototype;
    } else if (type === "reset") {
      const before = this.along && this.present && names(await offers(this.present));
      await this.retire();
      this.outbox.hold();
      this.present = this.make();
      await this.present.start();
      this.outbox.say({ type: "ready", id, time: now(), ...(before && { before }), ...(await this.offering()) });
    } else if (["input", "step", "enabled", "snapshot"].includes(type)) {
      if (!this.present) throw new Error(`${type} before the first reset`);
      this.outbox.hold();
      if (type !== "input") return this.outbox.say({ ...(await this[type](this.present, message)), id });
      const before = await this.changed();
      const answer = { ...(await this.input(this.present, message)), id, ...before };
      this.outbox.say(answer.type === "raised" ? answer : { ...answer, ...(await this.offering()) });
    }
  }

  input(system, { action, args = {} }) {
    return this.judged(async () => {
      const parameters = this.inputs.get(action);
      if (!parameters) throw new Refused(`there is no input ${action}`);
      if (!sameNames(parameters, args)) throw new Refused(`${action} takes [${parameters}], not [${Object.keys(args)}]`);
      return { type: "accepted", result: (await system[methodOf(system, action)](args)) ?? null };
    });
  }

  /** The answer, or what an error means by the contract: a result, a refusal, or a crash. */
  async judged(give) {
    try {
      return await give();
    } catch (problem) {
      if (problem instanceof Mistake) throw problem;
      if (problem instanceof Refused) return { type: "refused", reason: problem.message };
      const expected = this.system.settings.raises ?? [];
      if (isSlip(problem, expected)) {
        const slip = new Mistake(`a mistake in the adapter, not in the system: ${problem}`);
        slip.stack = problem.stack;
        throw slip;
      }
      const contract = this.system.raises.find(([kind]) => problem instanceof kind);
      if (!contract) return raised(problem, expected);
      return contract[1] === Refused ? { type: "refused", reason: String(problem) } : { type: "accepted", result: contract[1] };
    }
  }

  /** What would be taken next, if Interplay wants to know that. */
  async offering() {
    if (!this.along) return {};
    const enabled = await offers(this.present);
    this.said = encode(enabled);
    return { enabled };
  }

  /** What would be taken now, if it changed on its own and Interplay wants to know that. */
  async changed() {
    if (!this.along) return {};
    const now = await offers(this.present);
    return encode(now) === this.said ? {} : { before: names(now) };
  }

  step(system, { inputs }) {
    return this.judged(async () => {
      const unknown = inputs.find((event) => !this.inputs.has(event.action));
      if (unknown) throw new Refused(`there is no input ${unknown.action}`);
      const given = Object.fromEntries(inputs.map(({ action, args = {} }) => [action, args]));
      const outputs = (await system.step(given)) ?? [];
      const pairs = Array.isArray(outputs) ? outputs.map((name) => [name, {}]) : Object.entries(outputs);
      pairs.forEach(([action, args]) => checkOutput(this.outputs, action, args));
      return { type: "stepped", outputs: pairs.map(([action, args]) => ({ action, args })) };
    });
  }

  async enabled(system) {
    return { type: "enabled", events: await offers(system) };
  }

  async snapshot(system) {
    return { type: "snapshot", state: String(await system.snapshot()) };
  }

  async retire() {
    const former = this.present;
    this.present = null;
    if (!former) return;
    former.retired = true;
    try {
      await former.close();
    } catch (problem) {
      if (problem instanceof Mistake) throw problem;
      const failed = new Mistake(`\`close\` failed, which says nothing about the system: ${problem}`);
      failed.stack = problem?.stack;
      throw failed;
    }
  }
}

/** The way out. While an answer is being found, outputs wait for it. */
class Outbox {
  /** @type {string[] | null} */
  waiting = null;
  /** @type {Map<string, string[]>} */
  outputs = new Map();
  gaveUp = false;

  emit(system, action, args) {
    const time = now();
    try {
      checkOutput(this.outputs, action, args);
    } catch (mistake) {
      this.giveUp(mistake); // Told at once: whoever called may catch it.
      throw mistake;
    }
    if (system.retired) return;
    const line = encode({ type: "output", action, args, time });
    if (this.waiting) this.waiting.push(line);
    else process.stdout.write(line);
  }

  hold() {
    this.waiting = [];
  }

  /** The adapter cannot go on, with the place where that was found. */
  giveUp(problem) {
    if (this.gaveUp) return;
    this.gaveUp = true;
    const where = place(problem);
    const text = problem instanceof Mistake ? problem.message : String(problem);
    process.stdout.write(encode({ type: "error", message: where ? `${text} (${where})` : text }));
  }

  /** An answer, which comes before all outputs that wait. */
  say(message) {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    process.stdout.write(encode(message) + waiting.join(""));
  }
}

/** What would be taken: names, or names with arguments. */
async function offers(system) {
  return [...(await system.enabled())].map((each) =>
    typeof each === "string" ? { action: each } : { action: each[0], args: each[1] });
}

function names(offers) {
  return offers.map((offer) => offer.action);
}

/** An error that nobody caught came out of an input. The whole stack of one that the specification does not name is for the log. */
function raised(problem, expected) {
  const kinds = kindsOf(problem);
  if (!kinds.some((kind) => expected.includes(kind))) console.error(problem);
  const error = problem instanceof Error ? problem.constructor.name || problem.name : typeof problem;
  const message = problem instanceof Error ? problem.message : String(problem);
  return { type: "raised", error, kinds, message, place: place(problem) };
}

/** A name that is not there, written in the file that was started; unless the specification names the error. */
function isSlip(problem, expected) {
  const [, file] = /^(.*):\d+$/.exec(place(problem)) ?? [];
  return problem instanceof ReferenceError && !expected.includes("ReferenceError") && Boolean(file) && process.argv[1]?.endsWith(file);
}

/** Everything that an error may be called, the nearest first. */
function kindsOf(problem) {
  const kinds = [problem?.name, problem?.code];
  for (let type = problem; type instanceof Object; type = Object.getPrototypeOf(type)) kinds.push(type.constructor?.name);
  return kinds.filter((kind, index) => typeof kind === "string" && kind !== "Object" && kinds.indexOf(kind) === index);
}

/** The innermost place that is neither this file nor Node's own, as seen from the present folder. */
function place(problem) {
  const frames = String(problem?.stack ?? "").match(/(?:file:\/\/|\/)[^\s()]+:\d+:\d+/g) ?? [];
  const frame = frames.find((frame) => !frame.startsWith(import.meta.url));
  const [, file, line] = /^(.*):(\d+):\d+$/.exec((frame ?? "").replace("file://", "")) ?? [];
  if (!file) return "";
  const here = `${process.cwd()}/`;
  return `${file.startsWith(here) ? file.slice(here.length) : file.split("/").slice(-2).join("/")}:${line}`;
}

/** An input that is called as something of the kit has a method with an underscore: `close_`. */
const methodOf = (system, action) => (`${action}_` in system ? `${action}_` : action);

/** What is wrong with an adapter is best found before the first run. */
function checkClass(system, inputs, outputs) {
  const methods = system.prototype;
  for (const name of inputs.keys()) {
    if (outputs.has(name)) throw new Mistake(`\`${name}\` is an input and an output`);
    if (!("step" in methods) && typeof methods[methodOf(methods, name)] !== "function") {
      throw new Mistake(`the input \`${name}\` has no method: write one, or \`step\` for a synchronous system`);
    }
  }
}

/** `["arrived(floor)", "opened"]` by name. @param {string[]} actions @returns {Map<string, string[]>} */
function declared(actions) {
  return new Map(actions.map((action) => {
    const match = /^\s*([^\s(),]+)\s*(?:\((.*)\))?\s*$/.exec(action);
    if (!match) throw new Mistake(`\`${action}\` is no action: write \`opened\` or \`arrived(floor)\``);
    return [match[1], (match[2] ?? "").split(",").map((name) => name.trim()).filter(Boolean)];
  }));
}

/** A mistake in an adapter is best found where it is made. */
function checkOutput(outputs, action, args) {
  const parameters = outputs.get(action);
  if (!parameters) throw new Mistake(`the output \`${action}\` is not declared in \`outputs\``);
  if (!sameNames(parameters, args)) {
    throw new Mistake(`the output \`${action}\` has the parameters [${parameters}], not [${Object.keys(args)}]`);
  }
}

function sameNames(parameters, args) {
  return Object.keys(args).length === parameters.length && parameters.every((name) => name in args);
}

/** Microseconds of a clock that never goes back. */
const now = () => Math.round(performance.now() * 1000);

/** Sets and maps are arrays; everything else is JSON already. */
function encode(message) {
  return JSON.stringify(message, (_, value) => (value instanceof Set || value instanceof Map ? [...value] : value)) + "\n";
}
