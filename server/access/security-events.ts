import { createHash } from "node:crypto";
import { addressBlock } from "@/server/core/address-block";
import { queueSql } from "@/server/core/db";
import { newId, noOrganisation, publicId, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import { countSecurityEvent, type SecurityEventType } from "@/server/core/security-counts";

export interface SecurityEvent {
  type: SecurityEventType;
  /** The organisation that it concerns, if known. */
  orgId?: Id<"org"> | null;
  /**
   * The account that it concerns, by id or by an e-mail address that may have no account. The event is recorded in each
   * of the account's organisations.
   */
  account?: { id: Id<"usr"> } | { email: string };
  /** The key, client, person or link that it concerns. */
  target?: { type: string; id: string };
  /** Facts; never secrets or typed text. */
  detail?: Record<string, string>;
  /** The address of the request; `noAddress` for work of the service itself. */
  address: string;
  requestId: string;
  at: Date;
}

/** Stands for the address of stored work, which no request runs. */
export const noAddress = "";

/**
 * Maximum number of rows of one type per organisation and hour, so that a flood of one type hides no other. Events
 * beyond it are counted in one row per target.
 */
const maxRowsAnHour = 100;
/**
 * Maximum number of targets of one type with a row of their own for these further events, per hour; the rest share one
 * row. So a flood at one account hides no other.
 */
const maxTargetsAnHour = 100;
/**
 * Maximum number of different events that wait to be written. Further ones are merged by what they concern, without
 * their address.
 */
const maxWaiting = 2000;
/**
 * Number of buckets for estimating how many addresses there were (linear counting): accurate to some 2 % up to 10,000
 * addresses.
 */
const bucketCount = 4096;
const flushAfterMs = 1000;
const retryAfterMs = 10_000;

interface Waiting extends SecurityEvent {
  /** The buckets of the addresses, if the event stands for several addresses. */
  buckets?: Set<number>;
  count: number;
  lastAt: Date;
}

interface Buffer {
  waiting: Map<string, Waiting>;
  timer: NodeJS.Timeout | undefined;
}
// One per process, so that a stop of the server also writes events recorded by pages.
const buffer = processState("security events", (): Buffer => ({ waiting: new Map(), timer: undefined }));

/**
 * Counts and buffers a security event. Events are written together within a second, so the request does not wait.
 * Events within an hour that are equal in type, target and address block (an IPv4 address, the /64 of an IPv6 address)
 * become one row with a count. A process that is killed loses the last second.
 */
export function recordSecurityEvent(told: SecurityEvent): void {
  countSecurityEvent(told.type);
  const event = { ...told, address: addressBlock(told.address) };
  const { type, orgId = null, account = null, target = null, detail = null, address } = event;
  if (wait(JSON.stringify([type, orgId, account, target, detail, address]), event, maxWaiting)) return;
  // The next maxWaiting events are merged by what they concern, of which an attacker can invent less; further ones by
  // type.
  if (wait(JSON.stringify([type, orgId, account, target]), event, 2 * maxWaiting, bucketOf(address))) return;
  const { account: _, target: __, detail: ___, ...rest } = event;
  wait(JSON.stringify([type, orgId]), rest, Infinity, bucketOf(address));
}

/**
 * Adds an event to the buffer, or counts it if its key is there. Returns false if the key is new and `most` events wait
 * already.
 */
function wait(key: string, event: SecurityEvent, most: number, bucket?: number): boolean {
  const waiting = buffer.waiting.get(key);
  if (waiting) {
    waiting.count++;
    waiting.lastAt = event.at;
    waiting.requestId = event.requestId;
    if (bucket !== undefined) waiting.buckets?.add(bucket);
  } else if (buffer.waiting.size < most) {
    buffer.waiting.set(key, {
      ...event,
      count: 1,
      lastAt: event.at,
      ...(bucket !== undefined && { buckets: new Set([bucket]) }),
    });
  } else return false;
  flushAfter(flushAfterMs);
  return true;
}

function flushAfter(ms: number): void {
  buffer.timer ??= setTimeout(() => {
    void flushSecurityEvents().catch((error: unknown) =>
      log().warn({ err: error }, "security events could not be written; they are tried again"),
    );
  }, ms).unref();
}

const bucketOf = (address: string) => createHash("sha256").update(address).digest().readUInt16BE() % bucketCount;

/**
 * Writes the buffered events. Called by the timer and at a clean stop. Events that could not be written go back to the
 * buffer, and are tried again after 10 s.
 */
export async function flushSecurityEvents(): Promise<void> {
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const events = [...buffer.waiting];
  buffer.waiting.clear();
  try {
    await write(events.map(([, event]) => event));
  } catch (error) {
    for (const [key, event] of events) putBack(key, event);
    flushAfter(retryAfterMs);
    throw error;
  }
}

/** Adds an event that was not written to what came since, within the bounds of `recordSecurityEvent`. */
function putBack(key: string, event: Waiting): void {
  const { type, orgId = null, account: _, target: __, detail: ___, ...rest } = event;
  const merged = JSON.stringify([type, orgId]);
  const sameKey = buffer.waiting.has(key) || buffer.waiting.size < 2 * maxWaiting ? key : merged;
  const same = buffer.waiting.get(sameKey);
  if (same) {
    same.count += event.count;
    same.at = event.at;
    if (same.buckets) for (const bucket of event.buckets ?? [bucketOf(event.address)]) same.buckets.add(bucket);
  } else if (sameKey === key) buffer.waiting.set(key, event);
  else
    buffer.waiting.set(merged, { ...rest, type, orgId, buckets: event.buckets ?? new Set([bucketOf(event.address)]) });
}

async function write(events: Waiting[]): Promise<void> {
  if (events.length === 0) return;
  const rows = await withOrganisations(events);
  const shares = await sharesOf(rows);
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const kept = admit(row, shares);
    const same = merged.get(`${kept.org_id} ${kept.dedupe_key}`);
    if (same) {
      same.count += kept.count;
      for (const bucket of kept.buckets ?? []) same.buckets?.add(bucket);
      if (kept.last_at > same.last_at) Object.assign(same, { last_at: kept.last_at, request_id: kept.request_id });
    } else merged.set(`${kept.org_id} ${kept.dedupe_key}`, kept);
  }
  await queueSql(upsert, [
    JSON.stringify(
      [...merged.values()].map(({ buckets, ...row }) => ({ ...row, buckets: buckets ? bitsOf(buckets) : null })),
    ),
  ]);
}

