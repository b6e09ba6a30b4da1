import { opaque } from "@/server/core/opaque";

/**
 * SQL: whether membership `m` of connection $2 is shown to the provider. One whose removal waits for a person is not,
 * and neither is that of a user whom the provider deleted. The inner
 * selects look rows up by person, with OFFSET 0, so that the planner keeps to the index.
 */
export const isShown = `NOT EXISTS (
    SELECT FROM (SELECT connector_id, group_id, state FROM scim_removals WHERE org_id = ${opaque("$1")} AND subject_id = m.subject_id OFFSET 0) waits
    WHERE waits.connector_id = $2 AND waits.group_id = m.group_id AND waits.state = 'staged')
  AND NOT EXISTS (
    SELECT FROM (SELECT connector_id, hidden_at FROM scim_users WHERE org_id = ${opaque("$1")} AND subject_id = m.subject_id OFFSET 0) u
    WHERE u.connector_id = $2 AND u.hidden_at IS NOT NULL)`;
