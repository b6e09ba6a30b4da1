import type { Query } from "@/server/core/db";
import { createdBounds, type CreatedBounds } from "@/server/core/created-bounds";
import type { Id } from "@/server/core/ids";
import { createdWithin, isAmong } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import type { Range } from "@/server/core/pagination";
import { eventTypes } from "@/server/events/catalogue";
import type { deliveryStatuses } from "./delivery-states";
import { deliveryColumns, type DeliveryRow } from "./delivery-view";

/** Filters of a list of deliveries. With several values of one filter, a delivery must match any of them. */
export interface DeliveryFilter {
  endpointId?: Id<"whe">[] | undefined;
  status?: DeliveryStatus[] | undefined;
  type?: string[] | undefined;
  eventId?: Id<"evt">[] | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

/** A filter with the range of ids that holds the rows created in its time range. */
type Bounded = DeliveryFilter & { bounds: CreatedBounds };

type DeliveryStatus = (typeof deliveryStatuses)[number];

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Rows to scan among the newest deliveries, per row of the page, before falling back to an index lookup per endpoint.
 */
const lookedThrough = 40;

/**
 * Returns a page of an organisation's deliveries, newest first. Common values are found by scanning the newest rows,
 * rare ones by an index, so the rows read grow with the page and its offset and not with the log. Exception: all
 * pending deliveries that match are read, because no index holds them by age; this costs when a backlog is older than
 * other deliveries.
 */
export async function findDeliveries(
  sql: Query,
  orgId: Id<"org">,
  asked: DeliveryFilter,
  range: Range,
): Promise<DeliveryRow[]> {
  const filter = { ...asked, bounds: await createdBounds(orgId, "webhook_deliveries", asked, sql) };
  // Plan each query anew: the best index depends on the filters and on how common their values are.
  const read = ({ text, values }: Statement) => sql<DeliveryRow>(text, values, false);
  const { endpointId, eventId, status, type } = filter;
  if (eventId !== undefined) return read(ofEvents(orgId, filter, eventId, range));
  if (status !== undefined && !status.includes("succeeded")) {
    const statement = ofRareStatuses(orgId, filter, status, range);
    return status.includes("pending") ? ofNewestOr(statement) : read(statement);
  }
  // Nearly all deliveries match.
  if (endpointId === undefined && type === undefined) return read(inOrder(orgId, filter, range));
  const statement = ofEach(orgId, filter, range);
  return endpointId?.length === 1 ? read(statement) : ofNewestOr(statement);

  async function ofNewestOr(statement: Statement): Promise<DeliveryRow[]> {
    const found = await read(amongNewest(orgId, filter, range));
    return found.length === range.take ? found : read(statement);
  }
}

/** Counts the matching deliveries. Reads all of them, which takes about 0.2 s for a million. */
export async function countDeliveries(sql: Query, orgId: Id<"org">, asked: DeliveryFilter): Promise<number> {
  const filter = { ...asked, bounds: await createdBounds(orgId, "webhook_deliveries", asked, sql) };
  const { values, bind } = parameters(orgId);
  const where = ["org_id = $1", ...conditions(filter, bind), ...sameEndpointAndType(filter, bind)];
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM webhook_deliveries WHERE ${where.join(" AND ")}`,
    values,
    false,
  );
  return row!.n;
}

function inOrder(orgId: Id<"org">, filter: Bounded, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const where = ["org_id = $1", ...narrowing(filter, range, bind)];
  return {
    text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${where.join(" AND ")} ${slice(range, bind)}`,
    values,
  };
}

/** Finds deliveries by event. An event has few deliveries, so all of them are read. */
function ofEvents(orgId: Id<"org">, filter: Bounded, eventId: Id<"evt">[], range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const where = [
    `org_id = ${opaque("$1")}`,
    "event_id = wanted.id",
    ...narrowing({ ...filter, eventId: undefined }, range, bind),
    ...sameEndpointAndType(filter, bind),
  ];
  const found = `SELECT id FROM webhook_deliveries WHERE ${where.join(" AND ")} OFFSET 0`;
  return those(
    `SELECT found.id FROM unnest(${bind(eventId)}::uuid[]) AS wanted (id) CROSS JOIN LATERAL (${found}) AS found ${slice(range, bind)}`,
    values,
  );
}

/**
 * Finds each status by its own index. The indexes of all statuses but pending are ordered by age, so no more rows are
 * read than the page can hold.
 */
