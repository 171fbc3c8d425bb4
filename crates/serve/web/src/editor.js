// The text: CodeMirror, with mistakes, colours, completion and hover from the server. The server reads the whole text each time; it is
// asked when the user pauses, and an answer about an older text is thrown away.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { ask } from "./api.js";

const PAUSE = 120;

const colour = StateEffect.define();
const colours = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    let now = marks.map(change.changes);
    for (const effect of change.effects) if (effect.is(colour)) now = effect.value;
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--mark) 45%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
});

/** `changed` hears of every change of the text, `checked` of every answer about it. */
export function editor(parent, text, { changed, checked, save, format }) {
  let timer;
  let version = 0;

  async function check() {
    const mine = ++version;
    const said = view.state.doc.toString();
    const answer = await ask("check", { text: said }).catch((problem) => ({ problem }));
    if (mine !== version || said !== view.state.doc.toString()) return;
    if (answer.problem) return checked(answer);
    const length = said.length;
    const within = (place) => Math.min(place, length);
    view.dispatch({ effects: colour.of(Decoration.set(
      answer.tokens.filter(([from, to]) => from < to && to <= length)
        .map(([from, to, kind]) => Decoration.mark({ class: `tok-${kind}` }).range(from, to)), true)) });
    view.dispatch(setDiagnostics(view.state, answer.diagnostics.map((each) => ({
      from: within(each.from), to: within(each.to), severity: each.severity, source: each.code,
      message: (each.file ? `${each.file}: ` : "") + each.message + (each.help ? `\nhelp: ${each.help}` : ""),
      actions: each.fixes.map((fix) => ({
        name: fix.title,
        apply: (view) => view.dispatch({ changes: { from: within(fix.from), to: within(fix.to), insert: fix.text } }),
      })),
    }))));
    checked(answer);
  }

  const soon = () => { clearTimeout(timer); timer = setTimeout(check, PAUSE); };

  async function complete(context) {
    const word = context.matchBefore(/[\p{L}\p{N}_]*/u);
    if (!context.explicit && word.from === word.to && context.state.sliceDoc(context.pos - 1, context.pos) !== ".") return null;
    const found = await ask("complete", { text: context.state.doc.toString(), at: context.pos }).catch(() => []);
    return {
      from: word.from,
      validFor: /^[\p{L}\p{N}_]*$/u,
      options: found.map((each) => ({ label: each.label, detail: each.detail, type: each.kind, boost: each.fits ? 2 : 0 })),
    };
  }

  const hover = hoverTooltip(async (view, at) => {
    const found = await ask("hover", { text: view.state.doc.toString(), at }).catch(() => null);
    if (!found) return null;
    const create = () => {
      const dom = document.createElement("pre");
      dom.style.cssText = "margin:.4rem .6rem;white-space:pre-wrap;max-width:34rem;font-size:.8rem";
      dom.textContent = found.text.replace(/^```\w*\n?/gm, "").trim();
      return { dom };
    };
    return { pos: found.from, end: found.to, create };
  });

  const keys = [
    { key: "Mod-s", preventDefault: true, run: () => { save(); return true; } },
    { key: "Alt-Shift-f", preventDefault: true, run: () => { format(); return true; } },
  ];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), colours, theme, hover,
        autocompletion({ override: [complete] }), EditorState.tabSize.of(4),
        keymap.of([...keys, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "The specification", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) { changed(); soon(); } }),
      ],
    }),
  });
  check();

  return {
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    /** Only what differs changes, so that the cursor stays where it was. */
    replace(text) {
      const old = view.state.doc.toString();
      if (old === text) return;
      let from = 0;
      while (from < old.length && from < text.length && old[from] === text[from]) from++;
      let end = 0;
      while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
      view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
    },
    append(text) {
      const end = view.state.doc.length;
      view.dispatch({ changes: { from: end, insert: text }, selection: { anchor: end + text.length }, scrollIntoView: true });
    },
  };
}
