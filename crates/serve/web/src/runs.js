// Runs: started, watched, stopped. While the page asks, the run goes on; a page that is closed does not ask any more.

import { ask, at, element } from "./api.js";

const BEAT = 300;

export function runs({ text, walk, file }) {
  let running;

  function fields() {
    const kind = at("kind").value;
    at("sut-label").hidden = kind !== "test";
    at("name-label").firstChild.textContent = kind === "find" ? "Goal " : "Property ";
  }

  async function start(event) {
    event.preventDefault();
    if (running !== undefined) return;
    at("answer").hidden = true;
    at("go").disabled = true;
    const wanted = {
      kind: at("kind").value, text: text(), setup: at("run-setup").value || undefined, name: at("name").value || undefined,
      sut: at("sut").value, seconds: Number(at("seconds").value),
    };
    try {
      ({ id: running } = await ask("run", wanted));
      at("stop").disabled = false;
      await watch(running);
    } catch (problem) {
      at("progress").textContent = problem.message;
    }
    running = undefined;
    at("go").disabled = false;
    at("stop").disabled = true;
  }

  async function watch(id) {
    for (;;) {
      const standing = await ask(`run/${id}`);
      const news = standing.found.length ? `; ${standing.found.at(-1)}` : "";
      at("progress").textContent = standing.done ? "" : (standing.progress || "working") + news;
      plot(standing.samples);
      if (standing.done) return answer(id, standing);
      await new Promise((resolve) => setTimeout(resolve, BEAT));
    }
  }

  function plot(samples) {
    at("plot").toggleAttribute("hidden", samples.length < 3);
    if (samples.length < 3) return;
    const [width, height] = [samples.at(-1)[0], samples.at(-1)[1]];
    const points = samples.map(([x, y]) => `${(400 * x / (width || 1)).toFixed(1)},${(58 - 54 * y / (height || 1)).toFixed(1)}`);
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("points", points.join(" "));
    at("plot").replaceChildren(line);
  }

  function answer(id, standing) {
    at("answer").hidden = false;
    at("verdict").textContent = standing.verdict;
    at("verdict").className = { pass: "good", fail: "bad" }[standing.verdict] ?? "open";
    at("said").textContent = standing.text;
    at("ways").replaceChildren(...standing.ways.map((way) => element("li", {},
      element("span", { class: way.bad ? "bad" : "good" }, way.title),
      element("button", { type: "button", onclick: () => walk(way.steps) }, "Step through"),
      element("button", { type: "button", onclick: () => file(way.scenario) }, "File as scenario"))));
    at("report-link").hidden = at("report").hidden = !standing.report;
    if (standing.report) at("report-link").href = at("report").src = `report/${id}`;
  }

  at("kind").addEventListener("change", fields);
  at("run").addEventListener("submit", start);
  at("stop").addEventListener("click", () => running !== undefined && ask(`run/${running}`, undefined, "DELETE"));
  fields();
}
