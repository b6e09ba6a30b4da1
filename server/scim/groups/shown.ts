import { opaque } from "@/server/core/opaque";

/**
 * SQL: whether membership `m` (with added_at) of connection $2 is shown to the provider. A membership whose removal
 * waits for approval is hidden, and so are those of a user whose deletion waits. A membership that stays after a
 * deletion, because a person discarded its removal, is shown and can be removed again, although the user is hidden
 * (docs/decisions/521). The inner select looks rows up by person, with OFFSET 0, so that PostgreSQL uses the index.
 */
export const isShown = `NOT EXISTS (
    SELECT FROM (SELECT connector_id, group_id, state, cause, staged_at FROM scim_removals WHERE org_id = ${opaque("$1")} AND subject_id = m.subject_id OFFSET 0) waits
    WHERE waits.connector_id = $2 AND waits.state = 'staged' AND (waits.group_id = m.group_id AND waits.staged_at >= m.added_at OR waits.cause = 'deleted'))`;
