import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";

export interface Stated {
  results: RouterOutputs["achievements"]["get"]["version"]["resultDescriptions"];
  /** The most credits that it gives; null if it gives none. */
  credits: number | null;
}

const minute = 60_000;

/** Loads what an achievement lets the credentials of a template state, if the reader may see achievements. */
export function useStated(achievementId: string | null | undefined): Stated {
  const trpc = useTRPC();
  const { can } = useSession();
  const query = useQuery(
    trpc.achievements.get.queryOptions(achievementId && can("achievements:read") ? { id: achievementId } : skipToken, {
      staleTime: minute,
    }),
  );
  const version = achievementId ? query.data?.version : undefined;
  return { results: version?.resultDescriptions ?? [], credits: version?.creditsAvailable ?? null };
}
