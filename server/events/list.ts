import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { readAnyId, readId, type Id } from "@/server/core/ids";
import { invalidInput, timestamp, wholeNumber } from "@/server/core/input";
import { severalIdTexts, type Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate, type Range } from "@/server/core/pagination";
import { bodyWithSequence } from "./body";
import { typeFilter } from "./patterns";
import { eventView } from "./view";

const sorts = ["sequence", "-sequence"] as const;

const ofCreated = "RFC 3339. `created` of an event is in Unix seconds: 1795348800 is 2026-11-22T12:00:00Z.";

/**
 * Reads the log, newest first. With `after`, a sequence, it returns the following events in ascending order. To poll
 * without missing an event, call it again with the last sequence seen.
 */
export const listEvents = query({
  name: "events.list",
  scope: "events:read",
  input: z.strictObject({
    type: typeFilter.optional(),
    resourceId: severalIdTexts
      .transform((some) => some.map(readAnyId))
      .optional()
      .meta({
        override: { type: "string" },
        description: "The id of what the events are about; several separated by commas.",
      }),
    relatedTo: severalIdTexts.optional().meta({
      override: { type: "string" },
      description:
        "The id of a subject or template: events about itself, and about its credentials. With the id of anything else, the same as resourceId. Several separated by commas.",
    }),
    actorId: severalIdTexts.optional().meta({
      override: { type: "string" },
      description: "The id of whose doing the events are: a key, a client, a person; several separated by commas.",
    }),
    createdAfter: timestamp.optional().meta({ description: ofCreated }),
    createdBefore: timestamp.optional().meta({ description: ofCreated }),
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({
        override: { type: "integer", minimum: 0 },
        description: "A sequence. The events after it, in order; 0 from the beginning of what is kept.",
      }),
    sort: z
      .enum(sorts)
      .optional()
      .meta({ description: "By place in the log, with - before it newest first: the default but with after." }),
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
  resourceId?: Id[] | undefined;
  actorId?: string[] | undefined;
  related?: Related | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  after?: number | undefined;
}

/** The meaning of relatedTo: events with one of these values in either column. */
interface Related {
  resource_id: Id[] | undefined;
  template_id: Id[] | undefined;
}

/** Most credentials that the subjects of a request may have in all. The events of each are looked up. */
const maxRelated = 10_000;

/**
 * Translates relatedTo into values of columns. A subject has few credentials, so its events are found by their ids. A
 * template can have a million, so events have a column for it.
 */
async function relation(ctx: Ctx, relatedTo: string[]): Promise<Related> {
  const isTemplate = (id: string) => id.startsWith("tpl_");
  const templates = relatedTo.filter(isTemplate).map(readAnyId);
  const others = relatedTo.filter((id) => !isTemplate(id)).map(readAnyId);
  const credentials = await credentialsOf(
    ctx,
    relatedTo.filter((id) => id.startsWith("sub_")).map((id) => readId("sub", id)),
  );
  const unlessEmpty = (ids: Id[]) => (ids.length > 0 ? ids : undefined);
  return { resource_id: unlessEmpty([...others, ...credentials]), template_id: unlessEmpty(templates) };
}

async function credentialsOf(ctx: Ctx, subjects: Id<"sub">[]): Promise<Id<"crd">[]> {
  if (subjects.length === 0) return [];
  const rows = await reading(ctx).sql<{ id: Id<"crd"> }>(
    `SELECT credential.id FROM unnest($2::uuid[]) AS subject (id)
     CROSS JOIN LATERAL (SELECT id FROM credentials WHERE org_id = ${opaque("$1")} AND subject_id = subject.id ORDER BY id DESC LIMIT ${maxRelated + 1}) AS credential LIMIT ${maxRelated + 1}`,
    [ctx.orgId, subjects],
  );
  if (rows.length > maxRelated)
    throw invalidInput([
      {
        pointer: "/relatedTo",
        code: "too_big",
        message: `names people with more than ${maxRelated} credentials in all; name fewer, or ask for credentials by resourceId`,
      },
    ]);
  return rows.map((row) => row.id);
}

interface Row {
  sequence: number;
  body: string;
}

/**
 * Reads a page. If a column is filtered by values, as many events as fit on the page are read for each value, through
 * the column's index, so a rare value is found at once among a million events. If several columns are filtered, only
 * the first one uses its index (the driver); the others filter what it finds.
 */
function fetchEvents(ctx: Ctx, filter: Filter, isAscending: boolean, { after, take, skip }: Range): Promise<Row[]> {
  const { where, drivers, others, parameter, values } = conditions(ctx, filter);
  if (after !== null) where.push(`sequence ${isAscending ? ">" : "<"} ${parameter(Number(after))}`);
  const order = `ORDER BY sequence ${isAscending ? "ASC" : "DESC"}`;
  const [limit, offset] = [`${parameter(take)}::int`, `${parameter(skip)}::int`];
  const log = `SELECT sequence, id FROM event_log WHERE ${[...where, ...others].join(" AND ")}`;
  const of = ({ column, wanted }: Narrowed, before: Narrowed[]) =>
    `SELECT event.* FROM unnest(${wanted}) AS wanted (value)
     CROSS JOIN LATERAL (${[log, `${column} = wanted.value`, ...before.map((each) => `(${isNarrowed(each)}) IS NOT TRUE`)].join(" AND ")} ${order} LIMIT ${limit} + ${offset}) AS event`;
  const found =
    drivers.length > 0
      ? `SELECT sequence, id FROM (${drivers.map((driver, i) => of(driver, drivers.slice(0, i))).join(" UNION ALL ")}) AS each ${order} LIMIT ${limit} OFFSET ${offset}`
      : `${log} ${order} LIMIT ${limit} OFFSET ${offset}`;
  return reading(ctx).sql<Row>(
    `SELECT found.sequence, ${bodyWithSequence("e.body", "found.sequence")} AS body FROM (${found}) AS found
     CROSS JOIN LATERAL (SELECT body FROM events WHERE org_id = ${opaque("$1")} AND id = found.id OFFSET 0) AS e ${order}`,
    values,
    false,
  );
}

async function countEvents(ctx: Ctx, filter: Filter): Promise<number> {
  const { where, drivers, others, values } = conditions(ctx, filter);
  const all = [...where, ...others, ...(drivers.length > 0 ? [`(${drivers.map(isNarrowed).join(" OR ")})`] : [])];
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM event_log WHERE ${all.join(" AND ")}`,
    values,
    false,
  );
  return row!.n;
}

/**
 * A column with an index that returns the events of each value in the order of the log, and the parameter with the
 * wanted values.
 */
interface Narrowed {
  column: "resource_id" | "template_id" | "actor_id" | "type";
  wanted: string;
}

const isNarrowed = ({ column, wanted }: Narrowed) => `${column} = ANY(${wanted})`;

/** @returns `drivers`, of which at least one must be true, and `others` and `where`, which must all be true */
function conditions(ctx: Ctx, { related, resourceId, actorId, type, after, createdAfter, createdBefore }: Filter) {
  const values: unknown[] = [ctx.orgId];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const where = [`org_id = ${opaque("$1")}`];
  if (after !== undefined) where.push(`sequence > ${parameter(after)}`);
  if (createdAfter) where.push(...from(createdAfter, parameter));
  if (createdBefore) where.push(...until(createdBefore, parameter));
  const narrowed = (column: Narrowed["column"], some: unknown[] | undefined, type = "uuid"): Narrowed[] =>
    some ? [{ column, wanted: `${parameter(some)}::${type}[]` }] : [];
  const ofRelated = related
    ? [...narrowed("resource_id", related.resource_id), ...narrowed("template_id", related.template_id)]
    : [];
  const columns = [
    ...narrowed("resource_id", resourceId),
    ...narrowed("actor_id", actorId, "text"),
    ...narrowed("type", type, "text"),
  ];
  const drivers = ofRelated.length > 0 ? ofRelated : columns.slice(0, 1);
  const others = (ofRelated.length > 0 ? columns : columns.slice(1)).map(isNarrowed);
  return { where, drivers, others, parameter, values };
}

// An event is numbered within this time of its creation: neither a transaction nor a standstill of the sequencer lasts
// longer.
const numberedWithinMs = 60 * 60 * 1000;

/**
 * Conditions for createdAfter. All events created at least numberedWithinMs before `at` have lower sequences than those
 * created after it, so the condition on the sequence skips them without reading their times.
 */
function from(at: Date, parameter: Parameter): string[] {
  const before = parameter(new Date(at.getTime() - numberedWithinMs));
  return [
    `created_at > ${parameter(at)}::timestamptz`,
    `sequence > coalesce((SELECT sequence FROM event_log WHERE org_id = ${opaque("$1")} AND created_at <= ${before}::timestamptz ORDER BY created_at DESC LIMIT 1), 0)`,
  ];
}

function until(at: Date, parameter: Parameter): string[] {
  const later = parameter(new Date(at.getTime() + numberedWithinMs));
  return [
    `created_at < ${parameter(at)}::timestamptz`,
    `sequence < coalesce((SELECT sequence FROM event_log WHERE org_id = ${opaque("$1")} AND created_at >= ${later}::timestamptz ORDER BY created_at LIMIT 1), ${Number.MAX_SAFE_INTEGER})`,
  ];
}
