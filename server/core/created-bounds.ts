import { sql, type Query } from "./db";
import { earliestId, type Id } from "./ids";

/**
 * How far the time in an id and the row's created_at lie apart at most, for rows that the index `…_apart_idx` leaves
 * out. An id is made by the clock of a server, created_at by that of the database. A delivery is made in a transaction
 * that can last.
 */
const tolerance = {
  subjects: { interval: "1 minute", ms: 60_000 },
  credentials: { interval: "1 minute", ms: 60_000 },
  webhook_deliveries: { interval: "1 hour", ms: 3_600_000 },
};

/** The times by which a list is narrowed, and between which ids the rows lie that fit. */
interface CreatedWithin {
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}
export interface CreatedBounds {
  firstId?: Id;
  lastId?: Id;
}

/**
 * Between which ids the rows lie that were created after or before an instant. Ids sort by time, so the primary key
 * bounds what a list looks at. Rows whose id tells another time than created_at, such as the demo's or imported ones,
 * have a small index of their own and widen the bounds where they fit.
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
