import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { withTimeBounds } from "@/server/core/list-filters";
import { query, requireScope } from "@/server/core/operation";
import { page, paginate, type PageInput, type Range } from "@/server/core/pagination";
import { orderBy, sortBy, type Order, type Sorted } from "@/server/core/sorting";
import { loadSubject } from "@/server/subjects/load";
import { conditions, credentialFilters, credentialSorts, isPlannedAnew, type CredentialFilter } from "./filter";
import { credentialColumns, credentialView, joinSubject, type CredentialRow } from "./view";

const sort = sortBy(
  credentialSorts,
  "Newest first unless sent. By issuedAt, a pending one stands where it will be issued; by expiresAt, one that never expires stands behind all that do.",
);

/**
 * Lists credentials, newest first. `state` is the present state, not the one last written. Searching by person (q,
 * externalId) also takes the scope subjects:read.
 */
export const listCredentials = query({
  name: "credentials.list",
  scope: "credentials:read",
  input: z.strictObject({ ...credentialFilters, sort, ...page }),
  async run(ctx, { limit, cursor, offset, sort, ...filter }) {
    // These filters read people's records: without the scope, a name or address could be guessed letter by letter.
    if (filter.q || filter.externalId) requireScope(ctx, "subjects:read");
    return find(ctx, filter, sort, { limit, cursor, offset });
  },
});

const { subjectId: _, externalId: __, q: ___, ...filtersOfSubject } = credentialFilters;

/** Lists the credentials of one subject. @throws DomainError not_found if the subject does not exist. */
export const listCredentialsOfSubject = query({
  name: "subjects.credentials",
  scope: "credentials:read",
  input: z.strictObject({ id: id("sub"), ...filtersOfSubject, sort, ...page }),
  async run(ctx, { id, limit, cursor, offset, sort, ...filter }) {
    const subject = await loadSubject(ctx, id);
    return find(ctx, { ...filter, subjectId: [subject.id] }, sort, { limit, cursor, offset });
  },
});

export function orderOfCredentials(sort: string | undefined, { updatedAfter, updatedBefore }: CredentialFilter): Order {
  return orderBy(sort ?? ((updatedAfter ?? updatedBefore) ? "-updatedAt" : "-createdAt"), credentialSorts, "c.");
}

async function find(ctx: Ctx, filter: CredentialFilter, sort: string | undefined, range: PageInput) {
  const order = orderOfCredentials(sort, filter);
  const asked = await withTimeBounds(ctx.orgId, "credentials", filter);
  const found = await paginate(range, {
    binding: [ctx.orgId, "credentials", order.by, filter],
    fetch: (page) => fetchCredentials(ctx, asked, order, page),
    count: () => countMatching(ctx, asked),
    keyOf: order.keyOf,
  });
  return { ...found, data: found.data.map((row) => credentialView(row, ctx.now)) };
}

/** Fetches a page of credentials. */
export function fetchCredentials(
  ctx: Ctx,
  filter: CredentialFilter,
  order: Order,
  { after, take, skip }: Range,
): Promise<(CredentialRow & Sorted)[]> {
  const { where, written, due, parameter, values } = conditions(ctx, filter, { order, after });
  const select = (predicate: string, rest: string) =>
    `(SELECT * FROM credentials c WHERE ${where} AND ${predicate} ${rest})`;
  const limit = parameter(take + skip);
  const rows = [
    ...(written.length > 0 ? written : ["TRUE"]).map((predicate) =>
      select(predicate, `ORDER BY ${order.by} LIMIT ${limit}`),
    ),
    // OFFSET 0 prevents PostgreSQL from scanning all credentials in the order of the list to find these few.
    ...due.map((predicate) => select(predicate, "OFFSET 0")),
  ];
  return reading(ctx).sql(
    `SELECT ${credentialColumns}${order.select}
     FROM (SELECT * FROM (${rows.join(" UNION ALL ")}) AS c ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}) AS c
     ${joinSubject} ORDER BY ${order.by}`,
    values,
    !isPlannedAnew(filter),
  );
}

/** Counts the credentials that match a filter. */
export async function countMatching(ctx: Ctx, filter: CredentialFilter): Promise<number> {
  const { where, written, due, values } = conditions(ctx, filter);
  const either = (written.length > 0 ? [...written, ...due] : ["TRUE"])
    .map((predicate) => `(${predicate})`)
    .join(" OR ");
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM credentials c WHERE ${where} AND (${either})`,
    values,
    !isPlannedAnew(filter),
  );
  return row!.n;
}
