import { reading } from "@/server/core/db";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { signedBytes, type Sign1 } from "@/server/standards/cose/sign1";
import { signEd25519 } from "@/server/standards/data-integrity/ed25519";
import { decodeMultibase } from "@/server/standards/encoding/multibase";
import { keyIdOf } from "./statement-keys";
import { signingKeyOf } from "./signing-key";

/** Recent signatures. An open page refreshes every 15 seconds, and Ed25519 gives the same signature each time. */
const signed = new Map<string, Sign1>();
/** Each has 0.5 kB. */
const kept = 4_000;

/** Signs a payload as COSE_Sign1 with the present Ed25519 key of the organisation. The same bytes each time, until the key changes. */
export async function signStatement(ctx: Pick<Ctx, "orgId" | "now" | "tx">, payload: Uint8Array): Promise<Sign1> {
  const [active] = await reading(ctx).sql<{ id: Id<"iky"> }>(
    `SELECT id FROM issuer_keys WHERE org_id = $1 AND kind = 'ed25519' AND activated_at IS NOT NULL AND retired_at IS NULL`,
    [ctx.orgId],
  );
  const name = `${active?.id ?? ""} ${Buffer.from(payload).toString("base64")}`;
  const known = active && signed.get(name);
  if (known) return known;
  const key = await signingKeyOf(ctx);
  const kid = keyIdOf(decodeMultibase(key.publicKey));
  const signature = signEd25519(Buffer.from(signedBytes({ kid, payload })), key.privateKey);
  const made = { kid, payload, signature: new Uint8Array(signature) };
  if (signed.size >= kept) signed.delete(signed.keys().next().value!);
  if (active?.id === key.id) signed.set(name, made);
  return made;
}