interface Row {
  org_id: Id<"org">;
  id: Id<"sev">;
  dedupe_key: string;
  type: string;
  address: string | null;
  target_type: string | null;
  target_id: string | null;
  detail: Record<string, string>;
  buckets: Set<number> | null;
  request_id: string;
  count: number;
  hour: string;
  first_at: string;
  last_at: string;
}

/** Makes a row for each organisation that an event concerns. */
async function withOrganisations(events: Waiting[]): Promise<Row[]> {
  const accounts = events.flatMap(({ account }) => account ?? []);
  const members = await queueSql<{ id: Id<"usr">; email: string; org_id: Id<"org"> | null }>(
    `SELECT u.id, u.email, m.org_id FROM users u LEFT JOIN memberships m ON m.user_id = u.id WHERE u.email = ANY($1) OR u.id = ANY($2::uuid[])`,
    [
      accounts.flatMap((each) => ("email" in each ? each.email : [])),
      accounts.flatMap((each) => ("id" in each ? each.id : [])),
    ],
  );
  return events.flatMap((event) => {
    const { account } = event;
    const belongings = account
      ? members.filter((member) => ("email" in account ? member.email === account.email : member.id === account.id))
      : [];
    if (belongings.length === 0) return [rowOf(event, event.orgId ?? noOrganisation)];
    return belongings.map(({ id, org_id }) =>
      rowOf({ ...event, target: { type: "user", id: publicId("usr", id) } }, org_id ?? noOrganisation),
    );
  });
}

