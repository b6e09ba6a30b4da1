"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { DeliveryStatus } from "../webhooks/_parts/delivery-status";
import { useEndpointName } from "../webhooks/_parts/endpoint-names";

/** Lists the endpoints to which an event was delivered, with the results. */
export function EventDeliveries({ eventId }: { eventId: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.deliveries.list.queryOptions(
      { eventId, limit: 100 },
      { refetchInterval: ({ state }) => (state.data?.data.some((each) => each.status === "pending") ? 2_000 : false) },
    ),
  );
  const endpointOf = useEndpointName();
  return (
    <section>
      <h3 className="mb-2 text-[0.8125rem] font-semibold">Deliveries</h3>
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <SkeletonLines lines={2} />
      ) : query.data.data.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">No endpoint was subscribed to it when it happened.</p>
      ) : (
        <ul className="divide-y divide-separator overflow-hidden rounded-lg border">
          {query.data.data.map((delivery) => (
            <li key={delivery.id}>
              <Link
                href={`${endpointOf(delivery.endpointId)?.href ?? "/webhooks/deliveries"}?delivery=${delivery.id}`}
                className="flex items-center gap-3 px-3 py-2.5 text-[0.8125rem] outline-none hover:bg-surface-secondary focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset"
              >
                <span className="min-w-0 flex-1 truncate font-medium">{endpointOf(delivery.endpointId)?.name}</span>
                <span className="shrink-0 text-xs text-muted max-sm:hidden">
                  <Time at={delivery.completedAt ?? delivery.createdAt} />
                </span>
                <span className="flex w-22 shrink-0 justify-end">
                  <DeliveryStatus delivery={delivery} />
                </span>
                <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
