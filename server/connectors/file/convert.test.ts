import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sheetRow, workbookParts, zipOf } from "../testing/archives";
import { convert, settingsFor, sourceOf, type ConvertOptions } from "./convert";
import { FileError } from "./file-error";
import { readHead, readRecords, type Source } from "./read-csv";

const mebibyte = 1024 * 1024;
const settings = { encoding: "auto", delimiter: "auto" } as const;

const bytes =
  (content: string | Uint8Array): Source =>
  async () =>
    (async function* () {
      const whole = Buffer.from(content);
      for (let at = 0; at < whole.length; at += 65_536) yield whole.subarray(at, at + 65_536);
    })();

/** Converts a file and reads it as staging would: the columns, and the rows with their line numbers. */
async function read(source: Source, options: Partial<ConvertOptions> = {}) {
  const converted = await convert(source, { columns: null, mode: "full", limit: 200 * mebibyte, ...options });
  const isNumbered = converted?.isNumbered ?? false;
  const as = settingsFor(settings, isNumbered);
  const text = converted ? sourceOf(converted.file) : source;
  try {
    const head = await readHead(text, as, isNumbered);
    const rows: [number, ...string[]][] = [];
    for await (const { line, cells } of readRecords(text, as, head)) rows.push([line, ...cells]);
    return { columns: head.headers, rows };
  } finally {
    await converted?.file.discard();
  }
}

const failure = async (source: Source, options: Partial<ConvertOptions> = {}) => {
  const error = await read(source, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FileError);
  return (error as FileError).toJSON();
};

const table = { columns: ["id", "name"], rows: [[2, "1", "Ada"]] };
const csv = "id,name\n1,Ada\n";

describe("the form of a file", () => {
  it.each([
    ["CSV", csv],
    ["CSV that begins with a brace", '"{id}",name\n1,Ada\n'],
    ["gzip", gzipSync(csv)],
  ])("accepts %s unchanged", async (_, content) => {
    expect(await convert(bytes(content), { columns: null, mode: "full", limit: mebibyte })).toBeNull();
  });

  it.each([
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "unsupported_file"],
    ["gzip within gzip", gzipSync(gzipSync(csv)), "unsupported_file"],
    ["PDF", "%PDF-1.7", "unsupported_file"],
    ["a JSON array", '[\n {"id": 1}]', "unsupported_file"],
    ["a PGP message without a key for it", "-----BEGIN PGP MESSAGE-----\n", "encrypted_file"],
  ])("refuses %s and says what to send", async (_, content, code) => {
    expect(await failure(bytes(content))).toMatchObject({ code, message: expect.stringMatching(/\b(send|save) /i) });
  });
});

