"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";

/** The endpoints, as many as a menu can hold, newest first. */
export function useEndpoints() {
  const trpc = useTRPC();
  return useQuery(trpc.webhooks.endpoints.list.queryOptions({ limit: 100 }, { staleTime: 60_000 }));
}

export const nameOfEndpoint = ({ description, url }: { description: string; url: string }) => description || url;

interface Named {
  name: string;
  /** None where it was deleted. */
  href?: string;
  isPaused?: boolean;
}

/** What an endpoint is called, also one that was deleted; undefined while that is looked up. */
export function useEndpointName(): (id: string) => Named | undefined {
  const { data } = useEndpoints();
  return useMemo(() => {
    const known = new Map(data?.data.map((endpoint) => [endpoint.id, endpoint]));
    return (id) => {
      const endpoint = known.get(id);
      if (endpoint) return { name: nameOfEndpoint(endpoint), href: `/webhooks/${id}`, isPaused: endpoint.status === "paused" };
      // Beyond a hundred, it may be one of the others.
      return data && (data.nextCursor === null ? { name: "A deleted endpoint" } : { name: id, href: `/webhooks/${id}` });
    };
  }, [data]);
}
