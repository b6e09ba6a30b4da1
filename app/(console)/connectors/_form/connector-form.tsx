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
import { emptyHttp, httpDraftOf, httpSettingsOf, scheduleOf } from "./http-draft";
import { HttpFields } from "./http-fields";
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
 * Makes or changes a connector of files, or of an address that is asked for its first people. A sample of a file is read
 * here and sent nowhere. Its columns are mapped by name and type, and its first people are shown as they will be.
 */
export function ConnectorForm({ connector, onDone, onReload = () => {} }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [name, setName] = useState(connector?.name ?? "");
  const [mode, setMode] = useState<Connector["mode"]>(connector?.mode ?? "full");
  const [missing, setMissing] = useState<Connector["missing"]>(connector?.missing ?? "keep");
  const [limits, setLimits] = useState(connector ? limitsOf(connector) : settings);
  const [draft, setDraft] = useState<Draft>(connector ? draftOf(connector.mapping) : emptyDraft);
  const [type, setType] = useState<"csv" | "http">(connector?.type === "http" ? "http" : "csv");
  const [http, setHttp] = useState(connector?.type === "http" ? httpDraftOf(connector) : emptyHttp);
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [sample, setSample] = useState<Sample | null>(null);
  const attributes = useQuery(trpc.connectors.attributes.queryOptions({}, { enabled: can("templates:read") }));
  const read = attributes.data?.data ?? [];
  const create = useAction(trpc.connectors.create.mutationOptions(), { done: "Connector created", onDone });
  const update = useAction(trpc.connectors.update.mutationOptions(), { done: "Saved", onDone });
  const action = connector ? update : create;

  const show = (found: Sample) => {
    setSample(found);
    setDraft((now) => (now.columns.length === 0 ? suggestDraft(found.columns, read) : withSample(now, found)));
  };
  const choose = async (chosen: File) => {
    try {
      show(await readSample(chosen));
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
  const settingsNow: Record<string, unknown> =
    type === "http" ? httpSettingsOf(http, connector?.settings, mode) : { ...connector?.settings, encoding };
  const entered = mapping && {
    name,
    mapping,
    mode,
    missing,
    limits: { deactivations: Number(limits.deactivations), deactivationPercent: Number(limits.deactivationPercent) },
    settings: settingsNow,
    schedule: type === "http" ? scheduleOf(http.cron, connector) : null,
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
      schedule: each.schedule,
    }),
    entered,
    onMerge(merged) {
      setName(merged.name);
      setMode(merged.mode);
      setMissing(merged.missing);
      setLimits(limitsOf(merged));
      if (type === "http") setHttp(httpDraftOf({ ...merged, schedule: merged.schedule as Connector["schedule"] }));
      setDraft(sample ? withSample(draftOf(merged.mapping), sample) : draftOf(merged.mapping));
    },
    labels: {
      name: "Name",
      mapping: "Columns",
      mode: "A file lists",
      missing: "Who is missing from a file",
      limits: "Limit",
      settings: "Settings",
      schedule: "Schedule",
    },
    action: update,
    reload: onReload,
  });
  const submit = () => {
    if (!entered) return;
    const secret = type !== "http" || http.auth === "none" ? null : http.secret || undefined;
    const isChanged = secret !== undefined && (secret !== null || connector?.secretSetAt);
    if (connector) update.run({ id: connector.id, ifMatch, ...changes(entered), ...(isChanged && { secret }) });
    else create.run({ type, ...entered, ...(secret && { secret }) });
  };
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending || action.isDone}
      entered={{ name, mode, missing, limits, draft, type, http }}
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
          {!connector && (
            <Choice
              label="People come from"
              value={type}
              onChange={(next: "csv" | "http") => {
                setType(next);
                setSample(null);
                setDraft(emptyDraft);
              }}
              options={typeOptions}
            />
          )}
          {type === "http" ? (
            <HttpFields
              draft={http}
              mode={mode}
              stored={connector?.secretSetAt ? connector : undefined}
              onChange={(change) => setHttp((now) => ({ ...now, ...change }))}
              onSample={show}
            />
          ) : (
            <FileInput
              label="Choose a sample file"
              file={file}
              onChoose={(chosen) => void choose(chosen)}
              problem={unfit}
            />
          )}
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
          <p className="text-xs text-muted">
            A file that would deactivate more people waits for an approval. Only people who may give one can raise these
            numbers.
          </p>
          {type === "http" && (
            <TextInput
              label="Schedule"
              name="schedule/cron"
              value={http.cron}
              onChange={(cron) => setHttp((now) => ({ ...now, cron }))}
              mono
              description={`A cron: 0 4 * * * is every day at 04:00${connector?.schedule ? ` in ${connector.schedule.timeZone}` : ""}. Empty: only when you run it.`}
            />
          )}
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

const typeOptions = [
  { value: "csv", label: "Files", description: "Somebody uploads them, here or by API." },
  { value: "http", label: "An address", description: "It is asked by schedule, and answers with JSON or CSV." },
] as const;

const limitsOf = ({ limits }: Pick<Connector, "limits">) => ({
  deactivations: String(limits.deactivations),
  deactivationPercent: String(limits.deactivationPercent),
});
