import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { zipOf } from "@/server/connectors/testing/archives";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { runChild } from "@/server/testing/child";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { picture } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { upsertSubject } from "@/server/subjects/upsert";
import { getSubject } from "@/server/subjects/get";
import { cancelPhotoImport } from "./cancel";
import { getPhotoImport } from "./get";
import { importPhotos } from "./import-photos";
import { emptyFiles, importAll, uploadedArchive, uploadedPhotos } from "./testing/archive";

// Workers import the archives of all organisations, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());
beforeEach(() => sql(`TRUNCATE organisations CASCADE`));

const people = (w: World, externalIds: string[]) =>
  bulkUpsertSubjects(w.ctx, { items: externalIds.map((externalId) => ({ externalId })) });
const photoOf = async (w: World, externalId: string) =>
  (await call("GET", `/v1/subjects?externalId=${encodeURIComponent(externalId)}`, { token: await w.key() })).json<{
    data: { photoUpdatedAt: string | null }[];
  }>().data[0]!.photoUpdatedAt;
const rejections = async (w: World, id: string) =>
  (await call("GET", `/v1/photo_imports/${id}/rejected?limit=100`, { token: await w.key() })).json<{
    data: { fileName: string; externalId: string; code: string; reason: string }[];
  }>().data;
const updates = async (w: World) => (await eventsOf(w.orgId)).filter((e) => e.type === "subject.updated").length;

