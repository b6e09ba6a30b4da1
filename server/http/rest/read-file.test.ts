import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { storageFailure } from "@/server/core/blobs/storage-failure";
import { Upload, uploadsFolder } from "@/server/core/blobs/upload";
import { upload } from "@/server/core/blobs/upload-input";
import { env } from "@/server/core/env";
import { command } from "@/server/core/operation";
import { world } from "@/server/testing/world";
import { readFileBody } from "./read-file";
import { route } from "./route";

const mebibyte = 1024 * 1024;
const body = { field: "file", partName: "file", types: ["text/csv"], limit: 64 * mebibyte };
const boundary = "----x";

/** Builds a form as it is sent. */
function form(parts: string[], end = `--${boundary}--\r\n`): string {
  return parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("") + end;
}
const filePart = (name: string, text: string) =>
  `content-disposition: form-data; name="${name}"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${text}`;
const request = (raw: BodyInit, type = `multipart/form-data; boundary=${boundary}`) =>
  new Request("http://localhost/x", {
    method: "POST",
    body: raw,
    headers: { "content-type": type },
    duplex: "half",
  } as RequestInit);
const uploads = () => (existsSync(uploadsFolder()) ? readdirSync(uploadsFolder()) : []);

// A folder of their own, because other test files upload too.
beforeAll(async () => {
  env().DATA_DIR = await mkdtemp(join(tmpdir(), "bonafide-uploads-"));
});
afterAll(() => rm(env().DATA_DIR, { recursive: true }));

/** A body that is produced no faster than it is read. */
function streamed(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await source.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream({ pull, cancel: () => void source.return(undefined) }, { highWaterMark: 0 });
}

