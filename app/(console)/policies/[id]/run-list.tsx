"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { isUnderWay, outcomeOf, statusLabels, type Policy, type Run } from "../words";

/** Runs that are shown; the API lists all. */
const shown = 25;

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
  column.accessor("trigger", {
    header: "By",
    cell: ({ getValue }) => <span className="text-muted">{getValue() === "schedule" ? "Schedule" : "Request"}</span>,
  }),
  column.display({
    id: "outcome",
    header: "What it did",
    cell: ({ row: { original: run } }) => <span className="text-muted">{outcomeOf(run)}</span>,
  }),
]);

/** The newest runs of a policy. Those under way are read again until they are over. */
export function RunList({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.policies.runs.queryOptions(
      { id: policy.id, limit: shown },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 1_000 : false),
      },
    ),
  );
  return (
    <Panel flush title="Runs" description={`The newest ${shown}.`}>
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
    </Panel>
  );
}
