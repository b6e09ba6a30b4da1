import { isDeepStrictEqual } from "node:util";
import { callsInactive, decide } from "@/server/connectors/run/decide";
import { precedenceOf, type Precedence } from "@/server/connectors/run/precedence";
import type { Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import type { UpsertInput } from "@/server/subjects/input";
import { provide } from "@/server/subjects/provide";
import { writeSubjects } from "@/server/subjects/write";
import type { Connection } from "../connection";
import { badRequest } from "../protocol/error";
import { isFields, type Fields, type Json } from "../protocol/values";
import { dropStaged, gate } from "../removals/gate";
import { note } from "../requests/effect";
import { trace } from "../trace";
import { keyAfter, rekey } from "./key";
import { exactName, findForAdoption, findKnown } from "./known";
import { changesOf, mapBefore, mapUser } from "./map";
import { fold, userColumns, type UserRow } from "./row";
import { taken } from "./taken";

/** Bytes of a resource as JSON: as many as the attributes of a subject. A list reads a thousand of them at once. */
const largestResource = 64 * 1024;

/**
 * Writes a user as the directory sent it. The person is written by the upsert of subjects, without the fields that
 * another source decides. A deactivation beyond the limit is staged, and the rest is written.
 * @param before the row, locked
 * @throws ScimError uniqueness, invalidValue; DomainError subject_erased
 */
export const saveUser = async (ctx: TxCtx, connection: Connection, before: UserRow, sent: Fields): Promise<UserRow> =>
  (await writeUser(ctx, connection, before, sent)).row;

/**
 * As saveUser, also for a person who is new to the connection.
 * @param before null for a person who is new to the connection
 * @param read connectors that come first, where they were read already
 * @returns `isNew`: whether the organisation did not have the person before
 */
export async function writeUser(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow | null,
  sent: Fields,
  read?: Precedence[],
): Promise<{ row: UserRow; isNew: boolean }> {
  const resource: Fields = { ...sent, active: sent["active"] ?? before?.active ?? true };
  const userKey = typeof resource["userName"] === "string" ? fold(resource["userName"]) : "";
  if (userKey === "") throw badRequest("invalidValue", "A user has a userName.");
  if (Buffer.byteLength(JSON.stringify(resource)) > largestResource)
    throw badRequest("invalidValue", `A user has at most ${largestResource / 1024} KiB, extensions included.`);
  if (before && !before.hidden_at && isDeepStrictEqual(plain(resource), before.resource))
    return { row: before, isNew: false };
  const mapped = mapUser(connection.mapping, resource, before?.resource);
  const was = before && mapBefore(connection.mapping, before.resource);
  // Statements that do not wait for one another are sent together: a round trip costs more than most of them.
  const [precedence, key] = await Promise.all([
    read ?? precedenceOf(ctx, { connector_id: connection.id, config: connection }),
    before ? keyAfter(ctx, connection, before, resource, mapped.key) : { from: mapped.key, to: mapped.key },
  ]);
  const first = precedence.map(({ id }) => id);
  const known = before
    ? await findKnown(ctx, connection, [key.from], first)
    : await findForAdoption(ctx, connection, [key.to, ...exactName(resource)], mapped, first);
  if (before && known?.id !== before.subject_id) throw taken();
  // A POST that restores a deleted user sets the status again, also if it equals the one before the deletion.
  const isRestored = before?.hidden_at instanceof Date;
  const fields = changesOf(was, mapped);
  if (isRestored) fields.status = mapped.fields.status;
  const decision = decide(connection, precedence, { key: key.to, fields }, known);
  if ("error" in decision) throw taken(decision.error.message);
  const { input } = decision;
  if (known && key.from !== key.to) await rekey(ctx, connection, known, key, input);
  const isStaged = await heed(ctx, connection, known, input);
  if (known && !isStaged && (isRestored || fields.status)) await dropStaged(ctx, connection, known.id);
  const written = (await writeSubjects(ctx, [input], null)).get(input.externalId)!;
  if ("error" in written) throw written.error;
  if (known?.status === "active" && written.row.status === "inactive") note(ctx, "deactivated");
  try {
    const inactive = callsInactive(connection.mapping, mapped.fields.status);
    const [row] = await Promise.all([
      store(ctx, connection, written.row.id, { userKey, resource, isNew: before === null }),
      provide(ctx, { type: "scim", id: connection.id }, [{ subjectId: written.row.id, key: key.to, inactive }]),
    ]);
    if (written.outcome === "unchanged")
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

/** Stages a deactivation beyond the limit, and takes it out of what is written. @returns whether it did */
async function heed(ctx: TxCtx, connection: Connection, known: Known | null, input: UpsertInput): Promise<boolean> {
  if (known?.status !== "active" || input.status !== "inactive") return false;
  const passes = await gate(ctx, connection, [{ subjectId: known.id, cause: "status" }]);
  if (!passes) delete input.status;
  return !passes;
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
