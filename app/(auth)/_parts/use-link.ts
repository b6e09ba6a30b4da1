"use client";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTRPCClient } from "@/components/trpc/client";

/**
 * What the one-time link in the address stands for. It is asked for by POST, so that no log keeps the token; and once,
 * since after its use there is no such link.
 */
export function useLink() {
  const token = useSearchParams().get("token") ?? "";
  const client = useTRPCClient();
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () => client.links.inspect.mutate({ token }),
    retry: false,
    staleTime: "static",
  });
  return { token, link };
}
