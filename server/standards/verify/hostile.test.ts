import { createHmac, generateKeyPairSync, hash, sign as signWithAnyKey } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proofOptions, signDocument } from "../data-integrity/sign-document";
import { suiteOf } from "../data-integrity/suites";
import { encodeBase58 } from "../encoding/multibase";
import { Unverifiable } from "../failure";
import { envelope, signJwt } from "../jose/sign-jwt";
import type { Json, JsonObject } from "../json";
import { badge, keyIssuer } from "../testing/issuer";
import { offline } from "../testing/web";
import type { Surroundings } from "../surroundings";
import { isValid, verifyCredential } from "./verify-credential";

const issuer = keyIssuer();
const created = new Date("2026-01-31T00:00:00Z");
const verify = (sent: string | JsonObject) => verifyCredential(sent, offline());
const reasons = async (sent: string | JsonObject) =>
  (await verify(sent)).checks.flatMap(({ outcome, reason }) =>
    outcome === "fail" || outcome === "error" ? [reason] : [],
  );
const jcs = suiteOf("eddsa-jcs-2022")!;
const rdfc = suiteOf("eddsa-rdfc-2022")!;
const base64url = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");

const contexts = badge("x")["@context"] as string[];

describe("hostile documents", () => {
  const nested = (depth: number) => Array.from({ length: depth }).reduce<Json>((inner) => ({ note: inner }), "x");

  it.each<[string, () => string | JsonObject]>([
    ["JSON 1,000,000 levels deep", () => `${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`],
    ["a subject 40 levels deep", () => badge(issuer.did, { credentialSubject: nested(40) })],
    [
      "60,000 values",
      () => badge(issuer.did, { evidence: Array.from({ length: 30_000 }, () => ({ type: "Evidence" })) }),
    ],
    ["a list of 1,500 values", () => badge(issuer.did, { evidence: Array.from({ length: 1_500 }, () => "urn:x") })],
    ["10 MiB of empty lists", () => `{"a":[${"[],".repeat(3_400_000)}[]]}`],
    ["10 MiB of open lists", () => "[".repeat(10 << 20)],
    [
      "300 terms of its own",
      () =>
        badge(issuer.did, {
          "@context": [...contexts, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`t${i}`, `urn:x:${i}`]))],
        }),
    ],
    [
      "300 terms of a type",
      () =>
        badge(issuer.did, {
          "@context": [
            ...contexts,
            {
              T: {
                "@id": "urn:T",
                "@context": Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`t${i}`, `urn:x:${i}`])),
              },
            },
          ],
        }),
    ],
    [
      "20 contexts of terms",
      () =>
        badge(issuer.did, {
          "@context": [
            ...contexts,
            Object.fromEntries(
              Array.from({ length: 20 }, (_, i) => [`t${i}`, { "@id": `urn:x:${i}`, "@context": {} }]),
            ),
          ],
        }),
    ],
    [
      "20 contexts within",
      () =>
        badge(issuer.did, {
          evidence: Array.from({ length: 20 }, () => ({ "@context": { a: "urn:a" }, type: "Evidence" })),
        }),
    ],
    [
      "__proto__",
      () => JSON.stringify(badge(issuer.did)).replace('{"@context"', '{"__proto__":{"name":"Doctor"},"@context"'),
    ],
    [
      "__proto__ within",
      () => JSON.stringify(badge(issuer.did)).replace('"criteria":{', '"criteria":{"__proto__":{"id":"urn:x"},'),
    ],
    ["a list", () => "[]"],
    ["a number", () => "7"],
    ["nothing", () => ""],
    ["HTML", () => "<!doctype html>"],
    ["a text in a text in a text", () => JSON.stringify(JSON.stringify("x"))],
  ])("%s is malformed", async (_, sent) => {
    expect(await reasons(sent())).toEqual(["malformed"]);
  });

  it("with many indistinguishable blank nodes are refused", async () => {
    const nodes = Array.from({ length: 60 }, (_, i) => ({
      id: `_:b${i}`,
      "https://example.org/knows": Array.from({ length: 60 }, (_, j) => ({ id: `_:b${j}` })),
    }));
    const poison = {
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      type: ["VerifiableCredential"],
      issuer: issuer.did,
      credentialSubject: nodes as unknown as Json,
    };
    await expect(signDocument(poison, rdfc, issuer, { created })).rejects.toThrow(/canonical form|not valid/);
  });

  it("of any JSON get an answer, which is never valid", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 6 }),
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom(...Object.keys(badge("x")), "credentialStatus", "proof", "evidence", "credentialSchema"),
        async (any, part, key) => {
          expect(isValid(await verify(JSON.stringify(any)))).toBe(false);
          expect(isValid(await verify({ ...badge(issuer.did), [key]: part as Json }))).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("hostile tokens", () => {
  const claims = badge(issuer.did);
  const token = (header: JsonObject, payload: JsonObject = claims, signature = "AAAA") =>
    `${base64url(header)}.${base64url(payload)}.${signature}`;

  it.each<[string, () => string]>([
    ["alg none", () => token({ alg: "none", kid: issuer.verificationMethod }, claims, "")],
    ["alg None", () => token({ alg: "None", kid: issuer.verificationMethod }, claims, "")],
    ["no alg", () => token({ kid: issuer.verificationMethod })],
    [
      "HS256 under the public key",
      () => {
        const signed = `${base64url({ alg: "HS256", kid: issuer.verificationMethod })}.${base64url(claims)}`;
        return `${signed}.${createHmac("sha256", issuer.publicKey.export({ type: "spki", format: "pem" }))
          .update(signed)
          .digest("base64url")}`;
      },
    ],
    ["an alg that is an object", () => token({ alg: { toString: "EdDSA" } as never })],
    ["a payload that is a list", () => token({ alg: "EdDSA" }, [] as never)],
    ["a VCDM 2.0 document in vc", () => token({ alg: "EdDSA" }, { iss: issuer.did, vc: claims })],
    ["another issuer in iss", () => token({ alg: "EdDSA" }, { ...claims, iss: "did:example:x" })],
    ["another id in jti", () => token({ alg: "EdDSA" }, { ...claims, jti: "urn:x:1" })],
  ])("%s is malformed", async (_, sent) => {
    expect(await reasons(sent())).toEqual(["malformed"]);
  });

  it("signed with a key that the token brings along, or with another issuer's key, are invalid", async () => {
    const thief = keyIssuer();
    const other = generateKeyPairSync("ed25519");
    const jwk = other.publicKey.export({ format: "jwk" });
    const forged = async (header: JsonObject) => {
      const { CompactSign } = await import("jose");
      return new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: "EdDSA", ...header })
        .sign(header["jwk"] ? other.privateKey : thief.privateKey);
    };
    for (const header of [
      { jwk: jwk as JsonObject },
      { jwk: jwk as JsonObject, kid: issuer.verificationMethod },
      { kid: thief.verificationMethod },
      { kid: issuer.verificationMethod },
      { kid: `${issuer.did}#../${thief.did}` },
      { kid: "../../etc/passwd" },
      {},
    ]) {
      expect([header, await reasons(await forged(header))]).toEqual([header, ["signature_invalid"]]);
    }
  });

  const signed = (payload: JsonObject, header: JsonObject = {}, signer = issuer) => {
    const input = `${base64url({ alg: "EdDSA", kid: signer.verificationMethod, ...header })}.${base64url(payload)}`;
    return `${input}.${signWithAnyKey(null, Buffer.from(input), signer.privateKey).toString("base64url")}`;
  };

  it("with a claim that cannot be read are malformed, although the signature is valid", async () => {
    const unread: Json[] = [
      "1000",
      "99999999999",
      true,
      false,
      null,
      [1],
      { seconds: 1 },
      1e15,
      1e300,
      -1e300,
      253_402_300_800,
    ];
    for (const name of ["exp", "nbf", "iat"]) {
      for (const value of unread)
        expect([name, value, await reasons(signed({ ...claims, [name]: value }))]).toEqual([
          name,
          value,
          ["malformed"],
        ]);
      expect(await reasons(signed({ ...claims, [name]: name === "exp" ? 253_402_300_799 : 0.5 }))).toEqual([]);
    }
    for (const name of ["iss", "sub", "jti", "nonce"])
      for (const value of [7, null, ["x"], {}])
        expect([name, await reasons(signed({ ...claims, [name]: value }))]).toEqual([name, ["malformed"]]);
    for (const aud of [7, null, [7], {}]) expect(await reasons(signed({ ...claims, aud }))).toEqual(["malformed"]);
    expect(await reasons(signed({ ...claims, aud: ["https://verifier.example"] }))).toEqual([]);
    expect(await reasons(signed({ ...claims, exp: 1000 }))).toEqual(["expired"]);
    expect(await reasons(signed({ ...claims, nbf: 253_402_300_799 }))).toEqual(["not_yet_valid"]);
  });

  it("of another type, or with an unknown critical extension, are malformed, and the check says why", async () => {
    const said = async (header: JsonObject) => (await verify(signed(claims, header))).checks[0];
    for (const typ of ["vc+sd-jwt", "dc+sd-jwt", "at+jwt", "vp+jwt", 7])
      expect(await said({ typ })).toMatchObject({
        outcome: "fail",
        reason: "malformed",
        detail: expect.stringContaining("of the type"),
      });
    for (const typ of ["vc+jwt", "VC+JWT", "application/vc+jwt", "JWT", "vc+ld+jwt"])
      expect([typ, await reasons(signed(claims, { typ }))]).toEqual([typ, []]);
    for (const header of [{ crit: ["b64"], b64: false }, { crit: ["exp"], exp: 1 }, { crit: [] }, { crit: "b64" }])
      expect(await said(header)).toMatchObject({ reason: "malformed", detail: expect.stringContaining("crit") });
    for (const b64 of [true, false])
      expect(await said({ b64 })).toMatchObject({ reason: "malformed", detail: expect.stringContaining("b64") });
    expect(await said({ kid: 7 })).toMatchObject({ reason: "malformed", detail: expect.stringContaining("kid") });
  });

  it("in an envelope of another media type, or in two nested envelopes, are malformed", async () => {
    const jwt = await signJwt(claims, "vc", issuer);
    expect(isValid(await verify(envelope(jwt, "vc")))).toBe(true);
    expect(await reasons({ ...envelope(jwt, "vc"), id: `data:application/vc+cose,${jwt}` })).toEqual(["malformed"]);
    expect(await reasons(await signJwt(envelope(jwt, "vc"), "vc", issuer))).toEqual(["malformed"]);
  });
});

