// A lab on the page: a control moves, the worker computes, the result goes to its places. Until
// Python is there, and if it never comes, the built result stays and the page says so.

import { readAddress, writeAddress } from "./address.js";
import { Controls } from "./controls.js";
import { action, announcer, copyText, debounce, el, revealButtons, setText } from "./dom.js";
import { Figure, loadVega } from "./figures.js";
import { say, t } from "./messages.js";
import { showReadouts, showTables, showVerdicts } from "./results.js";
import { runtime } from "./runtime/client.js";

const ADDRESS_DELAY = 400; // ms after the last change
const ANNOUNCE_DELAY = 900;
const BUSY_DELAY = 200; // a result that comes sooner needs no word about waiting

class Lab {
  constructor(section) {
    this.section = section;
    this.page = location.pathname;
    this.initial = JSON.parse(section.dataset.initial);
    this.built = JSON.parse(section.dataset.result);
    this.result = this.built; // the last good one
    this.good = this.initial; // and the values it belongs to
    this.asked = 0;
    this.shown = 0;
    this.whole = new Set(); // tables that show all rows
    this.status = section.querySelector(".dp-status");
    this.announce = announcer(section);
    this.figures = new Map();
    for (const element of section.querySelectorAll("[data-figure]")) {
      this.figures.set(element.dataset.figure, new Figure(element));
    }
    this.controls = new Controls(section.querySelector("form"), () => this.changed());
    // Browsers may bring back what was typed before a reload; the built picture does not know it.
    this.controls.set(this.initial);
    this.saveAddress = debounce(() => this.writeAddress(), ADDRESS_DELAY);
    this.tell = debounce(() => this.announce(this.summary()), ANNOUNCE_DELAY);
    this.wireButtons();
    this.leave = runtime.subscribe((news) => this.runtimeChanged(news));
    this.section.dataset.state = "built";
    this.fromAddress();
  }

