"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { isUnderWay, outcomeOf, statusLabels, type Policy, type Run } from "../words";
import { RunActor } from "./run-actor";
import { DaysChart } from "./days-chart";

const column = columnsOf<Run>();
const columns = column.columns([
  column.accessor("createdAt", {
    header: "Run of",
    meta: { phone: "title" },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
  column.accessor("status", {
    header: "Status",
    cell: ({ getValue }) => {
      const label = statusLabels[getValue()];
      return <Status of={getValue()} {...(label && { label })} />;
    },
  }),
  column.accessor("actor", {
    header: "By",
    cell: ({ row: { original: run } }) => <RunActor run={run} />,
  }),
  column.display({
    id: "outcome",
    header: "What it did",
    cell: ({ row: { original: run } }) => <span className="text-muted">{outcomeOf(run)}</span>,
  }),
]);

/** Lists the runs of a policy, and sums up those of the last 30 days. Polls while runs are in progress. */
export function RunList({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const at = usePage(10, "runs");
  const query = useQuery(
    trpc.policies.runs.queryOptions(
      { id: policy.id, ...at.range },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 1_000 : false),
      },
    ),
  );
  return (
    <Panel flush title="Runs" description="What each did. Choose one to see whose credential it ended.">
      <DaysChart policyId={policy.id} />
      <DataTable
        label="Runs"
        columns={columns}
        query={query}
        rowKey={(run) => run.id}
        href={(run) => `/policies/${policy.id}/runs/${run.id}`}
        empty={
          <Empty icon={History} title="No run yet">
            Apply the policy, or wait for its schedule.
          </Empty>
        }
      />
      <Pager
        at={at}
        label="Pages of runs"
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["run", "runs"]}
      />
    </Panel>
  );
}
