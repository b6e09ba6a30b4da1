import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";

/** A person on record in one organisation. */
export interface PersonOf {
  orgId: Id<"org">;
  id: Id<"sub">;
  /** Whether the address belongs to no other person of the organisation. */
  isAlone: boolean;
}

/** As many as a page can show. */
const most = 50;

/** The people whom a proven address leads to: by the record's address, or by one that they added (decision 467). */
export const peopleOf = (query: Query, email: string): Promise<PersonOf[]> =>
  lookUp<PersonOf>(query, ofAddress, [email, most]);

const ofAddress = `
SELECT "orgId", id, count(*) OVER (PARTITION BY "orgId") = 1 AS "isAlone" FROM (
  SELECT org_id AS "orgId", id FROM subjects WHERE lower(email) = $1 AND erased_at IS NULL
  UNION SELECT s.org_id, s.id FROM holder_addresses a JOIN subjects s ON s.org_id = a.org_id AND s.id = a.subject_id WHERE a.email = $1 AND s.erased_at IS NULL
) people ORDER BY "orgId", id LIMIT $2`;
