import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { closeDb } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { eddsaJcs2022 } from "@/server/standards/data-integrity/eddsa-jcs-2022";
import { eddsaRdfc2022 } from "@/server/standards/data-integrity/eddsa-rdfc-2022";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";

const issuer = keyIssuer();
const document = badge(issuer.did);
const created = new Date();
const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });

const signers: [string, () => Promise<unknown>][] = [
  ["eddsa-rdfc-2022", () => signDocument(document, eddsaRdfc2022, issuer, { created })],
  ["eddsa-jcs-2022", () => signDocument(document, eddsaJcs2022, issuer, { created })],
  ["a JWT", () => signJwt(document, "vc", issuer)],
  ["RSA by stream", async () => createSign("sha256").update("x").sign(rsa)],
];

afterAll(() => closeDb());

describe.each(signers)("signing with %s", (_, signIt) => {
  it("throws inside a transaction, though the transaction sent no statement yet", async () => {
    await expect(transaction(signIt)).rejects.toThrow("inside a database transaction");
    await expect(
      transaction(async (tx) => {
        await tx.sql("SELECT 1 AS one");
        return signIt();
      }),
    ).rejects.toThrow("inside a database transaction");
  });

  it("works before and after a transaction, and in work that outlives it", async () => {
    await signIt();
    const ended = Promise.withResolvers<void>();
    const { later } = await transaction(async (tx) => {
      await tx.sql("SELECT 1 AS one");
      return { later: ended.promise.then(signIt) };
    });
    ended.resolve();
    await expect(later).resolves.toBeDefined();
    await signIt();
  });
});

it("an HMAC inside a transaction is allowed, because it blocks nobody", async () => {
  const mac = await transaction(async () => {
    const key = await crypto.subtle.importKey("raw", Buffer.alloc(32), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    await crypto.subtle.sign("HMAC", key, Buffer.from("x"));
    return createHmac("sha256", "key").update("x").digest("hex");
  });
  expect(mac).toHaveLength(64);
});