describe("an archive", () => {
  it.each([
    ["CSV", { "people.csv": csv }],
    [
      "CSV beside what macOS adds",
      { "people.csv": csv, "__MACOSX/._people.csv": "x", ".DS_Store": "x", "folder/": "" },
    ],
    [
      "a workbook",
      async () => ({ "p.xlsx": await zipOf(workbookParts(sheetRow(1, ["id", "name"]) + sheetRow(2, ["1", "Ada"]))) }),
    ],
    ["JSON lines", { "p.jsonl": '{"id":1,"name":"Ada"}\n' }],
  ])("is read if it contains only %s", async (name, given) => {
    const files = typeof given === "function" ? await given() : given;
    const archive = await zipOf(files as unknown as Record<string, string>);
    const line = name === "JSON lines" ? 1 : 2;
    const expected = { ...table, rows: [[line, "1", "Ada"]] };
    expect(await read(bytes(archive))).toEqual(expected);
    expect(await read(bytes(gzipSync(archive)))).toEqual(expected);
  });

  it.each([
    ["two lists", () => zipOf({ "a.csv": csv, "b.csv": csv }), "unsupported_file"],
    ["nothing", () => zipOf({ "folder/.keep": "" }), "unsupported_file"],
    ["an archive of archives", async () => zipOf({ "a.zip": await zipOf({ "a.csv": csv }) }), "unsupported_file"],
    [
      "a file outside of itself",
      async () => renamed(await zipOf({ "xx/a.csv": csv }), "xx/a", "../a"),
      "broken_archive",
    ],
    ["an absolute path", async () => renamed(await zipOf({ "xx/a.csv": csv }), "xx/a", "/xxa"), "broken_archive"],
    ["a file with a password", async () => flagged(await zipOf({ "a.csv": csv })), "unsupported_file"],
    [
      "a damaged file",
      async () => renamed(await zipOf({ "a.csv": csv }, { compress: false }), "Ada", "Eva"),
      "broken_archive",
    ],
    ["half of itself", async () => (await zipOf({ "a.csv": csv })).subarray(0, 60), "broken_archive"],
    [
      "more files than are looked at",
      () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, ""]))),
      "unsupported_file",
    ],
    ["a binary workbook", () => zipOf({ "xl/workbook.bin": "x" }), "unsupported_file"],
    ["a workbook of OpenDocument", () => zipOf({ mimetype: "x", "content.xml": "x" }), "unsupported_file"],
  ])("is refused where it holds %s", async (_, archive, code) => {
    expect(await failure(bytes(await archive()))).toMatchObject({ code });
  });

  it("is refused as a zip bomb by its ratio, by its size, and if its directory states a smaller size", async () => {
    const zeros = Buffer.alloc(120 * mebibyte, "a\n");
    const bomb = await zipOf({ "a.csv": zeros });
    expect(bomb.length).toBeLessThan(mebibyte);
    expect(await failure(bytes(bomb))).toMatchObject({ code: "too_large" });
    const large = await zipOf({ "a.csv": Buffer.alloc(2 * mebibyte, "a\n") });
    expect(await failure(bytes(large), { limit: mebibyte })).toMatchObject({ code: "too_large" });
    // The directory and the header claim that 2 MiB are 9 bytes.
    const size = Buffer.alloc(4);
    size.writeUInt32LE(2 * mebibyte);
    const liar = Buffer.from(large);
    for (let at = liar.indexOf(size); at >= 0; at = liar.indexOf(size, at + 1)) liar.writeUInt32LE(9, at);
    expect(await failure(bytes(liar))).toMatchObject({ code: "broken_archive" });
  });

  const renamed = (archive: Buffer, from: string, to: string) =>
    Buffer.from(archive.toString("latin1").replaceAll(from, to), "latin1");
  /** Sets the flag of an encrypted file in the archive's directory. */
  const flagged = (archive: Buffer) => {
    const at = archive.indexOf(Buffer.from("504b0102", "hex"));
    archive.writeUInt16LE(archive.readUInt16LE(at + 8) | 1, at + 8);
    return archive;
  };
});

