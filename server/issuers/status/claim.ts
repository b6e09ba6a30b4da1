import { randomInt } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";

/**
 * The number of lanes into which an issuer's indexes are split: how many transactions can draw indexes concurrently.
 */
export const lanes = 64;
const firstCapacity = minEntries / lanes;
/** A transaction locks one lane per 256 indexes that it draws, so that a set is spread and others find free lanes. */
const drawsPerLane = 256;

interface Lane {
  lane: number;
  /** How many indexes the lane has. */
  capacity: number;
  used: number;
  taken: Buffer;
}

/** Creates the lanes of a new issuer. */
export async function insertLanes(tx: TxCtx["tx"], orgId: Id<"org">): Promise<void> {
  await tx.sql(
    `INSERT INTO status_lanes (org_id, lane, capacity, taken) SELECT $1, lane, $3, '' FROM generate_series(0, $2 - 1) AS lane`,
    [orgId, lanes, firstCapacity],
  );
}

/**
 * Assigns indexes in the status lists to new credentials: unpredictable ones that no other credential of the issuer
 * has. Concurrent transactions do not wait for each other, because each draws from lanes that it has locked (decision
 * 401). A lane that would be more than half full is doubled, and the lists with it.
 */
export async function claimStatusEntries(ctx: TxCtx, credentialIds: readonly Id<"crd">[]): Promise<void> {
  if (credentialIds.length === 0) return;
  const wanted = Math.min(lanes, Math.ceil(credentialIds.length / drawsPerLane));
  const locked = await lockLanes(ctx, wanted);
  const drawn = locked.map((lane, i) => draw(lane, Math.floor((credentialIds.length + i) / locked.length)));
  ctx.tx.send(store, [
    ctx.orgId,
    drawn.map(({ lane }) => lane),
    drawn.map(({ capacity }) => capacity),
    drawn.map(({ used }) => used),
    drawn.map(({ taken }) => taken),
    drawn.flatMap(({ indexes }) => indexes),
    credentialIds,
  ]);
}

/** Locks up to `wanted` lanes, in random order, and never fewer than one. */
async function lockLanes(ctx: TxCtx, wanted: number): Promise<Lane[]> {
  const free = await ctx.tx.sql<Lane>(`${randomLanes} SKIP LOCKED`, [ctx.orgId, wanted]);
  if (free.length > 0) return free;
  // Other transactions hold all lanes. Only a transaction without a lane gets here, because its own lanes are free to
  // it. A waiting transaction therefore holds nothing that the others need.
  return ctx.tx.sql<Lane>(randomLanes, [ctx.orgId, 1]);
}

const randomLanes = `
SELECT lane, capacity, used, taken FROM status_lanes WHERE org_id = $1 ORDER BY random() LIMIT $2 FOR UPDATE`;

/** Draws `count` unused indexes of a lane. */
function draw({ lane, capacity: before, used, taken: known }: Lane, count: number): Lane & { indexes: number[] } {
  let capacity = before;
  while ((used + count) * 2 > capacity) capacity *= 2;
  const taken = Buffer.alloc(capacity / 8);
  known.copy(taken);
  const places = Bitstring.over(taken);
  const indexes = Array.from({ length: count }, () => {
    let place = randomInt(capacity);
    // At most half of the indexes are used, so two draws are enough on average.
    while (places.get(place) !== 0) place = randomInt(capacity);
    places.set(place, true);
    return place * lanes + lane;
  });
  return { lane, capacity, used: used + count, taken, indexes };
}

const store = `
WITH drawn AS (
  UPDATE status_lanes l SET capacity = lane.capacity, used = lane.used, taken = lane.taken
  FROM unnest($2::smallint[], $3::int[], $4::int[], $5::bytea[]) AS lane (lane, capacity, used, taken)
  WHERE l.org_id = $1 AND l.lane = lane.lane
)
INSERT INTO status_entries (org_id, index, credential_id) SELECT $1, index, id FROM unnest($6::int[], $7::uuid[]) AS entry (index, id)`;
