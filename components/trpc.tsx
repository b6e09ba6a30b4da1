"use client";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { useState, type ReactNode } from "react";
import type { AppRouter, RouterInputs, RouterOutputs } from "@/server/trpc/root";

export type { RouterInputs, RouterOutputs };

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
export { useTRPC, useTRPCClient };

/** Where signed-out people are sent; they come back to the page that they were on. */
function signIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof TRPCClientError ? (error.data as { problem?: { status: number } } | null)?.problem?.status : undefined;
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void (statusOf(error) === 401 && signIn()) }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the service refused, it refuses again; what did not reach it may the next time.
        retry: (failures, error) => failures < 2 && (statusOf(error) ?? 500) >= 500,
      },
    },
  });
}

/** Gives the pages below it the console's procedures (`useTRPC`) and their cache. A session that ended leads to the sign-in. */
export function ConsoleData({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "/api/trpc", maxURLLength: 4000 })] }));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
