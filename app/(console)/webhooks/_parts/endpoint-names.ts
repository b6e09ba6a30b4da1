"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { EndpointView } from "@/server/webhooks/endpoints/view";

/** Loads all endpoints, newest first. There may be more than one page of them, but never very many. */
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
  /** Null if the endpoint was deleted. */
  href?: string;
  isPaused?: boolean;
}

/** Returns the name of an endpoint, including a deleted one; undefined while it loads. */
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
