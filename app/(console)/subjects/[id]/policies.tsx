"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { outcomeLooks } from "../../policies/words";

const shown = 100;

/** What each policy does for a person, with a link to the explanation. */
export function Policies({ subjectId }: { subjectId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.policies.ofSubject.queryOptions({ id: subjectId, limit: shown }));
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || data.data.length === 0) return null;
  return (
    <Panel title="Policies" description="What each does for this person. Choose one to see why.">
      <ul className="space-y-2 text-[0.8125rem]">
        {data.data.map(({ policyId, name, status, action, exception }) => (
          <li key={policyId} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0">
              <Link href={`/policies/${policyId}/why/${subjectId}`} className="font-medium break-words hover:underline">
                <bdi>{name}</bdi>
              </Link>
              {exception && <span className="text-xs text-muted"> · by an exception</span>}
              {status === "paused" && <span className="text-xs text-muted"> · paused</span>}
            </span>
            <span className="shrink-0">
              <Status {...outcomeLooks[action]} />
            </span>
          </li>
        ))}
      </ul>
      {data.nextCursor && <p className="mt-2 text-xs text-muted">The newest {shown} policies are shown.</p>}
    </Panel>
  );
}
