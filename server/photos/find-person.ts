import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "@/server/subjects/erased";
import type { ArchivedPhoto, Rejection } from "./archive";

const variantsOf = ({ externalId }: ArchivedPhoto) => [
  ...new Set([externalId, externalId.toLowerCase(), externalId.toUpperCase()]),
];

/**
 * Finds the person whose external id a file is named by. File systems of Windows and macOS do not tell upper and lower
 * case apart, so an id that differs only in case is taken if it is clear whose it is.
 */
export async function findPerson(ctx: TxCtx, photo: ArchivedPhoto): Promise<{ id: Id<"sub"> } | Rejection> {
  const { externalId, isCaseExact } = photo;
  const variants = isCaseExact ? [externalId] : variantsOf(photo);
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
  if (await wereErased(ctx, variants)) return erased();
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

async function wereErased(ctx: TxCtx, externalIds: string[]): Promise<boolean> {
  const [key] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
  return (await erasedAmong(ctx, key, externalIds)).size > 0;
}

/**
 * Whether a file is named by an erased person, whose id must not be stored again. An erasure that is under way is
 * awaited, and one that begins later waits for this transaction, and then finds what it stores.
 */
export async function namesErased(ctx: TxCtx, photo: ArchivedPhoto): Promise<boolean> {
  const variants = variantsOf(photo);
  await ctx.tx.sql(
    `SELECT locked.id FROM unnest($2::text[]) AS given (external_id)
     CROSS JOIN LATERAL (SELECT id FROM subjects s WHERE org_id = $1 AND s.external_id = given.external_id FOR SHARE) locked`,
    [ctx.orgId, variants],
  );
  return wereErased(ctx, variants);
}
