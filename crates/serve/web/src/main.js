// The page: one text, a simulator and runs, side by side or, on a narrow screen, one at a time.

import { ask, at, options } from "./api.js";
import { editor } from "./editor.js";
import { runs } from "./runs.js";
import { simulator } from "./walk.js";

const panes = ["text", "walk", "runs"];
const narrow = matchMedia("(max-width: 800px)");
let shown = "walk";

function pane(name) {
  shown = name;
  for (const each of panes) {
    const isShown = each === shown || (each === "text" && !narrow.matches);
    at(each).hidden = !isShown;
    at(`tab-${each}`).setAttribute("aria-selected", String(each === shown));
    at(`tab-${each}`).tabIndex = each === shown ? 0 : -1;
  }
}

function message(text) {
  at("message").textContent = text;
  at("message").hidden = text === "";
}

async function open() {
  const opened = await ask("open");
  let { base } = opened;
  let saved = opened.text;
  at("file").textContent = opened.file;
  if (opened.sut) at("sut").value = opened.sut;

  const isChanged = () => page.text() !== saved;
  const mark = () => { at("save").textContent = isChanged() ? "Save •" : "Saved"; at("save").disabled = !isChanged(); };

  async function save() {
    const text = page.text();
    try {
      ({ base } = await ask("save", { text, base }));
      saved = text;
      message("");
    } catch (problem) {
      message(problem.message);
      // Whoever saves again has been told.
      base = (await ask("open").catch(() => ({ base }))).base;
    }
    mark();
  }

  async function format() {
    try {
      page.replace((await ask("format", { text: page.text() })).text);
      message("");
    } catch (problem) {
      message(problem.message);
    }
  }

  function checked(answer) {
    if (answer.problem) return message(answer.problem.message);
    const count = (severity) => answer.diagnostics.filter((each) => each.severity === severity).length;
    const [errors, warnings] = [count("error"), count("warning")];
    const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    at("problems").textContent = errors ? plural(errors, "error") : warnings ? plural(warnings, "warning") : "no problems";
    at("problems").className = errors ? "bad" : warnings ? "open" : "good";
    at("system").textContent = answer.system ?? "Interplay";
    document.title = answer.system ? `${answer.system} · Interplay` : "Interplay";
    const setups = [["", answer.setups.length === 1 ? `${answer.setups[0]} (the only one)` : "by default"], ["none", "none"]];
    const all = [...setups, ...answer.setups.map((name) => [name, name])];
    options(at("walk-setup"), all);
    options(at("run-setup"), all);
    names = answer;
    named();
    if (!errors) walks.refresh();
  }

  let names = { properties: [], goals: [] };
  const named = () => options(at("name"), [["", "all"], ...(at("kind").value === "find" ? names.goals : names.properties).map((name) => [name, name])]);
  at("kind").addEventListener("change", named);

  const file = (scenario) => { page.append(`\n${scenario}`); pane(narrow.matches ? "text" : shown); };
  const text = () => page.text();
  const walks = simulator({ text, file });
  runs({ text, file, walk: (steps) => { pane("walk"); walks.load(steps); at("way").focus(); } });
  const page = editor(at("text"), opened.text, { changed: mark, checked, save, format });
  mark();
  at("save").addEventListener("click", save);
  at("format").addEventListener("click", format);
  addEventListener("keydown", (event) => {
    const index = event.altKey && !event.shiftKey ? ["1", "2", "3"].indexOf(event.key) : -1;
    if (index >= 0) {
      pane(panes[index]);
      if (index === 0) page.focus();
      else at(index === 1 ? "choices" : "run").querySelector("button, select")?.focus();
      event.preventDefault();
    } else if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      if (isChanged()) save();
    }
  });
  addEventListener("beforeunload", (event) => { if (isChanged()) event.preventDefault(); });
}

for (const name of panes) at(`tab-${name}`).addEventListener("click", () => pane(name));
document.querySelector("nav").addEventListener("keydown", (event) => {
  const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!move) return;
  const there = narrow.matches ? panes : panes.slice(1);
  const next = there[(there.indexOf(shown) + move + there.length) % there.length];
  pane(next);
  at(`tab-${next}`).focus();
});
narrow.addEventListener("change", () => {
  const isWriting = at("text").contains(document.activeElement);
  pane(narrow.matches ? (isWriting ? "text" : shown) : shown === "text" ? "walk" : shown);
});
pane(narrow.matches ? "text" : "walk");
open().catch((problem) => message(problem.message));
