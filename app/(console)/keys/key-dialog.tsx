"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code-block";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { SecretOnce } from "@/components/ui/secret-once";
import { usualScopes, type TokenScope } from "@/server/core/scopes";
import { endOfDay } from "@/server/core/dates";
import { useRegion } from "@/components/ui/region";
import { ScopePicker } from "./scope-picker";

/** Creates an API key, then shows its secret once. */
export function KeyDialog({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange(open: boolean): void }) {
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
      title={secret ? "Your new API key" : "New API key"}
      insistent={secret !== null}
    >
      {secret ? (
        <SecretOnce secrets={[{ label: "API key", value: secret }]} onDone={close}>
          <div>
            <p className="mb-1 text-[0.8125rem] font-medium">Try it</p>
            <CodeBlock
              what="command"
              code={`curl ${window.location.origin}/v1/subjects?limit=1 \\\n  -H "Authorization: Bearer $BONAFIDE_KEY"`}
            />
          </div>
        </SecretOnce>
      ) : (
        <KeyForm onDone={setSecret} />
      )}
    </Dialog>
  );
}

function KeyForm({ onDone }: { onDone(secret: string): void }) {
  const trpc = useTRPC();
  const { timeZone } = useRegion();
  const [name, setName] = useState("");
  const [expires, setExpires] = useState("");
  const [scopes, setScopes] = useState<TokenScope[]>([...usualScopes]);
  const action = useAction(trpc.access.apiKeys.create.mutationOptions(), { onDone: (made) => onDone(made.secret) });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ name, expires, scopes }}
      onSubmit={() =>
        action.run({ name, scopes, ...(expires && { expiresAt: endOfDay(expires, timeZone).toISOString() }) })
      }
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput
          label="Name"
          name="name"
          value={name}
          onChange={setName}
          placeholder="Student information system"
          isRequired
          autoFocus
          description="Where it is used."
        />
        <DateInput
          label="Expires after"
          name="expiresAt"
          value={expires}
          onChange={setExpires}
          description="Empty for never."
        />
      </div>
      <ScopePicker value={scopes} onChange={setScopes} />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim() || scopes.length === 0}>
          Create key
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
