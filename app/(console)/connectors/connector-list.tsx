"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileInput, FolderSync, Plus } from "lucide-react";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useSession } from "../_shell/session";
import { count, waitsLabel, type Connector } from "./words";

const fromLabels = { csv: "Files", http: "Address", scim: "Directory", sftp: "SFTP" };

const column = columnsOf<Connector>();
/**
 * @param waiting the connectors that have a run waiting for approval
 * @param failing the connectors whose last run failed, or could use no row
 * @param removals how many removals of a directory wait for approval
 * @param requested when a directory sent its last request
 */
const columnsWith = (
  waiting: ReadonlySet<string>,
  failing: ReadonlySet<string>,
  removals: ReadonlyMap<string, number>,
  requested: ReadonlyMap<string, string>,
) =>
  column.columns([
    column.accessor("name", {
      header: "Name",
      meta: { phone: "title" },
      cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
    }),
    column.accessor("status", {
      header: "Status",
      cell: ({ getValue, row: { original } }) => {
        const staged = removals.get(original.id) ?? 0;
        if (staged > 0)
          return <Status of="held" label={staged === 1 ? "1 removal waits" : `${count(staged)} removals wait`} />;
        if (waiting.has(original.id)) return <Status of="held" label={waitsLabel} />;
        return failing.has(original.id) ? <Status of="failed" label="Last run failed" /> : <Status of={getValue()} />;
      },
    }),
    column.accessor("type", {
      header: "From",
      cell: ({ getValue }) => <span className="text-muted">{fromLabels[getValue()]}</span>,
    }),
    column.accessor("missing", {
      header: "Who is missing",
      cell: ({ row: { original } }) => (
        <span className="text-muted">
          {original.type === "scim"
            ? "The directory decides"
            : original.mode === "full" && original.missing === "deactivate"
              ? "Is deactivated"
              : "Stays"}
        </span>
      ),
    }),
    column.accessor("lastFullRunAt", {
      header: "Last file or request",
      meta: { align: "end" },
      cell: ({ getValue, row }) => {
        const at = row.original.type === "scim" ? requested.get(row.original.id) : getValue();
        return <span className="text-muted">{at ? <Time at={at} /> : "None yet"}</span>;
      },
    }),
  ]);

export function ConnectorList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage();
  const query = useQuery(trpc.connectors.list.queryOptions(at.range, { placeholderData: keepPreviousData }));
  const connectorIds = query.data?.data.map(({ id }) => id) ?? [];
  const alerts = useQuery(
    trpc.connectors.alerts.queryOptions(
      { connectorIds },
      { enabled: connectorIds.length > 0, placeholderData: keepPreviousData },
    ),
  );
  const staged = useQuery(
    trpc.connectors.waitingDirectories.queryOptions(
      { connectorIds },
      { enabled: connectorIds.length > 0, placeholderData: keepPreviousData },
    ),
  );
  const requests = useQuery(trpc.connectors.lastRequests.queryOptions({}));
  const columns = useMemo(
    () =>
      columnsWith(
        new Set(alerts.data?.flatMap(({ connectorId, waits }) => (waits ? connectorId : []))),
        new Set(alerts.data?.flatMap(({ connectorId, fails }) => (fails ? connectorId : []))),
        new Map(staged.data?.map(({ connectorId, removals }) => [connectorId, removals])),
        new Map(requests.data?.map(({ connectorId, at }) => [connectorId, at])),
      ),
    [alerts.data, staged.data, requests.data],
  );
  const create = can("connectors:write") && (
    <>
      <ButtonLink href="/connectors/new/directory" variant="outline">
        <FolderSync aria-hidden="true" /> Connect a directory
      </ButtonLink>
      <ButtonLink href="/connectors/new">
        <Plus aria-hidden="true" /> New connector
      </ButtonLink>
    </>
  );
  return (
    <>
      <PageHeader
        title="Connectors"
        description="They take people from the files of your registry, or from your directory. Only what has changed is written."
        actions={create}
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["connector", "connectors"]}
          />
        }
      >
        <DataTable
          label="Connectors"
          columns={columns}
          query={query}
          rowKey={(connector) => connector.id}
          href={(connector) => `/connectors/${connector.id}`}
          empty={
            <Empty icon={FileInput} title="No connectors yet" action={create}>
              A connector says which column of your file is the name, the e-mail address, and so on.
            </Empty>
          }
        />
      </ListFrame>
    </>
  );
}
