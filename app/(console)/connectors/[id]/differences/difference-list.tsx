"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Equal } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { SearchBox } from "@/components/ui/search-box";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { count } from "../../words";
import { causeNames, whyDifferent, type Difference, type sides } from "./causes";

const column = columnsOf<Difference>();
const columns = column.columns([
  column.accessor("displayName", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => <bdi className="wrap-anywhere">{original.displayName || original.externalId}</bdi>,
  }),
  column.accessor("externalId", {
    header: "Their id",
    cell: ({ getValue }) => <code className="font-mono text-xs break-all text-muted">{getValue()}</code>,
  }),
  column.accessor("cause", {
    header: "Why",
    cell: ({ row: { original } }) => <span className="text-muted">{whyDifferent(original)}</span>,
  }),
  column.accessor("since", {
    header: "Since",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

type Props = (typeof sides)[number] & {
  id: string;
  counts: RouterOutputs["connectors"]["driftCounts"] | undefined;
};

/** The people of one kind of difference, filtered by cause and searched by name. */
export function DifferenceList({ id, side, title, description, none, causes, counts }: Props) {
  const trpc = useTRPC();
  const at = usePage(25, side);
  const [cause, setCause] = useQueryState(`${side}-cause`, parseAsStringLiteral(causes));
  const [q, setQ] = useQueryState(`${side}-q`, { defaultValue: "" });
  const query = useQuery(
    trpc.connectors.drift.queryOptions(
      { id, side, q, ...(cause && { cause }), ...at.range },
      { placeholderData: keepPreviousData },
    ),
  );
  const isNarrowed = cause !== null || q !== "";
  const all = counts && causes.reduce((sum, each) => sum + counts[each], 0);
  return (
    <Panel
      flush
      title={title}
      description={description}
      actions={
        (isNarrowed || all !== 0) && (
          <>
            {causes.length > 1 && (
              <Filter
                label={`Why: ${title}`}
                any="Any cause"
                value={cause}
                onChange={(value) => {
                  void setCause(value);
                  void at.setPage(null);
                }}
                options={causes.map((value) => ({
                  value,
                  label: counts ? `${causeNames[value]} (${count(counts[value])})` : causeNames[value],
                }))}
              />
            )}
            <SearchBox
              label={`Search: ${title}`}
              placeholder="Name or id"
              className="w-60 max-w-full sm:w-44"
              value={q}
              onChange={(value) => {
                void setQ(value || null);
                void at.setPage(null);
              }}
            />
          </>
        )
      }
    >
      <DataTable
        label={title}
        columns={columns}
        query={query}
        rowKey={(row) => row.subjectId ?? row.externalId}
        href={(row) => (row.subjectId ? `/subjects/${row.subjectId}` : undefined)}
        empty={
          <Empty icon={Equal} title={isNarrowed ? "Nobody found" : "No difference"}>
            {isNarrowed ? "Choose another cause, or try a part of the name." : none}
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["person", "people"]}
        label={`Pages of ${title}`}
      />
    </Panel>
  );
}
