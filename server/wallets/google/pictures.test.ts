import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sequenceBatch } from "@/server/consumers";
import { env } from "@/server/core/env";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { stopDrawing } from "@/server/drawing/draw";
import { createTemplateVersion } from "@/server/templates/create-version";
import type { Design } from "@/server/templates/design";
import { ownDatabase } from "@/server/testing/own-database";
import { picture } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { applyWalletChanges } from "../apply-changes";
import { googleService } from "./service";
import type { GoogleServer } from "./testing/google-server";
import { googleDesign, googleHolder } from "./testing/holder";
import { standIn } from "./testing/stand-in";
import { updateGooglePasses } from "./update-passes";

const origin = "https://id.example.edu";

let google: GoogleServer;
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
  process.env["PUBLIC_URL"] = origin;
  expect(env().PUBLIC_URL).toBe(origin);
  google = await standIn();
});
afterAll(async () => {
  await stopDrawing();
  await drop();
});

const reachable: GoogleServer["load"] = async (url) => {
  const answer = await call("GET", url.slice(origin.length));
  return answer.status === 200 ? { type: answer.headers.get("content-type"), bytes: answer.bytes } : null;
};

beforeEach(() => {
  google.load = reachable;
});

const dataUrl = async (given: Parameters<typeof picture>[0]) =>
  `data:image/webp;base64,${(await picture({ ...given, format: "webp" })).toString("base64")}`;

/** A design with an orange logo and a green picture behind its front, on dark blue. */
async function pictured(): Promise<Design> {
  return {
    ...googleDesign,
    logo: await dataUrl({ width: 500, height: 100, colour: "#ff8800" }),
    front: { ...googleDesign.front!, background: await dataUrl({ width: 300, height: 200, colour: "#00aa00" }) },
  };
}

const urlOf = (pass: Record<string, any> | undefined, field: "logo" | "heroImage"): string | undefined =>
  pass?.[field]?.sourceUri.uri;

async function runJobs(): Promise<void> {
  while (await runBulkChunk(new Date())) continue;
  while ((await sequenceBatch()).more);
  while ((await applyWalletChanges(new Date())).more);
  await updateGooglePasses(googleService(), () => new Date());
}

/** The colour of a pixel as #rrggbb. */
async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<string> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return `#${pixel.toString("hex")}`;
}

describe("the pictures of a pass in Google Wallet", () => {
  it("are the design's logo, with room for the circle that Google cuts out, and the picture behind the front", async () => {
    const { open, object, credential } = await googleHolder(await pictured());
    expect((await open()).status).toBe(303);
    const [logo, hero] = [urlOf(object(), "logo")!, urlOf(object(), "heroImage")!];
    expect([logo, hero]).toEqual([
      expect.stringMatching(/^https:\/\/id\.example\.edu\/public\/designs\/tpv_\w+\/google\/logo$/),
      expect.stringMatching(/^https:\/\/id\.example\.edu\/public\/designs\/tpv_\w+\/google\/hero$/),
    ]);
    expect(`${logo}${hero}`).not.toContain(credential.code);
    const [drawnLogo, drawnHero] = [(await reachable(logo))!.bytes, (await reachable(hero))!.bytes];
    const near = (colour: string, wanted: RegExp) => expect(colour).toMatch(wanted);
    near(await colourAt(drawnLogo, 330, 330), /^#f[d-f]8[6-a]0/);
    expect(await colourAt(drawnLogo, 95, 330)).toBe("#102030");
    expect(await colourAt(drawnLogo, 0, 0)).toBe("#102030");
    near(await colourAt(drawnHero, 0, 0), /^#0[0-3]a[89ab]0/);
  });

  it("have another URL once a new version of the design applies, and are gone if it has none", async () => {
    const design = await pictured();
    const { open, object, credential, home } = await googleHolder(design);
    await open();
    const before = urlOf(object(), "logo");
    const token = await home.key();
    const { templateId } = (await call("GET", `/v1/credentials/${credential.id}`, { token })).json<{
      templateId: string;
    }>();
    const apply = async (next: Design) => {
      const { version } = await createTemplateVersion(home.ctx, { id: templateId, design: next, publish: true });
      const body = { expectedCount: 1 };
      await call("POST", `/v1/templates/${templateId}/versions/${version}/apply`, { token, body });
      await runJobs();
    };
    await apply({ ...design, colors: { background: "#440000" } });
    const after = urlOf(object(), "logo")!;
    expect(after).not.toBe(before);
    expect(await colourAt((await reachable(after))!.bytes, 0, 0)).toBe("#440000");
    await apply(googleDesign);
    expect([urlOf(object(), "logo"), urlOf(object(), "heroImage")]).toEqual([undefined, undefined]);
  });

  it("do not keep a revocation from Google if Google cannot load them, and the settings show admins why", async () => {
    const { open, object, post, token } = await googleHolder(await pictured());
    const problem = async () => (await call("GET", "/v1/organisation/google_wallet", { token })).json()["problem"];
    google.load = async () => null;
    expect((await open()).status).toBe(303);
    expect([object()!["state"], urlOf(object(), "logo")]).toEqual(["ACTIVE", undefined]);
    expect(await problem()).toContain(`Google has to reach ${origin} from the internet`);
    google.load = reachable;
    await post("suspend");
    await runJobs();
    expect([object()!["state"], urlOf(object(), "logo"), await problem()]).toEqual([
      "INACTIVE",
      expect.any(String),
      null,
    ]);
    google.load = async () => null;
    await post("revoke", { reason: "Left" });
    await runJobs();
    expect([object()!["state"], urlOf(object(), "logo")]).toEqual(["EXPIRED", undefined]);
    expect(await problem()).toContain("Google accepts passes only without the logo");
  });
});

describe("GET /public/designs/{id}/google/{name}", () => {
  it("answers for published versions alone, with what each card of the design shows", async () => {
    const design = await pictured();
    const { open, object, home, credential } = await googleHolder(design);
    await open();
    const path = urlOf(object(), "logo")!.slice(origin.length);
    const found = await call("GET", path);
    expect([found.status, found.headers.get("content-type"), found.headers.get("cache-control")]).toEqual([
      200,
      "image/png",
      "public, max-age=86400",
    ]);
    const again = await call("GET", path, { headers: { "if-none-match": found.headers.get("etag")! } });
    expect(again.status).toBe(304);
    const token = await home.key();
    const { templateId } = (await call("GET", `/v1/credentials/${credential.id}`, { token })).json<{
      templateId: string;
    }>();
    const draft = await createTemplateVersion(home.ctx, { id: templateId, design });
    for (const missing of [
      `/public/designs/${draft.id}/google/logo`,
      path.replace("/logo", "/photo"),
      path.replace(/tpv_\w+/, "nonsense"),
    ])
      expect((await call("GET", missing)).status).toBe(404);
  });

  it("answers with the background colour if the logo of the design cannot be read", async () => {
    const { open, object } = await googleHolder({ ...googleDesign, logo: "data:image/png;base64,AAAA" });
    await open();
    const { bytes } = (await reachable(urlOf(object(), "logo")!))!;
    expect(await colourAt(bytes, 330, 330)).toBe("#102030");
  });
});