describe("an archive of photos", () => {
  it("becomes the photos of the people whose external ids are its file names, and lists the rest with reasons", async () => {
    const w = await world();
    const token = await w.key();
    await people(w, ["s-1", "s-2", "s-3", "Zoë"]);
    const photo = await picture();
    const archive = await zipOf({
      "s-1.jpg": photo,
      "Class 3b/": "",
      "Class 3b/S-2.PNG": await picture({ format: "png", colour: "#aa0000" }),
      // Decomposed (NFD), as macOS writes names.
      "Class 3b/Zoe\u0308.webp": await picture({ format: "webp", colour: "#00aa00" }),
      "nobody.jpg": photo,
      "s-3.txt": "notes",
      "s-3.jpg": "no picture",
      "__MACOSX/._s-1.jpg": "fork",
      "._s-2.jpg": "fork",
      ".DS_Store": "x",
      "Thumbs.db": "x",
    });
    const accepted = await call("POST", "/v1/photo_imports", {
      token,
      raw: new Uint8Array(archive),
      headers: { "content-type": "application/zip" },
    });
    const { id } = accepted.json<{ id: string }>();
    expect([accepted.status, accepted.json(), accepted.headers.get("location")]).toEqual([
      202,
      expect.objectContaining({ object: "photo_import", status: "queued" }),
      `/v1/photo_imports/${id}`,
    ]);
    await importAll();
    expect((await call("GET", `/v1/photo_imports/${id}`, { token })).json()).toMatchObject({
      status: "completed",
      counts: { total: 6, processed: 6, written: 3, unchanged: 0, rejected: 3, ignored: 4 },
    });
    for (const externalId of ["s-1", "s-2", "Zoë"]) expect(await photoOf(w, externalId)).not.toBeNull();
    expect(await photoOf(w, "s-3")).toBeNull();
    expect((await rejections(w, id)).map(({ fileName, code }) => [fileName, code])).toEqual([
      ["nobody.jpg", "unknown_person"],
      ["s-3.txt", "unsupported_file"],
      ["s-3.jpg", "unreadable"],
    ]);
    const csv = await call("GET", `/v1/photo_imports/${id}/rejected/export`, { token });
    expect(csv.text).toContain("nobody.jpg,nobody,unknown_person,Nobody has this id.");
    expect(await updates(w)).toBe(3);
  });

  it("writes nothing for photos that are unchanged", async () => {
    const w = await world();
    await people(w, ["s-1", "s-2"]);
    const files = { "s-1.jpg": await picture(), "s-2.jpg": await picture({ colour: "#aa0000" }) };
    await uploadedPhotos(w.ctx, files);
    await importAll();
    const [before, events] = [await photoOf(w, "s-1"), await updates(w)];
    const { id } = await uploadedPhotos(w.ctx, files);
    await importAll();
    expect((await getPhotoImport(w.ctx, { id })).counts).toMatchObject({ written: 0, unchanged: 2, rejected: 0 });
    expect([await photoOf(w, "s-1"), await updates(w)]).toEqual([before, events]);
  });

  it("rejects both of two files for the same id", async () => {
    const w = await world();
    await people(w, ["s-1"]);
    const { id } = await uploadedPhotos(w.ctx, { "a/s-1.jpg": await picture(), "b/s-1.png": await picture() });
    await importAll();
    expect((await rejections(w, id)).map(({ fileName, code }) => [fileName, code])).toEqual([
      ["a/s-1.jpg", "duplicate"],
      ["b/s-1.png", "duplicate"],
    ]);
    expect(await photoOf(w, "s-1")).toBeNull();
  });

  it("accepts an id in another case only if it identifies one person", async () => {
    const w = await world();
    await people(w, ["a1", "A1", "b1", "c1", "C1"]);
    const photo = await picture();
    const { id } = await uploadedPhotos(w.ctx, { "B1.jpg": photo, "a1.jpg": photo, "A1.jpg": photo, "C1.jpg": photo });
    await importAll();
    expect((await getPhotoImport(w.ctx, { id })).counts).toMatchObject({ written: 4, rejected: 0 });
    expect(await photoOf(w, "c1")).toBeNull();
    await people(w, ["Mc-Ä_1", "x1Y", "X1y"]);
    const mixed = await uploadedPhotos(w.ctx, { "mc-ä_1.jpg": photo, "X1Y.jpg": photo });
    await importAll();
    expect(await photoOf(w, "Mc-Ä_1")).not.toBeNull();
    expect((await rejections(w, mixed.id)).map(({ fileName, code }) => [fileName, code])).toEqual([
      ["X1Y.jpg", "ambiguous"],
    ]);
    const unclear = await uploadedPhotos(w.ctx, { "b1.jpg": photo, "B1.jpg": photo });
    await importAll();
    expect((await rejections(w, unclear.id)).map(({ fileName, code }) => [fileName, code])).toEqual([
      ["B1.jpg", "unknown_person"],
    ]);
  });

  it("rejects the photo of an erased person, and blanks the name of a file when its person is erased", async () => {
    const w = await world();
    const { subject } = await upsertSubject(w.ctx, { externalId: "s-1" });
    const first = await uploadedPhotos(w.ctx, { "S-1.jpg": "no picture" });
    await importAll();
    expect(await rejections(w, first.id)).toMatchObject([{ externalId: "S-1", code: "unreadable" }]);
    const second = await uploadedPhotos(w.ctx, { "s-1.jpg": await picture() });
    await eraseSubject(w.ctx, { id: subject.id, reason: "Asked" });
    expect(await rejections(w, first.id)).toMatchObject([{ fileName: null, externalId: null, code: "unreadable" }]);
    await importAll();
    expect(await rejections(w, second.id)).toMatchObject([
      { fileName: null, externalId: null, code: "subject_erased" },
    ]);
    expect((await getSubject(w.ctx, { id: subject.id })).photoUpdatedAt).toBeNull();
  });

  it("stops when the key that uploaded it is revoked, and keeps what is done", async () => {
    const w = await world();
    await people(w, ["s-1"]);
    const key = await createApiKey(w.ctx, { name: "Photos", scopes: ["subjects:write"] });
    const accepted = await call("POST", "/v1/photo_imports", {
      token: key.secret,
      raw: new Uint8Array(await zipOf({ "s-1.jpg": await picture() })),
      headers: { "content-type": "application/zip" },
    });
    await revokeApiKey(w.ctx, { id: key.id });
    await importAll();
    const found = await getPhotoImport(w.ctx, { id: accepted.json<{ id: string }>().id });
    expect(found).toMatchObject({ status: "stopped", stopReason: expect.stringContaining("revoked") });
    expect(await photoOf(w, "s-1")).toBeNull();
  });

  it("is cancelled permanently, and releases its file", async () => {
    const w = await world();
    await people(w, ["s-1"]);
    const { id } = await uploadedPhotos(w.ctx, { "s-1.jpg": await picture() });
    await cancelPhotoImport(w.ctx, { id });
    expect(await importPhotos(new Date())).toBe(false);
    expect((await getPhotoImport(w.ctx, { id })).counts.processed).toBe(0);
    expect(await sql(`SELECT count(*)::int AS n FROM blobs WHERE idle_since IS NULL`)).toEqual([{ n: 0 }]);
  });

  it("is imported once and completely, even if its worker was killed in the middle", async () => {
    const w = await world();
    const ids = Array.from({ length: 12 }, (_, i) => `s-${i}`);
    await people(w, ids);
    const large = await picture({ width: 2000, height: 2600 });
    const { id } = await uploadedPhotos(w.ctx, Object.fromEntries(ids.map((each) => [`${each}.jpg`, large])));
    const child = await runChild("server/photos/testing/worker.child.ts");
    await expect
      .poll(async () => (await getPhotoImport(w.ctx, { id })).counts.processed, { timeout: 60_000 })
      .toBeGreaterThan(1);
    await child.kill();
    const { processed } = (await getPhotoImport(w.ctx, { id })).counts;
    expect(processed).toBeLessThan(ids.length);
    expect(await updates(w)).toBe(processed);
    expect(await importPhotos(new Date())).toBe(false);
    // The lease of the killed process ends.
    await sql(`UPDATE photo_imports SET lease_until = NULL WHERE org_id = $1`, [w.orgId]);
    await importAll();
    expect(await getPhotoImport(w.ctx, { id })).toMatchObject({ status: "completed", counts: { written: 12 } });
    expect(await updates(w)).toBe(12);
  });

  it("rejects a picture that three processes died on, and continues", async () => {
    const w = await world();
    await people(w, ["s-1", "s-2"]);
    const { id } = await uploadedPhotos(w.ctx, { "s-1.jpg": await picture(), "s-2.jpg": await picture() });
    await sql(`UPDATE photo_imports SET attempts = 3 WHERE org_id = $1`, [w.orgId]);
    await importAll();
    expect(await rejections(w, id)).toMatchObject([{ fileName: "s-1.jpg", code: "unreadable" }]);
    expect(await photoOf(w, "s-2")).not.toBeNull();
  });
});

