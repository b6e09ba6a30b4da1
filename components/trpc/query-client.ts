import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { hasUnsaved } from "@/components/console/unsaved";
import { problemOf, type Problem } from "@/components/problem";

/**
 * Shows cached data at once and refreshes it in the background. A refused request is not repeated. Without a connection
 * every request fails at once: a change that waited for the connection could be sent after it was cancelled.
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

/** Whether another attempt may succeed. */
function mayPass({ status, code }: Problem): boolean {
  return code === "unreachable" || status >= 500;
}

/**
 * After the session ended, signs in again and returns to this page. If a form has unsaved changes, a message says so
 * instead.
 */
export function toSignIn(): void {
  if (hasUnsaved()) return;
  const { pathname, search } = window.location;
  window.location.replace(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
