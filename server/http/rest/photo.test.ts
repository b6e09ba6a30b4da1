import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAudit } from "@/server/access/list-audit";
import { blobKey } from "@/server/core/blobs/store";
import { uploadsFolder } from "@/server/core/blobs/upload";
import { env } from "@/server/core/env";
import { publicId } from "@/server/core/ids";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { purgeExpired } from "@/server/retention/purge";
import { deletePhoto } from "@/server/subjects/delete-photo";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { photoOf, picture } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

let mine: World;
let token: string;
let id: string;
let path: string;

// Sweeps concern all organisations, so these tests have their own database and folder.
let drop: () => Promise<void>;
afterAll(async () => {
  await drop();
  await rm(env().DATA_DIR, { recursive: true });
});
beforeAll(async () => {
  drop = await ownDatabase();
  env().DATA_DIR = await mkdtemp(join(tmpdir(), "bonafide-photos-"));
  mine = await world();
  token = await mine.key("subjects:read", "subjects:write");
});
let n = 0;
beforeEach(async () => {
  id = (await upsertSubject(mine.ctx, { externalId: `photo-${++n}`, displayName: "Ada" })).subject.id;
  path = `/v1/subjects/${id}/photo`;
});

const put = (bytes: BodyInit, type = "image/jpeg", headers: Record<string, string> = {}) =>
  call("PUT", path, { token, raw: bytes, headers: { "content-type": type, ...headers } });
const get = async (density = "1x", headers: Record<string, string> = {}) => {
  const answer = await call("GET", `${path}/${density}`, { token, headers });
  return { ...answer, image: answer.status === 200 ? await sharp(answer.bytes).metadata() : null };
};
const bodyOf = (bytes: Buffer) => new Uint8Array(bytes);

