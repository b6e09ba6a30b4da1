"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { adoptOptions, providerOptions, type Adopt, type Provider } from "../../providers";

const trail = [{ label: "Connectors", href: "/connectors" }];

/** Creates a SCIM connection. Its page explains what to enter in the directory. */
export function NewDirectory() {
  const trpc = useTRPC();
  const router = useRouter();
  const [provider, setProvider] = useState<Provider>("entra");
  const [name, setName] = useState("");
  const [adopt, setAdopt] = useState<Adopt>("externalId");
  const action = useAction(trpc.connectors.create.mutationOptions(), {
    done: "Connection created",
    onDone: ({ id }) => router.push(`/connectors/${id}`),
  });
  return (
    <>
      <PageHeader
        trail={trail}
        title="Connect a directory"
        description="Your directory sends people by SCIM. What it adds, changes and removes changes here within minutes."
      />
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending || action.isDone}
        entered={{ name, provider, adopt }}
        onSubmit={() => action.run({ name, type: "scim", adopt, settings: { provider } })}
        className="max-w-3xl space-y-5"
      >
        <Panel>
          <div className="space-y-4">
            <Choice
              label="Directory"
              value={provider}
              onChange={(next: Provider) => setProvider(next)}
              options={providerOptions}
            />
            <TextInput
              label="Name"
              name="name"
              value={name}
              onChange={setName}
              isRequired
              description="Such as Staff directory."
            />
            <Choice
              label="People who are here already"
              name="adopt"
              value={adopt}
              onChange={(next: Adopt) => setAdopt(next)}
              options={adoptOptions}
            />
          </div>
        </Panel>
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim()}>
          Connect directory
        </Button>
      </ProblemForm>
    </>
  );
}
