// Drives Chromium over its pipe. No package is needed: a page is asked in its own words, and keys are pressed as a person would.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const profile = mkdtempSync(join(tmpdir(), "interplay-browser-"));
const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
  "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"];
const browser = spawn(process.env.CHROMIUM ?? "chromium", options, {
  stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  env: { ...process.env, TMPDIR: profile }, // it leaves something behind when it is killed, with all its processes
  detached: true,
});
browser.on("error", (problem) => fail(`chromium cannot be started (setup/browser installs it): ${problem.message}`));
setTimeout(() => fail("the browser took longer than two minutes"), 120_000).unref();

export function fail(problem) {
  console.error(problem);
  finish(1);
}

export function finish(code) {
  try { process.kill(-browser.pid, "SIGKILL"); } catch { /* it has ended */ }
  setTimeout(() => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    process.exit(code);
  }, 200);
}

// The protocol: messages end with a zero byte.
const waiting = new Map();
let next = 1;
let rest = "";
browser.stdio[4].setEncoding("utf8");
browser.stdio[4].on("data", (data) => {
  const messages = (rest + data).split("\0");
  rest = messages.pop();
  for (const text of messages) {
    const message = JSON.parse(text);
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.error) reject?.(new Error(message.error.message));
    else resolve?.(message.result);
  }
});
function send(method, params = {}, sessionId = undefined) {
  const id = next++;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const { targetId } = await send("Target.createTarget", { url: "about:blank" });
const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
export const ask = (method, params) => send(method, params, sessionId);

export async function value(expression) {
  const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, returnByValue: true });
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
  return result.value;
}

/** Waits until an expression is true in the page. */
export async function until(expression) {
  for (let tries = 0; tries < 600; tries++) {
    // Between two pages there is nothing to ask.
    if (await value(expression).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const page = await value("document.documentElement.outerHTML").catch(() => "no page");
  throw new Error(`never came true: ${expression}\n${page}`);
}

export async function press(key, text = undefined, modifiers = 0) {
  const codes = { Backspace: 8, Tab: 9, Enter: 13, Home: 36, ArrowLeft: 37, ArrowRight: 39, ArrowDown: 40 };
  const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), text, modifiers };
  await ask("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...event });
  await ask("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}
