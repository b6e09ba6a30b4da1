import { describe, expect, it } from "vitest";
import { readId } from "@/server/core/ids";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { signingKeyOf } from "@/server/issuers/signing-key";
import { statusEntriesOf, statusPlacesOf } from "@/server/issuers/status/entries";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import type { JsonObject } from "@/server/standards/json";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { badge } from "@/server/standards/testing/issuer";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import {
  issuer,
  rdfc,
  created,
  sign,
  type Verified,
  outcomes,
  token,
  serveForeignIssuer,
} from "@/server/testing/foreign-issuer";

serveForeignIssuer();

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
      expect([status, json<Verified>().errors.map((error) => error.pointer)]).toEqual([400, [pointer]]);
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
        expect([type, status, json<Verified>().result]).toEqual([type, 200, "valid"]);
      }
  });

  it("of another media type is refused with a sentence that names all accepted types", async () => {
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

  it("that is a credential without a context gets an explanation of how to wrap it", async () => {
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
    (await call("POST", "/public/verify", { body: { credential } })).json<Verified>();

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
