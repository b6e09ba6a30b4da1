import type { Query } from "@/server/core/db";
import { earliestId } from "@/server/core/ids";
import type { Range } from "@/server/core/pagination";
import { eventTypes } from "@/server/events/catalogue";
import type { deliveryStatuses } from "./delivery-states";
import { deliveryColumns, type DeliveryRow } from "./delivery-view";

/** What a list of deliveries is narrowed by. */
export interface DeliveryFilter {
  endpointId?: string | undefined;
  status?: (typeof deliveryStatuses)[number] | undefined;
  /** Any of these event types. */
  type?: string[] | undefined;
  eventId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

interface Statement {
  text: string;
  values: unknown[];
}

/** So many of the newest for each one that the page takes are looked through before an index is asked about each endpoint. */
const lookedThrough = 40;

/**
 * A page of an organisation's deliveries, newest first. What is common stands among the newest, and these are looked through first;
 * an index finds the rare. So what is read grows with the page and what it skips, and not with the log, save for a backlog: an old
 * one is gathered as a whole, since no index has by age what is pending, and one that is newer than all that arrived is passed over.
 */
export async function findDeliveries(sql: Query, orgId: string, filter: DeliveryFilter, range: Range): Promise<DeliveryRow[]> {
  // Planned each time: which index fits depends on the filters and on how many there are of what they ask for.
  const read = ({ text, values }: Statement) => sql<DeliveryRow>(text, values, false);
  if (isInOrder(filter)) return read(inOrder(orgId, filter, range));
  const isPending = filter.status === "pending";
  if (filter.endpointId !== undefined && !isPending) return read(ofEach(orgId, filter, range));
  const found = await read(amongNewest(orgId, filter, range));
  return found.length === range.take ? found : read((isPending ? ofPending : ofEach)(orgId, filter, range));
}

/** How many there are: all of them are counted, which takes a fifth of a second for a million. */
export async function countDeliveries(sql: Query, orgId: string, filter: DeliveryFilter): Promise<number> {
  const { values, bind } = parameters(orgId);
  const where = ["org_id = $1", ...conditions(filter, bind), ...sameEndpointAndType(filter, bind)];
  const [row] = await sql<{ n: number }>(`SELECT count(*) AS n FROM webhook_deliveries WHERE ${where.join(" AND ")}`, values, false);
  return row!.n;
}

/** Nearly all fit, or an index has just these by age, or they are few. */
function isInOrder({ eventId, status, endpointId, type }: DeliveryFilter): boolean {
  if (eventId !== undefined) return true;
  if (status === undefined || status === "succeeded") return endpointId === undefined && type === undefined;
  return status !== "pending";
}

function inOrder(orgId: string, filter: DeliveryFilter, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const where = ["org_id = $1", ...narrowing(filter, range, bind), ...sameEndpointAndType(filter, bind)];
  return { text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${where.join(" AND ")} ${slice(range, bind)}`, values };
}

function ofPending(orgId: string, filter: DeliveryFilter, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const where = ["endpoint_id = endpoint.id", ...narrowing(filter, range, bind), ...sameEndpointAndType({ type: filter.type }, bind)];
  // OFFSET 0 keeps PostgreSQL from looking for them in the order of ids, through all that were sent since.
  const waiting = `SELECT id FROM webhook_deliveries WHERE ${where.join(" AND ")} OFFSET 0`;
  return those(`SELECT waiting.id FROM (${endpoints(filter, bind)}) AS endpoint CROSS JOIN LATERAL (${waiting}) AS waiting ${slice(range, bind)}`, values);
}

function amongNewest(orgId: string, { createdAfter, createdBefore, ...filter }: DeliveryFilter, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const most = bind(lookedThrough * (range.take + range.skip));
  const newest = `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${["org_id = $1", ...narrowing({ createdAfter, createdBefore }, range, bind)].join(" AND ")} ORDER BY id DESC LIMIT ${most}::bigint`;
  const where = [...conditions(filter, bind), ...sameEndpointAndType(filter, bind)];
  return { text: `SELECT * FROM (${newest}) AS newest WHERE ${where.join(" AND ")} ${slice(range, bind)}`, values };
}

/** Of each endpoint and type the newest, as many as the page can hold; of these the page. A rare type is found at once among a million others. */
function ofEach(orgId: string, filter: DeliveryFilter, range: Range): Statement {
  const { values, bind } = parameters(orgId);
  const most = bind(range.take + range.skip);
  // An endpoint is of one organisation, and so are its deliveries: without org_id, the index alone often tells.
  const where = ["endpoint_id = endpoint.id", "event_type = wanted.type", ...narrowing(filter, range, bind)];
  const newest = `SELECT id FROM webhook_deliveries WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${most}::bigint`;
  const wanted = `unnest(${bind(filter.type ?? eventTypes)}::text[]) AS wanted (type)`;
  return those(`SELECT newest.id FROM (${endpoints(filter, bind)}) AS endpoint CROSS JOIN ${wanted} CROSS JOIN LATERAL (${newest}) AS newest ${slice(range, bind)}`, values);
}

/** The deliveries with these ids of the organisation $1. */
function those(ids: string, values: unknown[]): Statement {
  return { text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE org_id = $1 AND id = ANY(ARRAY(${ids})) ORDER BY id DESC`, values };
}

type Bind = (value: unknown) => string;

function parameters(orgId: string): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [orgId];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const endpoints = ({ endpointId }: DeliveryFilter, bind: Bind) => `SELECT id FROM webhook_endpoints WHERE org_id = $1${endpointId === undefined ? "" : ` AND id = ${bind(endpointId)}`}`;

const narrowing = (filter: DeliveryFilter, { after }: Range, bind: Bind) => [...conditions(filter, bind), ...(after === null ? [] : [`id < ${bind(after)}`])];

const slice = ({ take, skip }: Range, bind: Bind) => `ORDER BY id DESC LIMIT ${bind(take)}::int OFFSET ${bind(skip)}::int`;

function sameEndpointAndType({ endpointId, type }: DeliveryFilter, bind: Bind): string[] {
  return [...(endpointId === undefined ? [] : [`endpoint_id = ${bind(endpointId)}`]), ...(type === undefined ? [] : [`event_type = ANY(${bind(type)})`])];
}

/** Ids are made from the clock within the transaction whose time is created_at; more than an hour does not lie between. */
const apartMs = 3_600_000;

function conditions({ status, eventId, createdAfter, createdBefore }: DeliveryFilter, bind: Bind): string[] {
  const where: string[] = [];
  // Written out: there are indexes for just these.
  if (status !== undefined) where.push(`status = '${status}'`);
  if (eventId !== undefined) where.push(`event_id = ${bind(eventId)}`);
  if (createdAfter) where.push(`created_at > ${bind(createdAfter)}`, `id >= ${bind(earliestId("dlv", apart(createdAfter, -apartMs)))}`);
  if (createdBefore) where.push(`created_at < ${bind(createdBefore)}`, `id < ${bind(earliestId("dlv", apart(createdBefore, apartMs)))}`);
  return where;
}

const apart = (time: Date, ms: number) => new Date(Math.max(0, time.getTime() + ms));
