// The controls of a lab: what they hold, their sliders, and the words beside a refused one.

import { el, setText } from "./dom.js";
import { has, t } from "./messages.js";
import { Positions } from "./positions.js";

export class Controls {
  /** `changed(name)` is called when a reader moved or typed something. */
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    this.refused = new Map();
    this.sliders = new Map();
    for (const range of form.querySelectorAll("input[data-slider]")) {
      this.sliders.set(range.dataset.slider, {
        range,
        positions: new Positions(JSON.parse(range.dataset.values)),
      });
    }
    form.setAttribute("autocomplete", "off");
    form.addEventListener("input", (event) => this.moved(event.target));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.followText();
  }

  /** Names of all parameters, in the order of the form. */
  names() {
    return [...new Set([...new FormData(this.form).keys()])];
  }

  values() {
    return Object.fromEntries(new FormData(this.form));
  }

  /** Put values into the controls; an unknown choice is left as it is. Returns what is held. */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const field = this.form.elements.namedItem(name);
      if (field instanceof RadioNodeList) {
        if ([...field].some((radio) => radio.value === value)) field.value = value;
      } else if (field) {
        field.value = value;
      }
    }
    this.followText();
    return this.values();
  }

  moved(target) {
    const name = target.dataset.slider ?? target.name;
    if (!name) return;
    const slider = this.sliders.get(name);
    if (slider && target === slider.range) {
      const text = slider.positions.text(Number(target.value));
      this.form.elements.namedItem(name).value = text;
      this.sayValue(slider.range, text);
    } else if (slider) {
      this.follow(name, slider);
    }
    this.changed(name);
  }

  /** Sliders follow what the text fields hold. */
  followText() {
    for (const [name, slider] of this.sliders) this.follow(name, slider);
  }

  follow(name, { range, positions }) {
    const { value } = this.form.elements.namedItem(name);
    const position = positions.nearest(value);
    if (position === null) return;
    range.value = position;
    this.sayValue(range, value);
  }

  /** A screen reader hears the value and its unit, not the slider's position. */
  sayValue(range, text) {
    const unit = this.box(range.dataset.slider)?.querySelector(".dp-unit")?.textContent.trim();
    range.setAttribute("aria-valuetext", unit ? `${text} ${unit}` : text);
  }

  box(name) {
    return this.form.querySelector(`[data-parameter="${CSS.escape(name)}"]`);
  }

  label(name) {
    const node = this.box(name)?.querySelector("label, legend");
    return node ? node.textContent.trim() : name;
  }

  /** Show the refusals of a request beside their controls and clear all others. */
  refuse(refusals) {
    const now = new Map(refusals.map((refusal) => [refusal.parameter, refusal]));
    for (const name of this.refused.keys()) if (!now.has(name)) this.clear(name);
    for (const [name, refusal] of now) this.mark(name, refusal);
    this.refused = now;
  }

  clear(name) {
    const box = this.box(name);
    const message = box?.querySelector(".dp-message");
    if (message) {
      message.hidden = true;
      message.replaceChildren();
    }
    box?.removeAttribute("data-refused");
    for (const field of this.fields(name)) field.removeAttribute("aria-invalid");
  }

  mark(name, refusal) {
    const box = this.box(name) ?? this.form;
    let message = box.querySelector(".dp-message");
    if (!message) {
      message = el("p", { class: "dp-message", role: "alert" });
      box.append(message);
    }
    const text = this.words(name, refusal);
    setText(message, text);
    message.hidden = false;
    box.setAttribute("data-refused", "");
    for (const field of this.fields(name)) field.setAttribute("aria-invalid", "true");
  }

  fields(name) {
    const field = this.form.elements.namedItem(name);
    if (!field) return [];
    return field instanceof RadioNodeList ? [...field] : [field];
  }

  /** Rule and remedy in the page's language. */
  words(name, { case: reason, value, limits }) {
    const values = { parameter: this.label(name), value, ...limits };
    return ["rule", "remedy"]
      .map((part) => `errors.${reason}.${part}`)
      .filter(has)
      .map((key) => t(key, values))
      .join(" ");
  }
}
