import { createHash } from "node:crypto";
import { queueSql } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { countSecurityEvent, type SecurityEventType } from "@/server/core/security-counts";

export interface SecurityEvent {
  type: SecurityEventType;
  /** The organisation that it concerns, where that is known. */
  orgId?: string | null;
  /** The account that it concerns, by its id or by an e-mail address that may have none: told to each organisation that it belongs to. */
  account?: { id: string } | { email: string };
  /** The key, client, person or link that it concerns. */
  target?: { type: string; id: string };
  /** Facts, never secrets nor what was typed. */
  detail?: Record<string, string>;
  address: string;
  requestId: string;
  at: Date;
}

/** Where no organisation is concerned: for the operator, who reads it in the database, and for the metric. */
export const noOrganisation = "none";

/** What one organisation's table takes in an hour. What is more is counted in one row a type. */
const maxRowsAnHour = 500;
/** Different events that wait to be written. What is more is counted in the metric alone. */
const maxWaiting = 2000;
const flushAfterMs = 1000;

interface Waiting extends SecurityEvent {
  count: number;
  lastAt: Date;
}

// On globalThis since Next and the server bundle their modules apart, and the server's stop writes what waits.
interface Buffer {
  waiting: Map<string, Waiting>;
  timer: NodeJS.Timeout | undefined;
}
const holder = globalThis as { bonafideSecurityEvents?: Buffer };
const buffer: Buffer = (holder.bonafideSecurityEvents ??= { waiting: new Map(), timer: undefined });

/**
 * Counts and remembers a security event. It is written within a second, together with others: the request that it is about does not wait.
 * What is alike in type, target and address within an hour is one row with a count. A process that is killed loses the last second.
 */
export function recordSecurityEvent(event: SecurityEvent): void {
  countSecurityEvent(event.type);
  const key = JSON.stringify([event.type, event.orgId ?? null, event.account ?? null, event.target ?? null, event.detail ?? null, event.address]);
  const waiting = buffer.waiting.get(key);
  if (waiting) {
    waiting.count++;
    waiting.lastAt = event.at;
    waiting.requestId = event.requestId;
  } else if (buffer.waiting.size < maxWaiting) {
    buffer.waiting.set(key, { ...event, count: 1, lastAt: event.at });
  }
  buffer.timer ??= setTimeout(() => {
    void flushSecurityEvents().catch((error: unknown) => log().warn({ err: error }, "security events could not be written"));
  }, flushAfterMs).unref();
}

/** Writes what waits. Called by the timer and at a clean stop. */
export async function flushSecurityEvents(): Promise<void> {
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const events = [...buffer.waiting.values()];
  buffer.waiting.clear();
  if (events.length === 0) return;
  const rows = await withOrganisations(events);
  const hours = await rowsAnHour(rows);
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const kept = admit(row, hours);
    const same = merged.get(`${kept.org_id} ${kept.dedupe_key}`);
    if (same) {
      same.count += kept.count;
      if (kept.last_at > same.last_at) Object.assign(same, { last_at: kept.last_at, request_id: kept.request_id });
    } else merged.set(`${kept.org_id} ${kept.dedupe_key}`, kept);
  }
  await queueSql(upsert, [JSON.stringify([...merged.values()])]);
}

interface Row {
  org_id: string;
  id: string;
  dedupe_key: string;
  type: string;
  address: string | null;
  target_type: string | null;
  target_id: string | null;
  detail: Record<string, string>;
  request_id: string;
  count: number;
  hour: string;
  first_at: string;
  last_at: string;
}

/** A row for each organisation that an event concerns. */
async function withOrganisations(events: Waiting[]): Promise<Row[]> {
  const accounts = events.flatMap(({ account }) => account ?? []);
  const members = await queueSql<{ id: string; email: string; org_id: string | null }>(
    `SELECT u.id, u.email, m.org_id FROM users u LEFT JOIN memberships m ON m.user_id = u.id WHERE u.email = ANY($1) OR u.id = ANY($2)`,
    [accounts.flatMap((each) => ("email" in each ? each.email : [])), accounts.flatMap((each) => ("id" in each ? each.id : []))],
  );
  return events.flatMap((event) => {
    const { account } = event;
    const belongings = account ? members.filter((member) => ("email" in account ? member.email === account.email : member.id === account.id)) : [];
    if (belongings.length === 0) return [rowOf(event, event.orgId ?? noOrganisation)];
    return belongings.map(({ id, org_id }) => rowOf({ ...event, target: { type: "user", id } }, org_id ?? noOrganisation));
  });
}

function rowOf(event: Waiting, orgId: string): Row {
  const hour = new Date(Math.floor(event.at.getTime() / 3_600_000) * 3_600_000).toISOString();
  const { type, address, target, detail = {} } = event;
  const key = createHash("sha256").update(JSON.stringify([type, hour, address, target ?? null, detail])).digest("hex").slice(0, 32);
  return {
    org_id: orgId, id: newId("sev"), dedupe_key: key, type, address, target_type: target?.type ?? null, target_id: target?.id ?? null, detail,
    request_id: event.requestId, count: event.count, hour, first_at: event.at.toISOString(), last_at: event.lastAt.toISOString(),
  };
}

/** By organisation and hour: the keys that have a row. */
async function rowsAnHour(rows: Row[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { org_id, hour } of rows) {
    const at = `${org_id} ${hour}`;
    if (found.has(at)) continue;
    const keys = await queueSql<{ dedupe_key: string }>(`SELECT dedupe_key FROM security_events WHERE org_id = $1 AND hour = $2`, [org_id, hour]);
    found.set(at, new Set(keys.map((row) => row.dedupe_key)));
  }
  return found;
}

/** The row itself, or, once the hour is full, the one row of its type that counts what is more. */
function admit(row: Row, hours: Map<string, Set<string>>): Row {
  const keys = hours.get(`${row.org_id} ${row.hour}`)!;
  if (keys.has(row.dedupe_key)) return row;
  if (keys.size < maxRowsAnHour) {
    keys.add(row.dedupe_key);
    return row;
  }
  return { ...row, dedupe_key: `more ${row.type} ${row.hour}`, address: null, target_type: null, target_id: null, detail: {} };
}

const upsert = `
INSERT INTO security_events AS e (org_id, id, dedupe_key, type, address, target_type, target_id, detail, request_id, count, hour, first_at, last_at)
SELECT org_id, id, dedupe_key, type, address, target_type, target_id, detail, request_id, count, hour, first_at, last_at
FROM jsonb_to_recordset($1::jsonb) AS row (org_id text, id text, dedupe_key text, type text, address text, target_type text, target_id text,
  detail jsonb, request_id text, count int, hour timestamptz, first_at timestamptz, last_at timestamptz)
ORDER BY org_id, dedupe_key
ON CONFLICT (org_id, dedupe_key) DO UPDATE SET count = e.count + excluded.count, last_at = greatest(e.last_at, excluded.last_at), request_id = excluded.request_id`;
