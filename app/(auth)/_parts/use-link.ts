"use client";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTRPCClient } from "@/components/trpc/client";

/**
 * Loads what the one-time link in the address permits. The request is a POST, so that no log keeps the token, and is
 * sent once, because a used link does not work any more.
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
