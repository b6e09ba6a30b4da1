import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "@/server/subjects/erased";
import type { ArchivedPhoto, Rejection } from "./archive";

/**
 * Finds the person whose external id a file is named by. File systems of Windows and macOS do not tell upper and lower
 * case apart, so an id that differs only in case is taken if it is clear whose it is.
 */
export async function findPerson(
  ctx: TxCtx,
  { externalId, isCaseExact }: ArchivedPhoto,
): Promise<{ id: Id<"sub"> } | Rejection> {
  const variants = isCaseExact
    ? [externalId]
    : [...new Set([externalId, externalId.toLowerCase(), externalId.toUpperCase()])];
  const found = await ctx.tx.sql<{ id: Id<"sub">; external_id: string }>(
    `SELECT subject.id, subject.external_id FROM unnest($2::text[]) AS given (external_id)
     CROSS JOIN LATERAL (SELECT id, external_id FROM subjects s WHERE org_id = $1 AND s.external_id = given.external_id AND erased_at IS NULL OFFSET 0) subject`,
    [ctx.orgId, variants],
  );
  const person = found.find((each) => each.external_id === externalId) ?? found[0];
  if (person && (found.length === 1 || person.external_id === externalId)) return { id: person.id };
  if (person)
    return {
      code: "ambiguous",
      reason: "Several people have this id in upper or lower case. Name the file exactly as the id is written.",
    };
  const [key] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
  if ((await erasedAmong(ctx, key, variants)).size > 0) return erased();
  return {
    code: "unknown_person",
    reason: "Nobody has this id. Name the file after the id that the person has in your own systems.",
  };
}

/** The rejection of a photo of an erased person. */
export function erased(): Rejection {
  const { code, message } = subjectErased();
  return { code, reason: message };
}
