"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../_shell/session";
import { count, type Connector } from "../../words";

type Removal = RouterOutputs["connectors"]["staged"]["data"][number];

const causes: Record<Removal["cause"], string> = {
  status: "Deactivated in the directory",
  deleted: "Deleted in the directory",
  member: "Taken out of",
};

const column = columnsOf<Removal>();
const columns = column.columns([
  column.accessor("displayName", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => <bdi>{original.displayName || original.externalId}</bdi>,
  }),
  column.accessor("externalId", {
    header: "Your id",
    cell: ({ getValue }) => <code className="font-mono text-xs break-all text-muted">{getValue()}</code>,
  }),
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

/** The removals of the directory that wait for approval. Renders nothing if there are none. */
export function Staged({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage(20);
  const [asked, setAsked] = useState<"approve" | "discard" | null>(null);
  const close = () => setAsked(null);
  const query = useQuery(
    trpc.connectors.staged.queryOptions({ id: connector.id, ...at.range }, { placeholderData: keepPreviousData }),
  );
  const approve = useAction(trpc.connectors.approveStaged.mutationOptions(), { done: "Approved", onDone: close });
  const discard = useAction(trpc.connectors.discardStaged.mutationOptions(), { done: "Discarded", onDone: close });
  const total = query.data?.total ?? 0;
  if (total === 0) return null;
  const removals = removalsOf(total);
  // The API refuses if the number of waiting removals has changed. The error has the new number for the next confirmation.
  const waiting = ({ problem }: typeof approve | typeof discard) =>
    problem?.code === "count_mismatch" ? Number(problem.members?.["count"]) : total;
  return (
    <Panel
      flush
      title={`${removals} ${total === 1 ? "waits" : "wait"} for you`}
      actions={
        can("connectors:approve") && (
          <>
            <Button size="sm" variant="outline" onPress={() => setAsked("discard")}>
              Discard
            </Button>
            <Button size="sm" onPress={() => setAsked("approve")}>
              Approve
            </Button>
          </>
        )
      }
    >
      <div className="px-4 pb-3 sm:px-5">
        <Notice tone="warning">
          The directory removed more than its limit within 24 hours. It was answered as if all of it was done. Nothing
          has happened to these people here yet.
        </Notice>
      </div>
      <DataTable
        label="Removals that wait"
        columns={columns}
        query={query}
        rowKey={(removal) => `${removal.subjectId} ${removal.groupId ?? ""}`}
        href={(removal) => `/subjects/${removal.subjectId}`}
        empty={<Empty icon={Users} title="Nobody" />}
      />
      <Pager at={at} total={total} isPlaceholder={query.isPlaceholderData} noun={["removal", "removals"]} />
      <Confirm
        isOpen={asked === "approve"}
        onOpenChange={close}
        title={`Approve ${removalsOf(waiting(approve))}?`}
        confirm={`Approve ${removalsOf(waiting(approve))}`}
        isPending={approve.isPending}
        problem={approve.problem}
        onConfirm={() => approve.run({ id: connector.id, expectedCount: waiting(approve) })}
      >
        <p>
          People who left the directory are deactivated: they get no new credentials, and policies end those that they
          issued to them. People who were taken out of a group leave it, and policies end what they hold by it.
          {waiting(approve) > atOnce && ` The oldest ${count(atOnce)} are done now; approve again for the others.`}
        </p>
      </Confirm>
      <Confirm
        isOpen={asked === "discard"}
        onOpenChange={close}
        title={`Discard ${removalsOf(waiting(discard))}?`}
        confirm="Remove nobody"
        tone="primary"
        isPending={discard.isPending}
        problem={discard.problem}
        onConfirm={() => discard.run({ id: connector.id, expectedCount: waiting(discard) })}
      >
        <p>Nobody is removed, and the directory is shown that they are still here. It may remove them again.</p>
      </Confirm>
    </Panel>
  );
}

/** The API approves at most this many removals in one request. */
const atOnce = 5000;

const removalsOf = (n: number) => (n === 1 ? "1 removal" : `${count(n)} removals`);