/** Builds the header of an interlaced PNG of the given size, with 16 bits for each of four samples. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0, 0, 1]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("PUT /v1/subjects/{id}/photo", () => {
  it("stores a picture from the body and serves it at three densities and their aliases", async () => {
    const answer = await put(bodyOf(await picture({ width: 1200, height: 900 })));
    expect([answer.status, answer.json()["photoUpdatedAt"]]).toEqual([200, expect.stringMatching(/^20/)]);
    for (const [density, width, height] of [
      ["1x", 90, 120],
      ["2x", 180, 240],
      ["@2x", 180, 240],
      ["2", 180, 240],
      ["3x", 270, 360],
    ] as const) {
      const { status, image } = await get(density);
      expect([density, status, image?.width, image?.height]).toEqual([density, 200, width, height]);
    }
    for (const other of ["4x", "x", "toString"]) expect([other, (await get(other)).status]).toEqual([other, 400]);
  });

  it.each(["png", "webp"] as const)("accepts a %s", async (format) => {
    expect((await put(bodyOf(await picture({ format })), `image/${format}`)).status).toBe(200);
  });

  it("accepts the file of a multipart form", async () => {
    const form = new FormData();
    form.set("file", new Blob([bodyOf(await picture())], { type: "image/jpeg" }), "me.jpg");
    const request = new Request("http://x", { method: "POST", body: form });
    const answer = await put(await request.arrayBuffer(), request.headers.get("content-type")!);
    expect(answer.status).toBe(200);
    expect((await get()).status).toBe(200);
  });

  it("removes metadata such as the place, and turns the picture upright", async () => {
    const sent = await sharp({ create: { width: 300, height: 400, channels: 3, background: "red" } })
      .composite([{ input: { create: { width: 300, height: 200, channels: 3, background: "blue" } }, top: 0, left: 0 }])
      .withExif({ IFD0: { Artist: "Ada" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer();
    expect((await sharp(sent).metadata()).exif).toBeDefined();
    await put(bodyOf(sent));
    const { image, bytes } = await get("3x");
    expect([image?.exif, image?.orientation, image?.icc]).toEqual([undefined, undefined, undefined]);
    const [top] = [...(await sharp(bytes).extract({ left: 135, top: 10, width: 1, height: 1 }).raw().toBuffer())];
    expect(top).toBeGreaterThan(200);
  });

  it("refuses a file that is not a picture, whatever its content type", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><image href="file:///etc/passwd"/></svg>`;
    for (const bytes of ["no picture", svg, bodyOf((await picture()).subarray(0, 500))]) {
      const answer = await put(bytes);
      expect([answer.status, answer.json()["code"]]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await put("a=b", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await get()).status).toBe(404);
  });

  it("refuses a picture with too many pixels before it is decoded, and one that is too small", async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "red" } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(10 * 1024 * 1024);
    for (const bytes of [bomb, await picture({ width: 60, height: 60 })]) {
      const answer = await put(bodyOf(bytes), "image/png");
      expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
        400,
        "/photo",
      ]);
    }
  });

  it("refuses a small file that takes much time or memory to decode, before it is decoded", async () => {
    const progressive = await sharp(await picture())
      .jpeg({ progressive: true })
      .toBuffer();
    expect((await put(bodyOf(progressive))).status).toBe(200);
    const [from, to] = [progressive.lastIndexOf(Buffer.from([0xff, 0xda])), progressive.length - 2];
    const scan = progressive.subarray(from, to);
    const bombs: [string, Buffer][] = [
      [
        "a JPEG of many scans",
        Buffer.concat([
          progressive.subarray(0, to),
          ...Array.from({ length: 100 }, () => scan),
          progressive.subarray(to),
        ]),
      ],
      [
        "a large progressive JPEG",
        await sharp({ create: { width: 6000, height: 6000, channels: 3, background: "red" } })
          .jpeg({ progressive: true })
          .toBuffer(),
      ],
      ["a large interlaced 16-bit PNG", pngHeader(8000, 8000)],
      ["a strip that would be enlarged", await picture({ width: 90, height: 2000, format: "png" })],
    ];
    for (const [name, bytes] of bombs) {
      const answer = await put(bodyOf(bytes));
      expect([name, answer.status, answer.json<{ errors: { code: string }[] }>().errors?.[0]!.code]).toEqual([
        name,
        400,
        "image_size",
      ]);
    }
  });

  it("reads one picture at a time, and answers 429 beyond an organisation's share", async () => {
    const [bytes, other] = [bodyOf(await picture({ width: 3000, height: 4000 })), await world()];
    const many = Array.from({ length: 12 }, () => put(bytes));
    const { id: theirs } = (await upsertSubject(other.ctx, { externalId: "theirs" })).subject;
    expect((await photoOf(other.ctx, theirs)).photoStatus).toBe("pending");
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      refused.map(() => [429, "1"]),
    );
    expect([answers.length - refused.length > 3, refused.length > 0]).toEqual([true, true]);
  });

  it("refuses a file over 10 MiB, whether or not its length is declared, and an empty one", async () => {
    const large = new Uint8Array(10 * 1024 * 1024 + 1);
    expect((await put(large)).status).toBe(413);
    expect((await put(new Blob([large]).stream())).status).toBe(413);
    expect((await put("")).json()["code"]).toBe("malformed_request");
  });

  it("leaves no upload behind, whether accepted or refused", async () => {
    await put(bodyOf(await picture()));
    await put("no picture");
    await put(new Blob([new Uint8Array(11 * 1024 * 1024)]).stream());
    expect(readdirSync(uploadsFolder())).toEqual([]);
  });

  it("emits subject.updated, and nothing when the same photo is sent again", async () => {
    const bytes = bodyOf(await picture());
    await put(bytes);
    await put(bytes);
    const events = (await eventsOf(mine.orgId)).filter((event) => event.data.object["id"] === id);
    expect(events.map((event) => event.type)).toEqual(["subject.created", "subject.updated"]);
    expect(events[1]!.data.previous).toEqual({ photoUpdatedAt: null, photoStatus: null });
  });

  it("checks If-Match", async () => {
    const { headers } = await call("GET", `/v1/subjects/${id}`, { token });
    const bytes = bodyOf(await picture());
    expect((await put(bytes, "image/jpeg", { "if-match": '"old"' })).status).toBe(412);
    expect((await put(bytes, "image/jpeg", { "if-match": headers.get("etag")! })).status).toBe(200);
  });
});

describe("GET /v1/subjects/{id}/photo/{density}", () => {
  it("answers WebP to a client that names it, and JPEG to all others", async () => {
    await put(bodyOf(await picture()));
    for (const [accept, format] of [
      ["image/webp,*/*", "webp"],
      ["*/*", "jpeg"],
      ["image/webp;q=0, image/jpeg", "jpeg"],
      ["image/avif, image/webp;q=0.8", "webp"],
    ] as const) {
      const { headers, image } = await get("2x", { accept });
      expect([accept, image?.format, headers.get("content-type"), headers.get("vary")]).toEqual([
        accept,
        format,
        `image/${format}`,
        "accept, authorization",
      ]);
    }
  });

  it("answers 304 while the photo is the same, and 200 after it was replaced", async () => {
    await put(bodyOf(await picture()));
    const etag = (await get()).headers.get("etag")!;
    expect((await get("1x", { "if-none-match": etag })).status).toBe(304);
    await put(bodyOf(await picture({ colour: "#ff0000" })));
    expect((await get("1x", { "if-none-match": etag })).status).toBe(200);
  });

  it("answers 503 with an explanation when the files are missing", async () => {
    await put(bodyOf(await picture({ colour: "#0a0b0c" })));
    const rows = await sql<{ sha256: string }>(
      `SELECT sha256 FROM subject_photos WHERE org_id = $1 AND subject_id = $2`,
      [mine.orgId, id],
    );
    for (const { sha256 } of rows) await rm(join(env().DATA_DIR, "blobs", blobKey(mine.orgId, sha256)));
    const answer = await call("GET", `${path}/1x`, { token });
    expect([answer.status, answer.json()["detail"]]).toEqual([503, expect.stringContaining("not in the file store")]);
  });
});

