/**
 * SQL: whether an expired row of access_tokens may be removed. A revoked token is kept while a job or a run that it
 * requested is queued or running, because that work must be stopped for the revocation (server/access/standing.ts).
 */
export const isForgettable = `(revoked_at IS NULL OR NOT EXISTS (
  SELECT FROM bulk_jobs j WHERE j.org_id = access_tokens.org_id AND j.access_token = access_tokens.hash AND j.state IN ('queued', 'running')
  UNION ALL
  SELECT FROM connector_runs r WHERE r.org_id = access_tokens.org_id AND r.access_token = access_tokens.hash AND r.status IN ('queued', 'running')
  UNION ALL
  SELECT FROM photo_imports i WHERE i.org_id = access_tokens.org_id AND i.access_token = access_tokens.hash AND i.status IN ('queued', 'running')
  UNION ALL
  SELECT FROM policy_runs p WHERE p.org_id = access_tokens.org_id AND p.access_token = access_tokens.hash AND p.status IN ('running', 'waiting')))`;
