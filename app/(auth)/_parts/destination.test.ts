import { expect, it } from "vitest";
import { destination } from "./destination";

const origin = "https://id.example.edu";
const goesTo = (next: string) => new URL(destination(next, origin), `${origin}/sign-in`).href;

it.each([
  ["/subjects?q=ada#top", "/subjects?q=ada#top"],
  ["/credentials/crd_1", "/credentials/crd_1"],
  [`/verify?code=${encodeURIComponent("//evil.example")}`, "/verify?code=%2F%2Fevil.example"],
])("returns to the page that %s names", (next, path) => {
  expect(goesTo(next)).toBe(origin + path);
});

it.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\\evil.example",
  "\t//evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/.\t//evil.example",
  "https://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://[",
  "/@evil.example/..//evil.example",
  "",
])("never leads to another site for %j", (next) => {
  expect(new URL(goesTo(next)).origin).toBe(origin);
  expect(destination(next, origin)).not.toMatch(/^\/[\\/\s]/);
});

it("leads to a page of this site where the address names no page to return to", () => {
  expect(destination(null, origin)).toBe("/");
});