function ofRareStatuses(orgId: Id<"org">, filter: Bounded, statuses: DeliveryStatus[], range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const newest = () => `ORDER BY id DESC LIMIT ${bind(range.take + range.skip)}::bigint`;
  const each = statuses.map((status) => {
    const where = [
      ...narrowing({ ...filter, status: [status] }, range, bind),
      ...sameEndpointAndType({ type: filter.type }, bind),
    ];
    if (status !== "pending" && filter.endpointId === undefined)
      return `SELECT id FROM webhook_deliveries WHERE ${["org_id = $1", ...where].join(" AND ")} ${newest()}`;
    // OFFSET 0 keeps PostgreSQL from searching pending rows in id order, which would read every later delivery.
    const found = `SELECT id FROM webhook_deliveries WHERE ${["endpoint_id = endpoint.id", ...where].join(" AND ")} ${status === "pending" ? "OFFSET 0" : newest()}`;
    return `SELECT found.id FROM (${endpoints(filter, bind)}) AS endpoint CROSS JOIN LATERAL (${found}) AS found`;
  });
  return those(
    `SELECT id FROM (${each.map((ids) => `(${ids})`).join(" UNION ALL ")}) AS found ${slice(range, bind)}`,
    values,
  );
}

function amongNewest(
  orgId: Id<"org">,
  { createdAfter, createdBefore, bounds, ...filter }: Bounded,
  range: Range,
): Statement {
  const { values, bind } = parameters(orgId);
  const most = bind(lookedThrough * (range.take + range.skip));
  const newest = `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${["org_id = $1", ...narrowing({ createdAfter, createdBefore, bounds }, range, bind)].join(" AND ")} ORDER BY id DESC LIMIT ${most}::bigint`;
  const where = [...conditions({ ...filter, bounds: {} }, bind), ...sameEndpointAndType(filter, bind)];
  return { text: `SELECT * FROM (${newest}) AS newest WHERE ${where.join(" AND ")} ${slice(range, bind)}`, values };
}

/**
 * Takes the newest deliveries of each endpoint and type, as many as the page can hold, and builds the page from them.
 * Finds a rare type quickly among a million others.
 */
function ofEach(orgId: Id<"org">, filter: Bounded, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const most = bind(range.take + range.skip);
  // The endpoint belongs to one organisation, and so do its deliveries: without org_id, an index-only scan often
  // suffices.
  const where = ["endpoint_id = endpoint.id", "event_type = wanted.type", ...narrowing(filter, range, bind)];
  const newest = `SELECT id FROM webhook_deliveries WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${most}::bigint`;
  const wanted = `unnest(${bind(filter.type ?? eventTypes)}::text[]) AS wanted (type)`;
  return those(
    `SELECT newest.id FROM (${endpoints(filter, bind)}) AS endpoint CROSS JOIN ${wanted} CROSS JOIN LATERAL (${newest}) AS newest ${slice(range, bind)}`,
    values,
  );
}

/** Selects the deliveries of organisation $1 with the ids of the subquery `ids`. */
function those(ids: string, values: unknown[]): Statement {
  return {
    text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE org_id = $1 AND id = ANY(ARRAY(${ids})) ORDER BY id DESC`,
    values,
  };
}

type Bind = (value: unknown) => string;

function parameters(orgId: Id<"org">): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [orgId];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const endpoints = ({ endpointId }: DeliveryFilter, bind: Bind) =>
  `SELECT id FROM webhook_endpoints WHERE org_id = $1${endpointId === undefined ? "" : ` AND ${isAmong("id", "uuid", endpointId, bind)}`}`;

const narrowing = (filter: Bounded, { after }: Range, bind: Bind) => [
  ...conditions(filter, bind),
  ...(after === null ? [] : [`id < ${bind(after)}::uuid`]),
];

const slice = ({ take, skip }: Range, bind: Bind) =>
  `ORDER BY id DESC LIMIT ${bind(take)}::int OFFSET ${bind(skip)}::int`;

function sameEndpointAndType({ endpointId, type }: DeliveryFilter, bind: Bind): string[] {
  return [
    ...(endpointId === undefined ? [] : [isAmong("endpoint_id", "uuid", endpointId, bind)]),
    ...(type === undefined ? [] : [`event_type = ANY(${bind(type)})`]),
  ];
}

function conditions({ status, eventId, ...times }: Bounded, bind: Bind): string[] {
  const where: string[] = [];
  // Literals instead of parameters, so that PostgreSQL can use the partial indexes for these statuses.
  if (status !== undefined) where.push(`status IN (${status.map((each) => `'${each}'`).join(", ")})`);
  if (eventId !== undefined) where.push(isAmong("event_id", "uuid", eventId, bind));
  where.push(...createdWithin("", times, bind));
  return where;
}
