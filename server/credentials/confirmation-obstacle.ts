import { liveStates } from "./states";

/** Why a waiting request to confirm a name cannot be issued at present. */
export const confirmationObstacles = ["inactive", "expired", "held", "revoked"] as const;
export type ConfirmationObstacle = (typeof confirmationObstacles)[number];

/** The facts that decide on the obstacle of a request. */
export interface ObstacleFacts {
  state: string;
  terms: { expiresAt?: unknown; ifExists?: unknown };
  is_active: boolean;
  /** Why the person's credential of the template was revoked after the holder was asked; null if none was. */
  revoked_reason: string | null;
  /** The code of the template's credential that the person holds; null for none. */
  held_code: string | null;
}

/** SQL: the columns of ObstacleFacts, with joinObstacles. */
export const obstacleColumns = `holder.is_active, revoked.reason AS revoked_reason, held.code AS held_code`;

/**
 * SQL: joins the rows against which the request `n` is checked. Requests of repeatable templates have no such
 * obstacles.
 */
export const joinObstacles = `LEFT JOIN LATERAL (
  SELECT coalesce(revocation_reason, '') AS reason FROM credentials c
  WHERE n.state = 'waiting' AND n.exclusive AND c.org_id = n.org_id AND c.subject_id = n.subject_id AND c.template_id = n.template_id AND c.exclusive
    AND c.revoked_at > n.created_at AND c.superseded_by IS NULL
  ORDER BY c.revoked_at DESC LIMIT 1
) revoked ON true
LEFT JOIN LATERAL (
  SELECT code FROM credentials c
  WHERE n.state = 'waiting' AND n.exclusive AND c.org_id = n.org_id AND c.subject_id = n.subject_id AND c.template_id = n.template_id AND c.exclusive
    AND c.state IN (${liveStates.map((state) => `'${state}'`).join(", ")}) AND (c.expires_at IS NULL OR c.expires_at > now())
  LIMIT 1
) held ON true`;

/** @returns why nothing can be issued for a waiting request; null if nothing prevents it or it was decided */
export function obstacleOf(
  { state, terms, is_active, revoked_reason, held_code }: ObstacleFacts,
  now: Date,
): ConfirmationObstacle | null {
  if (state !== "waiting") return null;
  if (revoked_reason !== null) return "revoked";
  if (typeof terms.expiresAt === "string" && Date.parse(terms.expiresAt) <= now.getTime()) return "expired";
  if (held_code !== null && terms.ifExists !== "replace") return "held";
  return is_active ? null : "inactive";
}
