import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";

/**
 * Builds SQL that is true for a user who has a second factor.
 *
 * @param userId the column or parameter that holds the user's id
 */
export const hasFactorSql = (userId: string) =>
  `(EXISTS (SELECT 1 FROM authenticator_apps a WHERE a.user_id = ${userId} AND a.confirmed_at IS NOT NULL) OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${userId}))`;

/** True if the person has an authenticator app or a passkey. */
export async function hasSecondFactor(sql: Query, userId: Id<"usr">): Promise<boolean> {
  const [row] = await sql<{ has: boolean }>(`SELECT ${hasFactorSql("$1")} AS has`, [userId]);
  return row!.has;
}