describe("a workbook", () => {
  const workbook = async (rows: string, texts: string[] = [], parts: Record<string, string> = {}) =>
    bytes(await zipOf({ ...workbookParts(rows, texts), ...parts }));

  it("is read from its first visible sheet, with row numbers and the values of texts, numbers, dates and formulas", async () => {
    const rows = [
      `<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="inlineStr"><is><r><t>bo</t></r><r><t>rn</t></r><rPh><t>x</t></rPh></is></c><c r="E3" t="str"><f>1</f><v>sum</v></c></row>`,
      `<row r="5"><c r="A5"><v>10023</v></c><c r="B5" t="s"><v>2</v></c><c r="C5" s="1"><v>36526</v></c><c r="D5"/><c r="E5"><v>0.30000000000000004</v></c></row>`,
      `<row r="6"/>`,
      `<row><c r="A7"><v>1.2345678901234567E+17</v></c><c t="b"><v>1</v></c><c s="2"><v>36526.5</v></c></row>`,
    ];
    expect(await read(await workbook(rows.join(""), ["id", "name", "Zoë\n& <Ada>"]))).toEqual({
      columns: ["id", "name", "born", "", "sum"],
      rows: [
        [5, "10023", "Zoë\n& <Ada>", "2000-01-01", "", "0.3"],
        [7, "1.23456789012346E+17", "TRUE", "2000-01-01T12:00:00", "", ""],
      ],
    });
  });

  it("ignores empty cells right of the last column, but keeps a filled one, so that its row is rejected", async () => {
    const rows = sheetRow(1, ["id", "name"]) + sheetRow(2, ["1", "Ada", " "]) + sheetRow(3, ["2", "Bo", "", "?"]);
    expect(await read(await workbook(rows))).toEqual({
      columns: ["id", "name"],
      rows: [
        [2, "1", "Ada"],
        [3, "2", "Bo", "", "?"],
      ],
    });
  });

  it.each([
    [
      "a document type, and with it entities",
      `<row/>`,
      { "xl/sharedStrings.xml": `<!DOCTYPE s [<!ENTITY a "b">]><sst/>` },
      "broken_workbook",
    ],
    ["XML that breaks off", "<row><c", {}, "broken_workbook"],
    ["tags in tags without end", "<a>".repeat(500), {}, "broken_workbook"],
    ["more columns than there are in Excel", `<row><c r="ZZZZZ1"><v>1</v></c></row>`, {}, "too_many_columns"],
    [
      "a text of 3 MiB",
      `<row><c t="inlineStr"><is><t>${"x".repeat(3 * mebibyte)}</t></is></c></row>`,
      {},
      "line_too_long",
    ],
    ["an attribute of 3 MiB", `<row a="${"x".repeat(3 * mebibyte)}"/>`, {}, "line_too_long"],
    [
      "a row that names a long text again and again",
      `<row>${`<c t="s"><v>0</v></c>`.repeat(100)}</row>`,
      { "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(90_000)}</t></si></sst>` },
      "line_too_long",
    ],
    ["no sheet", "", { "xl/workbook.xml": "<workbook/>" }, "no_sheet"],
    ["no rows", "", {}, "empty_file"],
  ])("is refused if it has %s", async (_, rows, parts, code) => {
    expect(await failure(await workbook(rows, [], parts as Record<string, string>))).toMatchObject({ code });
  });

  it("is refused if its texts exceed the memory limit", async () => {
    const text = `<si><t>${"abcdefghij".repeat(5000)}</t></si>`;
    const source = await workbook("<row/>", [], { "xl/sharedStrings.xml": `<sst>${text.repeat(2100)}</sst>` });
    expect(await failure(source)).toMatchObject({ code: "too_large" });
  });
});

describe("JSON lines", () => {
  it("have the paths of the mapping as columns, or the paths of the first objects", async () => {
    const file = bytes(
      '{"id": 12345678901234567890, "n": {"given": "Ada"}}\n\n{"id": 2, "n": {"given": "Bo, \\"B\\""}, "x": [1]}',
    );
    expect(await read(file, { columns: ["n.given", "id"] })).toEqual({
      columns: ["n.given", "id"],
      rows: [
        [1, "Ada", "12345678901234567890"],
        [3, 'Bo, "B"', "2"],
      ],
    });
    expect(await read(file)).toMatchObject({ columns: ["id", "n.given", "x.0"] });
  });

  it.each([
    ["a line that breaks off", '{"id":1}\n{"id":', "invalid_json", 2],
    ["something else than an object", '{"id":1}\n3\n', "invalid_json", 2],
    ["another encoding", Buffer.from('{"id":1}\n{"id":"ü"}\n', "latin1"), "wrong_encoding", 2],
    ["a line of many MiB", `{"id":1}\n{"id":"${"x".repeat(3 * mebibyte)}"}`, "line_too_long", 2],
    ["no line with a path of the mapping", '{"id":1}\n{"id":2}\n', "missing_column", null],
  ])("are refused if they have %s", async (_, content, code, line) => {
    const columns = code === "missing_column" ? ["id", "name"] : ["id"];
    expect(await failure(bytes(content), { columns })).toMatchObject({ code, line });
  });
});
