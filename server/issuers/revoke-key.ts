import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { insertKeys } from "./signing-key";
import { loadIssuer, lockIssuer } from "./load";
import { promoteNextKey } from "./promote-key";
import { issuerTag, issuerView } from "./view";

/** Verifiers read the DID document with each credential, so it must stay small. */
const maxKeys = 400;

/**
 * Revokes a key that somebody may have copied. None of its signatures is valid any more, whatever its date, because a
 * thief can write any date (Controlled Identifiers 1.0, section 2.2). If it was the signing key, the next key signs
 * after the commit; if it was the next key, another one is created. Documents of the organisation with signatures of
 * the key are signed again at the next request, and so are the status lists; the holders' copies become invalid.
 * Revoking a revoked key changes nothing. Leaves an audit entry.
 *
 * @throws DomainError not_found
 */
export const revokeIssuerKey = command({
  name: "issuers.revoke_key",
  scope: "settings:write",
  input: z.strictObject({
    id: id("iky").meta({ description: "An id of the keys that GET /v1/issuer gives." }),
    ifMatch,
  }),
  tag: issuerTag,
  async run(ctx, { id: keyId, ifMatch: sent }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    const key = before.keys.find((each) => publicId("iky", each.id) === publicId("iky", keyId));
    if (!key) throw notFound("signing key", publicId("iky", keyId));
    if (key.revoked_at) return issuerView(ctx.orgId, before);
    if (before.keys.length >= maxKeys)
      throw new DomainError(
        "limit_reached",
        `The issuer has had ${maxKeys} keys, which is the most. Ask the operator.`,
      );
    if (key.activated_at && !key.retired_at) await promoteNextKey(ctx, key.kind);
    await ctx.tx.sql(
      `UPDATE issuer_keys SET revoked_at = $3, retired_at = coalesce(retired_at, $3), private_key = NULL WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, key.id, ctx.now],
    );
    await insertKeys(ctx.tx.sql, ctx, key.kind);
    await audit(ctx, "issuer.key_revoked", { type: "issuer_key", id: publicId("iky", key.id) }, { kind: key.kind });
    return issuerView(ctx.orgId, await loadIssuer(ctx.tx.sql, ctx.orgId));
  },
});
