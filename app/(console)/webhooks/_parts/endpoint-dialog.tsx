"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { SecretOnce } from "@/components/ui/secret-once";
import { EventPicker } from "./event-picker";

interface Made {
  id: string;
  secret: string;
}

/** Registers an endpoint, then shows its signing secret once. */
export function EndpointDialog({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange(open: boolean): void }) {
  const router = useRouter();
  const [made, setMade] = useState<Made | null>(null);
  const close = () => {
    onOpenChange(false);
    setMade(null);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => (open ? onOpenChange(true) : close())}
      size="lg"
      title={made ? "The endpoint's signing secret" : "Register an endpoint"}
      insistent={made !== null}
    >
      {made ? (
        <SecretOnce
          secrets={[{ label: "Signing secret", value: made.secret }]}
          onDone={() => {
            close();
            router.push(`/webhooks/${made.id}/verify`);
          }}
        >
          <p className="text-[0.8125rem] text-muted">
            With it your listener tells our deliveries from anyone else's. Next you see how, in your language.
          </p>
        </SecretOnce>
      ) : (
        <EndpointForm onDone={setMade} />
      )}
    </Dialog>
  );
}

function EndpointForm({ onDone }: { onDone(made: Made): void }) {
  const trpc = useTRPC();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [eventTypes, setEventTypes] = useState<string[]>(["credential.*"]);
  const action = useAction(trpc.webhooks.endpoints.create.mutationOptions(), { onDone });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ url, description, eventTypes }}
      onSubmit={() => action.run({ url, description, eventTypes })}
    >
      <TextInput
        label="URL"
        name="url"
        value={url}
        onChange={setUrl}
        inputMode="url"
        placeholder="https://example.org/bonafide"
        mono
        isRequired
        autoFocus
        description="It answers any 2xx within 15 seconds. Redirects are not followed."
      />
      <TextInput
        label="Description"
        name="description"
        value={description}
        onChange={setDescription}
        placeholder="Student information system"
      />
      <EventPicker value={eventTypes} onChange={setEventTypes} />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!url.trim()}>
          Register
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
