import { describe, expect, it } from "vitest";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import type { JsonObject } from "@/server/standards/json";
import { envelope, signJwt } from "@/server/standards/jose/sign-jwt";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { call, credential, issue, verify, serveVcApi } from "./client";

serveVcApi();

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
    // JSON omits undefined members.
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

  it("are refused without the requested challenge or domain", async () => {
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
    "are refused with a term that no context defines, and is therefore meaningless, if %s secures them",
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
