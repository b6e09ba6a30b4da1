"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowDownToLine } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { useSession } from "../../../_shell/session";
import { askedFor, didWhat, type ScimRequest } from "./outcome";

const column = columnsOf<ScimRequest>();
const columns = column.columns([
  column.display({
    id: "asked",
    header: "What it asked for",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => (
      <>
        {askedFor(original)}
        {original.name && <bdi className="block text-xs text-muted wrap-anywhere">{original.name}</bdi>}
      </>
    ),
  }),
  column.display({
    id: "did",
    header: "What it did",
    cell: ({ row: { original } }) => (
      <span className={original.error ? "text-danger-soft-foreground" : "text-muted"}>{didWhat(original)}</span>
    ),
  }),
  column.accessor("status", {
    header: "Answer",
    cell: ({ row: { original } }) => (
      <span className="font-mono text-xs whitespace-nowrap text-muted">
        {original.method} {original.status}
      </span>
    ),
  }),
  column.accessor("at", {
    header: "When",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

const kinds = ["written", "refused"] as const;

/** The last requests of a directory. */
export function DirectoryRequests({ id }: { id: string }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage(50);
  const [only, setOnly] = useQueryState("only", parseAsStringLiteral(kinds));
  const query = useQuery(
    trpc.connectors.requests.queryOptions(
      { id, only: only ?? "all", ...at.range },
      // Polled, because administrators watch this list while they set up a directory.
      { placeholderData: keepPreviousData, enabled: can("subjects:read"), refetchInterval: 5_000 },
    ),
  );
  if (!can("subjects:read")) return <Empty icon={ArrowDownToLine} title="You may not see people" />;
  return (
    <Panel
      flush
      title="Last requests"
      description="The newest 2,000 that changed something or were refused, and the newest 500 that only read, for 30 days. Their content is not kept."
      actions={
        <Filter
          label="Which requests"
          any="All requests"
          value={only}
          onChange={(value) => {
            void setOnly(value);
            void at.setPage(null);
          }}
          options={[
            { value: "written", label: "Changes" },
            { value: "refused", label: "Refused" },
          ]}
        />
      }
    >
      <DataTable
        label="Last requests"
        columns={columns}
        query={query}
        rowKey={(row) => row.id}
        href={(row) =>
          row.subjectId ? `/subjects/${row.subjectId}` : row.groupId ? `/groups/${row.groupId}` : undefined
        }
        empty={
          <Empty icon={ArrowDownToLine} title={only ? "None of these" : "No request yet"}>
            {only
              ? "Show all requests."
              : "Test the connection in your directory. Its first request appears here within a few seconds."}
          </Empty>
        }
      />
      <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["request", "requests"]} />
    </Panel>
  );
}
