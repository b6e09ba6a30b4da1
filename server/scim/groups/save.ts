import type { TxCtx } from "@/server/core/context";
import { requireMatch } from "@/server/core/entity-tag";
import { readId } from "@/server/core/ids";
import type { Connection } from "../connection";
import type { MemberDelta } from "../protocol/member-delta";
import type { Fields } from "../protocol/values";
import { note } from "../requests/effect";
import { changeMembers, lockLeaving } from "./change-members";
import { resolveDelta } from "./resolve-delta";
import { loadScimGroup, type ScimGroupRow } from "./row";
import { externalIdOf, updateGroupRow } from "./store";
import { touchGroups } from "./touch";
import { writtenOf } from "./view";

/** The changes of a group by a PUT or PATCH. */
interface GroupChange {
  id: string;
  ifMatch: string | undefined;
  delta: MemberDelta;
  /** Returns the new name and externalId, given the present ones. */
  next(written: Fields): Fields;
}

/**
 * Changes a group. A request that changes nothing does not change its version.
 *
 * @throws ScimError 404, uniqueness, invalidValue; DomainError precondition_failed
 */
export async function changeGroup(
  ctx: TxCtx,
  connection: Connection,
  { id, ifMatch, delta, next }: GroupChange,
): Promise<ScimGroupRow> {
  const resolved = await resolveDelta(ctx, connection, readId("grp", id), delta);
  await lockLeaving(ctx, connection, readId("grp", id), resolved);
  const before = await loadScimGroup(ctx, connection, id, "FOR UPDATE");
  requireMatch(ifMatch, `"${before.version}"`);
  const written = next(writtenOf(before));
  const changes = await changeMembers(ctx, connection, before.group_id, resolved);
  if (written["displayName"] !== before.display_name || externalIdOf(written) !== before.external_id) {
    note(ctx, "changed");
    return updateGroupRow(ctx, connection, before, written);
  }
  if (!changes) return before;
  touchGroups(ctx, [before.group_id]);
  return { ...before, version: before.version + 1, updated_at: ctx.now };
}
