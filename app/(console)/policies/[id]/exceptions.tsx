"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleOff, Pencil, Plus, UserCog } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { Status } from "@/components/ui/status";
import { LastDay } from "@/components/ui/time";
import { useSession } from "../../_shell/session";
import { effectLooks, type Exception, type Policy } from "../words";
import { ExceptionDialog } from "./exception-dialog";

const column = columnsOf<Exception>();
const nameOf = ({ displayName, externalId }: Exception) => displayName || externalId;

/** Lists the people with an exception from the rule, with its reason and end. */
export function Exceptions({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Exception | null>(null);
  const [ending, setEnding] = useState<Exception | null>(null);
  const at = usePage(10, "exceptions");
  const query = useQuery(
    trpc.policies.exceptions.queryOptions({ id: policy.id, ...at.range }, { placeholderData: keepPreviousData }),
  );
  const write = can("policies:write");
  const columns = column.columns([
    column.accessor("displayName", {
      header: "Name",
      meta: { phone: "title" },
      cell: ({ row: { original } }) => <bdi>{nameOf(original)}</bdi>,
    }),
    column.accessor("effect", {
      header: "Credential",
      cell: ({ getValue }) => <Status {...effectLooks[getValue()]} />,
    }),
    column.accessor("reason", {
      header: "Reason",
      cell: ({ getValue }) => <bdi className="text-muted wrap-anywhere">{getValue()}</bdi>,
    }),
    column.accessor("until", {
      header: "Valid through",
      cell: ({ getValue }) => (
        <span className="text-muted">
          <LastDay end={getValue()} absent="No end" />
        </span>
      ),
    }),
    ...(write
      ? [
          column.display({
            id: "actions",
            header: "",
            meta: { align: "end", phone: "corner" },
            cell: ({ row: { original } }) => (
              <RowMenu
                label={`Actions for ${nameOf(original)}`}
                actions={[
                  { id: "edit", label: "Edit", icon: Pencil, onAction: () => setChanging(original) },
                  { id: "end", label: "End now", icon: CircleOff, danger: true, onAction: () => setEnding(original) },
                ]}
              />
            ),
          }),
        ]
      : []),
  ]);
  const add = write && (
    <Button variant="outline" onPress={() => setAdding(true)}>
      <Plus aria-hidden="true" /> Add exception
    </Button>
  );
  return (
    <Panel
      flush
      title="Exceptions"
      description="People who get this credential, or get none, whatever the rule says."
      actions={add}
    >
      <DataTable
        label="Exceptions"
        columns={columns}
        query={query}
        rowKey={({ subjectId }) => subjectId}
        href={({ subjectId }) => `/policies/${policy.id}/why/${subjectId}`}
        empty={
          <Empty icon={UserCog} title="No exceptions">
            The rule decides for everybody.
          </Empty>
        }
      />
      <Pager
        at={at}
        label="Pages of exceptions"
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["exception", "exceptions"]}
      />
      <ExceptionDialog isOpen={isAdding} onClose={() => setAdding(false)} policy={policy} />
      <ExceptionDialog
        isOpen={changing !== null}
        onClose={() => setChanging(null)}
        policy={policy}
        exception={changing ?? undefined}
      />
      <EndDialog policy={policy} exception={ending} onClose={() => setEnding(null)} />
    </Panel>
  );
}

function EndDialog({ policy, exception, onClose }: { policy: Policy; exception: Exception | null; onClose(): void }) {
  const trpc = useTRPC();
  const action = useAction(trpc.policies.deleteException.mutationOptions(), {
    done: "Exception ended",
    onDone: onClose,
    gone: "This exception had ended already.",
  });
  return (
    <Confirm
      isOpen={exception !== null}
      onOpenChange={onClose}
      title={
        <>
          End the exception of <bdi>{exception && nameOf(exception)}</bdi>?
        </>
      }
      confirm="End exception"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => exception && action.run({ id: policy.id, subjectId: exception.subjectId })}
    >
      <p>
        From the next run on, the policy decides for them as for everybody.{" "}
        {exception?.effect === "grant"
          ? policy.onExit === "none"
            ? "If they do not match it, they keep their credential until it expires."
            : `If they do not match it, their credential ${policy.graceDays > 0 ? "ends after the days of grace" : "ends"}.`
          : "If they match it, they get a credential."}
      </p>
    </Confirm>
  );
}
