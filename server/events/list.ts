import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id, wholeNumber } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { typeFilter } from "./patterns";
import { eventView } from "./view";

/**
 * Reads the log. With `after`, a sequence, it gives what follows in order, which is how to poll: ask again with the last sequence
 * seen, and nothing is missed. Without it, newest first.
 */
export const listEvents = query({
  name: "events.list",
  scope: "events:read",
  input: z.strictObject({
    type: typeFilter.optional(),
    resourceId: id.optional().meta({ description: "The id of what the events are about." }),
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ override: { type: "integer", minimum: 0 }, description: "A sequence. The events after it, in order; 0 from the beginning of what is kept." }),
    ...page,
  }),
  async run(ctx, input) {
    const filter = { types: input.type, resourceId: input.resourceId, ascending: input.after !== undefined };
    const found = await paginate(input, {
      binding: [ctx.orgId, "events", filter, input.after],
      fetch: ({ after, take, skip }) => fetchEvents(ctx, { ...filter, after: after === null ? input.after : Number(after), take, skip }),
      count: () => countEvents(ctx, { ...filter, after: input.after }),
      keyOf: (row) => String(row.sequence),
    });
    return { ...found, data: found.data.map(eventView) };
  },
});

interface Filter {
  types?: string[] | undefined;
  resourceId?: string | undefined;
  ascending: boolean;
  after?: number | undefined;
}

interface Row {
  sequence: number;
  body: string;
}

function fetchEvents(ctx: Ctx, { types, take, skip, ...filter }: Filter & { take: number; skip: number }): Promise<Row[]> {
  const { where, values } = conditions(ctx, filter);
  const order = `ORDER BY sequence ${filter.ascending ? "ASC" : "DESC"}`;
  const [limit, offset] = [`$${values.push(take)}::bigint`, `$${values.push(skip)}::bigint`];
  const log = `SELECT sequence, body FROM events WHERE ${where.join(" AND ")}`;
  if (!types) return reading(ctx).sql<Row>(`${log} ${order} LIMIT ${limit} OFFSET ${offset}`, values, false);
  // Of each type as many as the page can hold, by index, so that a rare one is found at once among a million others.
  return reading(ctx).sql<Row>(
    `SELECT sequence, body FROM unnest($${values.push(types)}::text[]) AS wanted (type)
     CROSS JOIN LATERAL (${log} AND type = wanted.type ${order} LIMIT ${limit} + ${offset}) AS event
     ${order} LIMIT ${limit} OFFSET ${offset}`,
    values,
    false,
  );
}

async function countEvents(ctx: Ctx, filter: Filter): Promise<number> {
  const { where, values } = conditions(ctx, filter);
  if (filter.types) where.push(`type = ANY($${values.push(filter.types)})`);
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM events WHERE ${where.join(" AND ")}`, values, false);
  return row!.n;
}

function conditions(ctx: Ctx, { resourceId, ascending, after }: Filter): { where: string[]; values: unknown[] } {
  const values: unknown[] = [ctx.orgId];
  const where = [`org_id = ${opaque("$1")}`, "sequence IS NOT NULL"];
  if (resourceId !== undefined) where.push(`resource_id = $${values.push(resourceId)}`);
  if (after !== undefined) where.push(`sequence ${ascending ? ">" : "<"} $${values.push(after)}`);
  return { where, values };
}
