import { resolve, type Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import type { Fields } from "../protocol/values";
import { findByEmail } from "./find-by-email";
import type { MappedUser } from "@/server/connectors/directory/map-user";

/** A second key to look a user up by: the userName in its own case, since the API may have used it as the externalId. Empty if the user has an externalId. */
export const exactName = ({ externalId, userName }: Fields): string[] =>
  externalId === undefined && typeof userName === "string" ? [userName.normalize("NFC").trim()] : [];

/** The person with the first of these keys that is known; null if none is. */
export async function findKnown(
  ctx: TxCtx,
  connection: Connection,
  keys: string[],
  first: Connection["id"][],
): Promise<Known | null> {
  const named = keys.map((key) => ({ key, email: null, isShared: false }));
  const found = await resolve(ctx, connection.id, named, first);
  const known = found.find((each): each is Known => typeof each === "object" && each !== null);
  if (!known) return null;
  // The default connection may deactivate everybody, so no other source keeps a person active against it.
  return connection.is_default ? { ...known, kept: false } : known;
}

/** Looks for the person whom a new user of the connection adopts: by key, then (with `adopt: email`) by e-mail address. */
export async function findForAdoption(
  ctx: TxCtx,
  connection: Connection,
  keys: string[],
  { fields }: MappedUser,
  first: Connection["id"][],
): Promise<Known | null> {
  const known = await findKnown(ctx, connection, keys, first);
  if (known || connection.adopt !== "email" || !fields.email) return known;
  const externalId = await findByEmail(ctx, connection, fields.email);
  return externalId === null ? null : findKnown(ctx, connection, [externalId], first);
}
