"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { EndpointView } from "@/server/webhooks/endpoints/view";

/** All endpoints, newest first: more than a page can hold, and never very many. */
export function useEndpoints() {
  const trpc = useTRPC();
  const { list } = useTRPCClient().webhooks.endpoints;
  return useQuery({
    queryKey: [...trpc.webhooks.endpoints.list.pathKey(), "all"],
    async queryFn({ signal }) {
      const found: EndpointView[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await list.query({ limit: 100, ...(cursor && { cursor }) }, { signal });
        found.push(...page.data);
        if (page.nextCursor === null) return found;
        cursor = page.nextCursor;
      }
    },
    staleTime: 60_000,
  });
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
    const known = new Map(data?.map((endpoint) => [endpoint.id, endpoint]));
    return (id) => {
      const endpoint = known.get(id);
      if (endpoint)
        return { name: nameOfEndpoint(endpoint), href: `/webhooks/${id}`, isPaused: endpoint.status === "paused" };
      return data && { name: "A deleted endpoint" };
    };
  }, [data]);
}
