import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";

/** A person on record in an organisation, found by address. */
export interface FoundPerson {
  orgId: Id<"org">;
  id: Id<"sub">;
  /** Whether no other person of the organisation has the address. */
  isOnlyOne: boolean;
}

/** As many people as the page can show. */
const most = 50;

/** Finds the people who have a proven address on record, or added it themselves, in all organisations (decision 467). */
export const findPeopleWithAddress = (query: Query, email: string): Promise<FoundPerson[]> =>
  lookUp<FoundPerson>(query, ofAddress, [email, most]);

const ofAddress = `
SELECT "orgId", id, count(*) OVER (PARTITION BY "orgId") = 1 AS "isOnlyOne" FROM (
  SELECT org_id AS "orgId", id FROM subjects WHERE lower(email) = $1 AND erased_at IS NULL
  UNION SELECT s.org_id, s.id FROM holder_addresses a JOIN subjects s ON s.org_id = a.org_id AND s.id = a.subject_id WHERE a.email = $1 AND s.erased_at IS NULL
) people ORDER BY "orgId", id LIMIT $2`;
