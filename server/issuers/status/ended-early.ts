/**
 * SQL: the ids of credentials of the organisation `$1` that ended after one time and up to another, earlier than one of
 * their documents says. They end by the clock: no change is recorded before a sweep writes it.
 *
 * @param since SQL of a time
 * @param until SQL of a time
 */
export const endedSince = (since: string, until: string): string =>
  `SELECT id FROM credentials WHERE org_id = $1 AND shortened AND expires_at > ${since} AND expires_at <= ${until}`;
