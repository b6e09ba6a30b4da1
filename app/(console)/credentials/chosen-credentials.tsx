"use client";
import { Button, toast } from "@heroui/react";
import { CircleOff, PauseCircle, PlayCircle } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { StepForm, type Words } from "./step-form";

type Step = "suspend" | "resume" | "revoke";
type Result = Extract<RouterOutputs["bulk"]["start"], { result: unknown }>["result"];

const noun: [string, string] = ["credential", "credentials"];
const past: Record<Step, string> = { suspend: "suspended", resume: "resumed", revoke: "revoked" };

/** One step for all chosen credentials. Those whose state does not allow it are refused one by one, and named. */
export function ChosenCredentials({ ids, onClear }: { ids: string[]; onClear(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [step, setStep] = useState<Step | null>(null);
  const [refused, setRefused] = useState<Result | null>(null);
  const action = useAction(trpc.bulk.start.mutationOptions(), {
    onDone: (answer) => {
      const asked = step;
      setStep(null);
      onClear();
      if ("job" in answer && answer.job) return router.push(`/jobs/${answer.job.id}`);
      if (!("result" in answer) || !answer.result || !asked) return;
      if (answer.result.failed > 0) setRefused(answer.result);
      else toast.success(`${count(answer.result.succeeded)} ${past[asked]}`);
    },
  });
  const run = (words: Words) => step && action.run({ action: step, items: ids.map((id) => ({ id, ...words })) });
  const close = () => setStep(null);
  return (
    <>
      <ChosenBar count={ids.length} noun={noun} onClear={onClear}>
        {can("credentials:suspend") && <Button size="sm" variant="outline" onPress={() => setStep("suspend")}><PauseCircle aria-hidden="true" /> Suspend</Button>}
        {can("credentials:suspend") && <Button size="sm" variant="outline" onPress={() => setStep("resume")}><PlayCircle aria-hidden="true" /> Resume</Button>}
        {can("credentials:revoke") && <Button size="sm" variant="danger-soft" onPress={() => setStep("revoke")}><CircleOff aria-hidden="true" /> Revoke</Button>}
      </ChosenBar>
      <Dialog isOpen={step === "suspend"} onOpenChange={close} title={`Suspend ${count(ids.length)}?`}>
        <StepForm action={action} confirm={`Suspend ${count(ids.length)}`} reason="optional" onSubmit={run}>
          <p>From this moment on they fail verification, and their public pages say so. They can be resumed. Those that are not active are left as they are.</p>
        </StepForm>
      </Dialog>
      <Dialog isOpen={step === "resume"} onOpenChange={close} title={`Resume ${count(ids.length)}?`}>
        <StepForm action={action} confirm={`Resume ${count(ids.length)}`} onSubmit={({ note }) => run({ note })}>
          <p>They are valid again from this moment on. Those that are not suspended are left as they are.</p>
        </StepForm>
      </Dialog>
      <Dialog isOpen={step === "revoke"} onOpenChange={close} title={`Revoke ${count(ids.length)}?`}>
        <StepForm action={action} confirm={`Revoke ${count(ids.length)} for good`} danger reason="required" onSubmit={run}>
          <p><strong className="font-semibold">This cannot be undone.</strong> From this moment on they fail verification, and their public pages show them as revoked with the reason below.</p>
        </StepForm>
      </Dialog>
      <Dialog isOpen={refused !== null} onOpenChange={() => setRefused(null)} title={refused ? `${count(refused.succeeded)} done, ${refused.failed} refused` : ""}>
        <ul className="max-h-72 scrollbar space-y-1.5 overflow-y-auto text-[0.8125rem]">
          {refused?.data.filter((row) => !row.ok).map((row) => <li key={row.index} className="text-muted">{"error" in row && row.error.detail}</li>)}
        </ul>
        <DialogActions><Button onPress={() => setRefused(null)}>Close</Button></DialogActions>
      </Dialog>
    </>
  );
}

function count(n: number): string {
  return `${n.toLocaleString("en")} ${n === 1 ? noun[0] : noun[1]}`;
}
