import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { FileError } from "./file-error";
import { readHead, readRecords, type Source } from "./read-csv";

const settings = { encoding: "auto", delimiter: "auto" } as const;
// Random, so that the compressed file stays larger than the buffers of streams.
const rows = Array.from({ length: 100_000 }, () => `${Math.random()},x\n`).join("");
const packed = gzipSync(`id,name\n${rows}`);

it("closes a gzip file after reading only its first line", async () => {
  let open = 0;
  const source: Source = async () =>
    (async function* () {
      open++;
      try {
        for (let i = 0; i < packed.length; i += 10_000) yield packed.subarray(i, i + 10_000);
      } finally {
        open--;
      }
    })();
  expect(await readHead(source, settings)).toMatchObject({ headers: ["id", "name"], lines: 1 });
  await expect.poll(() => open).toBe(0);
});

const count = async (source: Source) => {
  const records = readRecords(source, settings, await readHead(source, settings));
  let n = 0;
  while (!(await records.next()).done) n++;
  return n;
};

it("passes on a read error of a gzip file instead of reporting a damaged file", async () => {
  const lost = new Error("the disk is gone");
  const source: Source = async () =>
    (async function* () {
      yield packed.subarray(0, 500_000);
      throw lost;
    })();
  await expect(count(source)).rejects.toBe(lost);
});

it("reads a gzip file to its end, and refuses an incomplete one", async () => {
  const sent =
    (bytes: Uint8Array): Source =>
    async () =>
      (async function* () {
        yield bytes;
      })();
  expect(await count(sent(packed))).toBe(100_000);
  await expect(count(sent(packed.subarray(0, -10)))).rejects.toThrow(FileError);
});

const text =
  (content: string): Source =>
  async () =>
    (async function* () {
      yield Buffer.from(content);
    })();

it("counts empty lines, and yields to the event loop while it reads many of them", async () => {
  const source = text(`id,name\n\n1,a\n${"\n".repeat(200_000)}2,"b\n\nc"\n , \n3,d\n`);
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  const found = [];
  for await (const { line, isBlank } of readRecords(source, settings, await readHead(source, settings)))
    found.push([line, isBlank]);
  clearInterval(other);
  expect(found).toEqual([
    [3, false],
    [200_004, false],
    [200_007, true],
    [200_008, false],
  ]);
  expect(turns).toBeGreaterThan(5);
});

it("refuses a first line with too many columns", async () => {
  const error = await readHead(text(`id${",".repeat(200_000)}\n1\n`), settings).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FileError);
  expect((error as FileError).toJSON()).toMatchObject({ code: "too_many_columns", line: 1 });
});
