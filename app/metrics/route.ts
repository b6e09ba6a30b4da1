import { hasEngine } from "@/server/core/engine-status";
import { env } from "@/server/core/env";
import { fromThisMachine } from "@/server/http/rest/client-address";
import { checkScraper, metricsText } from "@/server/http/web/metrics";
import { publicRoute } from "@/server/http/rest/public-route";

const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };

/**
 * Queues, their age and failures, for Prometheus. With METRICS_TOKEN, for clients that have the token; without it, only
 * for clients on this machine.
 */
export const GET = publicRoute(
  async ({ request, now }) => {
    // Only our own server, which runs the engine, sets the origin of a request. Elsewhere a client can set this header.
    const local = hasEngine() && fromThisMachine(request);
    checkScraper(request.headers.get("authorization"), env().METRICS_TOKEN, local);
    return { status: 200, body: await metricsText(now), headers };
  },
  { query: "any" },
);
