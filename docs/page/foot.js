// The page's foot: what Python is doing, in words, beside its version.

import { el, setText } from "./dom.js";
import { say, t } from "./messages.js";
import { runtime } from "./runtime/client.js";

let leave = () => {};

export function startFoot() {
  leave();
  const foot = document.querySelector(".dp-runtime");
  if (!foot) return;
  // Labs and cells announce what concerns them; the foot is for the eye.
  foot.setAttribute("aria-live", "off");
  let state = foot.querySelector(".dp-runtime-state");
  if (!state) {
    state = el("span", { class: "dp-runtime-state" });
    foot.append(" ", state);
  }
  leave = runtime.subscribe((news) => {
    foot.dataset.state = news.state;
    setText(state, say(news.message) || t(`page.foot.${news.state}`));
  });
}
