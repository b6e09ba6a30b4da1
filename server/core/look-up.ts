import type { Query } from "./db";

/**
 * Runs a statement that finds the organisation of something: a token, a code, a link, a person who is signed in. Only
 * such statements of a request may read a tenant's table without binding org_id. Later statements bind the organisation
 * that it returns. A test refuses it in any file that is not listed in server/testing/tenancy/exceptions.ts.
 *
 * @example const [row] = await lookUp<TokenRow>(sql, "SELECT org_id, id FROM api_keys WHERE hash = $1", [hash]);
 */
export const lookUp = <Row extends object>(query: Query, text: string, values: unknown[]): Promise<Row[]> =>
  query<Row>(text, values);
