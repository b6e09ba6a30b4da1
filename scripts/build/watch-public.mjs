import { watch } from "node:fs";
import { inProject } from "../launch/paths.mjs";
import { bundlePublic } from "./build-public.mjs";

/** The pages are built after this time without another change, because editors write several files at once. */
const quietMs = 200;

/**
 * Builds the public pages again whenever one of their sources changes, for `npm run dev`. Reports a failed build and
 * keeps the earlier pages.
 *
 * @returns {() => void} stops watching
 */
export function watchPublic() {
  let timer;
  let building = Promise.resolve();
  const build = () => {
    building = building.then(bundlePublic).catch((error) => console.error(`The public pages: ${error.message}`));
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(build, quietMs);
  };
  const watchers = [
    watch(inProject("components"), { recursive: true }, changed),
    watch(inProject("app", "brand.css"), changed),
  ];
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
