"use strict";
// What a page cannot do by itself: zoom and keys for charts, copying, the next rule that never fired, the graph when it is seen.
(() => {
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const sections = all("main > section"), charts = all(".chart");
  for (const each of all(".buttons[hidden], button[data-copy][hidden]")) each.hidden = false;

  // ---- charts ----------------------------------------------------------------------------------------------------
  const LEAST = 0.12, MOST = 3;
  const scrollOf = (chart) => chart.querySelector(".scroll");
  const zoomOf = (chart) => Number(chart.style.getPropertyValue("--zoom") || 1);
  function zoom(chart, size) {
    const box = scrollOf(chart), middle = (box.scrollTop + box.clientHeight / 2) / Math.max(1, box.scrollHeight);
    chart.style.setProperty("--zoom", Math.min(MOST, Math.max(LEAST, size)).toFixed(3));
    box.scrollTop = middle * box.scrollHeight - box.clientHeight / 2;
  }
  function fit(chart) {
    const box = scrollOf(chart), rows = Math.max(1, all("li", box).length);
    zoom(chart, Math.min(1, box.clientHeight / (rows * 14 * 1.95 + 60)));
  }
  const zooms = { smaller: (chart) => zoom(chart, zoomOf(chart) * 0.8), larger: (chart) => zoom(chart, zoomOf(chart) * 1.25), fit, usual: (chart) => zoom(chart, 1) };
  function choose(chart, row) {
    if (!row) return;
    for (const old of all("li.here", chart)) old.classList.remove("here");
    row.classList.add("here");
    row.scrollIntoView({ block: "nearest" });
  }
  function step(chart, by) {
    const rows = all("li", chart), here = rows.findIndex((row) => row.classList.contains("here"));
    choose(chart, rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, here + by))]);
  }
  for (const chart of charts) {
    for (const button of all("[data-zoom]", chart)) button.onclick = () => zooms[button.dataset.zoom](chart);
    for (const button of all("[data-changes]", chart)) {
      button.onclick = () => button.setAttribute("aria-pressed", String(!chart.classList.toggle("bare")));
    }
    for (const button of all("[data-wrong]", chart)) button.onclick = () => choose(chart, all("li", chart).at(-1));
    scrollOf(chart).addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(chart, zoomOf(chart) * Math.exp(-event.deltaY * 0.002));
    }, { passive: false });
    chart.addEventListener("click", (event) => { const row = event.target.closest("li"); if (row) choose(chart, row); });
  }
  // The chart with the focus; otherwise the first that is in sight.
  const inSight = (element) => { const box = element.getBoundingClientRect(); return box.bottom > 60 && box.top < innerHeight - 60; };
  const chartNow = () => document.activeElement?.closest(".chart") || charts.find(inSight) || charts[0];

  // ---- copying ---------------------------------------------------------------------------------------------------
  for (const button of all("[data-copy]")) {
    const block = button.closest("figure").querySelector("pre");
    button.onclick = async () => {
      try { await navigator.clipboard.writeText(block.textContent); button.textContent = "Copied"; } catch {
        getSelection().selectAllChildren(block); button.textContent = "Selected: copy it";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
  }

  // ---- the text --------------------------------------------------------------------------------------------------
  function nextMiss() {
    const rows = all(".listing tr.miss").filter((row) => !row.previousElementSibling?.classList.contains("miss") || row.querySelector(".count").textContent);
    if (!rows.length) return;
    const here = rows.findIndex((row) => row.classList.contains("here"));
    for (const row of rows) row.classList.remove("here");
    const row = rows[(here + 1) % rows.length];
    row.classList.add("here");
    row.scrollIntoView({ block: "center" });
  }
  for (const button of all("[data-miss]")) button.onclick = nextMiss;

  // ---- the graph -------------------------------------------------------------------------------------------------
  const frame = document.querySelector(".graph iframe"), stored = document.getElementById("graph-page");
  function openGraph() {
    if (!frame || frame.srcdoc) return;
    frame.hidden = false;
    frame.srcdoc = JSON.parse(stored.textContent);
  }
  if (frame) {
    frame.hidden = false;
    new IntersectionObserver((entries, observer) => {
      if (entries.some((entry) => entry.isIntersecting)) { observer.disconnect(); openGraph(); }
    }, { rootMargin: "400px" }).observe(frame);
  }

  // ---- where we are ----------------------------------------------------------------------------------------------
  const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
  const sectionNow = () => { const above = sections.filter((section) => section.getBoundingClientRect().top < 120); return above.length - 1; };
  let asked = false;
  function here() {
    asked = false;
    const now = Math.max(0, sectionNow());
    sections.forEach((section, index) => links.get(section.id)?.classList.toggle("here", index === now));
  }
  addEventListener("scroll", () => { if (!asked) { asked = true; requestAnimationFrame(here); } }, { passive: true });
  here();
  function go(section) { if (section) { section.scrollIntoView(); section.focus({ preventScroll: true }); } }

  const dialog = document.getElementById("keys");
  const keys = {
    n: () => go(sections[Math.min(sections.length - 1, sectionNow() + 1)]),
    p: () => go(sections[Math.max(0, sectionNow() - 1)]),
    j: () => step(chartNow(), 1), k: () => step(chartNow(), -1),
    "+": () => zooms.larger(chartNow()), "=": () => zooms.larger(chartNow()), "-": () => zooms.smaller(chartNow()), 0: () => fit(chartNow()), 1: () => zoom(chartNow(), 1),
    End: () => choose(chartNow(), all("li", chartNow()).at(-1)), Home: () => choose(chartNow(), all("li", chartNow())[0]),
    m: nextMiss, g: () => { go(document.getElementById("graph")); openGraph(); }, "?": () => dialog.showModal(),
  };
  const ofCharts = ["j", "k", "+", "=", "-", "0", "1", "End", "Home"];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || !Object.hasOwn(keys, event.key)) return;
    if (event.target.closest("input, select, textarea") || (ofCharts.includes(event.key) && !charts.length)) return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener("beforeprint", () => { for (const each of all("details")) each.open = true; });
  document.documentElement.dataset.ready = "yes";
})();
