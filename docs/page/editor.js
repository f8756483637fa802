// CodeMirror, a chunk of its own: fetched when a reader first wants to edit.

import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The colours of the highlighted source that the editor takes the place of.
const colour = (name) => `var(--md-code-hl-${name}-color)`;
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: colour("keyword") },
  { tag: [tags.controlKeyword, tags.definitionKeyword], color: colour("keyword") },
  { tag: [tags.function(tags.variableName)], color: colour("function") },
  { tag: [tags.function(tags.definition(tags.variableName))], color: colour("function") },
  { tag: [tags.definition(tags.className), tags.className], color: colour("function") },
  { tag: [tags.bool, tags.null, tags.self], color: colour("constant") },
  { tag: tags.number, color: colour("number") },
  { tag: [tags.string, tags.special(tags.string)], color: colour("string") },
  { tag: tags.escape, color: colour("special") },
  { tag: tags.comment, color: colour("comment") },
  { tag: [tags.operator, tags.derefOperator], color: colour("operator") },
  { tag: [tags.punctuation, tags.bracket, tags.separator], color: colour("punctuation") },
  { tag: [tags.variableName, tags.propertyName], color: colour("name") },
]);

// Everything that takes room is the same as in the built source, so that nothing moves.
const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "inherit", font: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", lineHeight: "inherit", overflowX: "auto" },
  ".cm-content": { padding: "0", caretColor: "currentcolor" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "currentcolor", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--dp-selection, rgba(120, 140, 180, .3))" },
  ".cm-selectionMatch": { backgroundColor: "var(--dp-selection, rgba(120, 140, 180, .3))" },
  ".cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid currentcolor" },
});

/**
 * Make an editor. `run` and `leave` are called for Ctrl/⌘-Enter and Escape, `changed(text)` after
 * edits; `phrases` are the words of the editor's own search panel; `labels` name the text field.
 */
export function makeEditor({ source, run, leave, changed, phrases, label, describedBy }) {
  const keys = [
    { key: "Mod-Enter", run: () => (run(), true), preventDefault: true },
    // After whatever else Escape closes (a search panel, a list of completions).
    { key: "Escape", run: () => (leave(), true) },
  ];
  return new EditorView({
    state: EditorState.create({
      doc: source,
      extensions: [
        Prec.high(keymap.of(keys.slice(0, 1))),
        keymap.of([
          ...closeBracketsKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap.filter(({ key }) => key !== "Escape"),
          indentWithTab,
        ]),
        Prec.low(keymap.of(keys.slice(1))),
        lineNumbers(),
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ activateOnTyping: false }),
        highlightSelectionMatches(),
        highlightSpecialChars(),
        drawSelection(),
        syntaxHighlighting(highlighting),
        look,
        EditorState.phrases.of(phrases),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-describedby": describedBy,
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
          translate: "no",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Replace all text, as one step that can be undone. */
export function setSource(view, source) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: source } });
}
