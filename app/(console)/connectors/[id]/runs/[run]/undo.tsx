"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { useSession } from "../../../../_shell/session";
import { people, type Run } from "../../../words";

/** Above this number of people whom the run created, the number must be typed before they are deleted. */
const typedFrom = 25;

/** Undoes a run, which is possible for 7 days. */
export function Undo({ run }: { run: Run }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [isAsked, setAsked] = useState(false);
  const action = useAction(trpc.connectors.undo.mutationOptions(), {
    done: "The run is being undone",
    onDone: ({ id }) => router.push(`/connectors/${run.connectorId}/runs/${id}`),
  });
  const applied = { id: run.connectorId, status: "succeeded", limit: 20 };
  const newest = useQuery(trpc.connectors.runs.queryOptions(applied, { enabled: isAsked }));
  const newer = newest.data?.data.find(
    ({ createdAt, trigger, undoneBy }) => createdAt > run.createdAt && trigger !== "undo" && undoneBy === null,
  );
  const { created, updated, deactivated } = run.counts;
  if (run.undoableUntil === null || !can("connectors:approve")) return null;
  return (
    <>
      <Button variant="outline" onPress={() => setAsked(true)}>
        <Undo2 aria-hidden="true" /> Undo
      </Button>
      <Confirm
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Undo what this run did?"
        confirm="Undo"
        isPending={action.isPending}
        problem={action.problem}
        {...(created > typedFrom && { typed: { text: String(created), label: `Type ${created} to confirm` } })}
        onConfirm={() => action.run({ id: run.connectorId, run: run.id })}
      >
        <p>
          {[
            created > 0 &&
              `${people(created)} whom it created ${created === 1 ? "is" : "are"} deleted, or deactivated where they hold a credential.`,
            updated + deactivated > 0 &&
              `${people(updated + deactivated)} ${updated + deactivated === 1 ? "goes" : "go"} back to how they were.`,
          ]
            .filter(Boolean)
            .join(" ")}{" "}
          Whoever was changed by somebody else since stays as they are. Credentials that policies ended meanwhile follow
          with their next run. The run can be undone until <Time at={run.undoableUntil} as="exact" />. An undo cannot be
          undone itself, but the same file can be sent again.
        </p>
        {newer && (
          <Notice tone="warning" title="A newer file was applied">
            The file of{" "}
            <Link className="underline" href={`/connectors/${run.connectorId}/runs/${newer.id}`}>
              <Time at={newer.createdAt} as="exact" />
            </Link>{" "}
            is not undone. People whom it lists unchanged are deleted or changed back too, until a file lists them
            again. To take several files back, begin with the newest.
          </Notice>
        )}
      </Confirm>
    </>
  );
}

/** Says that a run was undone, or which run it undoes. */
export function Undone({ run }: { run: Run }) {
  const other = run.undoneBy ?? run.undoes;
  if (other === null) return null;
  return (
    <Notice title={run.undoneBy ? "This run was undone" : "This run undoes another"} className="mb-5">
      <Link className="underline" href={`/connectors/${run.connectorId}/runs/${other}`}>
        {run.undoneBy ? "See what the undo did" : "See the run that it undoes"}
      </Link>
      {run.counts.skipped > 0 && ` ${people(run.counts.skipped)} had been changed since, and stayed as they are.`}
    </Notice>
  );
}