describe("the approval of photos", () => {
  const decide = (verb: string, body: object) => call("POST", `${path}/${verb}`, { token, body });
  const set = async (colour?: string) => (await photoOf(mine.ctx, id, colour)).photoUpdatedAt!;

  it("starts as pending, is decided once, and starts anew with another photo", async () => {
    const photoUpdatedAt = await set("#010101");
    const approved = (await decide("approve", { photoUpdatedAt })).json();
    expect([approved["photoStatus"], approved["photoReason"]]).toEqual(["approved", null]);
    const rejected = (await decide("reject", { photoUpdatedAt, reason: "Blurred" })).json();
    expect([rejected["photoStatus"], rejected["photoReason"]]).toEqual(["rejected", "Blurred"]);
    await decide("reject", { photoUpdatedAt, reason: "Blurred" });
    await set("#020202");
    const events = (await eventsOf(mine.orgId)).filter((event) => event.data.object["id"] === id);
    expect(events.map(({ data }) => data.object["photoStatus"])).toEqual([
      null,
      "pending",
      "approved",
      "rejected",
      "pending",
    ]);
    expect(events.at(-1)!.data.previous).toMatchObject({ photoStatus: "rejected" });
    expect(JSON.stringify(events)).not.toContain("Blurred");
  });

  it("shows who set the photo, and the audit log shows both who set it and who decided", async () => {
    const photoUpdatedAt = await set("#0a0b0c");
    const setter = mine.ctx.actor;
    const approved = (await decide("approve", { photoUpdatedAt })).json();
    expect(approved["photoSetBy"]).toEqual(setter);
    const put1 = await put(bodyOf(await picture({ colour: "#0c0b0a" })));
    await decide("reject", { photoUpdatedAt: put1.json()["photoUpdatedAt"], reason: "Blurred" });
    const { data } = await listAudit(mine.ctx, { targetId: id });
    const decisions = data.filter(({ action }) => action.startsWith("subject.photo_"));
    const decider = { type: "api_key", id: decisions[0]!.actor.id };
    expect(
      decisions.map(({ action, actor: { type, id }, detail }) => ({ action, actor: { type, id }, detail })),
    ).toEqual([
      {
        action: "subject.photo_rejected",
        actor: decider,
        detail: { photoUpdatedAt: put1.json()["photoUpdatedAt"], setBy: decider, bySetter: true },
      },
      {
        action: "subject.photo_approved",
        actor: decider,
        detail: { photoUpdatedAt, setBy: setter, bySetter: false },
      },
    ]);
    await deletePhoto(mine.ctx, { id });
    expect((await call("GET", `/v1/subjects/${id}`, { token })).json()["photoSetBy"]).toBeNull();
  });

  it("applies to the photo that was reviewed, never to one that was set since", async () => {
    const seen = await set("#030303");
    // Set in the same millisecond, or begun before the other photo and completed after it.
    for (const [colour, ctx] of [
      ["#060606", mine.ctx],
      ["#070707", mine.at("2020-01-01T00:00:00Z")],
    ] as const) {
      const { photoUpdatedAt } = await photoOf(ctx, id, colour);
      expect(photoUpdatedAt! > seen).toBe(true);
    }
    await deletePhoto(mine.at("2020-01-01T00:00:00Z"), { id });
    expect((await photoOf(mine.at("2020-01-01T00:00:00Z"), id, "#080808")).photoUpdatedAt! > seen).toBe(true);
    expect((await decide("approve", { photoUpdatedAt: seen })).json()["code"]).toBe("precondition_failed");
    expect((await decide("approve", {})).status).toBe(400);
  });

  it("is refused if somebody decided otherwise after the photo was loaded, and tells who, what and why", async () => {
    const photoUpdatedAt = await set("#0a0a0a");
    const basis = { photoUpdatedAt, photoStatus: "pending" };
    expect((await decide("reject", { ...basis, reason: "Blurred" })).status).toBe(200);
    const { type, id: actorId } = (await listAudit(mine.ctx, { targetId: id })).data.find(
      ({ action }) => action === "subject.photo_rejected",
    )!.actor;
    const refused = await decide("approve", basis);
    expect(refused.status).toBe(412);
    expect(refused.json()).toMatchObject({
      code: "precondition_failed",
      photoStatus: "rejected",
      photoReason: "Blurred",
      decidedBy: { type, id: actorId },
    });
    expect((await decide("reject", { ...basis, reason: "Not a face" })).status).toBe(412);
    // Repeating the same decision is no conflict, and neither is a decision that is based on the present state.
    expect((await decide("reject", { ...basis, reason: "Blurred" })).status).toBe(200);
    expect((await decide("approve", { photoUpdatedAt, photoStatus: "rejected" })).status).toBe(200);
    expect((await decide("reject", { ...basis, reason: "Blurred" })).json()).toMatchObject({
      photoStatus: "approved",
      photoReason: null,
    });
    // Callers that send no photoStatus decide as before.
    expect((await decide("reject", { photoUpdatedAt, reason: "Blurred" })).status).toBe(200);
  });

  it("answers 404 without a photo", async () => {
    expect((await decide("approve", { photoUpdatedAt: "2026-01-01T00:00:00Z" })).status).toBe(404);
  });

  it("is awaited if the template of a live credential requires it", async () => {
    const awaiting = async () =>
      (await call("GET", "/v1/subjects?awaitsPhotoApproval=true", { token }))
        .json<{ data: { id: string }[] }>()
        .data.map((each) => each.id)
        .includes(id);
    const design = { front: { fields: [{ key: "photo", binding: "subject.photo" }] } };
    const [plain, strict] = [
      await publishedTemplate(mine.ctx, { design }),
      await publishedTemplate(mine.ctx, { design: { ...design, photoApproval: true } }),
    ];
    const photoUpdatedAt = await set("#040404");
    await issueCredential(mine.ctx, { subject: { id }, templateId: plain.id });
    expect(await awaiting()).toBe(false);
    const { credential } = await issueCredential(mine.ctx, { subject: { id }, templateId: strict.id });
    expect([
      await awaiting(),
      (await call("GET", `/v1/subjects/${id}`, { token })).json()["awaitsPhotoApproval"],
    ]).toEqual([true, true]);
    await decide("approve", { photoUpdatedAt });
    expect([
      await awaiting(),
      (await call("GET", `/v1/subjects/${id}`, { token })).json()["awaitsPhotoApproval"],
    ]).toEqual([false, false]);
    await set("#050505");
    expect(await awaiting()).toBe(true);
    await revokeCredential(mine.ctx, { id: credential.id, reason: "Left" });
    expect(await awaiting()).toBe(false);
  });
});

