import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { stopDrawing } from "@/server/drawing/draw";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
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

  it("emits credential.shared once for a viewer and channel, with the number of repeats", async () => {
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

  it("refuses an unknown code and an unknown channel", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    expect((await share(unknown, "link")).status).toBe(404);
    expect((await share(credential.code, "pigeon")).status).toBe(400);
  });
});

describe("GET /public/credentials/{code}/preview.png", () => {
  const preview = (code: string, headers = {}) => call("GET", `/public/credentials/${code}/preview.png`, { headers });

  it("is a picture of 1200 × 630 that shows no state before the revocation, and is revalidated each time", async () => {
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
    const isRed = ([red, green]: Buffer) => red! > green! + 100;
    expect([isRed(await status(valid.bytes)), isRed(await status(revoked.bytes))]).toEqual([false, true]);
  });

  it("is the same for a valid and a suspended credential, since chats keep it while the state changes", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const valid = await preview(credential.code);
    await suspendCredential(w.ctx, { id: credential.id, reason: "Inquiry" });
    expect((await preview(credential.code, { "if-none-match": valid.headers.get("etag")! })).status).toBe(304);
  });

  it("uses the design's background picture and typeface", async () => {
    const w = await world();
    const of = async (design: object) => {
      const template = await publishedTemplate(w.ctx, { name: "Card", design });
      return Buffer.from((await preview((await issued(w.ctx, template.id)).code)).bytes);
    };
    const red = await sharp({ create: { width: 40, height: 21, channels: 3, background: "#ff0000" } })
      .png()
      .toBuffer();
    const background = `data:image/png;base64,${red.toString("base64")}`;
    const [plain, serif, painted] = [
      await of({}),
      await of({ font: "serif" }),
      await of({ front: { fields: [], background } }),
    ];
    expect(plain.equals(serif)).toBe(false);
    const [r, g] = await sharp(painted).extract({ left: 1190, top: 620, width: 1, height: 1 }).raw().toBuffer();
    expect([r! > 240, g! < 20]).toEqual([true, true]);
  });

  it("exists for cards too, and for no unknown code", async () => {
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

  it("emits no event", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    await preview(credential.code);
    await flushVerifications();
    expect((await eventsOf(w.orgId)).map(({ type }) => type)).not.toContain("credential.viewed");
  });
});
