"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Images } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { PhotoImportView } from "@/server/photos/view";
import { useSession } from "../../_shell/session";
import { ArchiveDialog } from "./archive-dialog";
import { ImportProgress } from "./import-progress";
import { importStatus, isUnderWay, photosOf } from "./words";

const format = new Intl.NumberFormat("en");
const column = columnsOf<PhotoImportView>();
const columns = column.columns([
  column.accessor("counts.total", {
    id: "total",
    header: "Archive",
    meta: { phone: "title" },
    cell: ({ getValue }) => photosOf(getValue()),
  }),
  column.accessor("status", {
    header: "Status",
    cell: ({ row: { original } }) => <Status {...importStatus(original)} />,
  }),
  column.accessor("counts.processed", {
    id: "progress",
    header: "Progress",
    meta: { phone: "hide", className: "sm:w-48" },
    cell: ({ row: { original } }) => <ImportProgress counts={original.counts} />,
  }),
  column.accessor("counts.written", {
    id: "written",
    header: "New photos",
    meta: { align: "end" },
    cell: ({ getValue }) => <span className="tabular-nums">{format.format(getValue())}</span>,
  }),
  column.accessor("counts.rejected", {
    id: "rejected",
    header: "Rejected",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className={`tabular-nums ${getValue() > 0 ? "font-medium text-danger-soft-foreground" : "text-muted"}`}>
        {format.format(getValue())}
      </span>
    ),
  }),
  column.accessor("createdAt", {
    header: "Uploaded",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

export function ImportList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(
    trpc.photos.imports.queryOptions(at.range, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 2_000 : 30_000),
    }),
  );
  const upload = can("subjects:write") && (
    <Button onPress={() => setOpen(true)}>
      <Images aria-hidden="true" /> Upload a ZIP
    </Button>
  );
  return (
    <>
      <PageHeader
        trail={[{ label: "People", href: "/subjects" }]}
        title="Photos from archives"
        description="The photos of many people at once: a ZIP whose files are named by the ids of the people."
        actions={upload}
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["archive", "archives"]}
          />
        }
      >
        <DataTable
          label="Archives of photos"
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          href={({ id }) => `/subjects/photo-imports/${id}`}
          empty={
            <Empty icon={Images} title="No archive yet" action={upload}>
              Name each photo after the person’s id in your own systems, such as <b>s-1001.jpg</b>, put them into a ZIP
              and upload it here.
            </Empty>
          }
        />
      </ListFrame>
      <ArchiveDialog isOpen={isOpen} onOpenChange={setOpen} />
    </>
  );
}
