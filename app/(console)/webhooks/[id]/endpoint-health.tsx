"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Sparkline } from "../_parts/sparkline";

const percent = (rate: number | null | undefined) => (rate == null ? "–" : rate === 1 ? "100 %" : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`);
const time = (ms: number | null | undefined) => (ms == null ? "–" : `${ms} ms`);

/** How the endpoint has been doing. */
export function EndpointHealth({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhooks.endpoints.statistics.queryOptions({ id }, { refetchInterval: 15_000 }));
  const day = data?.last24Hours;
  const week = data?.last7Days;
  const figures = [
    ["Accepted, 24 hours", percent(day?.successRate), day && `${day.attempts.toLocaleString("en")} attempts`],
    ["Accepted, 7 days", percent(week?.successRate), week && `${week.attempts.toLocaleString("en")} attempts`],
    ["p95 time, 24 hours", time(day?.p95Ms), "95 of 100 are faster"],
  ] as const;
  return (
    <dl className="mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-separator shadow-surface sm:grid-cols-4">
      {figures.map(([name, value, hint]) => (
        <div key={name} className="bg-surface px-4 py-3 sm:px-5">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="mt-0.5 text-lg leading-6 font-semibold tabular-nums">{value}</dd>
          <dd className="text-xs text-muted">{hint ?? " "}</dd>
        </div>
      ))}
      <div className="bg-surface px-4 py-3 sm:px-5">
        <dt className="mb-2 text-xs text-muted">Attempts an hour</dt>
        <dd><Sparkline hours={data?.hours} /></dd>
      </div>
    </dl>
  );
}
