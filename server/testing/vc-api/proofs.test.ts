import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import type { Unsigned } from "@/server/standards/data-integrity/proof";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { decodeMultibase, encodeBase58 } from "@/server/standards/encoding/multibase";
import type { JsonObject } from "@/server/standards/json";
import { envelope, signJwt } from "@/server/standards/jose/sign-jwt";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { call, credential, issue, verify, serveVcApi } from "./client";

serveVcApi();

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

/** Each with members that the adapter must not treat as absent. */
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
    "are refused, and never ignored: %s",
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

  it("do not accept a token that was made for another challenge or domain", async () => {
    const issuer = keyIssuer();
    const jwt = await signJwt({ ...credential(), issuer: issuer.did, nonce: "c1", aud: "shop.example" }, "vc", issuer);
    const asked = (options: JsonObject) =>
      call("POST", "/credentials/verify", { verifiableCredential: envelope(jwt, "vc"), options });
    expect((await asked({ challenge: "c1", domain: "shop.example" })).status).toBe(200);
    for (const options of [{ challenge: "c2" }, { domain: "other.example" }])
      expect(await asked(options)).toMatchObject({ status: 400, body: { verified: false } });
  });
});
