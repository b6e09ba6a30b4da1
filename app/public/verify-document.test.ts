import { crc32 } from "node:zlib";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { readId } from "@/server/core/ids";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { signingKeyOf } from "@/server/issuers/signing-key";
import { statusEntriesOf, statusPlacesOf } from "@/server/issuers/status/entries";
import { closeOutbound } from "@/server/outbound/request";
import { listenHttp, type Listener } from "@/server/outbound/testing/listener";
import { bakePng } from "@/server/standards/baking/png";
import { bakeSvg } from "@/server/standards/baking/svg";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import type { JsonObject } from "@/server/standards/json";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { statusEntry, statusListCredential } from "@/server/standards/status-list/list-credential";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";

const issuer = keyIssuer();
const rdfc = suiteOf("eddsa-rdfc-2022")!;
const created = new Date("2026-01-31T00:00:00Z");
/** A PDF with attachments. */
async function pdfWith(...attached: (string | Buffer)[]): Promise<Buffer> {
  const doc = new PDFDocument();
  const pieces: Uint8Array[] = [];
  doc.on("data", (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise((resolve) => doc.on("end", resolve));
  attached.forEach((content, index) => doc.file(Buffer.from(content), { name: `${index}.json` }));
  doc.end();
  await ended;
  return Buffer.concat(pieces);
}
const sign = (more: JsonObject = {}, document = badge(issuer.did, more)) =>
  signDocument(document, rdfc, issuer, { created });
interface Answer {
  result: string;
  reason: string | null;
  credential: { title: string };
  checks: { name: string; outcome: string }[];
  errors: { pointer: string }[];
}
const outcomes = (answer: Answer) => Object.fromEntries(answer.checks.map(({ name, outcome }) => [name, outcome]));

let w: World;
let token: string;
let host: Listener;
let list: Bitstring | undefined;
beforeAll(async () => {
  vi.stubEnv("OUTBOUND_ALLOW_CIDRS", "127.0.0.1/32");
  w = await world();
  token = (await createApiKey(w.ctx, { name: "verifier" })).secret;
  host = await listenHttp(async (_, response) => {
    if (!list) return void response.writeHead(503).end();
    const url = `http://127.0.0.1:${host.port}/revocation`;
    const now = Date.now();
    const unsigned = statusListCredential(list, {
      url,
      issuer: issuer.did,
      purpose: "revocation",
      validFrom: new Date(now - 60_000),
      validUntil: new Date(now + 60_000),
      ttlMs: 300_000,
    });
    response
      .setHeader("content-type", "application/vc")
      .end(JSON.stringify(await signDocument(unsigned, rdfc, issuer, { created })));
  });
});
afterAll(async () => {
  await closeOutbound();
  await host.close();
  vi.unstubAllEnvs();
});
const withStatus = () =>
  sign({ credentialStatus: statusEntry(`http://127.0.0.1:${host.port}/revocation`, "revocation", 7) });

describe("a credential of another issuer", () => {
  it("is invalid if its id is the address of a page of this service", async () => {
    const { id, verifyUrl } = await issued(w.ctx, (await publishedTemplate(w.ctx, { kind: "academic" })).id);
    expect(id).toMatch(/^crd_/);
    const { origin, pathname } = new URL(verifyUrl);
    const code = pathname.split("/").at(-1)!;
    for (const spelling of [
      verifyUrl,
      verifyUrl.toLowerCase(),
      `${verifyUrl}/`,
      `${verifyUrl}?utm=x#a`,
      `${origin}//c/${code}`,
      `${origin}/C/${code}`,
      `${origin}/c/${code.replaceAll("-", "%2D")}`,
      `${origin}/c/${code.replaceAll("-", "")}`,
      `${origin}/%63/${code}`,
      `${origin}/public/credentials/${code}`,
      `${origin}/public/credentials/${code}/credential.json`,
      `${origin}/verify?code=${code}`,
      `${origin}/public/verify?x=1&code=${code}`,
      verifyUrl.replace("://", "://ada@"),
      verifyUrl.replace(/:\/\/([^:/]+)/, "://$1."),
    ]) {
      const answer = (
        await call("POST", "/public/verify", { body: { credential: await sign({ id: spelling }) } })
      ).json<Answer>();
      expect([spelling, answer]).toMatchObject([spelling, { result: "invalid", reason: "signature_invalid" }]);
      expect(outcomes(answer)).toMatchObject({ signature: "fail" });
    }
    for (const other of ["https://example.org/c/7Q2M-0X4K-9VTB-C31E", `${origin}/docs`, `${origin}/c/short`])
      expect(
        (await call("POST", "/public/verify", { body: { credential: await sign({ id: other }) } })).json(),
      ).toMatchObject({
        result: "valid",
      });
  });

  it("that states a member twice is malformed, in whichever form and way it comes", async () => {
    const text = JSON.stringify(await sign());
    const twice = [
      text.replace('"name":', '"name":"Doctor of Law","name":'),
      text.replace('"name":', '"n\\u0061me":"Doctor of Law","name":'),
      text.replace('"criteria":{', '"criteria":{"narrative":"Nothing.",'),
      text.replace('"validFrom":', '"validFrom" : "1999-01-01T00:00:00Z" , "validFrom":'),
    ];
    for (const each of twice) expect(each).not.toBe(text);
    const [header, payload, signature] = (await signJwt(badge(issuer.did), "vc", issuer)).split(".") as string[];
    const part = (json: string) => Buffer.from(json).toString("base64url");
    const doubled = Buffer.from(payload!, "base64url").toString().replace('"name":', '"name":"Doctor of Law","name":');
    const jwts = [
      `${header}.${part(doubled)}.${signature}`,
      `${part(Buffer.from(header!, "base64url").toString().replace("{", '{"alg":"none",'))}.${payload}.${signature}`,
    ];
    for (const credential of [...twice, ...jwts]) {
      const answers = [
        await call("POST", "/public/verify", { body: { credential } }),
        await call("POST", "/v1/verify", {
          token,
          raw: Buffer.from(credential),
          headers: { "content-type": "application/vc" },
        }),
      ];
      for (const { status, json } of answers)
        expect([credential.slice(0, 60), status, json<Answer & { reasonText: string }>()]).toMatchObject([
          expect.any(String),
          200,
          { result: "invalid", reason: "malformed", reasonText: expect.stringMatching(/states something twice/) },
        ]);
    }
  });

  it("that is signed with an algorithm or key that is unknown here is undecided, and refused with none at all", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = (alg: string, by = issuer.did) =>
      `${part({ alg, typ: "vc+jwt", kid: `${by}#k` })}.${part(badge(by))}.${Buffer.from("signature").toString("base64url")}`;
    const resultOf = async (credential: string | JsonObject) =>
      (await call("POST", "/public/verify", { body: { credential } })).json<Answer>().result;
    for (const alg of ["ES256K", "PS256", "RS512"])
      expect([alg, await resultOf(token(alg))]).toEqual([alg, "indeterminate"]);
    for (const alg of ["none", "HS256"]) expect([alg, await resultOf(token(alg))]).toEqual([alg, "invalid"]);
    const signed = await sign();
    const others = [
      "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme",
      "did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc",
      "urn:uuid:3978344f-8596-4c3a-a978-8fcaba3903c5",
      "http://university.example/issuer",
    ];
    for (const by of others)
      expect([by, await resultOf({ ...signed, issuer: { id: by, type: ["Profile"], name: "Other" } })]).toEqual([
        by,
        "indeterminate",
      ]);
  });

  it("is verified for anyone and for a caller with a token, as JSON, as text and as a JWT", async () => {
    const signed = await sign();
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const answers = [
      await call("POST", "/public/verify", { body: { credential: signed } }),
      await call("POST", "/public/verify", { body: { credential: JSON.stringify(signed) } }),
      await call("POST", "/public/verify", { body: { credential: jwt } }),
      await call("GET", `/public/verify?token=${jwt}`),
      await call("POST", "/v1/verify", { token, body: { credential: signed } }),
      await call("POST", "/v1/verify", { token, body: { credential: jwt } }),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toMatch(/no-cache|no-store/);
      const answer = json<Answer>();
      expect(answer).toMatchObject({
        object: "verification",
        result: "valid",
        state: "active",
        reason: null,
        reasonText: null,
        credential: {
          code: "",
          kind: "external",
          title: "Bachelor of Science",
          issuer: {
            name: "Example University",
            did: issuer.did,
            domain: null,
            domainVerified: false,
            nameVerified: false,
            slug: "",
            registries: [],
          },
          validFrom: "2026-01-31T00:00:00.000Z",
          expiresAt: null,
        },
      });
      expect(outcomes(answer)).toEqual({
        format: "pass",
        issuer: "pass",
        signature: "pass",
        issuer_identity: "skipped",
        vocabulary: "pass",
        validity_period: "pass",
        status: "skipped",
      });
    }
  });

  it("tells times that RFC 3339 can write, and the year 1 where it names no beginning", async () => {
    const { validFrom: _, ...document } = badge(issuer.did);
    const times = async (more: JsonObject) => {
      const { credential } = (
        await call("POST", "/public/verify", { body: { credential: await sign({}, { ...document, ...more }) } })
      ).json<{ credential: Record<string, string | null> }>();
      return [credential["validFrom"], credential["issuedAt"], credential["expiresAt"]];
    };
    expect(await times({})).toEqual(["0001-01-01T00:00:00.000Z", null, null]);
    expect(await times({ validUntil: "9999-12-31T23:59:59-14:00" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      null,
      "9999-12-31T23:59:59.999Z",
    ]);
    expect(await times({ validUntil: "-0005-01-01T00:00:00Z" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      null,
      "0001-01-01T00:00:00.000Z",
    ]);
    expect(await times({ validFrom: "0000-06-01T00:00:00Z" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      "0001-01-01T00:00:00.000Z",
      null,
    ]);
  });

  it("shows no characters that turn text around or control a terminal", async () => {
    const name = "Bachelor\u202E of\u0000 Science\u001B[31m\u2066";
    const more = { name, issuer: { id: issuer.did, type: ["Profile"], name: "Uni\u202Eversity\u0007" } };
    const answer = (
      await call("POST", "/public/verify", {
        body: { credential: await signJwt(badge(issuer.did, more), "vc", issuer) },
      })
    ).json<Answer>();
    expect(answer).toMatchObject({
      result: "valid",
      credential: { title: "Bachelor of Science[31m", issuer: { name: "University" } },
    });
  });

  it("tells the results, credits, codes and evidence that it states, labelled in words", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const described = (key: string, name: string, more: JsonObject = {}) => ({
      id: `https://example.edu/results/${key}`,
      type: ["ResultDescription"],
      name,
      resultType: "LetterGrade",
      ...more,
    });
    const level = { id: "https://example.edu/levels/2", type: ["RubricCriterionLevel"], name: "Distinction" };
    const achievement = {
      ...(subject["achievement"] as JsonObject),
      fieldOfStudy: "Mathematics",
      specialization: "Algebra",
      humanCode: "BSC-MATH",
      resultDescription: [
        described("grade", "Final grade"),
        described("thesis", "Thesis", { rubricCriterionLevel: [level] }),
        described("course", "Course"),
      ],
    };
    const of = (key: string, more: JsonObject) => ({
      type: ["Result"],
      resultDescription: `https://example.edu/results/${key}`,
      ...more,
    });
    const result = [
      of("grade", { value: "A-" }),
      of("thesis", { achievedLevel: level.id }),
      of("course", { status: "InProgress" }),
      { type: ["Result"], value: "17", status: "Provisional" },
    ];
    const evidence = [
      {
        type: ["Evidence"],
        id: "https://example.edu/thesis.pdf",
        name: "Thesis",
        genre: "Paper",
        narrative: "On *rings*.",
      },
    ];
    const signed = await sign({
      credentialSubject: { ...subject, achievement, result, creditsEarned: 180 },
      awardedDate: "2025-07-01T10:00:00Z",
      evidence,
    });
    const answer = (await call("POST", "/public/verify", { body: { credential: signed } })).json<{
      result: string;
      credential: { fields: { label: string; value: string; format: string }[] };
    }>();
    expect(answer.result).toBe("valid");
    expect(answer.credential.fields.map(({ label, value, format }) => [label, value, format])).toEqual([
      ["Description", "Three years of study.", "text"],
      ["Field of study", "Mathematics", "text"],
      ["Specialisation", "Algebra", "text"],
      ["Catalogue code", "BSC-MATH", "text"],
      ["Final grade", "A-", "text"],
      ["Thesis", "Distinction", "text"],
      ["Course", "In progress", "text"],
      ["Result", "17 (provisional)", "text"],
      ["Credits earned", "180", "text"],
      ["Awarded on", "2025-07-01", "date"],
      ["Criteria", "Pass the examinations.", "markdown"],
      ["Evidence", "Thesis (Paper)\n\nOn *rings*.\n\n<https://example.edu/thesis.pdf>", "markdown"],
      ["Credential id", "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a1", "text"],
    ]);
  });

  it("that states thousands of results tells a hundred, and how many more there are", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const result = Array.from({ length: 900 }, (_, i) => ({ type: ["Result"], value: String(i) }));
    const credential = await signJwt(badge(issuer.did, { credentialSubject: { ...subject, result } }), "vc", issuer);
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<{
      credential: { fields: { label: string; value: string }[] };
    }>();
    const { fields } = answer.credential;
    expect(fields.filter(({ label }) => label === "Result")).toHaveLength(100);
    expect(fields).toContainEqual(expect.objectContaining({ label: "Not shown", value: "800 more results" }));
  });

  it("that was changed is invalid, and says nothing of its state", async () => {
    const answer = (
      await call("POST", "/public/verify", { body: { credential: { ...(await sign()), name: "Doctor" } } })
    ).json();
    expect(answer).toMatchObject({
      result: "invalid",
      state: "unknown",
      reason: "signature_invalid",
      reasonText: expect.stringContaining("does not fit"),
    });
  });

  it("whose signature does not fit is not repeated: neither holder nor title nor the issuer's name", async () => {
    const signed = await sign();
    const forged = {
      ...signed,
      name: "Doctor of Forgery",
      issuer: { id: issuer.did, name: "Famous University" },
    };
    const answer = await call("POST", "/public/verify", { body: { credential: forged } });
    expect(answer.json()).toMatchObject({
      result: "invalid",
      credential: { title: "Credential", subject: { displayName: "" }, fields: [] },
    });
    expect(answer.text).not.toMatch(/Forgery|Famous/);
  });

  it("is revoked from the moment its list says so, and undecided where the list does not answer", async () => {
    const signed = await withStatus();
    const verify = async () => (await call("POST", "/public/verify", { body: { credential: signed } })).json();
    list = Bitstring.ofLength(minEntries);
    expect(await verify()).toMatchObject({ result: "valid", state: "active" });
    list.set(7, true);
    expect(await verify()).toMatchObject({
      result: "invalid",
      state: "revoked",
      reason: "revoked",
      reasonText: "Revoked by its issuer.",
    });
    list = undefined;
    expect(await verify()).toMatchObject({
      result: "indeterminate",
      state: "unknown",
      reason: "status_unavailable",
      checks: expect.arrayContaining([expect.objectContaining({ name: "status", outcome: "error" })]),
    });
  });

  it("that nobody signed is refused in words that say so and what to do, and no issuer is asked", async () => {
    for (const did of [issuer.did, "did:web:localhost", "did:example:acme"])
      for (const path of ["/public/verify", "/v1/verify"]) {
        const answer = (await call("POST", path, { token, body: { credential: badge(did) } })).json<
          Answer & { reasonText: string; credential: { title: string; subject: object } }
        >();
        expect([did, answer]).toMatchObject([
          did,
          { result: "invalid", state: "unknown", reason: "signature_invalid" },
        ]);
        expect(answer.reasonText).toMatch(
          /^This document is not signed: it has no proof\. Anybody can have written it/,
        );
        expect(answer.reasonText).toMatch(/Ask the holder for the signed file, or for the link or the code/);
        expect(answer.reasonText).not.toContain("does not fit");
        expect(outcomes(answer)).toMatchObject({ issuer: "skipped", signature: "fail", status: "skipped" });
        // What it says is nobody's word.
        expect(JSON.stringify(answer.credential)).not.toContain("ada@example");
        expect(answer.credential.title).not.toContain("Bachelor");
      }
  });

  it("whose issuer cannot be reached, or may not be, is undecided", async () => {
    for (const did of ["did:web:localhost", "did:web:10.0.0.1", "did:web:169.254.169.254", "did:ion:EiD"]) {
      const answer = (
        await call("POST", "/public/verify", { body: { credential: { ...badge(did), proof: [] } } })
      ).json();
      expect(answer).toMatchObject({ result: "invalid", reason: "malformed" });
      const signed = (
        await call("POST", "/public/verify", { body: { credential: await sign({}, badge(did)) } })
      ).json();
      expect([did, signed]).toMatchObject([
        did,
        {
          result: "indeterminate",
          state: "unknown",
          reason: "issuer_unknown",
          credential: { issuer: { domainVerified: false } },
        },
      ]);
    }
  });

  it("has ended or not begun by its own dates", async () => {
    const verify = async (more: JsonObject) =>
      (await call("POST", "/public/verify", { body: { credential: await sign(more) } })).json();
    expect(await verify({ validUntil: "2026-02-01T00:00:00Z" })).toMatchObject({
      result: "invalid",
      state: "expired",
      reason: "expired",
      credential: { expiresAt: "2026-02-01T00:00:00.000Z" },
    });
    expect(await verify({ validFrom: "2999-01-01T00:00:00Z" })).toMatchObject({
      result: "invalid",
      state: "pending",
      reason: "not_yet_valid",
      credential: { issuedAt: null },
    });
  });

  it.each(["{", "[]", "x.y.z", "", " ", "<svg/>", { a: 1 }, { "@context": "x" }])(
    "that is %j is malformed, and no error",
    async (credential) => {
      const { status, json } = await call("POST", "/public/verify", { body: { credential } });
      const { result, reason, credential: read } = json<Answer>();
      expect([status, result, reason, read.title]).toEqual([200, "invalid", "malformed", "Credential"]);
    },
  );

  it("is verified as a JWT that a mail program broke into lines", async () => {
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const broken = jwt.replace(/.{76}/g, "$&\r\n  ");
    expect((await call("POST", "/public/verify", { body: { credential: broken } })).json()).toMatchObject({
      result: "valid",
    });
  });

  it("with a term that nobody defined is told as signed, and not as unreadable", async () => {
    const credential = await signJwt(badge(issuer.did, { shoeSize: 42 }), "vc", issuer);
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<{ reasonText: string }>();
    expect(answer).toMatchObject({ result: "invalid", reason: "malformed" });
    expect(answer.reasonText).toMatch(/^Its signature holds, but .*shoeSize/);
    expect(answer.reasonText).not.toContain("cannot be read");
  });

  it("names its holder by whatever identifier is written out, and says where nobody was compared", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const verify = async (credentialSubject: JsonObject | JsonObject[]) => {
      const credential = await signJwt(badge(issuer.did, { credentialSubject }), "vc", issuer);
      const { checks, credential: read } = (await call("POST", "/public/verify", { body: { credential } })).json<{
        checks: { name: string; outcome: string; detail: string }[];
        credential: { subject: { displayName: string } };
      }>();
      const holder = checks.find(({ name }) => name === "holder");
      return [read.subject.displayName, holder && `${holder.outcome}: ${holder.detail}`];
    };
    const identified = (...identities: [type: string, identityHash: string, hashed?: boolean][]) => ({
      ...subject,
      identifier: identities.map(([identityType, identityHash, hashed = false]) => ({
        type: "IdentityObject",
        hashed,
        identityHash,
        identityType,
      })),
    });
    const { identifier: _, ...unnamed } = subject;
    expect(await verify(subject)).toEqual(["ada@example.edu", undefined]);
    expect(await verify(identified(["studentId", "77"], ["name", "Ada"]))).toEqual(["Ada", undefined]);
    expect(await verify(identified(["emailAddress", "sha256$c0ffee", true]))).toEqual([
      "",
      expect.stringMatching(/^skipped: .*hashed.*nobody was compared/),
    ]);
    expect(await verify(unnamed)).toEqual(["", expect.stringMatching(/^skipped: It names no holder/)]);
    expect(await verify([identified(["name", "Ada"]), identified(["name", "Grace"])])).toEqual([
      "Ada, Grace",
      expect.stringMatching(/^skipped: It is about 2 subjects\. Not all/),
    ]);
  });

  it("may hold a picture of 900,000 characters, as JSON and as a JWT", async () => {
    const picture = `data:image/png;base64,${"A".repeat(900_000)}`;
    const subject = badge(issuer.did)["credentialSubject"] as { achievement: JsonObject };
    const more = {
      credentialSubject: {
        ...subject,
        achievement: { ...subject.achievement, image: { id: picture, type: "Image" } },
      } as JsonObject,
    };
    const files: [string, string][] = [
      [JSON.stringify(await sign(more)), "application/vc"],
      [await signJwt(badge(issuer.did, more), "vc", issuer), "application/vc+jwt"],
    ];
    for (const [text, type] of files)
      expect(
        (await call("POST", "/public/verify", { raw: text, headers: { "content-type": type } })).json(),
      ).toMatchObject({ result: "valid" });
  });

  it("emits nothing: it belongs to no organisation", async () => {
    const before = await eventsOf(w.orgId);
    await call("POST", "/v1/verify", { token, body: { credential: await sign() } });
    expect(await eventsOf(w.orgId)).toEqual(before);
  });

  it("answers 304 to the ETag of a token, while the decision is the same", async () => {
    const path = `/public/verify?token=${await signJwt(badge(issuer.did), "vc", issuer)}`;
    const etag = (await call("GET", path)).headers.get("etag")!;
    expect((await call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });
});

// One pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A PNG of one pixel with a chunk more. */
function pngWith(type: string, text: string): Buffer {
  const data = Buffer.from(type + text, "latin1");
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  // Behind the signature and the header.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

describe("a file", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
  const oldSvg =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:openbadges="http://openbadges.org"><openbadges:assertion verify="https://issuer.example/1"/></svg>';
  const oldPng = pngWith("tEXt", "openbadges\0https://issuer.example/1");
  const ways = [
    (bytes: Uint8Array, type: string) =>
      call("POST", "/public/verify", { raw: bytes as BodyInit, headers: { "content-type": type } }),
    (bytes: Uint8Array, type: string) =>
      call("POST", "/v1/verify", { token, raw: bytes as BodyInit, headers: { "content-type": type } }),
    async (bytes: Uint8Array, type: string) => {
      const form = new FormData();
      form.set("file", new Blob([bytes as BlobPart], { type }), "badge");
      const encoded = new Response(form);
      return call("POST", "/public/verify", {
        raw: await encoded.arrayBuffer(),
        headers: { "content-type": encoded.headers.get("content-type")! },
      });
    },
  ];

  it("in any form is undecided, and not valid, while its issuer or its list cannot be reached", async () => {
    list = undefined;
    const unreached = [
      [JSON.stringify(await sign({}, badge("did:web:localhost%3A1"))), "issuer", "issuer_unknown"],
      [JSON.stringify(await withStatus()), "status", "status_unavailable"],
    ] as const;
    for (const [text, name, reason] of unreached)
      for (const [bytes, type] of [
        [bakePng(png, text), "image/png"],
        [Buffer.from(bakeSvg(svg, text)), "image/svg+xml"],
        [Buffer.from(text), "application/vc"],
      ] as const)
        for (const send of ways)
          expect((await send(bytes, type)).json()).toMatchObject({
            result: "indeterminate",
            reason,
            checks: expect.arrayContaining([expect.objectContaining({ name, outcome: "error" })]),
          });
  });

  it("that is a baked PNG or SVG, JSON or a JWT is verified, as a body and as a form, for anyone and with a token", async () => {
    const signed = JSON.stringify(await sign());
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const files: [Uint8Array, string][] = [
      [bakePng(png, signed), "image/png"],
      [bakePng(png, jwt), "image/png"],
      [Buffer.from(bakeSvg(svg, signed)), "image/svg+xml"],
      [Buffer.from(bakeSvg(svg, jwt)), "image/svg+xml"],
      [Buffer.from(signed), "application/vc"],
      [Buffer.from(jwt), "application/vc+jwt"],
      [await pdfWith(signed), "application/pdf"],
      [await pdfWith(jwt), "application/pdf"],
    ];
    for (const [bytes, type] of files)
      for (const send of ways)
        expect((await send(bytes, type)).json()).toMatchObject({
          result: "valid",
          credential: { title: "Bachelor of Science" },
        });
  });

  it("is malformed if it is a PDF with two credentials, or with one that inflates beyond all bounds", async () => {
    const two = await pdfWith(JSON.stringify(badge(issuer.did)), JSON.stringify(badge(issuer.did, { name: "Other" })));
    const bomb = await pdfWith(`${JSON.stringify(badge(issuer.did))}${" ".repeat(50_000_000)}`);
    for (const send of ways) {
      const reasonOf = async (bytes: Uint8Array) => (await send(bytes, "application/pdf")).json();
      const malformed = (words: RegExp) => ({ reason: "malformed", reasonText: expect.stringMatching(words) });
      expect(await reasonOf(two)).toMatchObject(malformed(/More than one/));
      expect(await reasonOf(bomb)).toMatchObject(malformed(/No signed credential is attached/));
    }
  });

  it.each<[string, Uint8Array, string, RegExp]>([
    ["a picture without a credential", png, "image/png", /holds no credential/],
    ["an SVG without a credential", Buffer.from(svg), "image/svg+xml", /holds no credential/],
    ["bytes that are nothing", Buffer.from([0xff, 0xfe, 0x00]), "image/png", /no picture.*save it as UTF-8/],
    ["a photo", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/png", /only a PNG or an SVG can/],
    ["a PDF without one", Buffer.from("%PDF-1.7\n"), "application/pdf", /attached to this PDF.*credential\.json/],
    ["empty but for a line end", Buffer.from("\n"), "application/vc", /is empty/],
    ["an SD-JWT", Buffer.from("eyJhbGciOiJFUzI1NiJ9.e30.c2ln~WyJhIl0~"), "application/vc", /SD-JWT/],
    [
      "a presentation",
      Buffer.from('{"@context":["https://www.w3.org/ns/credentials/v2"],"type":"VerifiablePresentation"}'),
      "application/vc",
      /presentation.*the credential within/,
    ],
    [
      "an Open Badge 2.0",
      Buffer.from('{"@context":"https://w3id.org/openbadges/v2","type":"Assertion","id":"https://issuer.example/1"}'),
      "application/vc",
      /version 2\.0 or earlier.*issuer’s own page/,
    ],
    ["an SVG of Open Badges 2.0", Buffer.from(oldSvg), "image/svg+xml", /version 2\.0 or earlier/],
    ["a PNG of Open Badges 2.0", oldPng, "image/png", /version 2\.0 or earlier/],
  ])("that is %s is malformed, in words", async (_, bytes, type, words) => {
    for (const send of ways)
      expect((await send(bytes, type)).json()).toMatchObject({
        result: "invalid",
        reason: "malformed",
        reasonText: expect.stringMatching(words),
      });
  });

  it("that Windows saved as UTF-16 is verified", async () => {
    const text = `\uFEFF${JSON.stringify(await sign())}`;
    for (const bytes of [Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()])
      expect((await ways[0]!(bytes, "application/vc")).json()).toMatchObject({ result: "valid" });
  });

  it("of another type, or larger than 10 MiB, is refused", async () => {
    for (const path of ["/public/verify", "/v1/verify"]) {
      expect((await call("POST", path, { token, raw: "x", headers: { "content-type": "text/plain" } })).status).toBe(
        415,
      );
      expect(
        (
          await call("POST", path, {
            token,
            raw: new Uint8Array(10 * 1024 * 1024 + 1),
            headers: { "content-type": "image/png" },
          })
        ).status,
      ).toBe(413);
    }
  });
});

describe("input", () => {
  it.each<[object, string]>([
    [{}, "/code"],
    [{ code: "" }, "/code"],
    [{ code: " \t" }, "/code"],
    [{ code: "7Q2M-0X4K-9VTB-C31E", credential: {} }, "/credential"],
    [{ credential: 7 }, "/credential"],
    [{ credential: null }, "/credential"],
    [{ credential: [] }, "/credential"],
  ])("%j is refused at %s", async (body, pointer) => {
    for (const sent of [{ path: "/public/verify" }, { path: "/v1/verify", token }]) {
      const { status, json } = await call("POST", sent.path, {
        body,
        ...(sent.token !== undefined && { token: sent.token }),
      });
      expect([status, json<Answer>().errors.map((error) => error.pointer)]).toEqual([400, [pointer]]);
    }
  });

  it("can be the credential itself, under each media type that issuers serve credentials with", async () => {
    const signed = await sign();
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    for (const [type, text] of [
      ["application/json", JSON.stringify(signed)],
      ["application/json; charset=utf-8", JSON.stringify(signed)],
      ["application/vc", JSON.stringify(signed)],
      ["application/ld+json", JSON.stringify(signed)],
      ['application/ld+json; profile="http://www.w3.org/ns/json-ld#compacted"', JSON.stringify(signed)],
      ["application/vc+ld+json", JSON.stringify(signed)],
      ["application/vc+jwt", jwt],
    ] as const)
      for (const sent of [{ path: "/public/verify" }, { path: "/v1/verify", token }]) {
        const { status, json } = await call("POST", sent.path, {
          raw: Buffer.from(text),
          headers: { "content-type": type },
          ...(sent.token !== undefined && { token: sent.token }),
        });
        expect([type, status, json<Answer>().result]).toEqual([type, 200, "valid"]);
      }
  });

  it("of another media type is refused with a sentence that names all that are accepted", async () => {
    for (const type of ["text/plain", "application/xml", "application/vp", "image/gif", ""])
      for (const sent of [{ path: "/public/verify" }, { path: "/v1/verify", token }]) {
        const { status, json } = await call("POST", sent.path, {
          raw: Buffer.from("x"),
          headers: { "content-type": type },
          ...(sent.token !== undefined && { token: sent.token }),
        });
        expect([type, status]).toEqual([type, 415]);
        const { detail } = json<{ detail: string }>();
        for (const accepted of [
          "application/json",
          "application/vc",
          "application/vc+jwt",
          "application/ld+json",
          "image/png",
          "image/svg+xml",
          "application/pdf",
          "multipart/form-data",
        ])
          expect(detail).toContain(accepted);
      }
  });

  it("that is a credential without a context says how to wrap it", async () => {
    for (const sent of [{ path: "/public/verify" }, { path: "/v1/verify", token }]) {
      const { status, json } = await call("POST", sent.path, {
        body: { type: ["VerifiableCredential"], proof: {} },
        ...(sent.token !== undefined && { token: sent.token }),
      });
      expect([status, json<{ detail: string }>().detail]).toEqual([
        400,
        expect.stringContaining('wrap that in {"credential": …}'),
      ]);
    }
  });

  it("of a query is a code or a token", async () => {
    for (const query of ["", "?code=", "?code=%20", "?code=a&token=b", "?credential=x"])
      expect((await call("GET", `/public/verify${query}`)).status).toBe(400);
  });
});

describe("a credential that this service issued", () => {
  const verified = async (credential: JsonObject) =>
    (await call("POST", "/public/verify", { body: { credential } })).json<Answer>();

  it("is verified by its document without a request, also after a rotation and at once after a revocation", async () => {
    const { ctx } = await world();
    const { id: templateId } = await publishedTemplate(ctx, { kind: "academic" });
    const signedBadge = async () => {
      const { id } = await issued(ctx, templateId);
      const key = await signingKeyOf(ctx);
      const place = (await statusPlacesOf(ctx, [readId("crd", id)])).get(readId("crd", id))!;
      const document = badge(key.did, { credentialStatus: statusEntriesOf(place) });
      return { id, credential: await signDocument(document, rdfc, key, { created }) };
    };
    const before = await signedBadge();
    expect(outcomes(await verified(before.credential))).toMatchObject({
      issuer: "pass",
      signature: "pass",
      status: "pass",
    });
    await rotateIssuerKey(ctx, {});
    const after = await signedBadge();
    for (const { credential } of [before, after])
      expect(outcomes(await verified(credential))).toMatchObject({ signature: "pass", status: "pass" });
    await suspendCredential(ctx, { id: before.id, reason: "Fees" });
    expect(await verified(before.credential)).toMatchObject({ result: "invalid", reason: "suspended" });
    await revokeCredential(ctx, { id: after.id, reason: "Plagiarism" });
    expect(await verified(after.credential)).toMatchObject({ result: "invalid", reason: "revoked" });
  });

  it("of an issuer that does not exist here is not verified", async () => {
    const { ctx } = await world();
    const key = await signingKeyOf(ctx);
    const did = key.did.replace(/[^:]+$/, "nobody-has-this");
    const method = key.verificationMethod.replace(key.did, did);
    const credential = await signDocument(badge(did), rdfc, { ...key, verificationMethod: method }, { created });
    expect(await verified(credential)).toMatchObject({ result: "indeterminate", reason: "issuer_unknown" });
  });
});
