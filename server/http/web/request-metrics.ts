import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { processState } from "@/server/core/process-state";
import { securityEventTypes } from "@/server/core/security-counts";
import { allFigures } from "./thread-figures";

interface Metrics {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
}

// Created at first use, because collecting Node's own metrics costs a timer.
const metrics = () => processState("request metrics", create);

function create(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Requests to the API, from dispatch to answer, by the pattern of their path.",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Counter({
    name: "bonafide_jobs_failed_total",
    help: "Runs of jobs whose last try failed, by function, that this process was told of.",
    labelNames: ["function"] as const,
    registers: [registry],
    async collect() {
      const threads = await allFigures();
      this.reset();
      for (const { failedJobs } of threads) for (const [id, count] of failedJobs) this.inc({ function: id }, count);
    },
  });
  new Counter({
    name: "bonafide_security_events_total",
    help: "Failed and limited sign-ins, wrong second factors, refused scopes and tokens, and misused links, that this process saw.",
    labelNames: ["type"] as const,
    registers: [registry],
    async collect() {
      const threads = await allFigures();
      this.reset();
      for (const { securityEvents } of threads)
        for (const type of securityEventTypes) this.inc({ type }, securityEvents.get(type) ?? 0);
    },
  });
  new Counter({
    name: "bonafide_verification_jobs_ended_total",
    help: "Verifications of foreign credentials that were stopped, because of their time or because their process broke off (mostly of memory).",
    labelNames: ["because"] as const,
    registers: [registry],
    async collect() {
      const threads = await allFigures();
      this.reset();
      for (const { foreign } of threads)
        for (const [because, count] of Object.entries(foreign.ended)) this.inc({ because }, count);
    },
  });
  return { registry, requests };
}

/**
 * Counts a request that was answered.
 * @param route the pattern of its path; never the path itself, which holds ids and codes and has too many values.
 */
export function noteRequest(method: string, route: string, status: number, startedAt: number): void {
  metrics().requests.observe({ method, route, status }, (performance.now() - startedAt) / 1000);
}

/**
 * Renders in Prometheus text format: requests, failed jobs, security events, and the processor, memory, event loop and
 * garbage collection of this process.
 */
export function liveMetricsText(): Promise<string> {
  return metrics().registry.metrics();
}
