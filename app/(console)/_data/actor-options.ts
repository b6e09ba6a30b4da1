"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useSession } from "../_shell/session";

const slowly = { staleTime: 60_000 };

/**
 * The actors by which a list can be filtered: members, API keys and OAuth clients, as far as the reader may see them.
 */
export function useActorOptions(): { value: string; label: string; description: string }[] {
  const trpc = useTRPC();
  const { can } = useSession();
  const members = useQuery(trpc.members.list.queryOptions({ limit: 100 }, { ...slowly, enabled: can("members:read") }));
  const keys = useQuery(
    trpc.access.apiKeys.list.queryOptions({ limit: 100 }, { ...slowly, enabled: can("keys:read") }),
  );
  const clients = useQuery(
    trpc.access.oauthClients.list.queryOptions({ limit: 100 }, { ...slowly, enabled: can("keys:read") }),
  );
  return [
    ...(members.data?.data ?? []).map((each) => ({
      value: each.userId,
      label: each.name || each.email,
      description: "Member",
    })),
    ...(keys.data?.data ?? []).map((each) => ({
      value: each.id,
      label: each.name,
      description: each.revokedAt ? "API key, revoked" : "API key",
    })),
    ...(clients.data?.data ?? []).map((each) => ({
      value: each.id,
      label: each.name,
      description: each.revokedAt ? "OAuth client, revoked" : "OAuth client",
    })),
  ];
}
