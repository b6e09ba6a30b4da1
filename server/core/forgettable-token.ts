/**
 * SQL: whether an expired row of access_tokens may be removed. A revoked token is kept while a job that it requested is
 * queued or running, because that job must be stopped for the revocation (server/access/standing.ts).
 */
export const isForgettable = `(revoked_at IS NULL OR NOT EXISTS (
  SELECT FROM bulk_jobs j WHERE j.org_id = access_tokens.org_id AND j.access_token = access_tokens.hash AND j.state IN ('queued', 'running')))`;
