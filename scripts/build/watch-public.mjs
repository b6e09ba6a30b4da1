import { watch } from "node:fs";
import { inProject } from "../launch/paths.mjs";
import { bundlePublic } from "./build-public.mjs";

/** After so long without another change, the pages are built: editors write several files at once. */
const quietMs = 200;

/**
 * Builds the public pages again whenever one of their sources changes, for `npm run dev`. What cannot be built is told,
 * and the pages stay as they were.
 * @returns {() => void} ends it
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
