import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Connection } from "../connection";
import type { MemberDelta } from "../protocol/member-delta";
import { findFormerUsers, findUsers, type FoundUsers } from "./find-users";
import { lockArrivals } from "./pending";

/** A MemberDelta with people of the connection. `awaited` are values of unknown members. */
export interface ResolvedDelta {
  clears: boolean;
  adds: Id<"sub">[];
  removes: Id<"sub">[];
  awaited: string[];
  /** Values that no longer wait: members who are removed, and members who are known now. */
  noLongerAwaited: string[];
}

/**
 * Finds and locks the people in a delta of a group. Call it before the group is locked (server/scim/users/lock.ts). If
 * a member is unknown, it first waits for requests that are creating users, because one of them may create that member.
 *
 * @param groupId null for a group that is being created
 */
export async function resolveDelta(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp"> | null,
  delta: MemberDelta,
): Promise<ResolvedDelta> {
  const values = [...delta.adds, ...delta.removes];
  const known = await findUsers(ctx, connection, [...delta.adds]);
  if ([...delta.adds].some((value) => !known.has(value))) lockArrivals(ctx, connection, "awaits");
  const users = await findUsers(ctx, connection, values, "FOR KEY SHARE");
  const unknown = values.filter((value) => !users.has(value));
  const found = new Map([...users, ...(await findFormerUsers(ctx, connection, groupId, unknown))]);
  const adds = peopleOf(delta.adds, found);
  const added = new Set(adds);
  return {
    clears: delta.clears,
    adds,
    // One person may be listed by id and by externalId. If one of the two is added, the person stays.
    removes: peopleOf(delta.removes, found).filter((id) => !added.has(id)),
    awaited: [...delta.adds].filter((value) => !found.has(value)),
    noLongerAwaited: values.filter((value) => delta.removes.has(value) || found.has(value)),
  };
}

const peopleOf = (values: ReadonlySet<string>, found: FoundUsers): Id<"sub">[] =>
  [...new Set([...values].flatMap((value) => found.get(value) ?? []))].toSorted();
