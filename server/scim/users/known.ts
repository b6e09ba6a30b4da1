import { resolve, type Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import type { Fields } from "../protocol/values";
import { findByEmail } from "./find-by-email";
import type { MappedUser } from "./map";

/** The userName as it is written, by which somebody whom the API made may be known; none with an externalId. */
export const exactName = ({ externalId, userName }: Fields): string[] =>
  externalId === undefined && typeof userName === "string" ? [userName.normalize("NFC").trim()] : [];

/** Whom the first of these keys that anybody has is about. */
export async function findKnown(
  ctx: TxCtx,
  connection: Connection,
  keys: string[],
  first: Connection["id"][],
): Promise<Known | null> {
  const found = await resolve(ctx, connection.id, keys, first);
  const known = found.find((each) => each !== null);
  if (!known) return null;
  // Whom the default connection ends is ended, whoever else has them: it may change everybody.
  return connection.is_default ? { ...known, kept: false } : known;
}

/** Whom somebody who is new to the connection may be: by key, and where the connection adopts by it, by e-mail address. */
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
