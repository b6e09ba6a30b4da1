import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json";
import { checkContent } from "./check-content";

const id = "https://example.edu/a";
const document = (achievement: JsonObject, evidence: JsonObject): JsonObject => ({
  issuer: { id: "did:web:example.edu", type: ["Profile"], name: "Example", image: { id: "https://example.edu/logo" } },
  credentialSubject: { achievement: { ...achievement, creator: { id: "did:web:example.edu", type: "Profile" } } },
  evidence: [evidence],
});

describe("two things with one id", () => {
  it("make it impossible to tell which is called what", () => {
    const check = checkContent(document({ id, name: "Course" }, { id, name: "PhD" }));
    expect(check).toMatchObject({ name: "content", outcome: "error", detail: expect.stringContaining(id) });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["other ids", { id, name: "Course" }, { id: `${id}#2`, name: "PhD" }],
    ["no ids", { name: "Course" }, { name: "PhD" }],
    ["the same statements", { id, name: "Course" }, { name: ["Course"], "@id": id }],
    [
      "one part of the statements",
      { id, name: "Course", description: "Long" },
      { id, type: "Evidence", name: "Course" },
    ],
    [
      "the same thing in full and in short",
      { id, image: { id: "https://e.org/i", type: "Image" } },
      { id, image: "https://e.org/i" },
    ],
  ])("are one thing with %s", (_, achievement, evidence) => {
    expect(checkContent(document(achievement, evidence))).toBeUndefined();
  });
});
