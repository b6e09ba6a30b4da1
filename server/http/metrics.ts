import { createHash, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import { engineStatus, type EngineStatus } from "@/server/core/engine-status";
import { DomainError } from "@/server/core/errors";
import { queueFigures, type QueueFigures } from "@/server/webhooks/queue";

interface Metric {
  name: string;
  help: string;
  /** Null where nobody here knows. */
  value: number | null;
  labels?: Record<string, string>;
}

/**
 * Lets the operator's scraper in: with the token, or without one configured, from this machine.
 * @param address the caller's, where one can be believed; null where a client can make it up, as behind a host other than our server.
 * @throws DomainError unauthenticated, invalid_token
 */
export function checkScraper(authorization: string | null, token: string | undefined, address: string | null): void {
  if (token !== undefined) {
    if (authorization === null) throw new DomainError("unauthenticated", "Send METRICS_TOKEN as a bearer token.", { headers: { "www-authenticate": "Bearer" } });
    if (same(authorization, `Bearer ${token}`)) return;
    throw new DomainError("invalid_token", "This is not the METRICS_TOKEN.", { headers: { "www-authenticate": 'Bearer error="invalid_token"' } });
  }
  if (address !== null && ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback") return;
  throw new DomainError("unauthenticated", "Without METRICS_TOKEN, metrics are for this machine alone.", { headers: { "www-authenticate": "Bearer" } });
}

function same(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(first!, second!);
}

/** What waits, since when, and what failed, of all organisations, in the text format of Prometheus. */
export async function metricsText(now: Date): Promise<string> {
  const [queue, engine] = await Promise.all([queueFigures(now), engineStatus()]);
  const metrics = [...webhookMetrics(queue, now), ...jobMetrics(engine), ...processMetrics()].filter(({ value }) => value !== null);
  return [...Map.groupBy(metrics, ({ name }) => name)]
    .flatMap(([name, lines]) => [`# HELP ${name} ${lines[0]!.help}`, `# TYPE ${name} gauge`, ...lines.map(line)])
    .join("\n")
    .concat("\n");
}

function webhookMetrics(queue: QueueFigures, now: Date): Metric[] {
  const age = (at: Date | null) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0);
  const deliveries = (state: string, value: number): Metric => ({ name: "bonafide_webhook_deliveries", help: "Webhook deliveries that wait, by what for.", labels: { state }, value });
  const attempts = (outcome: string, value: number): Metric => ({ name: "bonafide_webhook_attempts_24h", help: "Attempts of the last 24 hours.", labels: { outcome }, value });
  return [
    { name: "bonafide_events_unsequenced", help: "Events that wait for their number.", value: queue.unsequencedEvents },
    { name: "bonafide_events_oldest_unsequenced_seconds", help: "Age of the oldest of them.", value: age(queue.oldestUnsequencedAt) },
    deliveries("due", queue.dueDeliveries),
    deliveries("in_flight", queue.inFlightDeliveries),
    deliveries("retrying", queue.retryingDeliveries),
    deliveries("paused", queue.pausedDeliveries),
    deliveries("parked", queue.parkedDeliveries),
    { name: "bonafide_webhook_oldest_due_seconds", help: "How long the oldest due delivery has been due.", value: age(queue.oldestDueAt) },
    attempts("succeeded", queue.succeededAttempts),
    attempts("failed", queue.failedAttempts),
  ];
}

function jobMetrics(engine: EngineStatus | null): Metric[] {
  return [
    { name: "bonafide_jobs_ready", help: "1 where the job engine runs.", value: engine?.ready ? 1 : 0 },
    { name: "bonafide_jobs_queued", help: "Runs that are due and not begun.", value: engine?.queued ?? null },
    { name: "bonafide_jobs_running", help: "Runs under way.", value: engine?.running ?? null },
    { name: "bonafide_jobs_oldest_due_seconds", help: "Age of the oldest of the queued.", value: engine?.oldestDueSeconds ?? null },
    { name: "bonafide_jobs_failed_24h", help: "Runs that failed for good in the last 24 hours.", value: engine?.failed24h ?? null },
  ];
}

function processMetrics(): Metric[] {
  return [
    { name: "process_resident_memory_bytes", help: "Memory of this process.", value: process.memoryUsage.rss() },
    { name: "process_start_time_seconds", help: "When this process began, in Unix seconds.", value: Math.round(Date.now() / 1000 - process.uptime()) },
  ];
}

function line({ name, labels, value }: Metric): string {
  const own = labels ? `{${Object.entries(labels).map(([key, text]) => `${key}="${text}"`).join(",")}}` : "";
  return `${name}${own} ${value}`;
}
