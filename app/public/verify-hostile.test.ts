import { crc32, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { closeOutbound } from "@/server/outbound/request";
import { listenHttp, type Listener } from "@/server/outbound/testing/listener";
import { bakePng } from "@/server/standards/baking/png";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { encodeBase64Url } from "@/server/standards/encoding/multibase";
import type { JsonObject } from "@/server/standards/json";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { statusEntry, statusListCredential } from "@/server/standards/status-list/list-credential";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { foreignFigures, stopForeignWorkers } from "@/server/verification/foreign-pool";

const issuer = keyIssuer();
const created = new Date("2026-01-31T00:00:00Z");
const sign = (more: JsonObject = {}) =>
  signDocument(badge(issuer.did, more), suiteOf("eddsa-rdfc-2022")!, issuer, { created });
const contexts = badge("x")["@context"] as string[];

/** A document whose terms cause requests to a given address, with a proof that looks valid at first. */
const hostile = (terms: JsonObject, evidence: JsonObject[], more: JsonObject = {}): JsonObject => ({
  ...badge(issuer.did, { "@context": [...contexts, terms], evidence, ...more }),
  proof: [
    {
      type: "DataIntegrityProof",
      cryptosuite: "eddsa-rdfc-2022",
      created: "2026-01-31T00:00:00Z",
      verificationMethod: issuer.verificationMethod,
      proofPurpose: "assertionMethod",
      proofValue: `z${"1".repeat(64)}`,
    },
  ],
});
const many = (each: (i: number) => JsonObject, count = 900) => Array.from({ length: count }, (_, i) => each(i));
/** Each of 900 short names expands to this many characters. */
const longNames = (characters: number) =>
  hostile(
    { p: { "@id": `urn:${"x".repeat(characters)}:`, "@prefix": true } },
    many((i) => ({ type: ["Evidence"], id: `p:${i}` })),
  );
/** Every node refers to two others, and none has a name. */
const alike = (count: number) =>
  hostile({ holds: "urn:h", knows: { "@id": "urn:k", "@type": "@id" } }, [
    {
      type: ["Evidence"],
      holds: many((i) => ({ id: `_:b${i}`, knows: [`_:b${(i + 1) % count}`, `_:b${(i + 2) % count}`] }), count),
    },
  ]);

interface Answer {
  result: string;
  state: string;
  reason: string | null;
  reasonText: string | null;
  checks: { name: string; outcome: string }[];
}
const outcomeOf = (answer: Answer, name: string) => answer.checks.find((check) => check.name === name)?.outcome;

let token: string;
let other: string;
let host: Listener;
let served: JsonObject;
beforeAll(async () => {
  vi.stubEnv("OUTBOUND_ALLOW_CIDRS", "127.0.0.1/32");
  token = (await createApiKey((await world()).ctx, { name: "verifier" })).secret;
  other = (await createApiKey((await world()).ctx, { name: "verifier" })).secret;
  host = await listenHttp((_, response) => {
    response.setHeader("content-type", "application/vc").end(JSON.stringify(served));
  });
});
afterAll(async () => {
  await stopForeignWorkers();
  await closeOutbound();
  await host.close();
  vi.unstubAllEnvs();
});

const stopped = () => foreignFigures().ended.time + foreignFigures().ended.crash;
const enough = 10;

/** The answer, and how many other requests were answered before it, up to `enough`. */
async function meanwhile(sent: () => ReturnType<typeof call>): Promise<{ answer: Answer; answered: number }> {
  let isThere = false;
  const asked = sent().finally(() => (isThere = true));
  let answered = 0;
  while (!isThere && answered < enough) {
    expect((await call("GET", "/public/verify?code=0000-0000-0000-0000")).status).toBe(404);
    if (!isThere) answered++;
  }
  const { status, json } = await asked;
  expect(status).toBe(200);
  return { answer: json<Answer>(), answered };
}
const verify = (credential: unknown) => call("POST", "/public/verify", { body: { credential } });
const verifyBytes = (bytes: Uint8Array, type: string) =>
  call("POST", "/public/verify", { raw: bytes as BodyInit, headers: { "content-type": type } });
const isStillValid = async () => expect((await verify(await sign())).json()).toMatchObject({ result: "valid" });

describe("a hostile credential", () => {
  it.each([
    ["takes all memory", 500_000],
    ["takes minutes", 100_000],
  ])("that %s is undecided with an explanation, while other requests are answered", async (_, characters) => {
    await isStillValid();
    const before = stopped();
    const { answer, answered } = await meanwhile(() => verify(longNames(characters)));
    expect(answer).toMatchObject({
      result: "indeterminate",
      state: "unknown",
      reason: null,
      reasonText: expect.stringMatching(/than is allowed.* so it was stopped\. Nothing is known about it\.$/),
      checks: [{ name: "format", outcome: "error" }],
    });
    expect(answered).toBe(enough);
    expect(stopped()).toBe(before + 1);
    await isStillValid();
  });

  it("of nodes that are all alike is invalid, while other requests are answered", async () => {
    const { answer, answered } = await meanwhile(() => verify(alike(300)));
    expect(answer).toMatchObject({ result: "invalid", reason: "signature_invalid" });
    expect(answered).toBe(enough);
    await isStillValid();
  });

  it.each<[string, () => ReturnType<typeof call>]>([
    ["text 300,000 levels deep", () => verify(`${"[".repeat(300_000)}${"]".repeat(300_000)}`)],
    [
      "file of 10 MiB of empty lists",
      () => verifyBytes(Buffer.from(`{"a":[${"[],".repeat(3_400_000)}[]]}`), "application/vc"),
    ],
    [
      "SVG of 10 MiB of elements",
      () =>
        verifyBytes(
          Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${"<g/>".repeat(2_600_000)}</svg>`),
          "image/svg+xml",
        ),
    ],
    [
      "SVG that is 300,000 elements deep",
      () =>
        verifyBytes(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${"<g>".repeat(300_000)}`), "image/svg+xml"),
    ],
    ["PNG of 800,000 chunks", () => verifyBytes(manyChunks(800_000), "image/png")],
  ])("that is a %s is malformed", async (_, send) => {
    const { answer } = await meanwhile(send);
    expect(answer).toMatchObject({ result: "invalid", reason: "malformed" });
    await isStillValid();
  });
});

