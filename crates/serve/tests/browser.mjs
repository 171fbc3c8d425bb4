// A new user: reads the text, makes a mistake and mends it, steps through the lock by keys, explores it, steps through the failure, files it
// and saves. With a folder as second argument, pictures of the page are kept in it.
import { ask, fail, finish, press, until, value } from "../../testkit/browser/driver.mjs";
import { writeFileSync } from "node:fs";
import assert from "node:assert/strict";

const [address, pictures] = process.argv.slice(2);
const ALT = 1, CONTROL = 2;

const size = (width, height) => ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });

async function picture(name, width = 1280, height = 800, scheme = "light") {
  if (!pictures) return;
  await size(width, height);
  await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  await new Promise((resolve) => setTimeout(resolve, 400));
  const { data } = await ask("Page.captureScreenshot", { format: "png" });
  writeFileSync(`${pictures}/${name}.png`, Buffer.from(data, "base64"));
  await size(1280, 800);
}

const text = (id) => value(`document.getElementById("${id}").textContent`);
const chosen = (words) => until(`[...document.querySelectorAll("#choices button")].map((each) => each.lastChild.textContent).join(" ") === "${words}"`);

try {
  await ask("Page.enable");
  await size(1280, 800);
  const began = Date.now();
  await ask("Page.navigate", { url: address });
  await until(`document.getElementById("problems")?.textContent === "no problems"`);
  console.log(`first view with its diagnostics: ${Date.now() - began} ms`);
  assert.equal(await text("system"), "Lock");
  await chosen("enter(1) enter(2) silence");
  await picture("start");

  // A mistake while typing, seen and taken back.
  await press("1", undefined, ALT);
  assert.equal(await value(`document.activeElement.classList.contains("cm-content")`), true);
  await ask("Input.insertText", { text: "nonsense " });
  await until(`document.getElementById("problems").textContent.includes("error")`);
  await until(`document.querySelector(".cm-lintRange-error") !== null`);
  await picture("mistake");
  for (let i = 0; i < "nonsense ".length; i++) await press("Backspace");
  await until(`document.getElementById("problems").textContent === "no problems"`);
  assert.equal(await text("save"), "Saved");

  // The simulator by keys: one wrong number, the right one, back, and another way.
  await press("2", undefined, ALT);
  await press("1", "1");
  await until(`document.querySelectorAll("#way li").length === 2`);
  assert.match(await text("way"), /wrong/);
  await press("2", "2");
  await chosen("shut silence");
  await picture("simulator");
  await press("ArrowLeft");
  await chosen("enter(1) enter(2) silence");
  await press("1", "1");
  await until(`document.querySelectorAll("#way li").length === 3`);

  // Everything is explored; the failure is stepped through and filed.
  await press("3", undefined, ALT);
  await value(`document.getElementById("go").focus()`);
  await press("Enter", "\r");
  await until(`document.getElementById("verdict").textContent === "fail"`);
  assert.match(await text("said"), /patient/);
  assert.match(await text("ways"), /patient is violated/);
  await until(`document.getElementById("report").src.includes("/report/")`);
  await picture("failure", 1280, 1400);
  await picture("failure-dark", 1280, 1400, "dark");
  await picture("failure-phone", 400, 900);
  await value(`document.querySelector("#ways button").click()`);
  await until(`document.querySelectorAll("#way li").length === 4`);
  await picture("counterexample");
  await value(`document.getElementById("keep").click()`);
  await until(`document.querySelector(".cm-content").textContent.includes("scenario")`);
  await press("s", undefined, CONTROL);
  await until(`document.getElementById("save").textContent === "Saved"`);

  // An implementation that keeps to it.
  await value(`document.getElementById("tab-runs").click()`);
  await value(`document.getElementById("kind").value = "test"; document.getElementById("kind").dispatchEvent(new Event("change"))`);
  assert.equal(await value(`document.getElementById("sut").value`), "model:lock.play");
  await value(`document.getElementById("seconds").value = "2"`);
  await value(`document.getElementById("go").click()`);
  await until(`document.getElementById("answer").hidden === false && document.getElementById("verdict").textContent !== ""`);
  assert.match(await text("said"), /runs/);
  await picture("test", 1280, 1000, "dark");

  // On a phone: one pane at a time, and nothing is wider than the screen.
  for (const pane of ["text", "walk", "runs"]) {
    await size(400, 800);
    await until(`matchMedia("(max-width: 800px)").matches`);
    await value(`document.getElementById("tab-${pane}").click()`);
    assert.equal(await value(`["text", "walk", "runs"].filter((each) => !document.getElementById(each).hidden).join()`), pane);
    assert.ok(await value(`document.documentElement.scrollWidth <= 400`), `${pane} is too wide`);
    await picture(`phone-${pane}`, 400, 800, pane === "walk" ? "dark" : "light");
  }
  console.log("all well");
  finish(0);
} catch (problem) {
  fail(problem.stack);
}
