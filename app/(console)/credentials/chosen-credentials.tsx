"use client";
import { Button, toast } from "@heroui/react";
import { CircleOff, FileArchive, PauseCircle, PlayCircle } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { DownloadButton } from "@/components/console/download-button";
import { useAction } from "@/components/console/use-action";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { Choosing } from "@/components/ui/chosen";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { CredentialView } from "@/server/credentials/view";
import { useSession } from "../_shell/session";
import { ArchiveDialog } from "./archive-dialog";
import { past, refusedCsv, summaryOf, summaryText, type BulkStep, type BulkSummary } from "./bulk-result";
import { PeopleList } from "./people-list";
import { StepForm, type Words } from "./step-form";

const noun: [string, string] = ["credential", "credentials"];

/** Above this number of credentials, the number must be typed before an action. */
const typedFrom = 25;

interface Props {
  choosing: Choosing<CredentialView>;
  /** How many of the chosen credentials the page does not show. */
  elsewhere: number;
}

/**
 * Runs one action on all chosen credentials. A dialog acts only on the credentials that it asked about. Refused
 * credentials are listed by name, with the reason.
 */
export function ChosenCredentials({ choosing: { chosen, onChange, clear, reading }, elsewhere }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [dialog, setDialog] = useState<BulkStep | "chosen" | null>(null);
  const [archiving, setArchiving] = useState(false);
  const [asked, setAsked] = useState<readonly CredentialView[]>([]);
  const [outcome, setOutcome] = useState<{ step: BulkStep; summary: BulkSummary<CredentialView> } | null>(null);
  const rows = [...chosen.values()];
  const many = count(asked.length);
  const action = useAction(trpc.bulk.start.mutationOptions(), {
    onDone: (answer, { action: step }) => {
      setDialog(null);
      clear();
      if ("job" in answer && answer.job) return router.push(`/jobs/${answer.job.id}`);
      if (!("result" in answer) || !answer.result) return;
      const summary = summaryOf(answer.result, asked);
      if (summary.refused.length > 0 || summary.already.length > 0) setOutcome({ step: step as BulkStep, summary });
      else toast.success(`${count(summary.done.length)} ${past[step as BulkStep]}`);
    },
  });
  const run = (step: BulkStep) => (words: Words) =>
    action.run({ action: step, items: asked.map(({ id }) => ({ id, ...words })) });
  const ask = (step: BulkStep) => {
    setAsked(rows);
    setDialog(step);
  };
  const typed = asked.length > typedFrom ? String(asked.length) : undefined;
  const opener = (name: typeof dialog) => ({
    isOpen: dialog === name,
    onOpenChange: () => {
      setDialog(null);
      action.reset();
    },
  });
  const remove = ({ id }: { id: string }) => {
    const rest = new Map(chosen);
    rest.delete(id);
    onChange(rest);
    if (rest.size === 0) setDialog(null);
  };
  return (
    <>
      <ChosenBar count={rows.length} elsewhere={elsewhere} noun={noun} onClear={clear}>
        <Button size="sm" variant="ghost" onPress={() => setDialog("chosen")}>
          Show
        </Button>
        {can("subjects:read") && (
          <Button size="sm" variant="outline" isDisabled={reading !== null} onPress={() => setArchiving(true)}>
            <FileArchive aria-hidden="true" /> Download files
          </Button>
        )}
        {can("credentials:suspend") && (
          <Button size="sm" variant="outline" isDisabled={reading !== null} onPress={() => ask("suspend")}>
            <PauseCircle aria-hidden="true" /> Suspend
          </Button>
        )}
        {can("credentials:suspend") && (
          <Button size="sm" variant="outline" isDisabled={reading !== null} onPress={() => ask("resume")}>
            <PlayCircle aria-hidden="true" /> Resume
          </Button>
        )}
        {can("credentials:revoke") && (
          <Button size="sm" variant="danger-soft" isDisabled={reading !== null} onPress={() => ask("revoke")}>
            <CircleOff aria-hidden="true" /> Revoke
          </Button>
        )}
      </ChosenBar>
      <Dialog
        {...opener("chosen")}
        title={`${count(rows.length)} chosen`}
        description="They stay chosen while you turn pages, search and filter."
      >
        <PeopleList label="Chosen credentials" rows={rows.map((credential) => ({ credential }))} onRemove={remove} />
        <DialogActions>
          <Button
            variant="outline"
            onPress={() => {
              setDialog(null);
              clear();
            }}
          >
            Choose none
          </Button>
          <Button onPress={() => setDialog(null)}>Close</Button>
        </DialogActions>
      </Dialog>
      <ArchiveDialog
        isOpen={archiving}
        onOpenChange={setArchiving}
        count={rows.length}
        which={{ ids: rows.map(({ id }) => id) }}
      />
      <Dialog {...opener("suspend")} title={`Suspend ${many}?`}>
        <StepForm action={action} confirm={`Suspend ${many}`} reason="optional" typed={typed} onSubmit={run("suspend")}>
          <p>
            From this moment on they fail verification, and their public pages say so. They can be resumed. Those that
            are not active are left as they are.
          </p>
        </StepForm>
      </Dialog>
      <Dialog {...opener("resume")} title={`Resume ${many}?`}>
        <StepForm
          action={action}
          confirm={`Resume ${many}`}
          typed={typed}
          onSubmit={({ note }) => run("resume")({ note })}
        >
          <p>They are valid again from this moment on. Those that are not suspended are left as they are.</p>
        </StepForm>
      </Dialog>
      <Dialog {...opener("revoke")} title={`Revoke ${many}?`}>
        <StepForm
          action={action}
          confirm={`Revoke ${many} for good`}
          danger
          reason="required"
          typed={typed}
          onSubmit={run("revoke")}
        >
          <p>
            <strong className="font-semibold">This cannot be undone.</strong> From this moment on they fail
            verification, and their public pages show them as revoked with the reason below. Those revoked before keep
            their first reason.
          </p>
        </StepForm>
      </Dialog>
      <Dialog
        isOpen={outcome !== null}
        onOpenChange={() => setOutcome(null)}
        size="lg"
        title={outcome ? summaryText(outcome.step, outcome.summary) : ""}
      >
        {outcome && <Outcome summary={outcome.summary} />}
        <DialogActions>
          <Button autoFocus onPress={() => setOutcome(null)}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Outcome({ summary: { already, refused } }: { summary: BulkSummary<CredentialView> }) {
  const client = useTRPCClient();
  return (
    <div className="space-y-4">
      {refused.length > 0 && (
        <section>
          <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-[0.8125rem] font-semibold">Refused; these are as they were</h3>
            <DownloadButton
              name="refused-credentials"
              label="Download refused rows"
              open={async () => refusedCsv(refused, (ids) => client.subjects.names.query({ ids }))}
            />
          </div>
          <PeopleList label="Refused" rows={refused.map(({ row, why }) => ({ credential: row, why }))} />
        </section>
      )}
      {already.length > 0 && (
        <section>
          <h3 className="mb-1.5 text-[0.8125rem] font-semibold">Nothing to do; these were so already</h3>
          <PeopleList label="So already" rows={already.map((credential) => ({ credential }))} />
        </section>
      )}
    </div>
  );
}

function count(n: number): string {
  return `${n.toLocaleString("en")} ${n === 1 ? noun[0] : noun[1]}`;
}
