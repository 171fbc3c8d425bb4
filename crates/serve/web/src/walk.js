// The simulator. The page knows the way; the server says where it leads. Going back is the same question with a shorter way, and going
// another way from there is a branch: what came later is forgotten only then.

import { ask, at, element } from "./api.js";

const KEYS = "123456789";

export function simulator({ text, file }) {
  let way = [];
  let here = 0;
  let place;
  let asked = 0;

  async function show() {
    const mine = ++asked;
    const setup = at("walk-setup").value || undefined;
    let answer;
    try {
      answer = await ask("walk", { text: text(), setup, steps: way.slice(0, here) });
    } catch (problem) {
      if (mine !== asked) return;
      place = undefined;
      complain(problem.message);
      at("choices").replaceChildren();
      return;
    }
    if (mine !== asked) return;
    place = answer;
    if (answer.stuck !== null) {
      way = answer.steps;
      here = way.length;
    }
    complain([...(answer.stuck === null ? [] : [`this cannot happen here: ${answer.stuck}`]), ...answer.problems].join("\n"));
    choices();
    states();
    steps();
    at("undo").disabled = at("restart").disabled = here === 0;
    at("redo").disabled = here === way.length;
    at("keep").disabled = here === 0;
  }

  function complain(problem) {
    at("walk-problem").textContent = problem;
    at("walk-problem").hidden = problem === "";
  }

  function choices() {
    const list = [];
    let group;
    place.choices.forEach((choice, index) => {
      if (choice.group !== group) list.push(element("h3", {}, choice.group));
      group = choice.group;
      const key = KEYS[index];
      const keyboard = key ? [element("kbd", {}, key)] : [];
      list.push(element("button", { onclick: () => take(choice.text) }, ...keyboard, choice.text));
    });
    if (list.length === 0) list.push(element("p", {}, "nothing: this is an end"));
    at("choices").replaceChildren(...list);
  }

  function states() {
    const changed = new Set((place.changes.at(-1) ?? []).map((line) => line.split(/[:= ]/)[0]));
    const shown = place.states.map((lines) => {
      const rows = lines.map((line) => {
        const row = changed.has(line.split(/[:= ]/)[0]) ? element("mark", {}, line) : element("span", {}, line);
        return [row, "\n"];
      });
      return element("pre", {}, ...rows.flat());
    });
    const several = place.states.length > 1 ? [element("p", {}, `${place.states.length} states are possible`)] : [];
    at("state").replaceChildren(...several, ...shown);
  }

  function steps() {
    const start = element("li", { class: here === 0 ? "now" : "", onclick: () => go(0) }, "start");
    const rows = way.map((step, index) => {
      const kind = index + 1 === here ? "now" : index + 1 > here ? "later" : "";
      const changes = (place.changes[index] ?? []).map((line) => element("span", { class: "change" }, line));
      return element("li", { class: kind, onclick: () => go(index + 1) }, `${index + 1}. ${step}`, ...changes);
    });
    at("way").replaceChildren(start, ...rows);
    at("way").querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }

  function take(step) {
    way = [...way.slice(0, here), step];
    here = way.length;
    const focused = document.activeElement?.closest?.("#choices");
    return show().then(() => { if (focused) at("choices").querySelector("button")?.focus(); });
  }

  function go(position) {
    here = Math.max(0, Math.min(position, way.length));
    return show();
  }

  at("undo").addEventListener("click", () => go(here - 1));
  at("redo").addEventListener("click", () => go(here + 1));
  at("restart").addEventListener("click", () => go(0));
  at("walk-setup").addEventListener("change", () => { way = []; go(0); });
  at("keep").addEventListener("click", () => file(place.scenario));
  at("walk").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
    const index = KEYS.indexOf(event.key);
    const moves = { ArrowLeft: -1, Backspace: -1, ArrowRight: 1 };
    if (index >= 0 && place?.choices[index]) take(place.choices[index].text);
    else if (event.key in moves) go(here + moves[event.key]);
    else if (event.key === "Home") go(0);
    else return;
    event.preventDefault();
  });

  return {
    /** After a change of the text: the same way, as far as it still goes. */
    refresh: show,
    /** Another way, to be scrubbed from its end. */
    load(steps) {
      way = steps;
      here = steps.length;
      return show();
    },
  };
}