function rowOf(event: Waiting, orgId: Id<"org">): Row {
  const hour = new Date(Math.floor(event.at.getTime() / 3_600_000) * 3_600_000).toISOString();
  const { type, target, detail = {}, buckets } = event;
  const address = buckets ? null : event.address;
  const key = createHash("sha256")
    .update(JSON.stringify([type, hour, address, target ?? null, detail]))
    .digest("hex")
    .slice(0, 32);
  const row: Row = {
    org_id: orgId,
    id: newId("sev"),
    dedupe_key: key,
    type,
    address,
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    detail,
    buckets: buckets ?? null,
    request_id: event.requestId,
    count: event.count,
    hour,
    first_at: event.at.toISOString(),
    last_at: event.lastAt.toISOString(),
  };
  return buckets ? { ...row, ...forTarget(row) } : row;
}

/**
 * The keys of one type's rows in an organisation and hour: rows with an address, and rows that count further events.
 */
interface Share {
  rows: Set<string>;
  more: Set<string>;
}

const shareOf = ({ org_id, hour, type }: Pick<Row, "org_id" | "hour" | "type">) => `${org_id} ${hour} ${type}`;

async function sharesOf(rows: Row[]): Promise<Map<string, Share>> {
  const found = new Map<string, Share>();
  for (const row of rows) {
    if (found.has(shareOf(row))) continue;
    const keys = await queueSql<{ dedupe_key: string }>(
      `SELECT dedupe_key FROM security_events WHERE org_id = $1 AND hour = $2 AND type = $3`,
      [row.org_id, row.hour, row.type],
    );
    const share: Share = { rows: new Set(), more: new Set() };
    for (const { dedupe_key: key } of keys) (key.startsWith("more ") ? share.more : share.rows).add(key);
    found.set(shareOf(row), share);
  }
  return found;
}

/**
 * Chooses the row in which an event is counted: its own; once the type's hourly rows are used up, the row for further
 * events of its target; then the row for further events of its type.
 */
function admit(row: Row, shares: Map<string, Share>): Row {
  const share = shares.get(shareOf(row))!;
  if (row.address !== null && has(share.rows, row.dedupe_key, maxRowsAnHour)) return row;
  const buckets = row.buckets ?? new Set([bucketOf(row.address!)]);
  const more = { ...row, ...forTarget(row), buckets, address: null, detail: {} };
  if (has(share.more, more.dedupe_key, maxTargetsAnHour)) return more;
  return { ...more, dedupe_key: `more ${row.type} ${row.hour}`, target_type: null, target_id: null };
}

const forTarget = (row: Row) => ({ dedupe_key: `more ${row.type} ${row.hour} ${row.target_id ?? ""}`.trim() });

/** Adds a key to a set that holds fewer than `most`. Returns whether the set has the key now. */
function has(keys: Set<string>, key: string, most: number): boolean {
  if (keys.has(key)) return true;
  if (keys.size >= most) return false;
  keys.add(key);
  return true;
}

function bitsOf(buckets: Set<number>): string {
  const bits = new Uint8Array(bucketCount).fill(48);
  for (const bucket of buckets) bits[bucket] = 49;
  return Buffer.from(bits).toString();
}

/** Estimates how many addresses a row stands for, from the number of filled buckets. */
export function estimatedAddresses(filled: number): number {
  const free = Math.max(1, bucketCount - filled);
  return Math.round(bucketCount * Math.log(bucketCount / free));
}

const upsert = `
INSERT INTO security_events AS e (org_id, id, dedupe_key, type, address, target_type, target_id, detail, buckets, request_id, count, hour, first_at, last_at)
SELECT org_id, id, dedupe_key, type, address, target_type, target_id, detail, buckets::bit(4096), request_id, count, hour, first_at, last_at
FROM jsonb_to_recordset($1::jsonb) AS row (org_id uuid, id uuid, dedupe_key text, type text, address text, target_type text, target_id text,
  detail jsonb, buckets text, request_id text, count int, hour timestamptz, first_at timestamptz, last_at timestamptz)
ORDER BY org_id, dedupe_key
ON CONFLICT (org_id, dedupe_key) DO UPDATE SET count = e.count + excluded.count, last_at = greatest(e.last_at, excluded.last_at), request_id = excluded.request_id,
  buckets = coalesce(e.buckets | excluded.buckets, e.buckets, excluded.buckets)`;
