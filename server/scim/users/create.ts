import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { subjectErased } from "@/server/subjects/erased";
import { connectionOf, type Connection } from "../connection";
import { groupsAwaiting, joinAwaitingGroups, lockArrivals } from "../groups/pending";
import { touchGroups } from "../groups/touch";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { note } from "../requests/effect";
import { userSchema } from "../protocol/schemas";
import { readResource, type Fields } from "../protocol/values";
import { touchGroupsOfRestored } from "./affected-groups";
import { readArrival, type Arrival } from "./arrival";
import { everything } from "@/server/connectors/directory/changes";
import { requireNotErased } from "./erased";
import { lockPeople } from "./lock";
import { insertNewUser } from "./insert";
import { keyOf, mapUser, type MappedUser } from "@/server/connectors/directory/map-user";
import { requireKey } from "./require-key";
import { userColumns, userId, type UserRow } from "./row";
import { exactName, findForAdoption } from "./known";
import { writeUser } from "./save";
import { taken } from "./taken";
import { findUnwritten, writeDown } from "./unwritten";
import { userKeyOf } from "./user-key";
import { userResource } from "./view";

/**
 * Creates a user (RFC 7644 section 3.3), or restores one who was deactivated or deleted by the directory, or
 * deactivated here: Okta restores people by a POST.
 *
 * @throws ScimError uniqueness, invalidValue
 */
export const createScimUser = command({
  name: "scim.users.create",
  scope: "scim",
  input: z.strictObject({ body: requestBody, projection }),
  async run(ctx, { body, projection: asked }) {
    // If the key names its connection, read the user together with the connection: one round trip less per user.
    const early = ctx.connectorId && begin(ctx, { id: ctx.connectorId }, body);
    early?.catch(() => undefined);
    const connection = await connectionOf(ctx);
    const { row, hasGroups } = await createUser(ctx, connection, await (early ?? begin(ctx, connection, body)));
    return userResource(ctx, connection, row, asked, hasGroups);
  },
});

interface Begun {
  resource: Fields;
  arrival: Arrival;
}

/** Reads what is sent of a user, and what there is already. */
async function begin(ctx: TxCtx, connection: Pick<Connection, "id">, body: Fields): Promise<Begun> {
  const resource: Fields = { active: true, ...readResource(userSchema, body) };
  requireKey(resource);
  userKeyOf(resource);
  lockArrivals(ctx, connection, "arrives");
  return { resource, arrival: await readArrival(ctx, connection, resource) };
}

/** @returns `hasGroups`: false if the user is certainly in no group */
async function createUser(
  ctx: TxCtx,
  connection: Connection,
  { resource, arrival }: Begun,
): Promise<{ row: UserRow; hasGroups: boolean }> {
  const before = await formerUser(ctx, connection, resource, arrival);
  if (before && !before.hidden_at && before.active && (await isActive(ctx, before)))
    throw taken("A user with this userName or externalId is in this connection already.");
  // A group may await the id of an existing person; the id of a new person cannot be known.
  const awaiting = before
    ? [...arrival.awaiting, ...(await groupsAwaiting(ctx, connection, [userId(before)]))]
    : arrival.awaiting;
  if (before) await touchGroupsOfRestored(ctx, connection, before, resource, awaiting);
  const mapped = before ? null : mapUser(connection.mapping, resource);
  const mayAdopt = mapped && (arrival.isKnown || (connection.adopt === "email" && mapped.fields.email));
  if (mayAdopt) awaiting.push(...(await lockAdopted(ctx, connection, resource, mapped, awaiting)));
  const { row, isNew } =
    mapped && !mayAdopt
      ? { row: await insertNewUser(ctx, connection, resource, mapped), isNew: true }
      : await writeUser(ctx, connection, before, { resource, restates: everything });
  note(ctx, before ? "restored" : isNew ? "created" : "adopted");
  if (awaiting.length > 0) await joinAwaitingGroups(ctx, connection, row, awaiting);
  return { row, hasGroups: !isNew || awaiting.length > 0 };
}

/**
 * Locks the person whom a new user adopts, and then the groups that await the user (server/scim/users/lock.ts).
 * @param awaiting the groups that await the externalId of the user
 * @returns the groups that await the person by id
 */
async function lockAdopted(
  ctx: TxCtx,
  connection: Connection,
  resource: Fields,
  mapped: MappedUser,
  awaiting: Id<"grp">[],
): Promise<Id<"grp">[]> {
  const person = await findForAdoption(ctx, connection, [mapped.key, ...exactName(resource)], mapped, []);
  if (!person) return [];
  lockPeople(ctx, connection, [person.id]);
  const byId = await groupsAwaiting(ctx, connection, [publicId("sub", person.id)]);
  touchGroups(ctx, [...new Set([...awaiting, ...byId])]);
  return byId;
}

async function isActive(ctx: TxCtx, { subject_id }: UserRow): Promise<boolean> {
  const [person] = await ctx.tx.sql<{ status: string }>(`SELECT status FROM subjects WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    subject_id,
  ]);
  return person?.status === "active";
}

/** Finds the earlier row of the connection for the user, by externalId, or by userName without one. */
async function formerUser(
  ctx: TxCtx,
  connection: Connection,
  resource: Fields,
  { former: rows, erasureKey, isKnown }: Arrival,
): Promise<UserRow | null> {
  const { externalId } = resource;
  await requireNotErased(ctx, erasureKey, resource);
  const byKey = rows.find((row) => row.by_key);
  const byName = rows.find((row) => !row.by_key && !row.hidden_at);
  // The userName may now belong to another person. Different externalIds mean different people.
  if (
    byName &&
    byName.subject_id !== byKey?.subject_id &&
    (byKey || (byName.external_id !== null && externalId !== undefined))
  )
    throw taken();
  const found =
    byKey ??
    byName ??
    rows.find((row) => row.hidden_at) ??
    (isKnown ? await unwrittenUser(ctx, connection, resource) : null);
  if (!found) return null;
  lockPeople(ctx, connection, [found.subject_id]);
  if (connection.is_default) await writeDown(ctx, connection, found.subject_id);
  const [locked] = await ctx.tx.sql<UserRow>(
    `SELECT ${userColumns} FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3`,
    [ctx.orgId, connection.id, found.subject_id],
  );
  // An erasure may have happened while the locks were awaited, and blanked the resource.
  if (locked && locked.resource["userName"] === undefined) throw subjectErased();
  return locked ?? null;
}

/** Finds a person whom the default connection shows and has not written yet, by externalId, else by userName. */
async function unwrittenUser(
  ctx: TxCtx,
  connection: Connection,
  resource: Fields,
): Promise<Pick<UserRow, "subject_id"> | undefined> {
  if (!connection.is_default || typeof resource["userName"] !== "string") return undefined;
  return findUnwritten(ctx, connection, { keys: [keyOf(resource), ...exactName(resource)] });
}
