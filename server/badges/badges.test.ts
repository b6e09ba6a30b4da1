import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { revokeCredential } from "@/server/credentials/revoke";
import { updateCredential } from "@/server/credentials/update";
import { stopDrawing } from "@/server/drawing/draw";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { degree } from "@/server/testing/academic";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";

afterAll(stopDrawing);

const types = { png: "image/png", svg: "image/svg+xml" };
type Format = keyof typeof types;
const formats: Format[] = ["png", "svg"];

async function badgeOf(w: World, id: string, format: Format, headers: Record<string, string> = {}) {
  return call("GET", `/v1/credentials/${id}/badge.${format}`, { token: await w.key(), headers });
}

async function uploaded(bytes: Uint8Array, format: Format) {
  const answer = await call("POST", "/public/verify", {
    raw: new Uint8Array(bytes),
    headers: { "content-type": types[format] },
  });
  return answer.json<{ result: string; reason: string | null; credential: { title: string } }>();
}

describe.each(formats)("badge.%s", (format) => {
  it("contains the signed document: an upload of it is verified, and refused after the credential is revoked", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const answer = await badgeOf(w, credential.id, format);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, types[format]]);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="badge-${credential.code}.${format}"`);
    expect(await uploaded(answer.bytes, format)).toMatchObject({ result: "valid" });
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    expect(await uploaded(answer.bytes, format)).toMatchObject({ result: "invalid", reason: "revoked" });
  });

  it("is a picture of 600 × 600 pixels that needs no font and loads nothing", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx, "修士（理学） ماجستير");
    const { bytes, text } = await badgeOf(w, credential.id, format);
    expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 600, height: 600 });
    if (format === "svg") expect(text.split("<openbadges:credential")[0]).not.toMatch(/<text|font|href|url\(/);
  });

  it("has the same bytes each time, and answers 304 to its ETag until the document changes", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const [first, second] = [await badgeOf(w, credential.id, format), await badgeOf(w, credential.id, format)];
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const headers = { "if-none-match": first.headers.get("etag")! };
    expect((await badgeOf(w, credential.id, format, headers)).status).toBe(304);
    await updateCredential(w.ctx, { id: credential.id, data: { results: { grade: "B" }, creditsEarned: 120 } });
    expect((await badgeOf(w, credential.id, format, headers)).status).toBe(200);
  });

  it("is the same file for anyone who has the code", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const path = `/public/credentials/${credential.code}/badge.${format}`;
    const answer = await call("GET", path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(Buffer.compare(answer.bytes, (await badgeOf(w, credential.id, format)).bytes)).toBe(0);
    const headers = { "if-none-match": answer.headers.get("etag")! };
    expect((await call("GET", path, { headers })).status).toBe(304);
  });

  it("is not public if the public page hides something that the document says", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx, { kind: "academic", design: { publicName: false } });
    const { id, code } = await issued(w.ctx, template.id);
    expect((await call("GET", `/public/credentials/${code}/badge.${format}`)).status).toBe(404);
    expect((await badgeOf(w, id, format)).status).toBe(200);
  });

  it("is refused for other kinds, other organisations and tokens without the scope", async () => {
    const [w, other] = [await world(), await world()];
    const card = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    const refusal = async (token: string) => {
      const answer = await call("GET", `/v1/credentials/${card.id}/badge.${format}`, { token });
      return [answer.status, answer.json()["code"]];
    };
    expect(await refusal(await w.key())).toEqual([409, "wrong_kind"]);
    expect(await refusal(await other.key())).toEqual([404, "not_found"]);
    expect(await refusal(await w.key("subjects:read"))).toEqual([403, "insufficient_scope"]);
    expect((await call("GET", `/public/credentials/${card.code}/badge.${format}`)).status).toBe(404);
  });

  it("is gone after the holder was erased", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    await badgeOf(w, credential.id, format);
    await eraseSubject(w.ctx, { id: credential.subjectId, reason: "Asked", includeAcademic: true });
    const answers = [
      await badgeOf(w, credential.id, format),
      await call("GET", `/public/credentials/${credential.code}/badge.${format}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
  });
});

it("a badge.svg names the verify URL, the achievement and no holder", async () => {
  const w = await world();
  const { credential } = await degree(w.ctx, "Doctor <of> & Law");
  const { text } = await badgeOf(w, credential.id, "svg");
  expect(text).toContain(`${env().PUBLIC_URL}/c/`);
  expect(text).toContain("<title>Doctor &#60;of&#62; &#38; Law</title>");
  expect(text).not.toContain("Lovelace");
});
