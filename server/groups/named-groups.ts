import type { TxCtx } from "@/server/core/context";
import type { InputIssue } from "@/server/core/errors";
import { readId, type Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { groupsNamedIn, type Rule } from "@/server/rules/rule";

/**
 * Returns the groups that a rule names. Unless `lock` is empty, locks them, so that they are not deleted until the
 * transaction ends. Only static groups are allowed, because rules that named each other's groups could form a cycle.
 *
 * @throws DomainError invalid_request, with the place of each group that does not exist or has a rule of its own
 */
export async function requireStaticGroups(
  ctx: TxCtx,
  rule: Rule,
  lock: "FOR KEY SHARE" | "" = "FOR KEY SHARE",
): Promise<Id<"grp">[]> {
  const named = groupsNamedIn(rule);
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ id }) => id))].map((id) => readId("grp", id));
  const found = await ctx.tx.sql<{ id: Id<"grp">; kind: string }>(
    `SELECT id, kind FROM groups WHERE org_id = $1 AND id = ANY($2::uuid[]) ORDER BY id ${lock}`,
    [ctx.orgId, ids],
  );
  const kinds = new Map(found.map(({ id, kind }) => [id, kind]));
  const wrong = named.flatMap(({ path, id }): InputIssue[] => {
    const kind = kinds.get(readId("grp", id));
    const pointer = jsonPointer(["rule", ...path]);
    if (!kind) return [{ pointer, code: "not_found", message: "is no group of this organisation" }];
    return kind === "rule"
      ? [{ pointer, code: "wrong_kind", message: "must be a static group; a rule cannot build on another rule" }]
      : [];
  });
  if (wrong.length > 0) throw invalidInput(wrong);
  return found.map(({ id }) => id);
}
