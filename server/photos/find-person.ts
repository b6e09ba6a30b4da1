import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "@/server/subjects/erased";
import type { ArchivedPhoto, Rejection } from "./archive";

const variantsOf = ({ externalId }: ArchivedPhoto) => [
  ...new Set([externalId, externalId.toLowerCase(), externalId.toUpperCase()]),
];

/**
 * Finds the person whose external id is a file's name. File systems of Windows and macOS ignore case, so an id that
 * differs only in case is accepted if it identifies one person.
 */
export async function findPerson(ctx: TxCtx, photo: ArchivedPhoto): Promise<{ id: Id<"sub"> } | Rejection> {
  const { externalId, isCaseExact } = photo;
  const [exact] = await ctx.tx.sql<Person>(
    `SELECT id FROM subjects WHERE org_id = $1 AND external_id = $2 AND erased_at IS NULL`,
    [ctx.orgId, externalId],
  );
  if (exact) return exact;
  const [person, other] = isCaseExact ? [] : await ctx.tx.sql<Person>(inAnyCase, [ctx.orgId, externalId]);
  if (person && !other) return person;
  if (person)
    return {
      code: "ambiguous",
      reason: "Several people have this id in upper or lower case. Name the file exactly as the id is written.",
    };
  if (await wereErased(ctx, isCaseExact ? [externalId] : variantsOf(photo))) return erased();
  return {
    code: "unknown_person",
    reason: "Nobody has this id. Name the file after the id that the person has in your own systems.",
  };
}

interface Person {
  id: Id<"sub">;
}

/** At most two people. The trigram index of the search finds the end of its text, which is the folded external id. */
const inAnyCase = `
SELECT id FROM subjects WHERE org_id = $1 AND search LIKE '%' || E'\\n' || regexp_replace(search_fold($2), '([\\\\%_])', '\\\\\\1', 'g')
  AND lower(external_id) = lower($2) AND erased_at IS NULL LIMIT 2`;

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
 * Whether a file is named after an erased person, whose id must not be stored again. Waits for a running erasure. An
 * erasure that begins later waits for this transaction, and then finds what it stored.
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
