import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { hasUnsaved } from "@/components/console/unsaved";
import { problemOf, type Problem } from "@/components/problem";

/**
 * Data is shown at once from memory and read anew in the background. What the service refuses is not asked again.
 * Without a connection everything fails at once: a change that waited for the connection would be made after it was
 * cancelled.
 */
export function newQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (problemOf(error).code === "unauthenticated") toSignIn();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && mayPass(problemOf(error)),
      },
    },
  });
}

/** Whether another try may succeed where this one failed. */
function mayPass({ status, code }: Problem): boolean {
  return code === "unreachable" || status >= 500;
}

/** The session ended: sign in, and come back here. Where a form holds what would be lost, it says so instead. */
export function toSignIn(): void {
  if (hasUnsaved()) return;
  const { pathname, search } = window.location;
  window.location.replace(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
