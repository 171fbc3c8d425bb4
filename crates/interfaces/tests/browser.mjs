// Drives Chromium over its pipe, with keys and nothing else, through a conversation with the guest book.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";

const [address] = process.argv.slice(2);
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

function fail(problem) {
  console.error(problem);
  finish(1);
}

function finish(code) {
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
const ask = (method, params) => send(method, params, sessionId);

async function value(expression) {
  const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, returnByValue: true });
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
  return result.value;
}

/** Waits until an expression is true in the page. */
async function until(expression) {
  for (let tries = 0; tries < 600; tries++) {
    // Between two pages there is nothing to ask.
    if (await value(expression).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const page = await value("document.documentElement.outerHTML").catch(() => "no page");
  throw new Error(`never came true: ${expression}\n${page}`);
}

async function press(key, text = undefined) {
  const codes = { Tab: 9, Enter: 13, ArrowDown: 40 };
  const event = { key, code: key, windowsVirtualKeyCode: codes[key], text };
  await ask("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...event });
  await ask("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

const at = (place) => until(`document.querySelector("h2")?.textContent === ${JSON.stringify(place)} && document.readyState === "complete"`);
const focus = () => value("(document.activeElement.name ?? '') + ' ' + document.activeElement.textContent.trim()");

try {
  await ask("Page.enable");
  await ask("Page.navigate", { url: address });
  await at("Door");
  assert.equal(await value("document.title"), "Guest book");
  assert.equal(await value("document.querySelectorAll('script').length"), 1);
  assert.equal(await focus(), "event enter", "the first button has the focus");
  await press("Enter", "\r");
  await at("Book");

  // A name that would be a script if somebody believed it.
  const name = `<img src=x onerror="document.title='broken'">`;
  assert.equal((await focus()).split(" ")[0], "v2.0", "the first field has the focus");
  assert.equal(await value("document.activeElement.labels.length"), 1, "it has a label");
  await ask("Input.insertText", { text: name });
  await press("Tab");
  assert.equal((await focus()).split(" ")[0], "v3.0");
  await press("ArrowDown");
  await press("ArrowDown");
  await press("ArrowDown");
  assert.equal(await value("document.activeElement.value"), "9");
  await press("Tab");
  assert.equal(await focus(), "do Send");
  await press("Enter", "\r");

  await until(`document.querySelector(".wrong")?.textContent.includes("no room for nine")`);
  assert.equal(await value("document.querySelectorAll('img').length"), 0);
  assert.equal(await value("document.querySelector('[name=\"v2.0\"]').value"), name, "what was given can be corrected");
  assert.equal(await value("document.title"), "Guest book");

  // Somebody else says something; the page follows by itself.
  const session = (await value("location.pathname")).split("/").pop();
  const answer = await fetch(`${address}api/sessions/${session}/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ events: [{ action: "guests", args: { value: "2" } }] }),
  });
  assert.equal(answer.status, 200);
  await at("Door");
  assert.match(await value("document.querySelector('details').textContent"), /onerror.* with 2/);
  assert.equal(await value("document.querySelectorAll('img').length"), 0);

  // Several things at once, in words, and back.
  await value(`document.querySelector('[name="say"]').focus()`);
  await ask("Input.insertText", { text: "enter name Bea guests 1 leave" });
  await press("Enter", "\r");
  await until(`document.querySelector(".ended")`);
  assert.match(await value("document.querySelector('details').textContent"), /Bea with 1/);
  await value(`document.querySelector('[value="back"]').focus()`);
  await press("Enter", "\r");
  await at("Door");
  console.log("all well");
  finish(0);
} catch (problem) {
  fail(problem.stack);
}
