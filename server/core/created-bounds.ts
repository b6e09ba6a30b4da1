import { sql, type Query } from "./db";
import { earliestId, type Id } from "./ids";

/**
 * The largest difference between the time in an id and created_at for rows that are not in the index `…_apart_idx`. Ids
 * are made by the clock of a server, created_at by that of the database. Deliveries are created in transactions that
 * can take long.
 */
const tolerance = {
  subjects: { interval: "1 minute", ms: 60_000 },
  credentials: { interval: "1 minute", ms: 60_000 },
  webhook_deliveries: { interval: "1 hour", ms: 3_600_000 },
};

/** The filter of a list by created_at. */
interface CreatedWithin {
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}
export interface CreatedBounds {
  firstId?: Id;
  lastId?: Id;
}

/**
 * Finds the range of ids of rows that were created after or before an instant. Ids sort by time, so a list can use the
 * primary key to read only these rows. Rows whose id has another time than created_at, such as those of the demo or of
 * an import, are in a small separate index, and widen the range if they match.
 */
export async function createdBounds(
  orgId: Id<"org">,
  table: keyof typeof tolerance,
  { createdAfter, createdBefore }: CreatedWithin,
  read: Query = sql,
): Promise<CreatedBounds> {
  if (!createdAfter && !createdBefore) return {};
  const { interval, ms } = tolerance[table];
  const apart = `SELECT id FROM ${table} WHERE org_id = $1 AND (uuid_extract_timestamp(id) - created_at) NOT BETWEEN '-${interval}'::interval AND '${interval}'::interval`;
  const [found] = await read<{ first: Id | null; last: Id | null }>(
    `SELECT (${apart} AND created_at > $2::timestamptz ORDER BY id LIMIT 1) AS first, (${apart} AND created_at < $3::timestamptz ORDER BY id DESC LIMIT 1) AS last`,
    [orgId, createdAfter ?? null, createdBefore ?? null],
  );
  const { first, last } = found!;
  const bounds: CreatedBounds = {};
  if (createdAfter) {
    const usual = earliestId("sub", new Date(createdAfter.getTime() - ms));
    bounds.firstId = first !== null && first < usual ? first : usual;
  }
  if (createdBefore) {
    const usual = earliestId("sub", new Date(createdBefore.getTime() + ms));
    bounds.lastId = last !== null && last > usual ? last : usual;
  }
  return bounds;
}
