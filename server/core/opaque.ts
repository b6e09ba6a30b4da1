/**
 * SQL: hides the value of an organisation's id from PostgreSQL's planner, for `org_id = …` in reads by key outside a
 * transaction (transactions always use generic plans). The planner takes an organisation that is not in its statistics
 * yet for an empty one. Then reading the whole organisation seems cheaper than a look-up by the full key
 * (docs/decisions/143).
 */
export const opaque = (parameter: `$${number}`) => `(SELECT ${parameter}::uuid)`;