describe("an archive that cannot be used", () => {
  const refused = async (archive: Uint8Array) => {
    const w = await world();
    const answer = await call("POST", "/v1/photo_imports", {
      token: await w.key(),
      raw: new Uint8Array(archive),
      headers: { "content-type": "application/zip" },
    });
    expect(await sql(`SELECT id FROM photo_imports WHERE org_id = $1`, [w.orgId])).toEqual([]);
    return [answer.status, answer.json<{ errors: { message: string }[] }>().errors[0]!.message] as const;
  };

  it("is refused at once, with an explanation", async () => {
    const good = await zipOf({ "s-1.jpg": "x".repeat(2000) });
    expect(await refused(Buffer.from("no archive at all, but long enough"))).toEqual([
      400,
      expect.stringContaining("damaged or incomplete"),
    ]);
    expect(await refused(good.subarray(0, good.length - 30))).toEqual([400, expect.stringContaining("damaged")]);
    expect(await refused(await zipOf({ ".DS_Store": "x" }))).toEqual([400, expect.stringContaining("no photos")]);
    expect(await refused(renamed(good, "s-1.jpg", "../.jpg"))).toEqual([
      400,
      expect.stringContaining("path that leads out"),
    ]);
    expect(await refused(encrypted(good))).toEqual([400, expect.stringContaining("password")]);
  });

  it("may contain 10,000 photos plus the files that macOS adds, and no more", async () => {
    const w = await world();
    const names = Array.from({ length: 10_001 }, (_, i) => `s-${i}.jpg`);
    const fitting = names.slice(1).flatMap((name) => [name, `__MACOSX/._${name}`]);
    expect((await uploadedArchive(w.ctx, emptyFiles(fitting))).counts).toMatchObject({
      total: 10_000,
      ignored: 10_000,
    });
    expect(await refused(emptyFiles(names))).toEqual([400, expect.stringContaining("Divide it")]);
    const hidden = Array.from({ length: 30_001 }, (_, i) => `__MACOSX/${i}`);
    expect(await refused(emptyFiles(hidden))).toEqual([400, expect.stringContaining("Divide it")]);
  });

  it("may not have a directory whose names fill the memory", async () => {
    const long = "x".repeat(60_000);
    expect(await refused(emptyFiles(Array.from({ length: 600 }, (_, i) => `${long}${i}`)))).toEqual([
      400,
      expect.stringContaining("damaged"),
    ]);
  });

  it("uses no memory for a file that unpacks to more than it states or than a photo may have", async () => {
    const w = await world();
    await people(w, ["s-1", "s-2"]);
    const bomb = await zipOf({ "s-1.jpg": Buffer.alloc(60 * 1024 * 1024), "s-2.jpg": Buffer.alloc(9 * 1024 * 1024) });
    // The directory states that the second file unpacks to 100 bytes.
    const at = bomb.lastIndexOf("PK\x01\x02", undefined, "latin1");
    bomb.writeUInt32LE(100, at + 24);
    const { id } = await uploadedArchive(w.ctx, bomb);
    await importAll();
    expect((await rejections(w, id)).map(({ code }) => code)).toEqual(["too_large", "damaged"]);
  });
});

/** Replaces a name of the same length in an archive. */
const renamed = (archive: Buffer, from: string, to: string) =>
  Buffer.from(archive.toString("latin1").replaceAll(from, to), "latin1");

/** Sets the flag of encrypted entries in an archive of one file. */
function encrypted(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  const at = copy.lastIndexOf("PK\x01\x02", undefined, "latin1");
  copy.writeUInt16LE(copy.readUInt16LE(at + 8) | 1, at + 8);
  copy.writeUInt16LE(copy.readUInt16LE(6) | 1, 6);
  return copy;
}
