"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { personColumns } from "@/components/ui/person-columns";
import { Status } from "@/components/ui/status";
import type { RouterOutputs } from "@/server/trpc/root";
import type { Run } from "../../../words";

type Removal = RouterOutputs["connectors"]["removals"]["data"][number];

const states = {
  staged: { of: "paused", label: "Waits" },
  applied: { of: "inactive", label: "Done" },
  dropped: { of: "active", label: "Left as they were" },
} as const;

/** How a removal ended after its run was undone. */
const putBack = { of: "active", label: "Put back" } as const;

const column = columnsOf<Removal>();
const columnsFor = (run: Run) =>
  column.columns([
    ...personColumns<Removal>(),
    column.accessor("cause", {
      header: "Why",
      cell: ({ row: { original } }) => (
        <span className="text-muted">
          {original.cause === "member"
            ? `Leaves ${original.group?.name || "a group that was deleted"}`
            : original.cause === "missing"
              ? "Missing from the file"
              : original.line === null
                ? "Inactive in the file"
                : `Inactive in line ${original.line}`}
        </span>
      ),
    }),
    column.accessor("state", {
      header: "",
      cell: ({ getValue }) => <Status {...(run.undoneBy && getValue() === "dropped" ? putBack : states[getValue()])} />,
    }),
  ]);

/**
 * Lists the people whom a run deactivated, and those who left groups that policies use. Before an approval, lists what
 * would happen.
 */
export function RunRemovals({ run }: { run: Run }) {
  const trpc = useTRPC();
  const at = usePage(50);
  const columns = useMemo(() => columnsFor(run), [run]);
  const query = useQuery(
    trpc.connectors.removals.queryOptions(
      { id: run.connectorId, run: run.id, ...at.range },
      {
        placeholderData: keepPreviousData,
        // Poll while an approved run still has people to deactivate.
        refetchInterval: ({ state }) =>
          run.status !== "held" && state.data?.data.some((removal) => removal.state === "staged") ? 1_000 : false,
      },
    ),
  );
  return (
    <Panel flush title={run.status === "held" ? "Who waits" : "Removals"}>
      <DataTable
        label="Removals"
        columns={columns}
        query={query}
        rowKey={(removal) => `${removal.subjectId} ${removal.group?.id}`}
        href={(removal) => `/subjects/${removal.subjectId}`}
        empty={<Empty icon={Users} title="Nobody" />}
      />
      <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["removal", "removals"]} />
    </Panel>
  );
}
