/**
 * SQL: whether a subject has another live source that meets a condition, for connector $3 of organisation $1 (contract
 * section 4). $3 is null in the preview of a connector that does not exist yet. A source is live unless its connector was
 * deleted or no longer lists the subject.
 */
const another = (subject: string, that: string, ofConnector = "") => `EXISTS (
  SELECT FROM subject_sources other WHERE other.org_id = $1 AND other.subject_id = ${subject} AND other.source_id IS DISTINCT FROM $3 ${that}
    AND (other.type IN ('api', 'console') OR EXISTS (
      SELECT FROM connectors c WHERE c.org_id = $1 AND c.id = other.source_id AND c.deleted_at IS NULL AND other.missing_since IS NULL ${ofConnector} OFFSET 0
    )) OFFSET 0)`;

/** SQL: whether another live source provides the subject, whatever status that source gives. */
export const providedElsewhere = (subject: string) => another(subject, "");

/** SQL: whether another live source keeps the subject active although the connector no longer lists them. */
export const keptInAbsence = (subject: string) => another(subject, "AND NOT other.inactive");

/**
 * SQL: whether another live source keeps the subject active although the connector marks them as inactive. A connector with
 * a higher priority number does not: the connector with the lower number decides (docs/decisions/430).
 */
export const keptAgainstStatus = (subject: string) =>
  another(
    subject,
    "AND NOT other.inactive",
    "AND c.priority <= coalesce((SELECT priority FROM connectors WHERE org_id = $1 AND id = $3), 100)",
  );

/**
 * SQL: whether the connector makes the subject active by listing them: they were deactivated because the last feed that
 * kept them active no longer lists them. If that was another feed, no live feed may call them inactive (docs/decisions/610).
 */
export const endedByAbsence = (subject: string) =>
  `EXISTS (SELECT FROM subject_sources gone WHERE gone.org_id = $1 AND gone.subject_id = ${subject} AND gone.ended
    AND (gone.source_id = $3 OR NOT ${another(subject, "AND other.type IN ('connector', 'scim') AND other.inactive")}) OFFSET 0)`;
