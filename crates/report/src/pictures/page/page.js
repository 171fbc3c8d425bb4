"use strict";
// Draws the views of the data on a canvas and tells the rest beside it. All places come with the data.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (number) => data.strings[number];
  const at = (id) => document.getElementById(id);
  const canvas = at("canvas"), stage = at("stage"), pen = canvas.getContext("2d");
  const KINDS = ["input", "output", "internal", "timeout"];
  const DASHES = [[], [7, 4], [1.5, 3.5], [9, 3, 1.5, 3]];
  const ENDINGS = ["", "may end here", "ends here", "is stuck here: it ends, but must not"];
  const LISTED = 200; // entries of a list
  const CROWD = 120, CRUSH = 300, PATH = 40; // arcs in sight from which less is drawn, and in one path
  const NODE = 0.38, LABEL = 0.6, HEADS = 0.3; // scales from which texts, labels and arrow heads are drawn

  // ---- the data of a view, made ready once --------------------------------------------------------------------
  const views = data.views.map((raw) => ({ raw, ready: false }));

  function prepare(view) {
    if (view.ready) return view;
    const { raw } = view;
    view.nodes = raw.nodes.map(([name, x, y, w, h, passive, ending, group, lines, caption], index) => ({
      index, name: text(name), x, y, w, h, passive, ending, group,
      lines: lines.map(text), caption: [shortened(text(name), 24), ...caption.map(text)], out: [], into: [], initial: false,
    }));
    for (const node of view.nodes) node.words = [node.name, ...node.lines].join("\n").toLowerCase();
    view.arcs = raw.arcs.map(([from, to, kind, labels, points, lx, ly], index) => {
      const steps = [];
      for (let i = 0; i < labels.length; i += 2) steps.push({ label: text(labels[i]), action: text(labels[i + 1]) });
      const arc = { index, from, to, kind, steps, points, lx, ly, ...bounds(points) };
      view.nodes[from].out.push(arc);
      view.nodes[to].into.push(arc);
      return arc;
    });
    view.groups = raw.groups.map(([name, inside, area], index) => ({ index, name: text(name), inside, area, count: 0 }));
    for (const node of view.nodes) for (const group of around(view, node.group)) group.count++;
    for (const index of raw.initial) view.nodes[index].initial = true;
    view.actions = [...new Set(view.arcs.flatMap((arc) => arc.steps.map((step) => step.action)))].sort();
    view.folded = new Set();
    // Whether a test has been there is known of single states only.
    const known = view === views[0] && data.visited.length > 0;
    for (const node of view.nodes) node.missed = known && !data.visited[node.index];
    shortest(view);
    view.ready = true;
    return view;
  }

  function bounds(points) {
    let left = Infinity, top = Infinity, right = -Infinity, low = -Infinity;
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]); right = Math.max(right, points[i]);
      top = Math.min(top, points[i + 1]); low = Math.max(low, points[i + 1]);
    }
    return { left, top, right, low };
  }

  function around(view, group) {
    const found = [];
    for (let at = group; at !== null && at !== undefined; at = view.groups[at].inside) found.push(view.groups[at]);
    return found;
  }

  // Breadth-first: each state remembers the arc by which it was first reached.
  function shortest(view) {
    const queue = [...view.raw.initial];
    for (const index of queue) view.nodes[index].far = 0;
    for (let next = 0; next < queue.length; next++) {
      const node = view.nodes[queue[next]];
      for (const arc of node.out) {
        const target = view.nodes[arc.to];
        if (target.far === undefined) { target.far = node.far + 1; target.by = arc; queue.push(arc.to); }
      }
    }
  }

  function wayTo(node) {
    const way = [];
    for (let arc = node.by; arc; arc = now.view.nodes[arc.from].by) way.unshift(arc);
    return way;
  }

  // ---- what is shown now ----------------------------------------------------------------------------------------
  const now = { view: null, selected: null, way: new Set(), search: "", found: [], foundNodes: new Set(),
    foundArcs: new Set(), step: -1, fitted: true, hidden: new Set(), camera: { x: 0, y: 0, scale: 1 }, lifted: [], colours: {} };

  function show(index) {
    now.view = prepare(views[index]);
    now.selected = null;
    at("view").value = String(index);
    const note = now.view.raw.note;
    at("note").hidden = !note;
    at("note").textContent = note;
    const fold = now.view.groups.some((group) => group.area);
    at("fold").hidden = !fold;
    now.hidden = new Set([...now.hidden].filter((action) => now.view.actions.includes(action)));
    listActions();
    refold();
    search(now.search, false);
    select(null, false);
    resize();
    fit();
  }

  function select(node, centre = true) {
    now.selected = node;
    now.way = new Set(node ? wayTo(node) : []);
    if (node) {
      let opened = false;
      for (const group of around(now.view, node.group)) opened = now.view.folded.delete(group.index) || opened;
      if (opened) refold();
      if (centre) lookAt(node);
    }
    tell();
    remember();
    draw();
  }

  function search(query, jump = true) {
    now.search = query;
    const wanted = query.trim().toLowerCase();
    now.foundNodes = new Set(); now.foundArcs = new Set(); now.found = []; now.step = -1;
    if (wanted) {
      for (const node of now.view.nodes) if (node.words.includes(wanted)) now.foundNodes.add(node);
      for (const arc of now.view.arcs) {
        if (visible(arc) && arc.steps.some((step) => step.label.toLowerCase().includes(wanted))) now.foundArcs.add(arc);
      }
      now.found = [...[...now.foundNodes].map((node) => ({ node })), ...[...now.foundArcs].map((arc) => ({ arc, node: now.view.nodes[arc.to] }))];
    }
    listFound();
    if (jump) remember();
    draw();
  }

  function goToFound(by) {
    if (!now.found.length) return;
    now.step = (now.step + by + now.found.length) % now.found.length;
    select(now.found[now.step].node);
    at("status").textContent = `${now.step + 1} of ${now.found.length} found`;
  }

  const visible = (arc) => now.hidden.size === 0 || arc.steps.some((step) => !now.hidden.has(step.action));

  // The outermost folded group that a state has vanished into, if any.
  function foldedInto(node) {
    let found = null;
    for (const group of around(now.view, node.group)) if (now.view.folded.has(group.index)) found = group;
    return found;
  }

  const foldedArea = (group) => {
    const [x, y, w, h] = group.area;
    const width = Math.min(Math.max(90, shortened(group.name, 28).length * 6.7 + 30), Math.max(w, 90));
    return { x: x + w / 2, y: y + h / 2, w: width, h: 44 };
  };

  // Arcs into and out of folded groups run between the middles, one for each pair and kind.
  function refold() {
    const known = new Map();
    for (const node of now.view.nodes) node.folded = now.view.folded.size ? foldedInto(node) : null;
    for (const arc of now.view.arcs) {
      const from = now.view.nodes[arc.from], to = now.view.nodes[arc.to];
      arc.lifted = Boolean(from.folded || to.folded);
      if (!arc.lifted || (from.folded && from.folded === to.folded)) continue;
      const a = from.folded ? foldedArea(from.folded) : from, b = to.folded ? foldedArea(to.folded) : to;
      const key = [from.folded ? `g${from.folded.index}` : from.index, to.folded ? `g${to.folded.index}` : to.index, arc.kind].join();
      const lifted = known.get(key) || { a, b, kind: arc.kind, arcs: [] };
      lifted.arcs.push(arc);
      known.set(key, lifted);
    }
    now.lifted = [...known.values()];
    at("fold").textContent = now.view.folded.size ? "Unfold groups" : "Fold groups";
    listGroups();
  }

  function toggle(group) {
    if (!now.view.folded.delete(group.index)) now.view.folded.add(group.index);
    refold();
    draw();
  }

  // ---- drawing ---------------------------------------------------------------------------------------------------
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["back", "ink", "faint", "active", "passive", "line", "box", "edge", "chosen", "found", ...KINDS]) {
      now.colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  function resize(ratio = window.devicePixelRatio || 1) {
    const { width, height } = stage.getBoundingClientRect();
    now.width = Math.max(1, width); now.height = Math.max(1, height); now.ratio = ratio;
    canvas.width = Math.round(now.width * ratio); canvas.height = Math.round(now.height * ratio);
  }

  let asked = false;
  function draw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; paint(); });
  }

  function paint() {
    const { camera, colours, view } = now, scale = camera.scale;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = colours.back;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(scale * now.ratio, 0, 0, scale * now.ratio, -camera.x * scale * now.ratio, -camera.y * scale * now.ratio);
    const sight = { left: camera.x, top: camera.y, right: camera.x + now.width / scale, low: camera.y + now.height / scale };
    const seen = (box) => box.left <= sight.right && box.right >= sight.left && box.top <= sight.low && box.low >= sight.top;
    for (const group of view.groups) if (group.area && !hiddenGroup(group)) paintGroup(group, scale);
    const arcs = view.arcs.filter((arc) => !arc.lifted && visible(arc) && seen(arc));
    const quiet = now.search.trim() !== "" && now.found.length > 0;
    // In a crowd, only what has to do with the selected state and with the search is drawn in full.
    const crowded = arcs.length > CROWD, near = (arc) => arc.from === now.selected?.index || arc.to === now.selected?.index;
    const told = (arc) => near(arc) || now.way.has(arc) || now.foundArcs.has(arc);
    const alpha = crowded && now.selected ? 0.12 : quiet ? 0.3 : scale < 0.15 ? Math.min(1, Math.max(0.07, 1500 / arcs.length)) : 1;
    const byKind = (wanted, alpha) => {
      for (let kind = 0; kind < 4; kind++) paintArcs(arcs.filter((arc) => arc.kind === kind && wanted(arc)), kind, scale, alpha);
    };
    byKind((arc) => !near(arc), alpha);
    byKind(near, 1);
    paintLifted(scale);
    paintChosen(arcs.filter((arc) => now.way.has(arc)), colours.chosen, scale);
    paintChosen(arcs.filter((arc) => now.foundArcs.has(arc)), colours.found, scale);
    if (scale >= LABEL && !crowded) paintLabels(arcs);
    const inSight = view.nodes.filter((node) => !node.folded && node.x + node.w / 2 >= sight.left && node.x - node.w / 2 <= sight.right
      && node.y + node.h / 2 >= sight.top - 20 && node.y - node.h / 2 <= sight.low + 20);
    for (const node of inSight) paintNode(node, scale, quiet && !now.foundNodes.has(node) && node !== now.selected);
    if (scale >= LABEL && crowded) paintLabels(arcs.filter(told));
  }

  const hiddenGroup = (group) => around(now.view, group.inside).some((outer) => now.view.folded.has(outer.index));

  function paintGroup(group, scale) {
    const folded = now.view.folded.has(group.index);
    let [x, y, w, h] = group.area;
    if (folded) { const area = foldedArea(group); [x, y, w, h] = [area.x - area.w / 2, area.y - area.h / 2, area.w, area.h]; }
    pen.setLineDash([]);
    pen.lineWidth = folded ? 2 : 1 / Math.min(1, scale);
    pen.fillStyle = now.colours.box;
    pen.strokeStyle = folded ? now.colours.line : now.colours.edge;
    pen.beginPath(); pen.roundRect(x, y, w, h, 8); pen.fill(); pen.stroke();
    if (scale < NODE) return;
    pen.fillStyle = now.colours.faint;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "left"; pen.textBaseline = "alphabetic";
    pen.fillText(`${folded ? "▸" : "▾"} ${shortened(group.name, Math.max(6, Math.floor(w / 6.5)))}`, x + 8, y + 16);
    if (folded) pen.fillText(`${group.count} states`, x + 19, y + 33);
  }

  function trace(points) {
    pen.moveTo(points[0], points[1]);
    const last = points.length - 2;
    for (let i = 2; i < last; i += 2) {
      const end = i + 2 >= last;
      pen.quadraticCurveTo(points[i], points[i + 1], end ? points[last] : (points[i] + points[i + 2]) / 2, end ? points[last + 1] : (points[i + 1] + points[i + 3]) / 2);
    }
    if (last === 2) pen.lineTo(points[2], points[3]);
  }

  // Many arcs in one path are drawn at once. Far away or in a large crowd they are straight and not dashed.
  function paintArcs(arcs, kind, scale, alpha) {
    if (!arcs.length) return;
    const plain = arcs.length > CRUSH, straight = plain || scale < 0.15;
    pen.globalAlpha = alpha;
    pen.strokeStyle = now.colours[KINDS[kind]];
    pen.lineWidth = Math.max(1.3, 0.5 / scale);
    pen.setLineDash(plain || scale < HEADS ? [] : DASHES[kind]);
    for (let next = 0; next < arcs.length; next += PATH) {
      pen.beginPath();
      for (const { points } of arcs.slice(next, next + PATH)) {
        if (straight) { pen.moveTo(points[0], points[1]); pen.lineTo(points[points.length - 2], points[points.length - 1]); } else trace(points);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    if (scale >= HEADS && !plain) for (const { points: p } of arcs) { const l = p.length; head(p[l - 4], p[l - 3], p[l - 2], p[l - 1], kind); }
    pen.globalAlpha = 1;
  }

  // Filled for inputs, empty for outputs, open for the others.
  function head(fromX, fromY, x, y, kind, colour = now.colours[KINDS[kind]]) {
    const angle = Math.atan2(y - fromY, x - fromX), cos = Math.cos(angle), sin = Math.sin(angle);
    pen.beginPath();
    pen.moveTo(x - 9 * cos + 4.2 * sin, y - 9 * sin - 4.2 * cos);
    pen.lineTo(x, y);
    pen.lineTo(x - 9 * cos - 4.2 * sin, y - 9 * sin + 4.2 * cos);
    pen.strokeStyle = colour; pen.lineWidth = 1.3;
    if (kind <= 1) { pen.closePath(); pen.fillStyle = kind === 0 ? colour : now.colours.back; pen.fill(); }
    pen.stroke();
  }

  function paintChosen(arcs, colour, scale) {
    if (!arcs.length) return;
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(2.6, 2 / scale);
    pen.beginPath();
    for (const arc of arcs) trace(arc.points);
    pen.stroke();
    if (scale >= HEADS) for (const { points: p, kind } of arcs) head(p[p.length - 4], p[p.length - 3], p[p.length - 2], p[p.length - 1], kind, colour);
  }

  function paintLifted(scale) {
    for (const lifted of now.lifted) {
      const arcs = lifted.arcs.filter(visible);
      if (!arcs.length) continue;
      const { a, b } = lifted, start = edgeOf(a, b), end = edgeOf(b, a);
      const chosen = arcs.some((arc) => now.way.has(arc));
      const colour = chosen ? now.colours.chosen : now.colours[KINDS[lifted.kind]];
      pen.strokeStyle = colour; pen.lineWidth = chosen ? 2.6 : 1.3; pen.setLineDash(DASHES[lifted.kind]);
      pen.beginPath(); pen.moveTo(start.x, start.y); pen.lineTo(end.x, end.y); pen.stroke(); pen.setLineDash([]);
      if (scale >= HEADS) head(start.x, start.y, end.x, end.y, lifted.kind, colour);
    }
  }

  function edgeOf(box, towards) {
    const dx = towards.x - box.x, dy = towards.y - box.y;
    const part = Math.min(1, 1 / Math.max(Math.abs(dx) / (box.w / 2), Math.abs(dy) / (box.h / 2), 1e-9));
    return { x: box.x + dx * part, y: box.y + dy * part };
  }

  function paintLabels(arcs) {
    pen.font = '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
    pen.textAlign = "center"; pen.textBaseline = "alphabetic"; pen.lineJoin = "round";
    for (const arc of arcs) {
      const shown = arc.steps.filter((step) => step.label && !now.hidden.has(step.action)).map((step) => shortened(step.label, 40));
      const lines = shown.length > 4 ? [...shown.slice(0, 3), `… and ${shown.length - 3} more`] : shown;
      const top = arc.ly - lines.length * 7 + 11;
      lines.forEach((line, index) => {
        pen.strokeStyle = now.colours.back; pen.lineWidth = 4;
        pen.strokeText(line, arc.lx, top + index * 14);
        pen.fillStyle = now.foundArcs.has(arc) ? now.colours.found : now.way.has(arc) ? now.colours.chosen : now.colours[KINDS[arc.kind]];
        pen.fillText(line, arc.lx, top + index * 14);
      });
    }
  }

  function outline(node, inset) {
    const w = node.w / 2 - inset, h = node.h / 2 - inset;
    pen.beginPath();
    if (!node.passive) { pen.ellipse(node.x, node.y, w, h, 0, 0, 7); return; }
    pen.moveTo(node.x, node.y - h); pen.lineTo(node.x + w, node.y); pen.lineTo(node.x, node.y + h); pen.lineTo(node.x - w, node.y); pen.closePath();
  }

  function paintNode(node, scale, quiet) {
    const { colours } = now, selected = node === now.selected, found = now.foundNodes.has(node);
    pen.globalAlpha = quiet ? 0.35 : node.missed ? 0.55 : 1;
    if (selected || found) {
      outline(node, -Math.max(4, 3 / scale));
      pen.strokeStyle = selected ? colours.chosen : colours.found;
      pen.lineWidth = Math.max(selected ? 3.5 : 2.5, 2.5 / scale);
      pen.stroke();
    }
    outline(node, 0);
    pen.fillStyle = node.missed ? colours.back : node.passive ? colours.passive : colours.active;
    pen.fill();
    pen.strokeStyle = colours.line;
    pen.setLineDash(node.missed ? [5, 4] : []);
    pen.lineWidth = Math.max(node.initial ? 2.6 : 1.3, Math.min(1 / scale, 4));
    pen.stroke();
    pen.setLineDash([]);
    if (node.ending === 1 || node.ending === 2) { outline(node, node.passive ? 5 : 3.5); pen.lineWidth = 1.3; pen.stroke(); }
    if (scale >= HEADS) paintMarks(node);
    if (scale >= NODE) {
      pen.fillStyle = colours.ink;
      pen.textAlign = "center"; pen.textBaseline = "alphabetic";
      const top = node.y - node.caption.length * 7 + 11;
      node.caption.forEach((line, index) => {
        pen.font = `${index ? "" : "600 "}11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
        pen.fillText(line, node.x, top + index * 14);
      });
    } else {
      paintName(node, scale);
    }
    pen.globalAlpha = 1;
  }

  // From further away the name alone, as large as fits, if that can be read.
  function paintName(node, scale) {
    const size = Math.min(10 / scale, node.w * 0.85 / (node.caption[0].length * 0.62), node.h * 0.7);
    if (size * scale < 5.5) return;
    pen.fillStyle = now.colours.ink;
    pen.textAlign = "center"; pen.textBaseline = "middle";
    pen.font = `${size}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
    pen.fillText(node.caption[0], node.x, node.y);
  }

  // A bar below where it ends, a cross where it must not, an arrow from nowhere where it begins.
  function paintMarks(node) {
    const { x, y, w, h } = node;
    pen.strokeStyle = now.colours.ink; pen.lineWidth = 2;
    pen.beginPath();
    if (node.ending === 2) { pen.moveTo(x - 12, y + h / 2 + 5); pen.lineTo(x + 12, y + h / 2 + 5); }
    if (node.ending === 3) {
      const cx = x + w / 2 + 6, cy = y - h / 2 + 2;
      pen.moveTo(cx - 5, cy - 5); pen.lineTo(cx + 5, cy + 5); pen.moveTo(cx - 5, cy + 5); pen.lineTo(cx + 5, cy - 5);
    }
    pen.stroke();
    if (!node.initial) return;
    const top = y - h / 2;
    pen.fillStyle = now.colours.ink;
    pen.beginPath(); pen.arc(x, top - 20, 3.5, 0, 7); pen.fill();
    pen.lineWidth = 1.3; pen.beginPath(); pen.moveTo(x, top - 20); pen.lineTo(x, top); pen.stroke();
    head(x, top - 20, x, top, 0, now.colours.ink);
  }

  // ---- the camera -------------------------------------------------------------------------------------------------
  function fit() {
    const [width, height] = now.view.raw.size;
    const below = at("legend").offsetHeight + 16; // the legend hides nothing
    const scale = Math.min(now.width / width, Math.max(60, now.height - below) / height, 1.6);
    now.camera = { scale, x: width / 2 - now.width / scale / 2, y: height / 2 - (now.height - below) / scale / 2 };
    now.fitted = true;
    draw();
  }

  function zoom(by, x = now.width / 2, y = now.height / 2) {
    const { camera } = now, scale = Math.min(4, Math.max(0.01, camera.scale * by));
    camera.x += x / camera.scale - x / scale;
    camera.y += y / camera.scale - y / scale;
    camera.scale = scale;
    now.fitted = false;
    draw();
  }

  function move(dx, dy) {
    now.camera.x += dx / now.camera.scale;
    now.camera.y += dy / now.camera.scale;
    now.fitted = false;
    draw();
  }

  // After the window changed: everything, if everything was shown, and otherwise the same middle.
  function keepSight(width, height) {
    if (now.fitted) { fit(); return; }
    now.camera.x += (width - now.width) / now.camera.scale / 2;
    now.camera.y += (height - now.height) / now.camera.scale / 2;
  }

  function lookAt(node) {
    const { camera } = now;
    const x = (node.x - camera.x) * camera.scale, y = (node.y - camera.y) * camera.scale;
    if (camera.scale >= NODE && x > 60 && y > 60 && x < now.width - 60 && y < now.height - 60) return;
    camera.scale = Math.max(camera.scale, 0.8);
    now.fitted = false;
    camera.x = node.x - now.width / camera.scale / 2;
    camera.y = node.y - now.height / camera.scale / 2;
  }

  function hit(x, y) {
    const px = now.camera.x + x / now.camera.scale, py = now.camera.y + y / now.camera.scale;
    const slack = 4 / now.camera.scale;
    const inside = (box) => Math.abs(px - box.x) <= box.w / 2 + slack && Math.abs(py - box.y) <= box.h / 2 + slack;
    const node = now.view.nodes.find((node) => !node.folded && inside(node));
    if (node) return { node };
    for (const group of [...now.view.groups].reverse()) {
      if (!group.area || hiddenGroup(group)) continue;
      const [gx, gy, gw] = group.area;
      const title = { x: gx + gw / 2, y: gy + 11, w: gw, h: 22 };
      if (inside(now.view.folded.has(group.index) ? foldedArea(group) : title)) return { group };
    }
    return {};
  }

  // ---- what is told beside the picture ----------------------------------------------------------------------------
  function make(tag, attributes, ...children) {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  }

  const shortened = (words, most) => { const all = [...words]; return all.length > most ? all.slice(0, most - 1).join("") + "…" : words; };
  const shownSteps = (arc) => arc.steps.map((step) => step.label || step.action).join(", ");

  function stepItem(arc, other, before, after) {
    const label = make("span", { className: KINDS[arc.kind] }, shortened(shownSteps(arc), 300));
    return make("li", {}, make("button", { type: "button", onclick: () => select(other) }, before, label, after));
  }

  function list(title, items) {
    if (!items.length) return [];
    const shown = items.slice(0, LISTED);
    const more = items.length > LISTED ? [make("p", { className: "tag" }, `and ${items.length - LISTED} more`)] : [];
    return [make("h2", {}, `${title} (${items.length})`), make("ul", {}, ...shown.map((item) => item())), ...more];
  }

  function tell() {
    const node = now.selected, panel = at("details");
    panel.replaceChildren();
    if (!node) {
      at("status").textContent = "Select a state to see its variables and the shortest way to it.";
      return;
    }
    const { nodes } = now.view;
    const tags = [node.passive ? "passive" : "active", node.initial ? "initial" : "", ENDINGS[node.ending], node.missed ? "never visited by the test" : ""].filter(Boolean);
    const group = around(now.view, node.group).reverse().map((group) => group.name).join(" › ");
    at("status").textContent = `Selected: ${node.name}`;
    panel.append(make("p", { style: "margin:2px 0" }, make("span", { className: "name mono", id: "selected" }, node.name), " ", make("span", { className: "tag" }, tags.join(", "))));
    if (group) panel.append(make("p", { className: "tag" }, `group ${group}`));
    const rows = node.lines.map((line) => {
      const cut = line.indexOf(" = ");
      return cut < 0 ? make("tr", {}, make("td", { colSpan: 2 }, line)) : make("tr", {}, make("td", {}, line.slice(0, cut)), make("td", {}, line.slice(cut + 3)));
    });
    if (rows.length) panel.append(make("table", { id: "variables" }, make("tbody", {}, ...rows)));
    panel.append(...tellWay(node));
    panel.append(...list("Steps from here", node.out.filter(visible).map((arc) => () => stepItem(arc, nodes[arc.to], "", make("span", { className: "to" }, ` → ${nodes[arc.to].name}`)))));
    panel.append(...list("Steps to here", node.into.filter(visible).map((arc) => () => stepItem(arc, nodes[arc.from], make("span", { className: "to" }, `${nodes[arc.from].name} → `), ""))));
  }

  function tellWay(node) {
    if (node.far === undefined) return [make("h2", {}, "No way leads here from an initial state on this page")];
    const { nodes } = now.view, way = wayTo(node);
    const start = nodes[way.length ? way[0].from : node.index];
    const items = [make("li", {}, make("button", { type: "button", onclick: () => select(start) }, start.name)),
      ...way.map((arc) => {
        const step = arc.steps[0];
        const label = make("span", { className: KINDS[arc.kind] }, step.label || step.action);
        return make("li", {}, make("button", { type: "button", onclick: () => select(nodes[arc.to]) }, label, make("span", { className: "to" }, ` → ${nodes[arc.to].name}`)));
      })];
    return [make("h2", {}, `Shortest way here: ${way.length} ${way.length === 1 ? "step" : "steps"}`), make("ol", { id: "way" }, ...items)];
  }

  function listFound() {
    const panel = at("results"), wanted = now.search.trim();
    panel.hidden = !wanted;
    panel.replaceChildren();
    if (!wanted) return;
    const states = now.found.filter((one) => !one.arc), steps = now.found.filter((one) => one.arc), { nodes } = now.view;
    const stateItem = ({ node }) => make("li", {}, make("button", { type: "button", onclick: () => select(node) }, node.name,
      make("span", { className: "to" }, ` ${shortened(node.lines.find((line) => line.toLowerCase().includes(wanted.toLowerCase())) || "", 60)}`)));
    panel.append(...list("States found", states.map((one) => () => stateItem(one))));
    panel.append(...list("Steps found", steps.map(({ arc, node }) => () => stepItem(arc, node, make("span", { className: "to" }, `${nodes[arc.from].name} → `), make("span", { className: "to" }, ` → ${node.name}`)))));
    if (!now.found.length) panel.append(make("p", {}, "Nothing found."));
  }

  function listActions() {
    const menu = at("actions");
    const all = (hide) => () => { now.hidden = new Set(hide ? now.view.actions : []); listActions(); filterChanged(); };
    menu.replaceChildren(make("div", { className: "all" }, make("button", { type: "button", onclick: all(false) }, "All"), make("button", { type: "button", onclick: all(true) }, "None")));
    for (const action of now.view.actions) {
      const box = make("input", { type: "checkbox", checked: !now.hidden.has(action) });
      box.onchange = () => { if (box.checked) now.hidden.delete(action); else now.hidden.add(action); filterChanged(); };
      menu.append(make("label", {}, box, make("span", { className: "mono" }, action)));
    }
    sayFiltered();
  }

  function filterChanged() {
    sayFiltered();
    search(now.search, false);
    tell();
    remember();
    draw();
  }

  function sayFiltered() {
    const { actions } = now.view, left = actions.length - now.hidden.size;
    at("filtered").textContent = now.hidden.size ? `(${left} of ${actions.length})` : `(${actions.length})`;
    canvas.dataset.arcs = String(now.view.arcs.filter(visible).length);
  }

  function listGroups() {
    const boxes = now.view.groups.filter((group) => group.area), panel = at("groups");
    panel.hidden = !boxes.length;
    const item = (group) => () => {
      const open = !now.view.folded.has(group.index);
      const button = make("button", { type: "button", onclick: () => toggle(group) }, `${open ? "▾" : "▸"} ${group.name}`, make("span", { className: "to" }, ` ${group.count} states`));
      button.setAttribute("aria-expanded", String(open));
      button.style.paddingLeft = `${6 + 14 * around(now.view, group.inside).length}px`;
      return make("li", {}, button);
    };
    panel.replaceChildren(...list("Groups", boxes.map(item)));
  }

  function legend() {
    const svg = (inner) => { const box = make("span", {}); box.innerHTML = `<svg width="26" height="12" viewBox="0 0 26 12" fill="none" stroke="currentColor" stroke-width="1.3">${inner}</svg>`; return box; };
    const line = (kind) => `<path class="${KINDS[kind]}" stroke="currentColor" stroke-dasharray="${DASHES[kind].join(" ") || "none"}" d="M0 6H26"/>`;
    const entries = [["<ellipse cx='13' cy='6' rx='12' ry='5.5'/>", "active"], ["<path d='M13 0L25 6L13 12L1 6z'/>", "passive"],
      ["<ellipse cx='13' cy='6' rx='12' ry='5.5'/><ellipse cx='13' cy='6' rx='9' ry='3'/>", "may end"],
      [line(0), "input"], [line(1), "?output"], [line(2), "internal"], [line(3), "timeout"]];
    for (const [inner, words] of entries) { const entry = svg(inner); entry.append(words); at("legend").append(entry); }
  }

  // ---- the address ------------------------------------------------------------------------------------------------
  let written = null;
  function remember() {
    const fields = new URLSearchParams();
    if (now.view !== views[data.first]) fields.set("view", now.view.raw.id);
    if (now.selected) fields.set("select", String(now.selected.index));
    if (now.search.trim()) fields.set("search", now.search);
    for (const action of now.hidden) fields.append("hide", action);
    written = fields.toString();
    try { history.replaceState(null, "", `#${written}`); } catch { /* some browsers forbid it for files */ }
  }

  function recall() {
    const asked = location.hash.slice(1);
    if (asked === written) return;
    const fields = new URLSearchParams(asked);
    now.hidden = new Set(fields.getAll("hide"));
    now.search = fields.get("search") || "";
    at("search").value = now.search;
    const wanted = views.findIndex((view) => view.raw.id === fields.get("view"));
    show(wanted < 0 ? data.first : wanted);
    const state = fields.get("select");
    if (state === null) return;
    const node = /^\d+$/.test(state) ? now.view.nodes[Number(state)] : now.view.nodes.find((node) => node.name === state);
    if (node) select(node); else at("status").textContent = `There is no state ${state} on this page.`;
  }

  // ---- hands ------------------------------------------------------------------------------------------------------
  const fingers = new Map();
  let moved = 0;
  const place = (event) => { const box = canvas.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };
  canvas.addEventListener("pointerdown", (event) => {
    try { canvas.setPointerCapture(event.pointerId); } catch { /* not a real pointer */ }
    fingers.set(event.pointerId, place(event));
    moved = fingers.size > 1 ? 99 : 0;
    canvas.classList.add("moving");
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId), here = place(event);
    if (!before) { canvas.style.cursor = Object.keys(hit(here.x, here.y)).length ? "pointer" : ""; return; }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) zoom(Math.hypot(here.x - other.x, here.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)), (here.x + other.x) / 2, (here.y + other.y) / 2);
    move((before.x - here.x) / fingers.size, (before.y - here.y) / fingers.size);
    moved += Math.abs(before.x - here.x) + Math.abs(before.y - here.y);
    fingers.set(event.pointerId, here);
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    if (!fingers.size) canvas.classList.remove("moving");
    if (event.type === "pointercancel" || moved > 5) return;
    const here = place(event), { node, group } = hit(here.x, here.y);
    if (group) toggle(group); else select(node || null, false);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const here = place(event);
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), here.x, here.y);
  }, { passive: false });

  function neighbour(by) {
    const { nodes } = now.view;
    if (!nodes.length) return;
    const index = now.selected ? (now.selected.index + by + nodes.length) % nodes.length : by > 0 ? 0 : nodes.length - 1;
    select(nodes[index]);
  }
  const keys = {
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
    ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0), ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60),
    j: () => neighbour(1), k: () => neighbour(-1), n: () => goToFound(1), p: () => goToFound(-1),
    i: () => { const first = now.view.raw.initial[0]; if (first !== undefined) select(now.view.nodes[first]); },
    "/": () => at("search").focus(),
    Escape: () => { at("filter").open = false; at("search").value = ""; search(""); select(null); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select");
    const scrolling = event.key.startsWith("Arrow") && event.target !== canvas && event.target !== document.body;
    if ((typing && event.key !== "Escape") || scrolling || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  at("search").addEventListener("input", () => search(at("search").value));
  at("search").addEventListener("keydown", (event) => { if (event.key === "Enter") goToFound(event.shiftKey ? -1 : 1); });
  at("larger").onclick = () => zoom(1.25);
  at("smaller").onclick = () => zoom(0.8);
  at("fit").onclick = fit;
  at("fold").onclick = () => {
    const any = now.view.folded.size > 0;
    now.view.folded = new Set(any ? [] : now.view.groups.filter((group) => group.area).map((group) => group.index));
    refold();
    draw();
  };
  at("view").onchange = () => { show(Number(at("view").value)); remember(); };
  document.addEventListener("click", (event) => { if (!event.target.closest("#filter")) at("filter").open = false; });
  window.addEventListener("hashchange", recall);
  new ResizeObserver(() => { const { width, height } = now; resize(); keepSight(width, height); paint(); }).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });

  // On paper: everything, in black on white, with more pixels.
  let onScreen = null;
  window.addEventListener("beforeprint", () => {
    onScreen = { camera: { ...now.camera }, fitted: now.fitted };
    document.documentElement.classList.add("printing");
    readColours(); resize(3); fit(); now.fitted = false; paint();
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    readColours(); resize(); Object.assign(now, onScreen); draw();
  });

  views.forEach(({ raw }, index) => at("view").append(make("option", { value: String(index) }, raw.name)));
  at("view").parentElement.hidden = views.length < 2;
  legend();
  readColours();
  resize();
  recall();
})();
