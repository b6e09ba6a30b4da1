import { expect, it } from "vitest";
import { outcomeOf, progressOf, statusOf, type Run } from "./words";

const counts = {
  rows: 56,
  created: 0,
  updated: 0,
  unchanged: 0,
  deactivated: 0,
  rejected: 0,
  held: 0,
  skipped: 0,
  deleted: 0,
};
const run = (part: Partial<Run>) =>
  ({ status: "succeeded", trigger: "upload", counts, undoneBy: null, ...part }) as Run;

const hold: NonNullable<Run["hold"]> = { reason: "limit", message: "", limit: 10, memberships: 0 };
const superseded = { code: "superseded", message: "A newer file was applied.", line: null };

it.each<[string, Partial<Run>]>([
  ["Nothing has changed", {}],
  ["56 new, 2 rejected", { counts: { ...counts, created: 56, rejected: 2 } }],
  ["Undone: 56 new", { counts: { ...counts, created: 56 }, undoneBy: "run_1" }],
  [
    "Undo: 1 restored, 56 deleted, 3 skipped",
    { trigger: "undo", counts: { ...counts, updated: 1, deleted: 56, skipped: 3 } },
  ],
  ["Replaced by a newer file", { status: "cancelled", errorSummary: superseded, counts: { ...counts, unchanged: 56 } }],
  [
    "Replaced by a newer file. Nothing was applied",
    { status: "cancelled", errorSummary: superseded, hold: { ...hold, reason: "lost_values" } },
  ],
  [
    "2 new. What waited for approval was not applied. Replaced by a newer file",
    { status: "cancelled", errorSummary: superseded, hold, counts: { ...counts, created: 2, unchanged: 54 } },
  ],
  ["Nothing was applied", { status: "cancelled", errorSummary: null, hold: { ...hold, reason: "lost_values" } }],
  [
    "12 new, 1 rejected. Stopped after 13 of 56 rows",
    { status: "cancelled", errorSummary: null, counts: { ...counts, created: 12, rejected: 1 } },
  ],
  // The deactivations of a run are planned before its rows are applied, so one that is stopped has them too.
  [
    "12 new. Stopped after 12 of 56 rows",
    { status: "cancelled", errorSummary: null, hold, counts: { ...counts, created: 12 } },
  ],
  [
    "56 new. What waited for approval was not applied",
    { status: "cancelled", errorSummary: null, hold, counts: { ...counts, created: 56 } },
  ],
  ["Undo: Nothing has changed", { trigger: "undo" }],
  ["Would deactivate 21 people", { status: "held", counts: { ...counts, held: 21 } }],
  ["Would empty a column", { status: "held", hold: { ...hold, reason: "lost_values" } }],
])("says %j of a run", (words, part) => {
  expect(outcomeOf(run(part))).toBe(words);
});

it.each<[string, Partial<Run>]>([
  ["Applied", { counts: { ...counts, rejected: 55 } }],
  ["All rejected", { counts: { ...counts, rejected: 56 } }],
  ["Waits for approval", { status: "held" }],
  ["Undone", { undoneBy: "run_1" }],
])("labels the status of a run %j", (label, part) => {
  expect(statusOf(run(part)).label).toBe(label);
});

it.each<[string, Partial<Run>]>([
  ["Waits for its turn", { status: "queued" }],
  ["Reads the file", {}],
  ["14 of 56 rows done", { counts: { ...counts, created: 12, updated: 1, rejected: 1 } }],
  ["All rows done, finishing", { counts: { ...counts, unchanged: 56, deactivated: 3 } }],
])("says %j while a run is under way", (words, part) => {
  expect(progressOf(run({ status: "running", ...part }))).toBe(words);
});
