"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Equal } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import type { Connector } from "../words";

type Difference = RouterOutputs["connectors"]["differences"]["data"][number];

const kinds = ["missing", "inactive"] as const;
type Kind = (typeof kinds)[number];

const words: Record<Kind, { label: string; none: string }> = {
  missing: {
    label: "Not in the last file, active here",
    none: "Everybody whom the last applied file lacks is inactive here, or comes from another connector.",
  },
  inactive: { label: "In the last file, not active here", none: "Everybody whom the last file lists is active here." },
};

const sourceNames: Record<string, string> = { api: "the API", console: "the console" };

function whyDifferent(kind: Kind, sources: string[]): string {
  if (kind === "inactive") return "Deactivated here or by another source";
  const from = sources.map((source) => sourceNames[source] ?? source).join(" and ");
  return from ? `Kept active by ${from}` : "The connector keeps who is missing, or somebody activated them";
}

const column = columnsOf<Difference>();
const columnsFor = (kind: Kind) =>
  column.columns([
    column.accessor("displayName", {
      header: "Name",
      meta: { phone: "title" },
      cell: ({ row: { original } }) => (
        <bdi className="wrap-anywhere">{original.displayName || original.externalId}</bdi>
      ),
    }),
    column.accessor("externalId", {
      header: "Their id",
      cell: ({ getValue }) => <code className="font-mono text-xs break-all text-muted">{getValue()}</code>,
    }),
    column.accessor("sources", {
      header: "Why",
      cell: ({ getValue }) => <span className="text-muted">{whyDifferent(kind, getValue())}</span>,
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
const columns: Record<Kind, ReturnType<typeof columnsFor>> = {
  missing: columnsFor("missing"),
  inactive: columnsFor("inactive"),
};

/** Lists the people for whom the connector's last file and the organisation's records differ. */
export function FeedDifferences({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage(10, "differences");
  const [kind, setKind] = useQueryState("differs", parseAsStringLiteral(kinds).withDefault("missing"));
  const query = useQuery(
    trpc.connectors.differences.queryOptions(
      { id: connector.id, kind, ...at.range },
      { placeholderData: keepPreviousData, enabled: can("subjects:read") },
    ),
  );
  if (!can("subjects:read")) return null;
  return (
    <Panel
      flush
      title="Differences"
      description="People of whom the last applied file says something else than you see here. A file that waits for approval counts once it is approved. Whoever comes from another connector is left out."
      actions={
        <Choice<Kind>
          compact
          label="Which differences"
          value={kind}
          onChange={(next) => {
            void setKind(next);
            void at.setPage(null);
          }}
          options={kinds.map((value) => ({ value, label: words[value].label }))}
        />
      }
    >
      <DataTable
        label="Differences"
        columns={columns[kind]}
        query={query}
        rowKey={(row) => row.subjectId}
        href={(row) => `/subjects/${row.subjectId}`}
        empty={
          <Empty icon={Equal} title="No difference">
            {words[kind].none}
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["person", "people"]}
        label="Pages of differences"
      />
    </Panel>
  );
}
