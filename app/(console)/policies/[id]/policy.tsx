"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CirclePause, CirclePlay, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { RulePanel } from "../../_rule/rule-panel";
import { useSession } from "../../_shell/session";
import { PolicyDialog } from "../policy-dialog";
import { isUnderWay, type Policy } from "../words";
import { AskWhy } from "./ask-why";
import { DeleteDialog } from "./delete-dialog";
import { Details } from "./details";
import { Exceptions } from "./exceptions";
import { HaltedRun } from "./halted-run";
import { PreviewPanel } from "./preview";
import { RunList } from "./run-list";
import { StateNotices, WaitsForFile } from "./state-notices";

const trail = [{ label: "Policies", href: "/policies" }];

export function PolicyPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.policies.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.lastRun && isUnderWay(state.data.lastRun) ? 1_000 : false) },
    ),
  );
  if (query.data) return <PolicyDetail policy={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function PolicyDetail({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [dialog, setDialog] = useState<"edit" | "delete" | "pause" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const pause = useAction(trpc.policies.pause.mutationOptions(), {
    done: "Paused",
    loud: true,
    onDone: () => setDialog(null),
  });
  const resume = useAction(trpc.policies.resume.mutationOptions(), { done: "Resumed", loud: true });
  const isPaused = policy.status === "paused";
  const { lastRun } = policy;
  const isHalted = lastRun?.status === "halted" && policy.status === "halted";
  return (
    <>
      <PageHeader
        trail={trail}
        title={<bdi>{policy.name}</bdi>}
        aside={policy.status !== "active" && <Status of={policy.status} />}
        actions={
          can("policies:write") && (
            <>
              <Button variant="outline" onPress={() => setDialog("edit")}>
                <Pencil aria-hidden="true" /> Edit
              </Button>
              <RowMenu
                outlined
                label="More actions"
                actions={[
                  {
                    id: "pause",
                    label: isPaused ? "Resume" : "Pause",
                    icon: isPaused ? CirclePlay : CirclePause,
                    onAction: () =>
                      isHalted ? setDialog("pause") : (isPaused ? resume : pause).run({ id: policy.id }),
                  },
                  { id: "delete", label: "Delete", icon: Trash2, danger: true, onAction: () => setDialog("delete") },
                ]}
              />
            </>
          )
        }
      />
      <StateNotices policy={policy} />
      {isHalted && <HaltedRun policy={policy} run={lastRun} />}
      {lastRun?.status === "discarded" && isPaused && (
        <Notice className="mb-5" title="The last run was discarded">
          It ended nobody&apos;s credential. Once the policy is resumed, the next run looks at everybody anew.
        </Notice>
      )}
      {lastRun?.status === "failed" && lastRun.error && (
        <Notice tone="danger" title="The last run failed" className="mb-5">
          {lastRun.error.message}
        </Notice>
      )}
      {lastRun?.status === "waiting" && <WaitsForFile runId={lastRun.waitsFor} />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="space-y-5">
          {can("subjects:read") && <PreviewPanel policy={policy} />}
          {can("subjects:read") && <Exceptions policy={policy} />}
          <RunList policy={policy} />
        </div>
        <div className="space-y-5">
          <Details policy={policy} />
          {can("subjects:read") && <AskWhy policyId={policy.id} />}
          {policy.rule && <RulePanel rule={policy.rule} description="Inactive people never match." />}
        </div>
      </div>
      <PolicyDialog {...opener("edit")} policy={policy} />
      <Confirm
        {...opener("pause")}
        title="Pause, and discard the run that waits?"
        confirm="Pause and discard"
        tone="primary"
        isPending={pause.isPending}
        problem={pause.problem}
        onConfirm={() => pause.run({ id: policy.id })}
      >
        <p>
          The run that waits for an approval is discarded, and ends nobody&apos;s credential. It cannot be approved
          later: once the policy is resumed, the next run looks at everybody anew.
        </p>
      </Confirm>
      <DeleteDialog {...opener("delete")} policy={policy} />
    </>
  );
}