describe("a hostile status list", () => {
  const withStatus = () =>
    sign({ credentialStatus: statusEntry(`http://127.0.0.1:${host.port}/revocation`, "revocation", 7) });
  const unsigned = () =>
    statusListCredential(Bitstring.ofLength(minEntries), {
      url: `http://127.0.0.1:${host.port}/revocation`,
      issuer: issuer.did,
      purpose: "revocation",
      validFrom: new Date(Date.now() - 60_000),
      validUntil: new Date(Date.now() + 60_000),
      ttlMs: 300_000,
    });

  it("that unpacks to 128 MiB leaves the status undecided", async () => {
    const list = unsigned();
    const encodedList = encodeBase64Url(gzipSync(Buffer.alloc(1 << 27), { level: 1 }));
    served = await signDocument(
      { ...list, credentialSubject: { ...(list["credentialSubject"] as JsonObject), encodedList } },
      suiteOf("eddsa-jcs-2022")!,
      issuer,
      { created },
    );
    const { answer } = await meanwhile(async () => verify(await withStatus()));
    expect(answer).toMatchObject({ result: "indeterminate", state: "unknown", reason: "status_unavailable" });
    expect(answer.reasonText).toContain("cannot be unpacked");
    await isStillValid();
  });

  it("that uses up the memory leaves the status undecided, and keeps the results of earlier checks", async () => {
    served = { ...longNames(500_000), ...unsigned(), "@context": longNames(500_000)["@context"]! };
    const { answer, answered } = await meanwhile(async () => verify(await withStatus()));
    expect(answer).toMatchObject({ result: "indeterminate", state: "unknown", reason: "status_unavailable" });
    expect(["format", "issuer", "signature", "status"].map((name) => outcomeOf(answer, name))).toEqual([
      "pass",
      "pass",
      "pass",
      "error",
    ]);
    expect(answered).toBe(enough);
    await isStillValid();
  });
});

describe("a caller that sends many requests", () => {
  it("is refused beyond its share, and another caller is answered before all of them are", async () => {
    const answers: (readonly [status: number, retryAfter: string | null])[] = [];
    const sent = Array.from({ length: 24 }, async () => {
      const { status, headers } = await call("POST", "/v1/verify", { token, body: { credential: alike(60) } });
      answers.push([status, headers.get("retry-after")]);
    });
    await expect.poll(() => answers.filter(([status]) => status === 429), { timeout: 20_000 }).not.toEqual([]);
    const answer = await call("POST", "/v1/verify", { token: other, body: { credential: await sign() } });
    expect(answer.json()).toMatchObject({ result: "valid" });
    expect(answers.length).toBeLessThan(24);
    await Promise.all(sent);
    expect([...new Set(answers.map(String))].toSorted()).toEqual(["200,", "429,1"]);
  });
});

/** A picture with this many empty chunks. */
function manyChunks(count: number): Uint8Array {
  const picture = bakePng(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
    "x",
  );
  const end = picture.subarray(-12);
  const chunk = Buffer.from("0000000074455874", "hex");
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(chunk.subarray(4)));
  return Buffer.concat([
    picture.subarray(0, -12),
    ...Array.from({ length: count }, () => Buffer.concat([chunk, sum])),
    end,
  ]);
}
