import type { Query } from "@/server/core/db";
import type { Region } from "@/server/core/dates";

/** How an organisation writes dates. */
export async function regionOf(sql: Query, orgId: string): Promise<Region> {
  const [region] = await sql<Region>(`SELECT time_zone AS "timeZone", locale FROM organisations WHERE id = $1`, [orgId]);
  return region!;
}
