"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";

export type RunOwner = RouterOutputs["policies"]["runOwners"][number];

const isRunId = (id: string): id is `plr_${string}` => id.startsWith("plr_");

/** The policies whose runs changed a credential, by the id of the run. */
export function useRunOwners(
  entries: readonly { actor: { type: string; id: string } }[],
): (run: string) => RunOwner | undefined {
  const trpc = useTRPC();
  const { can } = useSession();
  const ids = useMemo(() => [...new Set(entries.map(({ actor }) => actor.id).filter(isRunId))].sort(), [entries]);
  const { data } = useQuery(
    trpc.policies.runOwners.queryOptions(
      { ids: ids.slice(0, 100) },
      { enabled: ids.length > 0 && can("policies:read") },
    ),
  );
  return useMemo(() => {
    const known = new Map<string, RunOwner>(data?.map((owner) => [owner.id, owner]));
    return (run) => known.get(run);
  }, [data]);
}

/** Names a policy run as the actor of a change, with a link to it. */
export function RunName({ run }: { run: RunOwner }) {
  if (run.isDeleted)
    return (
      <>
        the policy <bdi>{run.name}</bdi>, deleted since
      </>
    );
  return (
    <Link href={`/policies/${run.policyId}/runs/${run.id}`} className="underline">
      the policy <bdi>{run.name}</bdi>
    </Link>
  );
}
