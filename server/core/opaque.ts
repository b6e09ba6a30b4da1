/**
 * The id of an organisation as a parameter that PostgreSQL does not look at when it plans, for `org_id = …` in reads by
 * key outside a transaction (inside one, no parameter is looked at). It takes an organisation that its statistics do
 * not know yet for an empty one; reading all of it then seems cheaper than a look-up by the whole key
 * (docs/decisions/143).
 */
export const opaque = (parameter: `$${number}`) => `(SELECT ${parameter}::uuid)`;
