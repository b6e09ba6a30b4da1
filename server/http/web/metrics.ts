import { createHash, timingSafeEqual } from "node:crypto";
import { databaseState, type DatabaseState } from "@/server/core/database-state";
import { engineStatus, type EngineStatus } from "@/server/core/engine-status";
import { DomainError } from "@/server/core/errors";
import { unavailable } from "@/server/core/unavailable";
import { queueFigures, type QueueFigures } from "@/server/webhooks/deliveries/queue";
import { liveMetricsText } from "./request-metrics";
import { allFigures, type ThreadFigures } from "./thread-figures";

interface Metric {
  name: string;
  help: string;
  /** Null if this process does not know it. */
  value: number | null;
  labels?: Record<string, string>;
}

/**
 * Checks that the caller may read metrics: with METRICS_TOKEN, or from this machine if none is configured.
 * @param local whether the request came from this machine and not through a proxy on it.
 * @throws DomainError `unauthenticated`, `invalid_token`
 */
export function checkScraper(authorization: string | null, token: string | undefined, local: boolean): void {
  if (token !== undefined) {
    if (authorization === null)
      throw new DomainError("unauthenticated", "Send METRICS_TOKEN as a bearer token.", {
        headers: { "www-authenticate": "Bearer" },
      });
    if (same(authorization, `Bearer ${token}`)) return;
    throw new DomainError("invalid_token", "This is not the METRICS_TOKEN.", {
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  }
  if (local) return;
  throw new DomainError("unauthenticated", "Without METRICS_TOKEN, metrics are for this machine alone.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

function same(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(first!, second!);
}

/**
 * Renders the metrics in the text format of Prometheus: requests and resources of this process; and for all
 * organisations what waits, since when, and what failed. While the database does not answer, `bonafide_database_up` is 0
 * and only what this process itself knows follows.
 */
export async function metricsText(now: Date): Promise<string> {
  const [live, stored, threads] = await Promise.all([
    liveMetricsText(),
    withinPatience(storedMetrics(now)),
    allFigures(),
  ]);
  const up = { name: "bonafide_database_up", help: "1 where the database answers.", value: stored ? 1 : 0 };
  const gauges: Metric[] = [up, ...(stored ?? []), ...connectionMetrics(threads), ...workerMetrics(threads)].filter(
    ({ value }) => value !== null,
  );
  const described = [...Map.groupBy(gauges, ({ name }) => name)].flatMap(([name, lines]) => [
    `# HELP ${name} ${lines[0]!.help}`,
    `# TYPE ${name} gauge`,
    ...lines.map(line),
  ]);
  return `${described.join("\n")}\n${live}`;
}

/** What the database knows. */
async function storedMetrics(now: Date): Promise<Metric[]> {
  const [queue, engine, database] = await Promise.all([queueFigures(now), engineStatus(), databaseState()]);
  return [...webhookMetrics(queue, now), ...jobMetrics(engine), ...databaseMetrics(database)];
}

/** Prometheus gives up on a scrape after 10 s by default. */
const patienceMs = 5_000;

/** Undefined where the database does not answer, or not in time. */
async function withinPatience(figures: Promise<Metric[]>): Promise<Metric[] | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, patienceMs, undefined)));
  try {
    return await Promise.race([figures, late]);
  } catch (error) {
    if (!unavailable(error)) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function webhookMetrics(queue: QueueFigures, now: Date): Metric[] {
  const age = (at: Date | null) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0);
  const deliveries = (state: string, value: number): Metric => ({
    name: "bonafide_webhook_deliveries",
    help: "Webhook deliveries that wait, by what for.",
    labels: { state },
    value,
  });
  const attempts = (outcome: string, value: number): Metric => ({
    name: "bonafide_webhook_attempts_24h",
    help: "Attempts of the last 24 hours.",
    labels: { outcome },
    value,
  });
  return [
    { name: "bonafide_events_unsequenced", help: "Events that wait for their number.", value: queue.unsequencedEvents },
    {
      name: "bonafide_events_oldest_unsequenced_seconds",
      help: "Age of the oldest of them.",
      value: age(queue.oldestUnsequencedAt),
    },
    deliveries("due", queue.dueDeliveries),
    deliveries("in_flight", queue.inFlightDeliveries),
    deliveries("retrying", queue.retryingDeliveries),
    deliveries("paused", queue.pausedDeliveries),
    deliveries("parked", queue.parkedDeliveries),
    {
      name: "bonafide_webhook_oldest_due_seconds",
      help: "How long the oldest due delivery has been due.",
      value: age(queue.oldestDueAt),
    },
    attempts("succeeded", queue.succeededAttempts),
    attempts("failed", queue.failedAttempts),
  ];
}

function jobMetrics(engine: EngineStatus | null): Metric[] {
  return [
    { name: "bonafide_jobs_ready", help: "1 where the job engine runs.", value: engine?.ready ? 1 : 0 },
    { name: "bonafide_jobs_queued", help: "Runs that are due and not begun.", value: engine?.queued ?? null },
    { name: "bonafide_jobs_running", help: "Runs under way.", value: engine?.running ?? null },
    {
      name: "bonafide_jobs_oldest_due_seconds",
      help: "Age of the oldest of the queued.",
      value: engine?.oldestDueSeconds ?? null,
    },
    {
      name: "bonafide_jobs_failed_24h",
      help: "Runs that failed for good in the last 24 hours.",
      value: engine?.failed24h ?? null,
    },
  ];
}

/** Connection pools of this process. */
function connectionMetrics(threads: ThreadFigures[]): Metric[] {
  return (["requests", "queues"] as const).flatMap((name) => {
    const sum = (state: "active" | "idle" | "waiting") => total(threads, ({ connections }) => connections[name][state]);
    const connections = (state: "active" | "idle"): Metric => ({
      name: "bonafide_db_connections",
      help: "Connections to PostgreSQL, by what they are for and whether they are in use.",
      labels: { pool: name, state },
      value: sum(state),
    });
    return [
      connections("active"),
      connections("idle"),
      {
        name: "bonafide_db_waiting",
        help: "What waits for a connection.",
        labels: { pool: name },
        value: sum("waiting"),
      },
    ];
  });
}

/** Processes that verify credentials of other issuers (decision 305), and those that draw files (decision 413). */
function workerMetrics(threads: ThreadFigures[]): Metric[] {
  return [
    {
      name: "bonafide_verification_processes",
      help: "Processes that verify foreign credentials.",
      value: total(threads, ({ foreign }) => foreign.processes),
    },
    {
      name: "bonafide_verification_jobs_active",
      help: "Jobs that they do.",
      value: total(threads, ({ foreign }) => foreign.active),
    },
    {
      name: "bonafide_verification_jobs_waiting",
      help: "Jobs that wait for one of them.",
      value: total(threads, ({ foreign }) => foreign.waiting),
    },
    {
      name: "bonafide_drawing_jobs_active",
      help: "Files that are being drawn.",
      value: total(threads, ({ drawing }) => drawing.active),
    },
    {
      name: "bonafide_drawing_jobs_waiting",
      help: "Files that wait to be drawn.",
      value: total(threads, ({ drawing }) => drawing.waiting),
    },
  ];
}

const total = (threads: ThreadFigures[], of: (figures: ThreadFigures) => number): number =>
  threads.reduce((sum, figures) => sum + of(figures), 0);

function databaseMetrics({
  connections,
  maxConnections,
  lockWaits,
  oldestTransactionSeconds,
  sizeBytes,
  tables,
}: DatabaseState): Metric[] {
  return [
    ...Object.entries(connections).map(
      ([state, value]): Metric => ({
        name: "bonafide_database_connections",
        help: "Connections to the database, of all processes.",
        labels: { state },
        value,
      }),
    ),
    {
      name: "bonafide_database_connections_max",
      help: "How many PostgreSQL takes, for all of its databases.",
      value: maxConnections,
    },
    { name: "bonafide_database_lock_waits", help: "Connections that wait for a lock.", value: lockWaits },
    {
      name: "bonafide_database_oldest_transaction_seconds",
      help: "Age of the oldest transaction. While one is open, dead rows are not removed.",
      value: oldestTransactionSeconds,
    },
    { name: "bonafide_database_size_bytes", help: "Size of the database on disk.", value: sizeBytes },
    ...tables.map(
      ({ name, live }): Metric => ({
        name: "bonafide_database_rows",
        help: "Rows of a table, as PostgreSQL estimates them.",
        labels: { table: name },
        value: live,
      }),
    ),
    ...tables.map(
      ({ name, dead }): Metric => ({
        name: "bonafide_database_dead_rows",
        help: "Dead rows of a table that autovacuum has not removed yet, as PostgreSQL estimates them.",
        labels: { table: name },
        value: dead,
      }),
    ),
  ];
}

function line({ name, labels, value }: Metric): string {
  const own = labels
    ? `{${Object.entries(labels)
        .map(([key, text]) => `${key}="${text}"`)
        .join(",")}}`
    : "";
  return `${name}${own} ${value}`;
}
