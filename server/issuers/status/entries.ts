import { reading } from "@/server/core/db";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { JsonObject } from "@/server/standards/json";
import { statusEntry } from "@/server/standards/status-list/list-credential";
import { statusListUrl, statusPurposes } from "./purposes";

/** The issuer's slug and the credential's index in its lists. */
export interface StatusPlace {
  slug: string;
  index: number;
}

/**
 * The `credentialStatus` of a credential: a BitstringStatusListEntry for revocation, then one for suspension.
 * @param domain under which the credential is signed; null for the host of this service
 */
export const statusEntriesOf = ({ slug, index }: StatusPlace, domain: string | null = null): JsonObject[] =>
  statusPurposes.map((purpose) => statusEntry(statusListUrl(slug, purpose, domain), purpose, index));

/**
 * Finds the indexes of credentials in the status lists. Omits credentials without one: only academic ones and those
 * with a signed QR code have an index.
 */
export async function statusPlacesOf(
  ctx: Pick<Ctx, "orgId" | "tx">,
  credentialIds: readonly Id<"crd">[],
): Promise<Map<Id<"crd">, StatusPlace>> {
  const rows = await reading(ctx).sql<StatusPlace & { id: Id<"crd"> }>(places, [ctx.orgId, credentialIds]);
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

const places = `
SELECT given.id, o.slug, e.index FROM unnest($2::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT index FROM status_entries WHERE org_id = ${opaque("$1")} AND credential_id = given.id OFFSET 0) e
CROSS JOIN LATERAL (SELECT slug FROM organisations WHERE id = $1 OFFSET 0) o`;
