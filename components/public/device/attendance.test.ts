import { beforeEach, expect, it, vi } from "vitest";
import type { Verification } from "@/server/verification/view";
import {
  correct,
  count,
  countWords,
  isMarkedRefused,
  openCodes,
  readAttendance,
  startCounting,
  wasValidAt,
} from "./attendance";

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
const [accepted, refused] = [() => true, () => false];
const placed = () => readAttendance().places.map((place) => [place.name, countWords(place)]);

it("an offline scan is settled at the place of the scan, whichever place is counted by then", () => {
  startCounting("Gate A");
  for (const code of ["valid", "revoked", "open"]) scan(code);
  startCounting("Gate B");
  expect(openCodes()).toEqual(["valid", "revoked", "open"]);
  correct("valid", accepted);
  correct("revoked", refused);
  correct("unknown", refused);
  expect(["valid", "revoked", "unknown"].map(isMarkedRefused)).toEqual([false, true, false]);
  expect(openCodes()).toEqual(["open"]);
  expect(placed()).toEqual([
    ["Gate A", "2 accepted, 1 refused later, 1 not yet checked online"],
    ["Gate B", "0 accepted"],
  ]);
});

it("a code is settled at each place where it was scanned, and scans with a connection stay unchanged", () => {
  startCounting("Gate A");
  scan("card", true);
  startCounting("Gate B");
  scan("card");
  startCounting("Gate C");
  scan("card");
  correct("card", refused);
  expect(placed()).toEqual([
    ["Gate A", "1 accepted"],
    ["Gate B", "0 accepted, 1 refused later"],
    ["Gate C", "0 accepted, 1 refused later"],
  ]);
});

it("a card that expired or was revoked after the scan was rightly accepted, and one that had ended before was not", () => {
  const at = "2026-11-23T22:00:00.000Z";
  const [before, after] = ["2026-11-23T21:59:59.999Z", "2026-11-24T00:00:00.000Z"];
  const said = (state: Verification["state"], expiresAt: string | null, revokedAt: string | null) =>
    wasValidAt(
      { result: state === "active" ? "valid" : "invalid", state, credential: { expiresAt, revokedAt } } as Verification,
      at,
    );
  expect([
    said("active", after, null),
    said("expired", after, null),
    said("revoked", null, after),
    said("revoked", after, after),
  ]).toEqual([true, true, true, true]);
  expect([
    said("expired", before, null),
    said("revoked", null, before),
    said("revoked", before, after),
    said("suspended", null, null),
    said("pending", after, null),
  ]).toEqual([false, false, false, false, false]);
});

it("each place is settled by the time of its own scan", () => {
  startCounting("Evening");
  scan("card");
  startCounting("Next day");
  count({ code: "card", title: "Card", at: "2026-11-24T10:00:00Z", withConnection: false });
  correct("card", (at) => at < "2026-11-24");
  expect(placed()).toEqual([
    ["Evening", "1 accepted"],
    ["Next day", "0 accepted, 1 refused later"],
  ]);
});

it("a card that was refused later and is valid again is counted when it is scanned again", () => {
  startCounting("Gate A");
  scan("card");
  correct("card", refused);
  expect(scan("card", true)).toEqual({ kind: "counted", place: "Gate A", count: 1 });
  expect(placed()).toEqual([["Gate A", "1 accepted"]]);
  expect(scan("card", true)).toMatchObject({ kind: "again" });
});
