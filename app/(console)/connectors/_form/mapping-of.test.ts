import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { mapping as mappingSchema } from "@/server/connectors/mapping";
import { packFile, UnfitFile } from "../pack-file";
import { chooseKind, chooseTarget, kindOf, statusMeanings, suggestDraft } from "./guess";
import { decidedMappingOf, draftOf, mappingOf } from "./mapping-of";
import { previewOf } from "./preview-of";
import { emptyDraft, type Draft } from "./draft";
import { draftWith, suggestedAgain } from "./draft-with";
import { readSample, UnknownEncoding } from "./read-sample";
import { unfilledBy } from "./unfilled";

const readSampleOf = (of: File) => readSample(of, async () => ({ columns: [], rows: [], error: "asked the server" }));

const file = (content: BlobPart, name = "people.csv") => new File([content], name);
const sample = await readSampleOf(
  file(
    [
      "Last name;Student ID;First name;E-Mail;Status;Room;Enrolled until;Born;Paid;Average",
      "Lovelace;1;Ada;A@example.edu;enrolled;007;31.12.2026;03/04/1990;ja;1,5",
      '"Hop\nper";2;Grace;;left;12;01.01.2027;05/06/1991;nein;2',
      "Nobody;;;;enrolled;3;32.12.2026;;ja;x",
    ].join("\r\n"),
  ),
);
const read = [
  { name: "enrolledUntil", readBy: "template", of: "Card" },
  { name: "year", readBy: "group", of: "Final years" },
] as const;

it("suggests targets, types and the attribute names that cards and rules read for usual columns", () => {
  const { columns } = suggestDraft(sample.columns, [...read]);
  expect(columns.map(({ column, target, kind }) => [column, target, kind])).toEqual([
    ["Last name", "familyName", "text"],
    ["Student ID", "externalId", "text"],
    ["First name", "givenName", "text"],
    ["E-Mail", "email", "lower"],
    ["Status", "status", "text"],
    ["Room", "none", "text"],
    // One of the values is not a date, so the column is suggested as text.
    ["Enrolled until", "attribute", "text"],
    ["Born", "none", "text"],
    ["Paid", "none", "text"],
    ["Average", "none", "text"],
  ]);
  expect(columns[6]!.attribute).toBe("enrolledUntil");
  expect(columns[4]!.values).toEqual([
    { value: "enrolled", means: "active" },
    { value: "left", means: "inactive" },
  ]);
});

it("suggests the type of a column from its values, and text for ids and unclear values", () => {
  expect([["31.12.2026"], ["ja", "Nein"], ["1,5", "20"], ["3", "4"]].map(kindOf)).toEqual([
    "date",
    "boolean",
    "number",
    "number",
  ]);
  expect([["007", "12"], ["204100"], ["3", "x"], [], ["20210101"]].map(kindOf)).toEqual(Array(5).fill("text"));
  const rooms = Array.from({ length: 60 }, (_, i) => String(1000 + i));
  expect([kindOf(rooms), kindOf([...rooms, "0259"])]).toEqual(["number", "text"]);
});

