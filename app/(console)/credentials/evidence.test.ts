import { expect, it } from "vitest";
import { maxEvidence as mostAccepted } from "@/server/achievements/award";
import { maxEvidence, writtenEvidence } from "./evidence";

const empty = { name: "", genre: "", url: "", narrative: "" };

it("sends evidence without empty fields and without empty rows", () => {
  expect(
    writtenEvidence([empty, { ...empty, name: " Thesis ", url: "https://example.edu/t" }, { ...empty, genre: " " }]),
  ).toEqual([{ name: "Thesis", url: "https://example.edu/t" }]);
});

it("accepts as many pieces of evidence as the server", () => {
  expect(maxEvidence).toBe(mostAccepted);
});
