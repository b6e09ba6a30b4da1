import { QueryCache, QueryClient } from "@tanstack/react-query";
import { problemOf } from "@/components/problem";

/** Data is shown at once from memory and read anew in the background. What the service refuses is not asked again. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (problemOf(error).status === 401) toSignIn();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && (problemOf(error).status === 0 || problemOf(error).status >= 500),
      },
    },
  });
}

/** The session ended: sign in, and come back here. */
export function toSignIn(): void {
  const { pathname, search } = window.location;
  window.location.replace(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
