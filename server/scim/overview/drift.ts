import { opaque } from "@/server/core/opaque";

/** Where a directory and the organisation differ, and why. */
export const driftCauses = {
  /** The directory has them active, and they are not active here. */
  there: [
    /** Active in the directory, inactive here. */
    "inactive",
    /** Named as a member of a group, and never sent as a user. They have no id here. */
    "awaited",
  ],
  /** The directory sent them before and has removed them, and they are active here. */
  gone: [
    /** Their removal waits for approval. */
    "staged",
    /** Deactivated in the directory; the API or a person keeps them active here. */
    "deactivated",
    /** The same for a user whom the directory deleted. */
    "deleted",
  ],
  /** The directory never sent them. */
  never: ["never"],
} as const;

export type DriftSide = keyof typeof driftCauses;
export type DriftCause = (typeof driftCauses)[DriftSide][number];

/** SQL: whether a live connector other than $2 provides the active person `s`. */
const isOthers = `EXISTS (
  SELECT FROM subject_sources other JOIN connectors c ON c.org_id = ${opaque("$1")} AND c.id = other.source_id AND c.deleted_at IS NULL
  WHERE other.org_id = ${opaque("$1")} AND other.subject_id = s.id AND other.source_id <> $2 AND other.missing_since IS NULL AND NOT other.inactive)`;

/**
 * SQL: the people of each side in the columns id, external_id, display_name, cause and since. $1 is the organisation,
 * $2 the connection. People whom another connector provides are not counted as a difference, because they belong to
 * that connector.
 */
export const driftSql: Record<DriftSide, string> = {
  there: `
SELECT s.id, s.external_id, s.display_name, 'inactive' AS cause, s.updated_at AS since
FROM (SELECT subject_id FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL AND active) u
JOIN subjects s ON s.org_id = ${opaque("$1")} AND s.id = u.subject_id AND s.status <> 'active'
UNION ALL
SELECT NULL, value, '', 'awaited', min(created_at) FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND leaving_since IS NULL GROUP BY value`,
  gone: `
SELECT s.id, s.external_id, s.display_name,
  CASE WHEN removal.staged_at IS NOT NULL THEN 'staged' WHEN u.hidden_at IS NOT NULL THEN 'deleted' ELSE 'deactivated' END AS cause,
  coalesce(removal.staged_at, u.updated_at) AS since
FROM (SELECT subject_id, hidden_at, updated_at FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND (hidden_at IS NOT NULL OR NOT active)) u
JOIN subjects s ON s.org_id = ${opaque("$1")} AND s.id = u.subject_id AND s.status = 'active'
LEFT JOIN LATERAL (
  SELECT staged_at FROM scim_removals WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND subject_id = u.subject_id AND group_id IS NULL AND state = 'staged' OFFSET 0
) removal ON true
WHERE NOT ${isOthers}`,
  never: `
SELECT s.id, s.external_id, s.display_name, 'never' AS cause, s.created_at AS since
FROM subjects s
WHERE s.org_id = ${opaque("$1")} AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM scim_users u WHERE u.org_id = ${opaque("$1")} AND u.connector_id = $2 AND u.subject_id = s.id)
  AND NOT ${isOthers}`,
};
