"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { PageState } from "@/components/ui/pager";
import type { RouterInputs } from "@/server/trpc/root";

type Filter = Omit<RouterInputs["webhooks"]["deliveries"]["list"], "limit" | "cursor" | "offset">;

/**
 * Loads a page of deliveries. The first page is polled every few seconds, by cursor, which costs the same for any
 * number of deliveries. The total is counted by a separate, less frequent request, if the page does not include it.
 */
export function useDeliveries(filter: Filter, { page, size, range }: PageState) {
  const trpc = useTRPC();
  const first = page === 1;
  const query = useQuery(
    trpc.webhooks.deliveries.list.queryOptions(
      { ...filter, ...(first ? { limit: size } : range) },
      { placeholderData: keepPreviousData, refetchInterval: first ? 5_000 : false },
    ),
  );
  const whole = first && query.data?.nextCursor === null;
  const counted = useQuery(
    trpc.webhooks.deliveries.list.queryOptions(
      { ...filter, limit: 1, offset: 0 },
      { enabled: first && query.isSuccess && !whole, placeholderData: keepPreviousData, refetchInterval: 30_000 },
    ),
  );
  const total = first ? (whole ? query.data?.data.length : counted.data?.total) : query.data?.total;
  return { query, total };
}
