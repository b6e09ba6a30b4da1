import type { Query } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import type { Id } from "@/server/core/ids";

/** Returns how an organisation writes dates. */
export async function regionOf(sql: Query, orgId: Id<"org">): Promise<Region> {
  const [region] = await sql<Region>(`SELECT time_zone AS "timeZone", locale FROM organisations WHERE id = $1`, [
    orgId,
  ]);
  return region!;
}
