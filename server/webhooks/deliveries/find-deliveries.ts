import type { Query } from "@/server/core/db";
import { createdBounds, type CreatedBounds } from "@/server/core/created-bounds";
import type { Id } from "@/server/core/ids";
import { createdWithin, isAmong } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import type { Range } from "@/server/core/pagination";
import { eventTypes } from "@/server/events/catalogue";
import type { deliveryStatuses } from "./delivery-states";
import { deliveryColumns, type DeliveryRow } from "./delivery-view";

/** What a list of deliveries is narrowed by. Of several values of one filter, any may hold. */
export interface DeliveryFilter {
  endpointId?: Id<"whe">[] | undefined;
  status?: DeliveryStatus[] | undefined;
  type?: string[] | undefined;
  eventId?: Id<"evt">[] | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

/** With the ids that bound what was created in a time. */
type Bounded = DeliveryFilter & { bounds: CreatedBounds };

type DeliveryStatus = (typeof deliveryStatuses)[number];

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * How many of the newest deliveries are looked through for each one that the page takes, before each endpoint is asked
 * by an index.
 */
const lookedThrough = 40;

/**
 * A page of an organisation's deliveries, newest first. Common ones are found by scanning the newest, rare ones by an
 * index. So the rows read grow with the page and what it skips, and not with the log. The exception is a backlog that
 * is older than other deliveries: all of what is pending is read, since no index holds it by age.
 */
export async function findDeliveries(
  sql: Query,
  orgId: Id<"org">,
  asked: DeliveryFilter,
  range: Range,
): Promise<DeliveryRow[]> {
  const filter = { ...asked, bounds: await createdBounds(orgId, "webhook_deliveries", asked, sql) };
  // Planned each time: which index fits depends on the filters and on how many deliveries have the values asked for.
  const read = ({ text, values }: Statement) => sql<DeliveryRow>(text, values, false);
  const { endpointId, eventId, status, type } = filter;
  if (eventId !== undefined) return read(ofEvents(orgId, filter, eventId, range));
  if (status !== undefined && !status.includes("succeeded")) {
    const statement = ofRareStatuses(orgId, filter, status, range);
    return status.includes("pending") ? ofNewestOr(statement) : read(statement);
  }
  // Nearly all deliveries fit.
  if (endpointId === undefined && type === undefined) return read(inOrder(orgId, filter, range));
  const statement = ofEach(orgId, filter, range);
  return endpointId?.length === 1 ? read(statement) : ofNewestOr(statement);

  async function ofNewestOr(statement: Statement): Promise<DeliveryRow[]> {
    const found = await read(amongNewest(orgId, filter, range));
    return found.length === range.take ? found : read(statement);
  }
}

/** How many there are: all of them are counted, which takes a fifth of a second for a million. */
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

/** An event has few deliveries: all of each are read. */
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
 * Each status by an index of its own. Of all but what is pending, the index has them by age, so that no more are read
 * than the page can hold.
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
    // OFFSET 0 keeps PostgreSQL from looking for what is pending in the order of ids, through all that were sent since.
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
 * Of each endpoint and type the newest, as many as the page can hold; of these the page. A rare type is found at once
 * among a million others.
 */
function ofEach(orgId: Id<"org">, filter: Bounded, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const most = bind(range.take + range.skip);
  // An endpoint is of one organisation, and so are its deliveries: without org_id, the index alone often tells.
  const where = ["endpoint_id = endpoint.id", "event_type = wanted.type", ...narrowing(filter, range, bind)];
  const newest = `SELECT id FROM webhook_deliveries WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${most}::bigint`;
  const wanted = `unnest(${bind(filter.type ?? eventTypes)}::text[]) AS wanted (type)`;
  return those(
    `SELECT newest.id FROM (${endpoints(filter, bind)}) AS endpoint CROSS JOIN ${wanted} CROSS JOIN LATERAL (${newest}) AS newest ${slice(range, bind)}`,
    values,
  );
}

/** The deliveries with these ids of the organisation $1. */
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
  // Written out: there are indexes for just these.
  if (status !== undefined) where.push(`status IN (${status.map((each) => `'${each}'`).join(", ")})`);
  if (eventId !== undefined) where.push(isAmong("event_id", "uuid", eventId, bind));
  where.push(...createdWithin("", times, bind));
  return where;
}
