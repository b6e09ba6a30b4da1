import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashesOf, pagePolicies, type PagePolicy } from "./page-policy";

const root = mkdtempSync(join(tmpdir(), "policy-"));
const page = (script: string) =>
  `<html><script>theme()</script><script src="/_next/a.js" async=""></script><script id="_R_">${script}</script></html>`;
const files = {
  "app/index.html": page("home"),
  "app/docs/errors.html": page("errors"),
  "app/_not-found.html": page("missing"),
  "app/_global-error.html": page("broken"),
  "pages/404.html": page("old 404"),
  "pages/500.html": page("500"),
};
const [theme] = hashesOf("<script>theme()</script>");
const hash = (script: string) => hashesOf(`<script>${script}</script>`)[0]!;
let policy: PagePolicy;

beforeAll(async () => {
  for (const [name, html] of Object.entries(files)) {
    const path = join(root, ".next", "server", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, html);
  }
  policy = await pagePolicies(root);
});
afterAll(() => rmSync(root, { recursive: true }));

const sources = (url: string) => /script-src ([^;]*)/.exec(policy(url, "bm9uY2U="))![1]!.split(" ");

it("a page that is a file gets the hashes of its scripts and no nonce", () => {
  expect(sources("/")).toEqual(expect.arrayContaining(["'self'", theme, hash("home")]));
  expect(sources("/docs/errors?x=1")).toEqual(expect.arrayContaining([theme, hash("errors")]));
  expect(sources("/docs/errors")).not.toContain(hash("home"));
  expect(sources("/").join(" ")).not.toMatch(/nonce|unsafe-inline/);
});

it("any other page gets the nonce, and every page gets the scripts of pages that can appear at any address", () => {
  expect(sources("/credentials/crd_1")).toEqual(expect.arrayContaining(["'nonce-bm9uY2U='", theme]));
  for (const url of ["/", "/credentials/crd_1"])
    expect(sources(url)).toEqual(expect.arrayContaining(["missing", "broken", "old 404", "500"].map(hash)));
  expect(sources("/credentials/crd_1").join(" ")).not.toContain("unsafe-inline");
});

it("hashesOf ignores scripts with a src and computes the hash that browsers compute", () => {
  expect(hashesOf(`<script src="/a.js"></script><script async="" src="/b.js"></script>`)).toEqual([]);
  // The example on MDN's page about script-src.
  expect(hashesOf("<script>doSomething();</script>")).toEqual([
    "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='",
  ]);
});
