// When Python is loaded: as soon as a reader reaches for a control or a cell; or ahead of that,
// when the page is read, idle and on a connection where nine megabytes are no burden.

import { loadEditor } from "./cells.js";
import { loadVega } from "./figures.js";
import { runtime } from "./runtime/client.js";

const REACHED = ".dp-lab form, .dp-cell";

export function listenForReach() {
  const reach = (event) => {
    if (event.target.closest?.(REACHED)) runtime.warm("reach");
  };
  for (const kind of ["pointerdown", "focusin", "keydown"]) {
    document.addEventListener(kind, reach, { passive: true });
  }
}

/** May nine megabytes be fetched without being asked for? */
export function isRoomy({ connection, deviceMemory } = navigator, coarse = isCoarse()) {
  if (connection?.saveData) return false;
  if (connection?.effectiveType && connection.effectiveType !== "4g") return false;
  if (connection?.type === "cellular") return false;
  if (coarse) return Boolean(connection) && deviceMemory >= 4;
  return deviceMemory === undefined || deviceMemory >= 2;
}

function isCoarse() {
  return window.matchMedia("(pointer: coarse)").matches;
}

const idle = (work) =>
  "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work, 1500);

/** Load ahead once the page is complete, visible and idle. */
export function warmWhenIdle() {
  if (!document.querySelector(REACHED) || !isRoomy()) return;
  const begin = () => idle(() => {
    runtime.warm("idle");
    for (const load of [loadVega, loadEditor]) load().catch(() => {}); // the first use says so
  });
  const whenVisible = () => {
    if (document.visibilityState === "visible") return begin();
    document.addEventListener("visibilitychange", whenVisible, { once: true });
  };
  if (document.readyState === "complete") whenVisible();
  else window.addEventListener("load", whenVisible, { once: true });
}
