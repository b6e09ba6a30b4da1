import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeCredential } from "@/server/credentials/revoke";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { approvePhoto } from "@/server/subjects/approve-photo";
import { deletePhoto } from "@/server/subjects/delete-photo";
import { rejectPhoto } from "@/server/subjects/reject-photo";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { photoOf } from "@/server/testing/photo";
import { readId } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { openPublicPhoto } from "./public-photo";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";

const field = { key: "portrait", binding: "subject.photo" };
const shown = { front: { fields: [field] }, publicFields: ["portrait"] };

let mine: World;
beforeAll(async () => {
  mine = await world();
});
let colour = 0;
let photoUpdatedAt: string;

/** Issues a credential to a subject with a photo. */
async function held(design: object, kind: "student_id" | "academic" = "student_id") {
  const template = await publishedTemplate(mine.ctx, { kind, design });
  const credential = await issued(mine.ctx, template.id);
  photoUpdatedAt = (await photoOf(mine.ctx, credential.subjectId, `#${(++colour).toString(16).padStart(6, "0")}`))
    .photoUpdatedAt!;
  return credential;
}

const look = async ({ code }: { code: string }) => {
  const verification = (await call("GET", `/public/credentials/${code}`)).json<{
    credential: { subject: { photoUrl?: string }; fields: unknown[] };
  }>();
  return { url: verification.credential.subject.photoUrl, fields: verification.credential.fields };
};
const photoOn = ({ code }: { code: string }, headers: Record<string, string> = {}, density = "3x") =>
  call("GET", `/public/credentials/${code}/photo/${density}`, { headers });

describe("the photo on a credential", () => {
  let credential: Awaited<ReturnType<typeof held>>;
  beforeEach(async () => {
    credential = await held(shown);
  });

  it("is served at the photoUrl of the verification, to scripts of any site, and is revalidated each time", async () => {
    const { url, fields } = await look(credential);
    const [path, query] = url!.split("?");
    expect([path, fields]).toEqual([`http://localhost:3000/public/credentials/${credential.code}/photo/3x`, []]);
    expect(query).toMatch(/^v=\w+$/);
    const answer = await call("GET", `${new URL(path!).pathname}?${query}`, { headers: { accept: "image/webp,*/*" } });
    const { format, width, height } = await sharp(answer.bytes).metadata();
    expect([answer.status, format, width, height]).toEqual([200, "webp", 270, 360]);
    expect(["cache-control", "vary", "access-control-allow-origin"].map((name) => answer.headers.get(name))).toEqual([
      "no-cache",
      "accept",
      "*",
    ]);
    const again = await photoOn(credential, { accept: "image/webp", "if-none-match": answer.headers.get("etag")! });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await photoOn(credential, {}, "1x")).headers.get("content-type")).toBe("image/jpeg");
    expect((await photoOn(credential, {}, "9x")).status).toBe(400);
  });

  it("gets another address when it is replaced, and is gone from both addresses when it is removed", async () => {
    const first = await look(credential);
    const etag = (await photoOn(credential)).headers.get("etag")!;
    await photoOf(mine.ctx, credential.subjectId, "#abcdef");
    const second = await look(credential);
    expect(second.url).not.toBe(first.url);
    const asked = (url: string) => {
      const { pathname, search } = new URL(url);
      return call("GET", pathname + search, { headers: { "if-none-match": etag } });
    };
    // The former address serves today's photo, never a cached one.
    expect([(await asked(first.url!)).status, (await asked(second.url!)).status]).toEqual([200, 200]);
    await deletePhoto(mine.ctx, { id: credential.subjectId });
    expect((await look(credential)).url).toBeUndefined();
    expect([(await asked(first.url!)).status, (await asked(second.url!)).status]).toEqual([404, 404]);
  });

  it("is gone once the credential is revoked", async () => {
    await revokeCredential(mine.ctx, { id: credential.id, reason: "Left" });
    expect([(await look(credential)).url, (await photoOn(credential)).status]).toEqual([undefined, 404]);
  });

  it("is gone once the holder is erased", async () => {
    await eraseSubject(mine.ctx, { id: credential.subjectId, reason: "asked for" });
    expect([(await look(credential)).url, (await photoOn(credential)).status]).toEqual([undefined, 404]);
  });

  it("is hidden once it is rejected", async () => {
    await rejectPhoto(mine.ctx, { id: credential.subjectId, photoUpdatedAt, reason: "Somebody else" });
    expect([(await look(credential)).url, (await photoOn(credential)).status]).toEqual([undefined, 404]);
  });
});

it("hides a photo until it is approved if the template asks for approval", async () => {
  const credential = await held({ ...shown, photoApproval: true });
  expect([(await look(credential)).url, (await photoOn(credential)).status]).toEqual([undefined, 404]);
  await approvePhoto(mine.ctx, { id: credential.subjectId, photoUpdatedAt });
  expect([(await look(credential)).url !== undefined, (await photoOn(credential)).status]).toEqual([true, 200]);
});

it("never shows an unapproved photo, even while photos are being replaced", async () => {
  const credential = await held({ ...shown, photoApproval: true });
  await approvePhoto(mine.ctx, { id: credential.subjectId, photoUpdatedAt });
  const approved = (await photoOn(credential)).headers.get("etag");
  const subject = [mine.orgId, readId("sub", credential.subjectId)];
  const read = () =>
    sql<{ rendition: string; sha256: string }>(
      `SELECT rendition, sha256 FROM subject_photos WHERE org_id = $1 AND subject_id = $2`,
      subject,
    );
  const good = await read();
  await photoOf(mine.ctx, credential.subjectId, "#ffffff");
  const bad = await read();
  // Writes what PUT and approve write, but without the time that processing a picture takes.
  const exchange = (status: string, to: typeof good) =>
    sql(
      `WITH decided AS (UPDATE subjects SET photo_status = $3 WHERE org_id = $1 AND id = $2)
       UPDATE subject_photos p SET sha256 = n.sha256 FROM unnest($4::text[], $5::text[]) AS n (rendition, sha256) WHERE p.org_id = $1 AND p.subject_id = $2 AND p.rendition = n.rendition`,
      [...subject, status, to.map((each) => each.rendition), to.map((each) => each.sha256)],
    );
  const seen = new Set<string | null>();
  let done = false;
  const looking = Array.from({ length: 4 }, async () => {
    while (!done)
      seen.add(
        await openPublicPhoto({ code: credential.code, density: "3x" }, new Date()).then(
          ({ photo }) => photo.etag ?? null,
          () => null,
        ),
      );
  });
  for (let n = 0; n < 200; n++) {
    await exchange("approved", good);
    await exchange("pending", bad);
  }
  done = true;
  await Promise.all(looking);
  expect([...seen].filter((etag) => etag !== null)).toEqual([approved]);
});

it.each([
  ["the template shows it to the organisation alone", { front: { fields: [field] } }, "student_id"],
  ["the template has no place for it", {}, "student_id"],
  ["the credential is academic, which keeps what was so at its issue", shown, "academic"],
] as const)("shows no photo to the public if %s", async (_, design, kind) => {
  const credential = await held(design, kind);
  expect([(await look(credential)).url, (await photoOn(credential)).status]).toEqual([undefined, 404]);
});

it("answers a code that does not exist like a code without a photo", async () => {
  const [unknown, without] = await Promise.all([photoOn({ code: "0000-0000-0000-0000" }), photoOn(await held({}))]);
  const { requestId: _, ...problem } = unknown.json();
  expect(without.json()).toMatchObject(problem);
});
