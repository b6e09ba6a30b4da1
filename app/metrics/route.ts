import { engineStatus } from "@/server/core/engine-status";
import { env } from "@/server/core/env";
import { checkScraper, metricsText } from "@/server/http/metrics";
import { publicRoute } from "@/server/http/public-route";

const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };

/** Queues, their age and failures for Prometheus. With METRICS_TOKEN for who holds it, without for this machine alone. */
export const GET = publicRoute(async ({ request, address, now }) => {
  // Only our own server, which runs the engine, says whose address it is; elsewhere a client can write what it likes there.
  const believed = (await engineStatus()) ? address : null;
  checkScraper(request.headers.get("authorization"), env().METRICS_TOKEN, believed);
  return { status: 200, body: await metricsText(now), headers };
});
