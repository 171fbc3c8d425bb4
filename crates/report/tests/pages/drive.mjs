// Opens a report in Chromium over a pipe (the DevTools protocol, no port, no library), uses it, and prints what it saw as JSON.
//   node drive.mjs CHROMIUM FILE
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [browser, file] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "interplay-browser-"));
const child = spawn(browser, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
  "--no-first-run", "--disable-extensions", "--disable-background-networking", `--user-data-dir=${profile}`, "about:blank"],
  // It leaves something behind when it is killed.
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, TMPDIR: profile }, detached: true });
const end = (code) => {
  try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ }
  setTimeout(() => { try { rmSync(profile, { recursive: true, force: true, maxRetries: 5 }); } catch { /* it is a temporary folder */ } process.exit(code); }, 100);
};
setTimeout(() => { console.error("the browser takes too long"); end(1); }, 80_000);
child.on("exit", (code) => { if (!done) { console.error(`the browser ended: ${code}`); process.exit(1); } });

let done = false, next = 0, left = "";
const waiting = new Map(), listeners = [];
const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
  const id = ++next;
  waiting.set(id, { resolve, reject, method });
  child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
});
child.stdio[4].on("data", (bytes) => {
  const parts = (left + bytes).split("\0");
  left = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.id) {
      const { resolve, reject, method } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(`${method}: ${message.error.message}`)); else resolve(message.result);
    } else for (const listen of listeners) listen(message);
  }
});
const event = (name) => new Promise((resolve) => { listeners.push((message) => { if (message.method === name) resolve(message.params); }); });

try {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  const errors = [], requests = [];
  const wanted = pathToFileURL(file).href;
  listeners.push(({ method, params }) => {
    if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && params.request.url !== wanted && !params.request.url.startsWith("about:")) requests.push(params.request.url);
  });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await page(`${domain}.enable`);
  const size = (width) => page("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
  const scheme = (value) => page("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
  const ask = async (expression) => {
    const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  };
  const press = async (key) => {
    const text = key.length === 1 ? key : undefined;
    await page("Input.dispatchKeyEvent", { type: "keyDown", key, text });
    await page("Input.dispatchKeyEvent", { type: "keyUp", key });
  };
  const painted = () => ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");

  await size(1400);
  await scheme("light");
  const seen = {};
  const start = performance.now(), loaded = event("Page.loadEventFired");
  await page("Page.navigate", { url: wanted });
  await loaded;
  await painted();
  seen.opened = Math.round(performance.now() - start);
  seen.ready = await ask("document.documentElement.dataset.ready === 'yes'");
  seen.title = await ask("document.title");
  seen.verdict = await ask("document.getElementById('verdict').textContent");
  seen.rows = await ask("document.querySelectorAll('.chart li').length");
  seen.scripts = await ask("document.scripts.length");
  seen.images = await ask("document.images.length");

  const here = () => ask("document.querySelector('.chart li.here')?.id");
  const zoom = () => ask("Number(document.querySelector('.chart').style.getPropertyValue('--zoom') || 1)");
  const asked = performance.now();
  await press("j");
  seen.keys = { down: await here() };
  await painted();
  await press("End");
  seen.keys.end = await here();
  await press("+");
  seen.keys.zoomed = await zoom();
  await press("0");
  await painted();
  seen.keys.fitted = await zoom();
  await press("1");
  await painted();
  seen.answered = Math.round(performance.now() - asked);
  await press("m");
  seen.keys.miss = await ask("document.querySelector('.listing tr.here')?.id");

  await press("g");
  for (let tries = 0; tries < 100 && !(await ask("Boolean(document.querySelector('.graph iframe')?.contentDocument?.getElementById('status')?.textContent)")); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  seen.graph = await ask(`(() => {
    const inside = document.querySelector('.graph iframe')?.contentDocument, data = JSON.parse(inside.getElementById('data').textContent);
    return { states: data.views[0].nodes.length, missed: data.visited.filter((visited) => !visited).length, status: inside.getElementById('status').textContent };
  })()`);

  const back = () => ask("getComputedStyle(document.body).backgroundColor");
  seen.light = await back();
  await scheme("dark");
  seen.dark = await back();
  seen.overflow = {};
  for (const width of [360, 800, 1400]) {
    await size(width);
    await painted();
    seen.overflow[width] = await ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }
  await page("Emulation.setEmulatedMedia", { media: "print" });
  seen.printed = { scrolls: await ask("(() => { const box = document.querySelector('.chart .scroll'); return box.scrollHeight > box.clientHeight + 2; })()") };
  seen.errors = errors;
  seen.requests = requests;
  done = true;
  console.log(JSON.stringify(seen));
  end(0);
} catch (error) {
  console.error(error.stack);
  done = true;
  end(1);
}
