// SQL on what an upsert makes of a subject, for the statement that writes subjects (write.ts) and for those that only ask
// whether it would.

/**
 * SQL: the values of a new subject, as columns.
 *
 * @param sent SQL of the sent fields, a JSON object as UpsertInput without externalId
 */
export const newValues = (sent: string) =>
  `coalesce(${sent} ->> 'displayName', '') AS display_name, nullif(${sent} ->> 'email', '') AS email, coalesce(${sent} ->> 'status', 'active') AS status,
    CASE WHEN NOT ${sent} ? 'attributes' THEN '{}' WHEN ${sent} ->> 'attributesMode' = 'replace' THEN ${sent} -> 'attributes' ELSE merge_attributes('{}', ${sent} -> 'attributes') END AS attributes`;

/**
 * SQL: the next values of a subject `s`.
 *
 * @param sent SQL of the sent fields
 * @param to the row of the values they would have in a new subject (newValues)
 */
export const nextValues = (sent: string, to: string) => ({
  display_name: `CASE WHEN ${sent} ? 'displayName' THEN ${to}.display_name ELSE s.display_name END`,
  email: `CASE WHEN ${sent} ? 'email' THEN ${to}.email ELSE s.email END`,
  status: `CASE WHEN ${sent} ? 'status' THEN ${to}.status ELSE s.status END`,
  attributes: `CASE WHEN NOT ${sent} ? 'attributes' THEN s.attributes
    WHEN ${sent} ->> 'attributesMode' = 'replace' THEN ${to}.attributes
    ELSE merge_attributes(s.attributes, ${sent} -> 'attributes') END`,
});

/** SQL: whether a subject `s` has other values than these. */
export const differs = (next: ReturnType<typeof nextValues>) =>
  `(s.display_name, s.email, s.status, s.attributes) IS DISTINCT FROM (${next.display_name}, ${next.email}, ${next.status}, ${next.attributes})`;
