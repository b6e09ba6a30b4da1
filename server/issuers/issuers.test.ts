import { createPublicKey, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import type { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { suspendOrganisation } from "@/server/organisations/suspend";
import { getOrganisation } from "@/server/organisations/get";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { keyFor, type DidDocument } from "@/server/standards/did/did-document";
import { urlOfDidWeb } from "@/server/standards/did/did-web";
import { badge } from "@/server/standards/testing/issuer";
import { listAudit } from "@/server/access/list-audit";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { getIssuer } from "./get";
import { revokeIssuerKey } from "./revoke-key";
import { rotateIssuerKey } from "./rotate-key";
import { signingKeyOf } from "./signing-key";

const now = new Date();
const documentOf = (did: string, headers: Record<string, string> = {}) =>
  call("GET", new URL(urlOfDidWeb(did)).pathname, { headers });
const holds = async (did: string, method: string, data: Buffer, signature: Buffer) =>
  verify(
    null,
    data,
    keyFor((await documentOf(did)).json<DidDocument>(), method, "assertionMethod", { now }),
    signature,
  );

describe("the key of an organisation", () => {
  it("is in the DID document at the address of its DID", async () => {
    const w = await world();
    const { slug } = await getOrganisation(w.ctx, {});
    const key = await signingKeyOf(w.ctx);
    expect(key.did).toBe(`did:web:${new URL(env().PUBLIC_URL).host.replace(":", "%3A")}:public:issuers:${slug}`);
    const data = Buffer.from("signed");
    expect(await holds(key.did, key.verificationMethod, data, sign(null, data, key.privateKey))).toBe(true);
    const signed = await signDocument(badge(key.did), suiteOf("eddsa-rdfc-2022")!, key, { created: now });
    expect(signed.proof[0]).toMatchObject({ verificationMethod: key.verificationMethod });
  });

  it("is created once for any number of concurrent first signatures, and again if it is missing", async () => {
    const w = await world();
    await sql(`DELETE FROM issuer_keys WHERE org_id = $1`, [w.orgId]);
    const keys = await Promise.all(Array.from({ length: 20 }, () => signingKeyOf(w.ctx)));
    expect(new Set(keys.map(({ verificationMethod }) => verificationMethod)).size).toBe(1);
    expect((await getIssuer(w.ctx, {})).keys.map(({ status }) => status)).toEqual(["active", "next"]);
  });

  it("is encrypted at rest, bound to its row", async () => {
    const [a, b] = [await world(), await world()];
    const stored = async ({ orgId }: typeof a) =>
      (
        await sql<{ private_key: Buffer }>(
          `SELECT private_key FROM issuer_keys WHERE org_id = $1 AND activated_at IS NOT NULL`,
          [orgId],
        )
      )[0]!;
    const { private_key } = await stored(a);
    const seed = (await signingKeyOf(a.ctx)).privateKey.export({ format: "jwk" }).d!;
    expect(private_key.includes(Buffer.from(seed, "base64url"))).toBe(false);
    expect(private_key.includes("PRIVATE KEY")).toBe(false);
    await sql(`UPDATE issuer_keys SET private_key = $2 WHERE org_id = $1 AND activated_at IS NOT NULL`, [
      b.orgId,
      private_key,
    ]);
    await expect(signingKeyOf(b.ctx)).rejects.toThrow("cannot be decrypted");
  });
});

describe("rotating the key", () => {
  it("makes a new key sign, and keeps the signatures of the retired one valid", async () => {
    const w = await world();
    const old = await signingKeyOf(w.ctx);
    const data = Buffer.from("signed before");
    const signature = sign(null, data, old.privateKey);
    const rotated = await rotateIssuerKey(w.ctx, {});
    const fresh = await signingKeyOf(w.ctx);
    expect(fresh.verificationMethod).not.toBe(old.verificationMethod);
    expect(rotated.keys.map(({ id, status, retiredAt }) => [id, status, retiredAt !== null])).toEqual([
      [publicId("iky", fresh.id), "active", false],
      [expect.any(String), "next", false],
      [publicId("iky", old.id), "retired", true],
    ]);
    expect(await holds(old.did, old.verificationMethod, data, signature)).toBe(true);
    expect(await holds(fresh.did, fresh.verificationMethod, data, sign(null, data, fresh.privateKey))).toBe(true);
    expect(createPublicKey(fresh.privateKey).equals(createPublicKey(old.privateKey))).toBe(false);
  });

  it("promotes a key that was published before, so that verifiers with a cached document know it", async () => {
    const w = await world();
    const { did, keys } = await getIssuer(w.ctx, {});
    const kept = (await documentOf(did)).json<{ assertionMethod: string[] }>();
    await rotateIssuerKey(w.ctx, {});
    const { verificationMethod } = await signingKeyOf(w.ctx);
    expect(kept.assertionMethod).toContain(verificationMethod);
    expect(keys.find(({ status }) => status === "next")!.verificationMethod).toBe(verificationMethod);
  });

  it("deletes the private part of the retired key, and leaves an audit entry", async () => {
    const w = await world();
    const old = await signingKeyOf(w.ctx);
    await rotateIssuerKey(w.ctx, {});
    const fresh = await signingKeyOf(w.ctx);
    expect(await sql(`SELECT private_key FROM issuer_keys WHERE org_id = $1 AND id = $2`, [w.orgId, old.id])).toEqual([
      { private_key: null },
    ]);
    const { data } = await listAudit(w.ctx, { limit: 1 });
    expect(data[0]).toMatchObject({
      action: "issuer.key_rotated",
      target: { type: "issuer_key", id: publicId("iky", fresh.id) },
      detail: { kind: "ed25519", retired: publicId("iky", old.id) },
    });
  });

  it("is done once for concurrent requests, and again once every verifier knows the next key", async () => {
    const w = await world();
    const first = await getIssuer(w.ctx, {});
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => rotateIssuerKey(w.ctx, {})));
    const refused = answers.flatMap((each) => (each.status === "rejected" ? [each.reason as DomainError] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill("key_too_new"));
    expect(Number(refused[0]!.extras.headers!["retry-after"])).toBeGreaterThan(0);
    const statuses = async () => (await getIssuer(w.ctx, {})).keys.map(({ status }) => status);
    expect(await statuses()).toEqual(["active", "next", "retired"]);
    // A document that was cached for the maximum time contains every signing key.
    const { ctx } = { ctx: { ...w.ctx, now: new Date(Date.now() + 61_000) } };
    const kept = (await documentOf(first.did)).json<{ assertionMethod: string[] }>().assertionMethod;
    const again = await rotateIssuerKey(ctx, {});
    expect(kept).toContain(again.keys[0]!.verificationMethod);
    expect(await statuses()).toEqual(["active", "next", "retired", "retired"]);
  });

  it("is refused with an outdated ETag, and without settings:write", async () => {
    const w = await world();
    const token = await w.key("settings:write", "events:read");
    const before = await call("GET", "/v1/issuer", { token });
    const headers = { "if-match": before.headers.get("etag")! };
    const rotate = () => call("POST", "/v1/issuer/rotate_key", { token, body: {}, headers });
    expect([(await rotate()).status, (await rotate()).status]).toEqual([200, 412]);
    const reader = await call("POST", "/v1/issuer/rotate_key", { token: await w.key("events:read"), body: {} });
    expect([reader.status, reader.json()["code"]]).toEqual([403, "insufficient_scope"]);
  });
});

describe("revoking a key", () => {
  const revoke = (w: World, id: string) => revokeIssuerKey(w.ctx, { id });
  const read = async (did: string) => (await documentOf(did)).json<DidDocument>();

  it("invalidates all its signatures, and the next key signs at once", async () => {
    const w = await world();
    const stolen = await signingKeyOf(w.ctx);
    const [, next] = (await getIssuer(w.ctx, {})).keys;
    const after = await revoke(w, publicId("iky", stolen.id));
    expect(after.keys.map(({ status }) => status)).toEqual(["active", "next", "revoked"]);
    expect(after.keys[0]!.id).toBe(next!.id);
    const document = await read(stolen.did);
    expect(document["assertionMethod"]).not.toContain(stolen.verificationMethod);
    expect(() => keyFor(document, stolen.verificationMethod, "assertionMethod", { now: new Date() })).toThrow(
      "was revoked on",
    );
    expect(
      await sql(`SELECT private_key FROM issuer_keys WHERE org_id = $1 AND id = $2`, [w.orgId, stolen.id]),
    ).toEqual([{ private_key: null }]);
    expect((await listAudit(w.ctx, { limit: 1 })).data[0]).toMatchObject({ action: "issuer.key_revoked" });
  });

  it("also replaces the next key if that is revoked, so that a thief of both keys is locked out", async () => {
    const w = await world();
    const [active, next] = (await getIssuer(w.ctx, {})).keys;
    await revoke(w, next!.id);
    const { keys } = await revoke(w, active!.id);
    expect(keys.map(({ status }) => status)).toEqual(["active", "next", "revoked", "revoked"]);
    expect(keys.slice(0, 2).map(({ id }) => id)).not.toContain(next!.id);
  });

  it("revokes a retired key too, changes nothing the second time, and is refused for another organisation's key", async () => {
    const w = await world();
    const old = publicId("iky", (await signingKeyOf(w.ctx)).id);
    await rotateIssuerKey(w.ctx, {});
    const first = await revoke(w, old);
    expect(first.keys.map(({ status }) => status)).toEqual(["active", "next", "revoked"]);
    expect(await revoke(w, old)).toEqual(first);
    const other = await world();
    await expect(revoke(other, old)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the DID document", () => {
  it("is open to scripts of every site and cached for a minute, with an ETag that changes with the keys", async () => {
    const w = await world();
    const { did } = await getIssuer(w.ctx, {});
    const first = await documentOf(did);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "application/did+ld+json",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=60",
    });
    const known = { "if-none-match": first.headers.get("etag")! };
    expect((await documentOf(did, known)).status).toBe(304);
    await rotateIssuerKey(w.ctx, {});
    expect((await documentOf(did, known)).status).toBe(200);
    const preflight = await call("OPTIONS", new URL(urlOfDidWeb(did)).pathname);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("cache-control");
  });

  it("of an unknown issuer is a problem", async () => {
    const answer = await call("GET", "/public/issuers/no-such-issuer/did.json");
    expect([answer.status, answer.json()["code"], answer.headers.get("access-control-allow-origin")]).toEqual([
      404,
      "not_found",
      "*",
    ]);
  });

  it("of a suspended organisation stays available, because its credentials can still be verified", async () => {
    const w = await world();
    const { did } = await getIssuer(w.ctx, {});
    await suspendOrganisation(w.ctx, {});
    expect((await documentOf(did)).json<{ assertionMethod: string[] }>().assertionMethod).toHaveLength(2);
  });
});
