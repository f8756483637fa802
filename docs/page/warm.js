// When Python is loaded: as soon as a reader reaches for a control or a cell; or ahead of that,
// when the page is read, idle and on a connection where nine megabytes are no burden.

import { loadEditor } from "./cells.js";
import { loadVega } from "./figures.js";
import { isRoomy } from "./room.js";
import { runtime } from "./runtime/client.js";

const LAB = ".dp-lab form";
const CELL = ".dp-cell";
const REACHED = `${LAB}, ${CELL}`;

const ignore = () => {}; // what could not be fetched ahead is fetched, and complained of, when used

export function listenForReach() {
  const reach = ({ type, target, pointerType }) => {
    // A finger that lands may be about to scroll; when it was a tap, a click follows.
    if (type === "pointerdown" && pointerType !== "mouse") return;
    if (!target.closest?.(REACHED)) return;
    runtime.warm("reach");
    // While the worker loads Python this thread has time for the drawing library.
    if (target.closest(LAB)) loadVega().catch(ignore);
  };
  for (const kind of ["pointerdown", "click", "focusin", "keydown"]) {
    document.addEventListener(kind, reach, { passive: true });
  }
}

const isCoarse = () => window.matchMedia("(pointer: coarse)").matches;

const idle = (work) =>
  "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work, 1500);

/** Load ahead once the page is complete, visible and idle. */
export function warmWhenIdle() {
  if (!document.querySelector(REACHED) || !isRoomy(navigator, isCoarse())) return;
  const begin = () => idle(() => {
    runtime.warm("idle");
    for (const load of [loadVega, loadEditor]) load().catch(ignore);
  });
  const whenVisible = () => {
    if (document.visibilityState === "visible") return begin();
    document.addEventListener("visibilitychange", whenVisible, { once: true });
  };
  if (document.readyState === "complete") whenVisible();
  else window.addEventListener("load", whenVisible, { once: true });
}
