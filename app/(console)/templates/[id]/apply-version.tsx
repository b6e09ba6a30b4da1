"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { liveCredentials, useLiveCount } from "../live-count";

interface Props {
  template: { id: string; name: string };
  /** The version to apply to credentials. */
  version: number;
  onClose(): void;
}

/** Asks whether to apply the current version to all live credentials of a template, and counts them. */
export function ApplyVersion({ template, version, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const live = useLiveCount(template.id);
  const action = useAction(trpc.bulk.applyVersion.mutationOptions(), {
    done: "Change of design started",
    onDone: (job) => router.push(`/jobs/${job.id}`),
  });
  const many = live === undefined ? "all live credentials" : liveCredentials(live);
  return (
    <Confirm
      isOpen
      onOpenChange={onClose}
      title={`Show version ${version} on ${many}?`}
      confirm={live === 0 ? "Nothing to change" : `Change ${many}`}
      tone="primary"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => live && action.run({ id: template.id, version, expectedCount: live })}
    >
      <p>
        <strong className="font-semibold">
          {many} of {template.name} will show this design,
        </strong>{" "}
        and the public will see what it makes public, on pages and in wallets. Their data and their expiry stay.
      </p>
      <p>
        It runs in the background and can be cancelled. If the number has changed by then, nothing happens. To go back,
        make the earlier version current and show that one.
      </p>
    </Confirm>
  );
}
