"use client";
import { Button } from "@heroui/react";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { SecretOnce } from "@/components/ui/secret-once";
import { useNow } from "@/components/ui/time";
import type { EndpointView } from "@/server/webhooks/endpoints/view";

/** The secret is never shown again. It can be replaced; for a while, both the old and the new secret sign. */
export function SigningSecret({ endpoint, canRotate }: { endpoint: EndpointView; canRotate: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel
      title="Signing secret"
      description="Shown once, when it was made. Rotate it when someone leaves who knew it, or when it may have leaked."
    >
      {endpoint.previousSecretExpiresAt && (
        <Overlap endpoint={endpoint} until={endpoint.previousSecretExpiresAt} canRetire={canRotate} />
      )}
      {canRotate && (
        <Button variant="outline" onPress={() => setOpen(true)}>
          <KeyRound aria-hidden="true" /> Rotate secret…
        </Button>
      )}
      <RotateDialog isOpen={open} onOpenChange={setOpen} endpoint={endpoint} />
    </Panel>
  );
}

/** A countdown of the time for which the old secret still signs. */
function Overlap({ endpoint, until, canRetire }: { endpoint: EndpointView; until: string; canRetire: boolean }) {
  const trpc = useTRPC();
  const now = useNow(1);
  const action = useAction(trpc.webhooks.endpoints.retireSecret.mutationOptions(), {
    done: "Old secret retired",
    loud: true,
  });
  const left = Math.max(0, Date.parse(until) - (now || Date.now()));
  return (
    <Notice
      className="mb-4"
      title={
        <>
          Two secrets sign for another{" "}
          <span className="tabular-nums" role="timer">
            {clock(left)}
          </span>
        </>
      }
      action={
        canRetire && (
          <Button
            size="sm"
            variant="outline"
            isPending={action.isPending}
            onPress={() => action.run({ id: endpoint.id })}
          >
            Retire now
          </Button>
        )
      }
    >
      Then the old one signs nothing any more.
    </Notice>
  );
}

/** "6 d 23 h", "1 h 04 min", "4:59". */
function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

const overlaps = [
  { value: "604800", label: "For 7 days" },
  { value: "86400", label: "For 24 hours" },
  { value: "3600", label: "For 1 hour" },
  { value: "0", label: "Not at all", description: "It leaked: it stops at once." },
] as const;
type Overlap = (typeof overlaps)[number]["value"];

function RotateDialog({
  isOpen,
  onOpenChange,
  endpoint,
}: {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  endpoint: EndpointView;
}) {
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    onOpenChange(false);
    setSecret(null);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => (open ? onOpenChange(true) : close())}
      size="lg"
      title={secret ? "The new signing secret" : "Rotate the signing secret"}
      insistent={secret !== null}
    >
      {secret ? (
        <SecretOnce secrets={[{ label: "Signing secret", value: secret }]} onDone={close} />
      ) : (
        <RotateForm endpoint={endpoint} onDone={setSecret} />
      )}
    </Dialog>
  );
}

function RotateForm({ endpoint, onDone }: { endpoint: EndpointView; onDone(secret: string): void }) {
  const trpc = useTRPC();
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const action = useAction(trpc.webhooks.endpoints.rotateSecret.mutationOptions(), {
    onDone: (made) => onDone(made.secret),
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={null}
      onSubmit={() => action.run({ id: endpoint.id, expireOldAfter: Number(overlap) as 0 | 3600 | 86_400 | 604_800 })}
    >
      <p className="text-[0.8125rem] text-pretty">
        A new secret is made and shown once. While both sign, each delivery carries two signatures, so that your
        listener accepts it before and after you change the secret there.
      </p>
      <Choice<Overlap> label="The old secret signs too" value={overlap} onChange={setOverlap} options={overlaps} />
      {endpoint.previousSecretExpiresAt && (
        <Notice tone="warning">A secret from the last rotation still signs. It ends at once.</Notice>
      )}
      {overlap === "0" && (
        <Notice tone="danger">Deliveries fail verification until your listener knows the new secret.</Notice>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" variant={overlap === "0" ? "danger" : "primary"} isPending={action.isPending}>
          Rotate secret
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
