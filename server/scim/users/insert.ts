import { callsInactive } from "@/server/connectors/run/decide";
import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import { writeSubjects, type FeedSource } from "@/server/subjects/write";
import type { Connection } from "../connection";
import type { Fields } from "../protocol/values";
import { note } from "../requests/effect";
import { changesOf, everything, statedIn } from "@/server/connectors/directory/changes";
import type { MappedUser } from "@/server/connectors/directory/map-user";
import type { UserRow } from "./row";
import { insertUser } from "./store";
import { taken } from "./taken";
import { userKeyOf } from "./user-key";

/**
 * Writes a user whom the organisation does not have. writeUser does the same for everybody else. Here nobody has to be
 * looked for, and no source was there first, so person, source and user are written in one round trip.
 * @throws ScimError uniqueness, also if another request created the person in the meantime; DomainError subject_erased
 */
export async function insertNewUser(
  ctx: TxCtx,
  connection: Connection,
  resource: Fields,
  mapped: MappedUser,
): Promise<UserRow> {
  const { mapping } = connection;
  if (mapped.hasBadEmail) note(ctx, "ignored");
  const { fields } = changesOf(mapping, null, mapped, everything);
  const source: FeedSource = {
    type: "scim",
    id: connection.id,
    key: mapped.key,
    inactive: callsInactive(mapping, mapped.fields.status) ?? false,
    stated: statedIn(mapping, mapped),
  };
  try {
    const [results, row] = await Promise.all([
      writeSubjects(ctx, [{ ...fields, externalId: mapped.key, ifExists: "fail" }], source),
      insertUser(ctx, connection, mapped.key, { userKey: userKeyOf(resource), resource }),
    ]);
    const written = results.get(mapped.key)!;
    if ("error" in written) throw written.error.code === "external_id_taken" ? taken() : written.error;
    return row;
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
}
