import { beforeAll } from "vitest";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import type { Directory } from "./directory";
import { directory, openDirectory, w } from "./opened";

/** The ids of four users of the directory, sorted. */
export let people: string[];

/** Opens a directory with four users for the tests of a file. */
export function openDirectoryOfFour(): void {
  openDirectory();
  beforeAll(async () => {
    people = [];
    for (let n = 0; n < 4; n++) people.push((await directory.user(`m-${n}@example.org`, { externalId: `m-${n}` })).id);
    people.sort();
  });
}

export const values = (ids: string[]) => ids.map((value) => ({ value }));
export const typesSince = async (n: number) => (await eventsOf(w.orgId)).slice(n).map(({ type }) => type);
export const eventCount = async () => (await eventsOf(w.orgId)).length;

/** Lists groups by a query string. */
export const list = async (query: string) =>
  (await directory.scim("GET", `/Groups?${query}`)).json<{
    totalResults: number;
    startIndex: number;
    itemsPerPage: number;
    Resources: { id: string; displayName: string; members?: unknown[] }[];
  }>();

/** The ids of the groups that a filter finds. */
export const find = async (filter: string) =>
  (await list(`filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }) => id);

/** Creates users l-1, l-2, … of a directory without other users, without a request for each. */
export async function provide(of: Directory, n: number): Promise<void> {
  await sql(
    `WITH made AS (INSERT INTO subjects (org_id, id, external_id, display_name) SELECT $1, uuidv7(), 'l-' || n, 'L' FROM generate_series(1, $2::int) AS n RETURNING id, external_id)
     INSERT INTO scim_users (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
     SELECT $1, (SELECT id FROM connectors WHERE org_id = $1), id, external_id, external_id, true, '{}', '{}', now(), now() FROM made`,
    [of.world.orgId, n],
  );
  // As the service does itself when its tables have grown.
  await sql("ANALYZE scim_users");
}
