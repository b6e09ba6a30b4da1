"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { EndpointView } from "@/server/webhooks/endpoints/view";
import { duration, percent } from "../_parts/figures";
import { Sparkline } from "../_parts/sparkline";
import { LastFailure } from "./last-failure";

const rateOf = (rate: number | null | undefined) => (rate == null ? "–" : percent(rate));
const time = (ms: number | null | undefined) => (ms == null ? "–" : duration(ms));

/** Shows the recent results of an endpoint. */
export function EndpointHealth({ endpoint }: { endpoint: EndpointView }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.webhooks.endpoints.statistics.queryOptions({ id: endpoint.id }, { refetchInterval: 15_000 }),
  );
  const day = data?.last24Hours;
  const week = data?.last7Days;
  const figures = [
    ["Accepted, 24 hours", rateOf(day?.successRate), day && `${day.attempts.toLocaleString("en")} attempts`],
    ["Accepted, 7 days", rateOf(week?.successRate), week && `${week.attempts.toLocaleString("en")} attempts`],
    ["p95 time, 24 hours", time(day?.p95Ms), "95 of 100 are faster"],
  ] as const;
  return (
    <section aria-label="Health" className="mb-6 overflow-hidden rounded-xl border bg-surface shadow-surface">
      <dl className="grid grid-cols-2 gap-px bg-separator sm:grid-cols-4">
        {figures.map(([name, value, hint]) => (
          <div key={name} className="bg-surface px-4 py-3 sm:px-5">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="mt-0.5 text-lg leading-6 font-semibold tabular-nums">{value}</dd>
            <dd className="text-xs text-muted">{hint ?? " "}</dd>
          </div>
        ))}
        <div className="bg-surface px-4 py-3 sm:px-5">
          <dt className="mb-2 text-xs text-muted">Attempts an hour</dt>
          <dd>
            <Sparkline hours={data?.hours} />
          </dd>
        </div>
      </dl>
      <LastFailure endpoint={endpoint} />
    </section>
  );
}
