// The guided picture: its steps one at a time. All of them are in the page; the style sheet lays
// them over one another (style/live.css), so that a step never moves what stands below.

import { announcer, el, setText } from "./dom.js";
import { t } from "./messages.js";

class Guide {
  constructor(section) {
    this.section = section;
    this.steps = [...section.querySelectorAll(".dp-step")];
    this.announce = announcer(section);
    this.back = el("button", { type: "button", class: "dp-button" }, t("page.guide.previous"));
    this.on = el("button", { type: "button", class: "dp-button" }, t("page.guide.next"));
    this.place = el("span", { class: "dp-guide-place" });
    const bar = el(
      "div",
      { class: "dp-guide-bar", role: "group", "aria-label": t("page.guide.bar") },
      this.back,
      this.place,
      this.on,
    );
    section.querySelector(".dp-steps").after(bar);
    this.back.addEventListener("click", () => this.go(this.current - 1, true));
    this.on.addEventListener("click", () => this.go(this.current + 1, true));
    section.addEventListener("keydown", (event) => this.key(event));
    this.go(0, false);
    section.dataset.ready = "";
  }

  go(number, announce) {
    if (number < 0 || number >= this.steps.length) return;
    this.current = number;
    this.steps.forEach((step, i) => step.toggleAttribute("data-current", i === number));
    // A disabled button would lose the focus of whoever just pressed it.
    this.back.setAttribute("aria-disabled", String(number === 0));
    this.on.setAttribute("aria-disabled", String(number === this.steps.length - 1));
    const place = t("page.guide.place", { step: number + 1, steps: this.steps.length });
    setText(this.place, place);
    const title = this.steps[number].querySelector(".dp-step-title");
    if (announce) this.announce(`${place}: ${title?.textContent.trim() ?? ""}`);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Where arrow keys already mean something (a scrolled table, a field) they keep it.
    if (event.target.closest("input, select, textarea, [role=region], .dp-table, math")) return;
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    this.go(this.current + move, true);
  }

  /** A link to a step shows that step. */
  fromAddress() {
    const number = this.steps.findIndex((step) => `#${step.id}` === location.hash);
    if (number < 0) return;
    this.go(number, false);
    this.section.scrollIntoView();
  }
}

let guides = [];

export function startGuides() {
  guides = guides.filter((guide) => guide.section.isConnected);
  for (const section of document.querySelectorAll(".dp-guide:not([data-ready])")) {
    const guide = new Guide(section);
    guide.fromAddress();
    guides.push(guide);
  }
}

export function listenForSteps() {
  window.addEventListener("hashchange", () => {
    for (const guide of guides) if (guide.section.isConnected) guide.fromAddress();
  });
}
