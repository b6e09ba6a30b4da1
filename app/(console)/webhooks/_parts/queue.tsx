"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Time, useNow } from "@/components/ui/time";

/** Deliveries that have been due for less time are in progress and not worth a mention. */
const lateMs = 60_000;

const number = new Intl.NumberFormat("en");

/** Counts waiting and failed deliveries across all endpoints. */
export function Queue() {
  const trpc = useTRPC();
  const now = useNow();
  const { data } = useQuery(trpc.webhooks.queue.queryOptions({}, { refetchInterval: 5_000 }));
  const figures: [string, number | undefined, string?][] = [
    ["Accepted in 24 h", data?.succeededAttempts],
    [
      "Failed in 24 h",
      data?.failedAttempts,
      data && data.failedAttempts > 0 ? "text-danger-soft-foreground" : undefined,
    ],
    ["Waiting for a retry", data?.retryingDeliveries],
    ["Due now", data && data.dueDeliveries + data.unsequencedEvents],
    ["Parked or paused", data && data.parkedDeliveries + data.pausedDeliveries],
  ];
  return (
    <section aria-label="Delivery queue" className="mb-5 overflow-hidden rounded-xl border bg-surface shadow-surface">
      <dl className="grid grid-cols-2 gap-px bg-separator sm:grid-cols-5">
        {figures.map(([name, value, tone = ""]) => (
          <div key={name} className="bg-surface px-4 py-3 last:max-sm:col-span-2 sm:px-5">
            <dt className="truncate text-xs text-muted">{name}</dt>
            <dd className={`mt-0.5 text-lg leading-6 font-semibold tabular-nums ${tone}`}>
              {value === undefined ? "–" : number.format(value)}
            </dd>
          </div>
        ))}
      </dl>
      {data?.oldestDueAt && now - Date.parse(data.oldestDueAt) > lateMs && (
        <p className="border-t px-5 py-1.5 text-xs text-muted">
          The oldest has been due since <Time at={data.oldestDueAt} />.
        </p>
      )}
    </section>
  );
}
