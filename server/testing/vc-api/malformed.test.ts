import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { bundledDigests } from "@/server/standards/json-ld/digests";
import type { JsonObject } from "@/server/standards/json";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { credential, issue, verify, serveVcApi } from "./client";

serveVcApi();

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
  [
    "a schema whose digest is none",
    { credentialSchema: { id: "https://example.org/schema", type: "JsonSchema", digestSRI: "sha384-short" } },
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

  it.each(malformed)("with %s is refused at issue, by both suites, as a JWT and with a status", async (_, more) => {
    for (const options of [
      {},
      { cryptosuite: "eddsa-jcs-2022" },
      { envelope: "application/vc+jwt" },
      { credentialStatus: "BitstringStatusListEntry" },
    ]) {
      const refused = await issue(more, options);
      expect(refused).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } });
      const sentences = (refused.body["errors"] as string[])[0]!.split(/(?<=\.) /);
      expect(sentences).toEqual([...new Set(sentences)]);
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