  wireButtons() {
    revealButtons(this.section);
    this.section.addEventListener("reset", (event) => {
      event.preventDefault();
      this.reset();
    });
    action(this.section, "share")?.addEventListener("click", () => this.share());
    for (const button of this.section.querySelectorAll('[data-action="all-rows"]')) {
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => this.toggleRows(button));
    }
  }

  changed() {
    this.saveAddress();
    this.ask();
  }

  /** Ask Python for the result of what the controls hold. */
  async ask() {
    const number = ++this.asked;
    const values = this.controls.values();
    const begun = performance.now();
    loadVega().catch(() => {}); // the figure says so when it is drawn
    this.waitSoon(number);
    let answer;
    try {
      answer = await runtime.lab(this.section.dataset.lab, values, { latest: this.section.id });
    } catch (error) {
      if (number !== this.asked) return;
      // What keeps Python from starting has words of its own.
      const reason = String(error.message);
      this.failed(runtime.state === "failed" ? this.news : t("page.lab.error", { reason }));
      return;
    }
    // A newer answer is on the page, or the page itself is gone.
    if (number < this.shown || !this.section.isConnected || answer.superseded) return;
    if (answer.stopped) {
      if (number === this.asked) this.failed(t("page.lab.stopped"));
      return;
    }
    this.shown = number;
    const answered = performance.now() - begun;
    if (answer.refused) this.refuse(answer.refused);
    else await this.show(answer.result, values);
    if (number === this.asked) this.settled(begun, answered);
  }

  refuse(refusals) {
    this.controls.refuse(refusals);
    this.section.dataset.state = "refused";
  }

  async show(result, values) {
    this.controls.refuse([]);
    this.result = result;
    this.good = values;
    this.section.dataset.state = "current";
    showReadouts(this.section, result.readouts);
    showVerdicts(this.section, result.verdicts);
    showTables(this.section, result.tables, this.whole);
    await Promise.all(
      [...this.figures].map(async ([name, figure]) => {
        if (result === this.built && !figure.isLive) return; // its built drawing still stands
        try {
          await figure.draw(result.figures[name]);
        } catch (error) {
          this.failed(t("page.figure.failed", { reason: String(error.message) }));
        }
      }),
    );
  }

  /** The newest question has its answer. */
  settled(begun, answered) {
    this.section.removeAttribute("aria-busy");
    this.problem = false;
    if (this.section.dataset.state === "refused") {
      this.say(t("page.lab.kept", { values: this.keptValues() }));
    } else {
      this.say("");
      this.tell();
    }
    // For tests and measurements: until the answer came, and until it was drawn.
    const detail = { answered, milliseconds: performance.now() - begun };
    this.section.dispatchEvent(new CustomEvent("dp-settled", { detail }));
  }

  /** The accepted values that differ from what stands in the controls now. */
  keptValues() {
    const now = this.controls.values();
    return Object.entries(this.good)
      .filter(([name, value]) => now[name] !== value)
      .map(([name, value]) => `${this.controls.label(name)} = ${value}`)
      .join(", ");
  }

  summary() {
    const boxes = [...this.section.querySelectorAll("[data-verdict]")];
    const parts = boxes.length ? boxes : [...this.section.querySelectorAll("[data-readout]")];
    return parts.map((box) => box.innerText.replace(/\s+/g, " ").trim()).join(" · ");
  }

  say(text, button = null) {
    if (this.status.textContent === text && !button) return;
    this.status.replaceChildren(...(text ? [el("span", {}, text)] : []), ...(button ? [button] : []));
  }

  waitSoon(number) {
    setTimeout(() => {
      if (this.shown >= number || number !== this.asked || this.problem) return;
      this.section.setAttribute("aria-busy", "true");
      this.sayWaiting();
    }, BUSY_DELAY);
  }

  sayWaiting() {
    const loading = runtime.state === "ready" || runtime.state === "busy" ? "" : this.news;
    this.say([t("page.lab.waiting"), loading].filter(Boolean).join(" "));
  }

  /** The runtime's own words, while this lab waits for it. */
  runtimeChanged({ state, message }) {
    this.news = say(message);
    if (this.asked === this.shown) return;
    if (state === "failed") this.failed(this.news);
    else if (this.section.hasAttribute("aria-busy")) this.sayWaiting();
  }

  failed(reason) {
    this.problem = true;
    this.section.removeAttribute("aria-busy");
    this.section.dataset.state = "failed";
    const again = el("button", { type: "button", class: "dp-button" }, t("page.lab.again"));
    again.addEventListener("click", () => {
      this.problem = false;
      this.say("");
      runtime.warm("retry");
      this.ask();
    });
    this.say(reason, again);
  }

  /** Back to the built result, which needs no Python. */
  reset() {
    this.asked += 1;
    this.shown = this.asked;
    this.controls.set(this.initial);
    this.saveAddress.cancel();
    history.replaceState(history.state, "", location.pathname + location.search);
    this.problem = false;
    this.show(this.built, this.initial).then(() => {
      this.section.dataset.state = "built";
      this.say(t("page.lab.was_reset"));
    });
  }

  writeAddress() {
    // While the next page is on its way the address is its already.
    if (!this.section.isConnected || location.pathname !== this.page) return;
    const hash = writeAddress(this.section.id, this.controls.values());
    history.replaceState(history.state, "", hash);
  }

  async share() {
    this.saveAddress.cancel();
    this.writeAddress();
    if (await copyText(location.href)) {
      this.say(t("page.lab.copied"));
      return;
    }
    // Where the clipboard is refused the link is shown, selected, ready to be copied by hand.
    const field = el("input", {
      class: "dp-link",
      readonly: true,
      value: location.href,
      "aria-label": t("page.lab.link"),
    });
    this.say(t("page.lab.copy_by_hand"), field);
    field.select();
  }

  /** Take over the state in the address, if it is for this lab. */
  fromAddress() {
    const values = readAddress(location.hash, this.section.id, this.controls.names());
    if (!values) return;
    this.controls.set({ ...this.initial, ...values });
    // As with any link into a page: what it names is brought into view.
    this.section.scrollIntoView();
    this.ask();
  }

  toggleRows(button) {
    const name = button.closest("[data-table]").dataset.table;
    if (this.whole.has(name)) this.whole.delete(name);
    else this.whole.add(name);
    const open = this.whole.has(name);
    button.setAttribute("aria-expanded", String(open));
    setText(button, t(open ? "page.lab.fewer_rows" : "page.lab.all_rows"));
    if (open && !this.result.tables[name].rows_all) this.ask();
    else showTables(this.section, this.result.tables, this.whole);
  }

  dispose() {
    this.leave();
    for (const figure of this.figures.values()) figure.dispose();
  }
}

let labs = [];

/** Bring the labs of the page alive; those of a page that is gone are ended. */
export function startLabs() {
  for (const lab of labs) if (!lab.section.isConnected) lab.dispose();
  labs = labs.filter((lab) => lab.section.isConnected);
  const known = new Set(labs.map((lab) => lab.section));
  for (const section of document.querySelectorAll(".dp-lab")) {
    if (!known.has(section)) labs.push(new Lab(section));
  }
}

/** A link to a lab's state, followed or gone back to, sets the lab. */
export function listenForLinks() {
  window.addEventListener("hashchange", () => {
    for (const lab of labs) if (lab.section.isConnected) lab.fromAddress();
  });
  // Before Material sees the click: it would take the state for the name of a place, and a link
  // followed twice for a step back.
  window.addEventListener("click", followLabLink, { capture: true });
}

function followLabLink(event) {
  const link = event.target.closest?.('a[href*="#"]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || link.target) return;
  const [page] = location.href.split("#");
  const lab = labs.find(
    ({ section }) => section.isConnected && link.href.startsWith(`${page}#${section.id}?`),
  );
  if (!lab) return;
  event.preventDefault();
  event.stopPropagation();
  if (link.href !== location.href) history.pushState(null, "", link.href);
  lab.fromAddress();
}
