import type { Query } from "./db";

/**
 * Runs the statement that finds out which organisation something belongs to: a token, a code, a link, a person who is
 * signed in. It is the one kind of statement of a request that names a tenant's table and cannot bind org_id. What it
 * returns is bound from then on. A test refuses it in any file that server/testing/tenancy/exceptions.ts does not list.
 *
 * @example const [row] = await lookUp<TokenRow>(sql, "SELECT org_id, id FROM api_keys WHERE hash = $1", [hash]);
 */
export const lookUp = <Row extends object>(query: Query, text: string, values: unknown[]): Promise<Row[]> =>
  query<Row>(text, values);
