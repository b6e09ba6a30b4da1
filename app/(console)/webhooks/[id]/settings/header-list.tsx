"use client";
import { Button } from "@heroui/react";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import type { EndpointView } from "@/server/webhooks/endpoints/view";

/**
 * Custom headers on each delivery, for gateways that require a key. Their values are stored encrypted and are not shown
 * again.
 */
export function HeaderList({ endpoint, canChange }: { endpoint: EndpointView; canChange: boolean }) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const remove = useAction(trpc.webhooks.endpoints.update.mutationOptions(), { done: "Header removed", loud: true });
  return (
    <Panel
      title="Headers"
      description="Added to each delivery, for a gateway that asks for a key. Values are not shown again."
      actions={
        canChange && (
          <Button size="sm" variant="outline" onPress={() => setOpen(true)}>
            <Plus aria-hidden="true" /> Add
          </Button>
        )
      }
    >
      {endpoint.headerNames.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">None.</p>
      ) : (
        <ul className="space-y-1.5">
          {endpoint.headerNames.map((name) => (
            <li key={name} className="flex items-center gap-2">
              <code className="truncate font-mono text-xs">{name}</code>
              {canChange && (
                <Button
                  size="sm"
                  variant="ghost"
                  isIconOnly
                  aria-label={`Remove ${name}`}
                  className="ms-auto"
                  onPress={() => remove.run({ id: endpoint.id, headers: { [name]: null } })}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Dialog isOpen={open} onOpenChange={setOpen} title="Add a header">
        <HeaderForm id={endpoint.id} onClose={() => setOpen(false)} />
      </Dialog>
    </Panel>
  );
}

function HeaderForm({ id, onClose }: { id: string; onClose(): void }) {
  const trpc = useTRPC();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const action = useAction(trpc.webhooks.endpoints.update.mutationOptions(), { done: "Header added", onDone: onClose });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ name, value }}
      onSubmit={() => action.run({ id, headers: { [name.trim()]: value } })}
    >
      <TextInput
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        mono
        placeholder="x-api-key"
        isRequired
        autoFocus
      />
      <TextInput label="Value" name="value" value={value} onChange={setValue} mono isRequired />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim() || !value}>
          Add header
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
