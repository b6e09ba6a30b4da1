/**
 * Of a row of access_tokens that has expired: whether it may go. One that was revoked stays while a job that it asked
 * for waits, which must be stopped then (server/access/standing.ts).
 */
export const isForgettable = `(revoked_at IS NULL OR NOT EXISTS (
  SELECT FROM bulk_jobs j WHERE j.org_id = access_tokens.org_id AND j.access_token = access_tokens.hash AND j.state IN ('queued', 'running')))`;