describe("an Idempotency-Key of a photo", () => {
  it("identifies the file by its bytes, in the body or a form, and repeats the response after the subject was deleted", async () => {
    const [file, other] = [await picture({ colour: "#0f0f0f" }), await picture({ colour: "#f0f0f0" })];
    const headers = { "idempotency-key": `photo-${n}` };
    const form = new FormData();
    form.set("file", new Blob([bodyOf(file)]), "p.jpg");
    const asForm = new Request("http://x", { method: "POST", body: form });
    const first = await put(bodyOf(file), "image/jpeg", headers);
    const again = await put(await asForm.arrayBuffer(), asForm.headers.get("content-type")!, headers);
    expect([first.status, again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
      200,
      200,
      first.text,
      "true",
    ]);
    expect((await put(bodyOf(other), "image/jpeg", headers)).json()["code"]).toBe("idempotency_key_reused");
    await call("DELETE", `/v1/subjects/${id}`, { token });
    expect((await put(bodyOf(file), "image/jpeg", headers)).text).toBe(first.text);
  });
});

describe("the files of photos", () => {
  const graceIsOver = () =>
    sql(`UPDATE blobs SET idle_since = idle_since - interval '1 hour 1 minute' WHERE org_id = $1`, [mine.orgId]);
  const filesOf = async () => {
    const rows = await sql<{ sha256: string }>(
      `SELECT sha256 FROM subject_photos WHERE org_id = $1 AND subject_id = $2`,
      [mine.orgId, id],
    );
    return rows.map(({ sha256 }) => join(env().DATA_DIR, "blobs", blobKey(mine.orgId, sha256)));
  };
  const sweep = () => purgeExpired(new Date(), new Date(Date.now() + 60_000));

  it("are named after their content, in their organisation's folder", async () => {
    await put(bodyOf(await picture({ colour: "#123456" })));
    const { bytes } = await get("3x");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(await filesOf()).toContain(
      join(env().DATA_DIR, "blobs", publicId("org", mine.orgId), sha256.slice(0, 2), sha256),
    );
  });

  it("are deleted with the photo, after the grace period", async () => {
    await put(bodyOf(await picture({ colour: "#654321" })));
    const files = await filesOf();
    expect((await call("DELETE", path, { token })).status).toBe(204);
    expect([(await get()).status, (await call("DELETE", path, { token })).status]).toEqual([404, 404]);
    await sweep();
    expect(files.map((file) => existsSync(file))).not.toContain(false);
    await graceIsOver();
    await sweep();
    expect(files.map((file) => existsSync(file))).not.toContain(true);
  });

  it("are deleted with the subject", async () => {
    await put(bodyOf(await picture({ colour: "#112233" })));
    const files = await filesOf();
    expect((await call("DELETE", `/v1/subjects/${id}`, { token })).status).toBe(204);
    await graceIsOver();
    await sweep();
    expect(files.map((file) => existsSync(file))).not.toContain(true);
  });

  it("are deleted by an erasure, and no other photo can be set", async () => {
    await put(bodyOf(await picture({ colour: "#445566" })));
    const files = await filesOf();
    const erased = await eraseSubject(mine.ctx, { id, reason: "asked for" });
    expect([erased.photoUpdatedAt, (await get()).status]).toEqual([null, 404]);
    expect((await put(bodyOf(await picture()))).json()["code"]).toBe("subject_erased");
    await graceIsOver();
    await sweep();
    expect(files.map((file) => existsSync(file))).not.toContain(true);
  });

  it("are kept while another subject has the same photo", async () => {
    const { subject: twin } = await upsertSubject(mine.ctx, { externalId: `twin-${n}` });
    await put(bodyOf(await picture({ colour: "#332211" })));
    await photoOf(mine.ctx, twin.id, "#332211");
    const files = await filesOf();
    await call("DELETE", path, { token });
    await graceIsOver();
    await sweep();
    expect(files.map((file) => existsSync(file))).not.toContain(false);
    expect((await call("GET", `/v1/subjects/${twin.id}/photo/1x`, { token })).status).toBe(200);
  });
});
