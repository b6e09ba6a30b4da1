/**
 * SQL: the ids of the credentials of the organisation `$1` that ended after one time and up to another, earlier than a
 * document of theirs says. The clock ends them: no change is noted before a sweep writes it.
 *
 * @param since SQL of a time
 * @param until SQL of a time
 */
export const endedSince = (since: string, until: string): string =>
  `SELECT id FROM credentials WHERE org_id = $1 AND shortened AND expires_at > ${since} AND expires_at <= ${until}`;
