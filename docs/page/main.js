// The page's entry. Started on every page of a visit (instant navigation changes pages under it);
// everything here may be called again and does nothing twice.

import { startCells, restoreCells } from "./cells.js";
import { startFoot } from "./foot.js";
import { listenForSteps, startGuides } from "./guide.js";
import { listenForLinks, startLabs } from "./labs.js";
import { loadMessages } from "./messages.js";
import { startProgress } from "./progress.js";
import { restoreExercises, startExercises } from "./quiz.js";
import { asset, siteData } from "./site.js";
import { listenForReach, warmWhenIdle } from "./warm.js";

function startPage() {
  startGuides();
  startLabs();
  startCells();
  startExercises();
  startProgress(() => {
    restoreExercises();
    restoreCells();
  });
  startFoot();
  warmWhenIdle();
}

async function main() {
  listenForReach(); // needs no words, and must miss nothing while they come
  await loadMessages(asset(siteData().messages));
  listenForLinks();
  listenForSteps();
  // Material says when a page has come; it repeats the page that is there to a late listener.
  if (window.document$) window.document$.subscribe(startPage);
  else startPage();
}

main();
