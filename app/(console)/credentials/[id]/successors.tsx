"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import type { CredentialView } from "@/server/credentials/view";

/** The most links of a chain that are shown. */
const most = 50;

/** The credentials that replaced this one, in order, up to the present one. Undefined while they load. */
export function useSuccessors({
  id,
  supersededBy,
}: Pick<CredentialView, "id" | "supersededBy">): CredentialView[] | undefined {
  const client = useTRPCClient();
  const { data } = useQuery({
    queryKey: ["credentials", "successors", id, supersededBy],
    enabled: supersededBy !== null,
    async queryFn() {
      const chain: CredentialView[] = [];
      for (let next = supersededBy; next !== null && chain.length < most; next = chain.at(-1)!.supersededBy)
        chain.push(await client.credentials.get.query({ id: next }));
      return chain;
    },
  });
  return supersededBy === null ? [] : data;
}

/** Shows the chain of credentials that replaced this one, up to the present one. */
export function Successors({ chain }: { chain: CredentialView[] | undefined }) {
  if (!chain) return <SkeletonLines lines={1} />;
  return (
    <ol className="space-y-1">
      {chain.map((each, i) => (
        <li key={each.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link href={`/credentials/${each.id}`} className="font-mono text-xs font-medium hover:underline">
            {each.code}
          </Link>
          <Status of={each.state} />
          {chain.length > 1 && (
            <span className="text-xs text-muted">{i === chain.length - 1 ? "the newest" : "replaced too"}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
