"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { MetadataPanel } from "../../../_data/metadata-panel";
import { useSession } from "../../../_shell/session";
import { EventPicker } from "../../_parts/event-picker";
import { useEndpoint } from "../endpoint-frame";
import { HeaderList } from "./header-list";
import { SigningSecret } from "./signing-secret";

export function EndpointSettings() {
  const endpoint = useEndpoint();
  const { can } = useSession();
  const write = can("webhooks:write");
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel title="Endpoint">
        {write ? (
          <Reloadable>{(reload) => <Form endpoint={endpoint} onReload={reload} />}</Reloadable>
        ) : (
          <p className="text-[0.8125rem] text-muted">You may look at it, not change it.</p>
        )}
      </Panel>
      <div className="space-y-5">
        <SigningSecret endpoint={endpoint} canRotate={write} />
        <HeaderList endpoint={endpoint} canChange={write} />
        <MetadataPanel record={endpoint} useUpdate={useUpdate} canEdit={write} />
        <Panel title="Details">
          <Facts>
            <Fact name="Id in the API">
              <Copyable text={endpoint.id} what="id in the API" />
            </Fact>
            <Fact name="Last accepted">
              <Time at={endpoint.lastSuccessAt} absent="Never" />
            </Fact>
            <Fact name="Registered">
              <Time at={endpoint.createdAt} as="exact" />
            </Fact>
          </Facts>
        </Panel>
      </div>
    </div>
  );
}

function useUpdate(onDone: () => void) {
  return useAction(useTRPC().webhooks.endpoints.update.mutationOptions(), { done: "Saved", onDone });
}

function Form({ endpoint, onReload }: { endpoint: ReturnType<typeof useEndpoint>; onReload(): void }) {
  const trpc = useTRPC();
  const [url, setUrl] = useState(endpoint.url);
  const [description, setDescription] = useState(endpoint.description);
  const [rate, setRate] = useState(endpoint.rateLimit?.toString() ?? "");
  const [eventTypes, setEventTypes] = useState(endpoint.eventTypes);
  const action = useAction(trpc.webhooks.endpoints.update.mutationOptions(), {
    done: "Endpoint saved",
  });
  const entered = { url, description, eventTypes, rateLimit: rate === "" ? null : Number(rate) };
  const { ifMatch, conflict, changes } = useBasis({
    record: endpoint,
    shown: ({ url, description, rateLimit, eventTypes }) => ({ url, description, rateLimit, eventTypes }),
    entered,
    onMerge(merged) {
      setUrl(merged.url);
      setDescription(merged.description);
      setRate(merged.rateLimit?.toString() ?? "");
      setEventTypes(merged.eventTypes);
    },
    labels: { url: "URL", description: "Description", rateLimit: "Deliveries a second", eventTypes: "Events" },
    action,
    reload: onReload,
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ url, description, rate, eventTypes }}
      conflict={conflict}
      onSubmit={() => action.run({ id: endpoint.id, ifMatch, ...changes(entered) })}
    >
      <TextInput
        label="URL"
        name="url"
        value={url}
        onChange={setUrl}
        inputMode="url"
        mono
        isRequired
        description="What is due goes to the new address, too."
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[1fr_11rem]">
        <TextInput label="Description" name="description" value={description} onChange={setDescription} />
        <TextInput
          label="Deliveries a second"
          name="rateLimit"
          value={rate}
          onChange={(text) => setRate(text.replaceAll(/\D/g, ""))}
          inputMode="numeric"
          placeholder="No limit"
        />
      </div>
      <EventPicker value={eventTypes} onChange={setEventTypes} />
      <div className="flex justify-end">
        <Button type="submit" isPending={action.isPending}>
          Save
        </Button>
      </div>
    </ProblemForm>
  );
}
