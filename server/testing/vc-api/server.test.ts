import { hash } from "node:crypto";
import { Agent, request } from "node:https";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import type { Unsigned } from "@/server/standards/data-integrity/proof";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { decodeMultibase, encodeBase58 } from "@/server/standards/encoding/multibase";
import { bundledDigests } from "@/server/standards/json-ld/digests";
import type { JsonObject } from "@/server/standards/json";
import { envelope, signJwt } from "@/server/standards/jose/sign-jwt";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { startVcApi, type VcApi } from "./server";

let api: VcApi;
let agent: Agent;
beforeAll(async () => {
  api = await startVcApi();
  agent = new Agent({ ca: api.ca });
});
afterAll(() => api.close());

function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: JsonObject }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${api.origin}${path}`, { method, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, body: JSON.parse(text) as JsonObject }));
    });
    sent
      .on("error", reject)
      .end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
}
const credential = (more: JsonObject = {}): JsonObject => ({
  "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
  type: ["VerifiableCredential"],
  issuer: api.did,
  credentialSubject: { id: "did:example:ada", alumniOf: "Example University" },
  ...more,
});
const issue = (more: JsonObject = {}, options: JsonObject = {}) =>
  call("POST", "/credentials/issue", { credential: credential(more), options });
const verify = (verifiableCredential: unknown) =>
  call("POST", "/credentials/verify", { verifiableCredential, options: {} });

describe("issue, then verify", () => {
  it.each<[string, JsonObject]>([
    ["without options", {}],
    ["with eddsa-jcs-2022", { cryptosuite: "eddsa-jcs-2022" }],
    ["with eddsa-rdfc-2022", { cryptosuite: "eddsa-rdfc-2022" }],
    ["as vc+jwt", { envelope: "application/vc+jwt" }],
    ["with a status", { credentialStatus: "BitstringStatusListEntry" }],
    ["with a status as vc+jwt", { credentialStatus: "BitstringStatusListEntry", envelope: "application/vc+jwt" }],
  ])("holds %s", async (_, options) => {
    const issued = await issue({}, options);
    expect(issued.status).toBe(201);
    expect(await verify(issued.body)).toMatchObject({ status: 200, body: { verified: true, errors: [] } });
  });

  it.each<[string, JsonObject]>([
    ["an unknown suite", { cryptosuite: "eddsa-rdfc-2099" }],
    ["a suite that only verifies here", { cryptosuite: "ecdsa-rdfc-2019" }],
    ["a suite that is no text", { cryptosuite: ["eddsa-rdfc-2022"] }],
    ["an unknown envelope", { envelope: "application/vc+cose" }],
    ["an unknown status", { credentialStatus: "StatusList2021Entry" }],
  ])("is refused with %s in the options", async (_, options) => {
    expect(await issue({}, options)).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } });
  });

  it.each([undefined, null, "text", 7, []])("is refused if the credential is %j", async (value) => {
    for (const path of ["/credentials/issue", "/credentials/verify"]) {
      const body = { credential: value, verifiableCredential: value };
      expect(await call("POST", path, body)).toMatchObject({ status: 400 });
    }
  });

  it("answers an envelope for vc+jwt, with the token in a data URL, and refuses to issue it again", async () => {
    const { body } = await issue({}, { envelope: "application/vc+jwt" });
    expect(body).toEqual({
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      type: "EnvelopedVerifiableCredential",
      id: expect.stringMatching(/^data:application\/vc\+jwt,[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect((await call("POST", "/credentials/issue", { credential: body })).status).toBe(400);
    for (const broken of [
      { ...body, id: "data:application/vc+jwt,x.y.z" },
      { ...body, id: (body["id"] as string).replace("vc+jwt", "vp+jwt") },
      { ...body, id: `${body["id"] as string}A` },
      { ...body, type: "EnvelopedVerifiablePresentation" },
      { ...body, "@context": undefined },
      { ...body, "@context": [] },
      { ...body, "@context": "https://www.w3.org/ns/credentials/examples/v2" },
      { ...body, "@context": ["https://www.w3.org/ns/credentials/examples/v2"] },
      { ...body, id: (body["id"] as string).split(",")[1] },
      { ...body, id: undefined },
      { ...body, type: undefined },
      { ...body, type: "VerifiableCredential" },
    ])
      expect(await verify(broken)).toMatchObject({ status: 400, body: { verified: false } });
    expect(await verify({ ...body, "@context": "https://www.w3.org/ns/credentials/v2" })).toMatchObject({
      status: 200,
    });
  });

  it("serves the status list over https, signed", async () => {
    const { body } = await issue({}, { credentialStatus: "BitstringStatusListEntry" });
    const { statusListCredential } = body["credentialStatus"] as JsonObject;
    expect(statusListCredential).toBe(`${api.origin}/status/1`);
    const list = await call("GET", "/status/1");
    expect(await verify(list.body)).toMatchObject({ status: 200 });
  });

  it("refuses a credential that is signed by the adapter but names another issuer", async () => {
    const { status, body } = await issue({ issuer: "did:example:somebody" });
    expect(status).toBe(201);
    expect(await verify(body)).toMatchObject({ status: 400, body: { verified: false } });
  });
});

const goodList = Bitstring.ofLength(minEntries).encode();

const unknownContext = "a context that is not bundled";

/** Each case breaks one MUST of VCDM 2.0. */
const malformed: [string, JsonObject][] = [
  ["no context", { "@context": undefined }],
  ["a context that is a text", { "@context": "https://www.w3.org/ns/credentials/v2" }],
  [
    "contexts in another order",
    { "@context": ["https://www.w3.org/ns/credentials/examples/v2", "https://www.w3.org/ns/credentials/v2"] },
  ],
  ["a context that is neither URL nor object", { "@context": ["https://www.w3.org/ns/credentials/v2", 7] }],
  [
    "both base contexts",
    { "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/2018/credentials/v1"] },
  ],
  [unknownContext, { "@context": ["https://www.w3.org/ns/credentials/v2", "https://evil.example/context"] }],
  [
    "a context that redefines a term",
    { "@context": ["https://www.w3.org/ns/credentials/v2", { issuer: "https://evil.example/issuer" }] },
  ],
  ["an id that is no URL", { id: "not a url" }],
  ["several ids", { id: ["urn:a:1", "urn:a:2"] }],
  ["an id that is null", { id: null }],
  ["no type", { type: undefined }],
  ["another type alone", { type: ["SomethingElse"] }],
  ["a type that is no text", { type: ["VerifiableCredential", 7] }],
  [
    "a type that no context defines",
    { "@context": ["https://www.w3.org/ns/credentials/v2"], type: ["VerifiableCredential", "Unheard"] },
  ],
  [
    "a type that its context maps to no URL",
    {
      "@context": ["https://www.w3.org/ns/credentials/v2", { Odd: "https ://not-a-url#Odd" }],
      type: ["VerifiableCredential", "Odd"],
      credentialSubject: { id: "did:example:ada" },
    },
  ],
  [
    "a context that redefines VerifiableCredential",
    {
      "@context": ["https://www.w3.org/ns/credentials/v2", { VerifiableCredential: "https://evil.example/#VC" }],
      credentialSubject: { id: "did:example:ada" },
    },
  ],
  [
    "a context that redefines a protected term of the context before it",
    {
      "@context": [
        "https://www.w3.org/ns/credentials/v2",
        { "@protected": true, Own: "https://example.org/#Own" },
        { Own: "https://example.org/#Other" },
      ],
      type: ["VerifiableCredential", "Own"],
      credentialSubject: { id: "did:example:ada" },
    },
  ],
  ["a context that is no URL", { "@context": ["https://www.w3.org/ns/credentials/v2", "https ://not-a-url/v1"] }],
  ["an id that is a number", { id: 7 }],
  ["a subject whose id is null", { credentialSubject: { id: null, alumniOf: "x" } }],
  ["a subject with several ids", { credentialSubject: { id: ["urn:a:1", "urn:a:2"], alumniOf: "x" } }],
  ["an issuer that is a list", { issuer: ["did:example:a", "did:example:b"] }],
  ["an issuer that is null", { issuer: null }],
  ["an issuer whose name is a number", { issuer: { id: "did:example:a", name: 7 } }],
  [
    "an issuer whose description has a foreign key",
    { issuer: { id: "did:example:a", description: { "@value": "x", "@language": "en", url: "did:example:a" } } },
  ],
  ["a status whose type is a number", { credentialStatus: { id: "did:example:status", type: 2 } }],
  ["a status with several ids", { credentialStatus: { id: ["urn:a:1", "urn:a:2"], type: "https://example.org/S" } }],
  ["an empty list of statuses", { credentialStatus: [] }],
  [
    "schemas of which one has no type",
    { credentialSchema: [{ id: "https://example.org/a", type: "JsonSchema" }, { id: "https://example.org/b" }] },
  ],
  ["a schema that is a text", { credentialSchema: "https://example.org/schema" }],
  ["a refresh service that is a text", { refreshService: "https://example.org/refresh" }],
  ["a refresh service whose id is no URL", { refreshService: { id: "refresh", type: "https://example.org/R" } }],
  ["terms that are a text", { termsOfUse: "be kind" }],
  ["a confidence method without type", { confidenceMethod: { id: "https://example.org/c" } }],
  ["a render method without type", { renderMethod: { id: "https://example.org/r" } }],
  ["a name that is a number", { name: 7 }],
  ["a name with a foreign key", { name: { "@value": "x", "@language": "en", more: 1 } }],
  ["a description without text", { description: { "@language": "en" } }],
  ["a direction that is none", { description: { "@value": "x", "@direction": "up" } }],
  ["no issuer", { issuer: undefined }],
  ["an issuer that is no URL", { issuer: "university" }],
  ["an issuer without id", { issuer: { name: "University" } }],
  ["an issuer whose id is null", { issuer: { id: null } }],
  ["no subject", { credentialSubject: undefined }],
  ["an empty subject", { credentialSubject: {} }],
  ["an empty list of subjects", { credentialSubject: [] }],
  ["a list with an empty subject", { credentialSubject: [{ alumniOf: "x" }, {}] }],
  ["a subject that is a text", { credentialSubject: "did:example:ada" }],
  ["a subject whose id is no URL", { credentialSubject: { id: "ada", alumniOf: "x" } }],
  ["a beginning without time", { validFrom: "2026-01-01" }],
  ["a beginning at hour 24 and a minute", { validFrom: "2026-01-01T24:01:00Z" }],
  ["a beginning at hour 24 and half a second", { validFrom: "2026-01-01T24:00:00.5Z" }],
  ["a beginning without zone", { validFrom: "2026-01-01T00:00:00" }],
  ["a beginning on a day that is not", { validFrom: "2026-02-30T00:00:00Z" }],
  ["an end that is a number", { validUntil: 1_800_000_000 }],
  ["an end before the beginning", { validFrom: "2026-01-02T00:00:00Z", validUntil: "2026-01-01T00:00:00Z" }],
  ["a status without type", { credentialStatus: { id: "https://example.org/status#1" } }],
  ["a status that is a text", { credentialStatus: "https://example.org/status#1" }],
  ["a status whose id is no URL", { credentialStatus: { id: "x", type: "Other" } }],
  [
    "a status with one message for two values",
    {
      credentialStatus: {
        type: "BitstringStatusListEntry",
        statusPurpose: "message",
        statusListIndex: "7",
        statusListCredential: "https://example.org/list",
        statusMessage: [
          { status: "0x0", message: "a" },
          { status: "0x0", message: "b" },
        ],
      },
    },
  ],
  [
    "a schema whose digest is a number",
    { credentialSchema: { id: "https://example.org/schema", type: "JsonSchema", digestSRI: 5 } },
  ],
  ["a schema without type", { credentialSchema: { id: "https://example.org/schema" } }],
  ["a schema without id", { credentialSchema: { type: "JsonSchema" } }],
  ["a schema whose id is no URL", { credentialSchema: { id: "schema", type: "JsonSchema" } }],
  ["a refresh service without type", { refreshService: { id: "https://example.org/refresh" } }],
  ["terms without type", { termsOfUse: { id: "https://example.org/terms" } }],
  ["evidence without type", { evidence: [{ id: "https://example.org/evidence" }] }],
  ["evidence that is a text", { evidence: "seen" }],
  ["resources as texts", { relatedResource: ["https://example.org/a"] }],
  ["a resource without id", { relatedResource: { digestSRI: "sha256-YQ==" } }],
  ["a resource without digest", { relatedResource: { id: "https://example.org/a" } }],
  [
    "a resource twice",
    { relatedResource: [1, 2].map(() => ({ id: "https://example.org/a", digestSRI: `sha256-${"A".repeat(43)}=` })) },
  ],
  [
    "a resource with a digest that is none",
    { relatedResource: { id: "https://example.org/a", digestSRI: "sha256-short" } },
  ],
  [
    "a resource with an empty list of digests",
    { relatedResource: { id: "https://example.org/a", digestMultibase: [] } },
  ],
  [
    "a resource with a digest without a multihash's header",
    {
      relatedResource: { id: "https://example.org/a", digestMultibase: "uWZVc7WaX1h4D8rJVb-vlMIqxaEKEb1tYbX8fet7JJzQ" },
    },
  ],
  [
    "a resource with the digest of something else",
    { relatedResource: { id: "https://www.w3.org/ns/credentials/v2", digestSRI: `sha256-${"A".repeat(43)}=` } },
  ],
  [
    "a resource with a multihash of something else",
    {
      relatedResource: {
        id: "https://www.w3.org/ns/credentials/v2",
        digestMultibase: `u${Buffer.concat([Buffer.from([0x12, 32]), Buffer.alloc(32)]).toString("base64url")}`,
      },
    },
  ],
  [
    "a status entry without index",
    {
      credentialStatus: {
        type: "BitstringStatusListEntry",
        statusPurpose: "revocation",
        statusListCredential: "https://example.org/list",
      },
    },
  ],
  [
    "a status entry with a number as index",
    {
      credentialStatus: {
        type: "BitstringStatusListEntry",
        statusPurpose: "revocation",
        statusListIndex: 7,
        statusListCredential: "https://example.org/list",
      },
    },
  ],
  [
    "a status entry without list",
    { credentialStatus: { type: "BitstringStatusListEntry", statusPurpose: "revocation", statusListIndex: "7" } },
  ],
  [
    "a status entry whose id is the URL of the list",
    {
      credentialStatus: {
        id: "https://example.org/list",
        type: "BitstringStatusListEntry",
        statusPurpose: "revocation",
        statusListIndex: "7",
        statusListCredential: "https://example.org/list",
      },
    },
  ],
  ...Object.entries({
    "a negative index": { statusListIndex: "-1" },
    "an index that is no number": { statusListIndex: "seven" },
    "an index that is true": { statusListIndex: true },
    "a purpose that is a list": { statusPurpose: ["revocation"] },
    "a list that is no URL": { statusListCredential: "list" },
    "a size of zero": { statusSize: 0 },
    "a size that is a text": { statusSize: "2" },
    "a size of two bits without messages": { statusSize: 2 },
    "fewer messages than values": { statusSize: 2, statusMessage: [{ status: "0x0", message: "a" }] },
    "messages without a status": { statusMessage: [{ message: "a" }, { message: "b" }] },
    "messages that are no list": { statusMessage: { status: "0x0", message: "a" } },
    "a reference that is no URL": { statusReference: "see there" },
  }).map(([name, wrong]): [string, JsonObject] => [
    `a status entry with ${name}`,
    {
      credentialStatus: {
        type: "BitstringStatusListEntry",
        statusPurpose: "revocation",
        statusListIndex: "7",
        statusListCredential: "https://example.org/list",
        ...wrong,
      },
    },
  ]),
  ...Object.entries({
    "another type": { type: "StatusList" },
    "no type": { type: undefined },
    "no purpose": { statusPurpose: undefined },
    "purposes that are no texts": { statusPurpose: ["revocation", 7] },
    "no list": { encodedList: undefined },
    "a list that is too short": { encodedList: `u${gzipSync(new Uint8Array(100)).toString("base64url")}` },
    "a list that is no gzip": { encodedList: "uAAAA" },
    "a list without its letter": { encodedList: goodList.slice(1) },
    "a ttl that is a text": { ttl: "300000" },
  }).map(([name, wrong]): [string, JsonObject] => [
    `a status list with ${name}`,
    {
      type: ["VerifiableCredential", "BitstringStatusListCredential"],
      credentialSubject: { type: "BitstringStatusList", statusPurpose: "revocation", encodedList: goodList, ...wrong },
    },
  ]),
  [
    "a status list as a text",
    {
      type: ["VerifiableCredential", "BitstringStatusListCredential"],
      credentialSubject: [{ id: "urn:a:1" }, { id: "urn:a:2" }],
    },
  ],
  [
    "a status entry of the purpose message without messages",
    {
      credentialStatus: {
        type: "BitstringStatusListEntry",
        statusPurpose: "message",
        statusListIndex: "7",
        statusListCredential: "https://example.org/list",
      },
    },
  ],
  ["a property __proto__", JSON.parse('{"__proto__": {"name": "x"}}') as JsonObject],
];

describe("a malformed credential", () => {
  const issuer = keyIssuer();

  it.each(malformed)("with %s is refused at issue, by both suites and as a JWT", async (_, more) => {
    for (const options of [{}, { cryptosuite: "eddsa-jcs-2022" }, { envelope: "application/vc+jwt" }]) {
      expect(await issue(more, options)).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } });
    }
  });

  // Documents that JSON-LD itself refuses cannot be signed with RDF; the JCS suite signs any JSON.
  it.each(malformed.filter(([name]) => name !== "no context" && name !== unknownContext))(
    "with %s is refused at verification, though its signature holds",
    async (_, more) => {
      const document = JSON.parse(JSON.stringify({ ...credential(), issuer: issuer.did, ...more })) as JsonObject;
      const signed = await signDocument(document, suiteOf("eddsa-jcs-2022")!, issuer, { created: new Date() });
      expect(await verify(signed)).toMatchObject({ status: 400, body: { verified: false } });
    },
  );

  it("with an unknown context is accepted if the signature covers the JSON itself", async () => {
    const [, more] = malformed.find(([name]) => name === unknownContext)!;
    const signed = await signDocument({ ...credential(more), issuer: issuer.did }, suiteOf("eddsa-jcs-2022")!, issuer, {
      created: new Date(),
    });
    const { status, body } = await verify(signed);
    expect(status).toBe(200);
    expect(body["checks"]).not.toContain("vocabulary");
  });
});

describe("shapes that VCDM 2.0 allows", () => {
  const sri = (algorithm: "sha256" | "sha384") =>
    `${algorithm}-${Buffer.from(bundledDigests["https://www.w3.org/ns/credentials/v2"]![algorithm], "hex").toString("base64")}`;
  it.each<[string, JsonObject]>([
    [
      "a name with language and direction",
      {
        name: { "@value": "HTML و CSS", "@language": "ar", "@direction": "rtl" },
        description: [
          { "@value": "a", "@language": "en" },
          { "@value": "b", "@language": "de" },
        ],
      },
    ],
    ["several subjects", { credentialSubject: [{ alumniOf: "a" }, { id: "did:example:b", alumniOf: "b" }] }],
    ["an issuer with a name", { issuer: { id: "did:example:x", name: "University" } }],
    ["a beginning with an offset", { validFrom: "2026-01-01T00:00:00.5+05:30" }],
    ["a beginning at the end of a day", { validFrom: "2026-01-01T24:00:00Z" }],
    [
      "a status list for several purposes",
      {
        type: ["VerifiableCredential", "BitstringStatusListCredential"],
        credentialSubject: {
          type: "BitstringStatusList",
          statusPurpose: ["revocation", "suspension"],
          encodedList: goodList,
        },
      },
    ],
    [
      "a status of two bits with a message for each value",
      {
        credentialStatus: {
          type: "BitstringStatusListEntry",
          statusPurpose: "message",
          statusListIndex: "0",
          statusListCredential: "https://example.org/list",
          statusSize: 2,
          statusMessage: [0, 1, 2, 3].map((value) => ({ status: `0x${value}`, message: `state ${value}` })),
          statusReference: ["https://example.org/a", "https://example.org/b"],
        },
      },
    ],
    ["types in any order", { type: ["https://example.org/Type", "VerifiableCredential", "urn:example:type"] }],
    [
      "a refresh service",
      { refreshService: { type: "https://example.org/Refresh", id: "https://example.org/refresh" } },
    ],
    [
      "schemas",
      {
        credentialSchema: [
          { id: "https://example.org/a.json", type: "JsonSchema" },
          { id: "https://example.org/b.json", type: "JsonSchemaCredential" },
        ],
      },
    ],
    [
      "evidence and terms",
      {
        evidence: [{ type: ["Evidence"], id: "https://example.org/e" }, { type: "Evidence" }],
        termsOfUse: { type: "TrustFrameworkPolicy" },
      },
    ],
    [
      "a resource with the right digest",
      {
        relatedResource: [
          { id: "https://www.w3.org/ns/credentials/v2", digestSRI: sri("sha384"), mediaType: "application/ld+json" },
          {
            id: "https://www.w3.org/ns/credentials/examples/v2",
            digestMultibase: `u${Buffer.concat([Buffer.from([0x12, 32]), Buffer.from(bundledDigests["https://www.w3.org/ns/credentials/examples/v2"]!.sha256, "hex")]).toString("base64url")}`,
          },
        ],
      },
    ],
    [
      "the digests that the test suite of the data model states of its context",
      {
        relatedResource: {
          id: "https://www.w3.org/ns/credentials/v2",
          mediaType: "application/ld+json",
          digestSRI: "sha384-l/HrjlBCNWyAX91hr6LFV2Y3heB5Tcr6IeE4/Tje8YyzYBM8IhqjHWiWpr8+ZbYU",
          digestMultibase: "uWZVc7WaX1h4D8rJVb-vlMIqxaEKEb1tYbX8fet7JJzQ",
        },
      },
    ],
    [
      "several digests of a resource that is not bundled",
      {
        relatedResource: {
          id: "https://example.org/transcript.json",
          digestMultibase: [
            "uEiAjCHMnK5-ayOIZLWo_TBoKYVvSAprlkYEjRlm19Cj0uw",
            "uEiAjCHMnK5-ayOIZLWo_TBoKYVvSAprlkYEjRlm19Cj0uw",
          ],
        },
      },
    ],
  ])("include %s", async (_, more) => {
    expect((await issue(more)).status).toBe(201);
  });
});

/** Each case breaks one MUST of VC Data Integrity 1.0, sections 2.1 and 4.4, in a proof that held. */
const wrongProofs: [string, (proof: JsonObject) => unknown][] = [
  ["no proof", () => undefined],
  ["a proof that is null", () => null],
  ["a proof that is a text", () => "proof"],
  ["an empty list of proofs", () => []],
  ...(["type", "cryptosuite", "verificationMethod", "proofPurpose", "proofValue"] as const).flatMap(
    (name): [string, (proof: JsonObject) => unknown][] => [
      [`no ${name}`, ({ [name]: _, ...proof }) => proof],
      [`a ${name} that is null`, (proof) => ({ ...proof, [name]: null })],
      [`another ${name}`, (proof) => ({ ...proof, [name]: "UnknownByAll" })],
    ],
  ),
  ["a key that did:key does not have", (proof) => ({ ...proof, verificationMethod: "did:key:@invalidVm@" })],
  ["a value without its letter", (proof) => ({ ...proof, proofValue: (proof["proofValue"] as string).slice(1) })],
  [
    "a value of 96 bytes",
    (proof) => ({
      ...proof,
      proofValue: encodeBase58(Buffer.concat([decodeMultibase(proof["proofValue"] as string), Buffer.alloc(32)])),
    }),
  ],
  [
    "a value in base64url",
    (proof) => ({
      ...proof,
      proofValue: `u${Buffer.from(decodeMultibase(proof["proofValue"] as string)).toString("base64url")}`,
    }),
  ],
  ["a time that is none", (proof) => ({ ...proof, created: "invalidDate" })],
  ["a time without a zone", (proof) => ({ ...proof, created: "2026-01-01T00:00:00" })],
  ["an end without a zone", (proof) => ({ ...proof, expires: "2090-01-01T00:00:00" })],
  ["another time", (proof) => ({ ...proof, created: "2026-01-01T00:00:00Z" })],
  ["an end that was added", (proof) => ({ ...proof, expires: "2090-01-01T00:00:00Z" })],
  ["a domain that was added", (proof) => ({ ...proof, domain: "shop.example" })],
  ["an earlier proof that is not there", (proof) => ({ ...proof, previousProof: "urn:uuid:none" })],
  ["an earlier proof that is no text", (proof) => ({ ...proof, previousProof: 7 })],
];

describe.each(["eddsa-rdfc-2022", "eddsa-jcs-2022"])("the proof of a credential signed with %s", (cryptosuite) => {
  it("has the members and forms that Data Integrity requires", async () => {
    const { body } = await issue({}, { cryptosuite });
    const [proof] = body["proof"] as JsonObject[];
    expect(proof).toMatchObject({
      type: "DataIntegrityProof",
      cryptosuite,
      proofPurpose: "assertionMethod",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      verificationMethod: expect.stringMatching(/^did:key:z6Mk\w+#z6Mk\w+$/),
    });
    expect(decodeMultibase(proof!["proofValue"] as string)).toHaveLength(64);
    expect((proof!["proofValue"] as string)[0]).toBe("z");
  });

  it.each(wrongProofs)("is refused with %s", async (_, change) => {
    const { body } = await issue({}, { cryptosuite });
    const [proof] = body["proof"] as [JsonObject];
    expect((await verify({ ...body, proof })).status).toBe(200);
    expect(await verify({ ...body, proof: change(proof) })).toMatchObject({ status: 400, body: { verified: false } });
  });

  it("is refused for another suite, canonical form or hash", async () => {
    const other = cryptosuite === "eddsa-rdfc-2022" ? "eddsa-jcs-2022" : "eddsa-rdfc-2022";
    const { body } = await issue({}, { cryptosuite });
    const [proof] = body["proof"] as [JsonObject];
    expect(await verify({ ...body, proof: { ...proof, cryptosuite: other } })).toMatchObject({ status: 400 });
    const issuer = keyIssuer();
    const suite = suiteOf(cryptosuite)!;
    const sha512 = { ...suite, hash: async (unsigned: Unsigned) => hash("sha512", JSON.stringify(unsigned), "buffer") };
    const signed = await signDocument({ ...credential(), issuer: issuer.did }, sha512, issuer, { created: new Date() });
    expect(await verify(signed)).toMatchObject({ status: 400, body: { verified: false } });
  });

  it("is refused for another purpose, challenge or domain than the options expect", async () => {
    const issuer = keyIssuer();
    const signed = await signDocument({ ...credential(), issuer: issuer.did }, suiteOf(cryptosuite)!, issuer, {
      created: new Date(),
      challenge: "c1",
      domain: "shop.example",
    });
    const asked = (options: JsonObject) =>
      call("POST", "/credentials/verify", { verifiableCredential: signed, options });
    expect((await asked({ challenge: "c1", domain: "shop.example" })).status).toBe(200);
    for (const options of [
      { expectedProofPurpose: "authentication" },
      { challenge: "c2", domain: "shop.example" },
      { challenge: "c1", domain: "other.example" },
    ])
      expect(await asked(options)).toMatchObject({ status: 400, body: { verified: false } });
  });
});

/** Each with the members that the adapter must not read as if they were absent. */
const wrongOptions: unknown[] = [
  null,
  "c1",
  [],
  ...["challenge", "domain", "expectedProofPurpose"].flatMap((name) =>
    [null, 5, true, "", [], ["c1"], {}].map((value) => ({ [name]: value })),
  ),
  { expectedProofPurpose: "verificationMethod" },
];

describe("options of a wrong type", () => {
  it.each(wrongOptions.map((options) => [JSON.stringify(options), options]))(
    "are refused, and never passed over: %s",
    async (_, options) => {
      const { body } = await issue();
      const holder = keyIssuer();
      const presentation = await signDocument(
        {
          "@context": ["https://www.w3.org/ns/credentials/v2"],
          type: ["VerifiablePresentation"],
          holder: holder.did,
        },
        suiteOf("eddsa-rdfc-2022")!,
        holder,
        { created: new Date(), purpose: "authentication", challenge: "c1", domain: "shop.example" },
      );
      for (const [path, sent] of [
        ["/credentials/verify", { verifiableCredential: body }],
        ["/presentations/verify", { verifiablePresentation: presentation }],
      ] as const) {
        expect((await call("POST", path, { ...sent, options: {} })).status).toBe(200);
        expect(await call("POST", path, { ...sent, options })).toMatchObject({
          status: 400,
          body: { verified: false, errors: [expect.stringMatching(/option/)] },
        });
      }
    },
  );

  it("do not let a token pass that was made for another challenge or domain", async () => {
    const issuer = keyIssuer();
    const jwt = await signJwt({ ...credential(), issuer: issuer.did, nonce: "c1", aud: "shop.example" }, "vc", issuer);
    const asked = (options: JsonObject) =>
      call("POST", "/credentials/verify", { verifiableCredential: envelope(jwt, "vc"), options });
    expect((await asked({ challenge: "c1", domain: "shop.example" })).status).toBe(200);
    for (const options of [{ challenge: "c2" }, { domain: "other.example" }])
      expect(await asked(options)).toMatchObject({ status: 400, body: { verified: false } });
  });
});

describe("presentations", () => {
  const holder = keyIssuer();
  async function present(more: JsonObject = {}, options: { challenge?: string; domain?: string } = {}) {
    const { body } = await issue();
    const presentation = {
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      type: ["VerifiablePresentation"],
      holder: holder.did,
      verifiableCredential: [body],
      ...more,
    };
    // JSON leaves out what is undefined.
    const sent = JSON.parse(JSON.stringify(presentation)) as JsonObject;
    return signDocument(sent, suiteOf("eddsa-rdfc-2022")!, holder, {
      created: new Date(),
      purpose: "authentication",
      ...options,
    });
  }
  const verifyPresented = (verifiablePresentation: unknown, options: JsonObject = {}) =>
    call("POST", "/presentations/verify", { verifiablePresentation, options });

  it("are valid for their challenge and domain only", async () => {
    const presented = await present({}, { challenge: "c1", domain: "shop.example" });
    expect(await verifyPresented(presented, { challenge: "c1", domain: "shop.example" })).toMatchObject({
      status: 200,
      body: { verified: true },
    });
    expect(await verifyPresented(presented, { challenge: "c2", domain: "shop.example" })).toMatchObject({
      status: 400,
    });
    expect(await verifyPresented(presented, { challenge: "c1", domain: "other.example" })).toMatchObject({
      status: 400,
    });
  });

  it("are refused without the challenge or the domain that was asked for", async () => {
    for (const options of [{}, { challenge: "c1" }, { domain: "shop.example" }])
      expect(
        await verifyPresented(await present({}, options), { challenge: "c1", domain: "shop.example" }),
      ).toMatchObject({ status: 400, body: { verified: false } });
  });

  it("are refused if another than the holder signed them, or for another purpose", async () => {
    expect(await verifyPresented(await present({ holder: keyIssuer().did }))).toMatchObject({ status: 400 });
    const { proof: _, ...unsigned } = await present();
    const asserted = await signDocument(unsigned as JsonObject, suiteOf("eddsa-rdfc-2022")!, holder, {
      created: new Date(),
    });
    expect(await verifyPresented(asserted)).toMatchObject({ status: 400, body: { verified: false } });
  });

  it("are valid in an envelope for their challenge and domain only", async () => {
    const { proof: _, ...unsigned } = await present();
    const jwt = await signJwt({ ...unsigned, nonce: "c1", aud: "shop.example" } as JsonObject, "vp", holder);
    const enveloped = envelope(jwt, "vp");
    expect(await verifyPresented(enveloped, { challenge: "c1", domain: "shop.example" })).toMatchObject({
      status: 200,
    });
    for (const options of [{ challenge: "c2" }, { domain: "other.example" }])
      expect(await verifyPresented(enveloped, options)).toMatchObject({ status: 400 });
  });

  it("are refused in an envelope without the base context, a data URL or the type of an envelope", async () => {
    const { proof: _, ...unsigned } = await present();
    const enveloped = envelope(await signJwt(unsigned as JsonObject, "vp", holder), "vp");
    expect((await verifyPresented(enveloped)).status).toBe(200);
    for (const wrong of [
      { "@context": [] },
      { "@context": ["https://www.w3.org/ns/credentials/examples/v2"] },
      { id: (enveloped["id"] as string).split(",")[1]! },
      { type: ["VerifiablePresentation"] },
      { type: undefined },
    ])
      expect(await verifyPresented({ ...enveloped, ...wrong })).toMatchObject({ status: 400 });
  });

  it.each(["eddsa-rdfc-2022", "eddsa-jcs-2022", "vp+jwt"])(
    "are refused with a term that no context defines, and without its meaning, where %s secures them",
    async (form) => {
      const secured = async (more: JsonObject) => {
        const { proof: _, ...unsigned } = await present();
        const document = { ...unsigned, ...more } as JsonObject;
        return form === "vp+jwt"
          ? envelope(await signJwt(document, "vp", holder), "vp")
          : signDocument(document, suiteOf(form)!, holder, { created: new Date(), purpose: "authentication" });
      };
      const base = "https://www.w3.org/ns/credentials/v2";
      const defined = { "@context": [base, { note: "https://example.org/note" }], note: "x" };
      expect(await verifyPresented(await secured(defined))).toMatchObject({ status: 200, body: { verified: true } });
      for (const more of [
        { note: "x" },
        { type: ["VerifiablePresentation", "Unheard"] },
        { "@context": [base, "https://evil.example/context"] },
      ]) {
        const unheard = form === "eddsa-rdfc-2022" ? { ...(await secured({})), ...more } : await secured(more);
        expect(await verifyPresented(unheard)).toMatchObject({ status: 400, body: { verified: false } });
      }
    },
  );

  it("hold a credential without a proof only if its issuer is the holder who signed (VCDM 2.0, 4.13.4)", async () => {
    const own = { ...credential(), issuer: holder.did };
    const sent = async (more: JsonObject) => verifyPresented(await present(more));
    expect(await sent({ verifiableCredential: [own] })).toMatchObject({ status: 200, body: { verified: true } });
    for (const more of [
      { verifiableCredential: [{ ...own, issuer: "did:example:acme" }] },
      // An issuer whose key can be found, and who did not sign.
      { verifiableCredential: [{ ...own, issuer: keyIssuer().did }] },
      { verifiableCredential: [own], holder: undefined },
      { verifiableCredential: [own], holder: "did:example:acme" },
    ] as unknown as JsonObject[])
      expect(await sent(more)).toMatchObject({ status: 400 });
    const { proof: _, ...unsigned } = await present({ verifiableCredential: [own] });
    expect((await verifyPresented(envelope(await signJwt(unsigned as JsonObject, "vp", holder), "vp"))).status).toBe(
      200,
    );
    expect(await verify(own)).toMatchObject({ status: 400, body: { verified: false } });
  });

  it("are valid with contexts and types of their own, with an id, and with a holder as an object", async () => {
    for (const more of [
      { "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"] },
      { "@context": ["https://www.w3.org/ns/credentials/v2", { note: "https://example.org/note" }] },
      { type: ["VerifiablePresentation", "https://example.org/Other"] },
      { id: "urn:uuid:6e0e9f6c-0a0a-4a0a-8a0a-0a0a0a0a0a0a" },
      { holder: { id: holder.did, name: "Ada" } },
      { verifiableCredential: [] },
    ])
      expect((await verifyPresented(await present(more as JsonObject))).status).toBe(200);
  });

  it("are valid with an enveloped credential", async () => {
    const { body } = await issue({}, { envelope: "application/vc+jwt" });
    expect(await verifyPresented(await present({ verifiableCredential: [body] }))).toMatchObject({ status: 200 });
  });

  it.each<[string, JsonObject]>([
    ["a credential that is a text", { verifiableCredential: ["did:example:x"] }],
    ["a credential that is a number", { verifiableCredential: [7] }],
    ["a holder that is no URL", { holder: "ada" }],
    ["a holder without id", { holder: { name: "Ada" } }],
    ["an id that is no URL", { id: "presentation" }],
    ["no context", { "@context": null }],
    [
      "contexts in another order",
      { "@context": ["https://www.w3.org/ns/credentials/examples/v2", "https://www.w3.org/ns/credentials/v2"] },
    ],
    ["a context that is not known", { "@context": ["https://www.w3.org/ns/credentials/v2", "https://example.com"] }],
    ["a context that is no URL", { "@context": ["https://www.w3.org/ns/credentials/v2", "https ://not-a-url"] }],
    ["a context that is a number", { "@context": ["https://www.w3.org/ns/credentials/v2", 123192875] }],
    ["no type", { type: null }],
    ["terms of use without type", { termsOfUse: { id: "https://example.org/terms" } }],
    ["an envelope of another type in it", { verifiableCredential: [{ type: "EnvelopedVerifiablePresentation" }] }],
    ["another type", { type: ["Something"] }],
  ])("are refused with %s", async (_, more) => {
    const signed = { ...(await present()), ...more };
    expect(await verifyPresented(signed)).toMatchObject({ status: 400 });
  });

  it("are refused with a changed credential, and without a proof", async () => {
    const { body } = await issue();
    expect(
      await verifyPresented(
        await present({ verifiableCredential: [{ ...body, credentialSubject: { alumniOf: "Another" } }] }),
      ),
    ).toMatchObject({ status: 400 });
    const { proof: _, ...unsigned } = await present();
    expect(await verifyPresented(unsigned)).toMatchObject({ status: 400 });
  });
});

it("answers 400 for a body that is not JSON, and does not start in production", async () => {
  expect((await call("POST", "/credentials/issue", "{")).status).toBe(400);
  expect((await call("POST", "/credentials/issue", {})).status).toBe(400);
  expect((await call("POST", "/credentials/verify", [])).status).toBe(400);
  vi.stubEnv("NODE_ENV", "production");
  await expect(startVcApi()).rejects.toThrow("production");
  vi.unstubAllEnvs();
});