describe("dates of documents", () => {
  const said = async (more: JsonObject) => {
    const { validFrom: _, ...document } = badge(issuer.did);
    return reasons(await signDocument({ ...document, ...more }, jcs, issuer, { created }));
  };

  it("with years below 1 or above 9999 count", async () => {
    for (const validUntil of ["-0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "-12000-01-01T00:00:00Z"])
      expect([validUntil, await said({ validUntil })]).toEqual([validUntil, ["expired"]]);
    for (const validFrom of ["12000-01-01T00:00:00Z", "275000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
      expect([validFrom, await said({ validFrom })]).toEqual([validFrom, ["not_yet_valid"]]);
    for (const time of [
      "300000-01-01T00:00:00Z",
      "-300000-01-01T00:00:00Z",
      "-0000-01-01T00:00:00Z",
      7,
      null,
      "soon",
      ["2026-01-31T00:00:00Z"],
    ]) {
      expect([time, await said({ validUntil: time })]).toEqual([time, ["malformed"]]);
      expect([time, await said({ validFrom: time })]).toEqual([time, ["malformed"]]);
    }
  });

  it("of VCDM 1.1 count under the names of both versions", async () => {
    const old = (more: JsonObject) =>
      said({
        "@context": ["https://www.w3.org/2018/credentials/v1"],
        type: ["VerifiableCredential"],
        name: undefined,
        issuer: issuer.did,
        credentialSubject: { id: "urn:x" },
        issuanceDate: "2026-01-31T00:00:00Z",
        ...more,
      });
    expect(await old({ validUntil: "2020-01-31T00:00:00Z" })).toContain("expired");
    expect(await old({ validUntil: "soon" })).toEqual(["malformed"]);
  });
});

describe("hostile proofs", () => {
  it("with a wrong purpose, time, value, suite or key are refused", async () => {
    const signed = await signDocument(badge(issuer.did), jcs, issuer, { created });
    const [proof] = signed.proof;
    const thief = keyIssuer();
    for (const change of [
      { proofPurpose: "authentication" },
      { created: "yesterday" },
      { expires: "2026-02-01T00:00:00Z" },
      { proofValue: `u${Buffer.alloc(64).toString("base64url")}` },
      { proofValue: encodeBase58(Buffer.alloc(63)) },
      { proofValue: "z0OIl" },
      { proofValue: undefined },
      { cryptosuite: undefined },
      { cryptosuite: "eddsa-rdfc-2022" },
      { cryptosuite: "ecdsa-rdfc-2019" },
      { verificationMethod: thief.verificationMethod },
      { verificationMethod: `${issuer.did}#other` },
      { verificationMethod: 7 },
      { previousProof: "urn:uuid:nothing" },
      { "@context": ["https://www.w3.org/ns/credentials/v2", "https://evil.example"] },
    ]) {
      expect([change, await reasons({ ...signed, proof: [{ ...proof, ...change }] as never })]).toEqual([
        change,
        ["signature_invalid"],
      ]);
    }
  });

  /** A document with changed proof options and a valid signature over them. */
  async function signedWith(change: JsonObject, signer = issuer): Promise<JsonObject> {
    const document = badge(issuer.did);
    const options = {
      "@context": document["@context"],
      ...proofOptions(jcs, signer.verificationMethod, { created }),
      ...change,
    };
    const data = await jcs.hash({ document, options }, signer.publicKey);
    return { ...document, proof: [{ ...options, proofValue: encodeBase58(jcs.sign!(data, signer.privateKey)) }] };
  }

  it("with wrong options are refused, although the signature covers them", async () => {
    expect(await reasons(await signedWith({}))).toEqual([]);
    expect(
      await reasons(await signedWith({ expires: "2999-01-01T00:00:00Z", nonce: "x", domain: "any.example" })),
    ).toEqual([]);
    for (const change of [
      { proofPurpose: "authentication" },
      { proofPurpose: "capabilityInvocation" },
      { created: "2026-01-31" },
      { created: "2026-01-31T00:00:00" },
      { created: 7 },
      { expires: "2026-02-01T00:00:00Z" },
      { expires: "soon" },
      { previousProof: "urn:uuid:nothing" },
    ]) {
      expect([change, await reasons(await signedWith(change))]).toEqual([change, ["signature_invalid"]]);
    }
  });

  it("with other contexts than the document's are refused by the JCS suite, although the signature covers them", async () => {
    const document = badge(issuer.did);
    const options = {
      ...proofOptions(jcs, issuer.verificationMethod, { created }),
      "@context": ["https://www.w3.org/ns/credentials/v2", "https://evil.example"],
    };
    const data = Buffer.concat([options, document].map((part) => hash("sha256", canonicalize(part)!, "buffer")));
    const forged = {
      ...document,
      proof: [{ ...options, proofValue: encodeBase58(jcs.sign!(data, issuer.privateKey)) }],
    };
    const { checks } = await verify(forged as JsonObject);
    expect(checks.find(({ name }) => name === "signature")?.detail).toContain("contexts of the proof");
  });

  it("of a chain cover the proof before them, also that of a notary", async () => {
    const document = badge(issuer.did);
    const notary = keyIssuer();
    const context = { "@context": document["@context"] };
    const sealed = async (options: JsonObject, covered: JsonObject, signer = issuer) => ({
      ...options,
      proofValue: encodeBase58(
        jcs.sign!(await jcs.hash({ document: covered, options }, signer.publicKey), signer.privateKey),
      ),
    });
    const first = await sealed(
      { ...context, ...proofOptions(jcs, issuer.verificationMethod, { created }), id: "urn:uuid:1" },
      document,
    );
    const second = await sealed(
      { ...context, ...proofOptions(jcs, notary.verificationMethod, { created }), previousProof: "urn:uuid:1" },
      { ...document, proof: [first] },
      notary,
    );
    expect(await reasons({ ...document, proof: [first, second] })).toEqual([]);
    const alone = await sealed({ ...first, proofValue: undefined, previousProof: "urn:uuid:0" }, document);
    const { checks } = await verify({ ...document, proof: [alone] });
    expect(checks.find(({ name }) => name === "signature")).toMatchObject({
      outcome: "fail",
      detail: expect.stringContaining("earlier proof"),
    });
    const other = await sealed(
      { ...context, ...proofOptions(jcs, issuer.verificationMethod, { created: new Date() }), id: "urn:uuid:1" },
      document,
    );
    expect(await reasons({ ...document, proof: [other, second] })).toEqual(["signature_invalid"]);
  });

  it("that somebody else made in the issuer's name are refused", async () => {
    expect(await reasons(await signedWith({}, keyIssuer()))).toEqual(["signature_invalid"]);
  });

  it.each([rdfc, jcs])(
    "of others may stand beside the issuer's, as of a ministry, and must be valid too ($name)",
    async (suite) => {
      const document = badge(issuer.did);
      const proofBy = async (signer: typeof issuer) =>
        (await signDocument(document, suite, signer, { created })).proof[0]!;
      const [own, other] = [await proofBy(issuer), await proofBy(keyIssuer())];
      expect(await reasons({ ...document, proof: [own, other] })).toEqual([]);
      expect(await reasons({ ...document, proof: [other, own] })).toEqual([]);
      const later = { created: "2026-02-01T00:00:00Z" };
      for (const proof of [[other], [own, { ...other, ...later }], [{ ...own, ...later }, other]])
        expect(await reasons({ ...document, proof })).toEqual(["signature_invalid"]);
    },
  );

  it("of others decide which hosts are asked only after the issuer's is known to be valid", async () => {
    const elsewhere = { ...keyIssuer(), verificationMethod: "did:web:ministry.example#key-1" };
    const document = badge(issuer.did);
    const [own] = (await signDocument(document, rdfc, issuer, { created })).proof;
    const [other] = (await signDocument(document, rdfc, elsewhere, { created })).proof;
    const asked: string[] = [];
    const request: Surroundings["request"] = (wanted) => {
      asked.push(wanted.url);
      return Promise.reject(new Unverifiable("There is no network."));
    };
    const checkedWith = async (proof: JsonObject[]) => {
      asked.length = 0;
      await verifyCredential({ ...document, proof }, { ...offline(), request });
      return asked;
    };
    expect(await checkedWith([other!, { ...own!, created: "2026-02-01T00:00:00Z" }])).toEqual([]);
    expect(await checkedWith([other!, own!])).toEqual(["https://ministry.example/.well-known/did.json"]);
  });

  it("of a suite that does not support the kind of key are refused", async () => {
    const curve = keyIssuer("P-256");
    const document = badge(curve.did);
    const options = { "@context": document["@context"], ...proofOptions(jcs, curve.verificationMethod, { created }) };
    const signature = signWithAnyKey("sha256", await jcs.hash({ document, options }, curve.publicKey), {
      key: curve.privateKey,
      dsaEncoding: "ieee-p1363",
    });
    const { checks } = await verify({ ...document, proof: [{ ...options, proofValue: encodeBase58(signature) }] });
    expect(checks.find(({ name }) => name === "signature")?.detail).toContain("key of this kind");
  });

  it("must all be valid if there are several; one of an unknown suite does not count", async () => {
    const signed = await signDocument(badge(issuer.did), jcs, issuer, { created });
    const [proof] = signed.proof;
    const [other] = (await signDocument(badge(issuer.did), rdfc, issuer, { created })).proof;
    const unknown = { ...proof!, cryptosuite: "future-2030" };
    expect(await reasons({ ...signed, proof: [proof!, other!] })).toEqual([]);
    expect(await reasons({ ...signed, proof: [proof!, proof!] })).toEqual([]);
    expect(await reasons({ ...signed, proof: [proof!, { ...other!, created: "2026-02-01T00:00:00Z" }] })).toEqual([
      "signature_invalid",
    ]);
    expect(await reasons({ ...signed, proof: [unknown, proof!] })).toEqual([]);
    expect(await reasons({ ...signed, proof: [unknown] })).toEqual([undefined]);
    expect(await reasons({ ...signed, proof: Array.from({ length: 6 }, () => proof!) })).toEqual(["signature_invalid"]);
    expect(await reasons({ ...signed, proof: [] })).toEqual(["malformed"]);
    expect(await reasons(badge(issuer.did))).toEqual(["signature_invalid"]);
  });
});

describe("random documents", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 }).filter((value) => value.isWellFormed());
  const documents = fc.record({
    name: text,
    description: text,
    achievementName: text,
    narrative: text,
    days: fc.integer({ min: 0, max: 20_000 }),
    tags: fc.array(text, { maxLength: 4 }),
  });
  const build = ({
    name,
    description,
    achievementName,
    narrative,
    days,
    tags,
  }: {
    name: string;
    description: string;
    achievementName: string;
    narrative: string;
    days: number;
    tags: string[];
  }) =>
    badge(issuer.did, {
      name,
      validFrom: new Date(days * 86_400_000).toISOString(),
      credentialSubject: {
        type: ["AchievementSubject"],
        achievement: {
          id: "https://example.edu/a",
          type: ["Achievement"],
          name: achievementName,
          description,
          criteria: { narrative },
          ...(tags.length > 0 && { tag: tags }),
        },
      },
    });

  it.each(["eddsa-rdfc-2022", "eddsa-jcs-2022", "jwt"])(
    "verify when signed with %s, and are refused after any change of a letter",
    async (form) => {
      await fc.assert(
        fc.asyncProperty(documents, fc.nat(), async (parts, at) => {
          const document = build(parts);
          const signed =
            form === "jwt"
              ? await signJwt(document, "vc", issuer)
              : await signDocument(document, suiteOf(form)!, issuer, { created });
          expect(isValid(await verify(signed))).toBe(true);
          const whole = typeof signed === "string" ? signed : JSON.stringify(signed);
          const place = typeof signed === "string" ? at % (whole.length - 90) : whole.indexOf('"name":"') + 8;
          const changed = `${whole.slice(0, place)}${whole[place] === "A" ? "B" : "A"}${whole.slice(typeof signed === "string" ? place + 1 : place)}`;
          expect(isValid(await verify(changed))).toBe(false);
        }),
        { numRuns: 60 },
      );
    },
  );
});
