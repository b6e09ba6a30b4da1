"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileInput } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { isFetched, isSentTo, isUnderWay, outcomeOf, statusOf, type Connector, type Run } from "../words";

const column = columnsOf<Run>();
const columns = column.columns([
  column.accessor("createdAt", {
    header: "File of",
    meta: { phone: "title" },
    cell: ({ getValue, row }) => (
      <>
        <Time at={getValue()} />
        {row.original.file && <bdi className="block text-xs text-muted wrap-anywhere">{row.original.file.name}</bdi>}
      </>
    ),
  }),
  column.accessor("status", {
    header: "Status",
    cell: ({ row: { original: run } }) => <Status {...statusOf(run)} />,
  }),
  column.display({
    id: "outcome",
    header: "What it did",
    cell: ({ row: { original: run } }) => <span className="text-muted">{outcomeOf(run)}</span>,
  }),
]);

/** Lists the runs of a connector, newest first. Polls while runs are queued or running. */
export function RunList({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const at = usePage();
  const isAsked = isFetched(connector);
  const query = useQuery(
    trpc.connectors.runs.queryOptions(
      { id: connector.id, ...at.range },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 1_000 : false),
      },
    ),
  );
  return (
    <Panel
      flush
      title={isAsked ? "Runs" : "Files"}
      description={
        isAsked
          ? "What each list that was fetched did."
          : isSentTo(connector)
            ? "What each file that was sent or uploaded did."
            : "What each file that was uploaded did."
      }
    >
      <DataTable
        label="Files"
        columns={columns}
        query={query}
        rowKey={(run) => run.id}
        href={(run) => `/connectors/${connector.id}/runs/${run.id}`}
        empty={
          <Empty icon={FileInput} title={isAsked ? "No run yet" : "No file yet"}>
            {isAsked
              ? "Run it now, or wait for its schedule."
              : isSentTo(connector)
                ? "Send the first one by SFTP, or upload it."
                : "Upload the first one. It is applied in the background."}
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={isAsked ? ["run", "runs"] : ["file", "files"]}
      />
    </Panel>
  );
}
