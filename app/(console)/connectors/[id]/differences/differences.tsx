"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Equal } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../_shell/session";

type Difference = RouterOutputs["connectors"]["drift"]["data"][number];

const why: Record<Difference["cause"], string> = {
  inactive: "Inactive here: somebody here or another source deactivated them",
  awaited: "In a group there, but never sent as a person: assign them to the application there",
  staged: "Removed there, and waits for your approval",
  removed: "Removed there, and another source keeps them active here",
  never: "Never sent by this directory, nor by another connector",
};

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
    cell: ({ getValue }) => <span className="text-muted">{why[getValue()]}</span>,
  }),
]);

/** Lists the differences between a directory and the organisation. */
export function DirectoryDifferences({ id }: { id: string }) {
  const { can } = useSession();
  if (!can("subjects:read")) return <Empty icon={Equal} title="You may not see people" />;
  return (
    <div className="space-y-5">
      <Side
        id={id}
        side="there"
        title="In the directory and not here"
        description="People who are active in the directory and not here. Activate them here, or let the directory send them again."
        none="Everybody who is active in the directory is active here."
      />
      <Side
        id={id}
        side="here"
        title="Here and not in the directory"
        description="People who are active here, and neither in the directory nor in another connector. Deactivate those who have left."
        none="Everybody who is active here is in this directory or comes from another connector."
      />
    </div>
  );
}

function Side({
  id,
  side,
  title,
  description,
  none,
}: {
  id: string;
  side: "there" | "here";
  title: string;
  description: string;
  none: string;
}) {
  const trpc = useTRPC();
  const at = usePage(25, side);
  const query = useQuery(
    trpc.connectors.drift.queryOptions({ id, side, ...at.range }, { placeholderData: keepPreviousData }),
  );
  return (
    <Panel flush title={title} description={description}>
      <DataTable
        label={title}
        columns={columns}
        query={query}
        rowKey={(row) => row.subjectId ?? row.externalId}
        href={(row) => (row.subjectId ? `/subjects/${row.subjectId}` : undefined)}
        empty={
          <Empty icon={Equal} title="No difference">
            {none}
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
