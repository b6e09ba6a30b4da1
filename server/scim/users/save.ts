import { isDeepStrictEqual } from "node:util";
import { decide } from "@/server/connectors/run/decide";
import { precedenceOf } from "@/server/connectors/run/precedence";
import { resolve, type Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import type { UpsertInput } from "@/server/subjects/input";
import { provide } from "@/server/subjects/provide";
import { updateSubject } from "@/server/subjects/update";
import { writeSubjects } from "@/server/subjects/write";
import type { Connection } from "../connection";
import { badRequest, ScimError } from "../protocol/error";
import { isFields, type Fields } from "../protocol/values";
import { dropStaged, gate } from "../removals/gate";
import { changesOf, mapUser } from "./map";
import { fold, userColumns, type UserRow } from "./row";

export const taken = (detail = "Another user of this connection has this userName or externalId.") =>
  new ScimError(409, "uniqueness", detail);

/**
 * Writes a person as a directory wants them: through the one writer of subjects, within what other sources write, and
 * within the limit of deactivations. Beyond it the deactivation is staged and the rest is written.
 * @param before the row, locked; null for a person who is new to the connection
 * @throws ScimError uniqueness, invalidValue; DomainError subject_erased
 */
export async function saveUser(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow | null,
  sent: Fields,
): Promise<UserRow> {
  const resource: Fields = { ...sent, active: sent["active"] ?? before?.active ?? true };
  const userKey = typeof resource["userName"] === "string" ? fold(resource["userName"]) : "";
  if (userKey === "") throw badRequest("invalidValue", "A user has a userName.");
  if (before && !before.hidden_at && isDeepStrictEqual(plain(resource), before.resource)) return before;
  const mapped = mapUser(connection.mapping, resource);
  const was = before && mapUser(connection.mapping, before.resource);
  const precedence = await precedenceOf(ctx, { connector_id: connection.id, config: connection });
  const first = precedence.map(({ id }) => id);
  const [found] = await resolve(ctx, connection.id, [(was ?? mapped).key], first);
  const known = found ?? null;
  if (before && known?.id !== before.subject_id) throw taken();
  const decision = decide(connection, precedence, { key: mapped.key, fields: changesOf(was, mapped) }, known);
  if ("error" in decision) throw taken(decision.error.message);
  const { input } = decision;
  if (known && was && was.key !== mapped.key) await rekey(ctx, known, { from: was.key, to: mapped.key }, input);
  await heed(ctx, connection, known, input);
  const written = (await writeSubjects(ctx, [input], null)).get(input.externalId)!;
  if ("error" in written) throw written.error;
  try {
    await provide(ctx, { type: "scim", id: connection.id }, [{ subjectId: written.row.id, key: mapped.key }]);
    return await store(ctx, connection, written.row.id, { userKey, resource, isNew: before === null });
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
}

const plain = (resource: Fields): unknown => JSON.parse(JSON.stringify(resource));

/** Follows a new externalId: the subject keeps its identity, unless somebody renamed it here. */
async function rekey(ctx: TxCtx, known: Known, key: { from: string; to: string }, input: UpsertInput): Promise<void> {
  if (known.external_id !== key.from) return;
  await updateSubject(
    { ...ctx, scopes: new Set([...ctx.scopes, "subjects:write"]) },
    { id: publicId("sub", known.id), externalId: key.to },
  );
  input.externalId = key.to;
}

/** Stages a deactivation beyond the limit, and takes it out of what is written; an activation takes a staged one back. */
async function heed(ctx: TxCtx, connection: Connection, known: Known | null, input: UpsertInput): Promise<void> {
  if (!known) return;
  if (input.status !== "inactive") return dropStaged(ctx, connection, known.id);
  if (known.status !== "active") return;
  const passes = await gate(ctx, connection, [{ subjectId: known.id, cause: "status" }]);
  if (!passes) delete input.status;
}

async function store(
  ctx: TxCtx,
  connection: Connection,
  subjectId: UserRow["subject_id"],
  { userKey, resource, isNew }: { userKey: string; resource: Fields; isNew: boolean },
): Promise<UserRow> {
  const { externalId, active, emails } = resource;
  const [row] = await ctx.tx.sql<UserRow>(
    `INSERT INTO scim_users AS u (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     ON CONFLICT (org_id, connector_id, subject_id) DO UPDATE SET user_key = excluded.user_key, external_id = excluded.external_id, active = excluded.active,
       emails = excluded.emails, resource = excluded.resource, version = u.version + 1, hidden_at = NULL, updated_at = excluded.updated_at
     WHERE NOT $10::boolean
     RETURNING ${userColumns}`,
    [
      ctx.orgId,
      connection.id,
      subjectId,
      userKey,
      typeof externalId === "string" ? externalId : null,
      active === true,
      (Array.isArray(emails) ? emails : []).flatMap((each) =>
        isFields(each) && typeof each["value"] === "string" ? [fold(each["value"])] : [],
      ),
      JSON.stringify(resource),
      ctx.now,
      isNew,
    ],
  );
  // Another request created them in the meantime.
  if (!row) throw taken();
  ctx.tx.wrote("scim_users", 1);
  return row;
}
