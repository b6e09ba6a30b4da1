"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, TextInput, TextInputArea } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { adoptOptions, providerOptions, type Provider } from "../providers";
import { priorityHelp, type Connector } from "../words";
import { linesOf, mappingOfLines, nameOfTwo } from "./directory-mapping";
import { DirectoryMappingFields } from "./directory-mapping-fields";

interface Props {
  connector: Connector & { etag: string };
  onDone(connector: { id: string }): void;
  onReload(): void;
}

/** Changes a SCIM connection. What its mapping translates, such as the status, can only be changed through the API. */
export function DirectoryForm({ connector, onDone, onReload }: Props) {
  const trpc = useTRPC();
  const [form, setForm] = useState(asEntered(connector));
  const [twice, setTwice] = useState<Problem | null>(null);
  const set = (name: Exclude<keyof typeof form, "lines">) => (value: string) =>
    setForm((now) => ({ ...now, [name]: value }));
  const action = useAction(trpc.connectors.update.mutationOptions(), { done: "Saved", onDone });
  const { ifMatch, conflict, changes } = useBasis({
    record: connector,
    shown: (c) => asEntered(c),
    entered: form,
    onMerge: (merged) => setForm(merged),
    labels: {
      name: "Name",
      provider: "Directory",
      adopt: "People who are here already",
      priority: "Priority",
      deactivations: "Removals that need no approval",
      deactivationPercent: "Percent",
      replaceOnAdd: "Lists that hold what was sent last",
      lines: "What the directory fills",
    },
    action,
    reload: onReload,
  });
  const submit = () => {
    const { name, adopt, priority, provider, deactivations, deactivationPercent, replaceOnAdd, lines } = changes(form);
    const doubled = nameOfTwo(form.lines);
    setTwice(doubled === null ? null : filledTwice(doubled));
    if (doubled !== null) return;
    const hasSettings = provider !== undefined || replaceOnAdd !== undefined;
    const hasLimits = deactivations !== undefined || deactivationPercent !== undefined;
    action.run({
      id: connector.id,
      ifMatch,
      ...(name !== undefined && { name }),
      ...(adopt !== undefined && { adopt: adopt as Connector["adopt"] }),
      ...(priority !== undefined && { priority: Number(priority) }),
      ...(lines !== undefined && { mapping: mappingOfLines(connector.mapping, lines) }),
      ...(hasSettings && {
        settings: { ...connector.settings, provider: form.provider, replaceOnAdd: pathsOf(form.replaceOnAdd) },
      }),
      ...(hasLimits && {
        limits: {
          deactivations: Number(form.deactivations),
          deactivationPercent: Number(form.deactivationPercent),
        },
      }),
    });
  };
  return (
    <ProblemForm
      problem={twice ?? action.problem}
      isPending={action.isPending || action.isDone}
      entered={form}
      onSubmit={submit}
      conflict={conflict}
      className="max-w-3xl space-y-5"
    >
      <Panel>
        <div className="space-y-4">
          <TextInput label="Name" name="name" value={form.name} onChange={set("name")} isRequired />
          <Choice
            label="Directory"
            name="settings/provider"
            value={form.provider as Provider}
            onChange={set("provider")}
            options={providerOptions}
          />
          <Choice
            label="People who are here already"
            name="adopt"
            value={form.adopt as Connector["adopt"]}
            onChange={set("adopt")}
            options={adoptOptions}
          />
          <TextInput
            label="Priority"
            name="priority"
            value={form.priority}
            onChange={set("priority")}
            inputMode="numeric"
            isRequired
            description={priorityHelp}
          />
        </div>
      </Panel>
      <Panel>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput
            label="Removals in 24 hours that need no approval"
            name="limits/deactivations"
            value={form.deactivations}
            onChange={set("deactivations")}
            inputMode="numeric"
            isRequired
          />
          <TextInput
            label="Or percent of its active people, where that is more"
            name="limits/deactivationPercent"
            value={form.deactivationPercent}
            onChange={set("deactivationPercent")}
            inputMode="numeric"
            isRequired
          />
        </div>
      </Panel>
      <Panel>
        <TextInputArea
          label="Lists that hold what was sent last"
          name="settings/replaceOnAdd"
          value={form.replaceOnAdd}
          onChange={set("replaceOnAdd")}
          rows={2}
          mono
          description="One attribute a line, such as roles. For a directory that adds to a list and never removes from it, as Entra does with attributes of your own."
        />
      </Panel>
      <DirectoryMappingFields lines={form.lines} onChange={(lines) => setForm((now) => ({ ...now, lines }))} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink variant="outline" href={`/connectors/${connector.id}`}>
          Cancel
        </ButtonLink>
        <Button type="submit" isPending={action.isPending} isDisabled={!form.name.trim()}>
          Save
        </Button>
      </div>
    </ProblemForm>
  );
}

/** Converts a connection to the values of the form. */
function asEntered({ name, adopt, priority, settings, limits, mapping }: Connector) {
  return {
    lines: linesOf(mapping),
    name,
    adopt: adopt as string,
    priority: String(priority),
    provider: String(settings["provider"] ?? "other"),
    deactivations: String(limits.deactivations),
    deactivationPercent: String(limits.deactivationPercent),
    replaceOnAdd: ((settings["replaceOnAdd"] as string[] | undefined) ?? []).join("\n"),
  };
}

const filledTwice = (name: string): Problem => ({
  status: 400,
  code: "invalid_request",
  title: "Two lines fill one field",
  detail: `${JSON.stringify(name)} is filled by two attributes of the directory. Remove one of the lines, or give the field another name.`,
});

/** Splits a field with one attribute per line. */
const pathsOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
