import { createPrivateKey, type KeyObject } from "node:crypto";
import { reading } from "@/server/core/db";
import type { Ctx, TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";
import { writeMultikey } from "@/server/standards/encoding/multikey";
import { domainDid, issuerDid, verificationMethodOf } from "./did";
import { keyKinds, type IssuerKeyKind } from "./key-kinds";

/** The signing key of an organisation, in the format of Signer in server/standards, with its DID. */
export interface SigningKey {
  id: Id<"iky">;
  did: string;
  /** The DID URL of the public key. */
  verificationMethod: string;
  privateKey: KeyObject;
  /** As multikey. */
  publicKey: string;
  /** The organisation's own domain, if it signs under one. */
  domain: string | null;
}

/** The context to which a stored private key's encryption is bound, for encrypt and decrypt. */
export const issuerKeyBoundTo = (orgId: Id<"org">, id: Id<"iky">) => `issuer_key\n${orgId}\n${id}`;

interface KeyRow {
  id: Id<"iky">;
  public_key: string;
  private_key: Buffer;
  slug: string;
  domain: string | null;
}

/**
 * Returns the organisation's signing key, and creates it if there is none. Any number of concurrent calls create one
 * key. Inside a transaction, a rollback would lose a new key, so sign nothing before the commit.
 */
export async function signingKeyOf(
  ctx: Pick<Ctx, "orgId" | "now" | "tx">,
  kind: IssuerKeyKind = "ed25519",
): Promise<SigningKey> {
  const { sql } = reading(ctx);
  const find = () => sql<KeyRow>(byKind, [ctx.orgId, kind]);
  let [row] = await find();
  if (!row) {
    await insertKeys(sql, ctx, kind);
    [row] = await find();
  }
  const { id, public_key, private_key, slug, domain } = row!;
  const did = domain === null ? issuerDid(slug) : domainDid(domain);
  return {
    id,
    did,
    verificationMethod: verificationMethodOf(did, public_key),
    privateKey: createPrivateKey(decrypt(private_key, issuerKeyBoundTo(ctx.orgId, id))),
    publicKey: public_key,
    domain,
  };
}

/** The same key under another DID of the organisation; each of its DID documents lists the key. */
export const underDid = (key: SigningKey, did: string): SigningKey => ({
  ...key,
  did,
  verificationMethod: verificationMethodOf(did, key.publicKey),
});

const byKind = `
SELECT k.id, k.public_key, k.private_key, o.slug,
  (SELECT d.domain FROM issuer_domains d WHERE d.org_id = $1 AND d.activated_at IS NOT NULL AND d.retired_at IS NULL) AS domain
FROM issuer_keys k JOIN organisations o ON o.id = k.org_id
WHERE k.org_id = $1 AND k.kind = $2 AND k.activated_at IS NOT NULL AND k.retired_at IS NULL`;

/** Creates the signing key and the next key if they are missing (decision 400). */
export async function insertKeys(
  sql: TxCtx["tx"]["sql"],
  ctx: Pick<Ctx, "orgId" | "now">,
  kind: IssuerKeyKind,
): Promise<void> {
  for (const activatedAt of [ctx.now, null]) await insertKey(sql, ctx, kind, activatedAt);
}

async function insertKey(
  sql: TxCtx["tx"]["sql"],
  { orgId, now }: Pick<Ctx, "orgId" | "now">,
  kind: IssuerKeyKind,
  activatedAt: Date | null,
): Promise<void> {
  const id = newId("iky");
  const { publicKey, privateKey } = keyKinds[kind]();
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  await sql(
    `INSERT INTO issuer_keys (org_id, id, kind, public_key, private_key, created_at, activated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (org_id, kind, (activated_at IS NULL)) WHERE retired_at IS NULL DO NOTHING`,
    [
      orgId,
      id,
      kind,
      writeMultikey(publicKey),
      Buffer.from(encrypt(pem, issuerKeyBoundTo(orgId, id))),
      now,
      activatedAt,
    ],
  );
}
