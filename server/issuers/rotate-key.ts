import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { keyKindNames } from "./key-kinds";
import { loadIssuer } from "./load";
import { insertKeys } from "./signing-key";
import { issuerTag, issuerView } from "./view";

/** The most keys of an issuer. Verifiers read the DID document with each credential, so it must stay small. */
const maxKeys = 200;

/**
 * Replaces the key with which the organisation signs by the next one, which verifiers know already, and makes another
 * next one. The retired key's private part is deleted; its public part stays in the DID document, so that what it signed
 * still verifies. The status lists are signed anew when they are next read.
 *
 * @throws DomainError conflict after 200 keys
 */
export const rotateIssuerKey = command({
  name: "issuers.rotate_key",
  scope: "settings:write",
  input: z.strictObject({ kind: z.enum(keyKindNames).default("ed25519"), ifMatch }),
  tag: issuerTag,
  async run(ctx, { kind, ifMatch: sent }) {
    // One rotation at a time: the organisation is locked, in a mode that lets others refer to it.
    await ctx.tx.sql(`SELECT FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [ctx.orgId]);
    const before = await loadIssuer(ctx.tx.sql, ctx.orgId);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    if (before.keys.length >= maxKeys)
      throw new DomainError(
        "conflict",
        `The issuer has had ${maxKeys} keys, which is the most that its DID document lists. Ask the operator.`,
      );
    const [retired] = await ctx.tx.sql<{ id: Id<"iky"> }>(
      `UPDATE issuer_keys SET retired_at = $3, private_key = NULL WHERE org_id = $1 AND kind = $2 AND activated_at IS NOT NULL AND retired_at IS NULL RETURNING id`,
      [ctx.orgId, kind, ctx.now],
    );
    const [promoted] = await ctx.tx.sql<{ id: Id<"iky"> }>(
      `UPDATE issuer_keys SET activated_at = $3 WHERE org_id = $1 AND kind = $2 AND activated_at IS NULL AND retired_at IS NULL RETURNING id`,
      [ctx.orgId, kind, ctx.now],
    );
    await insertKeys(ctx.tx.sql, ctx, kind);
    const after = await loadIssuer(ctx.tx.sql, ctx.orgId);
    await audit(
      ctx,
      "issuer.key_rotated",
      { type: "issuer_key", id: publicId("iky", promoted?.id ?? after.keys[0]!.id) },
      { kind, ...(retired && { retired: publicId("iky", retired.id) }) },
    );
    return issuerView(ctx.orgId, after);
  },
});
