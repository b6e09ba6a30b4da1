"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Check, CircleStop, Users } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { personColumns } from "@/components/ui/person-columns";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { count, credentials, type Policy, type Run } from "../words";

type Removal = RouterOutputs["policies"]["removals"]["data"][number];

/** The most names that are shown next to the decision. */
const shown = 100;

const column = columnsOf<Removal>();
const columns = column.columns([...personColumns<Removal>()]);

/** Shows what a halted run would do, why it waits, the affected people, and the buttons to decide. */
export function HaltedRun({ policy, run }: { policy: Policy; run: Run }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState<"approve" | "discard" | null>(null);
  const close = () => setAsked(null);
  const approve = useAction(trpc.policies.approve.mutationOptions(), { done: "Approved", onDone: close });
  const discard = useAction(trpc.policies.discard.mutationOptions(), { done: "Discarded", onDone: close });
  const names = useQuery(
    trpc.policies.removals.queryOptions(
      { id: policy.id, run: run.id, limit: shown },
      { placeholderData: keepPreviousData, enabled: can("subjects:read") },
    ),
  );
  const { message, causes, affected } = run.halt!;
  const at = { id: policy.id, run: run.id };
  const isForGood = run.counts.revoke > 0;
  const verb = isForGood ? "Revoke" : "Suspend";
  const mayApprove = can("policies:approve");
  // If nobody matches any more but the policy has days of grace, the run ends nothing yet.
  const what =
    affected > 0
      ? `${credentials(affected)} would be ${isForGood ? "revoked" : "suspended"}`
      : `The days of grace of ${run.counts.grace === 1 ? "1 person" : `${count(run.counts.grace)} people`} would begin`;
  const doIt = affected > 0 ? `${verb} ${credentials(affected)}` : "Start the days of grace";
  return (
    <div className="mb-5 space-y-5">
      <Notice
        tone="warning"
        title={
          policy.planOutdated
            ? "The policy was changed since this run was halted"
            : mayApprove
              ? "This policy waits for your approval"
              : "This policy waits for the approval of an owner or admin"
        }
      >
        <p>{message} Nothing was changed.</p>
        {causes.map((cause) => (
          <p key={cause}>{cause}</p>
        ))}
        {policy.planOutdated ? (
          <p>This run can no longer be approved. Apply the policy below to see what it would do as it is now.</p>
        ) : (
          <p>
            If your data is wrong, correct it: the next run looks at everybody anew.{" "}
            {mayApprove
              ? "If it is right, look at the names and approve."
              : "If it is right, ask one of them to approve."}
          </p>
        )}
      </Notice>
      {can("subjects:read") && (
        <Panel
          flush
          title={what}
          description={affected > shown ? `The first ${count(shown)} of ${count(affected)}.` : undefined}
          actions={
            mayApprove && (
              <>
                <Button variant="outline" onPress={() => setAsked("discard")}>
                  <CircleStop aria-hidden="true" /> Discard
                </Button>
                {!policy.planOutdated && (
                  <Button onPress={() => setAsked("approve")}>
                    <Check aria-hidden="true" /> Approve
                  </Button>
                )}
              </>
            )
          }
        >
          <div className="max-h-96 overflow-y-auto">
            <DataTable
              label="Who would lose a credential"
              columns={columns}
              query={names}
              rowKey={(removal) => removal.subjectId}
              href={(removal) => `/policies/${policy.id}/why/${removal.subjectId}`}
              empty={<Empty icon={Users} title="Nobody yet: the days of grace would begin" />}
            />
          </div>
        </Panel>
      )}
      <Confirm
        isOpen={asked === "approve"}
        onOpenChange={close}
        title={`${doIt}?`}
        confirm={doIt}
        isPending={approve.isPending}
        problem={approve.problem}
        onConfirm={() => approve.run({ ...at, planHash: run.planHash! })}
      >
        <p>
          {isForGood && "Revoked credentials never become valid again. "}
          People who match again by now keep theirs. Today&apos;s new people get theirs, too.
        </p>
      </Confirm>
      <Confirm
        isOpen={asked === "discard"}
        onOpenChange={close}
        title="Discard this run?"
        confirm="Discard run"
        tone="primary"
        isPending={discard.isPending}
        problem={discard.problem}
        onConfirm={() => discard.run(at)}
      >
        <p>Nothing is changed. The next run looks at everybody anew, and waits again if it would end as many.</p>
      </Confirm>
    </div>
  );
}
