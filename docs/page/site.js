// What the build tells the page. Read once: instant navigation changes the page under this
// script, and with it what a relative address means.

let site = null;

export function siteData() {
  if (site) return site;
  const script = document.getElementById("dpdocs-site");
  if (!script) throw new Error("this page has no #dpdocs-site: build it with scripts/build");
  site = JSON.parse(script.textContent);
  site.assets = new URL(site.assets, document.baseURI).href;
  // `base` leads from the page to the root of its language.
  site.root = new URL(`${site.base}/`, document.baseURI).pathname;
  return site;
}

/** The absolute address of a file among the site's assets. */
export function asset(name) {
  return new URL(name, siteData().assets).href;
}

/**
 * The lesson a page belongs to: its path without site and language, so that what a reader keeps
 * is the same in every language. Pages that are no lesson go by their path as well.
 */
export function lessonPath() {
  const named = document.querySelector("[data-lesson]");
  if (named) return named.dataset.lesson;
  const { pathname } = location;
  const inside = pathname.startsWith(siteData().root) ? pathname.slice(siteData().root.length) : pathname;
  return inside.replace(/(^|\/)index\.html$/, "").replace(/^\/+|\/+$/g, "") || "index";
}
