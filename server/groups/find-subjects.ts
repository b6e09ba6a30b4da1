import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** A person in a request who cannot be changed. The answer is stored, so it repeats no external id. */
export const memberErrorSchema = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer to the id in the request." }),
    code: z.enum(["not_found", "subject_erased"]),
    message: z.string(),
  })
  .meta({ id: "GroupMemberError" });
type MemberError = z.output<typeof memberErrorSchema>;

interface Named {
  subjectIds: Id<"sub">[];
  externalIds: string[];
}

/**
 * Finds the people of a request in one statement, each by a full key. Locks them, so that they are not deleted or
 * erased until the transaction ends, and waits for running erasures.
 *
 * @returns each person once, and an error for each unknown name
 */
export async function findSubjects(
  ctx: TxCtx,
  named: Named,
): Promise<{ ids: Id<"sub">[]; errors: MemberError[]; named: number }> {
  const rows = await ctx.tx.sql<{ list: keyof Named; n: number; id: Id<"sub">; erased: boolean }>(find, [
    ctx.orgId,
    named.subjectIds,
    named.externalIds,
  ]);
  const found = new Set(rows.map(({ list, n }) => `${list}/${n}`));
  const missing = (["subjectIds", "externalIds"] as const).flatMap((list) =>
    [...named[list].keys()].filter((index) => !found.has(`${list}/${index}`)).map((index) => refused(list, index)),
  );
  const erased = rows.filter((row) => row.erased).map(({ list, n }) => refused(list, n, "subject_erased"));
  const ids = [...new Set(rows.filter((row) => !row.erased).map(({ id }) => id))].toSorted();
  return { ids, errors: [...missing, ...erased], named: named.subjectIds.length + named.externalIds.length };
}

function refused(list: string, index: number, code: MemberError["code"] = "not_found"): MemberError {
  const message =
    code === "not_found"
      ? "There is no such person in this organisation."
      : "This person was erased at their own request.";
  return { pointer: `/${list}/${index}`, code, message };
}

// OFFSET 0 leaves only one plan, even in an organisation that is not in the statistics yet (docs/decisions/143).
const find = `
SELECT 'subjectIds' AS list, given.n - 1 AS n, subject.id, subject.erased_at IS NOT NULL AS erased
FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, n)
CROSS JOIN LATERAL (SELECT s.id, s.erased_at FROM subjects s WHERE s.org_id = $1 AND s.id = given.id OFFSET 0 FOR KEY SHARE) subject
UNION ALL
SELECT 'externalIds', given.n - 1, subject.id, subject.erased_at IS NOT NULL
FROM unnest($3::text[]) WITH ORDINALITY AS given (external_id, n)
CROSS JOIN LATERAL (SELECT s.id, s.erased_at FROM subjects s WHERE s.org_id = $1 AND s.external_id = given.external_id OFFSET 0 FOR KEY SHARE) subject`;
