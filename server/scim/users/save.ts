import { isDeepStrictEqual } from "node:util";
import { callsInactive, decide } from "@/server/connectors/run/decide";
import { precedenceOf } from "@/server/connectors/run/precedence";
import type { Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import type { UpsertInput } from "@/server/subjects/input";
import { forgetAbsence, provide } from "@/server/subjects/provide";
import { writeSubjects } from "@/server/subjects/write";
import type { Connection } from "../connection";
import type { Fields, Json } from "../protocol/values";
import { dropStaged, gate } from "../removals/gate";
import { note } from "../requests/effect";
import { trace } from "../trace";
import { changesOf, everything, nothing, statedIn, type Restates } from "@/server/connectors/directory/changes";
import { keyAfter, rekey } from "./key";
import { exactName, findForAdoption, findKnown } from "./known";
import { mapBefore, mapUser } from "@/server/connectors/directory/map-user";
import type { UserRow } from "./row";
import { hasStaged } from "./staged";
import { storeUser } from "./store";
import { taken } from "./taken";
import { userKeyOf } from "./user-key";
import { fillWithdrawnFields } from "@/server/connectors/directory/withdraw";

/** The data that a directory sent of a user. */
interface Sent {
  resource: Fields;
  /**
   * Which fields are written although the directory sent the same before. `whole`, for a PUT: all of them if the whole
   * user is unchanged, as in a Force Sync of Okta; otherwise none.
   */
  restates: Restates | "whole";
}

/**
 * Writes a user as the directory sent it. The person is written by the upsert of subjects: the fields that the request
 * changes or restates, without those that another source decides (docs/decisions/524). A deactivation beyond the limit is
 * staged, and the rest is written.
 * @param before the row, locked
 * @throws ScimError uniqueness, invalidValue; DomainError subject_erased
 */
export const saveUser = async (ctx: TxCtx, connection: Connection, before: UserRow, sent: Sent): Promise<UserRow> =>
  (await writeUser(ctx, connection, before, sent)).row;

/**
 * Does the same as saveUser, also for a person who is new to the connection.
 *
 * @param before null for a person who is new to the connection
 * @returns `isNew`: whether the organisation did not have the person before
 */
export async function writeUser(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow | null,
  sent: Sent,
): Promise<{ row: UserRow; isNew: boolean }> {
  const { mapping } = connection;
  const resource: Fields = { ...sent.resource, active: sent.resource["active"] ?? before?.active ?? true };
  const userKey = userKeyOf(resource);
  const isRepeated = before !== null && !before.hidden_at && isDeepStrictEqual(plain(resource), before.resource);
  const mapped = mapUser(mapping, resource, before?.resource);
  if (mapped.hasBadEmail) note(ctx, "ignored");
  const was = before && mapBefore(mapping, before.resource);
  const restates = sent.restates === "whole" ? (isRepeated ? everything : nothing) : sent.restates;
  const changes = changesOf(mapping, was, mapped, restates);
  const { fields } = changes;
  if (isRepeated && Object.keys(fields).length === 0) return { row: before, isNew: false };
  // Statements that do not depend on one another are sent together, because a round trip costs more than most of them.
  const [precedence, key, isWaiting] = await Promise.all([
    precedenceOf(ctx, { connector_id: connection.id, config: connection }),
    before
      ? keyAfter(ctx, connection, before, resource, mapped.key)
      : { from: mapped.key, to: mapped.key, stated: null },
    before !== null && !before.hidden_at && fields.status === was?.fields.status && hasStaged(ctx, connection, before),
    before && was && fillWithdrawnFields(ctx, connection, before.subject_id, was, changes),
  ]);
  // A removal that already waits for approval is not requested again.
  if (isWaiting) delete fields.status;
  const first = precedence.map(({ id }) => id);
  const known = before
    ? await findKnown(ctx, connection, [key.from], first)
    : await findForAdoption(ctx, connection, [key.to, ...exactName(resource)], mapped, first);
  if (before && known?.id !== before.subject_id) throw taken();
  const decision = decide(connection, precedence, { key: key.to, fields }, known);
  if ("error" in decision) throw taken(decision.error.message);
  const { input } = decision;
  if (known && key.from !== key.to) await rekey(ctx, connection, known, key, input);
  const isStaged = await heed(ctx, connection, known, input);
  // A POST that restores a deleted user withdraws its removal, whatever the mapping says about a status.
  if (known && !isStaged && (before?.hidden_at || fields.status)) await dropStaged(ctx, connection, known.id);
  const written = (await writeSubjects(ctx, [input], null)).get(input.externalId)!;
  if ("error" in written) throw written.error;
  if (known?.status === "inactive" && input.status === "inactive") await forgetAbsence(ctx, [known.id]);
  if (known?.status === "active" && written.row.status === "inactive") note(ctx, "deactivated");
  else if (isRepeated && written.outcome === "updated") note(ctx, "changed");
  const stated = statedIn(mapping, mapped);
  try {
    const [row] = await Promise.all([
      isRepeated ? before : storeUser(ctx, connection, written.row.id, { userKey, resource, isNew: before === null }),
      (!isRepeated || !isDeepStrictEqual(stated, key.stated)) &&
        provide(ctx, { type: "scim", id: connection.id }, [
          {
            subjectId: written.row.id,
            key: key.to,
            inactive: callsInactive(mapping, mapped.fields.status),
            stated,
          },
        ]),
    ]);
    if (written.outcome === "unchanged" && !isRepeated)
      await trace(
        ctx,
        connection,
        "scim_user.written",
        { user: row.subject_id },
        { attributes: changed(before, resource) },
      );
    return { row, isNew: written.outcome === "created" };
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
}

/** The names of the attributes that a write changes, at most 20. */
const changed = (before: UserRow | null, resource: Fields): string[] =>
  [...new Set([...Object.keys(before?.resource ?? {}), ...Object.keys(resource)])]
    .filter((name) => !isDeepStrictEqual(plain(resource[name]), plain(before?.resource[name])))
    .slice(0, 20)
    .map((name) => name.slice(0, 100));

const plain = (value: Json | undefined): unknown => JSON.parse(JSON.stringify(value ?? null));

/**
 * Stages a deactivation above the limit, and removes it from what is written.
 *
 * @returns whether it did
 */
async function heed(ctx: TxCtx, connection: Connection, known: Known | null, input: UpsertInput): Promise<boolean> {
  if (known?.status !== "active" || input.status !== "inactive") return false;
  const passes = await gate(ctx, connection, [{ subjectId: known.id, cause: "status" }]);
  if (!passes) delete input.status;
  return !passes;
}
