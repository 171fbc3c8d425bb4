// A conversation with the guest book, with keys and nothing else.
import { ask, fail, finish, press, until, value } from "../../testkit/browser/driver.mjs";
import assert from "node:assert/strict";

const [address] = process.argv.slice(2);

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
