"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { TemplateName } from "../templates/template-name";
import { JobProgress } from "./job-progress";
import { isUnderWay, jobStatus, jobWords, type BulkJob } from "./words";

const format = new Intl.NumberFormat("en");
const column = columnsOf<BulkJob>();
const columns = column.columns([
  column.accessor("action", {
    header: "Action",
    meta: { phone: "title" },
    cell: ({ row: { original: job } }) => (
      <span className="block">
        {jobWords[job.action].title(job.total)}
        {job.templateId && (
          <span className="block text-xs font-normal text-muted">
            <TemplateName id={job.templateId} />
          </span>
        )}
      </span>
    ),
  }),
  column.accessor("status", {
    header: "Status",
    cell: ({ row: { original: job } }) => <Status {...jobStatus(job)} />,
  }),
  column.accessor("processed", {
    header: "Progress",
    meta: { phone: "hide", className: "sm:w-48" },
    cell: ({ row: { original: job } }) => <JobProgress job={job} />,
  }),
  column.accessor("succeeded", {
    header: "Done",
    meta: { align: "end" },
    cell: ({ getValue }) => <span className="tabular-nums">{format.format(getValue())}</span>,
  }),
  column.accessor("failed", {
    header: "Refused",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className={`tabular-nums ${getValue() > 0 ? "font-medium text-danger-soft-foreground" : "text-muted"}`}>
        {format.format(getValue())}
      </span>
    ),
  }),
  column.accessor("createdAt", {
    header: "Started",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

export function JobList() {
  const trpc = useTRPC();
  const at = usePage();
  const query = useQuery(
    trpc.bulk.list.queryOptions(at.range, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 2_000 : 30_000),
    }),
  );
  return (
    <>
      <PageHeader
        title="Bulk actions"
        description="One action on many credentials, row by row. A row that is refused harms no other."
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["action", "actions"]}
          />
        }
      >
        <DataTable
          label="Bulk actions"
          columns={columns}
          query={query}
          rowKey={(job) => job.id}
          href={(job) => `/jobs/${job.id}`}
          empty={
            <Empty icon={ListChecks} title="No bulk actions yet">
              Choose more than 500 credentials in a list, revoke all of a template, or send{" "}
              <code className="font-mono text-xs">POST /v1/credentials/bulk</code>: what runs in the background appears
              here.
            </Empty>
          }
        />
      </ListFrame>
    </>
  );
}
