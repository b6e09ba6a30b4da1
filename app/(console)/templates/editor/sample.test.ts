import { expect, it } from "vitest";
import { sampleSource } from "./sample";

const design = { front: { fields: [] } };

it.each([
  [{ type: "none" }, null],
  [{ type: "duration", amount: 1, unit: "years" }, "2027-07-01T00:00:00.000Z"],
  [{ type: "fixed_date", date: "2030-09-30" }, "2030-09-30T22:00:00.000Z"],
  [{ type: "attribute", attribute: "contract.end" }, "2027-06-30T22:00:00.000Z"],
] as const)("a sample ends as the template's validity says: %o", (validity, end) => {
  expect(sampleSource(design, "Europe/Berlin", validity).credential.expiresAt).toBe(end);
});
