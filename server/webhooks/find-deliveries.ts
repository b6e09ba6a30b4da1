import { earliestId } from "@/server/core/ids";
import type { Range } from "@/server/core/pagination";
import { eventTypes } from "@/server/events/catalogue";
import type { deliveryStatuses } from "./delivery-states";
import { deliveryColumns } from "./delivery-view";

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

/**
 * A page of an organisation's deliveries, newest first. Whatever the filter, what is read grows with the page and not with the
 * log: the few that did not arrive, and those of an event, have indexes of their own; of each endpoint and event type, as many as
 * the page can hold are found by index, so that a rare type is found at once among a million others.
 */
export function pageOfDeliveries(orgId: string, filter: DeliveryFilter, { after, take, skip }: Range): Statement {
  const values: unknown[] = [orgId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const narrowed = conditions(filter, bind);
  if (after !== null) narrowed.push(`id < ${bind(after)}`);
  const range = `ORDER BY id DESC LIMIT ${bind(take)}::int OFFSET ${bind(skip)}::int`;
  const { endpointId, type } = filter;
  if ((endpointId === undefined && type === undefined) || isRare(filter)) {
    const where = ["org_id = $1", ...narrowed, ...sameEndpointAndType(filter, bind)];
    return { text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${where.join(" AND ")} ${range}`, values };
  }
  const endpoints = `SELECT id FROM webhook_endpoints WHERE org_id = $1${endpointId === undefined ? "" : ` AND id = ${bind(endpointId)}`}`;
  const most = bind(take + skip);
  // An endpoint is of one organisation, and so are its deliveries: without org_id, the index alone often tells.
  const newest = `SELECT id FROM webhook_deliveries WHERE ${["endpoint_id = endpoint.id", "event_type = wanted.type", ...narrowed].join(" AND ")} ORDER BY id DESC LIMIT ${most}::int`;
  const ids = `SELECT newest.id FROM (${endpoints}) AS endpoint CROSS JOIN unnest(${bind(type ?? eventTypes)}::text[]) AS wanted (type) CROSS JOIN LATERAL (${newest}) AS newest ${range}`;
  return { text: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE org_id = $1 AND id = ANY(ARRAY(${ids})) ORDER BY id DESC`, values };
}

/** How many there are. */
export function countOfDeliveries(orgId: string, filter: DeliveryFilter): Statement {
  const values: unknown[] = [orgId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1", ...conditions(filter, bind), ...sameEndpointAndType(filter, bind)];
  return { text: `SELECT count(*) AS n FROM webhook_deliveries WHERE ${where.join(" AND ")}`, values };
}

/** The filter leaves so few that they are all gathered by an index of theirs. */
function isRare({ eventId, status }: DeliveryFilter): boolean {
  return eventId !== undefined || (status !== undefined && status !== "succeeded");
}

function sameEndpointAndType({ endpointId, type }: DeliveryFilter, bind: (value: unknown) => string): string[] {
  return [...(endpointId === undefined ? [] : [`endpoint_id = ${bind(endpointId)}`]), ...(type === undefined ? [] : [`event_type = ANY(${bind(type)})`])];
}

/** Ids are made from the clock within the transaction whose time is created_at; more than an hour does not lie between. */
const apartMs = 3_600_000;

function conditions({ status, eventId, createdAfter, createdBefore }: DeliveryFilter, bind: (value: unknown) => string): string[] {
  const where: string[] = [];
  // Written out: there are indexes for just these.
  if (status !== undefined) where.push(`status = '${status}'`);
  if (eventId !== undefined) where.push(`event_id = ${bind(eventId)}`);
  if (createdAfter) where.push(`created_at > ${bind(createdAfter)}`, `id >= ${bind(earliestId("dlv", apart(createdAfter, -apartMs)))}`);
  if (createdBefore) where.push(`created_at < ${bind(createdBefore)}`, `id < ${bind(earliestId("dlv", apart(createdBefore, apartMs)))}`);
  return where;
}

const apart = (time: Date, ms: number) => new Date(Math.max(0, time.getTime() + ms));
