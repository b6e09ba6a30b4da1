"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { useSession } from "../../_shell/session";
import { FileInput } from "../file-input";
import { UnfitFile } from "../pack-file";
import { missingOptions, modeOptions, type Connector } from "../words";
import { emptyDraft, type Draft } from "./draft";
import { suggestDraft, unchosen } from "./guess";
import { MappingFields } from "./mapping-fields";
import { draftOf, mappingOf } from "./mapping-of";
import { Preview } from "./preview";
import { readSample, type Sample } from "./read-sample";
import { Unfilled } from "./unfilled";

interface Props {
  /** The one to change; without it, a new one is made. */
  connector?: Connector & { etag: string };
  onDone(connector: { id: string }): void;
  onReload?(): void;
}

const settings = { deactivations: "10", deactivationPercent: "10" };

/**
 * Makes or changes a connector. A sample of its file is read here and sent nowhere: its columns are mapped by name and
 * type, and its first people are shown as they will be.
 */
export function ConnectorForm({ connector, onDone, onReload = () => {} }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [name, setName] = useState(connector?.name ?? "");
  const [mode, setMode] = useState<Connector["mode"]>(connector?.mode ?? "full");
  const [missing, setMissing] = useState<Connector["missing"]>(connector?.missing ?? "keep");
  const [limits, setLimits] = useState(connector ? limitsOf(connector) : settings);
  const [draft, setDraft] = useState<Draft>(connector ? draftOf(connector.mapping) : emptyDraft);
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [sample, setSample] = useState<Sample | null>(null);
  const attributes = useQuery(trpc.connectors.attributes.queryOptions({}, { enabled: can("templates:read") }));
  const read = attributes.data?.data ?? [];
  const create = useAction(trpc.connectors.create.mutationOptions(), { done: "Connector created", onDone });
  const update = useAction(trpc.connectors.update.mutationOptions(), { done: "Saved", onDone });
  const action = connector ? update : create;

  const choose = async (chosen: File) => {
    try {
      const found = await readSample(chosen);
      setSample(found);
      setDraft((now) => (now.columns.length === 0 ? suggestDraft(found.columns, read) : withSample(now, found)));
      setFile(chosen);
      setUnfit(null);
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error;
      setUnfit(error.message);
    }
  };
  const withSample = (now: Draft, { columns }: Sample): Draft => ({
    ...now,
    columns: [
      ...now.columns.filter(({ target, column }) => target !== "none" || columns.some((each) => each.name === column)),
      ...columns
        .filter((column) => !now.columns.some((each) => each.column === column.name))
        .map((column) => unchosen(column, read)),
    ],
  });

  const { mapping, todo } = mappingOf(draft);
  const encoding = sample?.encoding ?? connector?.settings["encoding"] ?? "auto";
  const entered = mapping && {
    name,
    mapping,
    mode,
    missing,
    limits: { deactivations: Number(limits.deactivations), deactivationPercent: Number(limits.deactivationPercent) },
    settings: { ...connector?.settings, encoding },
  };
  const { ifMatch, conflict, changes } = useBasis({
    record: connector,
    shown: (each) => ({
      name: each.name,
      mapping: each.mapping,
      mode: each.mode,
      missing: each.missing,
      limits: each.limits,
      settings: each.settings,
    }),
    entered,
    onMerge(merged) {
      setName(merged.name);
      setMode(merged.mode);
      setMissing(merged.missing);
      setLimits(limitsOf(merged));
      setDraft(sample ? withSample(draftOf(merged.mapping), sample) : draftOf(merged.mapping));
    },
    labels: {
      name: "Name",
      mapping: "Columns",
      mode: "A file lists",
      missing: "Who is missing from a file",
      limits: "Limit",
      settings: "Settings",
    },
    action: update,
    reload: onReload,
  });
  const submit = () => {
    if (!entered) return;
    if (connector) update.run({ id: connector.id, ifMatch, ...changes(entered) });
    else create.run({ type: "csv", ...entered });
  };
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending || action.isDone}
      entered={{ name, mode, missing, limits, draft }}
      onSubmit={submit}
      conflict={conflict}
      className="max-w-3xl space-y-5"
    >
      <Panel>
        <div className="space-y-4">
          <TextInput
            label="Name"
            name="name"
            value={name}
            onChange={setName}
            isRequired
            description="Such as Student registry."
          />
          <FileInput
            label="Choose a sample file"
            file={file}
            onChoose={(chosen) => void choose(chosen)}
            problem={unfit}
          />
          {connector && !sample && (
            <p className="text-xs text-muted">With a sample you see a preview, and the columns that are new.</p>
          )}
        </div>
      </Panel>
      {draft.columns.length > 0 && <MappingFields draft={draft} sample={sample} onChange={setDraft} />}
      {mapping && <Unfilled mapping={mapping} read={read} />}
      {mapping && sample && <Preview mapping={mapping} sample={sample} />}
      <Panel>
        <div className="space-y-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Choice
              label="A file lists"
              name="mode"
              value={mode}
              onChange={(next: Connector["mode"]) => setMode(next)}
              options={modeOptions}
            />
            {mode === "full" && (
              <Choice
                label="Who is missing from a file"
                name="missing"
                value={missing}
                onChange={(next: Connector["missing"]) => setMissing(next)}
                options={missingOptions}
              />
            )}
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextInput
              label="Deactivations in 24 hours that need no approval"
              name="limits/deactivations"
              value={limits.deactivations}
              onChange={(deactivations) => setLimits((now) => ({ ...now, deactivations }))}
              inputMode="numeric"
              isRequired
            />
            <TextInput
              label="Or percent of its active people, where that is more"
              name="limits/deactivationPercent"
              value={limits.deactivationPercent}
              onChange={(deactivationPercent) => setLimits((now) => ({ ...now, deactivationPercent }))}
              inputMode="numeric"
              isRequired
            />
          </div>
          <p className="text-xs text-muted">A file that would deactivate more people waits for you.</p>
        </div>
      </Panel>
      <div className="flex flex-wrap items-center gap-3">
        {connector && (
          <ButtonLink variant="outline" href={`/connectors/${connector.id}`}>
            Cancel
          </ButtonLink>
        )}
        <Button type="submit" isPending={action.isPending} isDisabled={!mapping || !name.trim()}>
          {connector ? "Save" : "Create connector"}
        </Button>
        {draft.columns.length > 0 && todo && <p className="text-[0.8125rem] text-muted">{todo}</p>}
      </div>
    </ProblemForm>
  );
}

const limitsOf = ({ limits }: Pick<Connector, "limits">) => ({
  deactivations: String(limits.deactivations),
  deactivationPercent: String(limits.deactivationPercent),
});