it("suggests a number column only if every line of the sample has a number", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${i},${1000 + i}`);
  const { columns } = await readSampleOf(file(["id,Room", ...lines, "60,0259"].join("\n")));
  expect(kindOf(columns[1]!.values)).toBe("text");
});

it("asks for the meaning of each status word that is not well known", () => {
  const words = ["Exmatrikuliert", "Inaktiv", "deceased", "aktiv", "Beurlaubt", "suspended"];
  expect(statusMeanings(words).map(({ means }) => means)).toEqual([
    "inactive",
    "inactive",
    "inactive",
    "active",
    "unsaid",
    "unsaid",
  ]);
  const draft = suggestDraft(
    [
      { name: "id", values: ["1"] },
      { name: "status", values: words },
    ],
    [],
  );
  expect(mappingOf(draft).todo).toBe("Say who is active: what “Beurlaubt”, “suspended” means.");
});

it("asks for ambiguous formats, builds the mapping from the choices, and previews people", () => {
  const draft = suggestDraft(sample.columns, [...read]);
  const set = (
    column: string,
    change: (
      choice: (typeof draft.columns)[number],
      at: (typeof sample.columns)[number],
    ) => (typeof draft.columns)[number],
  ) => {
    const i = draft.columns.findIndex((each) => each.column === column);
    draft.columns[i] = change(draft.columns[i]!, sample.columns[i]!);
  };
  for (const column of ["Born", "Paid", "Average"]) set(column, (choice, at) => chooseTarget(choice, at, "attribute"));
  set("Enrolled until", (choice, at) => ({ ...chooseKind(choice, at, "date"), format: "DD.MM.YYYY" }));
  set("Average", (choice, at) => ({ ...chooseKind(choice, at, "number"), attribute: "average" }));
  expect(mappingOf(draft).todo).toBe("Say how “Born” writes dates.");
  set("Born", (choice) => ({ ...choice, format: "DD/MM/YYYY", attribute: "average" }));
  expect(mappingOf(draft).todo).toBe("Two columns become the attribute “average”. Name one otherwise.");
  set("Born", (choice) => ({ ...choice, attribute: "born" }));
  const { mapping } = mappingOf(draft);
  expect(mapping).toEqual({
    externalId: "Student ID",
    displayName: { transform: "template", template: "{First name} {Last name}" },
    email: { from: "E-Mail", transform: "lower" },
    status: { from: "Status", transform: "trim", values: { enrolled: "active", left: "inactive" } },
    attributes: {
      enrolledUntil: { from: "Enrolled until", transform: "date", format: "DD.MM.YYYY" },
      born: { from: "Born", transform: "date", format: "DD/MM/YYYY" },
      Paid: { from: "Paid", transform: "trim", values: { ja: true, nein: false } },
      average: { from: "Average", transform: "trim", decimal: "," },
    },
  });
  expect(mappingSchema.parse(mapping)).toEqual(mapping);
  expect(unfilledBy(mapping!, [...read])).toEqual([["year", ["Final years"]]]);
  const people = previewOf(mapping!, sample);
  expect(people[0]).toMatchObject({
    line: 2,
    externalId: "1",
    displayName: "Ada Lovelace",
    email: "a@example.edu",
    status: "active",
    attributes: [
      ["enrolledUntil", "2026-12-31"],
      ["born", "1990-04-03"],
      ["Paid", "Yes"],
      ["average", "1.5"],
    ],
    errors: [],
  });
  expect(people[2]!.line).toBe(5);
  expect(people[2]!.errors.map(({ column, code }) => [column, code])).toEqual([
    ["Enrolled until", "invalid_date"],
    ["Average", "invalid_number"],
    [null, "missing_external_id"],
  ]);
  draft.nameOrder = "familyFirst";
  expect(previewOf(mappingOf(draft).mapping!, sample)[0]!.displayName).toBe("Lovelace Ada");
});

it("rejects in the preview what a run rejects: extra cells, a repeated id, an invalid address", async () => {
  const { headers, rows } = await readSampleOf(
    file("id,mail\n1,a@example.edu\n2,nobody\n1,b@example.edu\n3,c@example.edu,more\n4,\n"),
  );
  const people = previewOf(mappingSchema.parse({ externalId: "id", email: "mail" }), { headers, rows });
  expect(people.map(({ errors }) => errors.map(({ code }) => code))).toEqual([
    [],
    ["invalid_value"],
    ["duplicate_external_id"],
    ["wrong_column_count"],
    [],
  ]);
});

it("refuses a picture with the file name of a table", async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  await expect(readSampleOf(file(png, "people.csv"))).rejects.toThrow("This is a picture, not a table.");
});

it("opens a saved mapping unchanged, and keeps parts for which the form has no control", () => {
  const mapping = mappingSchema.parse({
    externalId: { from: "id", transform: "lower" },
    displayName: { transform: "template", template: "{Last name} {First name}" },
    email: "mail",
    status: { from: "state", transform: "lower", values: { enrolled: "active", left: "inactive" } },
    attributes: {
      a: "x",
      b: { from: "x", transform: "trim", decimal: "." },
      c: { from: "d", transform: "date", format: "YYYYMMDD" },
      paid: { from: "p", transform: "trim", values: { y: true, n: false } },
      faculty: { from: "f", transform: "trim", values: { "1": "Arts, old", "2": "Science" } },
      campus: { transform: "constant", value: "Main" },
      seat: { transform: "template", template: "{row}-{seat}" },
      level: { from: "l", transform: "trim", values: { low: 1, none: null } },
    },
  });
  const draft = draftOf(mapping);
  expect(draft.nameOrder).toBe("familyFirst");
  expect(draft.kept.map(([field]) => field)).toEqual(["attributes.campus", "attributes.seat", "attributes.level"]);
  expect(mappingOf(draft)).toEqual({ todo: null, mapping });
  expect(mappingOf({ ...draft, columns: draft.columns.filter(({ column }) => column !== "id") }).todo).toBe(
    "Choose the column that is the id.",
  );
});

it("replaces the first sample by a second one for a new connector, and keeps mapped columns of an existing one", async () => {
  const [first, second, other] = await Promise.all(
    ["id,name,mail\n1,Ada,a@b.c\n", "id,name,phone\n1,Ada,2\n", "student_id,surname\n1,Bo\n"].map((text) =>
      readSampleOf(file(text)),
    ),
  );
  const draft = draftWith(emptyDraft, first!, { read: [], isNew: true });
  const columns = (of: Draft) => of.columns.map(({ column, target }) => `${column} ${target}`);
  expect(columns(draftWith(draft, second!, { read: [], isNew: true }))).toEqual([
    "id externalId",
    "name displayName",
    "phone none",
  ]);
  expect(columns(draftWith(draft, other!, { read: [], isNew: true }))).toEqual([
    "student_id externalId",
    "surname familyName",
  ]);
  expect(columns(draftWith(draft, second!, { read: [], isNew: false }))).toEqual([
    "id externalId",
    "name displayName",
    "mail email",
    "phone none",
  ]);
});

it.each([
  ["ASCII, which says nothing of it", null, Buffer.from("id,name\n1,Zo\n")],
  ["UTF-8 with a byte order mark", "auto", Buffer.from("\ufeffid,name\n1,Zoë\n")],
  ["UTF-16", "auto", Buffer.from("\ufeffid\tname\n1\tZoë\n", "utf16le")],
  ["what Excel writes in Western Europe, once it is said", "windows-1252", Buffer.from('id;name\n1;"Zoë"\n', "latin1")],
])("reads a sample in %s", async (_, encoding, bytes) => {
  const isSaid = encoding === "windows-1252";
  expect(await readSample(file(new Uint8Array(bytes)), async () => Promise.reject(), isSaid)).toMatchObject({
    columns: [
      { name: "id", values: ["1"] },
      { name: "name", values: [expect.stringMatching(/^Zo/)] },
    ],
    encoding,
  });
});

it("asks for the encoding of a sample that is not Unicode, and shows lines that help to choose", async () => {
  const western = Buffer.from("id,name\n1,Ada\n2,Zoë\n", "latin1");
  const mixed = Buffer.concat([Buffer.from("id,name\n1,Zoë\n2,"), Buffer.from("René\n", "latin1")]);
  const askedOf = (bytes: Buffer) => readSampleOf(file(new Uint8Array(bytes))).catch((error: unknown) => error);
  expect(await askedOf(western)).toEqual(new UnknownEncoding([{ line: 3, text: "2,Zoë" }]));
  expect(((await askedOf(western)) as UnknownEncoding).lines).toEqual([{ line: 3, text: "2,Zoë" }]);
  expect(((await askedOf(mixed)) as UnknownEncoding).lines).toEqual([
    { line: 2, text: "1,ZoÃ«" },
    { line: 3, text: "2,René" },
  ]);
});

it("suggests columns again when the attributes that cards read are loaded, except changed columns", async () => {
  const chosen = await readSampleOf(file("id,name,dept,floor,room\n1,Ada,Law,1,2\n"));
  const late = ["dept", "floor", "room"].map((name) => ({ name, readBy: "template" as const, of: "Card" }));
  const early = draftWith(emptyDraft, chosen, { read: [], isNew: true });
  const touched = {
    ...early,
    columns: early.columns.map((each) =>
      each.column === "floor"
        ? { ...each, attribute: "level" }
        : each.column === "name"
          ? { ...each, target: "none" as const }
          : each,
    ),
  };
  const again = suggestedAgain(touched, chosen, { before: [], read: late });
  expect(again.columns.map(({ column, target, attribute }) => [column, target, attribute])).toEqual([
    ["id", "externalId", "id"],
    ["name", "none", "name"],
    ["dept", "attribute", "dept"],
    ["floor", "none", "level"],
    ["room", "attribute", "room"],
  ]);
  expect(suggestedAgain(again, chosen, { before: [], read: late })).toEqual(again);
});

it("explains why a file cannot be used as a sample", async () => {
  await expect(readSampleOf(file("PK", "people.xlsx"))).rejects.toThrow(UnfitFile);
  await expect(readSampleOf(file('{"id":1}\n', "people.csv"))).rejects.toThrow("asked the server");
  await expect(readSampleOf(file("\n\n"))).rejects.toThrow("The first line must hold the names of the columns.");
  await expect(readSampleOf(file('id,name\n1,"Ada\n'))).rejects.toThrow("a quote that is opened and never closed");
});

it("compresses a file so that the server reads the same bytes", async () => {
  const text = Array.from({ length: 30_000 }, () => `${Math.random()},ë\n`).join("");
  expect(gunzipSync(Buffer.from(await packFile(file(text)), "base64")).toString()).toBe(text);
  await expect(packFile(file(""))).rejects.toThrow("is empty");
});

it("maps columns to groups, with the separator that their values suggest, and reads the mapping back", async () => {
  const classes = await readSampleOf(file("id,class,club\n1,1a;Choir,Chess\n2,2b,\n"));
  const draft = suggestDraft(classes.columns, []);
  const columns = draft.columns.map((choice, i) =>
    choice.column === "id" ? choice : chooseTarget(choice, classes.columns[i]!, "group"),
  );
  const { mapping } = mappingOf({ ...draft, columns });
  expect(mapping).toEqual({ externalId: "id", groups: [{ from: "class", separator: ";" }, "club"] });
  expect(mappingOf(draftOf(mappingSchema.parse(mapping))).mapping).toEqual(mapping);
  expect(previewOf(mapping!, classes).map(({ groups }) => groups)).toEqual([["1a", "Choir", "Chess"], ["2b"]]);
});

it("previews the completed columns while others are incomplete", () => {
  const draft = suggestDraft(sample.columns, [...read]);
  const columns = draft.columns.map((choice, i) =>
    choice.column === "Born" ? chooseTarget(choice, sample.columns[i]!, "attribute") : choice,
  );
  expect(mappingOf({ ...draft, columns }).todo).toBe("Say how “Born” writes dates.");
  const decided = decidedMappingOf({ ...draft, columns })!;
  expect([decided.externalId, Object.keys(decided.attributes!)]).toEqual(["Student ID", ["enrolledUntil"]]);
  expect(decidedMappingOf({ ...draft, columns: columns.slice(2) })).toBeNull();
});

it("recognises the id column by the words of German systems", () => {
  const columns = ["Vorname", "Matrikelnummer", "Personal-Nr."].map((name) => ({ name, values: ["1"] }));
  expect(suggestDraft(columns, []).columns.map(({ target }) => target)).toEqual(["givenName", "externalId", "none"]);
});
