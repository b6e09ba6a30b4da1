import { describe, expect, it } from "vitest";
import { design, subjectBindings } from "./design";
import { inLocale, shownFields } from "./fields";

const png = "data:image/png;base64,iVBORw0KGgo=";
const withField = (field: object) => ({ front: { fields: [{ key: "a", ...field }] } });

describe("a design", () => {
  it.each([
    {},
    {
      colors: { background: "#0b3d91", foreground: "#FFFFFF", accent: "#000000" },
      logo: png,
      front: { background: png },
      back: {},
    },
    withField({
      binding: "attributes.address.city",
      label: { en: "City", "pt-BR": "Cidade" },
      format: "uppercase",
      position: { column: 1, row: 24, columns: 12 },
    }),
    withField({ text: "Fixed" }),
    withField({ text: "Fixed", width: "full" }),
    withField({ binding: "credential.issuedAt", format: "month" }),
    { font: "serif", back: { background: png, fields: [{ key: "a", text: { en: "Found?", de: "Gefunden?" } }] } },
    withField({ binding: "credential.data.grade.name" }),
    withField({ binding: "attributes.straße" }),
    { ...withField({ binding: "subject.displayName" }), publicFields: ["a"] },
    { ...withField({ binding: "subject.displayName" }), publicName: false },
    { ...withField({ binding: "attributes.team" }), publicName: false, publicFields: ["a"] },
  ])("can be %j", (value) => {
    expect(design.safeParse(value).error).toBeUndefined();
  });

  it.each([
    { colors: { background: "red" } },
    { logo: "https://example.org/logo.png" },
    { logo: "data:image/svg+xml;base64,PHN2Zz4=" },
    { logo: `data:image/png;base64,${"A".repeat(128 * 1024)}` },
    withField({}),
    withField({ binding: "subject.displayName", text: "both" }),
    withField({ binding: "subject.attributes" }),
    withField({ binding: "credential.source" }),
    withField({ binding: "attributes" }),
    withField({ binding: "credential.data.subject.displayName" }),
    withField({ binding: "credential.data.attributes.team" }),
    withField({ binding: "attributes.a..b" }),
    withField({ binding: `attributes${".a".repeat(9)}` }),
    withField({ text: "x", format: "html" }),
    withField({ text: "x", width: "wide" }),
    { font: "Comic Sans" },
    withField({ text: "x", position: { column: 13, row: 1 } }),
    withField({ text: "x", label: {} }),
    withField({ text: "x", label: { English: "x" } }),
    withField({ key: "1a", text: "x" }),
    { front: { fields: [{ key: "a", text: "x" }] }, back: { fields: [{ key: "a", text: "y" }] } },
    { ...withField({ text: "x" }), publicFields: ["b"] },
    { ...withField({ binding: "subject.displayName" }), publicFields: ["a"], publicName: false },
    { script: "x" },
  ])("cannot be %j", (value) => {
    expect(design.safeParse(value).success).toBe(false);
  });

  it("lists what it reads from a subject, each binding once", () => {
    const parsed = design.parse({
      front: {
        fields: [
          { key: "a", binding: "subject.email" },
          { key: "b", binding: "attributes.x.y" },
          { key: "c", binding: "credential.code" },
        ],
      },
      back: {
        fields: [
          { key: "d", binding: "attributes.x.y" },
          { key: "e", text: "attributes.z" },
        ],
      },
    });
    expect(subjectBindings(parsed)).toEqual(["subject.email", "attributes.x.y"]);
  });
});

describe("what a design shows", () => {
  const parsed = design.parse({
    front: {
      fields: [
        { key: "name", label: { en: "Name", de: "Name" }, binding: "subject.displayName" },
        { key: "secret", binding: "attributes.secret" },
      ],
    },
    back: {
      fields: [
        { key: "motto", text: { en: "Truth", de: "Wahrheit" } },
        { key: "grade", label: "Grade", binding: "credential.data.grade", format: "number" },
      ],
    },
    publicFields: ["grade", "name"],
  });
  const source = { subject: { displayName: "Ada" }, attributes: { secret: "s" }, credential: { data: { grade: 1.3 } } };

  it("is, in public, only its public fields in their order", () => {
    expect(shownFields(parsed, source, "public")).toEqual([
      { key: "grade", label: "Grade", value: 1.3, format: "number" },
      { key: "name", label: "Name", value: "Ada", format: "text" },
    ]);
    expect(shownFields(design.parse(withField({ text: "x" })), source, "public")).toEqual([]);
  });

  it("is everything to the holder, in the locale", () => {
    expect(
      shownFields(parsed, source, "all", { timeZone: "UTC", locale: "de-AT" }).map((f) => [f.label, f.value]),
    ).toEqual([
      ["Name", "Ada"],
      ["secret", "s"],
      ["motto", "Wahrheit"],
      ["Grade", 1.3],
    ]);
  });

  it("comes from own properties only", () => {
    const tricky = design.parse({
      front: {
        fields: ["constructor", "__proto__.toString", "list.length"].map((path, i) => ({
          key: `k${i}`,
          binding: `attributes.${path}`,
        })),
      },
    });
    const values = shownFields(tricky, { ...source, attributes: { list: { a: 1 } } }, "all").map((f) => f.value);
    expect(values).toEqual([null, null, null]);
  });

  it.each([
    ["en", { en: "A", de: "B" }, "A"],
    ["en-GB", { en: "A", de: "B" }, "A"],
    ["de", { en: "A", de: "B" }, "B"],
    ["de-DE", { en: "A", "de-AT": "B" }, "B"],
    ["fr", { de: "B", en: "A" }, "A"],
    ["fr", { it: "C", de: "B" }, "B"],
    ["de", { de: "", en: "A" }, "A"],
    ["de", { de: "" }, ""],
  ])("has for the locale %s of the texts %j the text %j", (locale, texts, text) => {
    expect(inLocale(texts, locale)).toBe(text);
  });
});
