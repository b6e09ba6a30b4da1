import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { stopDrawing } from "@/server/drawing/draw";
import { draftAchievement, imageOf } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { picture } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createAchievementVersion } from "./create-version";
import { publishAchievementVersion } from "./publish-version";

afterAll(stopDrawing);

const png = { "content-type": "image/png" };
const svg = (content: string, root = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" ${root}>${content}</svg>`;

async function put(w: World, id: string, raw: BodyInit, headers: Record<string, string> = png) {
  const answer = await call("PUT", `/v1/achievements/${id}/versions/1/image`, { token: await w.key(), raw, headers });
  return { ...answer, code: answer.status < 400 ? "" : answer.json()["code"] };
}

const imageIn = async (w: World, id: string, version = 1) =>
  call("GET", `/v1/achievements/${id}/versions/${version}/image`, { token: await w.key() });

describe("the picture of an achievement", () => {
  it("is fitted into a square PNG without metadata, and named in the version", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    const sent = await sharp(await picture({ width: 400, height: 200, format: "png" }))
      .withMetadata({ exif: { IFD0: { Copyright: "Somebody" } } })
      .png()
      .toBuffer();
    const answer = await put(w, id, new Uint8Array(sent));
    expect([answer.status, answer.json()["imageUrl"]]).toEqual([
      200,
      expect.stringMatching(/\/public\/achievements\/acv_\w+\/image\?v=[0-9a-f]{16}$/),
    ]);
    const kept = await imageIn(w, id);
    expect([kept.status, kept.headers.get("content-type")]).toEqual([200, "image/png"]);
    const metadata = await sharp(kept.bytes).metadata();
    expect(metadata).toMatchObject({ format: "png", width: 600, height: 600, hasAlpha: true });
    expect(metadata.exif).toBeUndefined();
    const { data } = await sharp(kept.bytes).raw().toBuffer({ resolveWithObject: true });
    expect([data[3], data[(300 * 600 + 300) * 4 + 3]]).toEqual([0, 255]);
  });

  it("is drawn from an SVG of shapes", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    const drawing = svg(`<style>.a{fill:#00f}</style><rect class="a" width="10" height="20"/>`);
    expect((await put(w, id, drawing, { "content-type": "image/svg+xml" })).status).toBe(200);
    const { data } = await sharp((await imageIn(w, id)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray((300 * 600 + 300) * 4, (300 * 600 + 300) * 4 + 4)]).toEqual([0, 0, 255, 255]);
  });

  it.each([
    ["text", svg("<text>Badge</text>"), "has text"],
    ["a script", svg("<script>alert(1)</script>"), "element script"],
    ["another file", svg(`<image href="file:///etc/passwd"/>`), "element image"],
    ["a style from elsewhere", svg(`<style>@import "http://192.0.2.1/x.css";</style>`), "outside"],
    ["a paint from elsewhere", svg(`<rect fill="url(http://192.0.2.1/x.svg#a)" width="1" height="1"/>`), "outside"],
    ["repetition without end", svg(`<g id="a"><use href="#a"/></g>`), "element use"],
    ["entities", `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg("&a;")}`, "document type"],
    ["depth", svg(`${"<g>".repeat(100)}${"</g>".repeat(100)}`), "complex"],
  ])("is refused if an SVG has %s", async (_, drawing, detail) => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    const answer = await put(w, id, drawing, { "content-type": "image/svg+xml" });
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
    expect(answer.text).toContain(detail);
  });

  it("is refused if it cannot be read, or is too small or too large", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    const refusal = async (bytes: BodyInit, headers?: Record<string, string>) =>
      (await put(w, id, bytes, headers)).code;
    expect(await refusal("no picture")).toBe("unsupported_media_type");
    expect(await refusal("<svg", { "content-type": "image/svg+xml" })).toBe("unsupported_media_type");
    expect(await refusal("GIF89a", { "content-type": "image/gif" })).toBe("unsupported_media_type");
    expect(await refusal(new Uint8Array(await picture({ width: 80, format: "png" })))).toBe("invalid_request");
    expect(await refusal(new Uint8Array(2 * 1024 * 1024 + 1))).toBe("payload_too_large");
    const wide = await picture({ width: 5000, height: 3201, format: "png" });
    expect(await refusal(new Uint8Array(wide))).toBe("invalid_request");
  });

  it("cannot change after the version was published, and is copied to the next version", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    await imageOf(w.ctx, id);
    await publishAchievementVersion(w.ctx, { id, version: 1 });
    expect((await put(w, id, new Uint8Array(await picture({ format: "png" })))).code).toBe("version_not_draft");
    await createAchievementVersion(w.ctx, { id });
    expect((await imageIn(w, id, 2)).status).toBe(200);
    const removed = await call("DELETE", `/v1/achievements/${id}/versions/2/image`, { token: await w.key() });
    expect([removed.status, (await imageIn(w, id, 2)).status, (await imageIn(w, id)).status]).toEqual([204, 404, 200]);
  });

  it("is public after its version was published, and stated by credentials", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    const { imageUrl } = await imageOf(w.ctx, id);
    const path = imageUrl!.slice(env().PUBLIC_URL.length);
    expect((await call("GET", path)).status).toBe(404);
    await publishAchievementVersion(w.ctx, { id, version: 1 });
    const shown = await call("GET", path);
    expect([shown.status, shown.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect((await call("GET", path, { headers: { "if-none-match": shown.headers.get("etag")! } })).status).toBe(304);
    const template = await publishedTemplate(w.ctx, { kind: "academic", achievementId: id });
    const credential = await issued(w.ctx, template.id);
    const document = await call("GET", `/v1/credentials/${credential.id}/credential.json`, { token: await w.key() });
    expect(document.json()).toMatchObject({
      credentialSubject: { achievement: { image: { id: imageUrl, type: "Image" } } },
    });
    const badge = await call("GET", `/v1/credentials/${credential.id}/badge.png`, { token: await w.key() });
    const pixels = async (bytes: Uint8Array) => (await sharp(bytes).raw().toBuffer()).toString("base64");
    expect(await pixels(badge.bytes)).toBe(await pixels(shown.bytes));
    const inSvg = await call("GET", `/v1/credentials/${credential.id}/badge.svg`, { token: await w.key() });
    expect(inSvg.text).toContain(Buffer.from(shown.bytes).toString("base64"));
  });

  it("leaves one audit entry, and none if the same picture is set again", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    await imageOf(w.ctx, id);
    await imageOf(w.ctx, id);
    const entries = await sql(
      `SELECT 1 FROM audit_entries WHERE org_id = $1 AND action = 'achievement_version.updated'`,
      [w.orgId],
    );
    expect(entries).toHaveLength(1);
  });

  it("is refused for other organisations and without the scope", async () => {
    const [w, other] = [await world(), await world()];
    const { id } = await draftAchievement(w.ctx);
    const bytes = new Uint8Array(await picture({ format: "png" }));
    expect((await put(other, id, bytes)).status).toBe(404);
    const path = `/v1/achievements/${id}/versions/1/image`;
    const token = await w.key("achievements:read");
    expect((await call("PUT", path, { token, raw: bytes, headers: png })).status).toBe(403);
  });
});
