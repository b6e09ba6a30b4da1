"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { DownloadButton } from "@/components/console/download-button";
import { streamed, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { Pager, usePage } from "@/components/ui/pager";
import type { PhotoImportView } from "@/server/photos/view";
import type { RouterOutputs } from "@/server/trpc/root";
import { isUnderWay } from "../words";

type Rejected = RouterOutputs["photos"]["rejected"]["data"][number];

const column = columnsOf<Rejected>();
const columns = column.columns([
  column.accessor("fileName", {
    header: "File",
    meta: { phone: "title" },
    cell: ({ getValue }) => (
      <span className="wrap-anywhere">{getValue() ?? <span className="text-muted">Erased person</span>}</span>
    ),
  }),
  column.accessor("reason", {
    header: "Why nobody got it",
    cell: ({ getValue }) => <span className="text-pretty text-muted">{getValue()}</span>,
  }),
]);

/** Lists the files of the archive that were rejected. */
export function RejectedFiles({ found }: { found: PhotoImportView }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const at = usePage(50);
  const query = useQuery(
    trpc.photos.rejected.queryOptions(
      { id: found.id, ...at.range },
      { placeholderData: keepPreviousData, refetchInterval: isUnderWay(found) ? 3_000 : false },
    ),
  );
  return (
    <ListFrame
      filters={
        <>
          <h2 className="text-sm font-semibold">Rejected files</h2>
          <span className="ms-auto">
            <DownloadButton
              name="rejected photos"
              label="Download CSV"
              open={() => client.photos.exportRejected.query({ id: found.id }, streamed)}
            />
          </span>
        </>
      }
      pager={
        <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["file", "files"]} />
      }
    >
      <DataTable
        label="Rejected files"
        columns={columns}
        query={query}
        rowKey={({ index }) => String(index)}
        empty={<Empty icon={CircleCheck} title="No file was rejected" />}
      />
    </ListFrame>
  );
}
