"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { personColumns } from "@/components/ui/person-columns";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../../_shell/session";
import { RunActor } from "../../run-actor";
import { WaitsForFile } from "../../state-notices";
import {
  count,
  countWords,
  isOnlyPlanned,
  isUnderWay,
  outcomeOf,
  statusLabels,
  type Policy,
  type Run,
} from "../../../words";

type Removal = RouterOutputs["policies"]["removals"]["data"][number];

const column = columnsOf<Removal>();
const states: Record<Removal["state"], string> = {
  staged: "Waits for approval",
  applied: "Ended",
  dropped: "Was not ended",
};
const columns = column.columns([
  ...personColumns<Removal>(),
  column.accessor("state", {
    header: "Credential",
    cell: ({ getValue }) => <span className="text-muted">{states[getValue()]}</span>,
  }),
]);

/** Shows one run of a policy: its results, and the people whose credentials it ended. */
export function PolicyRunPage({ id, run }: { id: string; run: string }) {
  const trpc = useTRPC();
  const policy = useQuery(trpc.policies.get.queryOptions({ id }));
  const found = useQuery(
    trpc.policies.run.queryOptions(
      { id, run },
      { refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1_000 : false) },
    ),
  );
  const failed = [policy, found].find(({ error, data }) => error && !data);
  if (failed) return <Failure error={failed.error!} onRetry={() => void failed.refetch()} />;
  if (!policy.data || !found.data) return <SkeletonPage />;
  return <RunDetail policy={policy.data} run={found.data} />;
}

function RunDetail({ policy, run }: { policy: Policy; run: Run }) {
  const { can } = useSession();
  const label = statusLabels[run.status];
  const counts = countWords.filter(({ of }) => run.counts[of] > 0);
  return (
    <>
      <PageHeader
        trail={[
          { label: "Policies", href: "/policies" },
          { label: policy.name, href: `/policies/${policy.id}` },
        ]}
        title={
          <span className="[&_time]:whitespace-normal">
            Run of <Time at={run.createdAt} as="exact" />
          </span>
        }
        aside={<Status of={run.status} {...(label && { label })} />}
        description={outcomeOf(run)}
      />
      {run.status === "waiting" && <WaitsForFile runId={run.waitsFor} />}
      {run.halt && (
        <Notice tone="warning" title={run.approved ? "Why it needed approval" : "Why it stopped"} className="mb-5">
          <p>{run.halt.message}</p>
          {run.halt.causes.map((cause) => (
            <p key={cause}>{cause}</p>
          ))}
        </Notice>
      )}
      {isUnderWay(run) && run.attempts > 1 && (
        <Notice tone="warning" title="A step of this run fails" className="mb-5">
          It was tried {run.attempts} times and is retried automatically, at growing intervals. After the tenth attempt
          the run fails. The operator of this service finds the reason in the log.
        </Notice>
      )}
      {run.refusal && (
        <Notice tone="warning" title="Some got no credential" className="mb-5">
          {run.refusal.message}
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        {can("subjects:read") && <Removals policyId={policy.id} run={run} />}
        <div className="space-y-5">
          <Panel title="Details">
            <Facts>
              <Fact name={run.approved ? "Approved by" : "Started by"}>
                <RunActor run={run} />
              </Fact>
              <Fact name="Started">{run.startedAt && <Time at={run.startedAt} as="exact" />}</Fact>
              <Fact name="Finished">{run.finishedAt && <Time at={run.finishedAt} as="exact" />}</Fact>
            </Facts>
          </Panel>
          {counts.length > 0 && (
            <Panel title={isOnlyPlanned(run) ? "What it would do" : "What it did"}>
              <Facts>
                {counts.map(({ of, name }) => (
                  <Fact key={of} name={name}>
                    {count(run.counts[of])}
                  </Fact>
                ))}
              </Facts>
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

function Removals({ policyId, run }: { policyId: string; run: Run }) {
  const trpc = useTRPC();
  const at = usePage();
  const title = isOnlyPlanned(run)
    ? "Whose credential it would end"
    : run.status === "completed"
      ? "Whose credential it ended"
      : "Whose credential it was to end";
  const query = useQuery(
    trpc.policies.removals.queryOptions(
      { id: policyId, run: run.id, ...at.range },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Panel flush title={title}>
      <DataTable
        label={title}
        columns={columns}
        query={query}
        rowKey={(removal) => removal.subjectId}
        href={(removal) => `/policies/${policyId}/why/${removal.subjectId}`}
        empty={<Empty icon={Users} title="Nobody's" />}
      />
      <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["person", "people"]} />
    </Panel>
  );
}
