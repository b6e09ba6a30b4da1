"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { countElsewhere, useChosen } from "@/components/ui/chosen";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { personColumns } from "@/components/ui/person-columns";
import { SearchBox } from "@/components/ui/search-box";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../_shell/session";
import type { Connector } from "../../words";
import { removalsOf, StagedDecision, type Asked } from "./staged-decision";

type Removal = RouterOutputs["connectors"]["staged"]["data"][number];

const causes: Record<Removal["cause"], string> = {
  status: "Deactivated in the directory",
  deleted: "Deleted in the directory",
  member: "Taken out of",
};

const column = columnsOf<Removal>();
const columns = column.columns([
  ...personColumns<Removal>(),
  column.accessor("cause", {
    header: "What happened",
    cell: ({ row: { original } }) => (
      <span className="text-muted">
        {causes[original.cause]} {original.groupName && <bdi>{original.groupName}</bdi>}
      </span>
    ),
  }),
  column.accessor("stagedAt", {
    header: "Since",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

/** The removals of the directory that wait for approval: all of them, or chosen ones. Renders nothing if there are none. */
export function Staged({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage(20);
  const [q, search] = useState("");
  const choosing = useChosen<Removal>(`staged ${connector.id}`);
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useQuery(
    trpc.connectors.staged.queryOptions({ id: connector.id, q, ...at.range }, { placeholderData: keepPreviousData }),
  );
  // The number of all waiting removals, without the search.
  const all = useQuery(trpc.connectors.staged.queryOptions({ id: connector.id, limit: 1, offset: 0 }));
  const total = all.data?.total ?? 0;
  if (total === 0) return null;
  const mayDecide = can("connectors:approve");
  const ask = (step: Asked["step"], only: ReadonlyMap<string, Removal> | null) => () =>
    setAsked({ step, only: only && [...only.values()].map(({ subjectId, groupId }) => ({ subjectId, groupId })) });
  return (
    <Panel
      flush
      title={`${removalsOf(total)} ${total === 1 ? "waits" : "wait"} for approval`}
      actions={
        <>
          <SearchBox
            label="Search removals"
            placeholder="Name or id"
            className="w-full sm:w-44"
            value={q}
            onChange={(value) => {
              search(value);
              void at.setPage(null);
            }}
          />
          {/* All waiting removals, not only those that the search finds. */}
          {mayDecide && q === "" && (
            <>
              <Button size="sm" variant="outline" onPress={ask("discard", null)}>
                Discard all
              </Button>
              <Button size="sm" onPress={ask("approve", null)}>
                Approve all
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="px-4 py-3 sm:px-5">
        <Notice tone="warning">
          The directory removed more than its limit within 24 hours. It was answered as if all of it was done. Nothing
          has happened to these people here yet.
        </Notice>
      </div>
      <DataTable
        label="Removals that wait"
        columns={columns}
        query={query}
        rowKey={keyOf}
        href={(removal) => `/subjects/${removal.subjectId}`}
        {...(mayDecide && {
          selection: {
            chosen: choosing.chosen,
            onChange: choosing.onChange,
            nameOf: (removal: Removal) => removal.displayName || removal.externalId,
          },
        })}
        empty={<Empty icon={Users} title="Nobody found" />}
      />
      <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["removal", "removals"]} />
      <div className="px-4 pb-4 empty:hidden sm:px-5">
        <ChosenBar
          count={choosing.chosen.size}
          elsewhere={countElsewhere(choosing.chosen, query.data?.data, keyOf)}
          noun={["removal", "removals"]}
          onClear={choosing.clear}
        >
          <Button size="sm" variant="outline" onPress={ask("discard", choosing.chosen)}>
            Discard
          </Button>
          <Button size="sm" onPress={ask("approve", choosing.chosen)}>
            Approve
          </Button>
        </ChosenBar>
      </div>
      <StagedDecision
        connectorId={connector.id}
        asked={asked}
        total={total}
        onClose={() => setAsked(null)}
        onDone={choosing.clear}
      />
    </Panel>
  );
}

const keyOf = (removal: Removal) => `${removal.subjectId} ${removal.groupId ?? ""}`;
