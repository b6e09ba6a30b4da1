"use client";
import { useQueries } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

const statuses = ["failed", "parked"] as const;

/** Counts the deliveries to these endpoints that failed or were parked since then, including tests. */
export function StuckCount({ endpointIds, since }: { endpointIds: string[]; since: string }) {
  const trpc = useTRPC();
  const counted = useQueries({
    queries: endpointIds.flatMap((endpointId) =>
      statuses.map((status) =>
        trpc.webhooks.deliveries.list.queryOptions({ endpointId, status, createdAfter: since, limit: 1, offset: 0 }),
      ),
    ),
    combine: (answers) =>
      answers.every((each) => each.data)
        ? statuses.map((_, i) =>
            answers.reduce((sum, each, n) => sum + (n % statuses.length === i ? each.data!.total! : 0), 0),
          )
        : undefined,
  });
  if (!counted) return <p className="text-[0.8125rem] text-muted">Counting…</p>;
  const [failed, parked] = counted.map((n) => n.toLocaleString("en"));
  return (
    <p className="text-[0.8125rem] text-muted tabular-nums" aria-live="polite">
      <strong className="font-semibold text-foreground">{failed}</strong> failed and{" "}
      <strong className="font-semibold text-foreground">{parked}</strong> parked in this time. Tests among them, and
      what has expired, are not sent again.
    </p>
  );
}
