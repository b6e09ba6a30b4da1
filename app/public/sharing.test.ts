import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { stopDrawing } from "@/server/drawing/draw";
import { revokeCredential } from "@/server/credentials/revoke";
import { degree } from "@/server/testing/academic";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { flushVerifications } from "@/server/verification/observe";

afterAll(stopDrawing);

const unknown = "0000-0000-0000-0000";

describe("POST /public/credentials/{code}/share", () => {
  const share = (code: string, channel: string, agent = "a") =>
    call("POST", `/public/credentials/${code}/share`, { body: { channel }, headers: { "user-agent": agent } });

  it("emits credential.shared once for a viewer and channel, with the count of what followed", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    expect((await share(credential.code, "linkedin")).status).toBe(204);
    await share(credential.code, "linkedin");
    await share(credential.code, "link");
    await share(credential.code, "link", "b");
    await flushVerifications();
    const shared = (await eventsOf(w.orgId)).filter(({ type }) => type === "credential.shared");
    const told = shared.map(({ data }) => data.object as { id: string; channel: string; count: number });
    expect(told.map(({ channel, count }) => `${channel} ${count}`).sort()).toEqual(["link 1", "link 1", "linkedin 2"]);
    expect(told[0]).toMatchObject({ object: "credential", id: credential.id, code: credential.code });
  });

  it("refuses an unknown code and a channel that there is not", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    expect((await share(unknown, "link")).status).toBe(404);
    expect((await share(credential.code, "pigeon")).status).toBe(400);
  });
});

describe("GET /public/credentials/{code}/preview.png", () => {
  const preview = (code: string, headers = {}) => call("GET", `/public/credentials/${code}/preview.png`, { headers });

  it("is a picture of 1200 × 630 that changes with the revocation, and is always asked for anew", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const valid = await preview(credential.code);
    expect([valid.status, valid.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(await sharp(valid.bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    const headers = { "if-none-match": valid.headers.get("etag")! };
    expect((await preview(credential.code, headers)).status).toBe(304);
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    const revoked = await preview(credential.code, headers);
    expect(revoked.status).toBe(200);
    const status = (bytes: Uint8Array) =>
      sharp(bytes).extract({ left: 90, top: 560, width: 40, height: 4 }).raw().toBuffer();
    const [green, red] = [await status(valid.bytes), await status(revoked.bytes)];
    expect([green[1]! > green[0]!, red[0]! > red[1]!]).toEqual([true, true]);
  });

  it("is there for cards too, and for no unknown code", async () => {
    const w = await world();
    const { code } = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    expect([(await preview(code)).status, (await preview(unknown)).status]).toEqual([200, 404]);
  });

  it("does not name a holder whom the page does not name", async () => {
    const w = await world();
    const [named, unnamed] = [{ publicName: true }, { publicName: false }];
    const of = async (design: object) => {
      const template = await publishedTemplate(w.ctx, { kind: "academic", name: "Degree", design });
      return Buffer.from((await preview((await issued(w.ctx, template.id)).code)).bytes).toString("base64");
    };
    expect(await of(named)).not.toBe(await of(unnamed));
  });

  it("tells nobody that it was asked for", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    await preview(credential.code);
    await flushVerifications();
    expect((await eventsOf(w.orgId)).map(({ type }) => type)).not.toContain("credential.viewed");
  });
});
