import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useSession } from "../_shell/session";

/** The number of credentials of a template that are active, suspended or not valid yet; undefined while it loads. */
export function useLiveCount(templateId: string): number | undefined {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(trpc.credentials.counts.queryOptions({ templateId }, { enabled: can("credentials:read") }));
  return data && data.states.active + data.states.suspended + data.states.pending;
}

/** "1 live credential", "412 live credentials". */
export const liveCredentials = (n: number): string =>
  `${n.toLocaleString("en")} live ${n === 1 ? "credential" : "credentials"}`;
