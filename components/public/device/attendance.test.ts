import { beforeEach, expect, it, vi } from "vitest";
import { correct, count, countWords, openCodes, readAttendance, startCounting } from "./attendance";

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal("window", new EventTarget());
});

const scan = (code: string, withConnection = false) =>
  count({ code, title: "Card", at: "2026-11-23T10:00:00Z", withConnection });
const placed = () => readAttendance().places.map((place) => [place.name, countWords(place)]);

it("what was accepted without a connection is settled where it was scanned, whatever is counted by then", () => {
  startCounting("Gate A");
  for (const code of ["valid", "revoked", "open"]) scan(code);
  startCounting("Gate B");
  expect(openCodes()).toEqual(["valid", "revoked", "open"]);
  expect([correct("valid", false), correct("revoked", true), correct("unknown", true)]).toEqual([true, true, false]);
  expect(openCodes()).toEqual(["open"]);
  expect(placed()).toEqual([
    ["Gate A", "2 accepted, 1 refused later, 1 not asked yet"],
    ["Gate B", "0 accepted"],
  ]);
});

it("a code is settled at each place where it was scanned, and what was asked with a connection stays", () => {
  startCounting("Gate A");
  scan("card", true);
  startCounting("Gate B");
  scan("card");
  startCounting("Gate C");
  scan("card");
  correct("card", true);
  expect(placed()).toEqual([
    ["Gate A", "1 accepted"],
    ["Gate B", "0 accepted, 1 refused later"],
    ["Gate C", "0 accepted, 1 refused later"],
  ]);
});
