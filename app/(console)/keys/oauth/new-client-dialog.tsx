"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { SecretOnce } from "@/components/ui/secret-once";
import { usualScopes, type TokenScope } from "@/server/core/scopes";
import { ScopePicker } from "../scope-picker";

interface Made {
  clientId: string;
  clientSecret: string;
}

/** Creates an OAuth client, then shows its id and, this once, its secret. */
export function NewClientDialog({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange(open: boolean): void }) {
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
      title={made ? "Your new OAuth client" : "New OAuth client"}
      insistent={made !== null}
    >
      {made ? (
        <SecretOnce
          secrets={[
            { label: "Client id", value: made.clientId },
            { label: "Client secret", value: made.clientSecret },
          ]}
          onDone={close}
        >
          <div>
            <p className="mb-1 text-[0.8125rem] font-medium">Get a token</p>
            <CodeBlock
              what="command"
              code={`curl ${window.location.origin}/oauth/token \\\n  -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials`}
            />
          </div>
        </SecretOnce>
      ) : (
        <ClientForm onDone={setMade} />
      )}
    </Dialog>
  );
}

function ClientForm({ onDone }: { onDone(made: Made): void }) {
  const trpc = useTRPC();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<TokenScope[]>([...usualScopes]);
  const action = useAction(trpc.access.oauthClients.create.mutationOptions(), { onDone });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ name, scopes }}
      onSubmit={() => action.run({ name, scopes })}
    >
      <TextInput
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        placeholder="Campus portal"
        isRequired
        autoFocus
      />
      <ScopePicker value={scopes} onChange={setScopes} />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim() || scopes.length === 0}>
          Create client
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