describe("a body that is a file", () => {
  it.each(["as the body", "in a form"])(
    "of 48 MiB %s is written to disk as it arrives, with only a few chunks in memory",
    async (how) => {
      const piece = randomBytes(256 * 1024);
      const hash = createHash("sha256");
      const written = () => uploads().map((name) => statSync(join(uploadsFolder(), name)).size)[0] ?? 0;
      let sent = 0;
      let mostHeld = 0;
      async function* source() {
        if (how === "in a form") yield Buffer.from(`--${boundary}\r\n${filePart("file", "")}`);
        for (let n = 0; n < 192; n++) {
          if (n > 0) mostHeld = Math.max(mostHeld, sent - written());
          hash.update(piece);
          sent += piece.length;
          yield piece;
        }
        if (how === "in a form") yield Buffer.from(`\r\n--${boundary}--\r\n`);
      }
      const file = await readFileBody(request(streamed(source()), how === "in a form" ? undefined : "text/csv"), body);
      expect([file.size, file.sha256]).toEqual([48 * mebibyte, hash.digest("hex")]);
      expect(mostHeld).toBeLessThan(2 * mebibyte);
      await file.discard();
      expect(uploads()).toEqual([]);
    },
  );

  it.each([
    ["a form that breaks off in the file", () => form([filePart("file", "a,b")], ""), "broke off"],
    ["a form that breaks off in its headers", () => `--${boundary}\r\ncontent-dis`, "broke off"],
    ["an empty form", () => "", "broke off"],
    ["a form without a file", () => form([]), "no file"],
    ["a file of another name", () => form([filePart("other", "a,b")]), 'a file "other"'],
    ["two files", () => form([filePart("file", "a"), filePart("file", "b")]), "more than one file"],
    [
      "a field beside the file",
      () => form([filePart("file", "a"), 'content-disposition: form-data; name="id"\r\n\r\n1']),
      "another field",
    ],
  ])("%s is refused with 400 and leaves no upload behind", async (_, raw, words) => {
    const refused = await readFileBody(request(raw()), body).then(
      () => null,
      (error: unknown) => error as { status: number; message: string },
    );
    expect([refused?.status, refused?.message]).toEqual([400, expect.stringContaining(words)]);
    expect(uploads()).toEqual([]);
  });

  it.each([
    ["with a type of its own", "content-type: text/csv\r\n"],
    ["with nothing but its name", ""],
  ])("in a part without a filename is accepted, %s", async (_, type) => {
    const part = `content-disposition: form-data; name="file"\r\n${type}\r\na,b`;
    const file = await readFileBody(request(form([part])), body);
    expect(file.size).toBe(3);
    await file.discard();
  });

  it("without a boundary, of another type or compressed is refused", async () => {
    await expect(readFileBody(request("x", "multipart/form-data"), body)).rejects.toMatchObject({ status: 400 });
    await expect(readFileBody(request("x", "text/html"), body)).rejects.toMatchObject({
      status: 415,
      extras: { headers: { accept: "text/csv, multipart/form-data" } },
    });
    const zipped = request("x", "text/csv");
    zipped.headers.set("content-encoding", "gzip");
    await expect(readFileBody(zipped, body)).rejects.toMatchObject({ status: 415 });
  });

  it("over the limit is refused as soon as it exceeds it, in a form too", async () => {
    const small = { ...body, limit: 100_000 };
    let pulled = 0;
    async function* endless() {
      yield Buffer.from(`--${boundary}\r\n${filePart("file", "")}`);
      for (;;) {
        if (++pulled > 1000) throw new Error("is still read");
        yield Buffer.alloc(64 * 1024);
      }
    }
    await expect(readFileBody(request(streamed(endless())), small)).rejects.toMatchObject({ status: 413 });
    expect(uploads()).toEqual([]);
  });

  it("whose sender goes away is refused and leaves no upload behind", async () => {
    async function* broken(start: string) {
      yield Buffer.from(start);
      throw new Error("socket hang up");
    }
    const refusal = { status: 400, code: "malformed_request", message: expect.stringContaining("broke off") };
    await expect(readFileBody(request(streamed(broken("a,b\n")), "text/csv"), body)).rejects.toMatchObject(refusal);
    await expect(
      readFileBody(request(streamed(broken(`--${boundary}\r\n${filePart("file", "a,b")}`))), body),
    ).rejects.toMatchObject(refusal);
    expect(uploads()).toEqual([]);
  });

  it("is refused with 503 and an explanation when the disk cannot be written or is full", async () => {
    const folder = env().DATA_DIR;
    try {
      env().DATA_DIR = "/dev/null";
      await expect(readFileBody(request("a,b", "text/csv"), body)).rejects.toMatchObject({
        status: 503,
        code: "unavailable",
        message: expect.stringContaining("cannot write"),
      });
    } finally {
      env().DATA_DIR = folder;
    }
    const full = await open("/dev/full", "w");
    const thrown = await full.writeFile("x").then(() => null, storageFailure);
    await full.close().catch(() => undefined);
    expect(thrown).toMatchObject({ status: 503, message: expect.stringContaining("its disk is full") });
  });
});

describe("an Idempotency-Key with a file", () => {
  let token: string;
  let calls = 0;
  beforeAll(async () => {
    token = await (await world()).key("subjects:write");
  });
  const post = route({
    operation: command({
      name: "test.file",
      scope: "subjects:write",
      input: z.strictObject({ file: upload }),
      run: async (_, { file }: { file: Upload }) => ({ call: ++calls, size: file.size }),
    }),
    summary: "Takes a file",
    file: body,
    response: z.object({ call: z.int(), size: z.int() }),
  });
  const send = async (raw: string, type: string) => {
    const asked = request(raw, type);
    asked.headers.set("authorization", `Bearer ${token}`);
    asked.headers.set("idempotency-key", "upload-1");
    const answer = await post(asked);
    return {
      status: answer.status,
      replayed: answer.headers.get("idempotent-replayed"),
      body: (await answer.json()) as Record<string, unknown>,
    };
  };

  it("goes by the bytes: the same file gets the stored response, however it is sent; another file is refused", async () => {
    const first = await send("a,b\n1,2\n", "text/csv");
    expect([first.status, first.body]).toEqual([200, { call: 1, size: 8 }]);
    const again = await send(form([filePart("file", "a,b\n1,2\n")]), `multipart/form-data; boundary=${boundary}`);
    expect([again.replayed, again.body]).toEqual(["true", { call: 1, size: 8 }]);
    const other = await send("a,b\n1,3\n", "text/csv");
    expect([other.status, other.body["code"]]).toEqual([422, "idempotency_key_reused"]);
  });
});
