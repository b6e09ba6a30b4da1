import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { didMaxAgeSeconds } from "./did";
import { keyKindNames } from "./key-kinds";
import { loadIssuer, lockIssuer } from "./load";
import { promoteNextKey } from "./promote-key";
import { issuerTag, issuerView, type IssuerKeyRow } from "./view";

/** The most keys of an issuer. Verifiers read the DID document with each credential, so it must stay small. */
const maxKeys = 200;

/**
 * Replaces the organisation's signing key by the next one, which verifiers know already, and creates another next one.
 * The retired key's private part is deleted; its public part stays in the DID document, so that its signatures can
 * still be verified. The status lists are signed again when they are next read.
 *
 * @throws DomainError limit_reached after 200 keys; key_too_new while the next key has been published for less than a
 * minute, because verifiers with a cached DID document do not know it yet
 */
export const rotateIssuerKey = command({
  name: "issuers.rotate_key",
  scope: "settings:write",
  input: z.strictObject({ kind: z.enum(keyKindNames).default("ed25519"), ifMatch }),
  tag: issuerTag,
  async run(ctx, { kind, ifMatch: sent }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    if (before.keys.length >= maxKeys)
      throw new DomainError(
        "limit_reached",
        `The issuer has had ${maxKeys} keys, which is the most that its DID document lists. Ask the operator.`,
      );
    requirePublished(
      before.keys.filter((key) => key.kind === kind),
      ctx.now,
    );
    const { retired, promoted } = await promoteNextKey(ctx, kind);
    const after = await loadIssuer(ctx.tx.sql, ctx.orgId);
    await audit(
      ctx,
      "issuer.key_rotated",
      { type: "issuer_key", id: publicId("iky", promoted ?? after.keys[0]!.id) },
      { kind, ...(retired && { retired: publicId("iky", retired) }) },
    );
    return issuerView(ctx.orgId, after);
  },
});

/**
 * Refuses to promote a key that some verifiers do not know, because a DID document may be cached for a minute. The
 * first two keys of an organisation were published together, so verifiers that know one know both.
 */
function requirePublished(keys: IssuerKeyRow[], now: Date): void {
  const next = keys.find((key) => !key.activated_at && !key.retired_at);
  if (!next || !keys.some(({ created_at }) => created_at < next.created_at)) return;
  const seconds = Math.ceil((next.created_at.getTime() + didMaxAgeSeconds * 1000 - now.getTime()) / 1000);
  if (seconds <= 0) return;
  throw new DomainError(
    "key_too_new",
    `The key was replaced less than a minute ago, and not every verifier knows the one after it yet. Try again in ${seconds} seconds. A key that somebody copied is revoked instead, which takes effect at once.`,
    { headers: { "retry-after": String(seconds) } },
  );
}
