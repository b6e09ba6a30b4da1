import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import type { Role } from "./roles";

/** An organisation that a person belongs to. */
export interface MembershipOf {
  orgId: Id<"org">;
  name: string;
  slug: string;
  /** An IANA time zone and a BCP 47 locale: how the organisation writes dates. */
  timeZone: string;
  locale: string;
  role: Role;
  /** If true, people without a second factor can do nothing in this organisation but set one up. */
  requiresSecondFactor: boolean;
  /** True while the operator has suspended the organisation: nobody can work in it. */
  suspended: boolean;
}

/**
 * Lists the organisations of a person, first joined first. This query finds the organisations, so it does not bind
 * org_id.
 */
export function membershipsOf(sql: Query, userId: Id<"usr">): Promise<MembershipOf[]> {
  return lookUp<MembershipOf>(
    sql,
    `SELECT m.org_id AS "orgId", o.name, o.slug, o.time_zone AS "timeZone", o.locale, m.role, o.require_second_factor AS "requiresSecondFactor", o.suspended_at IS NOT NULL AS suspended FROM memberships m JOIN organisations o ON o.id = m.org_id
     WHERE m.user_id = $1 ORDER BY m.id`,
    [userId],
  );
}
