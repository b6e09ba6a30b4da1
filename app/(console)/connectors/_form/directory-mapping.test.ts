import { expect, it } from "vitest";
import { defaultScimMapping } from "@/server/connectors/scim-mapping";
import { linesOf, mappingOfLines, nameOf, nameOfTwo } from "./directory-mapping";

it("leaves a mapping unchanged while no line is changed, including parts that the form cannot show", () => {
  const mapping = {
    ...defaultScimMapping,
    attributes: { ...defaultScimMapping.attributes, source: { transform: "constant" as const, value: "Entra" } },
  };
  const lines = linesOf(mapping);
  expect(lines).toContainEqual({ field: "displayName", from: "displayName" });
  expect(lines.map(({ field }) => field)).not.toContain("attributes.source");
  expect(lines.map(({ field }) => field)).not.toContain("status");
  expect(mappingOfLines(mapping, lines)).toEqual(mapping);
});

it("lists name and e-mail address first, and then the fields by their names", () => {
  const attributes = { title: "title", city: "locale", department: "userType" };
  expect(linesOf({ externalId: "externalId", attributes }).map(({ field }) => nameOf(field))).toEqual([
    "displayName",
    "email",
    "city",
    "department",
    "title",
  ]);
});

it("adds, renames and drops fields", () => {
  const mapping = { externalId: "externalId", email: "emails", attributes: { title: "title", city: "locale" } };
  const lines = linesOf(mapping).map((line) => {
    if (line.field === "email") return { ...line, from: " " };
    return line.field === "attributes.city" ? { ...line, field: "attributes.language" } : line;
  });
  const added = [...lines, { field: "attributes.campus", from: "userType" }, { field: "attributes.", from: "" }];
  expect(mappingOfLines(mapping, added)).toEqual({
    externalId: "externalId",
    attributes: { title: "title", language: "locale", campus: "userType" },
  });
});

it("names the field that two lines fill", () => {
  const line = { field: "attributes.title", from: "title" };
  expect([nameOfTwo([line]), nameOfTwo([line, line]), nameOfTwo([line, { ...line, from: "" }])]).toEqual([
    null,
    "title",
    null,
  ]);
});
