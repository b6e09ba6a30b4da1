import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id, timestamp, wholeNumber } from "@/server/core/input";
import { severalIds, type Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate, type Range } from "@/server/core/pagination";
import { typeFilter } from "./patterns";
import { eventView } from "./view";

const sorts = ["sequence", "-sequence"] as const;

/**
 * Reads the log. With `after`, a sequence, it gives what follows in order, which is how to poll: ask again with the last sequence
 * seen, and nothing is missed. Without it, newest first.
 */
export const listEvents = query({
  name: "events.list",
  scope: "events:read",
  input: z.strictObject({
    type: typeFilter.optional(),
    resourceId: severalIds.optional().meta({ override: { type: "string" }, description: "The id of what the events are about; several separated by commas." }),
    relatedTo: id.optional().meta({ description: "The id of a subject or template: what is about itself, and about the credentials of it. Of anything else, as resourceId." }),
    actorId: severalIds.optional().meta({ override: { type: "string" }, description: "The id of whose doing the events are: a key, a client, a person; several separated by commas." }),
    createdAfter: timestamp.optional(),
    createdBefore: timestamp.optional(),
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ override: { type: "integer", minimum: 0 }, description: "A sequence. The events after it, in order; 0 from the beginning of what is kept." }),
    sort: z.enum(sorts).optional().meta({ description: "By place in the log, with - before it newest first: the default but with after." }),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, relatedTo, sort, ...named } = input;
    const isAscending = (sort ?? (input.after === undefined ? "-sequence" : "sequence")) === "sequence";
    const filter: Filter = { ...named, related: relatedTo === undefined ? undefined : await relation(ctx, relatedTo) };
    const found = await paginate(input, {
      binding: [ctx.orgId, "events", isAscending, relatedTo, named],
      fetch: (range) => fetchEvents(ctx, filter, isAscending, range),
      count: () => countEvents(ctx, filter),
      keyOf: (row) => String(row.sequence),
    });
    return { ...found, data: found.data.map(eventView) };
  },
});

interface Filter {
  type?: string[] | undefined;
  resourceId?: string[] | undefined;
  actorId?: string[] | undefined;
  related?: Related | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  after?: number | undefined;
}

/** Values of a column, each with an index that gives its events in the order of the log. */
interface Related {
  column: "resource_id" | "template_id";
  values: string[];
}

const maxRelated = 1000;

/** A subject has few credentials, so their ids find its events; a template can have a million, so its events name it. */
async function relation(ctx: Ctx, relatedTo: string): Promise<Related> {
  if (relatedTo.startsWith("tpl_")) return { column: "template_id", values: [relatedTo] };
  if (!relatedTo.startsWith("sub_")) return { column: "resource_id", values: [relatedTo] };
  const credentials = await reading(ctx).sql<{ id: string }>(`SELECT id FROM credentials WHERE org_id = ${opaque("$1")} AND subject_id = $2 ORDER BY id DESC LIMIT ${maxRelated}`, [ctx.orgId, relatedTo]);
  return { column: "resource_id", values: [relatedTo, ...credentials.map((row) => row.id)] };
}

interface Row {
  sequence: number;
  body: string;
}

/**
 * What is narrowed to some values of a column takes of each value as many events as the page can hold, by its index, so that a rare one
 * is found at once among a million others. Where several columns are narrowed, the first of these drives, and the others are asked of what it finds.
 */
function fetchEvents(ctx: Ctx, filter: Filter, isAscending: boolean, { after, take, skip }: Range): Promise<Row[]> {
  const { where, columns, parameter, values } = conditions(ctx, filter);
  if (after !== null) where.push(`sequence ${isAscending ? ">" : "<"} ${parameter(Number(after))}`);
  const order = `ORDER BY sequence ${isAscending ? "ASC" : "DESC"}`;
  const [limit, offset] = [`${parameter(take)}::int`, `${parameter(skip)}::int`];
  const [driver, ...others] = columns;
  const log = `SELECT sequence, body FROM events WHERE ${[...where, ...others.map(({ column, wanted }) => `${column} = ANY(${wanted})`)].join(" AND ")}`;
  return reading(ctx).sql<Row>(
    driver
      ? `SELECT sequence, body FROM unnest(${driver.wanted}) AS wanted (value)
         CROSS JOIN LATERAL (${log} AND ${driver.column} = wanted.value ${order} LIMIT ${limit} + ${offset}) AS event
         ${order} LIMIT ${limit} OFFSET ${offset}`
      : `${log} ${order} LIMIT ${limit} OFFSET ${offset}`,
    values,
    false,
  );
}

async function countEvents(ctx: Ctx, filter: Filter): Promise<number> {
  const { where, columns, values } = conditions(ctx, filter);
  const all = [...where, ...columns.map(({ column, wanted }) => `${column} = ANY(${wanted})`)];
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM events WHERE ${all.join(" AND ")}`, values, false);
  return row!.n;
}

function conditions(ctx: Ctx, { related, resourceId, actorId, type, after, createdAfter, createdBefore }: Filter) {
  const values: unknown[] = [ctx.orgId];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const where = [`org_id = ${opaque("$1")}`, "sequence IS NOT NULL"];
  if (after !== undefined) where.push(`sequence > ${parameter(after)}`);
  if (createdAfter) where.push(...from(createdAfter, parameter));
  if (createdBefore) where.push(...until(createdBefore, parameter));
  const narrowed = [related, { column: "resource_id", values: resourceId }, { column: "actor_id", values: actorId }, { column: "type", values: type }];
  const columns = narrowed.flatMap((each) => (each?.values ? [{ column: each.column, wanted: `${parameter(each.values)}::text[]` }] : []));
  return { where, columns, parameter, values };
}

// An event is numbered within this time of its creation: a transaction does not last longer, nor does the sequencer stand still longer.
const numberedWithinMs = 60 * 60 * 1000;

/** What was created well before an instant has a lower number than all that was created after it. */
function from(at: Date, parameter: Parameter): string[] {
  const before = parameter(new Date(at.getTime() - numberedWithinMs));
  return [
    `created_at > ${parameter(at)}::timestamptz`,
    `sequence > coalesce((SELECT sequence FROM events WHERE org_id = ${opaque("$1")} AND sequence IS NOT NULL AND created_at <= ${before}::timestamptz ORDER BY created_at DESC LIMIT 1), 0)`,
  ];
}

function until(at: Date, parameter: Parameter): string[] {
  const later = parameter(new Date(at.getTime() + numberedWithinMs));
  return [
    `created_at < ${parameter(at)}::timestamptz`,
    `sequence < coalesce((SELECT sequence FROM events WHERE org_id = ${opaque("$1")} AND sequence IS NOT NULL AND created_at >= ${later}::timestamptz ORDER BY created_at LIMIT 1), ${Number.MAX_SAFE_INTEGER})`,
  ];
}
