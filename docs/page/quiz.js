// Exercises and quizzes: answers are judged in the page (answers.js), explained with the words
// the build wrote, and kept in the browser.

import { digitsFor, judge } from "./answers.js";
import { action, el, revealButtons, setText } from "./dom.js";
import { t } from "./messages.js";
import { progress } from "./progress.js";
import { lessonPath } from "./site.js";

class Exercise {
  constructor(section, changed) {
    this.section = section;
    this.changed = changed;
    this.id = section.dataset.exercise;
    this.lesson = lessonPath();
    this.form = section.querySelector("form");
    this.feedback = section.querySelector(".dp-feedback");
    this.hints = [...section.querySelectorAll(".dp-hint-item")];
    this.whys = [...section.querySelectorAll(".dp-why")];
    this.foreseen = this.whys.filter((why) => why.dataset.value !== undefined);
    this.question = {
      kind: section.dataset.kind,
      answer: JSON.parse(section.dataset.answer),
      tolerance: Number(section.dataset.tolerance || 1e-6),
      foreseen: this.foreseen.map((why) => why.dataset.value),
    };
    revealButtons(section);
    this.form.setAttribute("autocomplete", "off");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.form.addEventListener("input", () => this.clearFeedback());
    action(section, "hint")?.addEventListener("click", () => this.showHint(true));
    action(section, "reset")?.addEventListener("click", () => this.reset());
    this.restore();
    section.dataset.ready = "";
  }

  get choosing() {
    return this.question.kind === "choice" || this.question.kind === "choices";
  }

  fields() {
    return [...this.form.querySelectorAll('[name="answer"]')];
  }

  given() {
    if (!this.choosing) return this.fields()[0].value;
    return this.fields().filter((field) => field.checked).map((field) => field.value);
  }

  put(given) {
    for (const field of this.fields()) {
      if (this.choosing) field.checked = Array.isArray(given) && given.includes(field.value);
      else field.value = typeof given === "string" ? given : "";
    }
  }

  check() {
    const given = this.given();
    const verdict = judge(this.question, given);
    this.explain(verdict, given);
    if (verdict.refused) return;
    this.keep((kept) => {
      Object.assign(kept, { given, right: verdict.right, tries: (Number(kept.tries) || 0) + 1 });
    });
    this.changed();
  }

  /** What was right or wrong, and why, in the words of the lesson. */
  explain(verdict, given) {
    const { refused, right, close, foreseen } = verdict;
    let key = right ? "right" : "wrong";
    if (refused) key = `refused.${refused}`;
    else if (close) key = "close";
    const text = t(`page.quiz.${key}`, { digits: digitsFor(this.question.tolerance) });
    this.feedback.replaceChildren(el("p", { class: "dp-judgement" }, text));
    this.feedback.dataset.right = String(right);
    for (const why of this.chosenWhys(right, given, foreseen)) {
      const copy = why.cloneNode(true);
      copy.hidden = false;
      // A copy must not repeat what names one place in the page.
      for (const node of [copy, ...copy.querySelectorAll("[id]")]) node.removeAttribute("id");
      this.feedback.append(copy);
    }
    for (const field of this.choosing ? [] : this.fields()) {
      field.setAttribute("aria-invalid", String(!right));
    }
  }

  /** A right choice is told the reason of every option, a wrong one the reason it is wrong. */
  chosenWhys(right, given, foreseen) {
    if (!this.choosing) return foreseen === undefined ? [] : [this.foreseen[foreseen]];
    const options = this.whys.filter((why) => why.dataset.option !== undefined);
    return right ? options : options.filter((why) => given.includes(why.dataset.option));
  }

  clearFeedback() {
    this.feedback.replaceChildren();
    delete this.feedback.dataset.right;
    for (const field of this.fields()) field.removeAttribute("aria-invalid");
  }

  /** Hints come one at a time; what was seen stays open to be seen again. */
  showHint(asked) {
    if (asked) {
      this.shown = Math.min(this.shown + 1, this.hints.length);
      this.hints[this.shown - 1].open = true;
      this.keep((kept) => {
        kept.hints = this.shown;
      });
    }
    this.hints.forEach((hint, i) => {
      hint.hidden = i >= this.shown;
    });
    const button = action(this.section, "hint");
    if (!button) return;
    const left = this.hints.length - this.shown;
    button.setAttribute("aria-disabled", String(left === 0));
    setText(button, t(left ? "page.quiz.hint" : "page.quiz.no_more_hints"));
  }

  keep(edit) {
    progress.change(this.lesson, (entry) => {
      entry.answers[this.id] ??= {};
      edit(entry.answers[this.id]);
    });
  }

  restore() {
    const kept = progress.read(this.lesson).answers[this.id] ?? {};
    this.shown = Math.min(Math.max(0, Math.trunc(Number(kept.hints)) || 0), this.hints.length);
    this.showHint(false);
    this.put(kept.given);
    this.clearFeedback();
    if (kept.given === undefined) return;
    const verdict = judge(this.question, this.given());
    // The lesson may have changed since: an answer that no longer reads is simply not judged.
    if (!verdict.refused) this.explain(verdict, this.given());
  }

  get right() {
    return progress.read(this.lesson).answers[this.id]?.right === true;
  }

  reset() {
    progress.change(this.lesson, (entry) => {
      delete entry.answers[this.id];
    });
    for (const hint of this.hints) hint.open = false;
    this.restore();
    this.changed();
  }
}

/** A quiz says how many of its questions are answered right. */
function score(quiz, exercises) {
  const inside = exercises.filter((exercise) => quiz.contains(exercise.section));
  let line = quiz.querySelector(".dp-score");
  if (!line) {
    line = el("p", { class: "dp-score", role: "status" });
    quiz.append(line);
  }
  const right = inside.filter((exercise) => exercise.right).length;
  setText(line, t("page.quiz.score", { right, questions: inside.length }));
}

let exercises = [];

export function startExercises() {
  exercises = exercises.filter((exercise) => exercise.section.isConnected);
  const quizzes = document.querySelectorAll(".dp-quiz");
  const changed = () => quizzes.forEach((quiz) => score(quiz, exercises));
  for (const section of document.querySelectorAll(".dp-exercise:not([data-ready])")) {
    exercises.push(new Exercise(section, changed));
  }
  changed();
}

/** Show anew what is kept, after an import or a reset of everything. */
export function restoreExercises() {
  for (const exercise of exercises) if (exercise.section.isConnected) exercise.restore();
  document.querySelectorAll(".dp-quiz").forEach((quiz) => score(quiz, exercises));
}
