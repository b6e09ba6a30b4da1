"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { DownloadButton } from "@/components/console/download-button";
import { streamed, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../../_shell/session";
import { isAllRejected, type Run } from "../../../words";

type RowError = RouterOutputs["connectors"]["errors"]["data"][number];

const shown = 50;
const column = columnsOf<RowError>();
const columns = column.columns([
  column.accessor("line", {
    header: "Line",
    meta: { phone: "title", className: "sm:w-20" },
    cell: ({ getValue }) => <span className="tabular-nums">{getValue()}</span>,
  }),
  column.accessor("column", {
    header: "Column",
    cell: ({ getValue }) => <bdi className="text-muted">{getValue() ?? "–"}</bdi>,
  }),
  column.accessor("message", { header: "What is wrong", cell: ({ getValue }) => getValue() }),
]);

/** Lists the errors of rejected rows page by page, with a download of all of them. */
export function RunErrors({ run }: { run: Run }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { can } = useSession();
  // Not in the URL, which holds the page of the other list.
  const [page, setPage] = useState(1);
  const at = {
    page,
    size: shown,
    setPage: (next: number | null) => setPage(next ?? 1),
    range: { limit: shown, offset: (page - 1) * shown },
  };
  const query = useQuery(
    trpc.connectors.errors.queryOptions(
      { id: run.connectorId, run: run.id, ...at.range },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Panel
      flush
      title="Rejected rows"
      description={
        isAllRejected(run)
          ? "No row was applied. If all have the same fault, correct the mapping of the connector, or the export, and upload the file again."
          : "The other rows were applied. Download the rejected ones, correct them, and upload that file as one that lists some people alone. Rows that repeat an id are not in that file: the first row of an id counts."
      }
      actions={
        <>
          <DownloadButton
            name={`${run.id}-errors`}
            label="Download errors"
            open={() => client.connectors.exportErrors.query({ id: run.connectorId, run: run.id }, streamed)}
          />
          {can("subjects:read") && (
            <DownloadButton
              name={`${run.id}-rejected`}
              label="Download rows"
              open={() => client.connectors.exportRejected.query({ id: run.connectorId, run: run.id }, streamed)}
            />
          )}
        </>
      }
    >
      <DataTable
        label="Rejected rows"
        columns={columns}
        query={query}
        rowKey={(error) => `${error.line} ${error.column} ${error.code}`}
        empty={<Empty icon={ListChecks} title="No row was rejected" />}
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["error", "errors"]}
        label="Pages of rejected rows"
      />
    </Panel>
  );
}
