// The reader's own state on the page: the "learned" mark, and the panel that saves, loads and
// forgets what the browser keeps.

import { action, el, setText } from "./dom.js";
import { t } from "./messages.js";
import { lessonPath } from "./site.js";
import { ImportError, Store, browserStorage } from "./store.js";

export const progress = new Store(browserStorage(), notice);

/** Something about storage that the reader should know; said once a page. */
function notice(reason) {
  const text = t(`page.progress.notice.${reason}`);
  const place = document.querySelector(".dp-lesson-head") ?? article();
  place?.append(el("p", { class: "dp-notice", role: "status" }, text));
}

function article() {
  return document.querySelector("article.md-content__inner") ?? document.querySelector("main");
}

function wireLearned(head) {
  const button = action(head, "learned");
  if (!button) return;
  const lesson = head.dataset.lesson;
  const show = () => {
    const learned = progress.read(lesson).learned !== null;
    button.setAttribute("aria-pressed", String(learned));
    setText(button, t(learned ? "page.lesson.is_learned" : "page.lesson.learned"));
    markLinks();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    progress.change(lesson, (entry) => {
      entry.learned = entry.learned === null ? new Date().toISOString().slice(0, 10) : null;
    });
    show();
  });
  head.addEventListener("dp-progress", show);
  show();
}

/** Lessons marked as learned show it wherever the course is listed. */
function markLinks() {
  for (const link of document.querySelectorAll("[data-course-lesson]")) {
    const learned = progress.read(link.dataset.courseLesson).learned !== null;
    link.toggleAttribute("data-learned", learned);
    const words = link.querySelector(".dp-learned-mark");
    if (learned && !words) {
      link.append(el("span", { class: "dp-learned-mark" }, ` (${t("page.progress.mark")})`));
    } else if (!learned) {
      words?.remove();
    }
  }
}

class Panel {
  constructor(place, changed) {
    this.changed = changed;
    this.status = el("p", { class: "dp-status", role: "status" });
    this.file = el("input", { type: "file", accept: ".json,application/json", hidden: true });
    this.file.addEventListener("change", () => this.load());
    const button = (key, work) =>
      el("button", { type: "button", class: "dp-button", onclick: work }, t(`page.progress.${key}`));
    place.append(
      el("summary", {}, t("page.progress.title")),
      el("p", {}, t("page.progress.about")),
      el(
        "div",
        { class: "dp-buttons" },
        button("export", () => this.save()),
        button("import", () => this.file.click()),
        button("forget_lesson", () => this.forget("lesson")),
        button("forget_all", () => this.forget("all")),
      ),
      this.file,
      this.status,
    );
  }

  say(key, values) {
    setText(this.status, t(`page.progress.${key}`, values));
  }

  save() {
    const address = URL.createObjectURL(
      new Blob([progress.exported()], { type: "application/json" }),
    );
    el("a", { href: address, download: "dpdocs-progress.json" }).click();
    URL.revokeObjectURL(address);
    this.say("exported");
  }

  async load() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    try {
      const lessons = progress.imported(await file.text());
      this.changed();
      this.say("imported", { lessons });
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      this.say(`refused.${error.message}`);
    }
  }

  forget(what) {
    if (!window.confirm(t(`page.progress.sure_${what}`))) return;
    if (what === "all") progress.forgetAll();
    else progress.forget(lessonPath());
    this.changed();
    this.say("forgotten");
  }
}

/** `changed` is called after an import or a reset, when the blocks should show what is kept. */
export function startProgress(changed) {
  const head = document.querySelector(".dp-lesson-head:not([data-ready])");
  if (head) {
    head.dataset.ready = "";
    wireLearned(head);
  }
  markLinks();
  let place = document.querySelector("details.dp-progress");
  const hasSomething = document.querySelector(".dp-exercise, .dp-cell, .dp-lesson-head");
  if (!place && hasSomething) {
    place = el("details", { class: "dp-progress" });
    article()?.append(place);
  }
  if (!place || "ready" in place.dataset) return;
  place.dataset.ready = "";
  new Panel(place, () => {
    changed();
    document.querySelector(".dp-lesson-head")?.dispatchEvent(new Event("dp-progress"));
    markLinks();
  });
}
